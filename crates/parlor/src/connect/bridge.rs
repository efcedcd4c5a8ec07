//! One bot's connection, carried to the server and back.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use hall::{hide_keys, hide_tokens};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::Message;
use wire::{AnyDialect, Frame, Framer, Framing};

use super::server::Server;
use crate::bots::{BrowserFilter, no_pages, play_path};
use crate::servers::Socket;
use crate::terminal::output;

pub struct Bridge {
    pub wire: AnyDialect,
    pub server: Arc<Server>,
    pub trace: bool,
}

/// Who ended a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Bot,
    Server,
    /// The way to the server is lost, and with it what the server knew of the bot.
    Lost,
}

impl Bridge {
    /// Carries a connection until one side ends it; then the other side's is ended too, as if there
    /// were nothing in between.
    pub async fn carry(self: Arc<Bridge>, bot: TcpStream) {
        let name = self.wire.name;
        match self.try_carry(bot).await {
            Ok(End::Bot) => self.remark("the bot has closed its connection"),
            Ok(End::Server) => self.remark("the server has closed the connection"),
            Ok(End::Lost) => output::note(&format!(
                "{name}: the connection to {} was lost; {}",
                self.server,
                match self.wire.way_back {
                    true => "a bot that reconnects gets its seat back",
                    false => "this protocol has no reconnect, so the bot is out of its game",
                }
            )),
            Err(error) => output::error(&format!("{name}: {}: {error:#}", self.server)),
        }
    }

    async fn try_carry(&self, bot: TcpStream) -> Result<End> {
        bot.set_nodelay(true)?;
        let is_websocket = matches!(self.wire.framing, Framing::WebSocket { .. });
        let path = play_path(&self.wire);
        // A bot that speaks WebSocket is answered before the server is asked.
        if is_websocket {
            let accepted = accept_hdr_async(bot, no_pages).await;
            let bot = accepted.context("this is not a bot that speaks WebSocket")?;
            let server = self.server.connect(&path).await?;
            return self.carry_messages(bot, server).await;
        }
        self.carry_bytes(bot, &path).await
    }

    /// The server's side cuts the bytes into messages, so they travel as they come.
    async fn carry_bytes(&self, bot: TcpStream, path: &str) -> Result<End> {
        let mut server = self.server.connect(path).await?;
        let mut filter = BrowserFilter::default();
        let framer = || self.wire.framing.with_max(1 << 20).framer();
        let (mut bot_framer, mut server_framer) = (framer(), framer());
        let (mut from_bot, mut to_bot) = bot.into_split();
        let mut buffer = vec![0; 16 * 1024];
        loop {
            tokio::select! {
                read = from_bot.read(&mut buffer) => {
                    let bytes = &buffer[..read.unwrap_or(0)];
                    if bytes.is_empty() {
                        // The other side may have closed the connection already.
                        let _ = server.close(None).await;
                        return Ok(End::Bot);
                    }
                    let Ok(bytes) = filter.pass(bytes) else {
                        let _ = server.close(None).await;
                        bail!("a browser connected; this port is for bots on this machine");
                    };
                    if bytes.is_empty() {
                        continue;
                    }
                    self.show(">>>", bytes, &mut *bot_framer);
                    if server.send(Message::binary(bytes.to_vec())).await.is_err() {
                        return Ok(End::Lost);
                    }
                }
                message = server.next() => {
                    let bytes = match message {
                        Some(Ok(Message::Binary(bytes))) => bytes,
                        Some(Ok(Message::Text(text))) => text.into(),
                        Some(Ok(Message::Close(_))) => {
                            let _ = to_bot.shutdown().await;
                            return Ok(End::Server);
                        }
                        Some(Ok(_)) => continue,
                        Some(Err(_)) | None => return Ok(End::Lost),
                    };
                    self.show("<<<", &bytes, &mut *server_framer);
                    if to_bot.write_all(&bytes).await.is_err() {
                        return Ok(End::Bot);
                    }
                }
            }
        }
    }

    async fn carry_messages(
        &self,
        mut bot: tokio_tungstenite::WebSocketStream<TcpStream>,
        mut server: Socket,
    ) -> Result<End> {
        loop {
            tokio::select! {
                message = bot.next() => match message {
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                        self.show_message(">>>", &message);
                        if server.send(message).await.is_err() {
                            return Ok(End::Lost);
                        }
                    }
                    // Pings are answered on each side for itself.
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => {
                        let _ = server.close(None).await;
                        return Ok(End::Bot);
                    }
                },
                message = server.next() => match message {
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                        self.show_message("<<<", &message);
                        if bot.send(message).await.is_err() {
                            return Ok(End::Bot);
                        }
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                    Some(Ok(Message::Close(frame))) => {
                        let _ = bot.close(frame).await;
                        return Ok(End::Server);
                    }
                    Some(Err(_)) | None => return Ok(End::Lost),
                },
            }
        }
    }

    /// Shows the messages that these bytes complete.
    fn show(&self, direction: &str, bytes: &[u8], framer: &mut dyn Framer) {
        if !self.trace {
            return;
        }
        framer.feed(bytes);
        while let Some(frame) = framer.next() {
            match frame {
                Frame::Text(text) => self.line(direction, text),
                Frame::Garbage(garbage, bytes) => self.line(direction, &garbage.shown(bytes)),
            }
        }
    }

    fn show_message(&self, direction: &str, message: &Message) {
        match message {
            Message::Text(text) if self.trace => self.line(direction, text),
            Message::Binary(bytes) if self.trace => {
                self.line(direction, &format!("{} bytes that are not text", bytes.len()));
            }
            _ => {}
        }
    }

    fn remark(&self, text: &str) {
        if self.trace {
            self.line("--", text);
        }
    }

    fn line(&self, direction: &str, text: &str) {
        output::note(&format!("{} {direction} {}", self.wire.name, hide_tokens(&hide_keys(text))));
    }
}
