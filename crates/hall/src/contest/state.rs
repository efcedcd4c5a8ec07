//! A tournament: the fold of its records.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use table::{Name, Refusal, TokenHash};
use tournament::{Entrant, Fact, PairingId, Plan, Tournament, TournamentPhase, Why};

use super::record::{Convened, EntrantKey, TournamentRecord};

/// A tournament: the fold of its records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentState {
    pub convened: Convened,
    pub tournament: Tournament,
    /// The entrants' names at tables, where they differ.
    pub plays_as: BTreeMap<Name, Name>,
    /// The entrants' display names, where they differ.
    pub displays: BTreeMap<Name, Name>,
    /// Which version of a program plays for them, as was said when they entered.
    #[serde(default)]
    pub versions: BTreeMap<Name, Name>,
    /// All names used at tables.
    pub table_names: BTreeSet<Name>,
    /// Proof of identity for entrants with a key.
    pub keys: BTreeMap<Name, EntrantKey>,
    /// The tokens with which entrants reconnect.
    pub claims: BTreeMap<Name, TokenHash>,
    pub invitations: BTreeMap<TokenHash, Invitation>,
    /// The tables on which its games are or were played, by their ids.
    #[serde(with = "as_pairs")]
    pub tables: BTreeMap<GameKey, Name>,
    pub closed: bool,
}

/// Lets an entrant sit down to one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    pub entrant: Name,
    pub game: GameKey,
}

/// A pairing, and the how-manieth game of it.
pub type GameKey = (PairingId, u32);

/// The tables of games as a list of pairs: in JSON a key is a text.
mod as_pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};
    use table::Name;

    use super::GameKey;

    pub fn serialize<S: Serializer>(
        tables: &BTreeMap<GameKey, Name>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(tables)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<GameKey, Name>, D::Error> {
        let pairs: Vec<(GameKey, Name)> = Vec::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
    }
}

impl TournamentState {
    /// The plan was found good when it was convened; one that no longer is gives the reason.
    pub fn new(convened: Convened) -> Result<TournamentState, String> {
        Ok(TournamentState {
            tournament: Tournament::new(convened.plan.clone()).map_err(|why| why.to_string())?,
            convened,
            plays_as: BTreeMap::new(),
            displays: BTreeMap::new(),
            versions: BTreeMap::new(),
            table_names: BTreeSet::new(),
            keys: BTreeMap::new(),
            claims: BTreeMap::new(),
            invitations: BTreeMap::new(),
            tables: BTreeMap::new(),
            closed: false,
        })
    }

