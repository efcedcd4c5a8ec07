//! Bans and kicks: who is not let in, and who has to go.

use std::net::IpAddr;

use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::{Extension, Json};
use hall::{BanSubject, Code, HouseRecord, KeyHash, Scope, is_key};
use rules::picture::counted;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::guard::About;
use super::{ApiError, AppState, Caller, ErrorBody, Path};
use crate::house::clock;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(lift)).routes(routes!(kick))
}

/// A ban that holds.
#[derive(Serialize, ToSchema)]
struct BanBody {
    /// Either this or an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// An IPv6 address stands for all that begin with the same 64 bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    address: Option<IpAddr>,
    /// The fingerprint of a key: the first 12 digits of its SHA-256.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// In milliseconds since 1970.
    since: u64,
    /// Null: until it is lifted.
    until: Option<u64>,
    reason: String,
}

impl BanBody {
    fn new((subject, ban): (&BanSubject, &hall::Ban)) -> BanBody {
        let (name, address, key) = match subject {
            BanSubject::Name(name) => (Some(name.clone()), None, None),
            BanSubject::Address(address) => (None, Some(*address), None),
            BanSubject::Key(key) => (None, None, Some(key.fingerprint().to_owned())),
        };
        let (since, until) = (ban.since.0, ban.until.map(|until| until.0));
        BanBody { name, address, key, since, until, reason: ban.reason.clone() }
    }
}

#[derive(Serialize, ToSchema)]
struct BanList {
    bans: Vec<BanBody>,
}

/// Whom it is about: a name, an address, or a key.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewBan {
    name: Option<String>,
    #[schema(value_type = Option<String>)]
    address: Option<IpAddr>,
    key: Option<String>,
    /// For so many seconds; until it is lifted if not given.
    for_s: Option<u64>,
    /// For the list of bans.
    reason: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Kick {
    name: Option<String>,
    #[schema(value_type = Option<String>)]
    address: Option<IpAddr>,
    key: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct Kicked {
    /// Connections that were closed.
    closed: usize,
}

fn subject(
    name: Option<String>,
    address: Option<IpAddr>,
    key: Option<String>,
) -> Result<BanSubject, ApiError> {
    match (name, address, key) {
        (None, None, Some(key)) if is_key(&key) => Ok(BanSubject::Key(KeyHash::of(&key))),
        (None, None, Some(_)) => {
            Err(ApiError::bad_request("this is not a key: one is pk_ and 26 letters and digits"))
        }
        (Some(name), None, None) => Ok(BanSubject::of_name(&name)),
        (None, Some(address), None) if address.to_canonical().is_loopback() => {
            Err(ApiError::bad_request("an address of the server's own machine cannot be banned"))
        }
        (None, Some(address), None) => Ok(BanSubject::of_address(address)),
        _ => Err(ApiError::bad_request("give a name, an address or a key")),
    }
}

/// The bans that hold.
#[utoipa::path(get, path = "/api/v1/bans", responses((status = OK, body = BanList),
    (status = UNAUTHORIZED, body = ErrorBody)))]
async fn list(State(app): State<AppState>, caller: Caller) -> Result<Json<BanList>, ApiError> {
    caller.demand(Scope::Operate)?;
    let register = app.access.register.read();
    Ok(Json(BanList { bans: register.bans.iter(clock::now()).map(BanBody::new).collect() }))
}

/// Bans a name or an address, and closes its connections at once.
#[utoipa::path(post, path = "/api/v1/bans", request_body = NewBan, responses(
    (status = CREATED, body = Kicked), (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody)))]
async fn add(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Json<NewBan>, JsonRejection>,
) -> Result<(StatusCode, Extension<About>, Json<Kicked>), ApiError> {
    caller.demand(Scope::Operate)?;
    let Json(NewBan { name, address, key, for_s, reason }) = body.map_err(ApiError::bad_body)?;
    let subject = subject(name, address, key)?;
    let until = for_s.map(|seconds| clock::now() + seconds.saturating_mul(1000));
    let reason: String = reason.unwrap_or_default().chars().take(200).collect();
    let lasts = for_s.map_or("until it is lifted".to_owned(), |seconds| format!("for {seconds} s"));
    let mut about = format!("banned {subject} {lasts}");
    if !reason.is_empty() {
        about += &format!(": {reason}");
    }
    let banned = HouseRecord::Banned { subject: subject.clone(), until, reason };
    let changed = app.access.register.change(move |_| Ok::<_, ApiError>(banned));
    changed.await.ok_or(Code::Unavailable)??;
    let kicked = Kicked { closed: app.kick(subject).await };
    Ok((StatusCode::CREATED, Extension(About(about)), Json(kicked)))
}

/// Lifts a ban. `kind` is `name`, `address` or `key`; a key is given by its fingerprint.
#[utoipa::path(delete, path = "/api/v1/bans/{kind}/{who}",
    params(("kind" = String, Path), ("who" = String, Path)),
    responses((status = OK, body = Object), (status = UNAUTHORIZED, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn lift(
    State(app): State<AppState>,
    caller: Caller,
    Path((kind, who)): Path<(String, String)>,
) -> Result<Json<serde_json::Value>, ApiError> {
    caller.demand(Scope::Operate)?;
    let subject = match (kind.as_str(), who.parse()) {
        ("name", _) => BanSubject::of_name(&who),
        ("key", _) => match app.access.register.read().bans.key_of(&who) {
            Some(subject) => subject.clone(),
            None => return Err(ApiError::not_found(format!("key {who} is not banned"))),
        },
        ("address", Ok(address)) => BanSubject::of_address(address),
        ("address", Err(_)) => {
            return Err(ApiError::bad_request(format!("'{who}' is not an address")));
        }
        _ => return Err(ApiError::bad_request("a ban needs a name, an address or a key")),
    };
    let lifted = app.access.register.change(move |register| {
        if register.bans.get(&subject, clock::now()).is_none() {
            return Err(ApiError::not_found(format!("{subject} is not banned")));
        }
        Ok(HouseRecord::Lifted { subject })
    });
    lifted.await.ok_or(Code::Unavailable)??;
    Ok(Json(serde_json::json!({})))
}

/// Closes the connections of a name or an address. It may come back.
#[utoipa::path(post, path = "/api/v1/kicks", request_body = Kick, responses(
    (status = OK, body = Kicked), (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody)))]
async fn kick(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Json<Kick>, JsonRejection>,
) -> Result<(Extension<About>, Json<Kicked>), ApiError> {
    caller.demand(Scope::Operate)?;
    let Json(Kick { name, address, key }) = body.map_err(ApiError::bad_body)?;
    let subject = subject(name, address, key)?;
    let whom = subject.to_string();
    let closed = app.kick(subject).await;
    let about = format!("closed {} ({whom})", counted(closed as i128, "connection"));
    Ok((Extension(About(about)), Json(Kicked { closed })))
}
