//! Lines: text cut out of the bytes of a socket.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hall::Time;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use wire::{Frame, Framer, Text};

use super::tls::TlsStream;
use crate::gate::Limit;
use crate::hosting::Transport;
use crate::house::GameMetrics;

/// A stream of bytes that a protocol of lines is spoken over.
pub trait Stream: AsyncRead + AsyncWrite + Unpin {
    /// Writes some of this, or wakes the connection's task when some of it can be written.
    fn poll_put(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>>;
}

impl Stream for TcpStream {
    /// By `try_write`: whoever delivers to many connections in one go is not to be told, after some
    /// of them, that it has done enough for now.
    fn poll_put(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            match self.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.poll_write_ready(cx))?;
                }
                written => return Poll::Ready(written),
            }
        }
    }
}

impl Stream for TlsStream {
    fn poll_put(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(self).poll_write(cx, bytes)
    }
}

/// A socket, and text cut out of its bytes.
pub struct LineTransport<S> {
    socket: S,
    framer: Box<dyn Framer>,
    /// Bytes to be written: every message and its newline.
    out: Vec<u8>,
    written: usize,
    shut: bool,
    /// How many bytes have come since the last message, and how many may.
    unheard: usize,
    endless: usize,
    /// How many bytes were taken in after the last words.
    ignored: usize,
    metrics: GameMetrics,
}

/// Whoever sends more than this to a connection that is closed does not wait for the last words.
const IGNORED: usize = 64 * 1024;

/// An idle connection keeps no more memory for output than this.
const KEPT: usize = 1024;

impl<S: Stream> LineTransport<S> {
    /// `endless`: how many bytes may come without the end of a message.
    pub fn new(
        socket: S,
        framer: Box<dyn Framer>,
        endless: usize,
        metrics: GameMetrics,
    ) -> LineTransport<S> {
        LineTransport {
            socket,
            framer,
            out: Vec::new(),
            written: 0,
            shut: false,
            unheard: 0,
            endless,
            ignored: 0,
            metrics,
        }
    }

    /// Reads what is there, for `take`; how many bytes that are.
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        take: impl FnOnce(&mut LineTransport<S>, &[u8]),
    ) -> Poll<io::Result<usize>> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut buffer = ReadBuf::uninit(&mut buffer);
        ready!(Pin::new(&mut self.socket).poll_read(cx, &mut buffer))?;
        take(self, buffer.filled());
        Poll::Ready(Ok(buffer.filled().len()))
    }
}

impl<S: Stream> Transport for LineTransport<S> {
    fn poll_fetch(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, String>> {
        if self.unheard > self.endless {
            self.metrics.hit(Limit::MessageBytes);
            return Poll::Ready(Err("a message without end".to_owned()));
        }
        let read = ready!(self.poll_read(cx, |line, bytes| line.framer.feed(bytes)));
        Poll::Ready(read.map_err(|error| error.to_string()).inspect(|count| {
            self.metrics.bytes_in.inc_by(*count as u64);
            self.unheard += count;
        }))
    }

    fn next(&mut self, hear: &mut dyn FnMut(Frame<'_>)) -> bool {
        let heard = self.framer.next().map(hear).is_some();
        if heard {
            self.unheard = 0;
        }
        heard
    }

    fn is_drained(&self) -> bool {
        self.framer.is_exhausted()
    }

    fn put(&mut self, text: Text) {
        self.out.extend_from_slice(text.as_str().as_bytes());
        self.out.push(b'\n');
    }

    /// TCP itself looks whether the client is still there.
    fn deadline(&self) -> Option<Time> {
        None
    }

    fn tick(&mut self, _now: Time) -> Result<(), String> {
        Ok(())
    }

    /// Writes what the socket takes, in one piece if it can.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), String>> {
        while self.written < self.out.len() {
            match ready!(self.socket.poll_put(cx, &self.out[self.written..])) {
                Ok(count) => {
                    self.metrics.bytes_out.inc_by(count as u64);
                    self.written += count;
                }
                Err(error) => return Poll::Ready(Err(error.to_string())),
            }
        }
        if let Err(error) = ready!(Pin::new(&mut self.socket).poll_flush(cx)) {
            return Poll::Ready(Err(error.to_string()));
        }
        self.out.clear();
        self.out.shrink_to(KEPT);
        self.written = 0;
        Poll::Ready(Ok(()))
    }

    fn unsent(&self) -> usize {
        self.out.len() - self.written
    }

    fn poll_close(&mut self, cx: &mut Context<'_>, _reason: &str) -> Poll<()> {
        if ready!(self.poll_send(cx)).is_err() {
            return Poll::Ready(());
        }
        if !self.shut {
            self.shut = ready!(Pin::new(&mut self.socket).poll_shutdown(cx)).is_ok();
        }
        while self.shut && self.ignored < IGNORED {
            match ready!(self.poll_read(cx, |_, _| {})) {
                Ok(0) | Err(_) => break,
                Ok(count) => self.ignored += count,
            }
        }
        Poll::Ready(())
    }
}
