//! Many clients at once, and what they measure.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::players::{Heard, Player, Saying, Sport};

/// What one client, or all of them, have seen.
#[derive(Debug, Default)]
pub struct Tally {
    pub games: u64,
    pub moves: u64,
    pub sent: u64,
    pub received: u64,
    pub sent_bytes: u64,
    /// From sending a move to the next message, in microseconds.
    pub latencies_us: Vec<u32>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.moves += other.moves;
        self.sent += other.sent;
        self.received += other.received;
        self.sent_bytes += other.sent_bytes;
        self.latencies_us.extend(other.latencies_us);
    }

    /// The latency that this share of moves keeps below.
    pub fn percentile(&mut self, share: f64) -> u32 {
        self.latencies_us.sort_unstable();
        let index = (self.latencies_us.len() as f64 * share) as usize;
        self.latencies_us
            .get(index.min(self.latencies_us.len().saturating_sub(1)))
            .copied()
            .unwrap_or(0)
    }
}

/// Whether clients count what they do, and whether they go on.
pub struct Phase {
    pub counting: AtomicBool,
    pub stopping: AtomicBool,
}

/// One client of a table: plays game after game until told to stop.
pub struct Client {
    pub sport: &'static Sport,
    pub address: String,
    pub name: String,
    /// The names of the tables to sit at, one after another, where tables have names.
    pub tables: watch::Receiver<Vec<String>>,
    /// How many games this table's players have begun.
    pub progress: Arc<watch::Sender<usize>>,
    pub phase: Arc<Phase>,
}

impl Client {
    pub async fn play(mut self) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut player = (self.sport.player)(self.name.clone());
        let mut line = Line::connect(&self.address, self.sport.websocket).await?;
        for game in 0.. {
            let Some(table) = self.table(game).await else { break };
            self.progress.send_if_modified(|begun| {
                let further = *begun < game + 1;
                *begun = (*begun).max(game + 1);
                further
            });
            match self.play_game(&mut *player, &mut line, &table, &mut tally).await? {
                Some(Heard::OverAndClosed) => {
                    line = Line::connect(&self.address, self.sport.websocket).await?;
                    player = (self.sport.player)(self.name.clone());
                }
                Some(_) => {}
                None => break,
            }
        }
        Ok(tally)
    }

    async fn table(&mut self, game: usize) -> Option<String> {
        if !self.sport.named_tables {
            return Some(String::new());
        }
        let tables = self.tables.wait_for(|tables| tables.len() > game).await.ok()?;
        Some(tables[game].clone())
    }

    /// Plays one game. None: the bench is over.
    async fn play_game(
        &self,
        player: &mut dyn Player,
        line: &mut Line,
        table: &str,
        tally: &mut Tally,
    ) -> Result<Option<Heard>> {
        let mut say = Vec::new();
        let mut moved: Option<Instant> = None;
        player.open(table, &mut say);
        loop {
            let counting = self.phase.counting.load(Ordering::Relaxed);
            for saying in say.drain(..) {
                let text = match saying {
                    Saying::Move(text) => {
                        moved = Some(Instant::now());
                        tally.moves += u64::from(counting);
                        text
                    }
                    Saying::Other(text) => text,
                };
                tally.sent += u64::from(counting);
                tally.sent_bytes += if counting { text.len() as u64 + 1 } else { 0 };
                line.queue(text);
            }
            line.flush().await?;
            if self.phase.stopping.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let Some(message) = line.receive().await? else { return Ok(None) };
            if let Some(moved) = moved.take().filter(|_| counting) {
                tally.latencies_us.push(moved.elapsed().as_micros() as u32);
            }
            tally.received += u64::from(counting);
            match player.hear(message, &mut say) {
                Heard::GoOn => {}
                over => {
                    tally.games += u64::from(counting);
                    for saying in say.drain(..) {
                        let (Saying::Move(text) | Saying::Other(text)) = saying;
                        line.queue(text);
                    }
                    line.flush().await?;
                    return Ok(Some(over));
                }
            }
        }
    }
}

