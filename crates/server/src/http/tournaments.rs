//! Tournaments: what organisers do with them, and what everybody may see.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use hall::{Name, NewEntrant, Order, TournamentInfo};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Kind;
use tournament::{PairingId, Plan};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::AppState;
use super::api::check_id;
use super::error::{self, ApiError, ErrorBody};
use super::path::Path;
use crate::hosted_game::TournamentRequest;

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

/// A tournament to convene.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewTournamentBody {
    game: String,
    /// Made up unless given.
    id: Option<String>,
    /// Format, table_seats, max_entrants, best_of, draw_replays, rated, concurrency, seed.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({"format": "swiss", "max_entrants": 16}))]
    plan: Plan,
    /// Options of the game that differ from the server's.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// Who takes part. If any are given, nobody else may enter by itself, unless `open`.
    #[serde(default)]
    entrants: Vec<EntrantBody>,
    /// How long entrants may take to come to a game.
    no_show_s: Option<u64>,
    /// Whether it starts by itself once it is full; usual if no entrants are given.
    starts_when_full: Option<bool>,
    /// Whether anybody may enter by its protocol until it starts; usual if no entrants are given.
    open: Option<bool>,
}

/// An entrant: a name, or more.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
enum EntrantBody {
    Name(String),
    More(EntrantWish),
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EntrantWish {
    name: String,
    /// What people read instead of the name, such as `Ann's bot`.
    display: Option<String>,
    /// What it is called at the tables, such as a colour.
    plays_as: Option<String>,
    /// The strategy, if a house bot is to play.
    bot: Option<String>,
}

impl From<EntrantBody> for NewEntrant {
    fn from(body: EntrantBody) -> NewEntrant {
        let EntrantWish { name, display, plays_as, bot } = match body {
            EntrantBody::Name(name) => {
                EntrantWish { name, display: None, plays_as: None, bot: None }
            }
            EntrantBody::More(request) => request,
        };
        let shared = |text: String| Name::from(text);
        NewEntrant {
            name: name.into(),
            display: display.map(shared),
            plays_as: plays_as.map(shared),
            bot: bot.map(shared),
        }
    }
}

/// A tournament, with the game it is about.
#[derive(Serialize)]
struct TournamentBody {
    game: &'static str,
    #[serde(flatten)]
    info: TournamentInfo,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filter {
    /// Only tournaments of this game.
    game: Option<String>,
}

/// The tournaments, the oldest first; those that are over only while they are remembered.
#[utoipa::path(get, path = "/api/v1/tournaments", params(Filter),
    responses((status = OK, body = Vec<Object>), (status = NOT_FOUND, body = ErrorBody)))]
async fn list(
    State(app): State<AppState>,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Json<Vec<TournamentBody>>, ApiError> {
    let Query(filter) = filter.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    if let Some(game) = &filter.game {
        app.hosted(game)?;
    }
    let mut bodies = Vec::new();
    for hosted in app.hosted.values() {
        if filter.game.as_deref().is_none_or(|game| game == hosted.game()) {
            let infos = error::tournaments(hosted.tournaments().await)?;
            let game = hosted.game();
            bodies.extend(infos.into_iter().map(|info| TournamentBody { game, info }));
        }
    }
    Ok(Json(bodies))
}

/// Convenes a tournament.
#[utoipa::path(post, path = "/api/v1/tournaments", request_body = NewTournamentBody, responses(
    (status = CREATED, body = Object),
    (status = BAD_REQUEST, body = ErrorBody),
    (status = UNAUTHORIZED, body = ErrorBody),
    (status = CONFLICT, body = ErrorBody)))]
async fn create(
    State(app): State<AppState>,
    headers: HeaderMap,
    body: Result<Json<NewTournamentBody>, JsonRejection>,
) -> Result<(StatusCode, Json<TournamentBody>), ApiError> {
    app.admin.demand(&headers)?;
    let Json(body) = body.map_err(ApiError::bad_body)?;
    let hosted = app.hosted(&body.game)?;
    if let Some(id) = &body.id {
        check_id(id)?;
    }
    let id = body.id.clone().unwrap_or_default();
    let request = TournamentRequest {
        id: body.id,
        plan: body.plan,
        options: body.options,
        no_show_ms: body.no_show_s.map(|seconds| seconds.saturating_mul(1000)),
        starts_when_full: body.starts_when_full.unwrap_or(body.entrants.is_empty()),
        open: body.open.unwrap_or(body.entrants.is_empty()),
        entrants: body.entrants.into_iter().map(Into::into).collect(),
    };
    let reply = hosted.convene(request).await.map_err(ApiError::bad_request)?;
    let info = error::tournament(reply, &id)?;
    Ok((StatusCode::CREATED, Json(TournamentBody { game: hosted.game(), info })))
}

