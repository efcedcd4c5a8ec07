//! A client of one protocol that plays game after game; well, or with mischief in between.

use std::sync::Arc;
use std::time::Duration;

use rules::{Dice, Grade, Seed};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use wire::AnyDialect;

use crate::driver::{Driver, Happening};

/// A server that sends nothing for this long to a well-behaved player has forgotten it.
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
    /// Well-behaved clients that received nothing for too long.
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
    tally: Experience,
}

/// How a connection ended.
enum Parting {
    /// There is more to do on another one.
    Again,
    /// This player is done.
    Done,
}

/// The kinds of misbehaviour.
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
        Guest { wire, address, number, dice, tally: Experience::default() }
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

    /// One player: a new name, and a few games.
    async fn live(&mut self, wild: bool, until: Instant) {
        let number = self.number as usize + self.tally.lives as usize * 1000;
        let name = (self.wire.signs.nth_name)(number);
        // Slow strategies put little load on the server.
        let quick = self.wire.strategies.iter().filter(|kind| kind.grade < Grade::Strong).count();
        let strategy = self.wire.strategies[self.dice.below(quick)].name;
        let seed = self.dice.seed();
        let client =
            self.wire.client(strategy, &name, seed).expect("one of the wire's own strategies");
        let mut driver = Driver::new(client, &self.address, self.wire.framing);
        let mut games = 1 + self.dice.below(3) as u64;
        driver.seek(None);
        while games > 0 && Instant::now() < until {
            if driver.connect().await.is_err() {
                // A moment later there may be room again.
                sleep(Duration::from_millis(100)).await;
                continue;
            }
            if let Parting::Done = self.converse(&mut driver, &mut games, wild).await {
                return;
            }
            let pause = self.dice.below(if wild { 1500 } else { 50 });
            sleep(Duration::from_millis(pause as u64)).await;
        }
    }

    async fn converse(&mut self, driver: &mut Driver, games: &mut u64, wild: bool) -> Parting {
        loop {
            let Ok(happening) = timeout(SILENCE, driver.next()).await else {
                self.tally.silences += u64::from(!wild);
                return Parting::Done;
            };
            match happening {
                Happening::Sends(_, is_move) => self.tally.moves += u64::from(is_move),
                Happening::Refused(_) => self.tally.refused += 1,
                Happening::Over(_) => {
                    self.tally.games += 1;
                    *games -= 1;
                    if *games == 0 {
                        driver.leave().await;
                        return Parting::Done;
                    }
                    driver.seek(None);
                }
                Happening::GiveUp(_) => return Parting::Done,
                Happening::HungUp | Happening::Lost(_) => return Parting::Again,
                Happening::Hears => {
                    if let Some(mischief) = self.mischief().filter(|_| wild)
                        && self.misbehave(mischief, driver).await
                    {
                        return Parting::Done;
                    }
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

    /// Returns true if this player doesn't reconnect.
    async fn misbehave(&mut self, mischief: Mischief, driver: &mut Driver) -> bool {
        match mischief {
            Mischief::Drop | Mischief::Vanish => {
                self.tally.drops += 1;
                // Closing as usual cannot fail.
                let _ = driver.cut(false);
            }
            Mischief::Reset => {
                self.tally.resets += 1;
                // A socket that is gone already needs no reset.
                let _ = driver.cut(true);
            }
            Mischief::Stall => {
                self.tally.stalls += 1;
                sleep(Duration::from_millis(100 + self.dice.below(2400) as u64)).await;
            }
            Mischief::Garbage => {
                self.tally.garbage += 1;
                let length = *self.dice.pick(&[0, 1, 20, 900, 5000]);
                let garbage = (0..length).map(|_| char::from(32 + self.dice.below(95) as u8));
                driver.interject(garbage.collect());
            }
        }
        matches!(mischief, Mischief::Vanish)
    }
}
