//! The calls Sushi Go's existing tools make. Their shapes are those tools', not ours.

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Json};
use games::sushi_go::game_summary;
use hall::{Scope, Status, TournamentCard};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tournament::{Plan, TournamentPhase};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::sockets::{self, WatchQuery};
use super::upgrade::Upgrade;
use super::{ApiError, AppState, Bill, Caller, ErrorBody, Path, error, read_tournament, send_long};
use crate::gate::Admission;
use crate::hosting::{TableRequest, TournamentRequest};

const GAME: &str = "sushi-go";

/// These tools know no pages: so many are listed.
const LISTED: usize = 1000;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(show))
        .routes(routes!(list_tournaments, create_tournament))
        .routes(routes!(show_tournament))
}

/// Sushi Go games that are not over, the oldest first.
#[utoipa::path(get, path = "/api/games", responses((status = OK, body = Object,
    example = json!({"games": [{"id": "tasty-tuna-1491j57j", "player_count": 0, "max_players": 2, "status": "waiting"}]}))))]
async fn list(State(app): State<AppState>) -> Result<Json<Value>, ApiError> {
    let hosted = app.hosted(GAME)?;
    let open = [Status::Waiting, Status::Playing];
    let mut open: Vec<_> =
        open.into_iter().flat_map(|status| hosted.tables(Some(status), 0, LISTED)).collect();
    open.sort_by_key(|(no, _)| *no);
    let games = open.iter().take(LISTED).map(|(_, info)| game_summary(info));
    Ok(Json(json!({ "games": games.collect::<Vec<_>>() })))
}

/// Creates a Sushi Go game. Open to clients on this machine, unless configured otherwise.
#[utoipa::path(post, path = "/api/games", request_body(content = Option<Object>, example = json!({"max_players": 2})),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody)))]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, ApiError> {
    caller.demand_unless_here(Scope::Organise, app.options.open_create)?;
    let seats = number(&object(body, &["max_players"])?, "max_players", 2..=5)?;
    let hosted = app.hosted(GAME)?;
    let reply = hosted
        .open(TableRequest { game: GAME.to_owned(), seats, ..TableRequest::default() })
        .await
        .map_err(ApiError::bad_request)?;
    Ok(Json(game_summary(&error::table(reply, "")?)))
}

/// One Sushi Go game.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)),
    responses((status = OK, body = Object), (status = NOT_FOUND, body = ErrorBody)))]
async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let info = app.hosted(GAME)?.table(&id).ok_or_else(|| error::no_table(&id))?;
    let mut summary = game_summary(&info);
    let players: Vec<&str> =
        info.company.seats.iter().flatten().map(|member| &*member.name).collect();
    summary["players"] = json!(players);
    Ok(Json(summary))
}

/// The body of a call, an object with no other keys than these; an empty one is an empty object.
fn object(body: Result<Bytes, BytesRejection>, keys: &[&str]) -> Result<Value, ApiError> {
    let body =
        body.map_err(|rejection| ApiError::no_body(rejection.status(), rejection.body_text()))?;
    if body.is_empty() {
        return Ok(json!({}));
    }
    let body: Value = serde_json::from_slice(&body)
        .map_err(|e| ApiError::bad_request(format!("the body is not JSON: {e}")))?;
    if body.is_null() {
        return Ok(json!({}));
    }
    let Some(members) = body.as_object() else {
        return Err(ApiError::bad_request("the body is an object such as {\"max_players\":2}"));
    };
    match members.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => {
            let known = keys.join(" and ");
            Err(ApiError::bad_request(format!("unknown key {key:?}; this call takes {known}")))
        }
        None => Ok(body),
    }
}

fn number(
    body: &Value,
    name: &str,
    allowed: RangeInclusive<u64>,
) -> Result<Option<usize>, ApiError> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(number) => match number.as_u64().filter(|number| allowed.contains(number)) {
            Some(number) => Ok(Some(number as usize)),
            None => {
                let (least, most) = allowed.into_inner();
                Err(ApiError::bad_request(format!("{name} is {least} to {most}, not {number}")))
            }
        },
    }
}

