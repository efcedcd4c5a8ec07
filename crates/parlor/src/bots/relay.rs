//! A relay between a bot and its server: whoever holds it hears every message of both sides, and
//! can change how they arrive.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{accept_async, connect_async};
use trials::line::url;
use wire::{Frame, Framer, Framing, Garbage};

/// A listener that brings every connection to the server.
pub struct Relay {
    pub address: SocketAddr,
    task: JoinHandle<()>,
}

/// Who hears the messages.
pub trait Ear: Send + Sync + 'static {
    /// A bot has connected.
    fn connected(&self) {}

    fn heard(&self, side: Side, text: &str) -> Verdict;

    /// Whether a verdict may keep a message back. If not, bytes go through as they come.
    fn intervenes(&self) -> bool {
        false
    }

    /// How what the server says arrives at the bot.
    fn pacing(&self) -> Pacing {
        Pacing::Plain
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Bot,
    Server,
}

/// What becomes of a message.
pub enum Verdict {
    Pass,
    /// It is kept from the server, and its sender hears this instead.
    Answer(String),
    /// The connection is cut.
    Cut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    Plain,
    /// Byte by byte, in separate packets.
    Split,
    /// As many messages in one packet as come within a while.
    Merged,
    /// Late, and later at first.
    Slow,
}

/// Any free port of this machine.
pub const ANYWHERE: &str = "127.0.0.1:0";

impl Relay {
    pub async fn start(server: String, framing: Framing, ear: Arc<dyn Ear>) -> Result<Relay> {
        Relay::start_at(ANYWHERE, server, framing, ear).await
    }

    /// `at`: where bots connect.
    pub async fn start_at(
        at: &str,
        server: String,
        framing: Framing,
        ear: Arc<dyn Ear>,
    ) -> Result<Relay> {
        let bound = TcpListener::bind(at).await;
        let listener = bound.with_context(|| format!("cannot listen at {at}"))?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((bot, _)) = listener.accept().await {
                connections.spawn(carry(bot, server.clone(), framing, ear.clone()));
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Relay { address, task })
    }
}

/// Its connections end with it.
impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Bytes on their way between the two halves of a relay.
const BUFFER: usize = 64 * 1024;

/// Carries one connection to its end. Either side may go at any time: that is no error here, the
/// other side sees it.
async fn carry(bot: TcpStream, server: String, framing: Framing, ear: Arc<dyn Ear>) {
    ear.connected();
    let pacing = ear.pacing();
    let (inner, outer) = duplex(BUFFER);
    let mut pumps = JoinSet::new();
    if bot.set_nodelay(true).is_err() {
        return;
    }
    let (mut from_bot, to_bot) = bot.into_split();
    let (mut heard, mut said) = tokio::io::split(outer);
    pumps.spawn(async move {
        let _ = tokio::io::copy(&mut from_bot, &mut said).await;
        let _ = said.shutdown().await;
    });
    pumps.spawn(async move {
        let _ = pace(pacing, &mut heard, to_bot).await;
    });
    let carried = match framing {
        Framing::WebSocket { .. } => carry_frames(inner, &server, &*ear).await,
        Framing::Lines { .. } | Framing::JsonValues { .. } => {
            let framer = || framing.with_max(1 << 20).framer();
            carry_bytes(inner, &server, [framer(), framer()], &*ear).await
        }
    };
    match carried {
        // What was said last gets there before the end.
        Ok(End::Closed) => while pumps.join_next().await.is_some() {},
        Ok(End::Cut) | Err(_) => pumps.shutdown().await,
    }
}

enum End {
    Closed,
    Cut,
}

