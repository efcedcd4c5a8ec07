//! Continues where an earlier server ended. All players are absent now: those who were away before
//! since they left, all others from now on. Every clock restarts with at least the policy's grace
//! period.

use super::{Moment, Play};
use crate::{Closing, Phase, Time};

impl Moment<'_> {
    /// The earlier server has written its last record, of whatever table, at that time.
    pub fn set_going(&mut self, last_written: Time) {
        if !self.live.survives_restart() {
            return self.close(Closing::Void("the server was restarted".to_owned()));
        }
        match self.live.phase() {
            Phase::Gathering => self.gathering().gather_again(last_written),
            Phase::Playing => self.play().play_on(last_written),
            Phase::Closed => {}
        }
        if self.live.phase() == Phase::Closed {
            // No client is connected to receive it.
            let untold = self.live.table.seated().map(|(seat, _)| seat).collect();
            self.live.aftermath.leave_untold(untold);
        }
        self.note_absences();
    }

    /// Records who is away from now on, for the next restart.
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

    /// Those who do not outlast a restart.
    pub fn lose_cut_off(&mut self) {
        let live = &*self.live;
        let seats = live.table.seated().map(|(seat, _)| seat);
        self.lose(seats.filter(|seat| !live.hold(*seat).outlasts_restart()).collect());
    }
}

impl Play<'_, '_> {
    fn play_on(&mut self, last_written: Time) {
        let (now, policy) = (self.moment.now, self.moment.live.policy());
        let (grace, turn_ms) = (policy.resume_grace_ms, policy.turn_ms);
        self.begin_game_clock();
        self.begin_turn();
        for seat in self.moment.live.absent_seats() {
            self.count_absence(seat, |hold, ms| hold.left_after_restart(ms, last_written));
        }
        self.moment.live.clocks.reset_turn(turn_ms.map(|ms| now + ms.max(grace)));
        self.moment.mind_desertion();
        // The game's own code has failed, or its end was not sent yet.
        let table = &self.moment.live.table;
        let over = table.game().is_some_and(|game| game.outcome().is_some());
        match over || table.fault().is_some() {
            true => self.after_step(),
            false => self.moment.lose_cut_off(),
        }
    }

    /// A turn's grace period ends when all players to move are back.
    pub fn end_grace(&mut self) {
        let live = &mut *self.moment.live;
        let all_back = !live.table.owed().iter().any(|seat| live.is_away(seat));
        if let (Some(ms), Some(turn), true) = (live.policy().turn_ms, live.clocks.turn(), all_back)
        {
            live.clocks.reset_turn(Some(turn.min(self.moment.now + ms)));
        }
    }
}
