//! Names that have a key: claiming one, another key for it, letting it go; and tickets, which
//! browsers show in place of a key.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::{Extension, Json};
use hall::{ClaimedName, Code, HouseRecord, KeyHash, Name, Order, Refusal, Register, Scope};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::wires::name_of;
use super::{ApiError, AppState, Caller, ErrorBody, Path, error};
use crate::gate::Admission;
use crate::hosting::EntrantRequest;
use crate::house::{TICKET_MS, clock, fresh_key};

/// So many names a house knows.
const MOST_NAMES: usize = 100_000;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, claim))
        .routes(routes!(show, revoke))
        .routes(routes!(rotate))
        .routes(routes!(set_version))
        .routes(routes!(ticket))
        .routes(routes!(rekey))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClaimBody {
    /// 1 to 24 letters, digits, '-', '_' or '.'.
    name: String,
    /// Which version of a program plays under it, such as `1.4`.
    version: Option<String>,
}

/// A name and its key, which is shown here and never again.
#[derive(Serialize, ToSchema)]
struct KeyBody {
    name: String,
    #[schema(example = "pk_2qk3v0a9x7mbnd81r5ty4cwzue")]
    key: String,
}

/// Claims a name for all games. Its key is in the answer, once: from then on nobody plays under
/// this name without it.
#[utoipa::path(post, path = "/api/v1/names", request_body = ClaimBody, responses(
    (status = CREATED, body = KeyBody), (status = BAD_REQUEST, body = ErrorBody),
    (status = CONFLICT, body = ErrorBody)))]
async fn claim(
    State(app): State<AppState>,
    Extension(admission): Extension<Arc<Admission>>,
    caller: Caller,
    body: Result<Json<ClaimBody>, JsonRejection>,
) -> Result<(StatusCode, Json<KeyBody>), ApiError> {
    let Json(ClaimBody { name, version }) = body.map_err(ApiError::bad_body)?;
    hall::check_claim(&name).map_err(ApiError::bad_request)?;
    let version = version.map(read_version).transpose()?;
    // Not by its key, for it gets another one here. All tables are looked at after that.
    count(&admission, &caller, None)?;
    if caller.demand(Scope::Operate).is_err() {
        admission.take_new_name(caller.peer)?;
    }
    let mut hosted = app.hosted.values();
    if let Some(game) = hosted.find(|hosted| hosted.is_nobodys(&name)) {
        let game = game.name();
        return Err(ApiError::bad_request(format!("'{name}' means something else in {game}")));
    }
    let is_claimed = app.register.read().claimed(&name).is_some();
    let in_use = !is_claimed && app.hosted.values().any(|hosted| hosted.is_in_use(&name));
    if in_use && caller.demand(Scope::Operate).is_err() {
        return Err(ApiError::new(
            Code::NameTaken,
            format!("someone is playing as '{name}' now: claim it when the name is free"),
        ));
    }
    let key = give_key(&app, name.clone(), |register, name| {
        if let Some(known) = register.taken_for(name) {
            let why = match known.name.eq_ignore_ascii_case(name) {
                true => format!("the name '{}' is claimed already", known.name),
                false => format!("'{name}' looks like '{}', which is claimed already", known.name),
            };
            return Err(ApiError::new(Code::NameTaken, why));
        }
        match register.len() < MOST_NAMES {
            true => Ok(name.into()),
            false => Err(ApiError::new(
                Code::Conflict,
                format!("this server has {MOST_NAMES} claimed names and accepts no more"),
            )),
        }
    });
    let key = key.await?;
    if version.is_some() {
        let versioned = HouseRecord::Versioned { name: name.as_str().into(), version };
        let written = app.register.change(move |_| Ok::<_, ApiError>(versioned)).await;
        written.ok_or(Code::Unavailable)??;
    }
    Ok((StatusCode::CREATED, Json(KeyBody { key, name })))
}

/// The claimed names, in the order of the alphabet. Needs the admin token.
#[utoipa::path(get, path = "/api/v1/names", responses(
    (status = OK, body = Object, example = json!({"names": [{"name": "ann", "since": 1796000000000u64, "version": "1.4"}]})),
    (status = UNAUTHORIZED, body = ErrorBody)))]
async fn list(State(app): State<AppState>, caller: Caller) -> Result<Json<Value>, ApiError> {
    caller.demand(Scope::Operate)?;
    let register = app.register.read();
    Ok(Json(json!({ "names": register.names().map(told).collect::<Vec<_>>() })))
}

fn told(known: &ClaimedName) -> Value {
    let ClaimedName { name, since, version, .. } = known;
    json!({ "name": name, "since": since, "version": version })
}

