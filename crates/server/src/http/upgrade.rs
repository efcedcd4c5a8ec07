//! From HTTP to WebSocket.

use axum::extract::FromRequestParts;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, UPGRADE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hall::Code;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tungstenite::handshake::derive_accept_key;

use super::ApiError;
use crate::transport::Socket;

/// A request to go on as a WebSocket, with nothing wrong about it.
pub struct Upgrade {
    connection: OnUpgrade,
    /// What proves that the request was understood.
    accept: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Upgrade, ApiError> {
        let connection = parts.extensions.get::<OnUpgrade>().cloned();
        // The headers are judged by axum. What it would make of the connection could not be counted.
        drop(WebSocketUpgrade::from_request_parts(parts, state).await.map_err(not_a_websocket)?);
        let key = parts.headers.get(SEC_WEBSOCKET_KEY).map(HeaderValue::as_bytes);
        let (Some(connection), Some(key)) = (connection, key) else { return Err(needed()) };
        Ok(Upgrade { connection, accept: derive_accept_key(key) })
    }
}

impl Upgrade {
    /// Agrees, and goes on with the socket once the client knows.
    pub fn on_upgrade<F>(self, go_on: impl FnOnce(Socket) -> F + Send + 'static) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Upgrade { connection, accept } = self;
        tokio::spawn(async move {
            match connection.await {
                Ok(upgraded) => go_on(Socket::new(TokioIo::new(upgraded)).await).await,
                Err(error) => tracing::debug!(%error, "websocket"),
            }
        });
        let headers = [
            (CONNECTION, "upgrade"),
            (UPGRADE, "websocket"),
            (SEC_WEBSOCKET_ACCEPT, accept.as_str()),
        ];
        (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
    }
}

/// Plain HTTP is told to upgrade; a handshake that is wrong is told what is wrong with it.
fn not_a_websocket(rejection: WebSocketUpgradeRejection) -> ApiError {
    use WebSocketUpgradeRejection::{InvalidWebSocketVersionHeader, WebSocketKeyHeaderMissing};
    match rejection {
        InvalidWebSocketVersionHeader(_) | WebSocketKeyHeaderMissing(_) => {
            ApiError::bad_request(rejection.body_text())
        }
        _ => needed(),
    }
}

fn needed() -> ApiError {
    ApiError::new(Code::NeedsWebSocket, "this is a WebSocket: connect with ws://")
}
