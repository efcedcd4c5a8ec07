//! A relay between a bot and its server. Its holder sees every message of both sides, and can
//! change how they arrive; the bot can take one seat through it, under its own name.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::{self, Message};
use wire::{Frame, Framer, Framing, Garbage};

use super::bot_bytes::BotBytes;
use super::browsers::no_pages;
use super::conduct::Conduct;
use super::jail_socket::JailSocket;
use super::pacing::{Pacing, pace};
use super::route::ServerRoute;

/// Brings the connections of one bot to the server, one at a time, for one seat.
pub struct Relay {
    /// Where the bot connects.
    pub address: SocketAddr,
    link: Arc<Link>,
    listening: JoinHandle<()>,
}

/// All that a relay is for.
pub struct Link {
    pub route: ServerRoute,
    pub framing: Framing,
    pub observer: Arc<dyn MessageObserver>,
    pub conduct: Arc<Conduct>,
}

/// Receives the messages.
pub trait MessageObserver: Send + Sync + 'static {
    /// A bot has connected.
    fn connected(&self) {}

    /// The bot tried something that it may not do, and its connection is cut.
    fn objected(&self, _why: &str) {}

    fn heard(&self, side: Side, text: &str) -> Verdict;

    /// The bot has sent this much of a line that has no end yet; empty when it is whole.
    fn unfinished(&self, _text: &str) {}

    /// Whether a verdict may keep a message back. If not, bytes go through as they come.
    fn intervenes(&self) -> bool {
        false
    }

    /// How what the server says arrives at the bot.
    fn pacing(&self) -> Pacing {
        Pacing::Plain
    }

    /// Whether the listener itself has ended the bot's game, so that no message needs to say so.
    fn ended_game(&self) -> bool {
        false
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
    /// It is kept from the server, and its sender gets this answer instead.
    Answer(String),
    /// It is passed on to the server when the other end says so or is dropped. Later messages of
    /// the bot wait behind it.
    Hold(oneshot::Receiver<()>),
    /// The connection is cut.
    Cut,
}

/// Any free port of this machine.
pub const ANYWHERE: &str = "127.0.0.1:0";

/// This many connections wait while the bot has one already; further ones are closed.
const WAITING: usize = 8;

impl Relay {
    pub async fn start(link: Link) -> Result<Relay> {
        Relay::start_at(ANYWHERE, link).await
    }

    /// `at`: where bots connect.
    pub async fn start_at(at: &str, link: Link) -> Result<Relay> {
        let bound = TcpListener::bind(at).await;
        let listener = bound.with_context(|| format!("cannot listen at {at}"))?;
        let (address, link) = (listener.local_addr()?, Arc::new(link));
        let listening = tokio::spawn(listen(listener, link.clone()));
        Ok(Relay { address, link, listening })
    }

    /// A relay for a bot in its own network, where it is to connect to this port. Each program that
    /// is started hands out a listener from there.
    pub fn inside(port: u16, link: Link) -> Relay {
        let address = (Ipv4Addr::LOCALHOST, port).into();
        Relay { address, link: Arc::new(link), listening: tokio::spawn(async {}) }
    }

    /// From now on the bot connects where the other end of this socket hands out a listener.
    pub fn listen_inside(&mut self, door: JailSocket) {
        self.listening.abort();
        let link = self.link.clone();
        self.listening = tokio::spawn(async move {
            let taken = move || (door.receive_listener(), door);
            let taken = tokio::task::spawn_blocking(taken).await;
            // A program that hands out nothing has ended; its own words say why.
            let Ok((Ok(Some(listener)), door)) = taken else { return };
            link.conduct.watch(door);
            if listener.set_nonblocking(true).is_ok()
                && let Ok(listener) = TcpListener::from_std(listener)
            {
                listen(listener, link).await;
            }
        });
    }

    pub fn conduct(&self) -> &Conduct {
        &self.link.conduct
    }

