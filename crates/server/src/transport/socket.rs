//! A WebSocket once hands are shaken: messages above, counted bytes below.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Sink, Stream};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message};

use super::metered::{Came, Metered, TooManyPieces};

/// The longest message of any protocol.
const MAX_MESSAGE: usize = 64 * 1024;

/// Longer texts are sent in pieces of this size: the socket copies a piece at a time, and all
/// receivers share the text itself.
pub const PIECE: usize = 64 * 1024;

/// A WebSocket of a client.
pub struct Socket<S = TokioIo<Upgraded>>(WebSocketStream<Metered<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// Small buffers: the usual ones take 128 KiB for every connection.
    pub async fn new(stream: S) -> Socket<S> {
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE))
            .read_buffer_size(1024)
            .write_buffer_size(16 * 1024)
            .max_write_buffer_size(8 << 20);
        let stream = Metered::new(stream);
        Socket(WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await)
    }

    /// The next message, at most one frame, and what has arrived either way. If nothing has
    /// arrived, the task is woken when something does; if something other than a message has, it
    /// isn't.
    pub fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
    ) -> (Poll<Option<Result<Message, Error>>>, Came) {
        self.0.get_mut().open();
        let next = Pin::new(&mut self.0).poll_next(cx);
        (next, self.0.get_mut().take())
    }

    pub fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.0).poll_ready(cx)
    }

    pub fn start_send(&mut self, message: Message) -> Result<(), Error> {
        Pin::new(&mut self.0).start_send(message)
    }

    pub fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    pub fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.0).poll_close(cx)
    }
}

/// The close code for a client that broke the WebSocket protocol.
pub fn code_for(error: &Error) -> CloseCode {
    let has_too_many_pieces =
        |error: &io::Error| error.get_ref().is_some_and(|inner| inner.is::<TooManyPieces>());
    match error {
        Error::Utf8(_) => CloseCode::Invalid,
        Error::Capacity(_) => CloseCode::Size,
        Error::Protocol(_) => CloseCode::Protocol,
        Error::Io(error) if has_too_many_pieces(error) => CloseCode::Policy,
        _ => CloseCode::Normal,
    }
}
