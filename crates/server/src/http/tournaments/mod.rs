//! Tournaments: what organisers do with them, and what everybody may see.

mod csv;
mod organising;

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use hall::TournamentCard;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Kind;
use tournament::TournamentPhase;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::paging::{self, Page, Paging};
use super::{ApiError, AppState, Bill, ErrorBody, Path, error, send_long};
use crate::reading::TournamentText;
use crate::transport::shared_bytes;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .merge(csv::routes())
        .merge(organising::routes())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filter {
    /// Only tournaments of this game.
    game: Option<String>,
    /// Only tournaments that are entering, running, paused, over or cancelled.
    #[param(inline)]
    status: Option<PhaseFilter>,
    /// The `next` of the page before.
    after: Option<String>,
    /// At most so many, 100 unless given, 1000 at most.
    limit: Option<usize>,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum PhaseFilter {
    Entering,
    Running,
    Paused,
    Over,
    Cancelled,
}

impl From<PhaseFilter> for TournamentPhase {
    fn from(filter: PhaseFilter) -> TournamentPhase {
        match filter {
            PhaseFilter::Entering => TournamentPhase::Entering,
            PhaseFilter::Running => TournamentPhase::Running,
            PhaseFilter::Paused => TournamentPhase::Paused,
            PhaseFilter::Over => TournamentPhase::Over,
            PhaseFilter::Cancelled => TournamentPhase::Cancelled,
        }
    }
}

/// A tournament as lists show it, with the game it is about.
#[derive(Serialize)]
struct CardBody {
    game: &'static str,
    #[serde(flatten)]
    card: TournamentCard,
}

/// A page of tournaments.
#[derive(ToSchema)]
#[expect(dead_code, reason = "pages are put together from texts; this describes them")]
struct TournamentPage {
    /// Each with its game, id, phase, plan, how many have entered, its round and its winner.
    #[schema(value_type = Vec<Object>)]
    tournaments: Vec<Value>,
    /// Give this as `after` for the next page; null on the last.
    next: Option<String>,
}

/// The tournaments, game by game, the oldest first; those that are over only while they are
/// remembered.
#[utoipa::path(get, path = "/api/v1/tournaments", params(Filter),
    responses((status = OK, body = TournamentPage), (status = NOT_FOUND, body = ErrorBody)))]
async fn list(
    State(app): State<AppState>,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Page, ApiError> {
    let Query(filter) = filter.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let Filter { game, status, after, limit } = filter;
    page_of(&app, status.map(TournamentPhase::from), Paging { game, after, limit })
}

/// The first tournaments, as JSON.
pub fn first(app: &AppState) -> Result<String, ApiError> {
    Ok(page_of(app, None, Paging { game: None, after: None, limit: Some(200) })?.text())
}

fn page_of(
    app: &AppState,
    phase: Option<TournamentPhase>,
    paging: Paging,
) -> Result<Page, ApiError> {
    paging.page(app, "tournaments", |hosted, after, at_most| {
        let text = |card: TournamentCard| {
            let body = CardBody { game: hosted.name(), card };
            serde_json::to_string(&body).expect("plain data").into()
        };
        let cards = hosted.tournaments(phase, after, at_most);
        cards.into_iter().map(|(no, card)| (no, text(card))).collect()
    })
}

/// One tournament: entrants, pairings, standings. One that is long over comes from the archive.
#[utoipa::path(get, path = "/api/v1/tournaments/{game}/{id}",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = Object), (status = NOT_FOUND, body = ErrorBody)))]
async fn show(
    State(app): State<AppState>,
    Extension(bill): Extension<Bill>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let text = find(&app, &bill, &game, &id).await?.json;
    Ok(send_long(&app, bill, JSON, shared_bytes(text)).await)
}

const JSON: &str = "application/json";

/// A tournament, as the answer to whoever has changed something about it.
pub async fn as_it_is(app: &AppState, game: &str, id: &str) -> Result<Response, ApiError> {
    Ok(paging::json(shared_bytes(find(app, &Bill::free(), game, id).await?.json)))
}

/// The same, with the keys that were just given out.
async fn with_keys(
    app: &AppState,
    game: &str,
    id: &str,
    keys: Vec<Value>,
) -> Result<Response, ApiError> {
    let text = find(app, &Bill::free(), game, id).await?.json;
    let open = text.strip_suffix('}').expect("a tournament is an object with members");
    Ok(paging::json(format!("{open},\"keys\":{}}}", Value::from(keys))))
}

/// A tournament as JSON, from the directory or from the archive.
pub async fn find(
    app: &AppState,
    bill: &Bill,
    game: &str,
    id: &str,
) -> Result<TournamentText, ApiError> {
    let hosted = app.hosted(game)?;
    if let Some(text) = hosted.tournament(id) {
        return Ok(text);
    }
    let (name, wanted) = (hosted.name(), id.to_owned());
    let kept = super::results::look_up(app, bill, move |archive| {
        let replay = archive.replay(Kind::Tournament, name, &wanted)?;
        Ok(replay.map(|replay| {
            let kept = replay.summary.closing.get();
            // The archive keeps an object that does not name the game.
            let rest = kept.trim_start().strip_prefix('{').unwrap_or(kept);
            Arc::<str>::from(format!("{{\"game\":\"{name}\",{rest}"))
        }))
    });
    let json = kept.await?.ok_or_else(|| error::no_tournament(id))?;
    Ok(TournamentText { json, is_over: true })
}

/// Each 64 kB of a tournament's text cost one request to read.
const BYTES_PER_REQUEST: usize = 64 * 1024;

/// Reads as much of a tournament as `T` has, where nobody else waits for it.
pub async fn read<T: DeserializeOwned + Send + 'static>(
    app: &AppState,
    bill: &Bill,
    game: &str,
    id: &str,
) -> Result<T, ApiError> {
    let text = find(app, bill, game, id).await?.json;
    bill.charge((text.len() / BYTES_PER_REQUEST) as u64);
    let read = app.replays.run(bill.asker(), move |_| serde_json::from_str(&text)).await?;
    read.map_err(|error: serde_json::Error| ApiError::internal(error.into()))
}
