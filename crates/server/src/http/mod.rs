//! HTTP: the pages, health, metrics, the JSON API, live feeds, and every protocol over WebSocket.

mod access;
mod agents;
mod api;
mod assets;
mod auth;
mod bans;
mod bill;
mod budget;
mod bundle;
mod docs;
mod document;
mod drain;
mod entry;
mod error;
mod feed;
mod fleet;
mod guard;
mod home;
mod long_answer;
mod names;
pub mod operator;
mod pages;
mod paging;
mod path;
mod players;
mod ratings;
mod replay_file;
mod results;
mod reviews;
mod room;
pub mod secured;
mod serving;
mod slim;
mod sockets;
mod starters;
mod state;
mod sushi_go;
mod tokens;
mod tournaments;
mod troubles;
mod unheard;
mod upgrade;
mod wires;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use hall::Code;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use access::Access;
pub use assets::Assets;
pub use auth::AdminToken;
pub use guard::Guard;
pub use operator::OperatorSocket;
pub use ratings::Ladders;
pub use room::Room;
pub use secured::Service;
pub use serving::{HttpThreads, serve_stream};
pub use state::AppState;

// What every handler speaks in.
pub(crate) use access::{Caller, shown_key};
pub(crate) use bill::Bill;
pub(crate) use error::{ApiError, ErrorBody, banned};
pub(crate) use long_answer::send as send_long;
pub(crate) use path::Path;
use secured::Secured;
pub(crate) use tournaments::read as read_tournament;

use crate::hosting::HostedGame;

#[derive(OpenApi)]
#[openapi(info(
    title = "Parlor",
    description = "Tables of every game: list, open, watch, close. Calls that change something need the \
                   admin token as `Authorization: Bearer TOKEN`. Every protocol also runs at `ws /play/{game}`, \
                   `ws /house/{game}` plays every game in the same JSON, \
                   `ws /watch/{game}/{table}` shows a table live, and `ws /wire` what one's own \
                   connections say."
))]
struct Document;

/// All routes.
pub fn router(app: AppState, guard: Arc<Guard>) -> Router {
    let (api, mut document) = OpenApiRouter::with_openapi(Document::openapi())
        .merge(api::routes())
        .merge(home::routes())
        .merge(results::routes())
        .merge(replay_file::routes())
        .merge(reviews::routes())
        .merge(tournaments::routes())
        .merge(entry::routes())
        .merge(names::routes())
        .merge(ratings::routes())
        .merge(players::routes())
        .merge(tokens::routes())
        .merge(bans::routes())
        .merge(sushi_go::routes())
        .merge(budget::routes())
        .merge(drain::routes())
        .merge(wires::routes())
        .merge(troubles::routes())
        .merge(fleet::routes())
        .split_for_parts();
    document::add_errors(&mut document);
    let document = serde_json::to_string_pretty(&document).expect("the document serialises");
    let json = [(header::CONTENT_TYPE, "application/json")];
    let access = app.access.clone();
    let router = Router::new()
        .route("/", get(home))
        .route("/web/{*file}", get(pages::file))
        .route("/boards/{game}/{file}", get(pages::board_file))
        .route("/assets/{hash}/{name}", get(assets::file))
        .route("/manifest.webmanifest", get(pages::manifest))
        .route("/worker.js", get(pages::worker))
        .route("/docs", get(docs::index))
        .route("/docs/", get(docs::index))
        .route("/docs/{*path}", get(docs::page))
        .route("/llms.txt", get(docs::llms))
        .route("/starters", get(starters::list))
        .route("/starters/", get(starters::list))
        .route("/starters/{file}", get(starters::file))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(drain::ready))
        .route("/metrics", get(metrics))
        .route("/api/v1/openapi.json", get(move || async move { (json, document) }))
        .route("/play/{game}", get(sockets::play))
        .route("/house/{game}", get(sockets::play_house))
        .route("/mcp", post(agents::answer).with_state(agents::endpoint(&app)))
        .route("/watch/{game}/{table}", get(sockets::watch))
        .route("/watch/{game}/tournaments/{id}", get(sockets::watch_tournament))
        .route("/wire", get(wires::watch))
        .route("/ws/games/{id}", get(sushi_go::watch))
        .route("/ws/tournaments/{id}", get(sushi_go::watch_tournament))
        .merge(api)
        .fallback(elsewhere)
        .method_not_allowed_fallback(|| async { ApiError::from(Code::WrongMethod) })
        .layer(from_fn_with_state(guard, guard::guard))
        .with_state(app);
    budget::limited(router, Some(access))
}

