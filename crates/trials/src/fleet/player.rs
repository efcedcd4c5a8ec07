//! Players of all wires, connected over whichever node is there, and what each of them remembers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rules::{Dice, Grade, Seed};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};
use wire::{AnyDialect, Ending};

use super::nodes::Nodes;
use super::trail::Trail;
use crate::driver::{Driver, Happening};

/// A player that receives nothing for this long has been forgotten.
const SILENCE: Duration = Duration::from_secs(60);

/// One player of one game, as it remembers it.
#[derive(Debug, Default)]
pub struct Life {
    pub game: &'static str,
    pub wire: &'static str,
    pub name: String,
    /// Whether this wire's words are understood here: the house wire's are.
    pub is_house: bool,
    /// Moves that were sent, and how many times something was refused.
    pub moves: u64,
    pub refused: u64,
    /// How often its connection was lost; and, if it was, what was said then.
    pub lost: u64,
    pub trail: String,
    /// Number of messages received.
    pub heard: u64,
    pub notes: Vec<Note>,
    /// How the game ended, as far as the player knows.
    pub ending: Option<Ending>,
    /// Set if no message came for too long: what the player was doing.
    pub forgotten: Option<String>,
    /// How often doubt has begun or ended so far.
    doubts: u64,
    /// Whether something that it received may have been undone.
    pub is_doubtful: bool,
}

impl Life {
    /// Notes the times of doubt.
    fn doubt(&mut self, doubts: u64) {
        if doubts != self.doubts {
            self.doubts = doubts;
            self.is_doubtful = true;
            self.notes.push(Note::Doubt { begins: doubts % 2 == 1 });
        }
    }
}

/// What a player of the JSON protocol remembers.
#[derive(Debug, PartialEq)]
pub enum Note {
    Joined {
        table: String,
    },
    Sent {
        seq: u64,
        action: Value,
    },
    Accepted {
        seq: u64,
    },
    Update {
        seq: u64,
        seat: u64,
        view: Print,
    },
    Over(Value),
    Lost,
    /// From here on, what was received may be undone, or is certain again.
    Doubt {
        begins: bool,
    },
}

/// A fingerprint of a view: all views together would fill the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Print(u64);

impl Print {
    pub fn of(view: &Value) -> Print {
        let mut hasher = DefaultHasher::new();
        view.hash(&mut hasher);
        Print(hasher.finish())
    }
}

/// Plays life after life until stopped, and finishes the last one.
pub struct Player {
    pub wire: Arc<AnyDialect>,
    pub nodes: Nodes,
    /// No two have the same.
    pub number: u64,
    pub dice: Dice,
    pub stop: Arc<AtomicBool>,
    /// A name that it has in every life, and why there are more lives than one: a tournament's.
    pub entered_as: Option<String>,
    pub trail: Trail,
}

impl Player {
    pub fn new(
        wire: Arc<AnyDialect>,
        nodes: Nodes,
        number: u64,
        seed: u64,
        stop: Arc<AtomicBool>,
    ) -> Player {
        let dice = Dice::new(&Seed::from_number(seed), "player", number);
        Player { wire, nodes, number, dice, stop, entered_as: None, trail: Trail::default() }
    }

    pub async fn play(mut self) -> Vec<Life> {
        let mut lives = Vec::new();
        while !self.stop.load(Ordering::Relaxed) {
            let life = self.live(lives.len() as u64).await;
            lives.push(life);
            sleep(Duration::from_millis(self.dice.below(100) as u64)).await;
        }
        self.trail.end();
        lives
    }

    async fn live(&mut self, count: u64) -> Life {
        // Colours that have names are few, and many would want them.
        let number = 1000 + self.number + count * 1000;
        let name = match &self.entered_as {
            Some(name) => name.clone(),
            None => (self.wire.signs.nth_name)(number as usize),
        };
        self.trail.begin(self.wire.game, &name, self.wire.name);
        let mut life = Life {
            game: self.wire.game,
            wire: self.wire.name,
            name: name.clone(),
            is_house: self.wire.is_house(),
            doubts: self.nodes.doubt.certain(),
            ..Life::default()
        };
        life.doubt(self.nodes.doubt.count());
        let quick = self.wire.strategies.iter().filter(|kind| kind.grade < Grade::Strong).count();
        let strategy = self.wire.strategies[self.dice.below(quick)].name;
        let client = self.wire.client(strategy, &name, self.dice.seed());
        let client = client.expect("one of the wire's own strategies");
        let mut driver = Driver::new(client, "", self.wire.framing);
        driver.seek(None);
        let mut last_heard = Instant::now();
        loop {
            let node = self.dice.below(self.nodes.len());
            if let Some(address) = self.nodes[node].address(&self.wire) {
                driver.redirect(&address);
                let connecting = timeout(Duration::from_secs(3), driver.connect());
                if matches!(connecting.await, Ok(Ok(()))) {
                    self.trail.connected(&self.nodes[node].name);
                    let ended = self.converse(&mut driver, &mut life, &mut last_heard, node).await;
                    if ended {
                        driver.leave().await;
                        if life.lost > 0 {
                            life.trail = self.trail.tell_all();
                        }
                        return life;
                    }
                    life.lost += 1;
                    life.notes.push(Note::Lost);
                }
            }
            // An entrant whose tournament is over isn't moved to a table any more.
            let is_idle = life.heard == 0 || self.entered_as.is_some();
            if self.stop.load(Ordering::Relaxed) && is_idle {
                return life;
            }
            if last_heard.elapsed() > SILENCE && self.entered_as.is_none() {
                life.forgotten = Some(self.trail.tell());
                return life;
            }
            sleep(Duration::from_millis(20 + self.dice.below(80) as u64)).await;
        }
    }