/// A connection, whatever carries its messages. It costs as little as a client can, so that what
/// is measured is the server.
pub enum Line {
    Tcp {
        socket: TcpStream,
        input: Input,
        out: String,
    },
    WebSocket {
        socket: Box<WebSocketStream<MaybeTlsStream<TcpStream>>>,
        heard: Utf8Bytes,
        out: Vec<String>,
    },
}

/// Bytes that were read, of which `taken..` are still to be looked at.
#[derive(Default)]
pub struct Input {
    bytes: Vec<u8>,
    taken: usize,
}

impl Input {
    /// The end of the next line, its `\n` not included.
    fn line_end(&self) -> Option<usize> {
        let end = self.bytes[self.taken..].iter().position(|byte| *byte == b'\n');
        end.map(|length| self.taken + length)
    }

    fn take(&mut self, end: usize) -> Result<&str> {
        let start = std::mem::replace(&mut self.taken, end + 1);
        Ok(std::str::from_utf8(&self.bytes[start..end])?.trim_end())
    }

    fn forget_taken(&mut self) {
        self.bytes.drain(..self.taken);
        self.taken = 0;
    }
}

impl Line {
    pub async fn connect(address: &str, websocket: bool) -> Result<Line> {
        if websocket {
            let (socket, _) =
                connect_async(format!("ws://{address}/")).await.context(address.to_owned())?;
            let (socket, heard) = (Box::new(socket), Utf8Bytes::default());
            return Ok(Line::WebSocket { socket, heard, out: Vec::new() });
        }
        let socket = TcpStream::connect(address).await.with_context(|| address.to_owned())?;
        Ok(Line::Tcp { socket, input: Input::default(), out: String::new() })
    }

    pub fn queue(&mut self, text: String) {
        match self {
            Line::Tcp { out, .. } => {
                out.push_str(&text);
                out.push('\n');
            }
            Line::WebSocket { out, .. } => out.push(text),
        }
    }

    pub async fn flush(&mut self) -> Result<()> {
        match self {
            Line::Tcp { socket, out, .. } if !out.is_empty() => {
                socket.write_all(out.as_bytes()).await?;
                out.clear();
            }
            Line::WebSocket { socket, out, .. } if !out.is_empty() => {
                for text in out.drain(..) {
                    socket.feed(Message::text(text)).await?;
                }
                socket.flush().await?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The next message; none once the server has closed.
    pub async fn receive(&mut self) -> Result<Option<&str>> {
        match self {
            Line::Tcp { socket, input, .. } => loop {
                if let Some(end) = input.line_end() {
                    return input.take(end).map(Some);
                }
                input.forget_taken();
                if socket.read_buf(&mut input.bytes).await? == 0 {
                    return Ok(None);
                }
            },
            Line::WebSocket { socket, heard, .. } => loop {
                match socket.next().await {
                    Some(Ok(Message::Text(text))) => {
                        *heard = text;
                        return Ok(Some(heard));
                    }
                    Some(Ok(Message::Close(_))) | None => return Ok(None),
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return Err(error.into()),
                }
            },
        }
    }
}

/// Makes tables over HTTP, on one connection.
pub struct TableMaker {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
}

impl TableMaker {
    pub async fn connect(address: &str) -> Result<TableMaker> {
        let (reader, writer) =
            TcpStream::connect(address).await.with_context(|| address.to_owned())?.into_split();
        Ok(TableMaker { reader: BufReader::new(reader), writer })
    }

    /// A new Sushi Go table's name.
    pub async fn make(&mut self, seats: usize) -> Result<String> {
        let body = format!("{{\"max_players\":{seats}}}");
        let length = body.len();
        let request = format!(
            "POST /api/games HTTP/1.1\r\nHost: bench\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.writer.write_all(request.as_bytes()).await?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).await? == 0 {
                bail!("the server closed the HTTP connection");
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).await?;
        let answer: serde_json::Value = serde_json::from_slice(&body)?;
        let id = answer["id"].as_str().with_context(|| format!("no table was made: {answer}"))?;
        Ok(id.to_owned())
    }
}
