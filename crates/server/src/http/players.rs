//! Players: how strong, against whom, how fast, and what went wrong, from the archive alone.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use store::{Filter, Finished, Kind};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::long_answer::{STEPS_PER_REQUEST, unread};
use super::results::{ROWS_PER_REQUEST, in_turn, look_up};
use super::{ApiError, AppState, Bill, ErrorBody, Path};
use crate::reading::{Moves, Placement, Point, Record};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(player)).routes(routes!(in_game)).routes(routes!(moves))
}

/// A player, in all games.
#[derive(Serialize, ToSchema)]
struct PlayerBody {
    name: String,
    /// What people read instead of the name, as its latest tournament has it; left out if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<String>,
    /// Those it has played and that are over.
    games: Vec<PlayedBody>,
    /// Its places in tournaments that are over, the latest first, 20 of each game at most.
    placements: Vec<Placement>,
}

#[derive(Serialize, ToSchema)]
struct PlayedBody {
    game: &'static str,
    /// Null before its first rated game.
    rating: Option<RatingBody>,
    /// How many are rated higher, and one.
    rank: Option<usize>,
    /// When its latest game closed, in milliseconds since 1970.
    latest: u64,
}

#[derive(Serialize, ToSchema)]
struct RatingBody {
    /// When the game closed, in milliseconds since 1970.
    at: u64,
    /// The likeliest strength.
    mean: f64,
    /// How far off that may be.
    uncertainty: f64,
    /// Rated games up to then.
    games: u32,
}

impl From<Point> for RatingBody {
    fn from(Point { at, rating }: Point) -> RatingBody {
        let tournament::Rating { mean, uncertainty, games } = rating;
        RatingBody { at, mean, uncertainty, games }
    }
}

