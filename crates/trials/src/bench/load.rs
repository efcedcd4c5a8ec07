//! Many clients at once, and what they measure.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout_at};
use wire::{AnyDialect, Framing, Trial};

use super::http_line::HttpLine;
use super::players;
use crate::driver::{Driver, Happening};

/// Time for all players to sit down before counting begins.
pub const WARM_UP: Duration = Duration::from_secs(1);

/// What clients observed while counting.
#[derive(Debug, Default)]
pub struct LoadCounts {
    pub games: u64,
    pub moves: u64,
    pub sent: u64,
    pub received: u64,
    pub sent_bytes: u64,
    /// From sending a move to the next message, in microseconds.
    pub latencies_us: Vec<u32>,
}

impl LoadCounts {
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

/// State shared by all clients.
#[derive(Debug, Default)]
struct Counting {
    /// Set while they are counted.
    tally: Mutex<Option<LoadCounts>>,
    stopping: AtomicBool,
}

impl Counting {
    fn count(&self, add: impl FnOnce(&mut LoadCounts)) {
        if let Some(tally) = &mut *self.tally.lock().expect("no client has panicked") {
            add(tally);
        }
    }
}

/// Tables whose players play game after game.
#[derive(Debug)]
pub struct Crowd {
    phase: Arc<Counting>,
    clients: JoinSet<Result<()>>,
    makers: JoinSet<Result<()>>,
}

impl Crowd {
    /// Seats players at these tables; each table's have names of their own. Where tables are made over
    /// HTTP, there must be `http`.
    pub fn seat(
        (sport, wire): (Trial, &AnyDialect),
        (tables, strategy): (Range<usize>, &str),
        address: &str,
        http: Option<&str>,
    ) -> Result<Crowd> {
        let phase = Arc::new(Counting::default());
        let mut crowd =
            Crowd { phase: phase.clone(), clients: JoinSet::new(), makers: JoinSet::new() };
        for table in tables {
            let (sender, tables) = watch::channel(Vec::new());
            let (progress, begun) = watch::channel(0);
            let progress = Arc::new(progress);
            if sport.named_tables {
                let http = http.context("tables are made over HTTP: say --http HOST:PORT")?;
                let http = http.to_owned();
                crowd.makers.spawn(keep_tables_coming(http, sport.seats, sender, begun));
            }
            for seat in 0..sport.seats {
                let player = players::client(wire, strategy, table * sport.seats + seat)?;
                let client = Client {
                    named_tables: sport.named_tables,
                    framing: wire.framing,
                    address: address.to_owned(),
                    tables: tables.clone(),
                    progress: progress.clone(),
                    phase: phase.clone(),
                };
                crowd.clients.spawn(client.play(player));
            }
        }
        Ok(crowd)
    }

    /// Counts what they do in some time; also how much time that was.
    pub async fn count(&self, seconds: u64) -> (LoadCounts, f64) {
        let start = Instant::now();
        let tally = || self.phase.tally.lock().expect("no client has panicked");
        *tally() = Some(LoadCounts::default());
        sleep(Duration::from_secs(seconds)).await;
        let counted = tally().take().expect("just set");
        (counted, start.elapsed().as_secs_f64())
    }

    /// Has them stop. The error is the first client's that has failed.
    pub async fn disperse(mut self) -> Result<()> {
        self.phase.stopping.store(true, Ordering::Relaxed);
        self.makers.shutdown().await;
        let patience = tokio::time::Instant::now() + Duration::from_secs(15);
        // A client that receives nothing more is abandoned.
        while let Ok(Some(done)) = timeout_at(patience, self.clients.join_next()).await {
            done??;
        }
        Ok(())
    }
}

/// One client of a table: plays game after game until stopped.
struct Client {
    named_tables: bool,
    framing: Framing,
    address: String,
    /// The names of the tables to sit at, one after another, where tables have names.
    tables: watch::Receiver<Vec<String>>,
    /// How many games this table's players have begun.
    progress: Arc<watch::Sender<usize>>,
    phase: Arc<Counting>,
}

impl Client {
    async fn play(mut self, player: Box<dyn wire::Client>) -> Result<()> {
        let mut driver = Driver::new(player, &self.address, self.framing);
        driver.connect().await?;
        for game in 0.. {
            let Some(table) = self.table(game).await else { break };
            self.progress.send_if_modified(|begun| {
                let further = *begun < game + 1;
                *begun = (*begun).max(game + 1);
                further
            });
            driver.seek(table.as_deref());
            if !self.play_game(&mut driver).await? {
                break;
            }
        }
        Ok(())
    }

    async fn table(&mut self, game: usize) -> Option<Option<String>> {
        if !self.named_tables {
            return Some(None);
        }
        let tables = self.tables.wait_for(|tables| tables.len() > game).await.ok()?;
        Some(Some(tables[game].clone()))
    }

    /// Plays one game. False: the bench is over.
    async fn play_game(&self, driver: &mut Driver) -> Result<bool> {
        let mut moved: Option<Instant> = None;
        loop {
            match driver.next().await {
                Happening::Sends(text, is_move) => {
                    if is_move {
                        moved = Some(Instant::now());
                    }
                    self.phase.count(|tally| {
                        tally.moves += u64::from(is_move);
                        tally.sent += 1;
                        tally.sent_bytes += text.len() as u64 + 1;
                    });
                }
                Happening::Hears => {
                    let latency = moved.take().map(|moved| moved.elapsed().as_micros() as u32);
                    self.phase.count(|tally| {
                        tally.latencies_us.extend(latency);
                        tally.received += 1;
                    });
                    if self.phase.stopping.load(Ordering::Relaxed) {
                        return Ok(false);
                    }
                }
                Happening::Over(_) => {
                    self.phase.count(|tally| tally.games += 1);
                    return Ok(true);
                }
                Happening::HungUp | Happening::Lost(_) => driver.connect().await?,
                Happening::Refused(why) | Happening::GiveUp(why) => bail!("refused: {why}"),
            }
        }
    }
}

/// Keeps two tables ahead of its players.
async fn keep_tables_coming(
    http: String,
    seats: usize,
    tables: watch::Sender<Vec<String>>,
    mut begun: watch::Receiver<usize>,
) -> Result<()> {
    let mut maker = HttpLine::connect(&http, None).await?;
    let wish = format!("{{\"max_players\":{seats}}}");
    loop {
        let answer = maker.ask("POST", "/api/games", &wish).await?;
        let answer: serde_json::Value = serde_json::from_slice(answer)?;
        let id = answer["id"].as_str().with_context(|| format!("no table was made: {answer}"))?;
        let id = id.to_owned();
        tables.send_modify(|tables| tables.push(id));
        let made = tables.borrow().len();
        // When the sender of this counter is gone, so are the players.
        if begun.wait_for(|begun| made < begun + 2).await.is_err() {
            return Ok(());
        }
    }
}