/// Sushi Go tournaments, the oldest first.
#[utoipa::path(get, path = "/api/tournaments", responses((status = OK, body = Object,
    example = json!({"tournaments": [{"id": "spicy-salmon", "player_count": 0, "max_players": 4, "match_size": 2, "status": "waiting"}]}))))]
async fn list_tournaments(State(app): State<AppState>) -> Result<Json<Value>, ApiError> {
    let cards = app.hosted(GAME)?.tournaments(None, 0, LISTED);
    let tournaments = cards.iter().map(|(_, card)| summary(card));
    Ok(Json(json!({ "tournaments": tournaments.collect::<Vec<_>>() })))
}

/// Convenes a Sushi Go knockout, which starts when it is full. Open to clients on this machine,
/// unless configured otherwise.
#[utoipa::path(post, path = "/api/tournaments",
    request_body(content = Option<Object>, example = json!({"max_players": 4, "match_size": 2})),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody)))]
async fn create_tournament(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Value>, ApiError> {
    caller.demand_unless_here(Scope::Organise, app.options.open_create)?;
    let body = object(body, &["max_players", "match_size"])?;
    let plan = Plan {
        max_entrants: number(&body, "max_players", 2..=1024)?.unwrap_or(4),
        table_seats: number(&body, "match_size", 2..=5)?.unwrap_or(2),
        ..Plan::default()
    };
    let request = TournamentRequest { game: GAME.to_owned(), plan, ..TournamentRequest::default() };
    let hosted = app.hosted(GAME)?;
    let reply = hosted.convene(request).await.map_err(ApiError::bad_request)?;
    let id = error::tournament(reply, "")?;
    let card = hosted.tournament_card(&id).ok_or_else(|| error::no_tournament(&id))?;
    Ok(Json(summary(&card)))
}

/// One Sushi Go tournament.
#[utoipa::path(get, path = "/api/tournaments/{id}", params(("id" = String, Path)),
    responses((status = OK, body = Object), (status = NOT_FOUND, body = ErrorBody)))]
async fn show_tournament(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let hosted = app.hosted(GAME)?;
    let card = hosted.tournament_card(&id).ok_or_else(|| error::no_tournament(&id))?;
    let Pairings { entrants, pairings } = read_tournament(&app, &bill, GAME, &id).await?;
    let players: Vec<String> = entrants.into_iter().map(|entrant| entrant.name).collect();
    let mut body = summary(&card);
    body["players"] = json!(players);
    body["round"] = json!(card.round);
    body["winner"] = json!(card.winner);
    let head = body.to_string();
    let open = head.strip_suffix('}').expect("an object with members");
    let text = format!("{open},\"matches\":{}}}", pairings.get());
    Ok(send_long(&app, bill, "application/json", text.into()).await)
}

/// What these tools are shown of a tournament's text.
#[derive(Deserialize)]
struct Pairings {
    entrants: Vec<Entrant>,
    pairings: Box<RawValue>,
}

#[derive(Deserialize)]
struct Entrant {
    name: String,
}

fn summary(card: &TournamentCard) -> Value {
    let status = match card.phase {
        TournamentPhase::Entering => "waiting",
        TournamentPhase::Running | TournamentPhase::Paused => "playing",
        TournamentPhase::Over | TournamentPhase::Cancelled => "finished",
    };
    json!({
        "id": card.id,
        "player_count": card.entered,
        "max_players": card.plan.max_entrants,
        "match_size": card.plan.table_seats,
        "status": status,
    })
}

/// `ws /ws/games/{id}`: a Sushi Go game, live, every turn of it.
pub async fn watch(
    app: State<AppState>,
    Path(id): Path<String>,
    admission: Extension<Arc<Admission>>,
    query: Result<Query<WatchQuery>, QueryRejection>,
    caller: Caller,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let query = query.map(|Query(query)| Query(query.with_every_update()));
    sockets::watch(app, Path((GAME.to_owned(), id)), admission, query, caller, upgrade).await
}

/// `ws /ws/tournaments/{id}`: a Sushi Go tournament, live.
pub async fn watch_tournament(
    app: State<AppState>,
    Path(id): Path<String>,
    admission: Extension<Arc<Admission>>,
    bill: Extension<Bill>,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    sockets::watch_tournament(app, Path((GAME.to_owned(), id)), admission, bill, upgrade).await
}
