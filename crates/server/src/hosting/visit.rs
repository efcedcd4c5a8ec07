//! Somebody who was let in on another thread, such as that of HTTP, on its way to its hall.

use std::sync::Arc;

use axum::extract::ws::WebSocket;
use hall::KeyHash;
use rules::Game;
use wire::{Framer, Playable, Session};

use super::connection::{Arrival, Transport};
use super::connections::{self, SharedConnections};
use crate::gate::Admission;
use crate::transport::{
    AgentLine, ByteSocket, LineTransport, MessageLimits, Pings, TlsStream, WebSocketTransport,
};

/// What somebody has come by who was let in on another thread.
#[expect(clippy::large_enum_variant, reason = "a visit is in a box as a whole")]
pub enum Vehicle {
    WebSocket(WebSocket),
    /// Bytes in the frames of a WebSocket, and what cuts them into messages.
    Bytes(ByteSocket, Box<dyn Framer>),
    /// A line over TLS, and what cuts its bytes into messages.
    Secured(TlsStream, Box<dyn Framer>),
    /// A line in memory, from an agent's calls.
    Agent(mcp::HouseEnd),
}

/// Somebody let in on another thread, and the session that shall run.
pub struct Visit<G: Game> {
    pub vehicle: Vehicle,
    pub dialect: &'static str,
    pub session: Box<dyn Session<G>>,
    /// The key that came with the request.
    pub key: Option<KeyHash>,
    pub limits: MessageLimits,
    pub admission: Arc<Admission>,
}

impl<G: Playable> Visit<G> {
    pub async fn serve(self: Box<Self>, connections: SharedConnections<G>) {
        let Visit { vehicle, dialect, session, key, limits, admission } = *self;
        let hosted = connections.borrow().hosted.clone();
        let metrics = hosted.metrics.clone();
        let transport: Box<dyn Transport> = match vehicle {
            Vehicle::WebSocket(socket) => {
                let pings = Pings::every(hosted.limits.ping_ms);
                Box::new(WebSocketTransport::new(socket, limits.max_bytes, pings, metrics))
            }
            Vehicle::Bytes(socket, framer) => {
                let endless = hosted.limits.endless(limits.max_bytes);
                Box::new(LineTransport::new(socket, framer, endless, metrics))
            }
            Vehicle::Secured(stream, framer) => {
                let endless = hosted.limits.endless(limits.max_bytes);
                Box::new(LineTransport::new(stream, framer, endless, metrics))
            }
            Vehicle::Agent(line) => Box::new(AgentLine::new(line, metrics)),
        };
        let arrival = Arrival {
            dialect,
            session,
            transport,
            key,
            first_message_ms: limits.first_ms,
            admission,
        };
        connections::serve(connections, arrival).await;
    }
}
