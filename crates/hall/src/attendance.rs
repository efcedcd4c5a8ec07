//! Who is here, as far as no record says it: what a hall knows of a connection, and how one that
//! goes on elsewhere comes to know it again.
//!
//! Whoever serves connections of a hall on another machine keeps what the hall knows of each. When
//! the hall goes on with another owner, it is told so, and nobody has noticed anything.

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::{Dice, Game, Seat};
use serde::{Deserialize, Serialize};
use table::{
    Company, ConnId, Introduction, Name, Post, TableInput, TableNo, TableStanding, TournamentNo,
};

pub use crate::whereabouts::AwayPerson;
use crate::{Hall, KeyHash, Listing};

/// What a hall knows of a connection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attendance {
    /// The name it entered under, where names are unique in the hall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<Name>,
    /// What is left of its window after absences since its last move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window_left: Option<u64>,
    /// Where it sits or watches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<(TableNo, Post)>,
    /// It goes from table to table.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// What it has said of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub introduction: Option<Introduction>,
    /// The key it has shown last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<KeyHash>,
    /// The entrant's name under which it waits for its table, and how it will have joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub awaits: Option<(Name, Option<Name>)>,
    /// Its place in a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<(TournamentNo, Name)>,
}

/// What an earlier owner's connections and tables were like when it was last heard of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Those who are still here.
    pub attending: Vec<(ConnId, Attendance)>,
    pub tables: BTreeMap<TableNo, TableStanding>,
    /// Names in the hall whose players are away.
    pub away: Vec<(Name, AwayPerson)>,
    /// For so long nobody could do anything.
    pub gap_ms: u64,
    /// The chance of the hall as it was then. None: it is drawn anew, which nobody can tell.
    #[serde(skip)]
    pub chance: Option<Chance>,
}

/// Where the chance of a hall stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Chance {
    dice: Dice,
    salts: Dice,
}

impl<G: Game> Hall<G> {
    /// What the hall knows of a connection.
    pub fn attendance(&self, conn: ConnId) -> Attendance {
        let mut attendance = self.lobby.attendance(conn);
        attendance.place = self.tournaments.place(conn).cloned();
        attendance
    }

    /// Whether that is still what the hall knows of a connection.
    pub fn attends_as(&self, conn: ConnId, known: &Attendance) -> bool {
        self.lobby.attends_as(conn, known) && self.tournaments.place(conn) == known.place.as_ref()
    }

    /// What a table is like, beside its records.
    pub fn table_standing(&self, no: TableNo) -> Option<TableStanding> {
        self.lobby.whereabouts.tables.get(no).map(|live| live.standing())
    }

    /// Who is at a table, if that is remembered.
    pub fn company(&self, no: TableNo) -> Option<&Arc<Company>> {
        self.lobby.whereabouts.tables.get(no).map(|live| live.company())
    }

    pub fn chance(&self) -> Chance {
        Chance { dice: self.desk.dice.clone(), salts: self.desk.salts.clone() }
    }

    /// Names whose players are away.
    pub fn away(&self) -> Vec<(Name, AwayPerson)> {
        self.lobby.whereabouts.visitors.people().away()
    }

    /// Everybody is where it was, without a word.
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
            if let Some((name, _)) = &attendance.awaits {
                self.desk.listed.push(Listing::Waits(name.clone(), true));
            }
            self.lobby.take_up(*conn, attendance);
        }
    }

    /// A table goes on as it was.
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
            // All in one turn, so that nobody wins by the order of seats.
            let lost = lost.into_iter().map(|(seat, _)| seat).collect();
            self.lobby.whereabouts.run(&mut self.desk, no, TableInput::Lost(lost));
        }
        for (seat, name) in missing {
            let ghost = ConnId(u64::MAX - seat.index() as u64);
            let person = self.desk.premises.are_names_unique().then_some(name);
            let at = Some((no, Post::Seat(seat)));
            self.lobby.take_up(ghost, &Attendance { person, at, ..Attendance::default() });
            self.lobby.gone(&mut self.desk, ghost);
        }
    }
}
