//! A lane: games one after another, with the same bots.

use std::collections::VecDeque;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use rules::{Dice, Seed};
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::time::Instant;
use wire::AnyDialect;

use super::game::{Efforts, End, Game, Played};
use super::house::{House, NewTable};
use super::worker::{Credentials, Kind, Worker};
use crate::bots::{Cell, Confinement, MessageObserver};

/// What all lanes share.
pub struct Match {
    pub house: Arc<House>,
    pub wire: Arc<AnyDialect>,
    /// Tables are called by this and their number.
    pub title: String,
    pub bots: Vec<Kind>,
    /// What each of them is called at the tables, where that is said and the protocol allows it.
    pub called: Vec<Option<String>>,
    /// The seed of every game, if all are to have the same cards.
    pub deal: Option<u64>,
    pub games: u64,
    pub seed: u64,
    pub order: Order,
    pub options: Map<String, Value>,
    pub join_timeout: Duration,
    pub game_timeout: Duration,
    /// Whether a game is given up when a command ends in the middle of it. Otherwise that bot is
    /// out, and the others play on.
    pub ends_with_commands: bool,
    /// The number of the next game.
    pub next: AtomicU64,
    /// How many names have been given to bots.
    pub names: Arc<AtomicUsize>,
    /// Who listens to the commands' connections, besides.
    pub observer: Option<Arc<dyn MessageObserver>>,
    /// How commands are confined.
    pub confinement: Confinement,
    /// How many bots have been confined.
    pub cells: AtomicUsize,
}

/// Who sits where in which game, and what is dealt.
#[derive(Clone, Debug)]
pub enum Order {
    /// Every game moves each bot one seat on, and has its own deal.
    Rotation,
    /// Each deal is played from all seatings: the number of the bot, seat by seat. `fresh`: these
    /// are dealt for each game.
    Blocks { seatings: Vec<Vec<usize>>, fresh: bool },
}

impl Order {
    /// The number of the bot, seat by seat.
    pub fn seated(&self, number: u64, bots: usize) -> Vec<usize> {
        match self {
            Order::Rotation => {
                let first = (number % bots as u64) as usize;
                (0..bots).map(|seat| (seat + first) % bots).collect()
            }
            Order::Blocks { seatings, .. } => {
                seatings[(number % seatings.len() as u64) as usize].clone()
            }
        }
    }

    /// The seed of a game's deal. Readers of JSON may have no more than 53 bits for it.
    pub fn deal(&self, seed: u64, label: &str, number: u64) -> u64 {
        let number = match self {
            Order::Blocks { seatings, fresh: false } => number / seatings.len() as u64,
            Order::Blocks { fresh: true, .. } | Order::Rotation => number,
        };
        let seed = Dice::new(&Seed::from_number(seed), label, number).seed().0;
        u64::from_le_bytes(seed[..8].try_into().expect("eight bytes")) >> 11
    }
}

impl Match {
    /// The name with which a bot begins: its own, or one like all others.
    fn first_name(&self, bot: usize) -> String {
        let own = self.called.get(bot).cloned().flatten();
        own.filter(|name| (self.wire.is_name)(name)).unwrap_or_else(|| self.new_name())
    }

    /// The name of a bot that was started again where its old one is still kept: its own with a number.
    fn next_name(&self, bot: usize) -> String {
        let number = self.names.load(Ordering::Relaxed) + 1;
        let own = self.called.get(bot).cloned().flatten().map(|name| format!("{name}-{number}"));
        // The number is used up in any case.
        let other = self.new_name();
        own.filter(|name| (self.wire.is_name)(name)).unwrap_or(other)
    }

    fn new_name(&self) -> String {
        (self.wire.signs.nth_name)(self.names.fetch_add(1, Ordering::Relaxed))
    }

    /// How one more bot is confined.
    fn new_cell(&self, kind: &Kind) -> Result<Cell> {
        match kind {
            Kind::Command(command) => {
                self.confinement.of(self.cells.fetch_add(1, Ordering::Relaxed), command)
            }
            Kind::House(_) | Kind::Running(_) => Ok(Cell::default()),
        }
    }

    /// The key of a name that a command plays under. House bots have none.
    async fn key(&self, kind: &Kind, name: &str) -> Result<Option<String>> {
        match kind {
            Kind::Command(_) => self.house.claim(&self.wire, name).await,
            Kind::House(_) | Kind::Running(_) => Ok(None),
        }
    }
}

/// Time that programs have to end by themselves after the last game.
const FAREWELL: Duration = Duration::from_secs(2);

pub struct Lane {
    shared: Arc<Match>,
    workers: Vec<Worker>,
}

