//! A connection that speaks a protocol of its own over TCP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use wire::{Dialect, Framer, Playable, Text};

use crate::caller::{Caller, Introduction, Outbox};
use crate::http;
use crate::listen::Admission;
use crate::room::Room;

/// Serves one connection until it ends.
pub async fn serve<G: Playable>(
    room: Arc<Room<G>>,
    dialect: &'static Dialect<G>,
    socket: TcpStream,
    admission: Arc<Admission>,
    router: axum::Router,
) {
    let mut framer = dialect.framing.framer();
    let mut first = Vec::new();
    if dialect.yields_to_http {
        let patience_ms = room.limits.first_message_ms;
        let begun = tokio::select! {
            begun = begins_like_http(&socket, &mut first, patience_ms) => begun,
            () = room.closing.cancelled() => return,
        };
        match begun {
            Ok(true) => {
                return tokio::select! {
                    () = http::serve_stream(first, socket, admission, router) => {}
                    () = room.closing.cancelled() => {}
                };
            }
            Ok(false) => framer.feed(&first),
            Err(_) => return,
        }
    }
    let Some(passage) = room.door.enter().await else { return };
    let trace = room.trace(dialect.name, passage.conn, &socket);
    let caller = Caller::new(Introduction {
        session: (dialect.session)(&room.terms),
        passage,
        first_message_ms: dialect.first_message_ms,
        limits: room.limits.clone(),
        shutdown: room.closing.clone(),
        metrics: room.metrics.clone(),
        trace,
    });
    let mut line =
        Line { socket, framer, out: Out::default(), max_out: room.limits.outbound_bytes };
    line.converse(caller).await;
    drop(admission);
}

struct Line {
    socket: TcpStream,
    framer: Box<dyn Framer>,
    out: Out,
    max_out: usize,
}

/// Bytes to be written: every message and its newline.
#[derive(Default)]
struct Out {
    bytes: Vec<u8>,
    written: usize,
}

impl Outbox for Out {
    fn put(&mut self, text: &Text) {
        self.bytes.extend_from_slice(text.as_str().as_bytes());
        self.bytes.push(b'\n');
    }
}

impl Line {
    async fn converse<G: Playable>(&mut self, mut caller: Caller<G>) {
        let reason = loop {
            if let Some(reason) = caller.settle(&mut self.out).await {
                break reason;
            }
            if caller.listens()
                && let Some(frame) = self.framer.next()
            {
                caller.hear(frame);
                continue;
            }
            if let Err(error) = self.write(&caller) {
                break error.to_string();
            }
            if self.out.bytes.len() - self.out.written > self.max_out {
                break "the client does not read".to_owned();
            }
            let may_read = caller.listens();
            let must_write = !self.out.bytes.is_empty();
            tokio::select! {
                biased;
                ended = caller.wait() => if let Some(reason) = ended { break reason },
                ready = self.socket.writable(), if must_write => if let Err(error) = ready { break error.to_string() },
                ready = self.socket.readable(), if may_read => match ready.and_then(|()| self.read(&caller)) {
                    Ok(true) => {}
                    Ok(false) => break "the client closed the connection".to_owned(),
                    Err(error) => break error.to_string(),
                },
            }
        };
        caller.leave(&reason).await;
        self.close().await;
    }

    /// Reads what is there. False: the client has closed its side.
    fn read<G: Playable>(&mut self, caller: &Caller<G>) -> io::Result<bool> {
        let mut buffer = [0; 4096];
        match self.socket.try_read(&mut buffer) {
            Ok(0) => Ok(false),
            Ok(count) => {
                caller.metrics.bytes_in.inc_by(count as u64);
                self.framer.feed(&buffer[..count]);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Writes what the socket takes, in one piece if it can.
    fn write<G: Playable>(&mut self, caller: &Caller<G>) -> io::Result<()> {
        while self.out.written < self.out.bytes.len() {
            match self.socket.try_write(&self.out.bytes[self.out.written..]) {
                Ok(count) => {
                    caller.metrics.bytes_out.inc_by(count as u64);
                    self.out.written += count;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        // An idle connection holds no memory for output.
        self.out = Out::default();
        Ok(())
    }

    /// Sends the last words, then takes in what the client still sends for at most a second, so
    /// that a reset does not swallow them.
    async fn close(&mut self) {
        use tokio::io::AsyncWriteExt;
        let until = Instant::now() + Duration::from_secs(1);
        let rest = &self.out.bytes[self.out.written..];
        let farewell = async {
            self.socket.write_all(rest).await?;
            self.socket.shutdown().await?;
            let mut buffer = [0; 1024];
            loop {
                self.socket.readable().await?;
                match self.socket.try_read(&mut buffer) {
                    Ok(0) => return Ok(()),
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(error),
                }
            }
        };
        // Whether or not the farewell arrived, there is nobody left to tell.
        let _: Result<io::Result<()>, _> = timeout_at(until, farewell).await;
    }
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
