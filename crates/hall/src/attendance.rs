//! A connection's state that no record holds, and how a successor learns it.
//!
//! A node that serves connections of a hall on another machine keeps what the hall knows about
//! each. When another owner continues the hall, the node sends it that state, and no client
//! notices.

use std::collections::BTreeMap;

use rules::{Dice, Seat};
use serde::{Deserialize, Serialize};
use table::{
    ConnId, Introduction, Name, Post, TableInput, TableNo, TableStanding, Time, TournamentNo,
};

use crate::{Hall, KeyHash, Listing};

/// A name in the hall whose player is away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AwayPerson {
    pub(crate) table: Option<TableNo>,
    pub(crate) until: Option<Time>,
    pub(crate) window_left: Option<u64>,
    #[serde(default)]
    pub(crate) owes_since: Option<Time>,
    pub(crate) unheard: bool,
    pub(crate) by_token: bool,
}

/// What a hall knows about a connection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attendance {
    /// The name it entered under, where names are unique in the hall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<Name>,
    /// What is left of its reconnect window after absences since its last move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_left: Option<u64>,
    /// The table where it plays or watches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<(TableNo, Post)>,
    /// It goes from table to table.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// Its introduction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub introduction: Option<Introduction>,
    /// The key it has shown last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyHash>,
    /// The entrant's name under which it waits for its table, and how it will have joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub awaits: Option<(Name, Option<Name>)>,
    /// It waits to learn whether another connection with its name is alive.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub doubts: bool,
    /// Its place in a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<(TournamentNo, Name)>,
}

/// The state of an earlier owner's connections and tables, as last known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Those who are still here.
    pub attending: Vec<(ConnId, Attendance)>,
    pub tables: BTreeMap<TableNo, TableStanding>,
    /// Names in the hall whose players are away.
    pub away: Vec<(Name, AwayPerson)>,
    /// How long the hall was down.
    pub gap_ms: u64,
    /// The hall's random state at that time. `None`: drawn again, which no client can tell.
    #[serde(skip)]
    pub chance: Option<Chance>,
}

/// The position in a hall's random stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Chance {
    dice: Dice,
    salts: Dice,
}

impl Hall {
    /// What the hall knows about a connection.
    pub fn attendance(&self, conn: ConnId) -> Attendance {
        let mut attendance = self.lobby.attendance(conn);
        attendance.place = self.tournaments.place(conn).cloned();
        attendance
    }

    /// Whether that is still what the hall knows of a connection.
    pub fn attends_as(&self, conn: ConnId, known: &Attendance) -> bool {
        self.lobby.attends_as(conn, known) && self.tournaments.place(conn) == known.place.as_ref()
    }

    /// A table's state besides its records.
    pub fn table_standing(&self, no: TableNo) -> Option<TableStanding> {
        self.lobby.whereabouts.tables.get(no).map(|live| live.standing())
    }

    pub fn chance(&self) -> Chance {
        Chance { dice: self.desk.dice.clone(), salts: self.desk.salts.clone() }
    }

    /// Names whose players are away.
    pub fn away(&self) -> Vec<(Name, AwayPerson)> {
        self.lobby.whereabouts.visitors.people().away()
    }

    /// Puts all connections where they were, silently.
    pub(crate) fn take_up(&mut self, standing: &Standing) {
        if let Some(Chance { dice, salts }) = standing.chance.clone() {
            (self.desk.dice, self.desk.salts) = (dice, salts);
        }
        self.tournaments.take_up_byes();
        for (name, away) in &standing.away {
            let people = self.lobby.whereabouts.visitors.people_mut();
            people.take_up(name.clone(), away, standing.gap_ms);
        }
        for (conn, attendance) in &standing.attending {
            if let Some((no, entrant)) = &attendance.place
                && self.tournaments.take_up_place(*conn, *no, entrant)
            {
                self.desk.listed.push(Listing::Attends(*no, entrant.clone(), true));
            }
            if let Some((name, _)) = attendance.awaits.as_ref().filter(|_| !attendance.doubts) {
                self.desk.listed.push(Listing::Waits(name.clone(), true));
            }
            self.lobby.take_up(&self.desk, *conn, attendance);
        }
    }

    /// A table continues as it was.
    pub(crate) fn take_over(&mut self, no: TableNo, standing: &Standing) {
        self.lobby.whereabouts.know_seated(&self.desk, no, standing.gap_ms);
        let known = standing.tables.get(&no);
        let (standing, gap_ms) = (known.map(|known| Box::new(known.clone())), standing.gap_ms);
        self.lobby.whereabouts.run(&mut self.desk, no, TableInput::TakenOver { standing, gap_ms });
        self.miss(no);
    }

    /// Those who were at a table and have not come along are gone, as if their connections were
    /// lost now.
    fn miss(&mut self, no: TableNo) {
        let live = self.lobby.whereabouts.tables.live(no);
        let are_named = self.desk.premises.are_names_unique();
        let goes_at_once = |(seat, _): &(Seat, Name)| !are_named && live.goes_at_once(*seat);
        let (lost, missing): (Vec<_>, Vec<_>) = live.missing().partition(goes_at_once);
        if !lost.is_empty() {
            // All in one turn, so that no player wins by seat order.
            let lost = lost.into_iter().map(|(seat, _)| seat).collect();
            self.lobby.whereabouts.run(&mut self.desk, no, TableInput::Lost(lost));
        }
        for (seat, name) in missing {
            let ghost = ConnId(u64::MAX - seat.index() as u64);
            let person = self.desk.premises.are_names_unique().then_some(name);
            let at = Some((no, Post::Seat(seat)));
            let known = Attendance { person, at, ..Attendance::default() };
            self.lobby.take_up(&self.desk, ghost, &known);
            self.lobby.gone(&mut self.desk, ghost);
        }
    }
}