/// How a command took the end of the last game.
#[derive(Debug)]
pub enum CommandEnd {
    Ended(ExitStatus),
    Stayed,
}

impl Lane {
    pub async fn new(shared: Arc<Match>) -> Result<Lane> {
        let mut workers = Vec::new();
        for (number, kind) in shared.bots.clone().into_iter().enumerate() {
            let (name, cell) = (shared.first_name(number), shared.new_cell(&kind)?);
            let key = shared.key(&kind, &name).await?;
            let credentials = Credentials { name, key, http: shared.house.http(), cell };
            workers.push(
                Worker::new(&kind, credentials, &shared.wire, shared.observer.clone()).await?,
            );
        }
        Ok(Lane { shared, workers })
    }

    pub async fn run(mut self, results: mpsc::Sender<Played>) -> Result<Vec<CommandEnd>> {
        let mut waiting: VecDeque<(u64, NewTable)> = VecDeque::new();
        loop {
            // The next table is open before this one's game is over: a bot that stays connected
            // finds it at once.
            while waiting.len() < 2 {
                let number = self.shared.next.fetch_add(1, Ordering::Relaxed);
                if number >= self.shared.games {
                    break;
                }
                let table = self.table(number);
                self.shared.house.open(&table).await?;
                waiting.push_back((number, table));
            }
            for worker in &mut self.workers {
                worker.let_in(&self.shared.wire, self.shared.house.http()).await?;
            }
            let Some((number, table)) = waiting.pop_front() else { break };
            let played = self.play(number, table, &mut waiting).await?;
            results.send(played).await.context("nobody counts any more")?;
        }
        self.farewell().await
    }

    /// Plays a game. Where names are kept for players who left, a command that ended has to return
    /// under another one; then the tables that expect the old one are opened again.
    async fn play(
        &mut self,
        number: u64,
        mut table: NewTable,
        waiting: &mut VecDeque<(u64, NewTable)>,
    ) -> Result<Played> {
        let keeps_names = self.shared.wire.keeps_names;
        let mut efforts = Efforts::new(self.workers.len());
        let mut renamed = false;
        for bot in 0..self.workers.len() {
            if keeps_names && self.workers[bot].has_ended() {
                self.rename(bot).await?;
                renamed = true;
            }
        }
        loop {
            if renamed {
                self.replace(number, &mut table).await?;
                for (number, table) in &mut *waiting {
                    self.replace(*number, table).await?;
                }
            }
            let workers = &mut self.workers;
            let game = Game::begin(&self.shared, workers, number, &table, &mut efforts).await?;
            match game.run().await? {
                End::Played(played) => return Ok(*played),
                End::NamesSpent(bots) => {
                    for bot in bots {
                        self.rename(bot).await?;
                    }
                    renamed = true;
                }
            }
        }
    }

    async fn rename(&mut self, bot: usize) -> Result<()> {
        let name = self.shared.next_name(bot);
        let key = self.shared.key(&self.shared.bots[bot], &name).await?;
        self.workers[bot].rename(name, key);
        Ok(())
    }

    /// Opens a table again under the present names, before the old one is closed: bots that sit
    /// there already find the way.
    async fn replace(&self, number: u64, table: &mut NewTable) -> Result<()> {
        let mut new = self.table(number);
        if new.names != table.names {
            let names = self.shared.names.load(Ordering::Relaxed);
            new.id = format!("{}-{names}", new.id);
            self.shared.house.open(&new).await?;
            let old = std::mem::replace(table, new);
            self.shared.house.close(&old.id).await?;
        }
        Ok(())
    }

    /// The table of a game.
    fn table(&self, number: u64) -> NewTable {
        let Match { order, title, options, seed, .. } = &*self.shared;
        let seated = order.seated(number, self.workers.len());
        let names = seated.into_iter().map(|bot| self.workers[bot].name.clone()).collect();
        let id = format!("{title}-{}", number + 1);
        let seed = self.shared.deal.unwrap_or_else(|| order.deal(*seed, "play", number));
        NewTable { id, names, seed, options: options.clone() }
    }

    /// Lets every program end by itself, and ends those that do not.
    async fn farewell(&mut self) -> Result<Vec<CommandEnd>> {
        let until = Instant::now() + FAREWELL;
        let mut farewells = Vec::new();
        for worker in &mut self.workers {
            let Some(program) = worker.program().filter(|program| program.is_running()) else {
                continue;
            };
            farewells.push(match tokio::time::timeout_at(until, program.ended()).await {
                Ok(status) => CommandEnd::Ended(status.context("a bot cannot be waited for")?),
                Err(_) => CommandEnd::Stayed,
            });
            program.kill();
        }
        Ok(farewells)
    }
}
