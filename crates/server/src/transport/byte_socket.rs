//! A WebSocket that carries bytes: a line protocol as on its own port, split and joined as the
//! network pleases. `parlor connect` brings unchanged bots here.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tungstenite::Message;

use super::metered::Came;
use super::socket::{PIECE, Socket};
use super::tcp::Stream;

pub struct ByteSocket<S = TokioIo<Upgraded>> {
    socket: Socket<S>,
    /// Received bytes that aren't read yet.
    rest: Bytes,
    closed: bool,
    came: Came,
}

impl<S: AsyncRead + AsyncWrite + Unpin> ByteSocket<S> {
    pub fn new(socket: Socket<S>) -> ByteSocket<S> {
        ByteSocket { socket, rest: Bytes::new(), closed: false, came: Came::default() }
    }

    /// Looks at one frame. Pending: it brings nothing, or there is none.
    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let (next, came) = self.socket.poll_next(cx);
        self.came.frames += came.frames;
        self.came.bytes += came.bytes;
        match next {
            Poll::Ready(Some(Ok(Message::Binary(bytes)))) => self.rest = bytes,
            Poll::Ready(Some(Ok(Message::Text(text)))) => self.rest = text.into(),
            Poll::Ready(Some(Ok(Message::Close(_))) | None) => self.closed = true,
            Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(io::Error::other(error))),
            Poll::Ready(Some(Ok(_))) | Poll::Pending => {}
        }
        if !self.rest.is_empty() || self.closed {
            return Poll::Ready(Ok(()));
        }
        if came.bytes > 0 {
            // Let others run first: a client that sends empty frames could do so forever.
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for ByteSocket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.rest.is_empty() && !self.closed {
            ready!(self.poll_frame(cx))?;
        }
        let count = self.rest.len().min(buffer.remaining());
        buffer.put_slice(&self.rest.split_to(count));
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ByteSocket<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().poll_put(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket.poll_flush(cx).map_err(io::Error::other)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket.poll_close(cx).map_err(io::Error::other)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Stream for ByteSocket<S> {
    /// One frame at a time: a client that does not read is waited for here, and not with a growing buffer.
    fn poll_put(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.socket.poll_flush(cx)).map_err(io::Error::other)?;
        ready!(self.socket.poll_ready(cx)).map_err(io::Error::other)?;
        let piece = &bytes[..bytes.len().min(PIECE)];
        let frame = Message::Binary(Bytes::copy_from_slice(piece));
        self.socket.start_send(frame).map_err(io::Error::other)?;
        Poll::Ready(Ok(piece.len()))
    }

    fn take_came(&mut self) -> Option<Came> {
        Some(std::mem::take(&mut self.came))
    }
}
