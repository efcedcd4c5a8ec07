//! A client of one protocol that plays game after game; well, or with mischief in between.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use hall::Time;
use rules::{Dice, Seed};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use wire::AnyDialect;
use wire::{Client, Reaction};

use crate::line::Line;

/// A server that says nothing for so long to somebody who plays well has forgotten it.
const SILENCE: Duration = Duration::from_secs(30);

/// What clients did and saw.
#[derive(Clone, Debug, Default)]
pub struct Experience {
    pub lives: u64,
    pub games: u64,
    pub moves: u64,
    pub refused: u64,
    pub drops: u64,
    pub resets: u64,
    pub stalls: u64,
    pub garbage: u64,
    /// Well-behaved clients that heard nothing for too long.
    pub silences: u64,
}

impl Experience {
    pub fn add(&mut self, other: &Experience) {
        self.lives += other.lives;
        self.games += other.games;
        self.moves += other.moves;
        self.refused += other.refused;
        self.drops += other.drops;
        self.resets += other.resets;
        self.stalls += other.stalls;
        self.garbage += other.garbage;
        self.silences += other.silences;
    }

    pub fn json(&self) -> Value {
        json!({
            "lives": self.lives, "games": self.games, "moves": self.moves, "refused": self.refused,
            "drops": self.drops, "resets": self.resets, "stalls": self.stalls,
            "garbage": self.garbage, "silences": self.silences,
        })
    }
}

pub struct Guest {
    wire: Arc<AnyDialect>,
    address: String,
    number: u64,
    dice: Dice,
    begin: Instant,
    tally: Experience,
}

/// How a connection ended.
enum Parting {
    /// There is more to do on another one.
    Again,
    /// This player is done.
    Done,
}

/// What comes over a client that misbehaves.
enum Mischief {
    Drop,
    Reset,
    Stall,
    Garbage,
    Vanish,
}

impl Guest {
    pub fn new(wire: Arc<AnyDialect>, address: String, number: u64) -> Guest {
        let dice = Dice::new(&Seed::from_number(number), "guest", 0);
        Guest { wire, address, number, dice, begin: Instant::now(), tally: Experience::default() }
    }

    /// Plays as one player after another until the time is over.
    pub async fn stay(mut self, until: Instant) -> Experience {
        while Instant::now() < until {
            self.tally.lives += 1;
            let wild = self.dice.one_in(2);
            let life = self.live(wild, until);
            if timeout(until.saturating_duration_since(Instant::now()), life).await.is_err() {
                break;
            }
        }
        self.tally
    }

    fn now(&self) -> Time {
        Time(self.begin.elapsed().as_millis() as u64)
    }

    /// One player: a name of its own, and a few games.
    async fn live(&mut self, wild: bool, until: Instant) {
        let number = self.number as usize + self.tally.lives as usize * 1000;
        let name = (self.wire.signs.nth_name)(number);
        let (strategy, _) = *self.dice.pick(&self.wire.strategies);
        let seed = self.dice.seed();
        let mut client =
            self.wire.client(strategy, &name, seed).expect("one of the wire's own strategies");
        let mut games = 1 + self.dice.below(3) as u64;
        let mut reactions = Vec::new();
        client.seek(self.now(), None, &mut reactions);
        while games > 0 && Instant::now() < until {
            let Ok(mut line) = Line::connect(&self.address, self.wire.framing).await else {
                // A moment later there may be room again.
                sleep(Duration::from_millis(100)).await;
                continue;
            };
            client.open(self.now(), &mut reactions);
            let parted =
                self.converse(&mut *client, &mut line, &mut reactions, &mut games, wild).await;
            drop(line);
            client.closed(self.now(), &mut reactions);
            let over = reactions.iter().filter(|reaction| matches!(reaction, Reaction::Over(_)));
            games = games.saturating_sub(over.count() as u64);
            reactions.clear();
            if matches!(parted, Ok(Parting::Done)) {
                return;
            }
            let pause = self.dice.below(if wild { 1500 } else { 50 });
            sleep(Duration::from_millis(pause as u64)).await;
        }
    }

    async fn converse(
        &mut self,
        client: &mut dyn Client,
        line: &mut Line,
        reactions: &mut Vec<Reaction>,
        games: &mut u64,
        wild: bool,
    ) -> Result<Parting> {
        loop {
            while !reactions.is_empty() {
                for reaction in std::mem::take(reactions) {
                    match reaction {
                        Reaction::Say(text) => line.queue(text),
                        Reaction::Move(text) => {
                            self.tally.moves += 1;
                            line.queue(text);
                        }
                        Reaction::Refused(_) => self.tally.refused += 1,
                        Reaction::Over(_) => {
                            self.tally.games += 1;
                            *games -= 1;
                            if *games == 0 {
                                line.flush().await?;
                                return Ok(Parting::Done);
                            }
                            client.seek(self.now(), None, reactions);
                        }
                        Reaction::Hangup => {
                            line.flush().await?;
                            return Ok(Parting::Again);
                        }
                        Reaction::GiveUp(_) => return Ok(Parting::Done),
                    }
                }
            }
            line.flush().await?;
            if let Some(mischief) = self.mischief().filter(|_| wild)
                && let Some(parting) = self.misbehave(mischief, line).await?
            {
                return Ok(parting);
            }
            let wait = client.deadline().map(|at| at.0.saturating_sub(self.now().0) + 1);
            let wait = wait.map_or(SILENCE, Duration::from_millis).min(SILENCE);
            match timeout(wait, line.receive()).await {
                Ok(Ok(Some(text))) => client.on_text(self.now(), &text, reactions),
                Ok(Ok(None)) => return Ok(Parting::Again),
                Ok(Err(error)) => return Err(error),
                Err(_) if wait < SILENCE => client.on_tick(self.now(), reactions),
                Err(_) => {
                    self.tally.silences += u64::from(!wild);
                    return Ok(Parting::Done);
                }
            }
        }
    }

    /// Most of the time, none.
    fn mischief(&mut self) -> Option<Mischief> {
        match self.dice.below(240) {
            0..4 => Some(Mischief::Drop),
            4..6 => Some(Mischief::Reset),
            6..9 => Some(Mischief::Stall),
            9..12 => Some(Mischief::Garbage),
            12 => Some(Mischief::Vanish),
            _ => None,
        }
    }

    async fn misbehave(&mut self, mischief: Mischief, line: &mut Line) -> Result<Option<Parting>> {
        match mischief {
            Mischief::Drop => {
                self.tally.drops += 1;
                return Ok(Some(Parting::Again));
            }
            Mischief::Vanish => {
                self.tally.drops += 1;
                return Ok(Some(Parting::Done));
            }
            Mischief::Reset => {
                self.tally.resets += 1;
                line.reset_on_close()?;
                return Ok(Some(Parting::Again));
            }
            Mischief::Stall => {
                self.tally.stalls += 1;
                sleep(Duration::from_millis(100 + self.dice.below(2400) as u64)).await;
            }
            Mischief::Garbage => {
                self.tally.garbage += 1;
                let length = *self.dice.pick(&[0, 1, 20, 900, 5000]);
                line.queue(
                    (0..length).map(|_| char::from(32 + self.dice.below(95) as u8)).collect(),
                );
            }
        }
        Ok(None)
    }
}
