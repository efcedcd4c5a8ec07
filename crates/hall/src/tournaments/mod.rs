//! Tournaments in the hall.
//!
//! A [`Register`] is to a tournament what a table is to a game: the fold of its notes and nothing
//! else. A [`Steward`] surrounds it as a host surrounds a table: who is here, which tables it has.
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

mod bouts;
mod entrants;
mod info;
mod orders;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rules::Game;
use tournament::{Entrant, Fact, PairingId, Phase, Tournament};

use crate::naming::TokenHash;
use crate::record::{Convened, Note, Noted};
use crate::speech::{Name, Refusal};
use crate::{Conn, Hall, Output, TableNo, TournamentNo};

pub(crate) use entrants::Expected;
pub use info::TournamentInfo;
pub use orders::{NewEntrant, NewTournament, Order};

/// A tournament: the fold of its notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Register<G: Game> {
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

impl<G: Game> Register<G> {
    /// The plan was found good when it was convened; one that no longer is gives the reason.
    pub fn new(convened: Convened<G>) -> Result<Register<G>, String> {
        Ok(Register {
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

    /// The fold of a whole tournament, or why these notes are none: the first, and only that,
    /// convenes it, and each of the others can follow those before it.
    pub fn fold<'a>(notes: impl IntoIterator<Item = &'a Note<G>>) -> Result<Register<G>, String> {
        let mut notes = notes.into_iter();
        let Some(Note::Convened(convened)) = notes.next() else {
            return Err("it does not begin with a plan".to_owned());
        };
        let mut register = Register::new((**convened).clone())?;
        for (note, number) in notes.zip(2..) {
            let no_sequel = |why| format!("its entry {number} cannot follow those before: {why}");
            register.apply(note).map_err(no_sequel)?;
        }
        Ok(register)
    }

    /// The only mutator. Refuses what cannot be, and then nothing has changed.
    pub fn apply(&mut self, note: &Note<G>) -> Result<(), String> {
        match note {
            Note::Convened(_) => return Err("it has a plan already".to_owned()),
            Note::Fact(fact) => {
                self.tournament.check(fact).map_err(|why| why.to_string())?;
                match fact {
                    Fact::Entered { name, .. } => {
                        self.table_names.insert(name.as_str().into());
                    }
                    // Who goes before the start was never there: the next of that name is another.
                    Fact::Withdrawn { name, .. } if self.tournament.phase() == Phase::Entering => {
                        self.table_names.remove(&self.table_name(name));
                        self.claims.remove(&**name);
                        self.plays_as.remove(&**name);
                        self.displays.remove(&**name);
                    }
                    _ => {}
                }
                self.tournament.apply(fact).map_err(|why| why.to_string())?;
            }
            Note::PlaysAs { entrant, name } => {
                self.table_names.remove(&self.table_name(entrant));
                self.table_names.insert(name.clone());
                self.plays_as.insert(entrant.clone(), name.clone());
            }
            Note::Displayed { entrant, display } => {
                self.displays.insert(entrant.clone(), display.clone());
            }
            Note::Claimed { entrant, token } => {
                self.claims.insert(entrant.clone(), token.clone());
            }
            Note::Invited { entrant, pairing, attempt, token } => {
                let invitation =
                    Invitation { entrant: entrant.clone(), game: (*pairing, *attempt) };
                self.invitations.insert(token.clone(), invitation);
            }
            Note::Closed => self.closed = true,
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

    /// Whether nothing more can happen.
    pub fn is_over(&self) -> bool {
        matches!(self.tournament.phase(), Phase::Over | Phase::Cancelled)
    }
}

#[derive(Debug)]
pub(crate) struct Steward<G: Game> {
    pub register: Register<G>,
    /// The connections of entrants, where the protocol speaks of tournaments.
    pub present: BTreeMap<Name, Conn>,
    /// The table of each game that is due.
    pub tables: BTreeMap<GameKey, TableNo>,
    /// Byes of the rounds up to this one have been told.
    pub byes_told: u32,
}

impl<G: Game> Steward<G> {
    fn new(register: Register<G>) -> Steward<G> {
        Steward { register, present: BTreeMap::new(), tables: BTreeMap::new(), byes_told: 0 }
    }
}

/// All tournaments of a hall, and the ways to find them.
#[derive(Debug)]
pub(crate) struct Tournaments<G: Game> {
    pub stewards: BTreeMap<TournamentNo, Steward<G>>,
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
    pub conn: Conn,
    pub manner: Option<Name>,
}

impl<G: Game> Default for Tournaments<G> {
    fn default() -> Tournaments<G> {
        Tournaments {
            stewards: BTreeMap::new(),
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
    pub fn tournaments(&self) -> impl Iterator<Item = (TournamentNo, &Register<G>)> {
        self.tournaments.stewards.iter().map(|(no, steward)| (*no, &steward.register))
    }

    pub fn tournament(&self, no: TournamentNo) -> Option<&Register<G>> {
        self.tournaments.stewards.get(&no).map(|steward| &steward.register)
    }

    fn steward(&self, no: TournamentNo) -> &Steward<G> {
        self.tournaments.stewards.get(&no).expect("a number in use names a steward")
    }

    fn steward_mut(&mut self, no: TournamentNo) -> &mut Steward<G> {
        self.tournaments.stewards.get_mut(&no).expect("a number in use names a steward")
    }

    /// Writes a note and folds it in: the only way a tournament changes.
    fn note(&mut self, no: TournamentNo, note: Note<G>) {
        let applied = self.steward_mut(no).register.apply(&note);
        applied.expect("a fact is checked before it is written down");
        self.index(no, &note);
        let note = Arc::new(note);
        self.out.push(Output::Note(Noted { tournament: no, at: self.now, note }));
    }

    /// Keeps the ways to find a tournament in step with what it has become.
    fn index(&mut self, no: TournamentNo, note: &Note<G>) {
        let tournaments = &mut self.tournaments;
        match note {
            Note::Convened(convened) => _ = tournaments.ids.insert(convened.id.clone(), no),
            Note::Claimed { entrant, token } => {
                tournaments.claims.insert(token.clone(), (no, entrant.clone()));
            }
            Note::Invited { token, .. } => _ = tournaments.invitations.insert(token.clone(), no),
            Note::Fact(_) | Note::PlaysAs { .. } | Note::Displayed { .. } | Note::Closed => {}
        }
        match note {
            Note::Fact(Fact::Entered { name, .. }) => self.keep_name(no, name),
            Note::PlaysAs { entrant, .. } => {
                self.release_name(no, entrant);
                self.keep_name(no, entrant);
            }
            Note::Claimed { entrant, .. } => {
                let name = self.steward(no).register.table_name(entrant);
                self.release_name(no, &name);
            }
            Note::Fact(Fact::Withdrawn { .. } | Fact::Reinstated { .. }) | Note::Closed => {
                self.keep_names(no);
            }
            Note::Convened(_) | Note::Fact(_) | Note::Displayed { .. } | Note::Invited { .. } => {}
        }
    }

    /// Keeps the name at the tables of an entrant without a token.
    fn keep_name(&mut self, no: TournamentNo, entrant: &str) {
        let register = &self.steward(no).register;
        if !register.claims.contains_key(entrant) {
            let name = register.table_name(entrant);
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
        let register = &self.steward(no).register;
        if register.closed {
            return;
        }
        let entrants = register.tournament.entrants().iter();
        let staying = entrants.filter(|entrant| !entrant.withdrawn);
        let staying: Vec<String> = staying.map(|entrant| entrant.name.clone()).collect();
        staying.iter().for_each(|entrant| self.keep_name(no, entrant));
    }

    /// Something happens to a tournament, if it can.
    fn fact(&mut self, no: TournamentNo, fact: Fact) -> Result<(), Refusal> {
        self.check(no, &fact)?;
        self.note(no, Note::Fact(fact));
        self.tournaments.stirred.insert(no);
        Ok(())
    }

    fn check(&self, no: TournamentNo, fact: &Fact) -> Result<(), Refusal> {
        let tournament = &self.steward(no).register.tournament;
        tournament.check(fact).map_err(|why| Refusal::BadTable(why.to_string()))
    }

    /// Takes up a tournament that an earlier hall began. Its tables come later.
    pub(crate) fn take_up_tournament(
        &mut self,
        no: TournamentNo,
        register: Register<G>,
        notes: &[Note<G>],
    ) {
        self.tournaments.next = self.tournaments.next.max(no.0 + 1);
        match register.closed {
            true => self.tournaments.closed.push_back(no),
            false => _ = self.tournaments.stirred.insert(no),
        }
        self.tournaments.stewards.insert(no, Steward::new(register));
        notes.iter().for_each(|note| self.index(no, note));
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
