//! WebSockets: playing, and watching.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use hall::{Code, Role};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::watch;
use wire::Watch;

use super::AppState;
use super::error::ApiError;
use super::path::Path;
use crate::clock;
use crate::hosted_game::AnyHostedGame;
use crate::listen::Admission;
use crate::websocket::Pings;

/// The longest message of any protocol.
const MAX_MESSAGE: usize = 64 * 1024;

#[derive(Deserialize)]
pub struct PlayQuery {
    /// The port name of another protocol of the game.
    dialect: Option<String>,
}

/// `ws /play/{game}`: the game's own protocol, one message a text frame.
pub async fn play(
    State(app): State<AppState>,
    Path(game): Path<String>,
    Extension(admission): Extension<Arc<Admission>>,
    query: Result<Query<PlayQuery>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let hosted = app.hosted(&game)?.clone();
    if let Some(dialect) =
        query.dialect.as_deref().filter(|dialect| !hosted.dialects().contains(dialect))
    {
        let known = hosted.dialects().join(", ");
        return Err(ApiError::bad_request(format!(
            "{game} has no dialect '{dialect}'; there are {known}"
        )));
    }
    let upgrade = upgrade.map_err(not_a_websocket)?;
    Ok(slim(upgrade)
        .on_upgrade(async move |socket| hosted.play(query.dialect, socket, admission).await))
}

#[derive(Deserialize)]
pub struct WatchQuery {
    /// Whether to show what every seat sees; needs the admin token.
    #[serde(default)]
    full: bool,
    /// Whether in words for people instead of JSON.
    #[serde(default)]
    words: bool,
    /// Whether every update is wanted, however fast they come.
    #[serde(default)]
    all: bool,
    /// The admin token, for clients that cannot send headers.
    token: Option<String>,
}

impl WatchQuery {
    /// The same for whoever counts on hearing of every turn.
    pub fn with_every_update(self) -> WatchQuery {
        WatchQuery { all: true, ..self }
    }
}

/// `ws /watch/{game}/{table}`: a table, live, in JSON or in words.
pub async fn watch(
    State(app): State<AppState>,
    Path((game, table)): Path<(String, String)>,
    Extension(admission): Extension<Arc<Admission>>,
    query: Result<Query<WatchQuery>, QueryRejection>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let hosted = app.hosted(&game)?.clone();
    let role = if query.full { Role::Organiser } else { Role::Spectator };
    if query.full && !query.token.as_deref().is_some_and(|token| app.admin.matches(token)) {
        app.admin.demand(&headers)?;
    }
    super::error::table(hosted.show(table.as_str().into()).await, &table)?;
    let upgrade = upgrade.map_err(not_a_websocket)?;
    let watch = Watch { table: table.into(), role, in_words: query.words, all: query.all };
    Ok(slim(upgrade).on_upgrade(async move |socket| hosted.watch(watch, socket, admission).await))
}

/// `ws /house/{game}`: the house wire, one JSON object a text frame. Who shows the admin token sees
/// everything of what it watches.
pub async fn play_house(
    State(app): State<AppState>,
    Path(game): Path<String>,
    Extension(admission): Extension<Arc<Admission>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let hosted = app.hosted(&game)?.clone();
    let organiser = app.admin.demand(&headers).is_ok();
    let upgrade = upgrade.map_err(not_a_websocket)?;
    Ok(slim(upgrade)
        .on_upgrade(async move |socket| hosted.play_house(organiser, socket, admission).await))
}

/// `ws /watch/{game}/tournaments/{id}`: a tournament, live: all of it, whenever it changes.
pub async fn watch_tournament(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
    Extension(admission): Extension<Arc<Admission>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    // What happens from now on is heard of, also before the first picture is sent.
    let tournament_news = app.hosted(&game)?.tournament_news();
    let first = super::tournaments::find(&app, &game, &id).await?;
    let upgrade = upgrade.map_err(not_a_websocket)?;
    Ok(slim(upgrade).on_upgrade(async move |socket| {
        show_tournament(app, (game, id), tournament_news, first, socket).await;
        drop(admission);
    }))
}

async fn show_tournament(
    app: AppState,
    (game, id): (String, String),
    mut tournament_news: watch::Receiver<u64>,
    first: Value,
    mut socket: WebSocket,
) {
    let (mut tournament, mut said) = (first, Value::Null);
    let mut pings = Pings::every(app.ping_ms);
    loop {
        if tournament != said {
            if socket.send(Message::Text(tournament.to_string().into())).await.is_err() {
                return;
            }
            said = tournament;
        }
        if matches!(said["phase"].as_str(), Some("over" | "cancelled")) {
            // The last word has been said; whether the close arrives matters to nobody.
            let _ = socket.send(Message::Close(None)).await;
            return;
        }
        if !await_news(&app, &mut tournament_news, &mut pings, &mut socket).await {
            return;
        }
        match super::tournaments::find(&app, &game, &id).await {
            Ok(now) => tournament = now,
            Err(_) => return,
        }
    }
}

/// Waits until something has happened to a tournament. False: the watcher goes, or must.
async fn await_news(
    app: &AppState,
    tournament_news: &mut watch::Receiver<u64>,
    pings: &mut Pings,
    socket: &mut WebSocket,
) -> bool {
    loop {
        tokio::select! {
            changed = tournament_news.changed() => return changed.is_ok(),
            () = app.stopping.cancelled() => return false,
            () = clock::sleep_until(pings.next) => match pings.tick(clock::now()) {
                Ok(false) => {}
                Ok(true) => {
                    if socket.send(Message::Ping(Bytes::new())).await.is_err() {
                        return false;
                    }
                }
                Err(_) => return false,
            },
            heard = socket.recv() => match heard {
                Some(Ok(Message::Close(_))) => {
                    // The answer to it leaves with the next look at the socket.
                    while let Some(Ok(_)) = socket.recv().await {}
                    return false;
                }
                Some(Ok(_)) => pings.heard(),
                Some(Err(_)) | None => return false,
            },
        }
    }
}

/// Small buffers: the usual ones take 128 KiB for every connection.
pub fn slim(upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .read_buffer_size(1024)
        .write_buffer_size(16 * 1024)
        .max_write_buffer_size(8 << 20)
}

/// Plain HTTP is told to upgrade; a handshake that is wrong is told what is wrong with it.
fn not_a_websocket(rejection: WebSocketUpgradeRejection) -> ApiError {
    use WebSocketUpgradeRejection::{InvalidWebSocketVersionHeader, WebSocketKeyHeaderMissing};
    match rejection {
        InvalidWebSocketVersionHeader(_) | WebSocketKeyHeaderMissing(_) => {
            ApiError::bad_request(rejection.body_text())
        }
        _ => ApiError::new(Code::NeedsWebSocket, "this is a WebSocket: connect with ws://"),
    }
}

/// A port of a game whose own protocol is WebSocket: any path will do.
pub async fn play_anywhere(
    hosted: Arc<dyn AnyHostedGame>,
    dialect: &'static str,
    Extension(admission): Extension<Arc<Admission>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(not_a_websocket)?;
    let dialect = Some(dialect.to_owned());
    Ok(slim(upgrade).on_upgrade(async move |socket| hosted.play(dialect, socket, admission).await))
}
