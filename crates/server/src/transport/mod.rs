//! What carries a connection's messages: lines of TCP or TLS, the frames of a WebSocket, or an
//! agent's calls.

mod agent_line;
mod byte_socket;
mod tcp;
mod tls;
mod websocket;

pub use agent_line::AgentLine;
pub use byte_socket::ByteSocket;
pub use tcp::LineTransport;
pub use tls::{Tls, TlsStream};
pub use websocket::{Pings, WebSocketTransport, shared_bytes};
