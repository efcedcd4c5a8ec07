//! Many clients at once, and what they measure.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use games::wires::Wire;
use hall::Time;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::watch;
use wire::Reaction;

use super::players::Sport;
use crate::line::Line;

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
    pub wire: Arc<Wire>,
    pub address: String,
    pub number: usize,
    /// The names of the tables to sit at, one after another, where tables have names.
    pub tables: watch::Receiver<Vec<String>>,
    /// How many games this table's players have begun.
    pub progress: Arc<watch::Sender<usize>>,
    pub phase: Arc<Phase>,
}

impl Client {
    pub async fn play(mut self) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut seat = Seat {
            player: self.sport.client(&self.wire, self.number)?,
            line: Line::connect(&self.address, self.wire.framing).await?,
            begin: Instant::now(),
            reactions: Vec::new(),
        };
        seat.player.open(seat.now(), &mut seat.reactions);
        for game in 0.. {
            let Some(table) = self.table(game).await else { break };
            self.progress.send_if_modified(|begun| {
                let further = *begun < game + 1;
                *begun = (*begun).max(game + 1);
                further
            });
            let now = seat.now();
            seat.player.seek(now, table.as_deref(), &mut seat.reactions);
            if !self.play_game(&mut seat, &mut tally).await? {
                break;
            }
        }
        Ok(tally)
    }

    async fn table(&mut self, game: usize) -> Option<Option<String>> {
        if !self.sport.named_tables {
            return Some(None);
        }
        let tables = self.tables.wait_for(|tables| tables.len() > game).await.ok()?;
        Some(Some(tables[game].clone()))
    }

    /// Plays one game. False: the bench is over.
    async fn play_game(&self, seat: &mut Seat, tally: &mut Tally) -> Result<bool> {
        let mut moved: Option<Instant> = None;
        loop {
            let counting = self.phase.counting.load(Ordering::Relaxed);
            let (mut over, mut hangup) = (false, false);
            for reaction in std::mem::take(&mut seat.reactions) {
                let text = match reaction {
                    Reaction::Move(text) => {
                        moved = Some(Instant::now());
                        tally.moves += u64::from(counting);
                        text
                    }
                    Reaction::Say(text) => text,
                    Reaction::Over(_) => {
                        over = true;
                        continue;
                    }
                    Reaction::Hangup => {
                        hangup = true;
                        continue;
                    }
                    Reaction::Refused(why) | Reaction::GiveUp(why) => bail!("refused: {why}"),
                };
                tally.sent += u64::from(counting);
                tally.sent_bytes += if counting { text.len() as u64 + 1 } else { 0 };
                seat.line.queue(text);
            }
            seat.line.flush().await?;
            if over {
                // Whoever needs another connection for the next game says so again.
                tally.games += u64::from(counting);
                return Ok(true);
            }
            if hangup {
                seat.connect(&self.address, &self.wire).await?;
                continue;
            }
            if self.phase.stopping.load(Ordering::Relaxed) {
                return Ok(false);
            }
            if !seat.hear().await? {
                seat.connect(&self.address, &self.wire).await?;
                continue;
            }
            if let Some(moved) = moved.take().filter(|_| counting) {
                tally.latencies_us.push(moved.elapsed().as_micros() as u32);
            }
            tally.received += u64::from(counting);
        }
    }
}

/// A player and its connection.
pub struct Seat {
    pub player: Box<dyn wire::Client>,
    pub line: Line,
    begin: Instant,
    pub reactions: Vec<Reaction>,
}

impl Seat {
    fn now(&self) -> Time {
        Time(self.begin.elapsed().as_millis() as u64)
    }

    /// Waits for a message, or for the player's own clock; false once the server has closed.
    async fn hear(&mut self) -> Result<bool> {
        loop {
            let now = self.now();
            let wait = self.player.deadline().map_or(u64::MAX, |at| at.0.saturating_sub(now.0) + 1);
            let waited = Duration::from_millis(wait.min(60_000));
            match tokio::time::timeout(waited, self.line.receive()).await {
                Ok(received) => {
                    let Some(text) = received? else { return Ok(false) };
                    let now = self.now();
                    self.player.on_text(now, &text, &mut self.reactions);
                    return Ok(true);
                }
                Err(_) => {
                    let now = self.now();
                    if self.player.deadline().is_some_and(|at| at <= now) {
                        self.player.on_tick(now, &mut self.reactions);
                    }
                    for reaction in self.reactions.drain(..) {
                        if let Reaction::Say(text) | Reaction::Move(text) = reaction {
                            self.line.queue(text);
                        }
                    }
                    self.line.flush().await?;
                }
            }
        }
    }

    async fn connect(&mut self, address: &str, wire: &Wire) -> Result<()> {
        let now = self.now();
        self.player.closed(now, &mut self.reactions);
        self.line = Line::connect(address, wire.framing).await?;
        self.player.open(now, &mut self.reactions);
        Ok(())
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
