//! From turn to turn: clocks, pace, what follows from a step.

use rules::{Exit, Game, Seat};

use super::Step;
use crate::{AwayInPlay, Chair, Closing, TableRecord, guarded};

impl<G: Game> Step<'_, G> {
    /// After a turn was resolved: the next one begins and is told, in the table's pace.
    pub fn go_on(&mut self) {
        let live = &mut *self.live;
        let (told, at) = live.told;
        let next = at + live.policy().pace_ms;
        if next > self.now && live.table.seq() != told && live.table.fault().is_none() {
            let clocks = &mut live.clocks;
            (clocks.turn, clocks.turn_left) = (None, None);
            (clocks.bots, clocks.thought) = (None, None);
            clocks.pace = Some(next);
            return;
        }
        live.clocks.pace = None;
        self.begin_turn();
        self.after_step();
    }

    /// Sets the clocks of a new turn.
    pub fn begin_turn(&mut self) {
        let (now, limit) = (self.now, self.hooks.turn_limit_ms);
        let live = &mut *self.live;
        let limit = live.table.game().and_then(|game| guarded(|| limit(game)).ok()?);
        let owed = live.table.owed();
        let bots = owed.iter().any(|seat| live.bot(seat).is_some());
        live.made.begin(now);
        let stands =
            live.policy().away_stops_clock && owed.iter().any(|seat| !live.is_silence(seat));
        let turn_ms = [live.policy().turn_ms, limit].into_iter().flatten().min();
        let turn_ms = turn_ms.filter(|_| !owed.is_empty());
        live.clocks.turn = turn_ms.filter(|_| !stands).map(|ms| now + ms);
        live.clocks.turn_left = turn_ms.filter(|_| stands);
        live.clocks.bots = bots.then_some(now);
        live.clocks.thought = None;
        live.told = (live.table.seq(), now);
    }

    /// Where absence stops the clock, it stands while somebody who is to move is away.
    pub fn mind_turn_clock(&mut self) {
        let live = &mut *self.live;
        if !live.policy().away_stops_clock {
            return;
        }
        let stands = live.table.owed().iter().any(|seat| !live.is_silence(seat));
        let clocks = &mut live.clocks;
        if stands && let Some(until) = clocks.turn.take() {
            clocks.turn_left = Some(until.0.saturating_sub(self.now.0));
        } else if !stands && let Some(ms) = clocks.turn_left.take() {
            clocks.turn = Some(self.now + ms);
        }
    }

    /// After anything that moved the game: tell everybody, and close the table if it is over.
    pub fn after_step(&mut self) {
        let table = &self.live.table;
        if let Some(fault) = table.fault().map(str::to_owned) {
            return self.break_down(fault);
        }
        let outcome = table.game().and_then(|game| game.outcome().cloned());
        let over = outcome.is_some();
        if let Some(outcome) = outcome {
            self.record(TableRecord::Closed(Closing::Over(outcome)));
        }
        if let Err(fault) = self.tell_update()
            && !over
        {
            return self.break_down(fault);
        }
        match over {
            true => self.conclude(),
            false => self.retire_absent(),
        }
    }

    /// Those who went after their move of the turn that is now resolved.
    fn retire_absent(&mut self) {
        let live = &*self.live;
        let gone = |(seat, chair): &(Seat, &Chair)| {
            live.is_away(*seat)
                && live.away_in_play(*seat) == AwayInPlay::RetireAfterMove
                && !chair.retired
                && !live.table.has_moved(*seat)
        };
        let gone = live.table.seated().filter(gone).map(|(seat, _)| (seat, Exit::Lost)).collect();
        self.retire(gone);
    }
}
