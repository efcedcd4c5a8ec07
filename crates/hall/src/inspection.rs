//! What nobody needs but those who hold a hall to its laws.

use rules::Game;

use crate::{ConnId, Hall, Name, TableInfo, TableNo};

#[doc(hidden)]
impl<G: Game> Hall<G> {
    /// The connection of each seat's player, while it is here.
    pub fn present(&self, no: TableNo) -> &[Option<ConnId>] {
        &self.live(no).present
    }

    /// Whether a turn is resolved that nobody may hear of yet.
    pub fn is_held(&self, no: TableNo) -> bool {
        self.live(no).is_held()
    }

    /// Whether a table begins as soon as a clock has run out.
    pub fn is_about_to_start(&self, no: TableNo) -> bool {
        self.live(no).clocks.start.is_some()
    }

    /// What lists show of every table, the oldest first.
    pub fn table_infos(&self) -> impl Iterator<Item = (TableNo, TableInfo)> {
        self.live.iter().map(|(no, live)| (no, live.info()))
    }

    pub fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// Who waits for a table of a tournament, by the names they play under.
    pub fn waiting(&self) -> impl Iterator<Item = (&Name, ConnId)> {
        self.tournaments.waiting.iter().map(|(name, waiting)| (name, waiting.conn))
    }

    /// Whether a tournament keeps a name for one of its entrants.
    pub fn keeps_name(&self, name: &Name) -> bool {
        self.tournaments.names.contains_key(name)
    }
}