/// A claimed name: since when it is, which version plays under it, and whether the key that comes with
/// the request is its key.
#[utoipa::path(get, path = "/api/v1/names/{name}", params(("name" = String, Path)), responses(
    (status = OK, body = Object, example = json!({"name": "ann", "since": 1796000000000u64,
        "version": "1.4", "yours": true})),
    (status = NOT_FOUND, body = ErrorBody)))]
async fn show(
    State(app): State<AppState>,
    Path(name): Path<String>,
    caller: Caller,
) -> Result<Json<Value>, ApiError> {
    let register = app.register.read();
    let known = register.claimed(&name).ok_or_else(|| not_claimed(&name))?;
    let mut shown = told(known);
    shown["yours"] = (caller.key() == Some(&known.key)).into();
    Ok(Json(shown))
}

fn not_claimed(name: &str) -> ApiError {
    ApiError::not_found(format!("the name '{name}' is not claimed"))
}

/// Gives a name another key, for whoever shows the one it has, or the admin token. The old key
/// opens nothing any more.
#[utoipa::path(post, path = "/api/v1/names/{name}/key", params(("name" = String, Path)), responses(
    (status = OK, body = KeyBody), (status = FORBIDDEN, body = ErrorBody),
    (status = NOT_FOUND, body = ErrorBody)))]
async fn rotate(
    State(app): State<AppState>,
    Path(name): Path<String>,
    Extension(admission): Extension<Arc<Admission>>,
    caller: Caller,
) -> Result<Json<KeyBody>, ApiError> {
    let owner = Owner::of(&caller);
    owner.check(&app.register.read(), &name)?;
    count(&admission, &caller, caller.key())?;
    let claimed = app.register.read().claimed(&name).map(|known| known.name.to_string());
    let key = give_key(&app, name.clone(), move |register, name| owner.check(register, name));
    Ok(Json(KeyBody { key: key.await?, name: claimed.unwrap_or(name) }))
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct VersionBody {
    /// Such as `1.4`: up to 64 characters; null: none.
    #[serde(default)]
    version: Option<String>,
}

/// Says which version of a program plays under a name from now on, for whoever shows its key or the
/// admin token. It is kept with every game the name sits down to, unless its protocol or its
/// tournament says another.
#[utoipa::path(put, path = "/api/v1/names/{name}/version", params(("name" = String, Path)),
    request_body = VersionBody, responses(
    (status = OK, body = Object, example = json!({"name": "ann", "version": "1.4"})),
    (status = BAD_REQUEST, body = ErrorBody), (status = FORBIDDEN, body = ErrorBody),
    (status = NOT_FOUND, body = ErrorBody)))]
async fn set_version(
    State(app): State<AppState>,
    Path(name): Path<String>,
    Extension(admission): Extension<Arc<Admission>>,
    caller: Caller,
    body: Result<Json<VersionBody>, JsonRejection>,
) -> Result<Json<Value>, ApiError> {
    let Json(VersionBody { version }) = body.map_err(ApiError::bad_body)?;
    let version = version.map(read_version).transpose()?;
    let owner = Owner::of(&caller);
    owner.check(&app.register.read(), &name)?;
    count(&admission, &caller, caller.key())?;
    let body = json!({ "name": name, "version": version });
    let change = move |register: &Register| {
        Ok::<_, ApiError>(HouseRecord::Versioned { name: owner.check(register, &name)?, version })
    };
    app.register.change(change).await.ok_or(Code::Unavailable)??;
    Ok(Json(body))
}

fn read_version(version: String) -> Result<Name, ApiError> {
    let wrong = |right| ApiError::bad_request(format!("{version:?} is not a version: use {right}"));
    hall::check_version(&version).map_err(wrong)?;
    Ok(version.into())
}

/// Lets a name go, for whoever shows its key or the admin token: it is anybody's again.
#[utoipa::path(delete, path = "/api/v1/names/{name}", params(("name" = String, Path)), responses(
    (status = OK, body = Object), (status = FORBIDDEN, body = ErrorBody),
    (status = NOT_FOUND, body = ErrorBody)))]
async fn revoke(
    State(app): State<AppState>,
    Path(name): Path<String>,
    Extension(admission): Extension<Arc<Admission>>,
    caller: Caller,
) -> Result<Json<Value>, ApiError> {
    let owner = Owner::of(&caller);
    owner.check(&app.register.read(), &name)?;
    count(&admission, &caller, caller.key())?;
    let body = json!({ "name": name, "claimed": false });
    let release = move |register: &Register| {
        Ok::<_, ApiError>(HouseRecord::Released { name: owner.check(register, &name)? })
    };
    app.register.change(release).await.ok_or(Code::Unavailable)??;
    Ok(Json(body))
}