/// One tournament: entrants, pairings, standings. One that is long over comes from the archive.
#[utoipa::path(get, path = "/api/v1/tournaments/{game}/{id}",
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = Object), (status = NOT_FOUND, body = ErrorBody)))]
async fn show(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
) -> Result<Json<Value>, ApiError> {
    Ok(Json(find(&app, &game, &id).await?))
}

/// A tournament as JSON, from the hall or from the archive.
pub async fn find(app: &AppState, game: &str, id: &str) -> Result<Value, ApiError> {
    let hosted = app.hosted(game)?;
    match error::tournament(hosted.tournament(id.into()).await, id) {
        Ok(info) => {
            let body = TournamentBody { game: hosted.game(), info };
            Ok(serde_json::to_value(body).expect("plain data"))
        }
        Err(error) => {
            let (game, wanted) = (game.to_owned(), id.to_owned());
            let kept = super::results::look_up(app, move |archive| {
                archive.replay(Kind::Tournament, &game, &wanted)
            });
            let Some(replay) = kept.await? else { return Err(error) };
            let closing = replay.summary.closing.get();
            let mut body: Value = serde_json::from_str(closing).expect("the archive keeps JSON");
            body["game"] = hosted.game().into();
            Ok(body)
        }
    }
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
    let tournament = find(&app, &game, &id).await?;
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
    let tournament = find(&app, &game, &id).await?;
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

/// Rows as RFC 4180 has them.
fn csv(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Csv {
    let quoted = |text: &str| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let mut body = columns.join(",") + "\r\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|text| quoted(text)).collect();
        body += &(fields.join(",") + "\r\n");
    }
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], body)
}

/// Enters somebody.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entrants", request_body = EntrantBody,
    params(("game" = String, Path), ("id" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn enter(
    State(app): State<AppState>,
    headers: HeaderMap,
    Path((game, id)): Path<(String, String)>,
    body: Result<Json<EntrantBody>, JsonRejection>,
) -> Result<Json<TournamentBody>, ApiError> {
    let Json(body) = body.map_err(ApiError::bad_body)?;
    order(&app, &headers, &game, &id, Order::Enter(body.into())).await
}

/// Withdraws an entrant: what it has not played it has lost.
#[utoipa::path(delete, path = "/api/v1/tournaments/{game}/{id}/entrants/{name}",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody)))]
async fn withdraw(
    State(app): State<AppState>,
    headers: HeaderMap,
    Path((game, id, name)): Path<(String, String, String)>,
) -> Result<Json<TournamentBody>, ApiError> {
    order(&app, &headers, &game, &id, Order::Withdraw(name.into())).await
}

/// Brings back an entrant who has withdrawn or was withdrawn.
#[utoipa::path(post, path = "/api/v1/tournaments/{game}/{id}/entrants/{name}/reinstate",
    params(("game" = String, Path), ("id" = String, Path), ("name" = String, Path)),
    responses((status = OK, body = Object), (status = BAD_REQUEST, body = ErrorBody),
        (status = UNAUTHORIZED, body = ErrorBody), (status = NOT_FOUND, body = ErrorBody),
        (status = CONFLICT, body = ErrorBody)))]
async fn reinstate(
    State(app): State<AppState>,
    headers: HeaderMap,
    Path((game, id, name)): Path<(String, String, String)>,
) -> Result<Json<TournamentBody>, ApiError> {
    order(&app, &headers, &game, &id, Order::Reinstate(name.into())).await
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
            headers: HeaderMap,
            Path((game, id)): Path<(String, String)>,
        ) -> Result<Json<TournamentBody>, ApiError> {
            order(&app, &headers, &game, &id, $order).await
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
    headers: HeaderMap,
    Path((game, id, pairing)): Path<(String, String, u32)>,
    body: Result<Json<AdjudicationBody>, JsonRejection>,
) -> Result<Json<TournamentBody>, ApiError> {
    let Json(body) = body.map_err(ApiError::bad_body)?;
    let decided = Order::Adjudicate { pairing: PairingId(pairing), places: body.places };
    order(&app, &headers, &game, &id, decided).await
}

async fn order(
    app: &AppState,
    headers: &HeaderMap,
    game: &str,
    id: &str,
    order: Order,
) -> Result<Json<TournamentBody>, ApiError> {
    app.admin.demand(headers)?;
    let hosted = app.hosted(game)?;
    let info = error::tournament(hosted.order(id.into(), order).await, id)?;
    Ok(Json(TournamentBody { game: hosted.game(), info }))
}
