//! A connection whose messages are WebSocket text frames.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use hall::Time;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tungstenite::protocol::frame::{CloseFrame, Frame as Piece};
use tungstenite::{Error, Message};
use wire::{Frame, Garbage, Text};

use super::pings::Pings;
use super::socket::{PIECE, Socket, code_for};
use crate::hosting::{STOPPING, Transport};
use crate::house::GameMetrics;

/// A WebSocket and the frames that go over it.
pub struct WebSocketTransport<S = TokioIo<Upgraded>> {
    socket: Socket<S>,
    max_in: usize,
    /// Fetched messages that aren't processed yet.
    fetched: VecDeque<Message>,
    /// What was fetched after them: the end, regular or by an error.
    last: Option<Result<(), Error>>,
    /// Frames that came and were no message.
    idle_frames: u64,
    /// Messages to be sent, and how many bytes they are.
    out: VecDeque<Bytes>,
    unsent: usize,
    /// The rest of the message being sent in pieces.
    sending: Option<Bytes>,
    /// Something was given to the socket and not flushed yet.
    unflushed: bool,
    /// The close code, and whether it was sent. Nothing is sent after the client's own closing
    /// frame: the library answers that.
    code: CloseCode,
    shut: bool,
    /// How much has come after the last words.
    ignored: u64,
    pings: Pings,
    /// A ping that waits to be sent.
    ping: Option<Bytes>,
    /// Whether another client waits to learn if this one is alive, and whether it is.
    probed: bool,
    alive: bool,
    metrics: GameMetrics,
}

/// This many messages are fetched at once.
const AHEAD: usize = 8;

/// A client that sends more frames than this to a connection that is closed does not wait for the last
/// words.
const IGNORED: u64 = 64;

impl<S: AsyncRead + AsyncWrite + Unpin> WebSocketTransport<S> {
    /// `max_in`: the longest message of the protocol, in bytes.
    pub fn new(
        socket: Socket<S>,
        max_in: usize,
        pings: Pings,
        metrics: GameMetrics,
    ) -> WebSocketTransport<S> {
        WebSocketTransport {
            socket,
            max_in,
            fetched: VecDeque::new(),
            last: None,
            idle_frames: 0,
            out: VecDeque::new(),
            unsent: 0,
            sending: None,
            unflushed: false,
            code: CloseCode::Normal,
            shut: false,
            ignored: 0,
            pings,
            ping: None,
            probed: false,
            alive: false,
            metrics,
        }
    }