/// The first page for browsers, and a list of what is here for everybody else.
async fn home(
    State(app): State<AppState>,
    secured: Option<Extension<Secured>>,
    headers: HeaderMap,
) -> Response {
    if pages::is_wanted(&headers) {
        return pages::page(&app, StatusCode::OK, "/", secured.is_some(), &headers);
    }
    ([(header::VARY, "accept")], index(&app)).into_response()
}

/// The pages that are no game's, by the first part of their address.
const PAGES: [&str; 6] = ["tournaments", "players", "replay", "show", "organise", "connect"];

/// Every page of a game has one and the same file; what it shows is decided there.
async fn elsewhere(
    State(app): State<AppState>,
    method: Method,
    uri: Uri,
    secured: Option<Extension<Secured>>,
    headers: HeaderMap,
) -> Response {
    if matches!(method, Method::GET | Method::HEAD) && pages::is_wanted(&headers) {
        let game = uri.path().split('/').nth(1).unwrap_or_default();
        let known = app.hosted.contains_key(game) || PAGES.contains(&game);
        let status = if known { StatusCode::OK } else { StatusCode::NOT_FOUND };
        return pages::page(&app, status, uri.path(), secured.is_some(), &headers);
    }
    ApiError::not_found("no such page; GET / lists what is here").into_response()
}

fn index(app: &AppState) -> String {
    let games: Vec<&str> = app.hosted.keys().copied().collect();
    format!(
        "Parlor\n\n\
         games: {}\n\n\
         GET  /docs                    the documentation, as Markdown: rules, protocols, tools\n\
         GET  /starters                starter bots in Python and JavaScript\n\
         GET  /api/v1/openapi.json     a description of the JSON API\n\
         GET  /api/v1/games            the games and their options\n\
         GET  /api/v1/home             what the first page shows, in one answer\n\
         GET  /api/v1/tables           the tables\n\
         GET  /api/v1/results          finished games, with replays\n\
         GET  /api/v1/tournaments      tournaments: entrants, pairings, standings\n\
         POST /api/v1/names            claim a name, so that no one else can play under it\n\
         GET  /api/v1/ratings/GAME     how strong the players are\n\
         GET  /api/v1/players/NAME     one player: ratings, opponents, times\n\
         GET  /api/v1/limits           how much one client or address may use\n\
         ws   /wire                    the messages of your own bot, with the key of its name\n\
         ws   /house/GAME              play in JSON, the same for every game\n\
         POST /mcp                     let a language model play, over the Model Context Protocol\n\
         ws   /play/GAME               the game's own protocol over WebSocket, one message per text frame\n\
         ws   /watch/GAME/TABLE        a table, live; ?words=true for people\n\
         ws   /watch/GAME/tournaments/ID   a tournament, live\n\
         GET  /metrics /healthz /readyz\n",
        games.join(", ")
    )
}

async fn metrics(State(app): State<AppState>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    app.health.look();
    ([(header::CONTENT_TYPE, kind)], app.metrics.text())
}

/// A router on which every path is one game's WebSocket. Pages that were opened from a file play
/// there too. Whoever asks for something else, or too often, is answered once and hung up on.
pub fn play_anywhere(hosted: Arc<HostedGame>, dialect: &'static str) -> Router {
    let play = move |admission, headers, upgrade| {
        sockets::play_anywhere(hosted.clone(), dialect, admission, headers, upgrade)
    };
    let guard = from_fn_with_state(Guard::of_any_origin(), guard::guard);
    let router = budget::limited(Router::new().fallback(play).layer(guard), None);
    router.layer(map_response(async |mut response: Response| {
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
    }))
}
