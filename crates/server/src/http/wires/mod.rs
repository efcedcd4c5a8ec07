//! The author's window: what went over the connections of one's own name, live, and how its bots
//! have done in exams. Everything here is for whoever shows the name's key, and for nobody else.

mod exams;
mod live;

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Json};
use hall::{Code, KeyHash, Name};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::sockets::{not_a_websocket, slim};
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
    key: KeyHash,
    ring: Arc<Ring>,
}

impl Owner {
    fn of(app: &AppState, caller: &Caller) -> Result<Owner, ApiError> {
        let Some(key) = caller.key_of_socket()? else {
            let why = "this needs the key of a name: send 'Authorization: Bearer pk_…'";
            return Err(ApiError::new(Code::NeedsKey, why));
        };
        let Some(name) = name_of(app, &key) else {
            let why =
                "no name here has this key: claim one on /connect, or look at your slip again";
            return Err(ApiError::new(Code::NeedsKey, why));
        };
        let ring = app.wires.open(&key);
        Ok(Owner { name, key, ring })
    }
}

fn name_of(app: &AppState, key: &KeyHash) -> Option<Name> {
    let claimed = app.register.read().owner(key).cloned();
    claimed.or_else(|| app.hosted.values().find_map(|hosted| hosted.entrant_with(key)))
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
    #[schema(value_type = Vec<Line>)]
    lines: Vec<Arc<Line>>,
    /// Give this as `after` for what follows.
    next: u64,
}

impl WirePage {
    fn after(owner: &Owner, after: u64) -> WirePage {
        let lines = owner.ring.after(after, AT_ONCE);
        let next = lines.last().map_or(after, |line| line.number);
        WirePage { name: owner.name.clone(), lines, next }
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
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let owner = Owner::of(&app, &caller)?;
    let upgrade = upgrade.map_err(not_a_websocket)?;
    let metrics = app.metrics.of_game("wire");
    Ok(slim(upgrade).on_upgrade(async move |socket| {
        let pings = Pings::every(app.limits.ping_ms);
        let transport = WebSocketTransport::new(socket, 1024, pings, metrics);
        live::show(&app, owner, transport).await;
        drop(admission);
    }))
}
