//! All pairings, past and future, and which of them are undecided.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::entrants::Entrants;
use crate::{Decision, EntrantId, Format, How, Pairing, PairingId, Played, Refusal};

/// The pairings so far, by their numbers. Undecided are exactly those without a decision, and none
/// of them is ever forgotten.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pairings {
    all: Vec<Pairing>,
    undecided: BTreeSet<PairingId>,
    /// How many pairings there were; a ladder has forgotten most of them.
    paired: u32,
}

// Changes.
impl Pairings {
    pub fn add(&mut self, round: u32, entrants: Vec<EntrantId>) -> PairingId {
        let id = PairingId(self.paired);
        self.paired += 1;
        self.all.push(Pairing { id, round, entrants, games: Vec::new(), decision: None });
        self.undecided.insert(id);
        id
    }

    /// A game of a pairing has ended.
    pub fn add_game(&mut self, id: PairingId, game: Played) {
        self.get_mut(id).games.push(game);
    }

    pub fn decide(&mut self, id: PairingId, decision: Decision) {
        self.undecided.remove(&id);
        self.get_mut(id).decision = Some(decision);
    }

    /// A decision does not hold any more.
    pub fn reopen(&mut self, id: PairingId) {
        self.undecided.insert(id);
        self.get_mut(id).decision = None;
    }

    /// Drops the oldest decided pairings, except the last `remembered`.
    pub fn forget_old(&mut self, remembered: usize) {
        while self.all.len() - self.undecided.len() > remembered {
            let oldest = self.all.iter().position(|one| !self.undecided.contains(&one.id));
            self.all.remove(oldest.expect("more are there than are undecided"));
        }
    }

    fn get_mut(&mut self, id: PairingId) -> &mut Pairing {
        let place = self.place_of(id).expect("a pairing that is not forgotten");
        &mut self.all[place]
    }
}

// Queries.
impl Pairings {
    /// By [`PairingId`].
    pub fn all(&self) -> &[Pairing] {
        &self.all
    }

    /// A pairing, unless there is none of this number, or none any more.
    pub fn find(&self, id: PairingId) -> Option<&Pairing> {
        Some(&self.all[self.place_of(id)?])
    }

    pub fn get(&self, id: PairingId) -> &Pairing {
        self.find(id).expect("a pairing that is not forgotten")
    }

    pub fn undecided(&self) -> &BTreeSet<PairingId> {
        &self.undecided
    }

    /// Whether a pairing can be decided.
    pub fn check(&self, id: PairingId) -> Result<(), Refusal> {
        match self.find(id) {
            None if id.0 < self.paired => Err(Refusal::Decided(id)),
            None => Err(Refusal::NoSuchPairing(id)),
            Some(_) if self.undecided.contains(&id) => Ok(()),
            Some(_) => Err(Refusal::Decided(id)),
        }
    }

    /// The first round with anything undecided; the last one when all is decided; 0 if there is
    /// none.
    pub fn round(&self) -> u32 {
        let first = self.undecided.first().map(|&id| self.get(id).round);
        first.unwrap_or_else(|| self.last_round())
    }

    /// The pairings that an entrant's withdrawal gave to others and that can still be played: with
    /// consecutive rounds, those of this round; in a ladder, none. An opponent must be left.
    pub fn given_away(
        &self,
        entrant: EntrantId,
        format: Format,
        entrants: &Entrants,
    ) -> Vec<PairingId> {
        if matches!(format, Format::Ladder { .. }) {
            return Vec::new();
        }
        let (round, by_rounds) = (self.round(), format.is_by_rounds());
        let given = |pairing: &&Pairing| {
            let how = pairing.decision.as_ref().map(|decision| decision.how);
            how == Some(How::Withdrawn)
                && pairing.entrants.contains(&entrant)
                && pairing.opponents(entrant).any(|other| entrants.is_active(other))
                && (!by_rounds || pairing.round == round)
        };
        self.all.iter().filter(given).map(|pairing| pairing.id).collect()
    }

    /// 0 if there is none.
    pub fn last_round(&self) -> u32 {
        self.all.last().map_or(0, |pairing| pairing.round)
    }

    /// A pairing's index in the list: its number, unless earlier ones were forgotten.
    fn place_of(&self, id: PairingId) -> Option<usize> {
        let at = id.index();
        match self.all.get(at) {
            Some(pairing) if pairing.id == id => Some(at),
            _ => self.all.binary_search_by_key(&id, |pairing| pairing.id).ok(),
        }
    }
}

/// How pairings are written down.
pub(crate) struct WrittenPairings<'a> {
    pub all: Cow<'a, [Pairing]>,
    pub undecided: Cow<'a, BTreeSet<PairingId>>,
    pub paired: u32,
}

impl Pairings {
    pub fn written(&self) -> WrittenPairings<'_> {
        WrittenPairings {
            all: Cow::Borrowed(&self.all),
            undecided: Cow::Borrowed(&self.undecided),
            paired: self.paired,
        }
    }
}

impl From<WrittenPairings<'_>> for Pairings {
    fn from(written: WrittenPairings<'_>) -> Pairings {
        Pairings {
            all: written.all.into_owned(),
            undecided: written.undecided.into_owned(),
            paired: written.paired,
        }
    }
}
