//! Starts where an earlier hall ended: tables are folded from their records.
//!
//! Afterwards all players are absent; those who were away before, since they left. Every clock
//! restarts with at least the policy's grace period.

use std::fmt;

use table::{
    LiveTable, Name, Opened, Phase, Recorded, TableInput, TableNo, TableRecord, Time, TournamentNo,
    guarded,
};

use crate::contest::{TournamentRecord, TournamentState};
use crate::tournaments::keep_all_names;
use crate::{Hall, Listing, Output, Standing};

/// What an earlier hall left open.
#[derive(Debug)]
pub struct Unfinished {
    pub tables: Vec<(TableNo, Recorded)>,
    /// Recently finished tables: players may not know the end.
    pub lately_over: Vec<(TableNo, Vec<TableRecord>)>,
    /// Open and recently finished tournaments: entrants may not know the end.
    pub tournaments: Vec<(TournamentNo, Vec<TournamentRecord>)>,
    /// The numbers after the greatest ever used.
    pub next_table: u64,
    pub next_tournament: u64,
    /// When the earlier hall wrote its last record of what is open.
    pub last_written: Time,
    /// Set when another owner takes over from a lost one and some connections still exist. `None`:
    /// the hall restarts, and all players have to reconnect.
    pub standing: Option<Standing>,
}

impl Default for Unfinished {
    fn default() -> Unfinished {
        Unfinished {
            tables: Vec::new(),
            lately_over: Vec::new(),
            tournaments: Vec::new(),
            next_table: 1,
            next_tournament: 1,
            last_written: Time(0),
            standing: None,
        }
    }
}

/// Why a table or a tournament cannot be taken up again.
#[derive(Debug)]
pub enum RestoreError {
    /// The tournament's records can't have happened, and why.
    NoTournament(TournamentNo, String),
    /// The table's records can't have happened, and why.
    NoTable(TableNo, String),
    /// It does not begin with its opening.
    NoBeginning(TableNo),
    /// Begun under another version of the rules, or of how tournaments pair.
    OtherVersion { what: &'static str, of: &'static str, id: Name, begun: u32, known: u32 },
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreError::NoBeginning(no) => {
                write!(f, "table {} does not begin with its opening", no.0)
            }
            RestoreError::NoTable(no, why) => write!(
                f,
                "table {} cannot be continued: {why}. Close what is open with \
                 'parlor data abandon'",
                no.0
            ),
            RestoreError::NoTournament(no, why) => write!(
                f,
                "tournament {} cannot be continued: {why}. Close what is open with \
                 'parlor data abandon'",
                no.0
            ),
            RestoreError::OtherVersion { what, of, id, begun, known } => write!(
                f,
                "{what} {id} was begun under version {begun} of the {of} and this build has version {known}: \
                 finish it with the build that began it, or close what is open with 'parlor data abandon'"
            ),
        }
    }
}

impl std::error::Error for RestoreError {}

fn check_version(
    what: &'static str,
    of: &'static str,
    id: &Name,
    begun: u32,
    known: u32,
) -> Result<(), RestoreError> {
    match begun == known {
        true => Ok(()),
        false => Err(RestoreError::OtherVersion { what, of, id: id.clone(), begun, known }),
    }
}

/// Whether this release has the rules that a table was opened with.
fn is_current(opened: &Opened) -> bool {
    opened.version == opened.terms.config.rules().version()
}

/// Restores a tournament from its records, if it can continue as it began. A finished one is
/// restored only for its result, if possible.
fn take_up(
    no: TournamentNo,
    records: &[TournamentRecord],
) -> Result<Option<TournamentState>, RestoreError> {
    let over = matches!(records.last(), Some(TournamentRecord::Closed));
    let convened = match records.first() {
        Some(TournamentRecord::Convened(convened)) => Some(&**convened),
        Some(TournamentRecord::Condensed(state)) => Some(&state.convened),
        _ => None,
    };
    if let Some(convened) = convened.filter(|_| !over) {
        let (version, pairing_version) = (convened.version, convened.pairing_version);
        check_version(
            "tournament",
            "rules",
            &convened.id,
            version,
            convened.terms.config.rules().version(),
        )?;
        let known = tournament::VERSION;
        check_version("tournament", "pairings", &convened.id, pairing_version, known)?;
    }
    // Records of another version may not even be what ours expects of any.
    let folded = guarded(|| TournamentState::fold(records)).flatten();
    match folded {
        Ok(state) => Ok(Some(state)),
        Err(_) if over => Ok(None),
        Err(why) => Err(RestoreError::NoTournament(no, why)),
    }
}

