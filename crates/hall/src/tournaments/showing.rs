//! Tournaments as organisers and readers see them.

use table::{TableNo, TournamentNo};
use tournament::{EntrantId, PairingId};

use super::{TournamentInfo, TournamentState, Tournaments};
use crate::lobby::Lobby;

impl Tournaments {
    /// Every tournament that is remembered.
    pub fn states(&self) -> impl Iterator<Item = (TournamentNo, &TournamentState)> {
        self.live.iter().map(|(no, live)| (*no, &live.state))
    }

    /// Whether a player sits at a tournament's table under this name, or waits for one.
    pub(super) fn is_here(&self, lobby: &Lobby, no: TournamentNo, name: &str) -> bool {
        let sits = |table: TableNo| {
            let mut seated = lobby.whereabouts.tables.live(table).company().seats.iter().flatten();
            seated.any(|member| *member.name == *name && member.present && member.bot.is_none())
        };
        lobby.waiting().is_awaited(name) || self.tables_of(no).any(sits)
    }

    /// A tournament that is remembered, as organisers see it.
    pub fn info(&self, lobby: &Lobby, no: TournamentNo) -> Option<TournamentInfo> {
        let live = self.get(no)?;
        let is_present = |entrant: &str, at_table: &str| {
            self.places.conn_of(no, entrant).is_some() || self.is_here(lobby, no, at_table)
        };
        let table_of = |pairing: PairingId| {
            let mut tables = live.tables.range((pairing, 0)..=(pairing, u32::MAX));
            let (_, table) = tables.next()?;
            Some(lobby.whereabouts.tables.live(*table).table().opened().id.clone())
        };
        let waits = |entrant: EntrantId| live.queue.get(&entrant).copied();
        Some(TournamentInfo::new(&live.state, is_present, table_of, waits))
    }
}
