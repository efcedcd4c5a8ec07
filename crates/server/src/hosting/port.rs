//! A connection that comes in at a game's own port: it speaks the game's protocol, or HTTP where the
//! port yields to that.

use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_util::task::TaskTracker;

use super::Arrival;
use super::connections::{self, SharedConnections};
use crate::gate::{Admission, Entrance};
use crate::http::HttpThreads;
use crate::transport::{LineTransport, Patient};

/// A port of a protocol.
pub struct Listening {
    pub listener: std::net::TcpListener,
    pub dialect: &'static str,
    pub entrance: Entrance,
    pub http: HttpPort,
}

/// Accepts connections of a protocol, each with a task of its own on this thread.
pub async fn accept(listening: Listening, connections: SharedConnections, sockets: TaskTracker) {
    let Listening { listener, dialect, entrance, http } = listening;
    let http = Rc::new(http);
    let serve = move |socket, admission| {
        let (connections, http) = (connections.clone(), http.clone());
        sockets.spawn_local(async move {
            serve(connections, dialect, socket, admission, &http).await;
        });
    };
    entrance.accept(listener, serve).await;
}

/// Serves one connection until it ends.
async fn serve(
    connections: SharedConnections,
    dialect: &'static str,
    socket: TcpStream,
    admission: Arc<Admission>,
    http: &HttpPort,
) {
    let hosted = connections.borrow().hosted.clone();
    if let HttpPort::Own(threads) = http {
        return threads.serve(Vec::new(), socket, admission);
    }
    let dialect = hosted.dialect(Some(dialect));
    let mut framer = dialect.framing.framer();
    if let HttpPort::Elsewhere(threads) = http {
        let mut first = Vec::new();
        let begun = tokio::select! {
            begun = begins_like_http(&socket, &mut first, hosted.limits.first_message_ms) => begun,
            () = hosted.closing.cancelled() => return,
        };
        match begun {
            Ok(true) => return threads.serve(first, socket, admission),
            Ok(false) => framer.feed(&first),
            Err(_) => return,
        }
    }
    let endless = hosted.limits.endless(dialect.framing.max_message());
    let socket = Patient::new(socket, admission.clone());
    let arrival = Arrival {
        dialect: dialect.name,
        session: (dialect.session)(&hosted.terms),
        transport: Box::new(LineTransport::new(socket, framer, endless, hosted.metrics.clone())),
        key: None,
        first_message_ms: dialect.first_message_ms,
        admission,
    };
    connections::serve(connections, arrival).await;
}

/// What becomes of HTTP on a game's port.
#[derive(Clone)]
pub enum HttpPort {
    /// The game's protocol is WebSocket: hands are shaken on the threads of HTTP, and those who have
    /// done so come back as visitors.
    Own(HttpThreads),
    /// Whoever begins like HTTP is handed over before any of it is read as such.
    Elsewhere(HttpThreads),
    /// The protocol knows none.
    None,
}

/// Reads until it is clear whether the client speaks HTTP. What was read is left in `first`.
async fn begins_like_http(
    socket: &TcpStream,
    first: &mut Vec<u8>,
    patience_ms: u64,
) -> io::Result<bool> {
    const METHODS: [&[u8]; 6] = [b"GET ", b"POST ", b"HEAD ", b"PUT ", b"DELETE ", b"OPTIONS "];
    let patience = if patience_ms == 0 { u64::from(u32::MAX) } else { patience_ms };
    let until = Instant::now() + Duration::from_millis(patience);
    loop {
        if METHODS.iter().any(|method| first.starts_with(method)) {
            return Ok(true);
        }
        let undecided = METHODS.iter().any(|method| method.starts_with(first));
        if !undecided {
            return Ok(false);
        }
        timeout_at(until, socket.readable()).await.map_err(|_| io::ErrorKind::TimedOut)??;
        let mut buffer = [0; 1024];
        match socket.try_read(&mut buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => first.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}
