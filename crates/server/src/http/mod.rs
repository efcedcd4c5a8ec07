//! HTTP: the pages, health, metrics, the JSON API, live feeds, and every protocol over WebSocket.

mod api;
mod auth;
mod document;
mod error;
mod feed;
mod pages;
mod paging;
mod path;
mod ratings;
mod replay_file;
mod results;
mod slim;
mod sockets;
mod sushi_go;
mod tournaments;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hall::Code;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use store::Archive;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use auth::AdminToken;
use error::ApiError;
pub use ratings::Ladders;

use crate::hosted_game::AnyHostedGame;
use crate::journal_writer::JournalWriter;
use crate::listen::Admission;
use crate::metrics::Metrics;
use crate::settings::{HttpOptions, Limits};

/// What every handler may use.
#[derive(Clone)]
pub struct AppState {
    pub hosted: Arc<BTreeMap<&'static str, Arc<dyn AnyHostedGame>>>,
    pub metrics: Arc<Metrics>,
    pub admin: AdminToken,
    pub archive: Arc<dyn Archive>,
    pub writer: JournalWriter,
    pub options: HttpOptions,
    pub limits: Limits,
    /// Where each protocol listens, by port name.
    pub ports: Arc<BTreeMap<&'static str, u16>>,
    pub ladders: Ladders,
    /// Cancelled when no more connections are accepted.
    pub stopping: CancellationToken,
}

impl AppState {
    fn hosted(&self, game: &str) -> Result<&Arc<dyn AnyHostedGame>, ApiError> {
        self.hosted.get(game).ok_or_else(|| {
            let known: Vec<&str> = self.hosted.keys().copied().collect();
            ApiError::not_found(format!("no game '{game}'; there are {}", known.join(", ")))
        })
    }
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Parlor",
    description = "Tables of every game: list, open, watch, close. Calls that change something need the \
                   admin token as `Authorization: Bearer TOKEN`. Every protocol also runs at `ws /play/{game}`, \
                   `ws /house/{game}` plays every game in the same JSON, \
                   and `ws /watch/{game}/{table}` shows a table live."
))]
struct Document;

/// All routes.
pub fn router(app: AppState) -> Router {
    let (api, mut document) = OpenApiRouter::with_openapi(Document::openapi())
        .merge(api::routes())
        .merge(results::routes())
        .merge(replay_file::routes())
        .merge(tournaments::routes())
        .merge(ratings::routes())
        .merge(sushi_go::routes())
        .split_for_parts();
    document::add_errors(&mut document);
    let document = serde_json::to_string_pretty(&document).expect("the document serialises");
    let json = [(header::CONTENT_TYPE, "application/json")];
    Router::new()
        .route("/", get(home))
        .route("/web/{*file}", get(pages::file))
        .route("/boards/{game}/{file}", get(pages::board_file))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/api/v1/openapi.json", get(move || async move { (json, document) }))
        .route("/play/{game}", get(sockets::play))
        .route("/house/{game}", get(sockets::play_house))
        .route("/watch/{game}/{table}", get(sockets::watch))
        .route("/watch/{game}/tournaments/{id}", get(sockets::watch_tournament))
        .route("/ws/games/{id}", get(sushi_go::watch))
        .route("/ws/tournaments/{id}", get(sushi_go::watch_tournament))
        .merge(api)
        .fallback(elsewhere)
        .method_not_allowed_fallback(|| async { ApiError::from(Code::WrongMethod) })
        .with_state(app)
}

/// The first page for browsers, and a list of what is here for everybody else.
async fn home(State(app): State<AppState>, headers: HeaderMap) -> Response {
    if pages::is_wanted(&headers) {
        return pages::page(StatusCode::OK, &headers);
    }
    ([(header::VARY, "accept")], index(&app)).into_response()
}

