//! Tournaments in the hall.
//!
//! A [`TournamentState`] is to a tournament what a table is to a game: the fold of its records and nothing
//! else. A [`LiveTournament`] surrounds it as a [`LiveTable`] surrounds a table: who is here, which tables it has.
//!
//! ```text
//! Convened ──Entered…──▶ Started ──▶ games due ──▶ tables ──Closed──▶ Played ──┐
//!                                        ▲                                     │
//!                                        └─────────────────────────────────────┘
//! ```
//!
//! Whatever happens to a tournament stirs it; when the input is handled, the hall
//! [minds](Hall::mind_tournaments) it: withdraws who keeps missing, closes tables that are not due any more, opens those that
//! are, starts those that wait for nobody, tells entrants, and ends it. So a result, a withdrawal
//! and a restart need no code of their own.

mod due_games;
mod entrants;
mod info;
mod orders;
pub(crate) mod record;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rules::Game;
use tournament::{Entrant, Fact, PairingId, Plan, Tournament, TournamentPhase};

use crate::lists::Listing;
use crate::{Hall, Output};
use table::{ConnId, Name, Refusal, TableNo, TokenHash, TournamentNo};

pub(crate) use entrants::Expected;
pub use info::{TournamentCard, TournamentInfo};
pub use orders::{NewEntrant, NewTournament, Order};
pub use record::{Convened, TournamentEntry, TournamentRecord};

/// A tournament: the fold of its records.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentState<G: Game> {
    pub convened: Convened<G>,
    pub tournament: Tournament,
    /// What entrants are called at the tables, where that is another name.
    pub plays_as: BTreeMap<Name, Name>,
    /// What people read for an entrant's name, where that is another text.
    pub displays: BTreeMap<Name, Name>,
    /// What all entrants are called at the tables.
    pub table_names: BTreeSet<Name>,
    /// What entrants come back with who have a token.
    pub claims: BTreeMap<Name, TokenHash>,
    pub invitations: BTreeMap<TokenHash, Invitation>,
    pub closed: bool,
}

/// Lets an entrant sit down to one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub entrant: Name,
    pub game: GameKey,
}

/// A pairing, and the how-manieth game of it.
pub type GameKey = (PairingId, u32);

impl<G: Game> TournamentState<G> {
    /// The plan was found good when it was convened; one that no longer is gives the reason.
    pub fn new(convened: Convened<G>) -> Result<TournamentState<G>, String> {
        Ok(TournamentState {
            tournament: Tournament::new(convened.plan.clone()).map_err(|why| why.to_string())?,
            convened,
            plays_as: BTreeMap::new(),
            displays: BTreeMap::new(),
            table_names: BTreeSet::new(),
            claims: BTreeMap::new(),
            invitations: BTreeMap::new(),
            closed: false,
        })
    }

    /// The fold of a whole tournament, or why these records are none: the first, and only that,
    /// convenes it, and each of the others can follow those before it.
    pub fn fold<'a>(
        records: impl IntoIterator<Item = &'a TournamentRecord<G>>,
    ) -> Result<TournamentState<G>, String> {
        let mut records = records.into_iter();
        let Some(TournamentRecord::Convened(convened)) = records.next() else {
            return Err("it does not begin with a plan".to_owned());
        };
        let mut state = TournamentState::new((**convened).clone())?;
        for (record, number) in records.zip(2..) {
            let no_sequel = |why| format!("its entry {number} cannot follow those before: {why}");
            state.apply(record).map_err(no_sequel)?;
        }
        Ok(state)
    }

    /// The only mutator. Refuses what cannot be, and then nothing has changed.
    pub fn apply(&mut self, record: &TournamentRecord<G>) -> Result<(), String> {
        match record {
            TournamentRecord::Convened(_) => return Err("it has a plan already".to_owned()),
            TournamentRecord::Fact(fact) => {
                self.tournament.check(fact).map_err(|why| why.to_string())?;
                match fact {
                    Fact::Entered { name, .. } => {
                        self.table_names.insert(name.as_str().into());
                    }
                    // Who goes before the start was never there: the next of that name is another.
                    Fact::Withdrawn { name, .. }
                        if self.tournament.phase() == TournamentPhase::Entering =>
                    {
                        self.table_names.remove(&self.table_name(name));
                        self.claims.remove(&**name);
                        self.plays_as.remove(&**name);
                        self.displays.remove(&**name);
                    }
                    _ => {}
                }
                self.tournament.apply(fact).map_err(|why| why.to_string())?;
            }
            TournamentRecord::PlaysAs { entrant, name } => {
                self.table_names.remove(&self.table_name(entrant));
                self.table_names.insert(name.clone());
                self.plays_as.insert(entrant.clone(), name.clone());
            }
            TournamentRecord::Displayed { entrant, display } => {
                self.displays.insert(entrant.clone(), display.clone());
            }
            TournamentRecord::Claimed { entrant, token } => {
                self.claims.insert(entrant.clone(), token.clone());
            }
            TournamentRecord::Invited { entrant, pairing, attempt, token } => {
                let invitation =
                    Invitation { entrant: entrant.clone(), game: (*pairing, *attempt) };
                self.invitations.insert(token.clone(), invitation);
            }
            TournamentRecord::Closed => self.closed = true,
        }
        Ok(())
    }

    /// The entrant who goes by this name, on the list or at the tables.
    pub fn entrant_called(&self, name: &str) -> Option<&Entrant> {
        let listed = self.tournament.find(name).map(|id| self.tournament.entrant(id));
        let plays_as = |entrant: &&Entrant| {
            self.plays_as.get(&*entrant.name).is_some_and(|plays_as| **plays_as == *name)
        };
        listed.or_else(|| self.tournament.entrants().iter().find(plays_as))
    }

    /// The name at the tables of an entrant.
    pub fn table_name(&self, entrant: &str) -> Name {
        self.plays_as.get(entrant).cloned().unwrap_or_else(|| entrant.into())
    }

    /// The plan as everybody may know it: who knows the seed knows the lots to come.
    pub(crate) fn public_plan(&self) -> Plan {
        let seed = self.convened.plan.seed.filter(|_| self.is_over());
        Plan { seed, ..self.convened.plan.clone() }
    }

    /// Whether nothing more can happen.
    pub fn is_over(&self) -> bool {
        matches!(self.tournament.phase(), TournamentPhase::Over | TournamentPhase::Cancelled)
    }
}

