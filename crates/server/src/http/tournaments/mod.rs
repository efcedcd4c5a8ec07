//! Tournaments: what organisers do with them, and what everybody may see.

mod organising;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::Response;
use hall::TournamentCard;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Kind;
use tournament::TournamentPhase;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::paging::{self, Page, Paging};
use super::{ApiError, AppState, ErrorBody, Path, error};
use crate::reading::TournamentText;
use crate::transport::shared_bytes;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(standings_csv))
        .routes(routes!(pairings_csv))
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
    let phase = status.map(TournamentPhase::from);
    Paging { game, after, limit }.page(&app, "tournaments", |hosted, after, at_most| {
        let text = |card: TournamentCard| {
            let body = CardBody { game: hosted.game(), card };
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
    Path((game, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    as_it_is(&app, &game, &id).await
}

pub async fn as_it_is(app: &AppState, game: &str, id: &str) -> Result<Response, ApiError> {
    Ok(paging::json(shared_bytes(find(app, game, id).await?.json)))
}

/// A tournament as JSON, from the directory or from the archive.
pub async fn find(app: &AppState, game: &str, id: &str) -> Result<TournamentText, ApiError> {
    let hosted = app.hosted(game)?;
    if let Some(text) = hosted.tournament(id) {
        return Ok(text);
    }
    let (name, wanted) = (game.to_owned(), id.to_owned());
    let kept = super::results::look_up(app, move |archive| {
        archive.replay(Kind::Tournament, &name, &wanted)
    });
    let replay = kept.await?.ok_or_else(|| error::no_tournament(id))?;
    let closing = replay.summary.closing.get();
    let mut body: Value = serde_json::from_str(closing).expect("the archive keeps JSON");
    body["game"] = hosted.game().into();
    Ok(TournamentText { json: body.to_string().into(), is_over: true })
}

pub async fn find_value(app: &AppState, game: &str, id: &str) -> Result<Value, ApiError> {
    let text = find(app, game, id).await?;
    Ok(serde_json::from_str(&text.json).expect("it was written as JSON"))
}

/// The standings as CSV.
#[utoipa::path(get, path = "/api/v1/tournaments/{game}/{id}/standings.csv",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = String, content_type = "text/csv"),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn standings_csv(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Csv, ApiError> {
    let tournament = find_value(&app, &game, &id).await?;
    let columns = ["place", "name", "points", "played", "won", "drawn", "lost", "byes"];
    let more = ["display", "withdrawn"];
    let standings = tournament["standings"].as_array().into_iter().flatten();
    let row = |standing: &Value| {
        let number = standing["entrant"].as_u64().unwrap_or(u64::MAX) as usize;
        let entrant = &tournament["entrants"][number];
        let own = columns.iter().map(|column| field(&standing[*column]));
        own.chain(more.iter().map(|column| field(&entrant[*column]))).collect()
    };
    Ok(csv(&[&columns[..], &more].concat(), standings.map(row)))
}

/// Every game of every pairing as CSV.
#[utoipa::path(get, path = "/api/v1/tournaments/{game}/{id}/results.csv",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = String, content_type = "text/csv"),
        (status = NOT_FOUND, body = ErrorBody)))]
async fn pairings_csv(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Csv, ApiError> {
    let tournament = find_value(&app, &game, &id).await?;
    let entrants = &tournament["entrants"];
    let name = |number: &Value| {
        number.as_u64().map_or(String::new(), |n| field(&entrants[n as usize]["name"]))
    };
    let mut rows = Vec::new();
    for pairing in tournament["pairings"].as_array().into_iter().flatten() {
        let how = field(&pairing["decision"]["how"]);
        let winner = name(&pairing["decision"]["winner"]);
        let head = |attempt: String| {
            vec![
                field(&pairing["round"]),
                field(&pairing["id"]),
                attempt,
                how.clone(),
                winner.clone(),
            ]
        };
        let games = pairing["games"].as_array().map_or(&[][..], Vec::as_slice);
        if games.is_empty() {
            for entrant in pairing["entrants"].as_array().into_iter().flatten() {
                let mut row = head(String::new());
                row.extend([name(entrant), String::new(), String::new()]);
                row.extend([String::new(), String::new()]);
                rows.push(row);
            }
        }
        for game in games {
            for (seat, entrant) in game["seats"].as_array().into_iter().flatten().enumerate() {
                let mut row = head(field(&game["attempt"]));
                let standing = &game["outcome"][seat];
                row.extend([name(entrant), field(&standing["place"]), field(&standing["points"])]);
                row.extend([field(&game["how"]), field(&game["causes"][seat])]);
                rows.push(row);
            }
        }
    }
    let columns = ["round", "pairing", "game", "how", "winner", "name", "place", "points"];
    let more = ["game_how", "cause"];
    Ok(csv(&[&columns[..], &more].concat(), rows.into_iter()))
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

type Csv = ([(header::HeaderName, &'static str); 1], String);

/// Rows as RFC 4180 has them. What a spreadsheet would take for a formula begins with an apostrophe.
fn csv(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Csv {
    let quoted = |text: &str| {
        let is_formula =
            text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
        let text = format!("{}{text}", if is_formula { "'" } else { "" });
        match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    };
    let mut body = columns.join(",") + "\r\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|text| quoted(text)).collect();
        body += &(fields.join(",") + "\r\n");
    }
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f43_a_name_is_no_formula_in_a_spreadsheet() {
        let row = ["=HYPERLINK(\"x\",\"y\")", "@sum", "-3", "+1.5", "-x", "a,b", "Ann"];
        let rows = std::iter::once(row.map(str::to_owned).to_vec());
        let (_, text) = csv(&["name"], rows);
        let expected = "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\",'@sum,-3,+1.5,'-x,\"a,b\",Ann";
        assert_eq!(text, format!("name\r\n{expected}\r\n"));
    }
}
