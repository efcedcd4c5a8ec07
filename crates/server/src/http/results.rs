//! Games that are over: results, replays, and their removal.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Json};
use hall::{Broadcast, Closing, Code, Eyes, GameRef, Scope, Shown, Status, TableInfo};
use rules::Standing;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use store::{Archive, Filter, Finished, Kind, Replay, StoreError, StoredRecord};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::long_answer::{self, Manner, STEPS_PER_REQUEST, Tale, unread};
use super::{ApiError, AppState, Bill, Caller, ErrorBody, Path};
use crate::house::clock;
use crate::reading::Stop;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(replay))
        .routes(routes!(frames))
        .routes(routes!(prune))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ResultQuery {
    /// Only this game.
    game: Option<String>,
    /// Only games in which this name sat.
    player: Option<String>,
    /// `finished` or `void`.
    status: Option<String>,
    /// `true`: only games of tournaments and ladders; `false`: only games of open play.
    tournament: Option<bool>,
    /// Closed at or after this time, in milliseconds since 1970.
    since: Option<u64>,
    /// Closed before this time.
    until: Option<u64>,
    /// The `next` of the page before.
    after: Option<u64>,
    /// At most so many, 100 unless given, 1000 at most.
    limit: Option<usize>,
}

/// A game that is over.
#[derive(Serialize, ToSchema)]
struct ResultBody {
    game: String,
    id: String,
    /// `finished` or `void`.
    status: &'static str,
    players: Vec<String>,
    /// Which version of a program each of them was, as it said itself; left out if nobody said one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    versions: Vec<Option<String>>,
    opened_at: u64,
    closed_at: u64,
    rules_version: u32,
    /// `{"over": [...]}` with each seat's standing, or `{"void": "why"}`.
    #[schema(value_type = Object)]
    closing: Box<RawValue>,
    /// Whether it counts for the ratings.
    rated: bool,
    /// The id of the tournament or ladder it was a game of; null in open play, and for games that a
    /// release before this field has kept.
    tournament: Option<String>,
    /// `played`; `forfeit`, where at most one played it to the end; or `void`.
    how: &'static str,
    /// How it ended for each player: `finished`, `timed out`, `left`, `lost`, `crashed`,
    /// `disqualified` or `never came`. Empty if the game was void.
    causes: Vec<&'static str>,
    /// What the game was dealt from; only where one game is asked for, and not as long as its tournament
    /// may deal the same cards again.
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<DealBody>,
}

/// The deal of a game that is over, and what was promised of it before.
#[derive(Serialize, ToSchema)]
struct DealBody {
    /// All the chance of the game.
    seed: String,
    /// Null, like the commitment, if an earlier release opened the table.
    salt: Option<String>,
    /// The SHA-256 of `parlor seed`, the game and the table's id, each followed by a zero byte, then
    /// the bytes of seed and salt.
    commitment: Option<String>,
}

impl DealBody {
    /// By the opening and the start among a table's records.
    fn of(replay: &Replay) -> Option<DealBody> {
        let read = |line: &StoredRecord| serde_json::from_str::<Value>(&line.record).ok();
        let mut records = replay.lines.iter().filter_map(read);
        let opened = records.next()?.get("opened")?.clone();
        let start = records.find_map(|record| Some(record.get("started")?.clone()));
        let seed = start.and_then(|start| text_at(&start, "/seed"));
        Some(DealBody {
            seed: seed.or_else(|| text_at(&opened, "/seed"))?,
            salt: text_at(&opened, "/promise/salt"),
            commitment: text_at(&opened, "/promise/commitment"),
        })
    }
}

fn text_at(value: &Value, place: &str) -> Option<String> {
    value.pointer(place)?.as_str().map(str::to_owned)
}

#[derive(Serialize, ToSchema)]
struct ResultPage {
    results: Vec<ResultBody>,
    /// Give this as `after` for the next page; null on the last.
    next: Option<u64>,
}

