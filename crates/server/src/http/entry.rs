//! Players enter open tournaments by themselves, under a name that they have claimed, whatever
//! protocol they play by.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use hall::{Code, EntrantKey, Name, NewEntrant, Order, Refusal};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::tournaments::as_it_is;
use super::{ApiError, AppState, Caller, ErrorBody, Path, error};
use crate::gate::Admission;
use crate::house::clock;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(enter)).routes(routes!(leave))
}

/// Who enters.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EntryBody {
    /// A claimed name; the request shows its key.
    name: String,
    /// What people read instead of the name, such as `Ann's bot`.
    display: Option<String>,
    /// What it is called at the tables, where names are colours.
    plays_as: Option<String>,
    /// Which version of a program will play; the name's own unless given.
    version: Option<String>,
}

/// Enters an open tournament under a claimed name, for whoever shows its key. From then on the
/// player joins with that name and key, as in any other game.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entry", request_body = EntryBody,
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = CREATED, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = FORBIDDEN, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody), (status = TOO_MANY_REQUESTS, body = ErrorBody)))]
async fn enter(
    State(app): State<AppState>,
    Extension(admission): Extension<Arc<Admission>>,
    caller: Caller,
    Path((game, id)): Path<(String, String)>,
    body: Result<Json<EntryBody>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(EntryBody { name, display, plays_as, version }) = body.map_err(ApiError::bad_body)?;
    let name = own_name(&app, &caller, &name)?;
    check_bans(&app, &caller, &name)?;
    let entrant = NewEntrant {
        name,
        display: display.map(Name::from),
        plays_as: plays_as.map(Name::from),
        bot: None,
        version: version.map(Name::from),
        key: Some(EntrantKey::House),
    };
    let hosted = app.hosted(&game)?;
    // Taken first: of any number that ask at once, only as many enter as may.
    let taken = admission.take_entry(caller.peer, caller.key())?;
    let ordered = hosted.order(id.as_str().into(), Order::Enrol(entrant)).await;
    let id = match error::tournament(ordered, &id) {
        Ok(id) => id,
        Err(refused) => {
            taken.give_back();
            return Err(refused);
        }
    };
    Ok((StatusCode::CREATED, as_it_is(&app, &game, &id).await?).into_response())
}

/// Withdraws from a tournament, for whoever shows the key of the entrant's claimed name.
#[utoipa::path(delete, path = "/api/v1/tournaments/{game}/{id}/entry/{name}",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)),
    responses((status = OK, body = Object), (status = FORBIDDEN, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody), (status = CONFLICT, body = ErrorBody)))]
async fn leave(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id, name)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    let name = own_name(&app, &caller, &name)?;
    let hosted = app.hosted(&game)?;
    let id = error::tournament(hosted.order(id.as_str().into(), Order::Leave(name)).await, &id)?;
    as_it_is(&app, &game, &id).await
}

/// Nobody enters under a banned name, or with a banned key.
fn check_bans(app: &AppState, caller: &Caller, name: &Name) -> Result<(), ApiError> {
    let (register, now) = (app.register.read(), clock::now());
    let refusal = match caller.key() {
        _ if register.bans.of_name(name, now).is_some() => Refusal::BannedName(name.clone()),
        Some(key) if register.bans.of_key(key, now).is_some() => Refusal::BannedKey,
        _ => return Ok(()),
    };
    Err(ApiError::new(Code::Banned, refusal.cause()))
}

/// A claimed name as it was claimed, if the caller has shown its key.
fn own_name(app: &AppState, caller: &Caller, name: &str) -> Result<Name, ApiError> {
    let register = app.register.read();
    let known = register.claimed(name).ok_or_else(|| {
        let why = format!(
            "the name '{name}' is not claimed: claim it first, on /connect or with \
                           'parlor names claim'"
        );
        ApiError::new(Code::NeedsKey, why)
    })?;
    match caller.key() == Some(&known.key) {
        true => Ok(known.name.clone()),
        false => {
            let refusal = match caller.key() {
                Some(_) => Refusal::WrongKey(known.name.clone()),
                None => Refusal::NeedsKey(known.name.clone()),
            };
            Err(ApiError::new(Code::NeedsKey, refusal.cause()))
        }
    }
}
