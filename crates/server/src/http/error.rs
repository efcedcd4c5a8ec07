//! Errors as JSON, with a message that helps.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hall::{Refusal, Reply, TableInfo, TournamentInfo};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    message: String,
}

/// What every error looks like.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong and what would be right.
    pub error: String,
}

impl ApiError {
    pub fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError { status, message: message.into() }
    }

    pub fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, message)
    }

    /// The body is not what the call takes, or too large.
    pub fn bad_body(rejection: JsonRejection) -> ApiError {
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, rejection.body_text())
            }
            _ => ApiError::bad_request(rejection.body_text()),
        }
    }

    pub fn not_found(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, message)
    }

    fn refused(refusal: &Refusal, id: &str) -> ApiError {
        match refusal {
            Refusal::NoSuchTable => ApiError::not_found(format!("no table '{id}'")),
            Refusal::AlreadyOver => {
                ApiError::new(StatusCode::CONFLICT, format!("table '{id}' is over"))
            }
            Refusal::IdTaken => {
                ApiError::new(StatusCode::CONFLICT, format!("there is a table '{id}' already"))
            }
            Refusal::HallFull => ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "there are as many tables as limits.tables allows",
            ),
            Refusal::BadTable(why) => ApiError::bad_request(why.as_str()),
            other => ApiError::bad_request(format!("{other:?}")),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(ErrorBody { error: self.message })).into_response()
    }
}

/// One table out of a hall's reply about `id`.
pub fn table(reply: Option<Reply>, id: &str) -> Result<TableInfo, ApiError> {
    match reply {
        Some(Reply::Table(info)) => Ok(*info),
        Some(Reply::Refused(refusal)) => Err(ApiError::refused(&refusal, id)),
        _ => Err(closed()),
    }
}

/// The tables out of a hall's reply.
pub fn tables(reply: Option<Reply>) -> Result<Vec<TableInfo>, ApiError> {
    match reply {
        Some(Reply::Tables(infos)) => Ok(infos),
        _ => Err(closed()),
    }
}

/// One tournament out of a hall's reply about `id`.
pub fn tournament(reply: Option<Reply>, id: &str) -> Result<TournamentInfo, ApiError> {
    let conflict = |what: String| ApiError::new(StatusCode::CONFLICT, what);
    match reply {
        Some(Reply::Tournament(info)) => Ok(*info),
        Some(Reply::Refused(refusal)) => Err(match refusal {
            Refusal::NoSuchTable => ApiError::not_found(format!("no tournament '{id}'")),
            Refusal::AlreadyOver => conflict(format!("tournament '{id}' is over")),
            Refusal::IdTaken => conflict(format!("there is a tournament '{id}' already")),
            Refusal::NameTaken(name) => conflict(format!("the name '{name}' is taken already")),
            other => ApiError::refused(&other, id),
        }),
        _ => Err(closed()),
    }
}

/// The tournaments out of a hall's reply.
pub fn tournaments(reply: Option<Reply>) -> Result<Vec<TournamentInfo>, ApiError> {
    match reply {
        Some(Reply::Tournaments(infos)) => Ok(infos),
        _ => Err(closed()),
    }
}

fn closed() -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down")
}