impl From<Finished> for ResultBody {
    fn from(game: Finished) -> ResultBody {
        let Finished {
            game,
            id,
            status,
            players,
            versions,
            opened_at,
            closed_at,
            rules_version,
            closing,
            rated,
            tournament,
            ..
        } = game;
        let (how, causes) = came_about(&closing);
        ResultBody {
            game,
            id,
            status,
            players,
            versions,
            opened_at,
            closed_at,
            rules_version,
            closing,
            rated,
            tournament,
            how,
            causes,
            deal: None,
        }
    }
}

/// How a game ended, as a whole and for each seat.
fn came_about(closing: &RawValue) -> (&'static str, Vec<&'static str>) {
    match serde_json::from_str(closing.get()) {
        Ok(Closing::Over(outcome)) => {
            let how = if outcome.is_forfeit() { "forfeit" } else { "played" };
            (how, outcome.standings.iter().map(Standing::cause).collect())
        }
        // A tournament's closing, which is no game's, has nothing to say here either.
        Ok(Closing::Void(_)) | Err(_) => ("void", Vec::new()),
    }
}

/// So many rows of a page cost one request.
pub const ROWS_PER_REQUEST: u64 = 100;

/// Games that are over, the latest first.
#[utoipa::path(get, path = "/api/v1/results", params(ResultQuery),
    responses((status = OK, body = ResultPage), (status = BAD_REQUEST, body = ErrorBody)))]
async fn list(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    query: Result<Query<ResultQuery>, QueryRejection>,
) -> Result<Json<ResultPage>, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let finished = match query.status.as_deref() {
        None => None,
        Some("finished") => Some(true),
        Some("void") => Some(false),
        Some(other) => {
            return Err(ApiError::bad_request(format!(
                "status is finished or void, not '{other}'"
            )));
        }
    };
    let limit = query.limit.unwrap_or(100).clamp(1, 1000);
    bill.charge(limit as u64 / ROWS_PER_REQUEST);
    let filter = Filter {
        kind: Kind::Table,
        game: query.game,
        player: query.player,
        finished,
        tournament: query.tournament,
        since: query.since,
        until: query.until,
        after: query.after,
        limit,
    };
    Ok(Json(page_of(&app, &bill, filter).await?))
}

async fn page_of(app: &AppState, bill: &Bill, filter: Filter) -> Result<ResultPage, ApiError> {
    let limit = filter.limit;
    let games = look_up(app, bill, move |archive| archive.finished(&filter)).await?;
    let next = games.last().filter(|_| games.len() == limit).map(|game| game.place);
    Ok(ResultPage { results: games.into_iter().map(Into::into).collect(), next })
}

/// The latest finished games of open play or of tournaments, as JSON.
pub async fn latest(
    app: &AppState,
    bill: &Bill,
    of_tournaments: bool,
    limit: usize,
) -> Result<String, ApiError> {
    let filter = Filter {
        kind: Kind::Table,
        game: None,
        player: None,
        finished: Some(true),
        tournament: Some(of_tournaments),
        since: None,
        until: None,
        after: None,
        limit,
    };
    let page = page_of(app, bill, filter).await?;
    Ok(serde_json::to_string(&page).expect("plain data"))
}

/// One game that is over.
#[utoipa::path(get, path = "/api/v1/results/{game}/{id}", params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = ResultBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn show(
    State(app): State<AppState>,
    caller: Caller,
    Extension(bill): Extension<Bill>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Json<ResultBody>, ApiError> {
    let (house, payer) = (app.clone(), bill.clone());
    let shown = in_turn(&app, &bill, move |archive, _| {
        let replay = find(archive, &game, &id)?;
        payer.charge(replay.lines.len() as u64 / STEPS_PER_REQUEST);
        let may_know = may_know_deal(&house, &caller, &replay).is_ok();
        let deal = may_know.then(|| DealBody::of(&replay)).flatten();
        Ok(ResultBody { deal, ..replay.summary.into() })
    });
    Ok(Json(shown.await?))
}

