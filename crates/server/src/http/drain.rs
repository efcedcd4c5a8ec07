//! Draining the server, and whether it takes new games.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use hall::Scope;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{ApiError, AppState, Caller, ErrorBody};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(drain))
}

#[derive(Serialize, ToSchema)]
struct DrainBody {
    /// Games that are still played; in a fleet, players of running games who are connected to this
    /// server. It ends when there are none.
    running: usize,
    /// Whether other servers go on with the games of this one.
    fleet: bool,
}

/// Starts no new games from now on, and ends the server when the running ones are over. In a fleet
/// the games of this server go on at the others at once.
#[utoipa::path(post, path = "/api/v1/drain", responses((status = ACCEPTED, body = DrainBody),
    (status = UNAUTHORIZED, body = ErrorBody), (status = FORBIDDEN, body = ErrorBody)))]
async fn drain(
    State(app): State<AppState>,
    caller: Caller,
) -> Result<(StatusCode, Json<DrainBody>), ApiError> {
    caller.demand(Scope::Operate)?;
    let running = app.drain.begin().await;
    Ok((StatusCode::ACCEPTED, Json(DrainBody { running, fleet: app.fleet.is_some() })))
}

/// Whether new players may come.
pub async fn ready(State(app): State<AppState>) -> impl IntoResponse {
    match () {
        () if app.stopping.is_cancelled() => {
            (StatusCode::SERVICE_UNAVAILABLE, "shutting down\n".to_owned())
        }
        () if app.drain.has_begun() => {
            let running = app.drain.running();
            let what =
                if app.fleet.is_some() { "players are in games" } else { "games are running" };
            (StatusCode::SERVICE_UNAVAILABLE, format!("draining, {running} {what}\n"))
        }
        () => match &app.health.faults()[..] {
            [] => (StatusCode::OK, "ready\n".to_owned()),
            faults => (StatusCode::SERVICE_UNAVAILABLE, faults.join("\n") + "\n"),
        },
    }
}