    /// From now on the bot plays under this name, with this key.
    pub fn rename(&self, name: &str, key: Option<String>) {
        self.link.conduct.rename(name);
        self.link.route.use_key(key);
    }
}

/// Its connections end with it.
impl Drop for Relay {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Connections that wait until the bot's present one has ended. Any that still wait at the end were
/// too many.
struct Queue {
    waiting: VecDeque<TcpStream>,
    link: Arc<Link>,
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.waiting.iter().for_each(|_| self.link.conduct.one_too_many());
    }
}

async fn listen(listener: TcpListener, link: Arc<Link>) {
    let mut queue = Queue { waiting: VecDeque::new(), link: link.clone() };
    let mut present: JoinSet<()> = JoinSet::new();
    loop {
        if present.is_empty()
            && let Some(next) = queue.waiting.pop_front()
        {
            present.spawn(carry(next, link.clone()));
        }
        tokio::select! {
            // One that has ended makes room before the next is looked at.
            biased;
            Some(_) = present.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((bot, _)) if queue.waiting.len() < WAITING => queue.waiting.push_back(bot),
                Ok(_) => link.conduct.one_too_many(),
                Err(_) => return,
            }
        }
    }
}

/// Bytes on their way between the two halves of a relay.
const BUFFER: usize = 64 * 1024;

/// Carries one connection to its end. Either side may close at any time: that is no error here, the
/// other side sees it.
async fn carry(bot: TcpStream, link: Arc<Link>) {
    link.observer.connected();
    let pacing = link.observer.pacing();
    let (inner, outer) = duplex(BUFFER);
    let (mut forth, mut back) = (JoinSet::new(), JoinSet::new());
    if bot.set_nodelay(true).is_err() {
        return;
    }
    let (mut from_bot, to_bot) = bot.into_split();
    let (mut heard, mut said) = tokio::io::split(outer);
    forth.spawn(async move {
        let _ = tokio::io::copy(&mut from_bot, &mut said).await;
        let _ = said.shutdown().await;
    });
    back.spawn(async move {
        let _ = pace(pacing, &mut heard, to_bot).await;
    });
    let carried = match link.framing {
        Framing::WebSocket { .. } => carry_frames(inner, &link).await,
        Framing::Lines { .. } | Framing::JsonValues { .. } => {
            let framer = || link.framing.with_max(1 << 20).framer();
            carry_bytes(inner, [framer(), framer()], &link).await
        }
    };
    // What was said last gets there before the end; the bot itself may never close its side.
    if let Ok(End::Closed) = carried {
        back.join_next().await;
    }
    forth.shutdown().await;
    back.shutdown().await;
}

impl Link {
    /// What becomes of a bot's message.
    pub fn judge(&self, text: &str) -> Verdict {
        let verdict = self.observer.heard(Side::Bot, text);
        match self.conduct.objection(text) {
            Some(why) => {
                self.observer.objected(&why);
                Verdict::Cut
            }
            None => verdict,
        }
    }

    /// Whether a message that these bytes of the server complete ends the connection.
    fn server_is_cut_off(&self, framer: &mut dyn Framer, bytes: &[u8]) -> bool {
        framer.feed(bytes);
        while let Some(frame) = framer.next() {
            if let Frame::Text(text) = frame
                && let Verdict::Cut = self.observer.heard(Side::Server, text)
            {
                return true;
            }
        }
        false
    }

    fn refuse_browser(&self) -> End {
        self.conduct.browser();
        self.observer.objected("a browser connected");
        End::Cut
    }
}

enum End {
    Closed,
    Cut,
}

/// What a bot has said that waits until the server may have it.
pub struct Held<M> {
    pub until: oneshot::Receiver<()>,
    pub messages: Vec<M>,
}

