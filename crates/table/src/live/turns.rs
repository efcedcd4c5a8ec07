//! From turn to turn: clocks, pace, what follows from a step.

use rules::{Exit, Seat};

use super::Play;
use super::house_bots::strategy;
use crate::{AwayInPlay, Chair, Closing, TableRecord, guarded};

impl Play<'_, '_> {
    /// After a turn was resolved: the next one begins and is sent, at the table's pace.
    pub fn go_on(&mut self) {
        let live = &mut *self.moment.live;
        let (told, at) = live.progress.told();
        let next = at + live.policy().pace_ms;
        if next > self.moment.now && live.table.seq() != told && live.table.fault().is_none() {
            return live.clocks.hold_back(next);
        }
        live.clocks.let_go();
        self.begin_turn();
        self.after_step();
    }

    /// Sets the clocks of a new turn.
    pub fn begin_turn(&mut self) {
        let (now, limit) = (self.moment.now, self.moment.hooks.turn_limit_ms);
        let live = &mut *self.moment.live;
        let limit = live.table.game().and_then(|game| guarded(|| limit(game)).ok()?);
        let owed = live.table.owed();
        let bots = owed.iter().any(|seat| strategy(&live.table, seat).is_some());
        let stands =
            live.policy().away_stops_clock && owed.iter().any(|seat| !live.is_silence(seat));
        let turn_ms = [live.policy().turn_ms, limit].into_iter().flatten().min();
        let turn_ms = turn_ms.filter(|_| !owed.is_empty());
        live.clocks.begin_turn(now, turn_ms, stands, bots);
        live.progress.begin_turn(live.table.seq(), now);
    }

    /// Where absence stops the clock, it stops while a player who is to move is away.
    pub fn mind_turn_clock(&mut self) {
        let live = &mut *self.moment.live;
        if !live.policy().away_stops_clock {
            return;
        }
        let stands = live.table.owed().iter().any(|seat| !live.is_silence(seat));
        live.clocks.stop_or_run(stands, self.moment.now);
    }

    /// After anything that moved the game: update all members, and close the table if it is over.
    pub fn after_step(&mut self) {
        let table = &self.moment.live.table;
        if let Some(fault) = table.fault().map(str::to_owned) {
            return self.moment.break_down(fault);
        }
        let outcome = table.game().and_then(|game| game.outcome().cloned());
        let over = outcome.is_some();
        if let Some(outcome) = outcome {
            self.moment.record(TableRecord::Closed(Closing::Over(outcome)));
        }
        if let Err(fault) = self.tell_update()
            && !over
        {
            return self.moment.break_down(fault);
        }
        match over {
            true => self.moment.conclude(),
            false => self.retire_absent(),
        }
    }

    /// Those who went after their move of the turn that is now resolved.
    fn retire_absent(&mut self) {
        let live = &*self.moment.live;
        let gone = |(seat, chair): &(Seat, &Chair)| {
            live.is_away(*seat)
                && live.hold(*seat).in_play() == AwayInPlay::RetireAfterMove
                && !chair.retired
                && !live.table.has_moved(*seat)
        };
        let gone = live.table.seated().filter(gone).map(|(seat, _)| (seat, Exit::Lost)).collect();
        self.retire(gone);
    }
}
