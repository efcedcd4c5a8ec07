//! Going on where an earlier server ended. Presence is not part of a table, so everybody is absent,
//! and every clock starts anew with at least the grace the policy gives.

use rules::{Game, Seat};

use super::Step;
use crate::{Closing, Names, Phase};

impl<G: Game> Step<'_, G> {
    pub fn set_going(&mut self) {
        if !self.live.survives_restart() {
            return self.close(Closing::Void("the server was restarted".to_owned()));
        }
        match self.live.phase() {
            Phase::Gathering => self.gather_again(),
            Phase::Playing => self.play_on(),
            Phase::Closed => {}
        }
        if self.live.phase() == Phase::Closed {
            // Nobody is there to hear it.
            self.live.untold = self.live.table.seated().map(|(seat, _)| seat).collect();
        }
    }

    fn gather_again(&mut self) {
        let (now, live) = (self.now, &mut *self.live);
        let grace = live.policy().resume_grace_ms;
        live.mind_waiting(now);
        live.clocks.no_show = live.no_show_ms().map(|ms| now + ms.max(grace));
        self.lose(self.live.without_way_back());
        self.consider_start();
        let live = &mut *self.live;
        if live.phase() == Phase::Gathering && live.policy().names != Names::UniqueInHall {
            for seat in Seat::all(live.table.seats()) {
                if live.table.chair(seat).is_some() && live.is_away(seat) {
                    let until = now + live.hold_waiting_ms(seat).max(grace);
                    live.clocks.away[seat.index()] = Some(until);
                }
            }
        }
    }

    fn play_on(&mut self) {
        let (now, policy) = (self.now, self.live.policy());
        let (grace, turn_ms) = (policy.resume_grace_ms, policy.turn_ms);
        self.begin_turn();
        self.mind_absences(grace);
        let clocks = &mut self.live.clocks;
        clocks.turn = turn_ms.filter(|_| clocks.turn.is_some()).map(|ms| now + ms.max(grace));
        self.mind_desertion();
        // The game's own code has failed, or its end was not told yet.
        let table = &self.live.table;
        let over = table.game().is_some_and(|game| game.outcome().is_some());
        match over || table.fault().is_some() {
            true => self.after_step(),
            false => self.lose(self.live.without_way_back()),
        }
    }

    /// The grace of a restart ends for a turn when everybody who owes a move is back.
    pub fn end_grace(&mut self) {
        let live = &mut *self.live;
        let all_back = !live.table.owed().iter().any(|seat| live.is_away(seat));
        if let (Some(ms), Some(turn), true) = (live.policy().turn_ms, live.clocks.turn, all_back) {
            live.clocks.turn = Some(turn.min(self.now + ms));
        }
    }
}
