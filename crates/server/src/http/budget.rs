//! What one address may ask for over HTTP, and how long a request may take to arrive.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json, Router};
use hall::Code;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::guard::with_headers;
use super::{Access, ApiError, AppState, Bill, shown_key};
use crate::gate::{Admission, Limit, Limits};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_limits))
}

/// Who has guessed a token wrongly may ask for so much less.
const WRONG_TOKEN: u64 = 20;

/// A router that answers each address only so often. Who runs the server may always ask.
pub fn limited(router: Router, access: Option<Access>) -> Router {
    router.layer(from_fn_with_state(access, within_limits))
}

async fn within_limits(
    State(access): State<Option<Access>>,
    Extension(admission): Extension<Arc<Admission>>,
    mut request: Request,
    next: Next,
) -> Response {
    let is_operators = access.is_some_and(|access| access.is_operators(request.headers()));
    let who_asks = admission.who_asks(request.headers());
    let key = shown_key(request.headers());
    if !is_operators
        && costs(request.uri().path())
        && let Err(reached) = admission.take_request(who_asks, key.as_ref(), 1)
    {
        admission.hit(reached.limit);
        return with_headers(ApiError::from(reached).into_response());
    }
    let bill = match is_operators {
        true => Bill::free(),
        false => Bill::of(admission.clone(), who_asks, key),
    };
    request.extensions_mut().insert(bill);
    // Agents wait for their turns, once their request has arrived.
    let waits = request.uri().path() == "/mcp";
    let patience = admission.request_patience().filter(|_| !waits);
    let Some(patience) = patience else { return next.run(request).await };
    let Ok(response) = tokio::time::timeout(patience, next.run(request)).await else {
        admission.hit(Limit::RequestMs);
        let late = "the request did not arrive in time";
        let error = ApiError::new(Code::TooSlow, late).naming(Limit::RequestMs);
        return with_headers(error.into_response());
    };
    if response.status() == StatusCode::FORBIDDEN {
        // Whether or not there was so much left, it is gone.
        _ = admission.take_request(who_asks, None, WRONG_TOKEN);
    }
    response
}

/// The files of the pages are many, small, and read by whole rooms at once.
fn costs(path: &str) -> bool {
    let free = ["/web/", "/boards/", "/assets/", "/docs/pictures/", "/healthz", "/worker.js"];
    !free.iter().any(|free| path.starts_with(free))
}

impl Admission {
    /// How long a request may take to arrive and be answered; none: any time.
    pub fn request_patience(&self) -> Option<Duration> {
        let ms = self.limits().request_ms;
        (ms > 0).then(|| Duration::from_millis(ms))
    }
}

/// A limit of this server.
#[derive(Serialize, ToSchema)]
struct LimitBody {
    /// `--set limits.NAME=VALUE` changes it.
    name: &'static str,
    #[schema(value_type = Object)]
    value: serde_json::Value,
    /// What it limits, and what happens above it.
    meaning: &'static str,
}

/// Every limit of this server.
#[utoipa::path(get, path = "/api/v1/limits", responses((status = OK, body = Vec<LimitBody>)))]
async fn list_limits(State(app): State<AppState>) -> Json<Vec<LimitBody>> {
    let mut values = serde_json::to_value(&app.limits).expect("limits are plain data");
    let body = |(name, meaning): &(&'static str, &'static str)| LimitBody {
        name,
        value: values[*name].take(),
        meaning,
    };
    Json(Limits::HELP.iter().map(body).collect())
}
