//! The steward between tournaments and the lobby: asks for the tables of due games, reports their
//! results to tournaments, and runs follow-up work.

use std::sync::Arc;

use table::{Refusal, TournamentNo};
use tournament::Fact;

use super::keeping::keep_names;
use super::ladders::Minding;
use super::{TournamentRecord, Tournaments};
use crate::desk::Desk;
use crate::lobby::Lobby;

pub(crate) struct Steward<'a> {
    pub(super) tournaments: &'a mut Tournaments,
    pub(super) lobby: &'a mut Lobby,
    pub(super) desk: &'a mut Desk,
}

impl<'a> Steward<'a> {
    pub fn new(
        tournaments: &'a mut Tournaments,
        lobby: &'a mut Lobby,
        desk: &'a mut Desk,
    ) -> Steward<'a> {
        Steward { tournaments, lobby, desk }
    }

    /// Lets everything that has happened to tournaments have its consequences.
    pub fn mind(&mut self) {
        self.hear_results();
        // The rest is done after the next start.
        if self.desk.premises.is_shutting_down() {
            return;
        }
        while let Some(no) = self.tournaments.stirred.pop_first() {
            self.withdraw_missing(no);
            Minding::of(self, no).into_iter().for_each(Minding::mind);
            self.close_tables_not_due(no);
            self.open_tables_due(no);
            self.start_where_all_have_come(no);
            self.tournaments.tell_byes(self.desk, no);
            self.end_if_over(no);
        }
    }

    /// Something happens to a tournament, if it can.
    pub(super) fn fact(&mut self, no: TournamentNo, fact: Fact) -> Result<(), Refusal> {
        self.tournaments.check(no, &fact)?;
        self.record(no, TournamentRecord::Fact(fact));
        self.tournaments.stirred.insert(no);
        Ok(())
    }

    /// Writes a record and folds it in: the only way a tournament changes.
    pub(super) fn record(&mut self, no: TournamentNo, record: TournamentRecord) {
        self.tournaments.fold_in(no, &record);
        let state = &self.tournaments.live(no).state;
        keep_names(self.desk.premises.kept_names(), no, state, &record);
        let info = matches!(record, TournamentRecord::Closed);
        let info = info.then(|| self.tournaments.info(self.lobby, no)).flatten().map(Box::new);
        self.desk.write_down(no, Arc::new(record), info);
    }
}