#[derive(Debug)]
pub(crate) struct LiveTournament<G: Game> {
    pub state: TournamentState<G>,
    /// The connections of entrants, where the protocol speaks of tournaments.
    pub present: BTreeMap<Name, ConnId>,
    /// The table of each game that is due.
    pub tables: BTreeMap<GameKey, TableNo>,
    /// Byes of the rounds up to this one have been told.
    pub byes_told: u32,
}

impl<G: Game> LiveTournament<G> {
    fn new(state: TournamentState<G>) -> LiveTournament<G> {
        LiveTournament { state, present: BTreeMap::new(), tables: BTreeMap::new(), byes_told: 0 }
    }
}

/// All tournaments of a hall, and the ways to find them.
#[derive(Debug)]
pub(crate) struct Tournaments<G: Game> {
    pub live: BTreeMap<TournamentNo, LiveTournament<G>>,
    pub ids: BTreeMap<Name, TournamentNo>,
    /// What entrants with a token come back with; those they had before are here too.
    pub claims: BTreeMap<TokenHash, (TournamentNo, Name)>,
    pub invitations: BTreeMap<TokenHash, TournamentNo>,
    /// Names at the tables that are kept for entrants without a token.
    pub names: BTreeMap<Name, TournamentNo>,
    /// Entrants who wait for a table, by that name.
    pub waiting: BTreeMap<Name, Waiting>,
    /// Something has happened to these.
    pub stirred: BTreeSet<TournamentNo>,
    /// These could not open a table, because the hall was full.
    pub crowded: BTreeSet<TournamentNo>,
    /// Over and still remembered, the oldest first.
    pub closed: VecDeque<TournamentNo>,
    pub next: u64,
}

#[derive(Debug)]
pub(crate) struct Waiting {
    pub conn: ConnId,
    pub joined_via: Option<Name>,
}

impl<G: Game> Default for Tournaments<G> {
    fn default() -> Tournaments<G> {
        Tournaments {
            live: BTreeMap::new(),
            ids: BTreeMap::new(),
            claims: BTreeMap::new(),
            invitations: BTreeMap::new(),
            names: BTreeMap::new(),
            waiting: BTreeMap::new(),
            stirred: BTreeSet::new(),
            crowded: BTreeSet::new(),
            closed: VecDeque::new(),
            next: 1,
        }
    }
}

/// So many tournaments that are over are remembered.
const CLOSED_KEPT: usize = 100;

impl<G: Game> Hall<G> {
    /// Every tournament the hall remembers.
    pub fn tournaments(&self) -> impl Iterator<Item = (TournamentNo, &TournamentState<G>)> {
        self.tournaments.live.iter().map(|(no, live_tournament)| (*no, &live_tournament.state))
    }

    pub fn tournament(&self, no: TournamentNo) -> Option<&TournamentState<G>> {
        self.tournaments.live.get(&no).map(|live_tournament| &live_tournament.state)
    }

    fn live_tournament(&self, no: TournamentNo) -> &LiveTournament<G> {
        self.tournaments.live.get(&no).expect("a number in use names a tournament")
    }

    fn live_tournament_mut(&mut self, no: TournamentNo) -> &mut LiveTournament<G> {
        self.tournaments.live.get_mut(&no).expect("a number in use names a tournament")
    }

