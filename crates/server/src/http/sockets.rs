//! WebSockets: playing, and watching.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use hall::{Role, Scope};
use serde::Deserialize;
use wire::Watch;

use super::feed::Feed;
use super::unheard::Unheard;
use super::upgrade::Upgrade;
use super::{ApiError, AppState, Bill, Caller, Path, shown_key};
use crate::gate::Admission;
use crate::hosting::{HostedGame, Vehicle};
use crate::transport::{ByteSocket, Pings, WebSocketTransport};

#[derive(Deserialize)]
pub struct PlayQuery {
    /// The port name of another protocol of the game.
    dialect: Option<String>,
    /// Whether frames carry bytes, as on a port of the protocol's own, and not a message each.
    #[serde(default)]
    bytes: bool,
}

/// `ws /play/{game}`: the game's own protocol, one message a text frame.
pub async fn play(
    State(app): State<AppState>,
    Path(game): Path<String>,
    Extension(admission): Extension<Arc<Admission>>,
    query: Result<Query<PlayQuery>, QueryRejection>,
    caller: Caller,
    upgrade: Result<Upgrade, ApiError>,
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
    let upgrade = upgrade?;
    let key = caller.key_of_socket()?;
    let PlayQuery { dialect, bytes } = query;
    let is_websocket = dialect.as_deref().unwrap_or(hosted.dialects()[0]);
    if bytes && hosted.is_websocket(is_websocket) {
        return Err(ApiError::bad_request(format!("{game} speaks WebSocket: leave out 'bytes'")));
    }
    Ok(upgrade.on_upgrade(async move |socket| {
        let vehicle = match bytes {
            true => Vehicle::Bytes(ByteSocket::new(socket)),
            false => Vehicle::WebSocket(socket),
        };
        hosted.play(dialect.as_deref(), key, vehicle, admission).await;
    }))
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
    caller: Caller,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let hosted = app.hosted(&game)?.clone();
    let role = if query.full { Role::Organiser } else { Role::Spectator };
    if query.full {
        caller.demand(Scope::Read)?;
    }
    hosted.table(&table).ok_or_else(|| super::error::no_table(&table))?;
    let upgrade = upgrade?;
    let watch = Watch { table: table.into(), role, in_words: query.words, all: query.all };
    Ok(upgrade.on_upgrade(async move |socket| hosted.watch(watch, socket, admission).await))
}

/// `ws /house/{game}`: the house wire, one JSON object a text frame. Who shows the admin token sees
/// everything of what it watches.
pub async fn play_house(
    State(app): State<AppState>,
    Path(game): Path<String>,
    Extension(admission): Extension<Arc<Admission>>,
    caller: Caller,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let hosted = app.hosted(&game)?.clone();
    let organiser = caller.demand(Scope::Read).is_ok();
    let upgrade = upgrade?;
    let key = caller.key_of_socket()?;
    Ok(upgrade.on_upgrade(async move |socket| {
        hosted.play_house(organiser, key, Vehicle::WebSocket(socket), admission).await;
    }))
}

/// `ws /watch/{game}/tournaments/{id}`: a tournament, live: all of it, whenever it has changed.
pub async fn watch_tournament(
    State(app): State<AppState>,
    Path((game, id)): Path<(String, String)>,
    Extension(admission): Extension<Arc<Admission>>,
    Extension(bill): Extension<Bill>,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let hosted = app.hosted(&game)?;
    let metrics = app.metrics.of_game(hosted.name());
    let (first, news) = match hosted.watch_tournament(&id) {
        Some((first, news)) => (first, Some(news)),
        // One that is long over is said once.
        None => (super::tournaments::find(&app, &bill, &game, &id).await?, None),
    };
    let upgrade = upgrade?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let pings = Pings::every(app.limits.ping_ms);
        let transport = WebSocketTransport::new(socket, 1024, pings, metrics);
        let feed = Feed::new(first, transport, Unheard::new(admission)).one_of_many();
        let feed = feed.within(app.room.clone(), bill.address());
        feed.show(news, app.stopping).await;
    }))
}

/// A port of a game whose own protocol is WebSocket: any path will do.
pub async fn play_anywhere(
    hosted: Arc<HostedGame>,
    dialect: &'static str,
    Extension(admission): Extension<Arc<Admission>>,
    headers: HeaderMap,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade?;
    let key = shown_key(&headers);
    Ok(upgrade.on_upgrade(async move |socket| {
        hosted.play(Some(dialect), key, Vehicle::WebSocket(socket), admission).await;
    }))
}