/// Every page of a game has one and the same file; what it shows is decided there.
async fn elsewhere(
    State(app): State<AppState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if matches!(method, Method::GET | Method::HEAD) && pages::is_wanted(&headers) {
        let game = uri.path().split('/').nth(1).unwrap_or_default();
        let known = app.hosted.contains_key(game);
        return pages::page(if known { StatusCode::OK } else { StatusCode::NOT_FOUND }, &headers);
    }
    ApiError::not_found("no such page; GET / lists what is here").into_response()
}

fn index(app: &AppState) -> String {
    let games: Vec<&str> = app.hosted.keys().copied().collect();
    format!(
        "Parlor\n\n\
         games: {}\n\n\
         GET  /api/v1/openapi.json     the JSON API, described\n\
         GET  /api/v1/games            the games and their options\n\
         GET  /api/v1/tables           the tables\n\
         GET  /api/v1/results          games that are over, with replays\n\
         GET  /api/v1/tournaments      tournaments: entrants, pairings, standings\n\
         GET  /api/v1/ratings/GAME     how strong everybody is\n\
         ws   /house/GAME              play in JSON, the same for every game\n\
         ws   /play/GAME               play over WebSocket, one message a text frame\n\
         ws   /watch/GAME/TABLE        a table, live; ?words=true for people\n\
         ws   /watch/GAME/tournaments/ID   a tournament, live\n\
         GET  /metrics /healthz /readyz\n",
        games.join(", ")
    )
}

async fn ready(State(app): State<AppState>) -> impl IntoResponse {
    if app.stopping.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, "shutting down\n")
    } else {
        (StatusCode::OK, "ready\n")
    }
}

async fn metrics(State(app): State<AppState>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text())
}

/// The address of who asks.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub Option<SocketAddr>);

/// The threads that serve HTTP, as listeners on any thread hand them their connections.
#[derive(Clone)]
pub struct HttpThreads {
    pub runtime: Handle,
    pub tasks: TaskTracker,
    /// Cancelled when connections must end.
    pub closing: CancellationToken,
    pub router: Router,
}

impl HttpThreads {
    /// Serves HTTP on a connection of which `first` was read already, from now until it ends.
    pub fn serve(&self, first: Vec<u8>, socket: TcpStream, admission: Arc<Admission>) {
        // A socket belongs to the threads on which it was accepted.
        let socket = match socket.into_std() {
            Ok(socket) => socket,
            Err(error) => return tracing::debug!(%error, "http connection"),
        };
        let (router, closing) = (self.router.clone(), self.closing.clone());
        let serving = async move {
            let socket = match TcpStream::from_std(socket) {
                Ok(socket) => socket,
                Err(error) => return tracing::debug!(%error, "http connection"),
            };
            tokio::select! {
                () = serve_stream(first, socket, admission, router) => {}
                () = closing.cancelled() => {}
            }
        };
        self.tasks.spawn_on(serving, &self.runtime);
    }
}

/// Serves HTTP on a connection of which `first` was read already.
pub async fn serve_stream(
    first: Vec<u8>,
    socket: TcpStream,
    admission: Arc<Admission>,
    router: Router,
) {
    let peer = Peer(socket.peer_addr().ok());
    let (reader, writer) = socket.into_split();
    let stream = tokio::io::join(std::io::Cursor::new(first).chain(reader), writer);
    // An upgraded connection outlives this function and keeps its share of the admission.
    let router = router.layer(axum::Extension(peer)).layer(axum::Extension(admission));
    let service = TowerToHyperService::new(router);
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(std::time::Duration::from_secs(30))
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = serving.with_upgrades().await {
        tracing::debug!(%error, "http connection");
    }
}

/// A router on which every path is one game's WebSocket.
pub fn play_anywhere(hosted: Arc<dyn AnyHostedGame>, dialect: &'static str) -> Router {
    Router::new().fallback(move |admission, upgrade| {
        sockets::play_anywhere(hosted.clone(), dialect, admission, upgrade)
    })
}
