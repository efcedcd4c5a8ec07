//! Stress for sessions: several clients of one hall send valid messages, invalid messages and
//! random bytes, vanish and reconnect, in virtual time.
//!
//! It works for any game, given the words its clients use. Every failure names its seed.

use rules::{Dice, Seed};
use wire::{Playable, overlay};

use crate::failure;
use crate::rehearsal::Rehearsal;

/// One message, and what its sender received before anything else happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Whole lines, the last one ended.
    pub said: Vec<u8>,
    pub heard: Vec<String>,
    /// Whether the connection was still there afterwards.
    pub connected: bool,
}

/// Takes `steps` random steps and returns what was sent and received, for checks that only the
/// protocol can make. `speak` makes one message from what a client, or another one, has received so
/// far; some messages are mangled on the way.
///
/// Asserted here: nothing panics, and every client receives the same when all bytes arrive one by
/// one.
pub fn stress<G: Playable>(
    seed: u64,
    steps: usize,
    speak: impl Fn(&mut Dice, &[String]) -> String,
) -> Vec<Exchange> {
    failure::named(format!("{} stress seed {seed}", G::NAME), || {
        let mut fire = Fire::<G>::new(seed);
        (0..steps).for_each(|_| fire.step(&speak));
        fire.assert_cuts_do_not_matter();
        fire.exchanges
    })
}

const CLIENTS: [&str; 5] = ["ann", "ben", "cat", "dov", "eli"];

struct Fire<G: Playable> {
    seed: Seed,
    dice: Dice,
    rehearsal: Rehearsal<G>,
    deeds: Vec<Deed>,
    exchanges: Vec<Exchange>,
}

enum Deed {
    /// A line of a rehearsal.
    Perform(String),
    Send(&'static str, Vec<u8>),
}

impl<G: Playable> Fire<G> {
    fn new(seed: u64) -> Fire<G> {
        let seed = Seed::from_number(seed);
        Fire {
            seed,
            dice: Dice::new(&seed, "stress", 0),
            rehearsal: rehearsal(seed),
            deeds: Vec::new(),
            exchanges: Vec::new(),
        }
    }

    fn step(&mut self, speak: impl Fn(&mut Dice, &[String]) -> String) {
        let name = *self.dice.pick(&CLIENTS);
        let chance = self.dice.below(60);
        if !self.rehearsal.is_connected(name) {
            let dialect = self.dice.pick(G::dialects()).name;
            return self.perform(format!("connect {name} {dialect}"));
        }
        match chance {
            0 => self.perform(format!("drop {name}")),
            1 => {
                let ms = self.dice.pick(&[1, 200, 1000, 5000, 15_000, 70_000]);
                self.perform(format!("wait {ms}"));
            }
            _ => {
                let other = self.dice.one_in(40);
                let source = if other { *self.dice.pick(&CLIENTS) } else { name };
                let message = speak(&mut self.dice, self.rehearsal.received(source));
                self.send(name, message.into_bytes());
            }
        }
    }

    fn perform(&mut self, line: String) {
        self.rehearsal.perform(&line).expect("a line of a rehearsal");
        self.deeds.push(Deed::Perform(line));
    }

    fn send(&mut self, name: &'static str, mut bytes: Vec<u8>) {
        if self.dice.one_in(12) {
            self.mangle(&mut bytes);
        }
        bytes.push(b'\n');
        let before = self.rehearsal.received(name).len();
        self.rehearsal.say(name, &bytes);
        let heard = self.rehearsal.received(name)[before..].to_vec();
        let connected = self.rehearsal.is_connected(name);
        self.exchanges.push(Exchange { said: bytes.clone(), heard, connected });
        self.deeds.push(Deed::Send(name, bytes));
    }

    fn mangle(&mut self, bytes: &mut Vec<u8>) {
        let place = self.dice.below(bytes.len() + 1);
        let byte = self.dice.below(256) as u8;
        match self.dice.below(6) {
            0 => bytes.insert(place, byte),
            1 => bytes.truncate(place),
            2 => bytes.rotate_left(place),
            3 => *bytes = bytes.repeat(self.dice.below(200)),
            4 => *bytes = (0..place).map(|_| self.dice.below(256) as u8).collect(),
            _ => {
                bytes.truncate(place);
                bytes.push(*self.dice.pick(b"\0\t\n\r\"{}[]|:\xff\x80"));
                bytes.extend(bytes.clone());
            }
        }
    }

    fn assert_cuts_do_not_matter(&self) {
        let mut other = rehearsal::<G>(self.seed);
        for deed in &self.deeds {
            match deed {
                Deed::Perform(line) => other.perform(line).expect("it was performed before"),
                Deed::Send(name, bytes) => {
                    bytes.iter().for_each(|byte| other.say(name, &[*byte]));
                }
            }
        }
        for name in CLIENTS {
            let (whole, cut) = (self.rehearsal.received(name), other.received(name));
            assert_eq!(whole, cut, "{name} hears something else when bytes come one by one");
        }
    }
}

fn rehearsal<G: Playable>(seed: Seed) -> Rehearsal<G> {
    // A client that talks at random misses most of its turns.
    let patient = std::iter::once(("strikes".to_owned(), 0.into())).collect();
    let options = overlay::<G>(&G::Options::default(), &patient).expect("an option of every game");
    Rehearsal::new(options, seed).expect("the default options are valid")
}
