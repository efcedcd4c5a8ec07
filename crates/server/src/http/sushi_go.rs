//! The calls Sushi Go's existing tools make. Their shapes are those tools', not ours.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use games::sushi_go::game_summary;
use hall::Status;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::{self, ApiError, ErrorBody};
use super::{House, Peer};
use crate::room::Wish;

const GAME: &str = "sushi-go";

pub fn routes() -> OpenApiRouter<House> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show))
}

/// Sushi Go games that are not over, the oldest first.
#[utoipa::path(get, path = "/api/games", responses((status = OK, body = Object,
    example = json!({"games": [{"id": "tasty-tuna-1491j57j", "player_count": 0, "max_players": 2, "status": "waiting"}]}))))]
async fn list(State(house): State<House>) -> Result<Json<Value>, ApiError> {
    let infos = error::tables(house.room(GAME)?.list(None).await)?;
    let open = infos.iter().filter(|info| matches!(info.status, Status::Waiting | Status::Playing));
    Ok(Json(json!({ "games": open.map(game_summary).collect::<Vec<_>>() })))
}

/// Creates a Sushi Go game. Open to clients on this machine, unless configured otherwise.
#[utoipa::path(post, path = "/api/games", request_body(content = Object, example = json!({"max_players": 2})),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody)))]
async fn create(
    State(house): State<House>,
    axum::Extension(peer): axum::Extension<Peer>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, ApiError> {
    house.admin.demand_unless_local(&headers, peer, house.options.open_create)?;
    let body: Value = if body.is_empty() {
        json!({})
    } else {
        serde_json::from_slice(&body)
            .map_err(|e| ApiError::bad_request(format!("the body is not JSON: {e}")))?
    };
    if !body.is_object() {
        return Err(ApiError::bad_request("the body is an object such as {\"max_players\":2}"));
    }
    let seats = match body.get("max_players") {
        None | Some(Value::Null) => None,
        Some(number) => match number.as_u64() {
            Some(seats @ 2..=5) => Some(seats as usize),
            _ => return Err(ApiError::bad_request(format!("max_players is 2 to 5, not {number}"))),
        },
    };
    let room = house.room(GAME)?;
    let reply =
        room.open(Wish { seats, ..Wish::default() }).await.map_err(ApiError::bad_request)?;
    Ok(Json(game_summary(&error::table(reply, "")?)))
}

/// One Sushi Go game.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)),
    responses((status = OK, body = Object), (status = NOT_FOUND, body = ErrorBody)))]
async fn show(State(house): State<House>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    let info = error::table(house.room(GAME)?.show(id.as_str().into()).await, &id)?;
    let mut summary = game_summary(&info);
    let players: Vec<&str> =
        info.company.seats.iter().flatten().map(|member| &*member.name).collect();
    summary["players"] = json!(players);
    Ok(Json(summary))
}