    /// Gives the socket what it takes and flushes it.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        if self.ping.is_some() {
            ready!(self.socket.poll_ready(cx))?;
            let ping = self.ping.take().expect("there is one");
            self.socket.start_send(Message::Ping(ping))?;
            self.unflushed = true;
        }
        while self.sending.is_some() || !self.out.is_empty() {
            ready!(self.socket.poll_ready(cx))?;
            let piece = self.next_piece().expect("there is something to send");
            self.metrics.bytes_out.inc_by(piece.payload().len() as u64);
            self.socket.start_send(Message::Frame(piece))?;
            self.unflushed = true;
        }
        if self.unflushed {
            ready!(self.socket.poll_flush(cx))?;
            self.unflushed = false;
        }
        Poll::Ready(Ok(()))
    }

    /// The next frame to be sent: a message, or a piece of one that is long.
    fn next_piece(&mut self) -> Option<Piece> {
        let (mut text, kind) = match self.sending.take() {
            Some(rest) => (rest, Data::Continue),
            None => (self.out.pop_front()?, Data::Text),
        };
        if kind == Data::Text {
            self.unsent -= text.len();
        }
        let piece = text.split_to(text.len().min(PIECE));
        let is_last = text.is_empty();
        self.sending = (!is_last).then_some(text);
        Some(Piece::message(piece, OpCode::Data(kind), is_last))
    }

    fn poll_farewell(&mut self, cx: &mut Context<'_>, reason: &str) -> Poll<Result<(), Error>> {
        if self.shut {
            ready!(self.socket.poll_flush(cx))?;
        } else {
            ready!(self.poll_flush(cx))?;
            ready!(self.socket.poll_ready(cx))?;
            let short = &reason[..reason.floor_char_boundary(120)];
            let code = if reason == STOPPING { CloseCode::Away } else { self.code };
            let frame = CloseFrame { code, reason: short.into() };
            self.socket.start_send(Message::Close(Some(frame)))?;
            (self.shut, self.unflushed) = (true, true);
            ready!(self.poll_flush(cx))?;
        }
        while self.ignored < IGNORED {
            let (next, came) = self.socket.poll_next(cx);
            self.ignored += came.frames;
            match next {
                Poll::Pending if came.bytes == 0 => return Poll::Pending,
                Poll::Pending => {}
                Poll::Ready(None) => break,
                Poll::Ready(Some(message)) => _ = message?,
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Transport for WebSocketTransport<S> {
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, String>> {
        // Fetches everything that has arrived, but no more than a handful: a message sent before
        // the server's next one isn't an answer to it, and must be known as such.
        let (mut bytes, before) = (0, self.fetched.len());
        while self.last.is_none() && self.fetched.len() < AHEAD {
            let (fetched, came) = self.socket.poll_next(cx);
            self.idle_frames += came.frames;
            bytes += came.bytes;
            match fetched {
                // Nothing, or a piece of a message or of a frame.
                Poll::Pending => break,
                Poll::Ready(Some(Ok(Message::Close(_))) | None) => self.last = Some(Ok(())),
                Poll::Ready(Some(Err(error))) => self.last = Some(Err(error)),
                Poll::Ready(Some(Ok(Message::Pong(said)))) => {
                    if self.pings.answered(&said) {
                        self.alive |= std::mem::take(&mut self.probed);
                    }
                    // Nothing would look like the end.
                    bytes = bytes.max(1);
                    break;
                }
                // Pings are answered by the protocol's own machinery.
                Poll::Ready(Some(Ok(Message::Ping(_)))) => {
                    bytes = bytes.max(1);
                    break;
                }
                Poll::Ready(Some(Ok(message))) => {
                    self.pings.heard();
                    self.alive |= std::mem::take(&mut self.probed);
                    self.idle_frames = self.idle_frames.saturating_sub(1);
                    self.fetched.push_back(message);
                }
            }
        }
        if bytes > 0 || self.fetched.len() > before {
            return Poll::Ready(Ok(bytes.max(1)));
        }
        match self.last.take() {
            None => Poll::Pending,
            Some(Err(error)) => {
                self.code = code_for(&error);
                Poll::Ready(Err(error.to_string()))
            }
            Some(Ok(())) => {
                self.shut = true;
                Poll::Ready(Ok(0))
            }
        }
    }

    fn idle_frames(&mut self) -> u64 {
        std::mem::take(&mut self.idle_frames)
    }

    fn next(&mut self, hear: &mut dyn FnMut(Frame<'_>)) -> bool {
        match self.fetched.pop_front() {
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
        self.fetched.is_empty()
    }

    fn put(&mut self, text: Text) {
        let message = match text {
            Text::Own(text) => Bytes::from(text),
            Text::Shared(text) => shared_bytes(text),
        };
        self.unsent += message.len();
        self.out.push_back(message);
    }

    fn deadline(&self) -> Option<Time> {
        self.pings.next
    }

    fn tick(&mut self, now: Time) -> Result<(), String> {
        if let Some(ping) = self.pings.tick(now)? {
            self.ping = Some(ping);
        }
        Ok(())
    }

    fn probe(&mut self) -> bool {
        (self.ping, self.probed) = (Some(self.pings.ask()), true);
        true
    }

    fn take_sign_of_life(&mut self) -> bool {
        std::mem::take(&mut self.alive)
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

#[cfg(test)]
#[path = "websocket_tests.rs"]
mod tests;
