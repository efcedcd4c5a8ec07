//! A connection whose messages are WebSocket text frames.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::{Sink, Stream};
use wire::{Frame, Garbage, Text};

use crate::caller::Carrier;
use crate::metrics::GameMetrics;

/// What a protocol demands of messages, however they are carried.
#[derive(Clone, Copy, Debug)]
pub struct MessageLimits {
    /// How long the first may take.
    pub first_ms: Option<u64>,
    pub max_bytes: usize,
}

/// A WebSocket and the frames that go over it.
pub struct Frames {
    socket: WebSocket,
    max_in: usize,
    /// What was fetched and not heard.
    fetched: Option<Message>,
    /// Frames to be sent, and how many bytes they are.
    out: VecDeque<Utf8Bytes>,
    unsent: usize,
    /// Something was given to the socket and not flushed yet.
    unflushed: bool,
    /// What the closing frame says, and whether it was sent.
    code: u16,
    shut: bool,
    metrics: GameMetrics,
}

impl Frames {
    /// `max_in`: the longest message of the protocol, in bytes.
    pub fn new(socket: WebSocket, max_in: usize, metrics: GameMetrics) -> Frames {
        Frames {
            socket,
            max_in,
            fetched: None,
            out: VecDeque::new(),
            unsent: 0,
            unflushed: false,
            code: close_code::NORMAL,
            shut: false,
            metrics,
        }
    }

    /// Gives the socket what it takes and flushes it.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
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
        ready!(self.poll_flush(cx))?;
        if !self.shut {
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

impl Carrier for Frames {
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<Result<bool, String>> {
        Poll::Ready(match ready!(Pin::new(&mut self.socket).poll_next(cx)) {
            Some(Ok(Message::Close(_))) | None => Ok(false),
            // Pings are answered by the protocol's own machinery.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(true),
            Some(Ok(message)) => {
                self.fetched = Some(message);
                Ok(true)
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
            Text::Shared(text) => Utf8Bytes::from(&*text),
        };
        self.unsent += frame.len();
        self.out.push_back(frame);
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