/// Everything said of names is written down for good, so nobody may say any number of things. Operators
/// may.
fn count(admission: &Admission, caller: &Caller, key: Option<&KeyHash>) -> Result<(), ApiError> {
    if caller.demand(Scope::Operate).is_err() {
        admission.take_claim(caller.peer, key)?;
    }
    Ok(())
}

/// Who wants to change a name.
struct Owner {
    organiser: bool,
    key: Option<KeyHash>,
}

impl Owner {
    fn of(caller: &Caller) -> Owner {
        Owner { organiser: caller.demand(Scope::Operate).is_ok(), key: caller.key().cloned() }
    }

    /// The name as it was claimed, if it is this one's to change.
    fn check(&self, register: &Register, name: &str) -> Result<Name, ApiError> {
        let known = register.claimed(name).ok_or_else(|| not_claimed(name))?;
        match self.organiser || self.key.as_ref() == Some(&known.key) {
            true => Ok(known.name.clone()),
            false => {
                let refusal = match self.key {
                    Some(_) => Refusal::WrongKey(known.name.clone()),
                    None => Refusal::NeedsKey(known.name.clone()),
                };
                let help = "give the key that was shown when the name was claimed, which programs send \
                            as 'Authorization: Bearer pk_…'";
                Err(ApiError::new(Code::NeedsKey, format!("{}: {help}", refusal.cause())))
            }
        }
    }
}

/// Gives a name a new key, if it may have one.
async fn give_key(
    app: &AppState,
    name: String,
    check: impl FnOnce(&Register, &str) -> Result<Name, ApiError> + Send + 'static,
) -> Result<String, ApiError> {
    let key = fresh_key().map_err(ApiError::internal)?;
    let hash = KeyHash::of(&key);
    let claim = move |register: &Register| {
        Ok::<_, ApiError>(HouseRecord::Claimed { name: check(register, &name)?, key: hash })
    };
    app.register.change(claim).await.ok_or(Code::Unavailable)??;
    Ok(key)
}

/// Gives an entrant another key, because it has lost the one it had; that opens nothing any more.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entrants/{name}/key",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)), responses(
    (status = OK, body = KeyBody), (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn rekey(
    State(app): State<AppState>,
    Path((game, id, name)): Path<(String, String, String)>,
    caller: Caller,
) -> Result<Json<KeyBody>, ApiError> {
    caller.demand(Scope::Organise)?;
    let key = fresh_key().map_err(ApiError::internal)?;
    let order = Order::Rekey(name.as_str().into(), KeyHash::of(&key));
    let reply = app.hosted(&game)?.order(id.as_str().into(), order).await;
    error::tournament(reply, &id)?;
    Ok(Json(KeyBody { name, key }))
}

/// A ticket for a WebSocket, in place of a key or token that browsers cannot send: `?ticket=`. It is good
/// for 30 seconds, and once.
#[utoipa::path(post, path = "/api/v1/tickets", responses(
    (status = CREATED, body = Object, example = json!({"ticket": "tk_3f…", "expires_in_s": 30})),
    (status = FORBIDDEN, body = ErrorBody)))]
async fn ticket(
    State(app): State<AppState>,
    caller: Caller,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let shown = caller.shown_hash().ok_or_else(|| {
        let why = "this needs a key, which programs send as 'Authorization: Bearer pk_…'";
        ApiError::new(Code::NeedsKey, why)
    })?;
    if caller.holder().is_none() && name_of(&app, shown).is_none() {
        let why = "this key is unknown here: copy it again, or claim a name on /connect";
        return Err(ApiError::new(Code::NeedsKey, why));
    }
    let ticket = app.tickets.issue(clock::now(), shown.clone()).map_err(ApiError::internal)?;
    let body = json!({ "ticket": ticket, "expires_in_s": TICKET_MS / 1000 });
    Ok((StatusCode::CREATED, Json(body)))
}

/// Gives each player of a tournament its key: one of its own, unless its name has one.
pub fn give_entrant_keys(
    register: &Register,
    entrants: &mut [EntrantRequest],
) -> Result<Vec<Value>, ApiError> {
    let mut given = Vec::new();
    for entrant in entrants.iter_mut().filter(|entrant| !entrant.is_bot()) {
        let claimed = register.claimed(entrant.name()).is_some();
        let key = if claimed { None } else { Some(fresh_key().map_err(ApiError::internal)?) };
        entrant.take_key(key.as_deref());
        given.push(json!({ "name": entrant.name(), "key": key }));
    }
    Ok(given)
}
