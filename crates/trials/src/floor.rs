//! Clients on the stage that play game after game as fast as they can, while the clock stands
//! still.

use std::fmt;

use hall::{ConnId, Input};
use wire::{Client, Playable, Reaction};

use crate::stage::Stage;

/// A hall with clients in it who play game after game.
pub struct Floor {
    stage: Stage,
    callers: Vec<Caller>,
}

struct Caller {
    conn: ConnId,
    client: Box<dyn Client>,
    reactions: Vec<Reaction>,
}

impl Floor {
    /// The options must be good.
    pub fn new<G: Playable>(options: &G::Options) -> Floor {
        let mut stage = Stage::of::<G>(options, 10_000, 1);
        stage.input(Input::Tick);
        Floor { stage, callers: Vec::new() }
    }

    /// Brings in a client of the game's first protocol and lets it sit down.
    pub fn seat(&mut self, mut client: Box<dyn Client>) {
        let conn = self.stage.connect();
        let mut reactions = Vec::new();
        client.seek(self.stage.now, None, &mut reactions);
        client.open(self.stage.now, &mut reactions);
        self.callers.push(Caller { conn, client, reactions });
        self.react(self.callers.len() - 1);
    }

    /// Lets every client read and answer once. Returns the number of moves made.
    pub fn step(&mut self) -> u64 {
        let mut moves = 0;
        for number in 0..self.callers.len() {
            for text in self.stage.texts(self.callers[number].conn) {
                let (now, caller) = (self.stage.now, &mut self.callers[number]);
                caller.client.on_text(now, text.as_str(), &mut caller.reactions);
                moves += self.react(number);
            }
        }
        moves
    }

    /// Does what a client wants done; how many moves that made.
    fn react(&mut self, number: usize) -> u64 {
        let mut moves = 0;
        while !self.callers[number].reactions.is_empty() {
            for reaction in std::mem::take(&mut self.callers[number].reactions) {
                let (now, caller) = (self.stage.now, &mut self.callers[number]);
                match reaction {
                    Reaction::Say(text) => self.stage.say(caller.conn, &text),
                    Reaction::Move(text) => {
                        moves += 1;
                        self.stage.say(caller.conn, &text);
                    }
                    Reaction::Over(_) => caller.client.seek(now, None, &mut caller.reactions),
                    Reaction::Hangup => {
                        self.stage.hang_up(caller.conn);
                        caller.conn = self.stage.connect();
                        caller.client.closed(now, &mut caller.reactions);
                        caller.client.open(now, &mut caller.reactions);
                    }
                    Reaction::Refused(why) | Reaction::GiveUp(why) => {
                        panic!("a benchmark's client plays by the rules: {why}")
                    }
                }
            }
        }
        moves
    }
}

impl fmt::Debug for Floor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Floor({} clients)", self.callers.len())
    }
}
