//! How the bots of one's own name have done in exams.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use hall::Name;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::{ApiError, AppState, Caller, ErrorBody, Path};
use super::Owner;
use crate::house::clock;
use crate::transcript::{Exam, Report};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(exams)).routes(routes!(examined))
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
    let game = app.hosted(&game)?.name();
    let Json(report) = body.map_err(ApiError::bad_body)?;
    let exam = Exam { game, at: clock::now().0, items: report.bounded() };
    owner.ring.examined(game, exam.clone());
    Ok((StatusCode::CREATED, Json(exam)))
}
