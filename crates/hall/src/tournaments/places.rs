//! Which connection speaks for which entrant, where the protocol speaks of tournaments. An entrant
//! has one connection at most, and a connection one place.

use std::collections::BTreeMap;

use table::{ConnId, Name, TournamentNo};

#[derive(Debug, Default)]
pub(super) struct Places {
    places: BTreeMap<ConnId, (TournamentNo, Name)>,
    present: BTreeMap<TournamentNo, BTreeMap<Name, ConnId>>,
}

impl Places {
    /// A conn has this place from now on; the other that had it before, if there is one.
    pub fn take(&mut self, conn: ConnId, no: TournamentNo, entrant: Name) -> Option<ConnId> {
        let older = self.present.entry(no).or_default().insert(entrant.clone(), conn);
        let older = older.filter(|older| *older != conn);
        if let Some(older) = older {
            self.places.remove(&older);
        }
        self.places.insert(conn, (no, entrant));
        older
    }

    /// A conn has no place any more. Which one it had.
    pub fn give_up(&mut self, conn: ConnId) -> Option<(TournamentNo, Name)> {
        let (no, entrant) = self.places.remove(&conn)?;
        self.present.get_mut(&no)?.remove(&entrant);
        Some((no, entrant))
    }

    /// Removes all places in a tournament.
    pub fn forget(&mut self, no: TournamentNo) {
        for conn in self.present.remove(&no).unwrap_or_default().values() {
            self.places.remove(conn);
        }
    }

    /// The place that a conn has.
    pub fn of(&self, conn: ConnId) -> Option<&(TournamentNo, Name)> {
        self.places.get(&conn)
    }

    /// The connection that speaks for an entrant.
    pub fn conn_of(&self, no: TournamentNo, entrant: &str) -> Option<ConnId> {
        self.present.get(&no)?.get(entrant).copied()
    }

    /// Those who speak for entrants of a tournament, in the order of their names.
    pub fn conns(&self, no: TournamentNo) -> impl Iterator<Item = ConnId> {
        self.present.get(&no).into_iter().flat_map(|present| present.values().copied())
    }
}
