//! A client's connection, whatever carries its messages.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use wire::{Frame, Framer, Framing};

/// Servers may say more at once than they listen to.
const MAX_MESSAGE: usize = 1 << 20;

/// Number of bytes per read.
const BUFFER: usize = 4096;

/// Time limit for connecting.
const CONNECT: Duration = Duration::from_secs(10);

pub enum Line {
    Tcp { socket: TcpStream, framer: Box<dyn Framer>, buffer: Box<[u8]>, out: Vec<u8> },
    WebSocket { socket: Box<WebSocketStream<MaybeTlsStream<TcpStream>>>, out: VecDeque<String> },
}

/// The URL of `HOST:PORT`, or of `HOST:PORT/PATH`.
pub fn url(address: &str) -> String {
    format!("ws://{address}{}", if address.contains('/') { "" } else { "/" })
}

impl Line {
    /// Connects to `HOST:PORT`; a WebSocket also to `HOST:PORT/PATH`.
    pub async fn connect(address: &str, framing: Framing) -> Result<Line> {
        let connecting = tokio::time::timeout(CONNECT, Line::open(address, framing));
        connecting.await.with_context(|| format!("{address} does not answer"))?
    }

    async fn open(address: &str, framing: Framing) -> Result<Line> {
        match framing {
            Framing::WebSocket { .. } => {
                let url = url(address);
                // The usual buffer is cleared before every read, however little comes.
                let config = WebSocketConfig::default().read_buffer_size(BUFFER);
                let (socket, _) = connect_async_with_config(url, Some(config), true)
                    .await
                    .with_context(|| address.to_owned())?;
                Ok(Line::WebSocket { socket: Box::new(socket), out: VecDeque::new() })
            }
            Framing::Lines { .. } | Framing::JsonValues { .. } => {
                let socket =
                    TcpStream::connect(address).await.with_context(|| address.to_owned())?;
                socket.set_nodelay(true)?;
                let framer = framing.with_max(MAX_MESSAGE).framer();
                let buffer = vec![0; BUFFER].into_boxed_slice();
                Ok(Line::Tcp { socket, framer, buffer, out: Vec::new() })
            }
        }
    }

    /// When this is dropped, the other side sees a reset and no farewell.
    pub fn reset_on_close(&mut self) -> Result<()> {
        match self {
            Line::Tcp { socket, .. } => socket.set_zero_linger()?,
            Line::WebSocket { socket, .. } => {
                if let MaybeTlsStream::Plain(socket) = socket.get_mut() {
                    socket.set_zero_linger()?;
                }
            }
        }
        Ok(())
    }

    pub fn queue(&mut self, text: String) {
        match self {
            Line::Tcp { out, .. } => {
                out.extend(text.as_bytes());
                out.push(b'\n');
            }
            Line::WebSocket { out, .. } => out.push_back(text),
        }
    }

    /// Sends what is queued. Nothing is lost or repeated if this is given up in the middle, but
    /// perhaps the last message over a WebSocket.
    pub async fn flush(&mut self) -> Result<()> {
        match self {
            Line::Tcp { socket, out, .. } => {
                while !out.is_empty() {
                    let count = socket.write(out).await?;
                    out.drain(..count);
                }
            }
            Line::WebSocket { socket, out } if !out.is_empty() => {
                while let Some(text) = out.front() {
                    socket.feed(Message::text(text)).await?;
                    out.pop_front();
                }
                socket.flush().await?;
            }
            Line::WebSocket { .. } => {}
        }
        Ok(())
    }

    /// The next message; none once the server has closed. Nothing is lost if this is given up
    /// in the middle.
    pub async fn receive(&mut self) -> Result<Option<String>> {
        self.hear(str::to_owned).await
    }

    /// The same, for callers that don't keep the message.
    pub async fn hear<T>(&mut self, hear: impl FnOnce(&str) -> T) -> Result<Option<T>> {
        match self {
            Line::Tcp { socket, framer, buffer, .. } => loop {
                match framer.next() {
                    Some(Frame::Text(text)) => return Ok(Some(hear(text))),
                    Some(Frame::Garbage(..)) => {
                        bail!("what the server says is not of this protocol")
                    }
                    None => {}
                }
                let count = socket.read(buffer).await?;
                if count == 0 {
                    return Ok(None);
                }
                framer.feed(&buffer[..count]);
            },
            Line::WebSocket { socket, .. } => loop {
                match socket.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(Some(hear(&text))),
                    Some(Ok(Message::Close(_))) | None => return Ok(None),
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(error.into()),
                }
            },
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Line::Tcp { .. } => "Line::Tcp",
            Line::WebSocket { .. } => "Line::WebSocket",
        })
    }
}
