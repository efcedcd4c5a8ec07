//! The deadlines of a table: a tiny list, and what happens when one has come.

use rules::{Game, Seat};
use serde::{Deserialize, Serialize};

use super::{Step, TableOutput};
use crate::Time;

/// When something is due at one table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Clocks {
    /// The game begins.
    pub start: Option<Time>,
    /// Whoever has not come to a game of a tournament plays no more.
    pub no_show: Option<Time>,
    /// House bots take the free seats.
    pub fill: Option<Time>,
    /// The turn that was resolved last is told, and the next one begins.
    pub pace: Option<Time>,
    /// The turn expires.
    pub turn: Option<Time>,
    /// What is left of a turn whose clock stands, in milliseconds.
    pub turn_left: Option<u64>,
    /// House bots move.
    pub bots: Option<Time>,
    /// House bots have thought for too long.
    pub thought: Option<Time>,
    /// The table is given up.
    pub expire: Option<Time>,
    /// Each seat's absence runs out.
    pub away: Vec<Option<Time>>,
}

impl Clocks {
    pub fn of(seats: usize) -> Clocks {
        Clocks { away: vec![None; seats], ..Clocks::default() }
    }

    pub fn next(&self) -> Option<Time> {
        let play = [self.pace, self.turn, self.bots, self.thought];
        [self.start, self.no_show, self.fill, self.expire]
            .into_iter()
            .chain(play)
            .chain(self.away.iter().copied())
            .flatten()
            .min()
    }

    /// Puts off everything anybody is waited for. House bots and the pace, who lose nothing, stay.
    pub fn put_off(&mut self, ms: u64) {
        let clocks =
            [&mut self.start, &mut self.no_show, &mut self.fill, &mut self.turn, &mut self.expire];
        for time in clocks.into_iter().chain(&mut self.away).flatten() {
            *time = *time + ms;
        }
    }

    /// Every seat has its place, whatever came from elsewhere.
    pub fn fit(&mut self, seats: usize) {
        self.away.resize(seats, None);
    }

    /// The start puts the players in order.
    pub fn renumber(&mut self, order: &[Seat]) {
        self.away = order.iter().map(|old| self.away[old.index()]).collect();
    }

    /// The absences that are over, which are counted no more.
    pub fn absences_due(&mut self, now: Time) -> Vec<Seat> {
        Seat::all(self.away.len()).filter(|seat| due(&mut self.away[seat.index()], now)).collect()
    }
}

/// Takes a deadline that has come.
fn due(clock: &mut Option<Time>, now: Time) -> bool {
    clock.take_if(|time| *time <= now).is_some()
}

impl<G: Game> Step<'_, G> {
    pub fn tick(&mut self) {
        let now = self.now;
        if due(&mut self.live.clocks.start, now) {
            self.start();
        }
        if due(&mut self.live.clocks.no_show, now) {
            self.start_without_absent();
        }
        if due(&mut self.live.clocks.fill, now) {
            return self.out.push(TableOutput::WantsBots);
        }
        let absent = self.live.clocks.absences_due(now);
        if !absent.is_empty() {
            self.end_absences(absent);
        }
        if due(&mut self.live.clocks.pace, now) {
            self.go_on();
            self.mind_desertion();
        }
        if due(&mut self.live.clocks.thought, now) {
            self.represent_all();
        }
        if due(&mut self.live.clocks.turn, now) {
            self.expire_turn();
        }
        if due(&mut self.live.clocks.bots, now) {
            self.ask_bots();
        }
        if due(&mut self.live.clocks.expire, now) {
            self.give_up();
        }
    }
}