/// One player: its rating in every game it has played.
#[utoipa::path(get, path = "/api/v1/players/{name}", params(("name" = String, Path)),
    responses((status = OK, body = PlayerBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn player(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path(name): Path<String>,
) -> Result<Json<PlayerBody>, ApiError> {
    let (ladders, known) = (app.ladders.clone(), app.hosted.keys().copied().collect::<Vec<_>>());
    let of = name.clone();
    // It is looked for in each of them.
    bill.charge(known.len() as u64);
    let found = look_up(&app, &bill, move |archive| {
        let (mut games, mut placements) = (Vec::new(), Vec::new());
        for game in known {
            placements.extend(Placement::all(archive, game, &of)?);
            let Some(latest) = archive.finished(&filter(&of, game, None, 1))?.pop() else {
                continue;
            };
            let (rating, rank) = ladders.ask(game, archive, |ladder| {
                let latest = ladder.trail(&of).and_then(|trail| trail.points().pop());
                (latest.map(Into::into), ladder.rank(&of))
            })?;
            games.push(PlayedBody { game, rating, rank, latest: latest.closed_at });
        }
        placements.sort_by_key(|placement: &Placement| std::cmp::Reverse(placement.closed_at));
        Ok((games, placements))
    });
    let (games, placements) = found.await?;
    if games.is_empty() {
        return Err(nobody(&name));
    }
    let shown = app.hosted.values().find_map(|hosted| hosted.displays().remove(&*name));
    let latest = || placements.iter().find_map(|placement| placement.display.clone());
    let display = shown.map(|display| display.to_string()).or_else(latest);
    Ok(Json(PlayerBody { name, display, games, placements }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PageQuery {
    /// The `next` of the page before.
    after: Option<u64>,
    /// So many games, counted from the latest, at most.
    limit: Option<usize>,
}

/// A player in one game.
#[derive(Serialize, ToSchema)]
struct InGameBody {
    name: String,
    game: &'static str,
    /// The rating after each rated game, or after every so manieth of many; the last is the present one.
    history: Vec<RatingBody>,
    rank: Option<usize>,
    #[serde(flatten)]
    record: Record,
    /// Give this as `after` for earlier games; null if there are none.
    next: Option<u64>,
}

/// One player in one game: its rating over time, and its results among the latest games (1000 unless
/// given, and at most).
#[utoipa::path(get, path = "/api/v1/players/{name}/{game}",
    params(("name" = String, Path), ("game" = String, Path), PageQuery),
    responses((status = OK, body = InGameBody), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn in_game(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path((name, game)): Path<(String, String)>,
    query: Result<Query<PageQuery>, QueryRejection>,
) -> Result<Json<InGameBody>, ApiError> {
    const MOST: usize = 1000;
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let game = app.hosted(&game)?.name();
    let limit = query.limit.unwrap_or(MOST).clamp(1, MOST);
    let (ladders, of) = (app.ladders.clone(), name.clone());
    bill.charge(limit as u64 / ROWS_PER_REQUEST);
    let found = look_up(&app, &bill, move |archive| {
        let games = archive.finished(&filter(&of, game, query.after, limit))?;
        let (history, rank) = ladders.ask(game, archive, |ladder| {
            let points = ladder.trail(&of).map(|trail| trail.points()).unwrap_or_default();
            (points.into_iter().map(Into::into).collect(), ladder.rank(&of))
        })?;
        let next = next(&games, limit);
        Ok((games.len(), history, rank, Record::of(&of, &games), next))
    });
    let (games, history, rank, record, next) = found.await?;
    if games == 0 && query.after.is_none() {
        return Err(nobody(&name));
    }
    Ok(Json(InGameBody { name, game, history, rank, record, next }))
}

#[derive(Serialize, ToSchema)]
struct MovesBody {
    #[serde(flatten)]
    moves: Moves,
    /// Give this as `after` for earlier games; null if there are none.
    next: Option<u64>,
}

/// How one player moves in one game: times, timeouts, refused moves and versions, among its latest
/// games (20 unless given, 50 at most). Each is played again for this.
#[utoipa::path(get, path = "/api/v1/players/{name}/{game}/moves",
    params(("name" = String, Path), ("game" = String, Path), PageQuery),
    responses((status = OK, body = MovesBody), (status = BAD_REQUEST, body = ErrorBody),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn moves(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path((name, game)): Path<(String, String)>,
    query: Result<Query<PageQuery>, QueryRejection>,
) -> Result<Json<MovesBody>, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let hosted = app.hosted(&game)?.clone();
    let limit = query.limit.unwrap_or(20).clamp(1, 50);
    let (of, payer) = (name.clone(), bill.clone());
    let found = in_turn(&app, &bill, move |archive, stop| {
        let games = archive.finished(&filter(&of, hosted.name(), query.after, limit));
        let games = games.map_err(|error| unread(&error))?;
        let next = next(&games, limit);
        let rules = hosted.game;
        let mut read = Vec::with_capacity(games.len());
        for game in games {
            if stop.is_said() {
                break;
            }
            let replay = archive.replay(Kind::Table, &game.game, &game.id);
            // It may have been removed meanwhile, and other rules' games cannot be played again.
            let account = replay.map_err(|error| unread(&error))?.and_then(|replay| {
                let lines = replay.lines.iter();
                let records: Vec<(u64, &str)> =
                    lines.map(|line| (line.at, line.record.as_str())).collect();
                // At once: a client that hangs up has caused the work all the same.
                payer.charge(1 + records.len() as u64 / STEPS_PER_REQUEST);
                rules.account(&records, &|| !stop.is_said()).ok()
            });
            read.push((game, account));
        }
        Ok((read.len(), Moves::of(&of, &read), next))
    });
    let (games, moves, next) = found.await?;
    if games == 0 && query.after.is_none() {
        return Err(nobody(&name));
    }
    Ok(Json(MovesBody { moves, next }))
}

fn filter(player: &str, game: &str, after: Option<u64>, limit: usize) -> Filter {
    Filter {
        kind: Kind::Table,
        game: Some(game.to_owned()),
        player: Some(player.to_owned()),
        after,
        limit,
        ..Filter::default()
    }
}

fn next(games: &[Finished], limit: usize) -> Option<u64> {
    games.last().filter(|_| games.len() == limit).map(|game| game.place)
}

fn nobody(name: &str) -> ApiError {
    ApiError::not_found(format!("'{name}' has finished no game here"))
}
