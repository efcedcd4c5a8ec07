//! Games that are over: results, replays, and their removal.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use hall::{Closing, Code, Eyes};
use rules::Standing;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{Filter, Finished, Kind, Replay, StoreError};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::AppState;
use super::error::{ApiError, ErrorBody};
use super::path::Path;
use crate::clock;

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
    opened_at: u64,
    closed_at: u64,
    rules_version: u32,
    /// `{"over": [...]}` with each seat's standing, or `{"void": "why"}`.
    #[schema(value_type = Object)]
    closing: Box<RawValue>,
    /// Whether it counts for the ratings.
    rated: bool,
    /// `played`; `forfeit`, where at most one played it to the end; or `void`.
    how: &'static str,
    /// How it ended for each player: `finished`, `timed out`, `left`, `lost`, `crashed`,
    /// `disqualified` or `never came`. Empty if the game was void.
    causes: Vec<&'static str>,
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
            opened_at,
            closed_at,
            rules_version,
            closing,
            rated,
            ..
        } = game;
        let (how, causes) = came_about(&closing);
        ResultBody {
            game,
            id,
            status,
            players,
            opened_at,
            closed_at,
            rules_version,
            closing,
            rated,
            how,
            causes,
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

/// Games that are over, the latest first.
#[utoipa::path(get, path = "/api/v1/results", params(ResultQuery),
    responses((status = OK, body = ResultPage), (status = BAD_REQUEST, body = ErrorBody)))]
async fn list(
    State(app): State<AppState>,
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
    let filter = Filter {
        kind: Kind::Table,
        game: query.game,
        player: query.player,
        finished,
        since: query.since,
        until: query.until,
        after: query.after,
        limit,
    };
    let games = look_up(&app, move |archive| archive.finished(&filter)).await?;
    let next = games.last().filter(|_| games.len() == limit).map(|game| game.place);
    Ok(Json(ResultPage { results: games.into_iter().map(Into::into).collect(), next }))
}

/// One game that is over.
#[utoipa::path(get, path = "/api/v1/results/{game}/{id}", params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = ResultBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn show(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Json<ResultBody>, ApiError> {
    Ok(Json(find(&app, game, id).await?.summary.into()))
}

/// One game with all its records, as JSON Lines: first what game it is, then each record.
#[utoipa::path(get, path = "/api/v1/results/{game}/{id}/replay",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = String, content_type = "application/jsonl"),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn replay(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
) -> Result<impl IntoResponse, ApiError> {
    let replay = find(&app, game, id).await?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], replay.to_json_lines()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct FramesQuery {
    /// `public` (the default), `all` for everything, or the number of a seat, from 0.
    viewer: Option<String>,
}

/// One game as somebody who watched it would have been told it, as JSON Lines: the table, an
/// update for every step, the end.
#[utoipa::path(get, path = "/api/v1/results/{game}/{id}/frames",
    params(("game" = String, Path), ("id" = String, Path), FramesQuery),
    responses((status = OK, body = String, content_type = "application/jsonl"),
        (status = BAD_REQUEST, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, description = "not over yet, or played under other rules",
            body = ErrorBody)))]
async fn frames(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
    query: Result<Query<FramesQuery>, QueryRejection>,
) -> Result<impl IntoResponse, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let eyes: Eyes =
        query.viewer.as_deref().unwrap_or("public").parse().map_err(ApiError::bad_request)?;
    let conflict = |why: String| ApiError::new(Code::Conflict, why);
    let replay = match find(&app, game.clone(), id.clone()).await {
        Ok(replay) => replay,
        Err(missing) => {
            return match app.hosted(&game)?.table(&id) {
                Some(info) if info.closing.is_none() => Err(ApiError::new(
                    Code::NotOver,
                    format!("table '{id}' is not over; watch it at /watch/{game}/{id}"),
                )),
                _ => Err(missing),
            };
        }
    };
    let seats = replay.summary.players.len();
    if let Eyes::Seat(seat) = eyes
        && seat.index() >= seats
    {
        return Err(ApiError::bad_request(format!(
            "there is no seat {seat}; this game had {seats}, counted from 0"
        )));
    }
    // A long game takes a while to be played again: not on a thread that others wait for.
    let hosted = app.hosted(&game)?.clone();
    let told = tokio::task::spawn_blocking(move || {
        let records: Vec<(u64, &str)> =
            replay.lines.iter().map(|line| (line.at, line.record.as_str())).collect();
        hosted.frames(&records, eyes)
    });
    let told = told.await.map_err(|error| ApiError::new(Code::Internal, error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], told.map_err(conflict)?))
}

async fn find(app: &AppState, game: String, id: String) -> Result<Replay, ApiError> {
    let message = format!("no finished game '{id}' of {game}");
    let found = look_up(app, move |archive| archive.replay(Kind::Table, &game, &id)).await?;
    found.ok_or_else(|| ApiError::not_found(message))
}

pub async fn look_up<T: Send + 'static>(
    app: &AppState,
    query: impl FnOnce(&dyn store::Archive) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, ApiError> {
    let archive = app.archive.clone();
    let found = tokio::task::spawn_blocking(move || query(&*archive)).await;
    let broken = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, "the archive");
        ApiError::new(Code::Internal, error.to_string())
    };
    found.map_err(|error| broken(&error))?.map_err(|error| broken(&error))
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
    headers: HeaderMap,
    query: Result<Query<PruneQuery>, QueryRejection>,
) -> Result<Json<PruneBody>, ApiError> {
    app.admin.demand(&headers)?;
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let before = clock::now().0.saturating_sub(query.older_than_s.saturating_mul(1000));
    let removed = app.writer.prune(before).await;
    Ok(Json(PruneBody { removed: removed.ok_or(Code::Unavailable)? }))
}
