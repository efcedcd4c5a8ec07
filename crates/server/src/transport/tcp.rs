//! Lines: text cut out of the bytes of a socket.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hall::Time;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use wire::{Frame, Framer, Text};

use super::metered::Came;
use super::patient::Patient;
use super::tls::TlsStream;
use crate::gate::Limit;
use crate::hosting::Transport;
use crate::house::GameMetrics;

/// A stream of bytes that a protocol of lines is spoken over.
pub trait Stream: AsyncRead + AsyncWrite + Unpin {
    /// Writes some of this, or wakes the connection's task when some of it can be written.
    fn poll_put(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>>;

    /// What has arrived since the last call, where bytes come in frames.
    fn take_came(&mut self) -> Option<Came> {
        None
    }
}

impl Stream for Patient<TcpStream> {
    fn poll_put(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let taken = try_write(&self.socket, cx, bytes);
        self.notice(cx, taken)
    }
}

/// Uses `try_write`: a delivery to many connections in one go must not be interrupted by the
/// runtime's budget.
fn try_write(socket: &TcpStream, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
    loop {
        match socket.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                ready!(socket.poll_write_ready(cx))?;
            }
            written => return Poll::Ready(written),
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
    /// Frames that came and began no message, where bytes come in frames.
    idle_frames: u64,
    /// How many bytes were taken in after the last words.
    ignored: usize,
    metrics: GameMetrics,
}

/// A client that sends more than this to a closed connection doesn't get the last message.
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
            idle_frames: 0,
            ignored: 0,
            metrics,
        }
    }

    /// Reads what is there into `take`. Returns the number of bytes.
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
        let read = self.poll_read(cx, |line, bytes| line.framer.feed(bytes));
        let came = self.socket.take_came();
        self.idle_frames += came.map_or(0, |came| came.frames);
        let count = match read {
            Poll::Pending if came.is_none_or(|came| came.bytes == 0) => return Poll::Pending,
            Poll::Pending => 0,
            Poll::Ready(Ok(0)) => return Poll::Ready(Ok(0)),
            Poll::Ready(Ok(count)) => count,
            Poll::Ready(Err(error)) => return Poll::Ready(Err(error.to_string())),
        };
        if count > 0 && self.unheard == 0 {
            // The first frame of a message is counted as that message.
            self.idle_frames = self.idle_frames.saturating_sub(1);
        }
        self.metrics.bytes_in.inc_by(count as u64);
        self.unheard += count;
        // Nothing would look like the end.
        Poll::Ready(Ok(came.map_or(count, |came| came.bytes.max(1))))
    }

    fn idle_frames(&mut self) -> u64 {
        std::mem::take(&mut self.idle_frames)
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

    fn unfinished(&self) -> &[u8] {
        self.framer.unfinished()
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
