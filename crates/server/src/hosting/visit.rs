//! Somebody who was let in on another thread, such as that of HTTP, on its way to its hall.

use std::sync::Arc;

use hall::KeyHash;
use wire::{Framing, Session};

use super::connection::Arrival;
use super::connections::{self, SharedConnections};
use super::transport::Transport;
use crate::gate::Admission;
use crate::transport::{
    AgentLine, ByteSocket, LineTransport, Pings, Socket, TlsStream, WebSocketTransport,
};

/// What somebody has come by who was let in on another thread.
#[expect(clippy::large_enum_variant, reason = "a visit is in a box as a whole")]
pub enum Vehicle {
    WebSocket(Socket),
    /// Bytes in the frames of a WebSocket, as on a port of the protocol's own.
    Bytes(ByteSocket),
    /// A line over TLS.
    Secured(TlsStream),
    /// A line in memory, from an agent's calls.
    Agent(mcp::HouseEnd),
}

/// Somebody let in on another thread, and the session that shall run.
pub struct Visit {
    pub vehicle: Vehicle,
    pub dialect: &'static str,
    pub session: Box<dyn Session>,
    /// The key that came with the request.
    pub key: Option<KeyHash>,
    /// How its messages are told apart, where they do not come cut already, and how long they may be.
    pub framing: Framing,
    /// So soon it must have said something.
    pub first_message_ms: Option<u64>,
    pub admission: Arc<Admission>,
}

impl Visit {
    pub async fn serve(self: Box<Self>, connections: SharedConnections) {
        let Visit { vehicle, dialect, session, key, framing, first_message_ms, admission } = *self;
        let hosted = connections.borrow().hosted.clone();
        let metrics = hosted.metrics.clone();
        let (max, endless) = (framing.max_message(), hosted.limits.endless(framing.max_message()));
        let transport: Box<dyn Transport> = match vehicle {
            Vehicle::WebSocket(socket) => {
                let pings = Pings::every(hosted.limits.ping_ms);
                Box::new(WebSocketTransport::new(socket, max, pings, metrics))
            }
            Vehicle::Bytes(socket) => {
                Box::new(LineTransport::new(socket, framing.framer(), endless, metrics))
            }
            Vehicle::Secured(stream) => {
                Box::new(LineTransport::new(stream, framing.framer(), endless, metrics))
            }
            Vehicle::Agent(line) => Box::new(AgentLine::new(line, metrics)),
        };
        let arrival = Arrival { dialect, session, transport, key, first_message_ms, admission };
        connections::serve(connections, arrival).await;
    }
}
