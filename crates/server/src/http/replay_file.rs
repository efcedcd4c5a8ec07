//! Frames of a replay file that is sent along: what `parlor play --replays` wrote, shown by the pages
//! without being in the archive.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::response::Response;
use hall::{Eyes, Scope};
use serde::Deserialize;
use serde_json::value::RawValue;
use store::Archive;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use wire::Retold;

use super::long_answer::{self, Manner, Tale};
use super::{ApiError, AppState, Bill, Caller, ErrorBody};

/// The longest file that is read.
const MAX_FILE: usize = 8 << 20;

pub fn routes() -> OpenApiRouter<AppState> {
    let limited = |router: Router<AppState>| router.layer(DefaultBodyLimit::max(MAX_FILE));
    let (router, document) = OpenApiRouter::new().routes(routes!(frames)).split_for_parts();
    OpenApiRouter::from(limited(router)).merge(OpenApiRouter::with_openapi(document))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct FramesQuery {
    /// `public` (the default), `all` for everything, or the number of a seat, from 0.
    viewer: Option<String>,
}

#[derive(Deserialize)]
struct Head {
    game: String,
}

#[derive(Deserialize)]
struct Line {
    at: u64,
    record: Box<RawValue>,
}

/// The frames of the replay file in the body, as JSON Lines.
///
/// A file may ask for much work, so this is for people on the server's own machine and for holders of
/// the admin token.
#[utoipa::path(post, path = "/api/v1/frames", params(FramesQuery), request_body = String,
    responses((status = OK, body = String, content_type = "application/jsonl"),
        (status = BAD_REQUEST, body = ErrorBody), (status = UNAUTHORIZED, body = ErrorBody)))]
async fn frames(
    State(app): State<AppState>,
    caller: Caller,
    query: Result<Query<FramesQuery>, QueryRejection>,
    body: String,
) -> Result<Response, ApiError> {
    let Query(query) = query.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    if !caller.peer.is_here() {
        caller.demand(Scope::Organise)?;
    }
    let eyes: Eyes =
        query.viewer.as_deref().unwrap_or("public").parse().map_err(ApiError::bad_request)?;
    // A file that nobody's rules have written may break them.
    let manner = Manner {
        kind: "application/jsonl",
        wrong: |why| ApiError::bad_request(why),
        broken: |_| ApiError::bad_request("this is not a replay file"),
    };
    let (house, body) = (app.clone(), Arc::<str>::from(body));
    let open = move |_: &dyn Archive| Ok(Tale { source: read(&house, &body, eyes)?, bytes: 0 });
    long_answer::tell(&app, Bill::free(), manner, open).await
}

fn read(app: &AppState, text: &str, eyes: Eyes) -> Result<Retold, ApiError> {
    let mut lines = text.lines();
    let head: Head = serde_json::from_str(lines.next().unwrap_or_default())
        .map_err(|_| ApiError::bad_request("the first line does not say which game this is"))?;
    let lines = lines.zip(2..).map(|(line, number)| {
        let wrong = |_| ApiError::bad_request(format!("line {number} is not a record"));
        serde_json::from_str(line).map_err(wrong)
    });
    let lines: Vec<Line> = lines.collect::<Result<_, _>>()?;
    let records: Vec<(u64, &str)> = lines.iter().map(|line| (line.at, line.record.get())).collect();
    let game = app.hosted(&head.game)?.game;
    game.retell(&records, eyes).map_err(ApiError::bad_request)
}
