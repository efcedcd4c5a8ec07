//! Parlor's own JSON API.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use hall::{Closing, Company, Name, Scope, Status, TableInfo, Time};
use rules::{Grade, SeatSet, Standing};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::paging::{self, Page, Paging};
use super::{ApiError, AppState, Caller, ErrorBody, Path, error};
use crate::hosting::TableRequest;
use crate::transport::shared_bytes;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_games))
        .routes(routes!(list_tables, create_table))
        .routes(routes!(show_table, close_table))
        .routes(routes!(report_crash))
}

/// A game this server hosts.
#[derive(Serialize, ToSchema)]
pub struct GameBody {
    name: &'static str,
    /// Port names of its protocols; the first is the usual one.
    dialects: Vec<&'static str>,
    /// The number of each of these ports.
    ports: BTreeMap<&'static str, u16>,
    /// The numbers of those on which the same is spoken over TLS.
    tls_ports: BTreeMap<&'static str, u16>,
    bots: Vec<BotBody>,
    /// The options tables are opened with, unless a table asks for others.
    #[schema(value_type = Object)]
    options: Value,
}

#[derive(Serialize, ToSchema)]
struct BotBody {
    name: &'static str,
    about: &'static str,
    /// How well it plays: 1 a beginner, 2 decent, 3 strong.
    level: u8,
}

/// A table.
#[derive(Serialize, ToSchema)]
pub struct TableBody {
    game: &'static str,
    #[schema(value_type = String)]
    id: Name,
    #[schema(value_type = TableStatus)]
    status: Status,
    /// Seats taken.
    players: usize,
    seats: usize,
    /// Each seat's player, or null.
    #[schema(value_type = Vec<Option<MemberBody>>)]
    #[serde(serialize_with = "seats")]
    company: Arc<Company>,
    /// Names a seat is kept for.
    #[schema(value_type = Vec<String>)]
    reserved: Vec<Name>,
    /// The number of the running turn.
    seq: u64,
    /// Seats that have not moved in it.
    #[schema(value_type = Vec<u8>)]
    owed: SeatSet,
    spectators: usize,
    /// Milliseconds since 1970.
    #[schema(value_type = u64)]
    opened_at: Time,
    /// What those who watch see: `public`, `delayed` or `full`.
    broadcast: &'static str,
    /// A promise of the deal: the SHA-256 of seed and salt, which the result shows when the game is
    /// over. Null at tables that an earlier release opened.
    #[schema(value_type = Option<String>)]
    commitment: Option<Name>,
    /// Each seat's result, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<StandingBody>>)]
    result: Option<Vec<Standing>>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    void: Option<String>,
}

// This describes `Status`, which is written as it is.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum TableStatus {
    Waiting,
    Playing,
    Finished,
    Void,
}

// This describes `hall::Member`, which is written as it is.
#[derive(Serialize, ToSchema)]
struct MemberBody {
    name: String,
    /// What people read for the name, in a tournament whose list of entrants says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    present: bool,
    /// The strategy, if a house bot plays the seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    bot: Option<String>,
    /// A human being, as it says itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    person: bool,
    /// Which version of a program it is, as it says itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Turns in a row that ended by the time limit; a move sets it to 0.
    strikes: u32,
}

// This describes `Standing`, which is written as it is.
#[derive(Serialize, ToSchema)]
struct StandingBody {
    points: i64,
    /// 1 is best; equals share a place.
    place: u32,
    /// How the seat went, if it did not play to the end.
    #[schema(value_type = Option<Object>)]
    exit: Option<rules::Exit>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filter {
    /// Only tables of this game.
    game: Option<String>,
    /// Only tables that are waiting, playing, finished or void.
    #[param(inline, value_type = Option<TableStatus>)]
    status: Option<Status>,
    /// The `next` of the page before.
    after: Option<String>,
    /// At most so many, 100 unless given, 1000 at most.
    limit: Option<usize>,
}

/// A page of tables.
#[derive(ToSchema)]
#[expect(dead_code, reason = "pages are put together from texts; this describes them")]
struct TablePage {
    tables: Vec<TableBody>,
    /// Give this as `after` for the next page; null on the last.
    next: Option<String>,
}

/// The games and their options.
#[utoipa::path(get, path = "/api/v1/games", responses((status = OK, body = Vec<GameBody>)))]
async fn list_games(State(app): State<AppState>) -> Json<Vec<GameBody>> {
    Json(games(&app))
}

pub fn games(app: &AppState) -> Vec<GameBody> {
    let bot = |(name, about, grade): (_, _, Grade)| BotBody { name, about, level: grade.level() };
    let game = |hosted: &std::sync::Arc<crate::hosting::HostedGame>| GameBody {
        name: hosted.name(),
        dialects: hosted.dialects(),
        ports: of(hosted.dialects(), &app.ports.plain),
        tls_ports: of(hosted.dialects(), &app.ports.tls),
        bots: hosted.bots().into_iter().map(bot).collect(),
        options: hosted.options(),
    };
    app.hosted.values().map(game).collect()
}

/// The ports of some protocols.
fn of(
    dialects: Vec<&'static str>,
    ports: &BTreeMap<&'static str, u16>,
) -> BTreeMap<&'static str, u16> {
    dialects.into_iter().filter_map(|name| Some((name, *ports.get(name)?))).collect()
}

/// The tables, game by game, the oldest first.
#[utoipa::path(get, path = "/api/v1/tables", params(Filter),
    responses((status = OK, body = TablePage), (status = NOT_FOUND, body = ErrorBody)))]
