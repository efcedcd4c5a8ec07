//! Going on where an earlier server ended. Everybody is absent now: those who were away before, since
//! they went, all others from now on. Every clock starts anew with at least the grace the policy gives.

use rules::Game;

use super::Step;
use crate::{Closing, Names, Phase, Time};

impl<G: Game> Step<'_, G> {
    /// The earlier server has written its last record, of whatever table, at that time.
    pub fn set_going(&mut self, last_written: Time) {
        if !self.live.survives_restart() {
            return self.close(Closing::Void("the server was restarted".to_owned()));
        }
        match self.live.phase() {
            Phase::Gathering => self.gather_again(last_written),
            Phase::Playing => self.play_on(last_written),
            Phase::Closed => {}
        }
        if self.live.phase() == Phase::Closed {
            // Nobody is there to hear it.
            self.live.untold = self.live.table.seated().map(|(seat, _)| seat).collect();
        }
        self.note_absences();
    }

    /// Writes down who is away from now on, for the next restart.
    fn note_absences(&mut self) {
        if self.live.phase() == Phase::Closed {
            return;
        }
        for seat in self.live.absent_seats() {
            if self.live.table.chair(seat).is_some_and(|chair| chair.away_since.is_none()) {
                self.note_absence(seat);
            }
        }
    }

    fn gather_again(&mut self, last_written: Time) {
        let (now, live) = (self.now, &mut *self.live);
        let grace = live.policy().resume_grace_ms;
        live.mind_waiting(now);
        live.clocks.no_show = live.no_show_ms().map(|ms| now + ms.max(grace));
        self.lose(self.live.without_way_back());
        self.consider_start();
        let live = &mut *self.live;
        if live.phase() == Phase::Gathering && live.policy().names != Names::UniqueInHall {
            for seat in live.absent_seats() {
                let ms = live.left_after_restart(seat, live.hold_waiting_ms(seat), last_written);
                live.clocks.away[seat.index()] = Some(now + ms);
            }
        }
    }

    fn play_on(&mut self, last_written: Time) {
        let (now, policy) = (self.now, self.live.policy());
        let (grace, turn_ms) = (policy.resume_grace_ms, policy.turn_ms);
        self.begin_turn();
        for seat in self.live.absent_seats() {
            self.count_absence(seat, |live, ms| live.left_after_restart(seat, ms, last_written));
        }
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
