//! What went wrong for the teams of a tournament, for its organisers.

use axum::Json;
use axum::extract::State;
use hall::{Name, Scope};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{ApiError, AppState, Caller, ErrorBody, Path};
use crate::transcript::Trouble;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// What went wrong last for one team.
#[derive(Serialize, ToSchema)]
struct TeamTrouble {
    #[schema(value_type = String)]
    name: Name,
    #[serde(flatten)]
    trouble: Trouble,
}

#[derive(Serialize, ToSchema)]
struct TroubleList {
    troubles: Vec<TeamTrouble>,
}

/// Whether each team of a tournament is connected, what was refused last to it, and why its last connection
/// ended. Teams that are not connected and had no trouble since the server was started are left out.
#[utoipa::path(get, path = "/api/v1/tournaments/{game}/{id}/troubles",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = TroubleList), (status = UNAUTHORIZED, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn list(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id)): Path<(String, String)>,
) -> Result<Json<TroubleList>, ApiError> {
    caller.demand(Scope::Organise)?;
    let known = app.hosted(&game)?.troubles(&id);
    let missing = || ApiError::not_found(format!("there is no tournament '{id}'"));
    let team = |(name, trouble)| TeamTrouble { name, trouble };
    let troubles = known.ok_or_else(missing)?.into_iter().map(team).collect();
    Ok(Json(TroubleList { troubles }))
}
