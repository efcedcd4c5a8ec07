//! Stress for tournaments: entrants of every kind who come late or never, drop, return, leave in
//! the middle of a game and lie about who they are; organisers who change their minds; a server
//! that dies and restarts. It works for any game; every failure names its seed.
//!
//! Asserted after each step, in addition to the laws of every hall:
//! - a tournament is the fold of its records, and a hall restored from them has the same;
//! - a tournament's table is for a game to be played now, and every game to be played has a table,
//!   unless the hall is full;
//! - no table waits for entrants who have withdrawn;
//! - no entrant sits at two open tables of a tournament;
//! - a seat reserved for an entrant with a token is taken only with that token;
//! - no entrant waits for a table under a name that isn't reserved, or while playing;
//! - news of a tournament reach only guests with a place in it, and all of those learn the result,
//!   once.
//!
//! At the end the clocks run on, and every started tournament is over and has a winner, or was
//! cancelled.

mod guests;
mod hearing;
mod laws;
mod organisers;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rules::{Dice, Seed};
use tournament::{Fact, How, TournamentPhase, Why};

use super::check_answer;
use super::journal::{Digest, Journal};
use crate::failure;
use guests::{Caller, Guest};
use hall::{ConnId, GameHooks, Hall, Input, Name, Output, Terms, Time, TournamentRecord};

/// What happened, so that a test can check that it was enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Tournaments that were played to their end, and that were called off.
    pub over: usize,
    pub cancelled: usize,
    pub games: u64,
    pub restarts: usize,
    pub byes: usize,
    /// Pairings decided by forfeit, by lot, by organisers and by withdrawal.
    pub forfeits: usize,
    pub lots: usize,
    pub adjudicated: usize,
    pub withdrawn: usize,
    /// Entrants who were withdrawn for missing too much, and who were brought back.
    pub missed: usize,
    pub returned: usize,
    /// Pairings of several games, elsewhere than in a knockout.
    pub series: usize,
    /// The same seed, the same digest.
    pub digest: u64,
}

/// Plays tournaments for a number of random steps, and then to their end.
pub fn run(terms: &Terms, hooks: impl Into<GameHooks>, seed: u64, steps: usize) -> Coverage {
    let hooks = hooks.into();
    failure::named(format!("{} seed {seed}", terms.config.rules().name()), || {
        let mut fire = Fire::new(terms, hooks, seed);
        for _ in 0..steps {
            fire.step();
        }
        fire.finish()
    })
}

struct Fire {
    hall: Hall,
    terms: Terms,
    hooks: GameHooks,
    dice: Dice,
    now: Time,
    journal: Journal,
    guests: Vec<Guest>,
    callers: BTreeMap<ConnId, Caller>,
    next_conn: u64,
    /// The guest that holds each entrant's token.
    owners: BTreeMap<EntrantId, usize>,
    restarts: usize,
    digest: Digest,
}

/// A tournament's id, and an entrant of it.
type EntrantId = (Name, Name);

/// Few enough to have tournaments wait for a table.
const MAX_TABLES: usize = 9;

impl Fire {
    fn new(terms: &Terms, hooks: GameHooks, seed: u64) -> Fire {
        let seed = Seed::from_number(seed);
        let mut dice = Dice::new(&seed, "tournaments", 0);
        Fire {
            hall: Hall::new(terms.clone(), hooks.clone(), MAX_TABLES, seed),
            terms: terms.clone(),
            hooks,
            guests: (0..12).map(|number| Guest::new(number, &terms.policy, &mut dice)).collect(),
            dice,
            now: Time(1_000_000),
            journal: Journal::new(terms.config.rules()),
            callers: BTreeMap::new(),
            next_conn: 1,
            owners: BTreeMap::new(),
            restarts: 0,
            digest: Digest::default(),
        }
    }

    fn step(&mut self) {
        match self.dice.below(60) {
            0..=2 => self.pass_time(),
            3..=5 => self.organise(),
            6 if self.dice.one_in(8) => self.restart(),
            _ => {
                let guest = self.dice.below(self.guests.len());
                self.attend_to(guest);
            }
        }
    }

    /// Mostly until the next clock, and never past one.
    fn pass_time(&mut self) {
        let ms = *self.dice.pick(&[1, 50, 250, 1000, 6000]);
        let then = self.now + ms as u64;
        let due = self.hall.deadline().filter(|due| *due <= then || self.dice.one_in(2));
        self.now = self.now.max(due.unwrap_or(then));
        self.input(Input::Tick);
    }

