//! Tournaments: what organisers do with them, and what everybody may see.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hall::{Order, Scope, TournamentCard};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::Kind;
use tournament::{PairingId, TournamentPhase};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::api::check_id;
use super::names::give_entrant_keys;
use super::paging::{self, Page, Paging};
use super::{ApiError, AppState, Caller, ErrorBody, Path, error};
use crate::directory::TournamentText;
use crate::requests::{EntrantRequest, TournamentRequest};
use crate::websocket::shared_bytes;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(show))
        .routes(routes!(standings_csv))
        .routes(routes!(pairings_csv))
        .routes(routes!(enter))
        .routes(routes!(withdraw))
        .routes(routes!(reinstate))
        .routes(routes!(start))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(cancel))
        .routes(routes!(adjudicate))
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

/// Convenes a tournament.
#[utoipa::path(post, path = "/api/v1/tournaments", request_body = TournamentRequest, responses(
    (status = CREATED, body = Object),
    (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody),
    (status = CONFLICT, body = ErrorBody)))]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    body: Result<Json<TournamentRequest>, JsonRejection>,
) -> Result<(StatusCode, Response), ApiError> {
    caller.demand(Scope::Organise)?;
    let Json(mut request) = body.map_err(ApiError::bad_body)?;
    let hosted = app.hosted(&request.game)?;
    if let Some(id) = &request.id {
        check_id(id)?;
    }
    let id = request.id.clone().unwrap_or_default();
    let keys = match request.open_names {
        true => Vec::new(),
        false => give_entrant_keys(&app.register.read(), &mut request.entrants)?,
    };
    let reply = hosted.convene(request).await.map_err(ApiError::bad_request)?;
    let id = error::tournament(reply, &id)?;
    Ok((StatusCode::CREATED, with_keys(&app, hosted.game(), &id, keys).await?))
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

/// A tournament, with the keys that were just given out: here, and never again.
async fn with_keys(
    app: &AppState,
    game: &str,
    id: &str,
    keys: Vec<Value>,
) -> Result<Response, ApiError> {
    if keys.is_empty() {
        return as_it_is(app, game, id).await;
    }
    let mut body = find_value(app, game, id).await?;
    body["keys"] = keys.into();
    Ok(Json(body).into_response())
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

/// Enters somebody.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entrants", request_body = EntrantRequest,
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn enter(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id)): Path<(String, String)>,
    body: Result<Json<EntrantRequest>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(mut body) = body.map_err(ApiError::bad_body)?;
    let keys = give_entrant_keys(&app.register.read(), std::slice::from_mut(&mut body))?;
    order(&app, &caller, &game, &id, Order::Enter(body.into())).await?;
    let open_names = find_value(&app, &game, &id).await?["open_names"] == true;
    with_keys(&app, &game, &id, if open_names { Vec::new() } else { keys }).await
}

/// Withdraws an entrant: what it has not played it has lost.
#[utoipa::path(delete, path = "/api/v1/tournaments/{game}/{id}/entrants/{name}",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn withdraw(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id, name)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    order(&app, &caller, &game, &id, Order::Withdraw(name.into())).await
}

/// Brings back an entrant who has withdrawn or was withdrawn.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entrants/{name}/reinstate",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody)))]
async fn reinstate(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id, name)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    order(&app, &caller, &game, &id, Order::Reinstate(name.into())).await
}

/// A call that gives one order and needs nothing but the admin token.
macro_rules! plain_order {
    ($(#[$about:meta])* $name:ident, $path:literal, $order:expr) => {
        $(#[$about])*
        #[utoipa::path(post, path = $path, params(("game" = String, Path), ("id" = String, Path)),
            responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
                (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
        async fn $name(
            State(app): State<AppState>,
            caller: Caller,
            Path((game, id)): Path<(String, String)>,
        ) -> Result<Response, ApiError> {
            order(&app, &caller, &game, &id, $order).await
        }
    };
}

plain_order!(
    /// Starts a tournament with the entrants it has.
    start, "/api/v1/tournaments/{game}/{id}/start", Order::Start
);
plain_order!(
    /// Lets running games end and begins no others.
    pause, "/api/v1/tournaments/{game}/{id}/pause", Order::Pause
);
plain_order!(
    /// Goes on after a pause.
    resume, "/api/v1/tournaments/{game}/{id}/resume", Order::Resume
);
plain_order!(
    /// Calls a tournament off.
    cancel, "/api/v1/tournaments/{game}/{id}/cancel", Order::Cancel
);

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AdjudicationBody {
    /// The place of each entrant of the pairing, in its order; 1 is best.
    places: Vec<u32>,
}

/// Decides a pairing.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/pairings/{pairing}/adjudicate",
    params(("game" = String, Path), ("id" = String, Path), ("pairing" = u32, Path)),
    request_body = AdjudicationBody,
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn adjudicate(
    State(app): State<AppState>,
    caller: Caller,
    Path((game, id, pairing)): Path<(String, String, u32)>,
    body: Result<Json<AdjudicationBody>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(body) = body.map_err(ApiError::bad_body)?;
    let decided = Order::Adjudicate { pairing: PairingId(pairing), places: body.places };
    order(&app, &caller, &game, &id, decided).await
}

async fn order(
    app: &AppState,
    caller: &Caller,
    game: &str,
    id: &str,
    order: Order,
) -> Result<Response, ApiError> {
    caller.demand(Scope::Organise)?;
    let hosted = app.hosted(game)?;
    let id = error::tournament(hosted.order(id.into(), order).await, id)?;
    as_it_is(app, game, &id).await
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
