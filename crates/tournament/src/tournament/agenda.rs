//! Which games belong on tables now, and which are next.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::written::Written;
use crate::entrants::Entrants;
use crate::pairings::Pairings;
use crate::{DueGame, EntrantId, PairingId};

/// The games on a table or waiting for one. No entrant is in two of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Agenda {
    open: BTreeMap<PairingId, DueGame>,
    /// Schedules made in advance: the undecided pairings of each entrant that are not open.
    ahead: Vec<BTreeSet<PairingId>>,
    /// Whether an entrant is in an open game.
    busy: Vec<bool>,
    /// Games that a withdrawal took off their table. If the entrant returns, their numbers are used
    /// up.
    cut_short: BTreeMap<PairingId, DueGame>,
}

// Changes.
impl Agenda {
    /// Makes room for this number of entrants.
    pub fn grow(&mut self, entrants: usize) {
        self.busy.resize(entrants, false);
        self.ahead.resize_with(entrants, BTreeSet::new);
    }

    /// A pairing is played as soon as its entrants are free.
    pub fn put_ahead(&mut self, id: PairingId, entrants: &[EntrantId]) {
        for entrant in entrants {
            self.ahead[entrant.index()].insert(id);
        }
    }

    /// A pairing is not played any more.
    pub fn remove(&mut self, id: PairingId, entrants: &[EntrantId]) {
        for entrant in entrants {
            self.ahead[entrant.index()].remove(&id);
        }
    }

    /// Opens a game for each undecided pairing whose entrants are all free.
    pub fn open_undecided(&mut self, pairings: &Pairings, entrants: &Entrants) {
        self.open_where_free(pairings.undecided().clone(), pairings, entrants);
    }

    /// Opens a game for each of these undecided pairings, in order, whose entrants are all free.
    pub fn open_where_free(
        &mut self,
        ids: BTreeSet<PairingId>,
        pairings: &Pairings,
        entrants: &Entrants,
    ) {
        for id in ids {
            let present = || entrants.active(&pairings.get(id).entrants);
            let free = present().all(|entrant| !self.busy[entrant.index()]);
            // A pairing that a withdrawal is about to decide has no opponent left.
            if free && present().nth(1).is_some() {
                self.open(id, pairings, entrants);
            }
        }
    }

    /// The next game of a pairing, at once. Only who was brought back meanwhile may be busy
    /// elsewhere: then the pairing waits, and the others need not.
    pub fn open_again(&mut self, id: PairingId, pairings: &Pairings, entrants: &Entrants) {
        let own = &pairings.get(id).entrants;
        self.put_ahead(id, own);
        self.open_where_free(BTreeSet::from([id]), pairings, entrants);
        if !self.open.contains_key(&id) {
            self.open_where_free(self.ahead_of(own), pairings, entrants);
        }
    }

    /// Opens the next game of a pairing. The seats turn with every game that counted.
    pub fn open(&mut self, id: PairingId, pairings: &Pairings, entrants: &Entrants) {
        let pairing = pairings.get(id);
        let mut seats: Vec<EntrantId> = entrants.active(&pairing.entrants).collect();
        let counted = pairing.games.iter().filter(|game| game.outcome.is_some()).count();
        let attempt = pairing.games.len() as u32 + 1;
        let turn = counted % seats.len();
        seats.rotate_left(turn);
        for entrant in &seats {
            self.busy[entrant.index()] = true;
        }
        self.remove(id, &pairing.entrants);
        self.open.insert(id, DueGame { pairing: id, attempt, seats });
    }

    /// The open game of a pairing, if there is one, is over, and its players are free.
    pub fn close(&mut self, id: PairingId) -> Option<DueGame> {
        let game = self.open.remove(&id)?;
        for entrant in &game.seats {
            self.busy[entrant.index()] = false;
        }
        Some(game)
    }

    /// The open game of a pairing, if there is one, is about to end by a withdrawal.
    pub fn cut_short(&mut self, id: PairingId) {
        self.cut_short.extend(self.open.get(&id).map(|game| (id, game.clone())));
    }

    /// The game of a pairing that a withdrawal had ended: the pairing is played after all.
    pub fn take_cut_short(&mut self, id: PairingId) -> Option<DueGame> {
        self.cut_short.remove(&id)
    }
}

// Queries.
impl Agenda {
    /// The open games, in order of pairing.
    pub fn games(&self) -> impl Iterator<Item = &DueGame> {
        self.open.values()
    }

    pub fn game(&self, id: PairingId) -> Option<&DueGame> {
        self.open.get(&id)
    }

    /// Whether an entrant of a tournament that has begun is in no open game.
    pub fn is_free(&self, entrant: EntrantId) -> bool {
        self.busy.get(entrant.index()) == Some(&false)
    }

    /// The pairings that wait for one of these.
    pub fn ahead_of(&self, entrants: &[EntrantId]) -> BTreeSet<PairingId> {
        entrants.iter().flat_map(|entrant| &self.ahead[entrant.index()]).copied().collect()
    }
}

// How it is written down.
impl Agenda {
    pub fn write<'a>(&'a self, written: &mut Written<'a>) {
        written.open = Cow::Borrowed(&self.open);
        written.ahead = Cow::Borrowed(&self.ahead);
        written.busy = Cow::Borrowed(&self.busy);
        written.cut_short = Cow::Borrowed(&self.cut_short);
    }

    pub fn read(written: &mut Written<'_>) -> Agenda {
        Agenda {
            open: std::mem::take(&mut written.open).into_owned(),
            ahead: std::mem::take(&mut written.ahead).into_owned(),
            busy: std::mem::take(&mut written.busy).into_owned(),
            cut_short: std::mem::take(&mut written.cut_short).into_owned(),
        }
    }
}
