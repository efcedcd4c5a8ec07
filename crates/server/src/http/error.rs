//! Errors as JSON, with a message that helps.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use hall::{Code, Name, Refusal, Reply, TableInfo};
use serde::Serialize;
use utoipa::ToSchema;

use crate::gate::{Limit, Reached};
use crate::reading::Undone;

#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    message: String,
    code: Code,
    hint: Option<&'static str>,
    limit: Option<Limit>,
    retry_after_s: Option<u64>,
}

/// What every error looks like.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// What is wrong, for people.
    pub error: String,
    /// The same in one word, for programs: docs/reference/error-codes.md lists all there are.
    pub code: &'static str,
    /// What to do about it, where the error does not say so itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
    /// The limit that is reached, if that is it: docs/reference/limits.md lists all there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

impl ApiError {
    /// An error whose message says what would be right.
    pub fn new(code: Code, message: impl Into<String>) -> ApiError {
        let (status, message) = (status(code), message.into());
        ApiError { status, message, code, hint: None, limit: None, retry_after_s: None }
    }

    /// The same error, because of this limit.
    pub fn naming(self, limit: Limit) -> ApiError {
        ApiError { limit: Some(limit), ..self }
    }

    /// What is asked for cannot be had at the moment, for this reason.
    pub fn unavailable(why: &str) -> ApiError {
        let message = why.to_owned();
        ApiError { message, retry_after_s: Some(1), ..Code::Unavailable.into() }
    }

    pub fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::BadRequest, message)
    }

    /// The body is not what the call takes, or too large.
    pub fn bad_body(rejection: JsonRejection) -> ApiError {
        ApiError::no_body(rejection.status(), rejection.body_text())
    }

    /// No body could be had, for this reason.
    pub fn no_body(status: StatusCode, why: String) -> ApiError {
        match status {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(Code::TooLarge, why),
            _ => ApiError::bad_request(why),
        }
    }

    /// Something that has nothing to do with the request; the log says what.
    pub fn internal(error: anyhow::Error) -> ApiError {
        tracing::error!(error = format!("{error:#}"), "a request could not be answered");
        Code::Internal.into()
    }

    pub fn not_found(message: impl Into<String>) -> ApiError {
        ApiError::new(Code::NotFound, message)
    }

    /// What is wrong.
    pub fn why(&self) -> &str {
        &self.message
    }

    pub fn code(&self) -> Code {
        self.code
    }

    /// What a hall refused to do with a table or a tournament.
    fn refused(refusal: &Refusal, thing: &str, id: &str) -> ApiError {
        let message = refusal.cause_for(thing, id);
        ApiError { hint: refusal.hint(), ..ApiError::new(refusal.code(), message) }
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> ApiError {
        ApiError { hint: code.hint(), ..ApiError::new(code, code.cause()) }
    }
}

impl From<Reached> for ApiError {
    fn from(Reached { limit, wait_ms }: Reached) -> ApiError {
        let error = ApiError::from(Code::TooMany).naming(limit);
        ApiError { retry_after_s: Some(wait_ms.div_ceil(1000).max(1)), ..error }
    }
}

impl From<Undone> for ApiError {
    fn from(undone: Undone) -> ApiError {
        match undone {
            Undone::Crowded => Reached { limit: Limit::Replays, wait_ms: 1000 }.into(),
            Undone::Broken(error) => ApiError::internal(error.into()),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError { status, message, code, hint, limit, retry_after_s } = self;
        let limit = limit.map(Limit::name);
        let body = Json(ErrorBody { error: message, code: code.as_str(), hint, limit });
        let retry_after = retry_after_s.map(|s| [(header::RETRY_AFTER, s.to_string())]);
        // The code is for the audit log.
        let code = axum::Extension(code);
        (status, retry_after.map(AppendHeaders), code, body).into_response()
    }
}

/// What somebody at a banned address is told in place of an answer to whatever it asks.
pub fn banned() -> String {
    let ApiError { message, code, hint, .. } = Code::Banned.into();
    let body = ErrorBody { error: message, code: code.as_str(), hint, limit: None };
    let body = serde_json::to_string(&body).expect("an error is plain data");
    let length = body.len();
    format!(
        "HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )
}

/// A code in HTTP's own terms.
fn status(code: Code) -> StatusCode {
    match code {
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyOver | Code::NotOver | Code::IdTaken | Code::NameTaken | Code::Conflict => {
            StatusCode::CONFLICT
        }
        Code::ServerFull | Code::Draining | Code::DiskFull | Code::Unavailable => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Code::NeedsToken => StatusCode::UNAUTHORIZED,
        Code::WrongToken
        | Code::NeedsKey
        | Code::KeyRequired
        | Code::NeedsScope
        | Code::Banned
        | Code::ForeignOrigin => StatusCode::FORBIDDEN,
        Code::WrongHost => StatusCode::MISDIRECTED_REQUEST,
        Code::WrongMethod => StatusCode::METHOD_NOT_ALLOWED,
        Code::NeedsWebSocket => StatusCode::UPGRADE_REQUIRED,
        Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Code::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Code::TooSlow => StatusCode::REQUEST_TIMEOUT,
        Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        // Whoever asks over HTTP sits nowhere, so these come from the request itself.
        Code::BadRequest
        | Code::BadName
        | Code::BadMessage
        | Code::UnknownToken
        | Code::NotSeated
        | Code::AlreadySeated
        | Code::NotStarted
        | Code::AlreadyStarted
        | Code::NotYourTurn
        | Code::AlreadyMoved
        | Code::Stale
        | Code::Illegal
        | Code::TableFull
        | Code::NotEntered
        | Code::TooFewPlayers => StatusCode::BAD_REQUEST,
    }
}

/// One table out of a hall's reply about `id`.
pub fn table(reply: Option<Reply>, id: &str) -> Result<TableInfo, ApiError> {
    match reply {
        Some(Reply::Table(info)) => Ok(*info),
        Some(Reply::Refused(refusal)) => Err(ApiError::refused(&refusal, "table", id)),
        _ => Err(Code::Unavailable.into()),
    }
}

pub fn no_table(id: &str) -> ApiError {
    ApiError::refused(&Refusal::NoSuchTable, "table", id)
}

pub fn no_tournament(id: &str) -> ApiError {
    ApiError::refused(&Refusal::NoSuchTable, "tournament", id)
}

/// The id of a tournament that is as it was asked for, out of a hall's reply about `id`.
pub fn tournament(reply: Option<Reply>, id: &str) -> Result<Name, ApiError> {
    match reply {
        Some(Reply::Tournament(id)) => Ok(id),
        Some(Reply::Refused(refusal)) => Err(ApiError::refused(&refusal, "tournament", id)),
        _ => Err(Code::Unavailable.into()),
    }
}