    /// Talks to a node until the connection is gone, or (true) the life is over.
    async fn converse(
        &mut self,
        driver: &mut Driver,
        life: &mut Life,
        last_heard: &mut Instant,
        node: usize,
    ) -> bool {
        let since = self.nodes[node].departures();
        loop {
            if driver.is_connected() && self.nodes[node].departures() != since {
                // A socket that fails to close is gone, too.
                let _ = driver.cut(false);
            }
            let Ok(happening) = timeout(Duration::from_millis(500), driver.next()).await else {
                let may_stop = self.entered_as.is_some() && self.stop.load(Ordering::Relaxed);
                if may_stop {
                    return true;
                }
                // An entrant may wait for the others; that its tournament ends is looked at elsewhere.
                if last_heard.elapsed() > SILENCE && self.entered_as.is_none() {
                    life.forgotten = Some(self.trail.tell());
                    return true;
                }
                continue;
            };
            life.doubt(self.nodes.doubt.count());
            match happening {
                Happening::Sends(text, is_move) => {
                    self.trail.said(&text);
                    life.moves += u64::from(is_move);
                    if life.is_house && is_move {
                        life.notes.extend(sent(&text));
                    }
                }
                Happening::Hears => {
                    self.trail.heard(driver.heard());
                    *last_heard = Instant::now();
                    life.heard += 1;
                    if life.is_house {
                        life.notes.extend(heard(driver.heard()));
                    }
                }
                Happening::Refused(_) => life.refused += 1,
                Happening::Over(ending) => {
                    life.ending = Some(ending);
                    return true;
                }
                Happening::GiveUp(_) => return true,
                Happening::HungUp => return false,
                Happening::Lost(why) => {
                    self.trail.note(&why);
                    return false;
                }
            }
        }
    }
}

fn sent(text: &str) -> Option<Note> {
    let mut message: Value = serde_json::from_str(text).ok()?;
    Some(Note::Sent { seq: message["seq"].as_u64()?, action: message["action"].take() })
}

fn heard(text: &str) -> Option<Note> {
    let message: Value = serde_json::from_str(text).ok()?;
    let kind = message["type"].as_str()?;
    match kind {
        "joined" => Some(Note::Joined { table: message["table"].as_str()?.to_owned() }),
        "accepted" => Some(Note::Accepted { seq: message["seq"].as_u64()? }),
        "update" => Some(Note::Update {
            seq: message["seq"].as_u64()?,
            seat: message["seat"].as_u64()?,
            view: Print::of(&message["view"]),
        }),
        "over" => Some(Note::Over(message)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_received_in_doubt_stands_between_two_notes() {
        let mut life = Life { doubts: 2, ..Life::default() };
        life.doubt(2);
        assert!(!life.is_doubtful && life.notes.is_empty());
        for doubts in [3, 3, 4, 4] {
            life.doubt(doubts);
        }
        assert_eq!(life.notes, [Note::Doubt { begins: true }, Note::Doubt { begins: false }]);
        // A whole switch may pass while nothing is received.
        life.doubt(6);
        assert_eq!(life.notes.last(), Some(&Note::Doubt { begins: false }));
        assert!(life.is_doubtful);
    }

    #[test]
    fn views_are_remembered_by_prints_that_differ_with_them() {
        let update =
            |view: &str| heard(&format!(r#"{{"type":"update","seq":3,"seat":1,"view":{view}}}"#));
        let told = update(r#"{"hand":[1,2],"to_move":0}"#);
        assert!(matches!(told, Some(Note::Update { seq: 3, seat: 1, .. })));
        // The order of keys says nothing, that of cards does.
        assert_eq!(told, update(r#"{"to_move":0,"hand":[1,2]}"#));
        assert_ne!(told, update(r#"{"hand":[2,1],"to_move":0}"#));
    }
}
