//! Beginning where an earlier hall ended: tables folded from their records.
//!
//! Presence is not part of a table, so afterwards everybody is absent, and every clock starts
//! anew with at least the grace the policy gives after a restart.

use std::fmt;

use rules::{Game, Seat};

use crate::clocks::Alarm;
use crate::lists::Listing;
use crate::live_table::LiveTable;
use crate::people::Person;
use crate::tournaments::TournamentState;
use crate::tournaments::record::TournamentRecord;
use crate::{Hall, Output};
use table::{
    Closing, Name, Names, Phase, Recorded, Table, TableNo, TableRecord, Time, TournamentNo, WayBack,
};

/// What an earlier hall has left open.
#[derive(Debug)]
pub struct Unfinished<G: Game> {
    pub tables: Vec<(TableNo, Vec<TableRecord<G>>)>,
    /// Tables that are lately over: players may not have heard the end.
    pub lately_over: Vec<(TableNo, Vec<TableRecord<G>>)>,
    /// Those that are open, and those lately over: entrants may not have heard the end.
    pub tournaments: Vec<(TournamentNo, Vec<TournamentRecord<G>>)>,
    /// The numbers after the greatest ever used.
    pub next_table: u64,
    pub next_tournament: u64,
}

impl<G: Game> Default for Unfinished<G> {
    fn default() -> Unfinished<G> {
        Unfinished {
            tables: Vec::new(),
            lately_over: Vec::new(),
            tournaments: Vec::new(),
            next_table: 1,
            next_tournament: 1,
        }
    }
}

/// Why a table or a tournament cannot be taken up again.
#[derive(Debug)]
pub enum RestoreError {
    /// What is written of the tournament cannot have happened, and why.
    NoTournament(TournamentNo, String),
    /// It does not begin with its opening.
    NoBeginning(TableNo),
    /// Begun under another version of the rules.
    OtherRules { what: &'static str, id: Name, begun: u32, known: u32 },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreError::NoBeginning(no) => {
                write!(f, "table {} does not begin with its opening", no.0)
            }
            RestoreError::NoTournament(no, why) => write!(
                f,
                "tournament {} cannot be taken up again: {why}. Give up what is open with \
                 'parlor data abandon'",
                no.0
            ),
            RestoreError::OtherRules { what, id, begun, known } => write!(
                f,
                "{what} {id} was begun under version {begun} of the rules and this build has version {known}: \
                 finish it with the build that began it, or give up what is open with 'parlor data abandon'"
            ),
        }
    }
}

impl std::error::Error for RestoreError {}

fn check_rules<G: Game>(what: &'static str, id: &Name, begun: u32) -> Result<(), RestoreError> {
    let known = G::VERSION;
    match begun == known {
        true => Ok(()),
        false => Err(RestoreError::OtherRules { what, id: id.clone(), begun, known }),
    }
}

impl<G: Game> Hall<G> {
    /// Takes up open tables and tournaments. To be called once, before anything else.
    pub fn restore(
        &mut self,
        now: Time,
        unfinished: Unfinished<G>,
        outputs: &mut Vec<Output<G>>,
    ) -> Result<(), RestoreError> {
        self.now = now;
        self.next_table = self.next_table.max(unfinished.next_table);
        self.tournaments.next = self.tournaments.next.max(unfinished.next_tournament);
        for (no, records) in unfinished.tournaments {
            let state = TournamentState::fold(&records)
                .map_err(|why| RestoreError::NoTournament(no, why))?;
            // What is over is only told.
            if !state.closed {
                check_rules::<G>("tournament", &state.convened.id, state.convened.version)?;
            }
            self.listed.push(Listing::Tournament(no, Box::new(state.clone())));
            self.take_up_tournament(no, state, &records);
        }
        for (no, records) in unfinished.lately_over {
            let table = Table::fold(&records).ok_or(RestoreError::NoBeginning(no))?;
            // By other rules it might have ended otherwise.
            if table.opened().version == G::VERSION && table.phase() == Phase::Closed {
                self.remember_closed(no, table);
            }
        }
        let mut restored = Vec::new();
        for (no, records) in unfinished.tables {
            let table = Table::fold(&records).ok_or(RestoreError::NoBeginning(no))?;
            check_rules::<G>("table", &table.opened().id, table.opened().version)?;
            self.next_table = self.next_table.max(no.0 + 1);
            self.take_up(no, table, records);
            restored.push(no);
        }
        std::mem::swap(&mut self.out, outputs);
        self.tell_lists();
        for no in restored {
            self.set_going(no);
        }
        self.mind_tournaments();
        self.ensure_open();
        self.tell_lists();
        self.rearm();
        std::mem::swap(&mut self.out, outputs);
        Ok(())
    }

