//! The time limit of a whole game. When it has run out, the player who has taken the most time is out.
//! Where others play on, the next slowest goes a minute later, until the game is decided.

use std::cmp::Reverse;

use rules::{Exit, Seat};

use super::Play;
use crate::{Chair, Phase};

/// Extra time for each of the others after a player was removed.
const ANOTHER_MS: u64 = 60_000;

impl Play<'_, '_> {
    /// The game begins, or continues after a restart: its time runs from now.
    pub fn begin_game_clock(&mut self) {
        let live = &mut *self.moment.live;
        let until = live.policy().game_ms.map(|ms| self.moment.now + ms);
        live.clocks.limit_game(until);
    }

    /// The time of the game has run out.
    pub fn end_overtime(&mut self) {
        if self.moment.live.phase() != Phase::Playing {
            return;
        }
        let Some(slowest) = self.slowest() else { return };
        let next = self.moment.now + ANOTHER_MS;
        self.moment.live.clocks.limit_game(Some(next));
        self.retire(vec![(slowest, Exit::TimedOut)]);
    }

    /// The seat that has used the most time, including the running turn. Among equals, the seat to
    /// move, then the first seat.
    fn slowest(&self) -> Option<Seat> {
        let live = &*self.moment.live;
        // A resolved turn that isn't sent yet costs no seat time.
        let owed = if live.is_held() { Default::default() } else { live.table.owed() };
        let this_turn = live.progress.thought_ms(self.moment.now);
        let taken = |(seat, chair): &(Seat, &Chair)| {
            let owes = owed.contains(*seat);
            (chair.used.ms + if owes { this_turn } else { 0 }, owes, Reverse(*seat))
        };
        let playing = live.table.seated().filter(|(_, chair)| !chair.retired);
        playing.max_by_key(taken).map(|(seat, _)| seat)
    }
}