/// One game with all its records, as JSON Lines: first what game it is, then each record.
#[utoipa::path(get, path = "/api/v1/results/{game}/{id}/replay",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = String, content_type = "application/jsonl"),
        (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, description = "its tournament deals the same cards again", body = ErrorBody)))]
async fn replay(
    State(app): State<AppState>,
    caller: Caller,
    Extension(bill): Extension<Bill>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let house = app.clone();
    let tell = long_answer::tell(&app, bill, JSON_LINES, move |archive| {
        let replay = find(archive, &game, &id)?;
        may_know_deal(&house, &caller, &replay)?;
        let (bytes, lines) = (bytes_of(&replay.lines), replay.into_json_lines());
        Ok(Tale { source: Box::new(lines.map(Ok)), bytes })
    });
    tell.await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct FramesQuery {
    /// `public` (the default), `all` for everything, or the number of a seat, from 0.
    viewer: Option<String>,
}

/// One game as somebody who watches it is told it, as JSON Lines: the table, an update for every step,
/// the end. Of a game that is not over, all there is up to now: what is public, or anything to whoever
/// shows an organiser's token.
#[utoipa::path(get, path = "/api/v1/results/{game}/{id}/frames",
    params(("game" = String, Path), ("id" = String, Path), FramesQuery),
    responses((status = OK, body = String, content_type = "application/jsonl"),
        (status = BAD_REQUEST, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, description = "not begun, secret until it is over, or played under other rules",
            body = ErrorBody)))]
async fn frames(
    State(app): State<AppState>,
    caller: Caller,
    Extension(bill): Extension<Bill>,
    Path((game, id)): Path<(String, String)>,
    query: Result<Query<FramesQuery>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let eyes: Eyes =
        query.viewer.as_deref().unwrap_or("public").parse().map_err(ApiError::bad_request)?;
    let (hosted, house) = (app.hosted(&game)?.clone(), app.clone());
    let tell = long_answer::tell(&app, bill, JSON_LINES, move |archive| {
        // What is not in the directory any more is in the archive by then; not the other way round.
        if let Some(info) = hosted.table(&id).filter(|info| info.closing.is_none()) {
            may_see(&caller, &info, eyes)?;
            let told = hosted.retell_so_far(archive, &id, eyes);
            if let Some((told, bytes)) = told.map_err(|error| unread(&error))? {
                return Ok(Tale { source: told.map_err(JSON_LINES.wrong)?, bytes });
            }
        }
        let replay = find(archive, &game, &id)?;
        may_know_deal(&house, &caller, &replay)?;
        check_seat(eyes, replay.summary.players.len())?;
        let lines = replay.lines.iter();
        let records: Vec<(u64, &str)> = lines.map(|line| (line.at, line.record.as_str())).collect();
        let source = hosted.game.retell(&records, eyes).map_err(JSON_LINES.wrong)?;
        Ok(Tale { source, bytes: bytes_of(&replay.lines).saturating_mul(READ) })
    });
    tell.await
}

/// Records that are read take so many times the room of their texts.
const READ: usize = 3;

/// A game that cannot be told is no mistake of the request.
const JSON_LINES: Manner = Manner {
    kind: "application/jsonl",
    wrong: |why| ApiError::new(Code::Conflict, why),
    broken: |why| ApiError::new(Code::Internal, why),
};

fn bytes_of(lines: &[StoredRecord]) -> usize {
    lines.iter().map(|line| line.record.len()).sum()
}

/// What somebody may see of a game that is not over.
fn may_see(caller: &Caller, info: &TableInfo, eyes: Eyes) -> Result<(), ApiError> {
    let id = &info.id;
    if info.status == Status::Waiting {
        let message = format!("the game at table '{id}' has not begun");
        return Err(ApiError::new(Code::Conflict, message));
    }
    let repeats = info.game_ref.as_ref().is_some_and(|game| game.repeats);
    let now = Shown::of(info.company.facts.broadcast, false, repeats);
    let shown = if now == Shown::Nothing { "nothing" } else { "only what is public" };
    if !now.allows(eyes) && caller.demand(Scope::Organise).is_err() {
        let message = format!("the game at table '{id}' is not over: until then {shown} is shown");
        return Err(ApiError::new(Code::NotOver, message));
    }
    check_seat(eyes, info.seats)
}

