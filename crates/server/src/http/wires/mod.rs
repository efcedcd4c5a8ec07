//! The author's window: what went over the connections of one's own name, live, and how its bots
//! have done in exams. Everything here is for whoever shows the name's key, and for nobody else.

mod exams;
mod live;

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Json};
use hall::{Code, KeyHash, Name};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::unheard::Unheard;
use super::upgrade::Upgrade;
use super::{ApiError, AppState, Caller, ErrorBody};
use crate::gate::Admission;
use crate::transcript::{Line, Ring};
use crate::transport::{Pings, WebSocketTransport};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(read)).merge(exams::routes())
}

/// So many lines are said at once.
const AT_ONCE: usize = 200;

/// Whose key the caller has shown: a claimed name, or a player of a tournament that is not over.
struct Owner {
    name: Name,
    /// Its tournament, if the key is good for that alone.
    event: Option<Event>,
    key: KeyHash,
    ring: Arc<Ring>,
}

/// A tournament that is not over.
#[derive(Clone)]
pub struct Event {
    game: &'static str,
    id: Name,
}

impl Owner {
    fn of(app: &AppState, caller: &Caller) -> Result<Owner, ApiError> {
        let Some(key) = caller.key_of_socket()? else {
            let why = "this needs the key of a name, which programs send as \
                       'Authorization: Bearer pk_…'";
            return Err(ApiError::new(Code::NeedsKey, why));
        };
        let Some((name, event)) = name_of(app, &key) else {
            let why = "this key is unknown here: check your slip, or claim a name on /connect";
            return Err(ApiError::new(Code::NeedsKey, why));
        };
        let ring = app.wires.open(&key);
        Ok(Owner { name, event, key, ring })
    }
}

/// Whose key this is.
pub fn name_of(app: &AppState, key: &KeyHash) -> Option<(Name, Option<Event>)> {
    if let Some(name) = app.register.read().owner(key) {
        return Some((name.clone(), None));
    }
    app.hosted.values().find_map(|hosted| {
        let (name, id) = hosted.entrant_with(key)?;
        Some((name, Some(Event { game: hosted.name(), id })))
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct WireQuery {
    /// The `next` of the page before.
    #[serde(default)]
    after: u64,
}

/// A page of one name's wire.
#[derive(Serialize, ToSchema)]
struct WirePage {
    #[schema(value_type = String)]
    name: Name,
    /// The tournament that has given the key, and its game; missing for the key of a claimed name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    tournament: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    #[schema(value_type = Vec<Line>)]
    lines: Vec<Arc<Line>>,
    /// Give this as `after` for what follows.
    next: u64,
}

impl WirePage {
    fn after(owner: &Owner, after: u64) -> WirePage {
        let lines = owner.ring.after(after, AT_ONCE);
        let next = lines.last().map_or(after, |line| line.number);
        let (tournament, game) = match owner.event.clone() {
            Some(Event { game, id }) => (Some(id), Some(game)),
            None => (None, None),
        };
        WirePage { name: owner.name.clone(), tournament, game, lines, next }
    }
}

/// What went over the connections of one's own name, in all games, the oldest line first. Needs the
/// name's key. `ws /wire` says the same live, page by page.
#[utoipa::path(get, path = "/api/v1/wire", params(WireQuery), responses(
    (status = OK, body = WirePage), (status = FORBIDDEN, body = ErrorBody)))]
async fn read(
    State(app): State<AppState>,
    caller: Caller,
    query: Result<Query<WireQuery>, QueryRejection>,
) -> Result<Json<WirePage>, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    Ok(Json(WirePage::after(&Owner::of(&app, &caller)?, query.after)))
}

/// `ws /wire`: one's own wire, live: what is kept of it, then what comes.
pub async fn watch(
    State(app): State<AppState>,
    Extension(admission): Extension<Arc<Admission>>,
    caller: Caller,
    upgrade: Result<Upgrade, ApiError>,
) -> Result<Response, ApiError> {
    let owner = Owner::of(&app, &caller)?;
    let upgrade = upgrade?;
    let metrics = app.metrics.of_game("wire");
    Ok(upgrade.on_upgrade(async move |socket| {
        let pings = Pings::every(app.limits.ping_ms);
        let transport = WebSocketTransport::new(socket, 1024, pings, metrics);
        live::show(&app, owner, transport, Unheard::new(admission)).await;
    }))
}
