//! A connection whose messages are WebSocket text frames.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{Sink, SinkExt, StreamExt};
use tokio::time::timeout;
use wire::{Frame, Garbage, Playable, Session, Text};

use crate::caller::{Caller, Introduction, Outbox};
use crate::room::Room;

/// Serves one WebSocket until it ends.
pub async fn serve<G: Playable>(
    room: Arc<Room<G>>,
    dialect: &'static str,
    session: Box<dyn Session<G>>,
    limits: MessageLimits,
    socket: WebSocket,
) {
    let Some(passage) = room.door.enter().await else { return };
    let folder = room.trace_folder.as_deref();
    let trace =
        folder.and_then(|folder| room.open_trace(folder, dialect, passage.conn, "WebSocket"));
    let caller = Caller::new(Introduction {
        session,
        passage,
        first_message_ms: limits.first_ms,
        limits: room.limits.clone(),
        shutdown: room.closing.clone(),
        metrics: room.metrics.clone(),
        trace,
    });
    let (sink, stream) = socket.split();
    let max_out = room.limits.outbound_bytes;
    let max_in = limits.max_bytes;
    Frames { sink, stream, out: Out::default(), max_in, max_out }.converse(caller).await;
}

/// What a protocol demands of messages, however they are carried.
#[derive(Clone, Copy, Debug)]
pub struct MessageLimits {
    /// How long the first may take.
    pub first_ms: Option<u64>,
    pub max_bytes: usize,
}

struct Frames {
    sink: SplitSink<WebSocket, Message>,
    stream: SplitStream<WebSocket>,
    out: Out,
    max_in: usize,
    max_out: usize,
}

/// Frames to be sent, and how many bytes they are.
#[derive(Default)]
struct Out {
    frames: VecDeque<Utf8Bytes>,
    bytes: usize,
    /// Something was given to the sink and not flushed yet.
    unflushed: bool,
}

impl Outbox for Out {
    fn put(&mut self, text: &Text) {
        let frame = Utf8Bytes::from(text.as_str());
        self.bytes += frame.len();
        self.frames.push_back(frame);
    }
}

impl Frames {
    async fn converse<G: Playable>(mut self, mut caller: Caller<G>) {
        let metrics = caller.metrics.clone();
        let mut code = close_code::NORMAL;
        let reason = loop {
            if let Some(reason) = caller.settle(&mut self.out).await {
                break reason;
            }
            if self.out.bytes > self.max_out {
                break "the client does not read".to_owned();
            }
            let may_read = caller.listens();
            let (sink, out, stream) = (&mut self.sink, &mut self.out, &mut self.stream);
            tokio::select! {
                biased;
                ended = caller.wait() => if let Some(reason) = ended { break reason },
                sent = std::future::poll_fn(|cx| out.poll_send(sink, cx, &metrics)), if out.is_pending() => {
                    if let Err(error) = sent { break error.to_string() }
                }
                message = stream.next(), if may_read => match message {
                    Some(Ok(Message::Text(text))) => {
                        caller.metrics.bytes_in.inc_by(text.len() as u64);
                        // A client may end its message as it would end a line.
                        let text = text.strip_suffix('\n').unwrap_or(&text);
                        let text = text.strip_suffix('\r').unwrap_or(text);
                        let too_long = text.len() > self.max_in;
                        let frame = if too_long { Frame::Garbage(Garbage::TooLong) } else { Frame::Text(text) };
                        caller.hear(frame);
                    }
                    Some(Ok(Message::Binary(_))) => caller.hear(Frame::Garbage(Garbage::Binary)),
                    // Pings are answered by the protocol's own machinery.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_))) | None => break "the client closed the connection".to_owned(),
                    Some(Err(error)) => {
                        code = code_for(&error);
                        break error.to_string();
                    }
                },
            }
        };
        caller.leave(&reason).await;
        self.close(code, &reason).await;
    }

    /// Sends the last words and the closing handshake, for at most a second.
    async fn close(&mut self, code: u16, reason: &str) {
        let mut short = reason.to_owned();
        short.truncate(short.floor_char_boundary(120));
        let farewell = async {
            for frame in self.out.frames.drain(..) {
                self.sink.feed(Message::Text(frame)).await?;
            }
            let frame = CloseFrame { code, reason: short.into() };
            self.sink.send(Message::Close(Some(frame))).await?;
            while self.stream.next().await.is_some_and(|message| message.is_ok()) {}
            Ok::<(), axum::Error>(())
        };
        // Whether or not the farewell arrived, there is nobody left to tell.
        let _ = timeout(Duration::from_secs(1), farewell).await;
    }
}

/// What the closing frame says of a client that broke the WebSocket protocol.
fn code_for(error: &axum::Error) -> u16 {
    use tungstenite::Error;
    match std::error::Error::source(error).and_then(|source| source.downcast_ref::<Error>()) {
        Some(Error::Utf8(_)) => close_code::INVALID,
        Some(Error::Capacity(_)) => close_code::SIZE,
        Some(Error::Protocol(_)) => close_code::PROTOCOL,
        _ => close_code::NORMAL,
    }
}

impl Out {
    fn is_pending(&self) -> bool {
        self.unflushed || !self.frames.is_empty()
    }

    /// Gives the sink what it takes and flushes it. Safe to be cancelled between polls.
    fn poll_send(
        &mut self,
        sink: &mut SplitSink<WebSocket, Message>,
        cx: &mut Context<'_>,
        metrics: &crate::metrics::GameMetrics,
    ) -> Poll<Result<(), axum::Error>> {
        while !self.frames.is_empty() {
            match Pin::new(&mut *sink).poll_ready(cx)? {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(()) => {}
            }
            let frame = self.frames.pop_front().expect("not empty");
            self.bytes -= frame.len();
            metrics.bytes_out.inc_by(frame.len() as u64);
            Pin::new(&mut *sink).start_send(Message::Text(frame))?;
            self.unflushed = true;
        }
        let flushed = Pin::new(&mut *sink).poll_flush(cx);
        if flushed.is_ready() {
            self.unflushed = false;
        }
        flushed
    }
}
