//! The author's window: what went over the connections of one's own name, live, and how its bots
//! have done in exams. Everything here is for whoever shows the name's key, and for nobody else.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::{Extension, Json};
use hall::{Code, KeyHash, Name};
use serde::{Deserialize, Serialize};
use tokio::time::{sleep, timeout};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::sockets::{not_a_websocket, slim};
use super::{ApiError, AppState, Caller, ErrorBody, Path};
use crate::clock;
use crate::connection::Transport;
use crate::exams::{Exam, Report};
use crate::gate::Admission;
use crate::websocket::{Pings, WebSocketTransport};
use crate::wires::{Line, Ring};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(read)).routes(routes!(exams)).routes(routes!(examined))
}

/// So many lines are said at once.
const AT_ONCE: usize = 200;

/// What has happened meanwhile is said so often at most.
const EVERY: Duration = Duration::from_millis(100);

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

/// What exams have said of one's own bots.
#[derive(Serialize, ToSchema)]
struct ExamList {
    #[schema(value_type = String)]
    name: Name,
    #[schema(value_type = Vec<Exam>)]
    exams: Vec<Arc<Exam>>,
}

/// The last exam of one's own name in each game. Needs the name's key.
#[utoipa::path(get, path = "/api/v1/exams", responses(
    (status = OK, body = ExamList), (status = FORBIDDEN, body = ErrorBody)))]
async fn exams(State(app): State<AppState>, caller: Caller) -> Result<Json<ExamList>, ApiError> {
    let owner = Owner::of(&app, &caller)?;
    Ok(Json(ExamList { exams: owner.ring.exams(), name: owner.name }))
}

/// Keeps what `parlor check` has said of a bot, in place of what it said before. Needs the name's
/// key. It is kept until the server ends.
#[utoipa::path(post, path = "/api/v1/exams/{game}", request_body = Report,
    params(("game" = String, Path)), responses((status = CREATED, body = Exam),
        (status = BAD_REQUEST, body = ErrorBody), (status = FORBIDDEN, body = ErrorBody)))]
async fn examined(
    State(app): State<AppState>,
    caller: Caller,
    Path(game): Path<String>,
    body: Result<Json<Report>, JsonRejection>,
) -> Result<(StatusCode, Json<Exam>), ApiError> {
    let owner = Owner::of(&app, &caller)?;
    let game = app.hosted(&game)?.game();
    let Json(report) = body.map_err(ApiError::bad_body)?;
    let exam = Exam { game, at: clock::now().0, items: report.bounded() };
    owner.ring.examined(game, exam.clone());
    Ok((StatusCode::CREATED, Json(exam)))
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
        show(&app, owner, transport).await;
        drop(admission);
    }))
}

/// Says what comes until the watcher goes, or its key is none any more. Nothing is kept for a watcher
/// that is slow: it goes on with what the ring still has.
async fn show(app: &AppState, owner: Owner, mut transport: impl Transport) {
    let mut news = owner.ring.watch();
    // The first page is said even if there is nothing to say: then it is the right place.
    let mut said = None;
    let reason = loop {
        let deadline = transport.deadline();
        tokio::select! {
            biased;
            () = app.stopping.cancelled() => break "the server is shutting down".to_owned(),
            // The ring outlives its watchers: nothing else can come of waiting. What comes within a
            // moment is said at once.
            _ = news.changed() => sleep(EVERY).await,
            reason = poll_fn(|cx| poll(app, &owner, &mut said, &mut transport, cx)) => break reason,
            () = clock::sleep_until(deadline) => {
                if let Err(gone) = transport.tick(clock::now()) {
                    break gone;
                }
            }
        }
    };
    let farewell = poll_fn(|cx| transport.poll_close(cx, &reason));
    // Whether or not the farewell arrived, there is nobody left to tell.
    let _ = timeout(Duration::from_secs(1), farewell).await;
}

/// Says the next page once the one before is taken. Ready with the reason once it must end.
fn poll(
    app: &AppState,
    owner: &Owner,
    said: &mut Option<u64>,
    transport: &mut impl Transport,
    cx: &mut Context<'_>,
) -> Poll<String> {
    loop {
        match transport.poll_send(cx) {
            Poll::Ready(Err(error)) => return Poll::Ready(error),
            Poll::Pending => break,
            Poll::Ready(Ok(())) => {}
        }
        let page = WirePage::after(owner, said.unwrap_or(0));
        if page.lines.is_empty() && said.is_some() {
            break;
        }
        // The key may have been replaced since the last page.
        if name_of(app, &owner.key).as_ref() != Some(&owner.name) {
            return Poll::Ready("this key is none any more".to_owned());
        }
        *said = Some(page.next);
        transport.put(serde_json::to_string(&page).expect("lines are plain data").into());
    }
    loop {
        match transport.poll_fetch(cx) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Err(error)) => return Poll::Ready(error),
            Poll::Ready(Ok(0)) => return Poll::Ready(String::new()),
            // Watchers need not say anything, and are not listened to.
            Poll::Ready(Ok(_)) => while transport.next(&mut |_| {}) {},
        }
    }
}
