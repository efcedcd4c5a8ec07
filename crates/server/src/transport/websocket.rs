//! A connection whose messages are WebSocket text frames.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::{Sink, Stream};
use hall::Time;
use wire::{Frame, Garbage, Text};

use crate::hosting::Transport;
use crate::house::{GameMetrics, clock};

/// Finds out whether a client that says nothing is still there.
#[derive(Debug)]
pub struct Pings {
    every_ms: u64,
    /// When to look next; none: never.
    pub next: Option<Time>,
    /// Something was heard since the last look.
    heard: bool,
    unanswered: u32,
}

/// What a frame without text counts as: more than it is, for it is answered, and counts as no message.
const CONTROL_BYTES: usize = 512;
/// What a frame is besides its text.
const HEADER_BYTES: usize = 8;

/// So many pings in a row may stay unanswered.
const UNANSWERED: u32 = 2;

impl Pings {
    /// 0: never.
    pub fn every(ms: u64) -> Pings {
        let next = (ms > 0).then(|| clock::now() + ms);
        Pings { every_ms: ms, next, heard: false, unanswered: 0 }
    }

    /// The client has sent something; a pong will do.
    pub fn heard(&mut self) {
        self.heard = true;
    }

    /// Whether to send a ping now. The error says that the client is gone.
    pub fn tick(&mut self, now: Time) -> Result<bool, String> {
        if self.next.is_none_or(|next| next > now) {
            return Ok(false);
        }
        self.next = Some(now + self.every_ms);
        if std::mem::take(&mut self.heard) {
            self.unanswered = 0;
            return Ok(false);
        }
        if self.unanswered == UNANSWERED {
            return Err("the client does not answer pings".to_owned());
        }
        self.unanswered += 1;
        Ok(true)
    }
}

/// A WebSocket and the frames that go over it.
pub struct WebSocketTransport {
    socket: WebSocket,
    max_in: usize,
    /// What was fetched and not heard.
    fetched: Option<Message>,
    /// Frames to be sent, and how many bytes they are.
    out: VecDeque<Utf8Bytes>,
    unsent: usize,
    /// Something was given to the socket and not flushed yet.
    unflushed: bool,
    /// What the closing frame says, and whether it was sent. Nothing is sent after the client's:
    /// the protocol's own machinery answers that.
    code: u16,
    shut: bool,
    pings: Pings,
    /// Whether a ping waits to be sent.
    ping: bool,
    metrics: GameMetrics,
}

impl WebSocketTransport {
    /// `max_in`: the longest message of the protocol, in bytes.
    pub fn new(
        socket: WebSocket,
        max_in: usize,
        pings: Pings,
        metrics: GameMetrics,
    ) -> WebSocketTransport {
        WebSocketTransport {
            socket,
            max_in,
            fetched: None,
            out: VecDeque::new(),
            unsent: 0,
            unflushed: false,
            code: close_code::NORMAL,
            shut: false,
            pings,
            ping: false,
            metrics,
        }
    }

    /// Gives the socket what it takes and flushes it.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        if self.ping {
            ready!(Pin::new(&mut self.socket).poll_ready(cx))?;
            Pin::new(&mut self.socket).start_send(Message::Ping(Bytes::new()))?;
            (self.ping, self.unflushed) = (false, true);
        }
        while !self.out.is_empty() {
            ready!(Pin::new(&mut self.socket).poll_ready(cx))?;
            let frame = self.out.pop_front().expect("not empty");
            self.unsent -= frame.len();
            self.metrics.bytes_out.inc_by(frame.len() as u64);
            Pin::new(&mut self.socket).start_send(Message::Text(frame))?;
            self.unflushed = true;
        }
        if self.unflushed {
            ready!(Pin::new(&mut self.socket).poll_flush(cx))?;
            self.unflushed = false;
        }
        Poll::Ready(Ok(()))
    }

    fn poll_farewell(
        &mut self,
        cx: &mut Context<'_>,
        reason: &str,
    ) -> Poll<Result<(), axum::Error>> {
        if self.shut {
            ready!(Pin::new(&mut self.socket).poll_flush(cx))?;
        } else {
            ready!(self.poll_flush(cx))?;
            ready!(Pin::new(&mut self.socket).poll_ready(cx))?;
            let short = &reason[..reason.floor_char_boundary(120)];
            let frame = CloseFrame { code: self.code, reason: short.into() };
            Pin::new(&mut self.socket).start_send(Message::Close(Some(frame)))?;
            (self.shut, self.unflushed) = (true, true);
            ready!(self.poll_flush(cx))?;
        }
        while let Some(message) = ready!(Pin::new(&mut self.socket).poll_next(cx)) {
            message?;
        }
        Poll::Ready(Ok(()))
    }
}

