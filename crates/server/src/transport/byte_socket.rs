//! A WebSocket that carries bytes: a protocol of lines as on a port of its own, cut and joined as the
//! network pleases. `parlor connect` brings bots here that cannot change.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use futures_util::{Sink, Stream as Frames};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::tcp::Stream;

pub struct ByteSocket {
    socket: WebSocket,
    /// What has come and was not read yet.
    come: Bytes,
    closed: bool,
}

impl ByteSocket {
    pub fn new(socket: WebSocket) -> ByteSocket {
        ByteSocket { socket, come: Bytes::new(), closed: false }
    }

    fn sink(&mut self) -> Pin<&mut WebSocket> {
        Pin::new(&mut self.socket)
    }
}

impl AsyncRead for ByteSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        while self.come.is_empty() && !self.closed {
            match ready!(self.sink().poll_next(cx)) {
                Some(Ok(Message::Binary(bytes))) => self.come = bytes,
                Some(Ok(Message::Text(text))) => self.come = text.into(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_))) | None => self.closed = true,
                Some(Err(error)) => return Poll::Ready(Err(io::Error::other(error))),
            }
        }
        let count = self.come.len().min(buffer.remaining());
        buffer.put_slice(&self.come.split_to(count));
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ByteSocket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.get_mut().poll_put(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.sink().poll_flush(cx).map_err(io::Error::other)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.sink().poll_close(cx).map_err(io::Error::other)
    }
}

impl Stream for ByteSocket {
    /// One frame at a time: whoever does not read is waited for here, and not with a growing buffer.
    fn poll_put(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.sink().poll_flush(cx)).map_err(io::Error::other)?;
        ready!(self.sink().poll_ready(cx)).map_err(io::Error::other)?;
        let frame = Message::Binary(Bytes::copy_from_slice(bytes));
        self.sink().start_send(frame).map_err(io::Error::other)?;
        Poll::Ready(Ok(bytes.len()))
    }
}