    /// Writes a record and folds it in: the only way a tournament changes.
    fn record_tournament(&mut self, no: TournamentNo, record: TournamentRecord<G>) {
        let applied = self.live_tournament_mut(no).state.apply(&record);
        applied.expect("a fact is checked before it is written down");
        self.index(no, &record);
        self.write_down(no, Arc::new(record));
    }

    fn write_down(&mut self, no: TournamentNo, record: Arc<TournamentRecord<G>>) {
        let entry = TournamentEntry { tournament: no, at: self.now, record };
        self.listed.push(Listing::Happened(entry.clone()));
        self.out.push(Output::TournamentRecord(entry));
    }

    /// Keeps the ways to find a tournament in step with what it has become.
    fn index(&mut self, no: TournamentNo, record: &TournamentRecord<G>) {
        let tournaments = &mut self.tournaments;
        match record {
            TournamentRecord::Convened(convened) => {
                _ = tournaments.ids.insert(convened.id.clone(), no);
            }
            TournamentRecord::Claimed { entrant, token } => {
                tournaments.claims.insert(token.clone(), (no, entrant.clone()));
            }
            TournamentRecord::Invited { token, .. } => {
                _ = tournaments.invitations.insert(token.clone(), no);
            }
            TournamentRecord::Fact(_)
            | TournamentRecord::PlaysAs { .. }
            | TournamentRecord::Displayed { .. }
            | TournamentRecord::Closed => {}
        }
        match record {
            TournamentRecord::Fact(Fact::Entered { name, .. }) => self.keep_name(no, name),
            TournamentRecord::PlaysAs { entrant, .. } => {
                self.release_name(no, entrant);
                self.keep_name(no, entrant);
            }
            TournamentRecord::Claimed { entrant, .. } => {
                let name = self.live_tournament(no).state.table_name(entrant);
                self.release_name(no, &name);
            }
            TournamentRecord::Fact(Fact::Withdrawn { .. } | Fact::Reinstated { .. })
            | TournamentRecord::Closed => {
                self.keep_names(no);
            }
            TournamentRecord::Convened(_)
            | TournamentRecord::Fact(_)
            | TournamentRecord::Displayed { .. }
            | TournamentRecord::Invited { .. } => {}
        }
    }

    /// Keeps the name at the tables of an entrant without a token.
    fn keep_name(&mut self, no: TournamentNo, entrant: &str) {
        let state = &self.live_tournament(no).state;
        if !state.claims.contains_key(entrant) {
            let name = state.table_name(entrant);
            self.tournaments.names.entry(name).or_insert(no);
        }
    }

    fn release_name(&mut self, no: TournamentNo, name: &str) {
        if self.tournaments.names.get(name) == Some(&no) {
            self.tournaments.names.remove(name);
        }
    }

    /// Keeps the names of all entrants without a token for them, while the tournament lasts.
    fn keep_names(&mut self, no: TournamentNo) {
        self.tournaments.names.retain(|_, owner| *owner != no);
        let state = &self.live_tournament(no).state;
        if state.closed {
            return;
        }
        let entrants = state.tournament.entrants().iter();
        let staying = entrants.filter(|entrant| !entrant.withdrawn);
        let staying: Vec<String> = staying.map(|entrant| entrant.name.clone()).collect();
        staying.iter().for_each(|entrant| self.keep_name(no, entrant));
    }

    /// Something happens to a tournament, if it can.
    fn fact(&mut self, no: TournamentNo, fact: Fact) -> Result<(), Refusal> {
        self.check(no, &fact)?;
        self.record_tournament(no, TournamentRecord::Fact(fact));
        self.tournaments.stirred.insert(no);
        Ok(())
    }

    fn check(&self, no: TournamentNo, fact: &Fact) -> Result<(), Refusal> {
        let tournament = &self.live_tournament(no).state.tournament;
        tournament.check(fact).map_err(|why| Refusal::BadTable(why.to_string()))
    }

    /// Takes up a tournament that an earlier hall began. Its tables come later.
    pub(crate) fn take_up_tournament(
        &mut self,
        no: TournamentNo,
        state: TournamentState<G>,
        records: &[TournamentRecord<G>],
    ) {
        self.tournaments.next = self.tournaments.next.max(no.0 + 1);
        match state.closed {
            true => self.tournaments.closed.push_back(no),
            false => _ = self.tournaments.stirred.insert(no),
        }
        self.tournaments.live.insert(no, LiveTournament::new(state));
        records.iter().for_each(|record| self.index(no, record));
        self.keep_names(no);
    }

    /// Lets everything that has happened to tournaments have its consequences.
    pub(crate) fn mind_tournaments(&mut self) {
        // What is left to do is done after the next start.
        if self.shutting_down {
            return;
        }
        while let Some(no) = self.tournaments.stirred.pop_first() {
            self.withdraw_missing(no);
            self.close_tables_not_due(no);
            self.open_tables_due(no);
            self.start_where_all_have_come(no);
            self.tell_byes(no);
            self.end_if_over(no);
        }
    }
}
