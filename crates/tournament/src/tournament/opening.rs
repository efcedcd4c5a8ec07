//! What the start and a new round bring to the tables.

use crate::{EntrantId, Format, How, Tournament, TournamentPhase, rounds};

impl Tournament {
    pub(super) fn enter(&mut self, name: &str, bot: Option<String>) {
        if self.phase == TournamentPhase::Entering {
            return self.entrants.enter(name, bot);
        }
        // Only a ladder is entered once it has begun.
        self.entrants.enter_late(name, bot);
        self.make_room();
    }

    pub(super) fn start(&mut self) {
        self.phase = TournamentPhase::Running;
        let drawn = self.entrants.draw_lots(&self.plan.seed());
        self.make_room();
        match self.plan.format {
            Format::Ladder { .. } => {}
            Format::Knockout | Format::Swiss { .. } => self.next_round(),
            Format::RoundRobin { .. } | Format::Gauntlet { .. } => {
                for (round, seats) in rounds::scheduled(&self.plan, &drawn) {
                    let id = self.pairings.add(round, seats);
                    self.agenda.put_ahead(id, &self.pairings.get(id).entrants);
                }
                self.agenda.open_undecided(&self.pairings, &self.entrants);
            }
        }
    }

    /// Makes room for all entrants.
    fn make_room(&mut self) {
        let count = self.entrants.count();
        self.agenda.grow(count);
        self.ladder.iter_mut().for_each(|ladder| ladder.grow(count));
    }

    /// Everything is decided: pairs the next round, or ends the tournament.
    pub(super) fn next_round(&mut self) {
        let round = self.round() + 1;
        let tables = rounds::next(round, &self.plan, &self.entrants, &self.pairings);
        let Some(tables) = tables else {
            self.phase = TournamentPhase::Over;
            return;
        };
        for table in tables {
            let bye = table.len() == 1;
            let id = self.pairings.add(round, table);
            if bye {
                let decision = self.pairings.get(id).decision_by(How::Bye, |_| Some(1));
                self.pairings.decide(id, decision);
            }
        }
        self.agenda.open_undecided(&self.pairings, &self.entrants);
    }

    /// These entrants of a ladder meet now.
    pub(super) fn meet(&mut self, entrants: &[EntrantId]) {
        let Some(ladder) = &mut self.ladder else { return };
        let id = self.pairings.add(1, ladder.meet(entrants));
        self.agenda.open(id, &self.pairings, &self.entrants);
    }
}
