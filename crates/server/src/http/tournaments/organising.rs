//! What organisers do with tournaments.

use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::Response;
use axum::{Extension, Json};
use hall::{Name, Order, Scope};
use serde::Deserialize;
use serde_json::Value;
use tournament::PairingId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::api::check_id;
use super::super::guard::About;
use super::super::names::give_entrant_keys;
use super::super::{ApiError, AppState, Bill, Caller, ErrorBody, Path, error};
use super::{as_it_is, read, with_keys};
use crate::hosting::{EntrantRequest, TournamentRequest};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(enter))
        .routes(routes!(withdraw))
        .routes(routes!(reinstate))
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(cancel))
        .routes(routes!(adjudicate))
}

/// Convenes a tournament.
#[utoipa::path(post, path = "/api/v1/tournaments", request_body = TournamentRequest, responses(
    (status = CREATED, body = Object),
    (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody),
    (status = CONFLICT, body = ErrorBody)))]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Json<TournamentRequest>, JsonRejection>,
) -> Result<(StatusCode, Extension<About>, Response), ApiError> {
    caller.demand(Scope::Organise)?;
    let Json(mut request) = body.map_err(ApiError::bad_body)?;
    let hosted = app.hosted(&request.game)?;
    if let Some(id) = &request.id {
        check_id(id)?;
    }
    let id = request.id.clone().unwrap_or_default();
    let keys = match request.open_names {
        true => Vec::new(),
        false => give_entrant_keys(&app.register.read(), &mut request.entrants)?,
    };
    let entrants = request.entrants.len();
    let reply = hosted.convene(request).await.map_err(ApiError::bad_request)?;
    let id = error::tournament(reply, &id)?;
    let about = format!("made {} {id} with {entrants} entrants", hosted.name());
    let made = told(&app, hosted.name(), &id, keys).await?;
    Ok((StatusCode::CREATED, Extension(About(about)), made))
}

/// A tournament, with the keys that were just given out: here, and never again.
async fn told(
    app: &AppState,
    game: &str,
    id: &str,
    keys: Vec<Value>,
) -> Result<Response, ApiError> {
    match keys.is_empty() {
        true => as_it_is(app, game, id).await,
        false => with_keys(app, game, id, keys).await,
    }
}

/// Whether names are open in a tournament.
#[derive(Deserialize)]
struct Names {
    open_names: bool,
}

/// Enters somebody.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entrants", request_body = EntrantRequest,
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn enter(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id)): Path<(String, String)>,
    body: Result<Json<EntrantRequest>, JsonRejection>,
) -> Result<(Extension<About>, Response), ApiError> {
    let Json(mut body) = body.map_err(ApiError::bad_body)?;
    let keys = give_entrant_keys(&app.register.read(), std::slice::from_mut(&mut body))?;
    let about = About(format!("entered {}", body.name()));
    order(&app, &caller, &game, &id, Order::Enter(body.into())).await?;
    let Names { open_names } = read(&app, &Bill::free(), &game, &id).await?;
    let entered = told(&app, &game, &id, if open_names { Vec::new() } else { keys }).await?;
    Ok((Extension(about), entered))
}

/// Withdraws an entrant: what it has not played it has lost.
#[utoipa::path(delete, path = "/api/v1/tournaments/{game}/{id}/entrants/{name}",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn withdraw(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id, name)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    order(&app, &caller, &game, &id, Order::Withdraw(name.into())).await
}

/// Brings back an entrant who has withdrawn or was withdrawn.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entrants/{name}/reinstate",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody)))]
async fn reinstate(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id, name)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    order(&app, &caller, &game, &id, Order::Reinstate(name.into())).await
}

/// A call that gives one order and needs nothing but the admin token.
macro_rules! plain_order {
    ($(#[$about:meta])* $name:ident, $path:literal, $order:expr) => {
        $(#[$about])*
        #[utoipa::path(post, path = $path, params(("game" = String, Path), ("id" = String, Path)),
            responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
                (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
        async fn $name(
            State(app): State<AppState>,
            caller: Caller,
            Path((game, id)): Path<(String, String)>,
        ) -> Result<Response, ApiError> {
            order(&app, &caller, &game, &id, $order).await
        }
    };
}

plain_order!(
    /// Starts a tournament with the entrants it has.
    start, "/api/v1/tournaments/{game}/{id}/start", Order::Start
);
plain_order!(
    /// Lets running games end and begins no others.
    pause, "/api/v1/tournaments/{game}/{id}/pause", Order::Pause
);
plain_order!(
    /// Goes on after a pause.
    resume, "/api/v1/tournaments/{game}/{id}/resume", Order::Resume
);
plain_order!(
    /// Calls a tournament off.
    cancel, "/api/v1/tournaments/{game}/{id}/cancel", Order::Cancel
);

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AdjudicationBody {
    /// The place of each entrant of the pairing, in its order; 1 is best.
    places: Vec<u32>,
}

/// Decides a pairing.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/pairings/{pairing}/adjudicate",
    params(("game" = String, Path), ("id" = String, Path), ("pairing" = u32, Path)),
    request_body = AdjudicationBody,
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn adjudicate(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id, pairing)): Path<(String, String, u32)>,
    body: Result<Json<AdjudicationBody>, JsonRejection>,
) -> Result<(Extension<About>, Response), ApiError> {
    let Json(body) = body.map_err(ApiError::bad_body)?;
    let places = body.places.clone();
    let decided = Order::Adjudicate { pairing: PairingId(pairing), places: body.places };
    let answer = order(&app, &caller, &game, &id, decided).await?;
    let names = app.hosted(&game)?.names_of_pairing(&id, PairingId(pairing)).unwrap_or_default();
    Ok((Extension(About(decision(pairing, &names, &places))), answer))
}

/// Who came where, in words.
fn decision(pairing: u32, names: &[Name], places: &[u32]) -> String {
    let mut ranked: Vec<(&u32, &Name)> = places.iter().zip(names).collect();
    ranked.sort();
    let ranked = ranked.iter().map(|(place, name)| format!("{place}. {name}"));
    format!("decided pairing {pairing}: {}", ranked.collect::<Vec<_>>().join(", "))
}

async fn order(
    app: &AppState,
    caller: &Caller,
    game: &str,
    id: &str,
    order: Order,
) -> Result<Response, ApiError> {
    caller.demand(Scope::Organise)?;
    let hosted = app.hosted(game)?;
    let id = error::tournament(hosted.order(id.into(), order).await, id)?;
    as_it_is(app, game, &id).await
}