impl<M> Held<M> {
    /// The messages, once they may be passed on; never, if there are none.
    async fn released(held: &mut Option<Held<M>>) -> Vec<M> {
        match held {
            // A holder that is gone keeps nothing back.
            Some(waiting) => _ = (&mut waiting.until).await,
            None => std::future::pending().await,
        }
        held.take().map(|held| held.messages).unwrap_or_default()
    }
}

async fn carry_bytes(
    bot: DuplexStream,
    [framer, mut server_framer]: [Box<dyn Framer>; 2],
    link: &Link,
) -> Result<End> {
    let mut server = link.route.open().await?;
    let (mut from_bot, mut to_bot) = tokio::io::split(bot);
    let mut bot = BotBytes::new(link, framer);
    let mut buffer = vec![0; 4096];
    loop {
        tokio::select! {
            messages = Held::released(&mut bot.held) => {
                server.send(Message::binary(messages.concat())).await?;
            }
            read = from_bot.read(&mut buffer) => {
                let count = read?;
                if count == 0 {
                    // The server may have closed the connection already.
                    let _ = server.close(None).await;
                    return Ok(End::Closed);
                }
                let Ok(judged) = bot.judge(&buffer[..count]) else {
                    return Ok(link.refuse_browser());
                };
                for answer in judged.answers {
                    to_bot.write_all(answer.as_bytes()).await?;
                }
                if judged.is_cut {
                    return Ok(End::Cut);
                }
                if !judged.passed.is_empty() {
                    server.send(Message::binary(judged.passed)).await?;
                }
            }
            message = server.next() => {
                let bytes = match message {
                    Some(Ok(Message::Binary(bytes))) => bytes,
                    Some(Ok(Message::Text(text))) => text.into(),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => {
                        to_bot.shutdown().await?;
                        return Ok(End::Closed);
                    }
                    Some(Ok(_)) => continue,
                };
                to_bot.write_all(&bytes).await?;
                if link.server_is_cut_off(&mut *server_framer, &bytes) {
                    return Ok(End::Cut);
                }
            }
        }
    }
}

async fn carry_frames(bot: DuplexStream, link: &Link) -> Result<End> {
    let mut bot = match accept_hdr_async(bot, no_pages).await {
        Ok(bot) => bot,
        Err(tungstenite::Error::Http(_)) => return Ok(link.refuse_browser()),
        Err(error) => return Err(error.into()),
    };
    let mut server = link.route.open().await?;
    let mut held: Option<Held<Message>> = None;
    loop {
        let (side, message) = tokio::select! {
            messages = Held::released(&mut held) => {
                for message in messages {
                    server.send(message).await?;
                }
                continue;
            }
            message = bot.next() => (Side::Bot, message),
            message = server.next() => (Side::Server, message),
        };
        let message = match message {
            Some(Ok(message)) => message,
            Some(Err(_)) | None => Message::Close(None),
        };
        if let Message::Close(_) = message {
            // The side that is still connected receives a close frame; the other no longer can.
            let _ = bot.close(None).await;
            let _ = server.close(None).await;
            return Ok(End::Closed);
        }
        let verdict = match (&message, side) {
            (Message::Text(text), Side::Bot) => link.judge(text),
            (Message::Text(text), Side::Server) => link.observer.heard(side, text),
            (Message::Binary(bytes), _) => link.observer.heard(side, &Garbage::Binary.shown(bytes)),
            _ => Verdict::Pass,
        };
        match (verdict, side) {
            (Verdict::Cut, _) => return Ok(End::Cut),
            (Verdict::Answer(answer), _) => bot.send(Message::text(answer)).await?,
            // Pings are answered on each side for itself.
            (Verdict::Pass, _) if matches!(message, Message::Ping(_) | Message::Pong(_)) => {}
            (Verdict::Hold(until), _) => held = Some(Held { until, messages: vec![message] }),
            (Verdict::Pass, Side::Bot) => match &mut held {
                Some(held) => held.messages.push(message),
                None => server.send(message).await?,
            },
            (Verdict::Pass, Side::Server) => bot.send(message).await?,
        }
    }
}
