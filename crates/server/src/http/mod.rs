//! HTTP: the pages, health, metrics, the JSON API, live feeds, and every protocol over WebSocket.

mod access;
mod agents;
mod api;
mod auth;
mod bans;
mod budget;
mod document;
mod drain;
mod entry;
mod error;
mod feed;
mod fleet;
mod guard;
mod names;
mod pages;
mod paging;
mod path;
mod players;
mod ratings;
mod replay_file;
mod results;
mod slim;
mod sockets;
mod sushi_go;
mod tokens;
mod tournaments;
mod troubles;
mod wires;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Request, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hall::{BanSubject, Code};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use store::Archive;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use access::Access;
pub use auth::AdminToken;
pub use guard::Guard;
pub use ratings::Ladders;

// What every handler speaks in.
pub(crate) use access::Caller;
pub(crate) use error::{ApiError, ErrorBody};
pub(crate) use path::Path;

use crate::audit::AuditLog;
use crate::drain::Drain;
use crate::fleet::Ownership;
use crate::gate::Admission;
use crate::hall_control::HallControl;
use crate::hosted_game::AnyHostedGame;
use crate::journal_writer::JournalWriter;
use crate::keys::Tickets;
use crate::limits::Limits;
use crate::listen::Ports;
use crate::metrics::Metrics;
use crate::register::RegisterHandle;
use crate::settings::HttpOptions;
use crate::wires::Wires;

/// What every handler may use.
#[derive(Clone)]
pub struct AppState {
    pub hosted: Arc<BTreeMap<&'static str, Arc<dyn AnyHostedGame>>>,
    pub metrics: Arc<Metrics>,
    pub access: Access,
    pub audit: AuditLog,
    pub halls: Arc<Vec<Box<dyn HallControl>>>,
    pub archive: Arc<dyn Archive>,
    pub writer: JournalWriter,
    pub options: HttpOptions,
    pub limits: Limits,
    /// Where each protocol listens, by port name.
    pub ports: Arc<Ports>,
    pub ladders: Ladders,
    /// What the house knows, such as whose names are whose.
    pub register: RegisterHandle,
    pub tickets: Arc<Tickets>,
    pub wires: Arc<Wires>,
    pub drain: Drain,
    /// The fleet, if this server is a node of one.
    pub fleet: Option<Arc<dyn Ownership>>,
    /// Cancelled when no more connections are accepted.
    pub stopping: CancellationToken,
}

impl AppState {
    /// Closes the connections of a name or an address, in every game; how many.
    async fn kick(&self, subject: BanSubject) -> usize {
        let mut closed = 0;
        for hall in self.halls.iter() {
            closed += hall.kick(subject.clone()).await;
        }
        closed
    }

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
                   `ws /watch/{game}/{table}` shows a table live, and `ws /wire` what one's own \
                   connections say."
))]
struct Document;

/// All routes.
pub fn router(app: AppState, guard: Arc<Guard>) -> Router {
    let (api, mut document) = OpenApiRouter::with_openapi(Document::openapi())
        .merge(api::routes())
        .merge(results::routes())
        .merge(replay_file::routes())
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
async fn home(State(app): State<AppState>, headers: HeaderMap) -> Response {
    if pages::is_wanted(&headers) {
        return pages::page(StatusCode::OK, &headers);
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
    headers: HeaderMap,
) -> Response {
    if matches!(method, Method::GET | Method::HEAD) && pages::is_wanted(&headers) {
        let game = uri.path().split('/').nth(1).unwrap_or_default();
        let known = app.hosted.contains_key(game) || PAGES.contains(&game);
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
         POST /api/v1/names            claim a name: nobody else plays under it\n\
         GET  /api/v1/ratings/GAME     how strong everybody is\n\
         GET  /api/v1/players/NAME     one player: ratings, opponents, times\n\
         GET  /api/v1/limits           what one client or address may take\n\
         ws   /wire                    what your own connections say, with the key of your name\n\
         ws   /house/GAME              play in JSON, the same for every game\n\
         POST /mcp                     play from a language model: docs/agents.md
         ws   /play/GAME               play over WebSocket, one message a text frame\n\
         ws   /watch/GAME/TABLE        a table, live; ?words=true for people\n\
         ws   /watch/GAME/tournaments/ID   a tournament, live\n\
         GET  /metrics /healthz /readyz\n",
        games.join(", ")
    )
}

async fn metrics(State(app): State<AppState>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text())
}

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
                () = serve_stream(after(first, socket), admission, router) => {}
                () = closing.cancelled() => {}
            }
        };
        self.tasks.spawn_on(serving, &self.runtime);
    }
}

/// A socket of which `first` was read already, from its beginning.
fn after(first: Vec<u8>, socket: TcpStream) -> impl AsyncRead + AsyncWrite + Unpin + Send {
    let (reader, writer) = socket.into_split();
    tokio::io::join(std::io::Cursor::new(first).chain(reader), writer)
}

/// Serves HTTP on a connection.
pub async fn serve_stream(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    admission: Arc<Admission>,
    router: Router,
) {
    let patience = admission.request_patience();
    // A layer for each connection would copy every route of the server, which is more than all
    // else that a connection costs.
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        // An upgraded connection outlives this function and keeps its share of the admission.
        request.extensions_mut().insert(admission.clone());
        router.call(request)
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = serving.with_upgrades().await {
        tracing::debug!(%error, "http connection");
    }
}

/// A router on which every path is one game's WebSocket. Pages that were opened from a file play
/// there too.
pub fn play_anywhere(hosted: Arc<dyn AnyHostedGame>, dialect: &'static str) -> Router {
    let play = move |admission, headers, upgrade| {
        sockets::play_anywhere(hosted.clone(), dialect, admission, headers, upgrade)
    };
    let guard = from_fn_with_state(Guard::of_any_origin(), guard::guard);
    budget::limited(Router::new().fallback(play).layer(guard), None)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::Extension;
    use tokio::io::AsyncWriteExt;

    use super::*;
    use crate::gate::Gate;
    use crate::peer::Peer;
    use crate::settings::Settings;

    /// What handlers hold, and how often it was copied.
    struct Held(Arc<AtomicUsize>);

    impl Clone for Held {
        fn clone(&self) -> Held {
            self.0.fetch_add(1, Ordering::Relaxed);
            Held(self.0.clone())
        }
    }

    #[tokio::test]
    async fn a_connection_copies_no_routes_but_the_one_it_asks_for() {
        let copies = Arc::new(AtomicUsize::new(0));
        let mut router = Router::new();
        for number in 0..100 {
            let held = Held(copies.clone());
            let answer = async move |Extension(_): Extension<Arc<Admission>>| drop(held);
            router = router.route(&format!("/{number}"), get(answer));
        }
        let gate = Gate::new(&Settings::default(), Metrics::new(), None);
        let admission = gate.admit(Peer::direct([192, 0, 2, 1].into())).expect("there is room");
        let (mut client, socket) = tokio::io::duplex(1024);
        copies.store(0, Ordering::Relaxed);
        let asks = async {
            let request = b"GET /7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            client.write_all(request).await.expect("it is read");
            let mut heard = String::new();
            client.read_to_string(&mut heard).await.expect("it is answered");
            heard
        };
        let serving = serve_stream(socket, Arc::new(admission), router);
        let (heard, ()) = tokio::join!(asks, serving);
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        let copies = copies.load(Ordering::Relaxed);
        assert!(copies < 10, "{copies} copies of 100 routes");
    }
}
