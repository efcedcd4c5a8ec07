//! Queries for tests that check a hall's laws.

use rules::Seat;
use table::{ConnId, LiveTable, Name, TableInfo, TableNo};

use crate::Hall;

/// A hall that is looked at closely.
#[derive(Debug)]
pub struct Inspection<'a> {
    hall: &'a Hall,
}

impl<'a> Inspection<'a> {
    pub(crate) fn of(hall: &'a Hall) -> Inspection<'a> {
        Inspection { hall }
    }

    fn live(&self, no: TableNo) -> &'a LiveTable {
        self.hall.lobby.whereabouts.tables.live(no)
    }

    /// The connections of a seat's player.
    pub fn conns_of(&self, no: TableNo, seat: Seat) -> Vec<ConnId> {
        self.live(no).conns_of(seat)
    }

    /// Number of seats in a game that has not begun that no player will take.
    pub fn seats_given_up(&self, no: TableNo) -> usize {
        self.live(no).given_up().len()
    }

    /// Whether a conn plays at a table that is not over.
    pub fn plays(&self, conn: ConnId) -> bool {
        self.hall.lobby.whereabouts.plays(conn)
    }

    /// Whether a resolved turn is being held back.
    pub fn is_held(&self, no: TableNo) -> bool {
        self.live(no).is_held()
    }

    /// Whether a table begins as soon as a clock has run out.
    pub fn is_about_to_start(&self, no: TableNo) -> bool {
        self.live(no).is_about_to_start()
    }

    /// The list entries of all tables, oldest first.
    pub fn table_infos(self) -> impl Iterator<Item = (TableNo, TableInfo)> {
        self.hall.lobby.whereabouts.tables.iter().map(|(no, live)| (no, live.info()))
    }

    pub fn is_shutting_down(&self) -> bool {
        self.hall.desk.premises.is_shutting_down()
    }

    /// Players waiting for a tournament's table, by the names they play under.
    pub fn waiting(self) -> impl Iterator<Item = (&'a Name, ConnId)> {
        self.hall.lobby.waiting().iter()
    }

    /// Whether a tournament keeps a name for one of its entrants.
    pub fn keeps_name(&self, name: &Name) -> bool {
        self.hall.desk.premises.kept(name).is_some()
    }
}
