//! Players known by their names in the whole hall, and house bots that have one there.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use table::{ConnId, Name, TableNo, Time};

/// A name in the hall, for games whose names are unique there. While its player is away the name is
/// kept for a window.
///
/// ```text
/// (nobody) ──Enter──▶ here ──Part, Gone──▶ away ──window over──▶ (nobody)
///                      ▲                    │
///                      └───Resume by name───┘
/// ```
///
/// The table is remembered in both states; the seat there is given up by leaving, by the end of the
/// table and by the end of the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Person {
    pub conn: Option<ConnId>,
    pub table: Option<TableNo>,
    until: Option<Time>,
    /// What is left of the window after absences since its last move: whoever comes back without
    /// moving has no new one.
    pub window_left: Option<u64>,
    /// A house bot: its name is taken for as long as its table lasts, and nobody comes back by it.
    house: bool,
    /// It was seated before a restart, perhaps without hearing of it.
    unheard: bool,
    /// Away, and it comes back by the token of its seat alone: without a seat its name is free.
    by_token: bool,
}

/// A name in the hall whose player is away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AwayPerson {
    table: Option<TableNo>,
    until: Option<Time>,
    window_left: Option<u64>,
    unheard: bool,
    by_token: bool,
}

#[derive(Debug, Default)]
pub(crate) struct People {
    known: BTreeMap<Name, Person>,
    /// When windows are over.
    alarms: BTreeSet<(Time, Name)>,
}

impl People {
    pub fn enter(&mut self, name: Name, conn: ConnId) {
        self.known.insert(name, Person { conn: Some(conn), ..Person::default() });
    }

    /// A house bot takes its name.
    pub fn enter_bot(&mut self, name: Name, no: TableNo) {
        let table = Some(no);
        self.known.insert(name, Person { table, house: true, ..Person::default() });
    }

    /// Somebody was seated before a restart; it may come back until then, if that ever comes.
    pub fn remember(&mut self, name: Name, no: TableNo, until: Option<Time>) {
        self.alarms.extend(until.map(|until| (until, name.clone())));
        let table = Some(no);
        self.known.insert(name, Person { table, until, unheard: true, ..Person::default() });
    }

    /// Those who are away.
    pub fn away(&self) -> Vec<(Name, AwayPerson)> {
        let away = self.known.iter().filter(|(_, person)| person.conn.is_none() && !person.house);
        let away = away.map(|(name, person)| {
            let Person { table, until, window_left, unheard, by_token, .. } = *person;
            (name.clone(), AwayPerson { table, until, window_left, unheard, by_token })
        });
        away.collect()
    }

    /// Somebody is away from its seat as before.
    pub fn keep_away(&mut self, name: Name, no: TableNo, until: Option<Time>) {
        let table = Some(no);
        let away = AwayPerson { table, until, window_left: None, unheard: false, by_token: false };
        self.take_up(name, &away, 0);
    }

    /// Somebody is away as before.
    pub fn take_up(&mut self, name: Name, away: &AwayPerson, gap_ms: u64) {
        let AwayPerson { table, until, window_left, unheard, by_token } = *away;
        let until = until.map(|until| until + gap_ms);
        self.alarms.extend(until.map(|until| (until, name.clone())));
        let (conn, house) = (None, false);
        let person = Person { conn, table, until, window_left, house, unheard, by_token };
        self.known.insert(name, person);
    }

    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Everybody known by name who is here.
    pub fn here(&self) -> impl Iterator<Item = (&Name, ConnId)> {
        self.known.iter().filter_map(|(name, person)| Some((name, person.conn?)))
    }

    pub fn get(&self, name: &str) -> Option<&Person> {
        self.known.get(name)
    }

    /// Frees the name of somebody whose connection is gone and who sits nowhere. Whether it was so.
    pub fn forget_absent(&mut self, name: &Name) -> bool {
        let away = |person: &Person| person.conn.is_none() && person.table.is_none();
        let gone = self.known.get(name).is_some_and(away);
        if gone {
            self.remove(name);
        }
        gone
    }

    fn remove(&mut self, name: &Name) -> Option<Person> {
        let person = self.known.remove(name)?;
        if let Some(time) = person.until {
            self.alarms.remove(&(time, name.clone()));
        }
        Some(person)
    }