async fn list_tables(
    State(app): State<AppState>,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Page, ApiError> {
    let Query(filter) = filter.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let Filter { game, status, after, limit } = filter;
    page_of(&app, status, Paging { game, after, limit })
}

/// The first tables of one status, as JSON.
pub fn tables(app: &AppState, status: Status) -> Result<String, ApiError> {
    let first = Paging { game: None, after: None, limit: Some(200) };
    Ok(page_of(app, Some(status), first)?.text())
}

fn page_of(app: &AppState, status: Option<Status>, paging: Paging) -> Result<Page, ApiError> {
    paging.page(app, "tables", |hosted, after, at_most| {
        let tables = hosted.tables(status, after, at_most);
        tables.into_iter().map(|(no, info)| (no, TableBody::text(hosted.name(), &info))).collect()
    })
}

/// Opens a table.
#[utoipa::path(post, path = "/api/v1/tables", request_body = TableRequest, responses(
    (status = CREATED, body = TableBody),
    (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody),
    (status = CONFLICT, body = ErrorBody)))]
async fn create_table(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Json<TableRequest>, JsonRejection>,
) -> Result<(StatusCode, Json<TableBody>), ApiError> {
    caller.demand(Scope::Organise)?;
    let Json(request) = body.map_err(ApiError::bad_body)?;
    let hosted = app.hosted(&request.game)?;
    if let Some(id) = &request.id {
        check_id(id)?;
    }
    let id = request.id.clone().unwrap_or_default();
    let reply = hosted.open(request).await.map_err(ApiError::bad_request)?;
    let info = error::table(reply, &id)?;
    Ok((StatusCode::CREATED, Json(TableBody::new(hosted.name(), &info))))
}

/// Ids stand between spaces and slashes.
pub fn check_id(id: &str) -> Result<(), ApiError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if (1..=64).contains(&id.len()) && id.chars().all(fits) {
        return Ok(());
    }
    Err(ApiError::bad_request("an id is 1 to 64 of A-Z a-z 0-9 _ . -"))
}

/// One table.
#[utoipa::path(get, path = "/api/v1/tables/{game}/{id}", params(
    ("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = TableBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn show_table(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let hosted = app.hosted(&game)?;
    let info = hosted.table(&id).ok_or_else(|| error::no_table(&id))?;
    Ok(paging::json(shared_bytes(TableBody::text(hosted.name(), &info))))
}

/// Closes a waiting or running table without a result.
#[utoipa::path(delete, path = "/api/v1/tables/{game}/{id}", params(
    ("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = TableBody), (status = NOT_FOUND, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = CONFLICT, body = ErrorBody)))]
async fn close_table(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id)): Path<(String, String)>,
) -> Result<Json<TableBody>, ApiError> {
    caller.demand(Scope::Organise)?;
    let hosted = app.hosted(&game)?;
    let reason = "closed by the organiser".to_owned();
    let info = error::table(hosted.close(id.as_str().into(), reason).await, &id)?;
    Ok(Json(TableBody::new(hosted.name(), &info)))
}

/// Whose program has ended.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CrashBody {
    /// The number of its seat, from 0.
    #[schema(maximum = 63)]
    seat: u8,
}

/// Reports that a player's program has ended, so that nobody waits for it.
///
/// For tools that start bots and see them exit. In a running game the player is out at once. At a
/// tournament's table that still waits for players, the game begins without it.
#[utoipa::path(post, path = "/api/v1/tables/{game}/{id}/crashed", params(
    ("game" = String, Path), ("id" = String, Path)), request_body = CrashBody,
    responses((status = OK, body = TableBody), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = FORBIDDEN, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody), (status = CONFLICT, body = ErrorBody)))]
async fn report_crash(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id)): Path<(String, String)>,
    body: Result<Json<CrashBody>, JsonRejection>,
) -> Result<Json<TableBody>, ApiError> {
    caller.demand(Scope::Organise)?;
    let Json(body) = body.map_err(ApiError::bad_body)?;
    let hosted = app.hosted(&game)?;
    let seat = rules::Seat::try_from(body.seat).map_err(ApiError::bad_request)?;
    let reply = hosted.crashed(id.as_str().into(), seat).await;
    let info = error::table(reply, &id)?;
    Ok(Json(TableBody::new(hosted.name(), &info)))
}

impl TableBody {
    /// A table as JSON, made once for each change of it.
    fn text(game: &'static str, info: &TableInfo) -> Arc<str> {
        info.rendering
            .get("api", || serde_json::to_string(&TableBody::new(game, info)).expect("plain data"))
    }

    fn new(game: &'static str, info: &TableInfo) -> TableBody {
        let (result, void) = match &info.closing {
            Some(Closing::Over(outcome)) => (Some(outcome.standings.clone()), None),
            Some(Closing::Void(reason)) => (None, Some(reason.clone())),
            None => (None, None),
        };
        TableBody {
            game,
            id: info.id.clone(),
            status: info.status,
            players: info.players,
            seats: info.seats,
            company: info.company.clone(),
            reserved: info.reserved.clone(),
            seq: info.turn.seq,
            owed: info.turn.owed,
            spectators: info.spectators,
            opened_at: info.opened_at,
            broadcast: info.company.facts.broadcast.word(),
            commitment: info.company.commitment.clone(),
            result,
            void,
        }
    }
}

/// The players of a table, seat by seat.
fn seats<S: Serializer>(company: &Company, to: S) -> Result<S::Ok, S::Error> {
    company.seats.serialize(to)
}
