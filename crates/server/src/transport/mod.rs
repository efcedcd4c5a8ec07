//! What carries a connection's messages: lines over TCP or TLS, WebSocket frames, or an agent's
//! calls.

mod agent_line;
mod byte_socket;
mod metered;
mod patient;
mod pings;
mod socket;
mod tcp;
mod tls;
mod websocket;

pub use agent_line::AgentLine;
pub use byte_socket::ByteSocket;
pub use patient::Patient;
pub use pings::Pings;
pub use socket::Socket;
pub use tcp::LineTransport;
pub use tls::{Tls, TlsStream};
pub use websocket::{WebSocketTransport, shared_bytes};