    /// A person comes back by its name: where it sits, if anywhere. None: there is nobody who could.
    pub fn resume(&mut self, name: &Name, conn: ConnId, now: Time) -> Option<Option<TableNo>> {
        let is_away = |person: &&mut Person| person.conn.is_none() && !person.house;
        let person = self.known.get_mut(name).filter(is_away)?;
        person.conn = Some(conn);
        if let Some(time) = person.until.take() {
            person.window_left = person.table.map(|_| time.0.saturating_sub(now.0));
            self.alarms.remove(&(time, name.clone()));
        }
        Some(person.table)
    }

    /// A person is back by its token; the connection that had the name before, if there is one.
    pub fn take_back(&mut self, name: &Name, conn: ConnId) -> Option<ConnId> {
        let person = self.known.get_mut(name)?;
        let older = person.conn.replace(conn).filter(|older| *older != conn);
        if let Some(time) = person.until.take() {
            self.alarms.remove(&(time, name.clone()));
        }
        older
    }

    /// The table at which a person was seated before a restart without hearing of it. It hears of
    /// it once.
    pub fn take_unheard(&mut self, name: &str) -> Option<TableNo> {
        let person = self.known.get_mut(name)?;
        let unheard = std::mem::take(&mut person.unheard);
        person.table.filter(|_| unheard)
    }

    pub fn sit(&mut self, name: &str, no: TableNo) {
        if let Some(person) = self.known.get_mut(name)
            && person.table.replace(no) != Some(no)
        {
            person.window_left = None;
        }
    }

    /// Its seat is its own no longer.
    pub fn stand_up(&mut self, name: &str) {
        if let Some(person) = self.known.get_mut(name) {
            person.table = None;
        }
    }

    /// The same, if it is at this table. House bots go altogether, and those who would come back by the
    /// token of the seat.
    pub fn unseat(&mut self, name: &Name, no: TableNo) {
        let person = self.known.get_mut(name).filter(|person| person.table == Some(no));
        let Some(person) = person else { return };
        person.table = None;
        if person.house || person.conn.is_none() && person.by_token {
            self.remove(name);
        }
    }

    /// Somebody is away, for so long unless it was before; none: it is waited for without end. Who would
    /// come back by the token of its seat and has none is forgotten.
    pub fn leave(&mut self, name: Name, now: Time, window_ms: Option<u64>, by_token: bool) {
        if let Some(person) = self.known.get_mut(&name) {
            (person.conn, person.by_token) = (None, by_token);
            if by_token && person.table.is_none() {
                self.remove(&name);
                return;
            }
            person.until = window_ms.map(|ms| now + person.window_left.unwrap_or(ms));
            self.alarms.extend(person.until.map(|until| (until, name)));
        }
    }

    pub fn set_window_left(&mut self, name: &str, left: Option<u64>) {
        if let Some(person) = self.known.get_mut(name) {
            person.window_left = left;
        }
    }

    /// Whoever has moved has its whole window again.
    pub fn renew_window(&mut self, name: &str) {
        if let Some(person) = self.known.get_mut(name) {
            person.window_left = None;
        }
    }

    /// The window is over: the name is free. Where it sat.
    pub fn expire(&mut self, name: &Name) -> Option<TableNo> {
        self.remove(name)?.table
    }

    pub fn is_due(&self, name: &str, now: Time) -> bool {
        let until = self.known.get(name).and_then(|person| person.until);
        until.is_some_and(|until| until <= now)
    }

    /// The windows that are over, in order.
    pub fn due(&self, now: Time) -> impl Iterator<Item = &(Time, Name)> {
        self.alarms.iter().take_while(move |(time, _)| *time <= now)
    }

    pub fn deadline(&self) -> Option<Time> {
        self.alarms.first().map(|(time, _)| *time)
    }

    /// Moves every deadline.
    pub fn give_back(&mut self, ms: u64) {
        let alarms = std::mem::take(&mut self.alarms);
        self.alarms = alarms.into_iter().map(|(time, name)| (time + ms, name)).collect();
        for until in self.known.values_mut().filter_map(|person| person.until.as_mut()) {
            *until = *until + ms;
        }
    }
}