async fn carry_bytes(
    bot: DuplexStream,
    server: &str,
    [mut bot_framer, mut server_framer]: [Box<dyn Framer>; 2],
    ear: &dyn Ear,
) -> Result<End> {
    let server = TcpStream::connect(server).await?;
    server.set_nodelay(true)?;
    let (mut from_server, mut to_server): (OwnedReadHalf, OwnedWriteHalf) = server.into_split();
    let (mut from_bot, mut to_bot) = tokio::io::split(bot);
    let intervenes = ear.intervenes();
    let (mut bot_bytes, mut server_bytes) = (vec![0; 4096], vec![0; 4096]);
    let mut bot_open = true;
    loop {
        tokio::select! {
            read = from_bot.read(&mut bot_bytes), if bot_open => {
                let count = read?;
                if count == 0 {
                    bot_open = false;
                    to_server.shutdown().await?;
                    continue;
                }
                if !intervenes {
                    to_server.write_all(&bot_bytes[..count]).await?;
                }
                bot_framer.feed(&bot_bytes[..count]);
                while let Some(frame) = bot_framer.next() {
                    let (verdict, bytes) = match frame {
                        Frame::Text(text) => (ear.heard(Side::Bot, text), text.as_bytes()),
                        Frame::Garbage(garbage, bytes) => {
                            (ear.heard(Side::Bot, &garbage.shown(bytes)), bytes)
                        }
                    };
                    match verdict {
                        Verdict::Pass if intervenes => {
                            to_server.write_all(&[bytes, b"\n"].concat()).await?;
                        }
                        Verdict::Pass => {}
                        Verdict::Answer(answer) => {
                            to_bot.write_all(format!("{answer}\n").as_bytes()).await?;
                        }
                        Verdict::Cut => return Ok(End::Cut),
                    }
                }
            }
            read = from_server.read(&mut server_bytes) => {
                let count = read?;
                if count == 0 {
                    to_bot.shutdown().await?;
                    return Ok(End::Closed);
                }
                to_bot.write_all(&server_bytes[..count]).await?;
                server_framer.feed(&server_bytes[..count]);
                while let Some(frame) = server_framer.next() {
                    if let Frame::Text(text) = frame
                        && let Verdict::Cut = ear.heard(Side::Server, text)
                    {
                        return Ok(End::Cut);
                    }
                }
            }
        }
    }
}

async fn carry_frames(bot: DuplexStream, server: &str, ear: &dyn Ear) -> Result<End> {
    let mut bot = accept_async(bot).await?;
    let (mut server, _) = connect_async(url(server)).await?;
    loop {
        let (side, message) = tokio::select! {
            message = bot.next() => (Side::Bot, message),
            message = server.next() => (Side::Server, message),
        };
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(_)) | None => Message::Close(None),
        };
        if let Message::Close(_) = message {
            // Whoever is still there is told; the one who went does not hear it.
            let _ = bot.close(None).await;
            let _ = server.close(None).await;
            return Ok(End::Closed);
        }
        let verdict = match &message {
            Message::Text(text) => ear.heard(side, text),
            Message::Binary(bytes) => ear.heard(side, &Garbage::Binary.shown(bytes)),
            _ => Verdict::Pass,
        };
        match (verdict, side) {
            (Verdict::Cut, _) => return Ok(End::Cut),
            (Verdict::Answer(answer), _) => bot.send(Message::text(answer)).await?,
            // Pings are answered on each side for itself.
            (Verdict::Pass, _) if matches!(message, Message::Ping(_) | Message::Pong(_)) => {}
            (Verdict::Pass, Side::Bot) => server.send(message).await?,
            (Verdict::Pass, Side::Server) => bot.send(message).await?,
        }
    }
}

/// How long packets are waited for that go out as one.
const MERGE: Duration = Duration::from_millis(25);
/// The pause between two packets of one byte.
const DRIP: Duration = Duration::from_millis(1);
/// So many bytes at the beginning and the end of a piece are sent alone; those between go in
/// pieces of a few, or a game would take all day.
const DRIPS: usize = 12;
/// How late a slow server is: for the first packets, and from then on.
const LATE_AT_FIRST: (u32, Duration) = (4, Duration::from_millis(700));
const LATE: Duration = Duration::from_millis(15);

async fn pace(
    pacing: Pacing,
    from: &mut (impl AsyncReadExt + Unpin),
    mut to: OwnedWriteHalf,
) -> std::io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    for packet in 0.. {
        let mut count = from.read(&mut buffer).await?;
        if count == 0 {
            break;
        }
        match pacing {
            Pacing::Plain => to.write_all(&buffer[..count]).await?,
            Pacing::Slow => {
                let (early, longer) = LATE_AT_FIRST;
                tokio::time::sleep(if packet < early { longer } else { LATE }).await;
                to.write_all(&buffer[..count]).await?;
            }
            Pacing::Merged => {
                let until = tokio::time::Instant::now() + MERGE;
                while count < buffer.len() {
                    let more = from.read(&mut buffer[count..]);
                    match tokio::time::timeout_at(until, more).await {
                        Ok(more) if more.as_ref().is_ok_and(|more| *more > 0) => count += more?,
                        _ => break,
                    }
                }
                to.write_all(&buffer[..count]).await?;
            }
            Pacing::Split => drip(&buffer[..count], &mut to).await?,
        }
    }
    to.shutdown().await
}

async fn drip(bytes: &[u8], to: &mut OwnedWriteHalf) -> std::io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        let alone = at < DRIPS || bytes.len() - at <= DRIPS;
        // Pieces of changing length, so that every kind of place gets cut.
        let length = if alone { 1 } else { (3 + at % 61).min(bytes.len() - DRIPS - at) };
        to.write_all(&bytes[at..at + length]).await?;
        at += length;
        tokio::time::sleep(DRIP).await;
    }
    Ok(())
}