impl Transport for WebSocketTransport {
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, String>> {
        let fetched = ready!(Pin::new(&mut self.socket).poll_next(cx));
        self.pings.heard();
        Poll::Ready(match fetched {
            Some(Ok(Message::Close(_))) | None => {
                self.shut = true;
                Ok(0)
            }
            // Pings are answered by the protocol's own machinery.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(CONTROL_BYTES),
            Some(Ok(message)) => {
                let count = HEADER_BYTES
                    + match &message {
                        Message::Text(text) => text.len(),
                        Message::Binary(bytes) => bytes.len(),
                        // These were looked at above.
                        Message::Ping(_) | Message::Pong(_) | Message::Close(_) => 0,
                    };
                self.fetched = Some(message);
                Ok(count)
            }
            Some(Err(error)) => {
                self.code = code_for(&error);
                Err(error.to_string())
            }
        })
    }

    fn next(&mut self, hear: &mut dyn FnMut(Frame<'_>)) -> bool {
        match self.fetched.take() {
            Some(Message::Text(text)) => {
                self.metrics.bytes_in.inc_by(text.len() as u64);
                // A client may end its message as it would end a line.
                let text = text.strip_suffix('\n').unwrap_or(&text);
                let text = text.strip_suffix('\r').unwrap_or(text);
                let too_long = text.len() > self.max_in;
                hear(match too_long {
                    true => Frame::Garbage(Garbage::TooLong, text.as_bytes()),
                    false => Frame::Text(text),
                });
            }
            Some(message) => hear(Frame::Garbage(Garbage::Binary, &message.into_data())),
            None => return false,
        }
        true
    }

    fn is_drained(&self) -> bool {
        self.fetched.is_none()
    }

    fn put(&mut self, text: Text) {
        let frame = match text {
            Text::Own(text) => Utf8Bytes::from(text),
            Text::Shared(text) => shared_bytes(text).try_into().expect("text is UTF-8"),
        };
        self.unsent += frame.len();
        self.out.push_back(frame);
    }

    fn deadline(&self) -> Option<Time> {
        self.pings.next
    }

    fn tick(&mut self, now: Time) -> Result<(), String> {
        self.ping |= self.pings.tick(now)?;
        Ok(())
    }

    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        self.poll_flush(cx).map_err(|error| error.to_string())
    }

    fn unsent(&self) -> usize {
        self.unsent
    }

    fn poll_close(&mut self, cx: &mut Context<'_>, reason: &str) -> Poll<()> {
        self.poll_farewell(cx, reason).map(|_| ())
    }
}

/// The same text, not a copy of it.
pub fn shared_bytes(text: Arc<str>) -> Bytes {
    struct Shared(Arc<str>);
    impl AsRef<[u8]> for Shared {
        fn as_ref(&self) -> &[u8] {
            self.0.as_bytes()
        }
    }
    Bytes::from_owner(Shared(text))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f29_a_shared_text_is_not_copied_for_each_who_hears_it() {
        let text: Arc<str> = "a view of the table".into();
        let frames = [shared_bytes(text.clone()), shared_bytes(text.clone())];
        for frame in &frames {
            let frame = Utf8Bytes::try_from(frame.clone()).expect("text");
            assert_eq!(frame.as_str().as_ptr(), text.as_ptr());
        }
        drop(frames);
        assert_eq!(Arc::strong_count(&text), 1, "and let go of when it is sent");
    }
}