/// Whether somebody may see a game that is over.
pub fn may_know_deal(app: &AppState, caller: &Caller, replay: &Replay) -> Result<(), ApiError> {
    everybody_may_know_deal(app, replay)
        .or_else(|refused| caller.demand(Scope::Organise).map(|_| ()).map_err(|_| refused))
}

/// Whether everybody may see a game that is over: not while its tournament may deal the same cards
/// again.
pub fn everybody_may_know_deal(app: &AppState, replay: &Replay) -> Result<(), ApiError> {
    let Finished { game, id, .. } = &replay.summary;
    let opened =
        replay.lines.first().and_then(|line| serde_json::from_str::<Value>(&line.record).ok());
    let game_ref = opened.and_then(|mut opened| {
        GameRef::deserialize(opened.pointer_mut("/opened/bout")?.take()).ok()
    });
    let is_dealt_again = game_ref
        .filter(|game_ref| game_ref.repeats)
        .is_some_and(|game_ref| app.hosted(game).is_ok_and(|it| it.may_deal_again(&game_ref)));
    if Shown::of(Broadcast::Public, true, is_dealt_again).allows(Eyes::All) {
        return Ok(());
    }
    let message = format!(
        "the tournament of game '{id}' deals the same cards again: until then nothing of it is shown"
    );
    Err(ApiError::new(Code::NotOver, message))
}

fn check_seat(eyes: Eyes, seats: usize) -> Result<(), ApiError> {
    match eyes {
        Eyes::Seat(seat) if seat.index() >= seats => Err(ApiError::bad_request(format!(
            "there is no seat {seat}; this game has {seats}, counted from 0"
        ))),
        _ => Ok(()),
    }
}

pub fn find(archive: &dyn Archive, game: &str, id: &str) -> Result<Replay, ApiError> {
    let found = archive.replay(Kind::Table, game, id).map_err(|error| unread(&error))?;
    found.ok_or_else(|| ApiError::not_found(format!("no finished game '{id}' of {game}")))
}

/// Asks the archive something, on a thread that nobody else waits for and when its turn has come.
pub async fn look_up<T: Send + 'static>(
    app: &AppState,
    bill: &Bill,
    query: impl FnOnce(&dyn Archive) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, ApiError> {
    in_turn(app, bill, move |archive, _| query(archive).map_err(|error| unread(&error))).await
}

/// Works something out from the archive, unless everybody who waits for it leaves.
pub async fn in_turn<T: Send + 'static>(
    app: &AppState,
    bill: &Bill,
    work: impl FnOnce(&dyn Archive, &Stop) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let archive = app.archive.clone();
    app.replays.run(bill.asker(), move |stop| work(&*archive, stop)).await?
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PruneQuery {
    /// Games that closed longer ago than this.
    older_than_s: u64,
}

#[derive(Serialize, ToSchema)]
struct PruneBody {
    /// How many games were removed.
    removed: usize,
}

/// Removes games that are over, in small batches between the journal's commits.
#[utoipa::path(post, path = "/api/v1/results/prune", params(PruneQuery),
    responses((status = OK, body = PruneBody), (status = UNAUTHORIZED, body = ErrorBody)))]
async fn prune(
    State(app): State<AppState>,
    caller: Caller,
    query: Result<Query<PruneQuery>, QueryRejection>,
) -> Result<Json<PruneBody>, ApiError> {
    caller.demand(Scope::Operate)?;
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let before = clock::now().0.saturating_sub(query.older_than_s.saturating_mul(1000));
    let removed = app.writer.prune(before, usize::MAX).await;
    Ok(Json(PruneBody { removed: removed.ok_or(Code::Unavailable)? }))
}