    /// Keeps a table that is over, for those who come back by their token to hear how it ended.
    fn remember_closed(&mut self, no: TableNo, table: Table<G>) {
        self.ids.insert(table.opened().id.clone(), no);
        self.take_up_tokens(no, &table);
        let mut live = LiveTable::new(table);
        live.untold = live.table.seated().map(|(seat, _)| seat).collect();
        self.live.insert(no, live);
        self.touched.push(no);
        self.closed.push_back(no);
    }

    fn take_up_tokens(&mut self, no: TableNo, table: &Table<G>) {
        for (seat, chair) in table.seated() {
            if let Some(token) = chair.token.clone().filter(|_| !chair.retired) {
                self.tokens.insert(token, (no, seat));
            }
        }
    }

    fn take_up(&mut self, no: TableNo, table: Table<G>, records: Vec<TableRecord<G>>) {
        self.ids.insert(table.opened().id.clone(), no);
        self.take_up_tokens(no, &table);
        if table.phase() == Phase::Gathering {
            self.gathering.insert(no);
        }
        self.take_up_bout(no, &table);
        let mut live = LiveTable::new(table);
        // How long each move took is told of games in the archive only.
        live.recorded = Recorded::written_at(self.now, records);
        self.live.insert(no, live);
        self.touched.push(no);
    }

    fn set_going(&mut self, no: TableNo) {
        if self.live(no).policy().way_back == WayBack::None {
            return self.close(no, Closing::Void("the server was restarted".to_owned()));
        }
        if self.is_outdated(no) {
            return self.close(no, Closing::Void("the settings have changed".to_owned()));
        }
        self.remember_people(no);
        let now = self.now;
        let policy = self.live(no).policy().clone();
        let grace = policy.resume_grace_ms;
        match self.live(no).phase() {
            Phase::Gathering => {
                self.watch_over_waiting(no);
                self.restart_no_show(no, grace);
                self.consider_start(no);
                if self.live(no).phase() == Phase::Gathering && policy.names != Names::UniqueInHall
                {
                    let until = now + policy.hold_waiting_ms.max(grace);
                    let live = self.live_mut(no);
                    let players: Vec<Seat> = live
                        .table
                        .seated()
                        .filter(|(_, chair)| chair.bot.is_none())
                        .map(|(seat, _)| seat)
                        .collect();
                    for seat in players {
                        live.clocks.away[seat.index()] = Some(until);
                    }
                }
            }
            Phase::Playing => {
                self.begin_turn(no);
                self.mind_absences(no, grace);
                let clocks = &mut self.live_mut(no).clocks;
                clocks.turn =
                    policy.turn_ms.filter(|_| clocks.turn.is_some()).map(|ms| now + ms.max(grace));
                self.mind_desertion(no);
                // The game's own code has failed, or its end was not told yet.
                let table = &self.live(no).table;
                let over = table.game().is_some_and(|game| game.outcome().is_some());
                if over || table.fault().is_some() {
                    self.after_step(no);
                }
            }
            Phase::Closed => {}
        }
    }

    /// Whether the house opened this table by other terms than it does now and nobody has come to
    /// it since. Whoever comes expects the new ones, and one by them is opened in its place.
    fn is_outdated(&self, no: TableNo) -> bool {
        let table = &self.live(no).table;
        let is_empty = table.phase() == Phase::Gathering && table.seated().next().is_none();
        table.opened().house && is_empty && table.opened().terms != self.terms
    }

    /// Where names are unique in the hall, whoever sits at an open table is known there.
    fn remember_people(&mut self, no: TableNo) {
        let policy = self.live(no).policy();
        if policy.names != Names::UniqueInHall {
            return;
        }
        let until = self.now + policy.window_ms().max(policy.resume_grace_ms);
        let names: Vec<_> =
            self.live(no).table.seated().map(|(seat, chair)| (seat, chair.clone())).collect();
        for (seat, chair) in names {
            if chair.bot.is_some() {
                self.enter_bot(chair.name, no, seat);
            } else if !chair.retired {
                self.alarms.insert((until, Alarm::Person(chair.name.clone())));
                let (seat, until) = (Some((no, seat)), Some(until));
                let person = Person { seat, until, unheard: true, ..Person::default() };
                self.people.insert(chair.name, person);
            }
        }
    }

    /// The grace of a restart ends for a turn when everybody who owes a move is back.
    pub(crate) fn end_grace(&mut self, no: TableNo) {
        let now = self.now;
        let live = self.live_mut(no);
        let all_back = live
            .table
            .owed()
            .iter()
            .all(|seat| live.present[seat.index()].is_some() || live.bot(seat).is_some());
        if let (Some(ms), Some(turn), true) = (live.policy().turn_ms, live.clocks.turn, all_back) {
            live.clocks.turn = Some(turn.min(now + ms));
        }
    }
}

#[cfg(test)]
#[path = "recovery_tests.rs"]
mod tests;