impl Hall {
    /// Takes up open tables and tournaments. To be called once, before anything else.
    pub fn restore(
        &mut self,
        now: Time,
        unfinished: Unfinished,
        outputs: &mut Vec<Output>,
    ) -> Result<(), RestoreError> {
        self.desk.now = now;
        let next = &mut self.lobby.whereabouts.tables.next;
        *next = (*next).max(unfinished.next_table);
        self.tournaments.next = self.tournaments.next.max(unfinished.next_tournament);
        for (no, records) in unfinished.tournaments {
            let Some(state) = take_up(no, &records)? else { continue };
            self.desk.listed.push(Listing::Tournament(no, Box::new(state.clone())));
            keep_all_names(self.desk.premises.kept_names(), no, &state);
            self.tournaments.insert(no, state);
            self.tournaments.count_records(no, records.len());
        }
        let mut over = Vec::new();
        for (no, records) in unfinished.lately_over {
            // It doesn't continue, so an inconsistent one is simply skipped.
            let Ok(live) = guarded(|| LiveTable::over(records)) else { continue };
            let live = live.ok_or(RestoreError::NoBeginning(no))?;
            // By other rules it might have ended otherwise.
            if is_current(live.table().opened()) && live.phase() == Phase::Closed {
                self.lobby.whereabouts.tables.insert(no, live);
                over.push(no);
            }
        }
        let mut restored = Vec::new();
        for (no, recorded) in unfinished.tables {
            let Some(TableRecord::Opened(opened)) = recorded.records().next() else {
                return Err(RestoreError::NoBeginning(no));
            };
            let opened = opened.clone();
            let game = opened.game_ref.as_ref();
            let occasion = game.and_then(|game| self.tournaments.take_up_game(no, game));
            let live = guarded(|| LiveTable::restored(recorded, occasion));
            let live = live.map_err(|why| RestoreError::NoTable(no, why))?;
            let live = live.ok_or(RestoreError::NoBeginning(no))?;
            // A table that no player could continue is closed, by the rules it was played under.
            if live.survives_restart() || unfinished.standing.is_some() {
                let known = opened.terms.config.rules().version();
                check_version("table", "rules", &opened.id, opened.version, known)?;
            }
            self.lobby.whereabouts.tables.insert(no, live);
            self.lobby.whereabouts.tables.next = self.lobby.whereabouts.tables.next.max(no.0 + 1);
            restored.push(no);
        }
        std::mem::swap(&mut self.desk.out, outputs);
        self.lobby.whereabouts.tables.tell_lists(&mut self.desk);
        if let Some(standing) = &unfinished.standing {
            self.take_up(standing);
            over.into_iter().for_each(|no| self.take_over(no, standing));
        }
        for no in restored {
            match &unfinished.standing {
                Some(standing) => self.take_over(no, standing),
                None => self.set_going(no, unfinished.last_written),
            }
        }
        let grace_ms = match &unfinished.standing {
            Some(standing) => standing.gap_ms,
            None => self.desk.premises.terms().policy.resume_grace_ms,
        };
        self.tournaments.await_guests(self.desk.now, grace_ms);
        self.settle();
        std::mem::swap(&mut self.desk.out, outputs);
        Ok(())
    }

    fn set_going(&mut self, no: TableNo, last_written: Time) {
        let live = self.lobby.whereabouts.tables.live(no);
        let input = match live.survives_restart() && self.is_outdated(no) {
            true => TableInput::Closed("the settings have changed".to_owned()),
            false => TableInput::Restarted { last_written },
        };
        if live.survives_restart() {
            self.lobby.whereabouts.remember_people(&self.desk, no, last_written);
        }
        self.lobby.whereabouts.run(&mut self.desk, no, input);
    }

    /// Whether the server opened this table under other terms than today's and no player has joined
    /// since. New players expect the new terms, so a table with those replaces it.
    fn is_outdated(&self, no: TableNo) -> bool {
        let table = self.lobby.whereabouts.tables.live(no).table();
        let is_empty = table.phase() == Phase::Gathering && table.seated().next().is_none();
        table.opened().house && is_empty && table.opened().terms != *self.desk.premises.terms()
    }
}