    /// The server dies, or goes down in order, and begins again from its journal.
    fn restart(&mut self) {
        if self.dice.one_in(2) {
            self.input(Input::ShuttingDown);
            let mut outputs = Vec::new();
            for conn in self.callers.keys() {
                self.hall.handle(self.now, Input::Gone(*conn), &mut outputs);
            }
            outputs.retain(|output| !matches!(output, Output::Listed(_)));
            assert!(outputs.is_empty(), "a deploy removes nobody: {outputs:?}");
        }
        self.restarts += 1;
        let seed = self.dice.seed();
        let mut hall = Hall::new(self.terms.clone(), self.hooks.clone(), MAX_TABLES, seed);
        let mut outputs = Vec::new();
        let unfinished = self.journal.unfinished();
        hall.restore(self.now, unfinished, &mut outputs).expect("a journal reads back");
        for (no, state) in self.hall.tournaments().filter(|(_, state)| !state.closed) {
            assert!(hall.tournament(no).is_some(), "{} is forgotten", state.convened.id);
        }
        self.hall = hall;
        self.callers.clear();
        self.guests.iter_mut().for_each(|guest| guest.conn = None);
        self.digest.add(&outputs);
        self.journal.forget_lists();
        for output in &outputs {
            let told = matches!(
                output,
                Output::Answer(..) | Output::Tell(..) | Output::At(..) | Output::Reply(..)
            );
            assert!(!told, "nobody is there, and yet was told {output:?}");
            self.journal.keep(output);
        }
        self.check_laws();
    }

    /// Nothing is paused, no guest enters any more, and the clocks run on: with the guests playing,
    /// or sitting there silently.
    fn finish(mut self) -> Coverage {
        self.call_the_last_games();
        let silent = self.dice.one_in(2);
        for _ in 0..200_000 {
            if self.journal.states.values().all(|state| state.closed) {
                break;
            }
            if !silent && !self.dice.one_in(4) {
                let guest = self.dice.below(self.guests.len());
                self.attend_to(guest);
                self.call_the_last_games();
                continue;
            }
            self.now = self.now.max(self.hall.deadline().expect("something is to come"));
            self.input(Input::Tick);
        }
        self.check_brackets();
        self.tally()
    }

    fn tally(&self) -> Coverage {
        let mut tally = Coverage {
            games: self.journal.finished,
            restarts: self.restarts,
            digest: self.digest.0,
            ..Coverage::default()
        };
        for record in self.journal.tournament_records() {
            match record {
                TournamentRecord::Fact(Fact::Withdrawn { why: Some(Why::Missed), .. }) => {
                    tally.missed += 1;
                }
                TournamentRecord::Fact(Fact::Reinstated { .. }) => tally.returned += 1,
                _ => {}
            }
        }
        for state in self.journal.states.values() {
            match state.tournament.phase() {
                TournamentPhase::Over => tally.over += 1,
                TournamentPhase::Cancelled => tally.cancelled += 1,
                phase => panic!("{} is {phase:?} in the end", state.convened.id),
            }
            if state.tournament.plan().format != tournament::Format::Knockout {
                let counted = |game: &&tournament::Played| game.outcome.is_some();
                let series = |pairing: &&tournament::Pairing| {
                    pairing.games.iter().filter(counted).nth(1).is_some()
                };
                tally.series += state.tournament.pairings().iter().filter(series).count();
            }
            let pairings = state.tournament.pairings().iter();
            for decision in pairings.filter_map(|pairing| pairing.decision.as_ref()) {
                match decision.how {
                    // The rules of a simulation never break.
                    How::Played | How::Void => {}
                    How::Bye => tally.byes += 1,
                    How::Forfeit => tally.forfeits += 1,
                    How::Lot => tally.lots += 1,
                    How::Adjudicated => tally.adjudicated += 1,
                    How::Withdrawn => tally.withdrawn += 1,
                }
            }
        }
        tally
    }

    fn input(&mut self, input: Input) {
        let said = match &input {
            Input::Said(conn, command) => Some((*conn, command.clone())),
            _ => None,
        };
        let asked = matches!(input, Input::Asked(..));
        if let Input::Gone(conn) = &input
            && let Some(caller) = self.callers.remove(conn)
        {
            self.guests[caller.guest].conn = None;
        }
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.digest.add(&outputs);
        if let Some((conn, command)) = &said {
            check_answer(*conn, command, &outputs);
        }
        let replies = outputs.iter().filter(|output| matches!(output, Output::Reply(..))).count();
        assert_eq!(replies, usize::from(asked), "replies to an organiser");
        let mut endings = Vec::new();
        for output in &outputs {
            self.journal.keep(output);
            self.take_in(output, said.as_ref(), &mut endings);
        }
        for (tournament, left) in endings {
            assert!(left.is_empty(), "{left:?} did not hear that {tournament} is over");
        }
        self.check_laws();
    }
}