    /// The fold of a whole tournament, or why these records are none: the first, and only that,
    /// convenes it, and each of the others can follow those before it.
    pub fn fold<'a>(
        records: impl IntoIterator<Item = &'a TournamentRecord>,
    ) -> Result<TournamentState, String> {
        let mut records = records.into_iter();
        let mut state = match records.next() {
            Some(TournamentRecord::Convened(convened)) => {
                TournamentState::new((**convened).clone())?
            }
            Some(TournamentRecord::Condensed(state)) => (**state).clone(),
            _ => return Err("it does not begin with a plan".to_owned()),
        };
        for (record, number) in records.zip(2..) {
            let no_sequel = |why| format!("its entry {number} cannot follow those before: {why}");
            state.apply(record).map_err(no_sequel)?;
        }
        Ok(state)
    }

    /// The only mutator. Refuses what cannot be, and then nothing has changed.
    pub fn apply(&mut self, record: &TournamentRecord) -> Result<(), String> {
        match record {
            TournamentRecord::Convened(_) => return Err("it has a plan already".to_owned()),
            TournamentRecord::Fact(fact) => {
                self.tournament.check(fact).map_err(|why| why.to_string())?;
                match fact {
                    Fact::Entered { name, .. } => {
                        self.table_names.insert(name.as_str().into());
                    }
                    // An entrant who leaves before the start was never there: the next of that name
                    // is another.
                    Fact::Withdrawn { name, .. }
                        if self.tournament.phase() == TournamentPhase::Entering =>
                    {
                        self.table_names.remove(&self.table_name(name));
                        self.claims.remove(&**name);
                        self.keys.remove(&**name);
                        self.plays_as.remove(&**name);
                        self.displays.remove(&**name);
                        self.versions.remove(&**name);
                    }
                    _ => {}
                }
                self.tournament.apply(fact).map_err(|why| why.to_string())?;
                if self.tournament.ladder().is_some() {
                    self.forget_with_pairings();
                }
            }
            TournamentRecord::Condensed(state) => *self = (**state).clone(),
            TournamentRecord::PlaysAs { entrant, name } => {
                self.table_names.remove(&self.table_name(entrant));
                self.table_names.insert(name.clone());
                self.plays_as.insert(entrant.clone(), name.clone());
            }
            TournamentRecord::Displayed { entrant, display } => {
                self.displays.insert(entrant.clone(), display.clone());
            }
            TournamentRecord::Versioned { entrant, version } => {
                self.versions.insert(entrant.clone(), version.clone());
            }
            TournamentRecord::Keyed { entrant, key } => {
                self.keys.insert(entrant.clone(), key.clone());
            }
            TournamentRecord::Claimed { entrant, token } => {
                self.claims.insert(entrant.clone(), token.clone());
            }
            TournamentRecord::Invited { entrant, pairing, attempt, token } => {
                let invitation =
                    Invitation { entrant: entrant.clone(), game: (*pairing, *attempt) };
                self.invitations.insert(token.clone(), invitation);
            }
            TournamentRecord::Opened { pairing, attempt, table } => {
                self.tables.insert((*pairing, *attempt), table.clone());
            }
            TournamentRecord::Closed => self.closed = true,
        }
        Ok(())
    }

    /// Forgets what belongs to pairings that a ladder has forgotten.
    fn forget_with_pairings(&mut self) {
        let known = |pairing: PairingId| self.tournament.find_pairing(pairing).is_some();
        self.tables.retain(|(pairing, _), _| known(*pairing));
        self.invitations.retain(|_, invitation| known(invitation.game.0));
    }

    /// The entrant who goes by this name, on the list or at the tables.
    pub fn entrant_called(&self, name: &str) -> Option<&Entrant> {
        let listed = self.tournament.find(name).map(|id| self.tournament.entrant(id));
        let plays_as = |entrant: &&Entrant| {
            self.plays_as.get(&*entrant.name).is_some_and(|plays_as| **plays_as == *name)
        };
        listed.or_else(|| self.tournament.entrants().iter().find(plays_as))
    }

    /// Whether an entrant has left a ladder and may return at will.
    pub(crate) fn has_left_ladder(&self, name: &str) -> bool {
        let withdrawn = |id| self.tournament.entrant(id).withdrawn;
        self.tournament.ladder().is_some()
            && self.tournament.find(name).is_some_and(withdrawn)
            && !self.was_removed(name)
    }

    /// Whether the organiser has removed an entrant from a ladder: only the organiser reinstates
    /// them.
    pub(crate) fn was_removed(&self, name: &str) -> bool {
        let why = |id| self.tournament.entrant(id).why;
        self.tournament.find(name).and_then(why) == Some(Why::Removed)
    }

    /// Whether the first client to say an entrant's name gets the place, provided no other is there
    /// under that name. The records don't know whether a connection speaks for the entrant.
    pub(crate) fn is_place_free(&self, entrant: &Name, attends: bool) -> bool {
        let entering = self.tournament.phase() == TournamentPhase::Entering;
        // Before the start, an entrant who lost the token reconnects by name.
        let unclaimed = !self.claims.contains_key(entrant) || entering && !attends;
        let known = self.tournament.find(entrant).map(|id| self.tournament.entrant(id));
        unclaimed && known.is_some_and(|known| known.bot.is_none() && !known.withdrawn)
    }

    /// Whether an entrant is in the tournament and has not withdrawn.
    pub(crate) fn is_playing(&self, entrant: &Name) -> bool {
        let plays = |id| !self.tournament.entrant(id).withdrawn;
        self.tournament.find(entrant).is_some_and(plays)
    }

    /// Whether an entrant has a key: a client that asks for the place has shown it, and may have
    /// lost token and connection.
    pub(crate) fn is_keyed(&self, entrant: &Name) -> bool {
        self.keys.contains_key(entrant) && self.is_playing(entrant)
    }

    /// Whether players may still enter themselves.
    pub(crate) fn check_open(&self) -> Result<(), Refusal> {
        let begun = self.tournament.phase() != TournamentPhase::Entering;
        if begun && self.tournament.ladder().is_none() {
            return Err(Refusal::AlreadyStarted);
        }
        if !self.convened.open {
            let why = "only its organiser adds players to this tournament";
            return Err(Refusal::BadTable(why.to_owned()));
        }
        if self.tournament.entrants().len() >= self.convened.plan.max_entrants {
            return Err(Refusal::TableFull);
        }
        Ok(())
    }

    /// How many games of a pairing have come to nothing.
    pub(crate) fn games_void(&self, pairing: PairingId) -> usize {
        let games = self.tournament.find_pairing(pairing).map_or(&[][..], |pairing| &pairing.games);
        games.iter().filter(|game| game.outcome.is_none()).count()
    }

    /// The name at the tables of an entrant.
    pub fn table_name(&self, entrant: &str) -> Name {
        self.plays_as.get(entrant).cloned().unwrap_or_else(|| entrant.into())
    }

    /// The public part of the plan: the seed would reveal future lots.
    pub(crate) fn public_plan(&self) -> Plan {
        let seed = self.convened.plan.seed.filter(|_| self.is_over());
        Plan { seed, ..self.convened.plan.clone() }
    }

    /// Whether nothing more can happen.
    pub fn is_over(&self) -> bool {
        matches!(self.tournament.phase(), TournamentPhase::Over | TournamentPhase::Cancelled)
    }
}
