//! Players known by their names in the whole hall, and house bots that have one there.

use std::collections::{BTreeMap, BTreeSet};

use table::{ConnId, Name, TableNo, Time};

use crate::attendance::AwayPerson;

/// A name in the hall, for games whose names are unique there. While its player is away the name is
/// kept for a window.
///
/// ```text
/// (unknown) ──Enter──▶ here ──Part, Gone──▶ away ──window over──▶ (unknown)
///                       ▲                    │
///                       └───Resume by name───┘
/// ```
///
/// The table is remembered in both states; the seat there is given up by leaving, by the end of the
/// table and by the end of the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Person {
    pub conn: Option<ConnId>,
    pub table: Option<TableNo>,
    until: Option<Time>,
    /// What is left of the window at the table; `None`: all of it. Only absences during which the
    /// player had to move count.
    pub window_left: Option<u64>,
    /// Since when the player is away while having to move.
    owes_since: Option<Time>,
    /// A house bot: its name is taken as long as its table lasts, and can't be rejoined.
    house: bool,
    /// It was seated before a restart, perhaps without hearing of it.
    unheard: bool,
    /// Away, and can reconnect only with the seat's token: without a seat the name is free.
    by_token: bool,
}

impl Person {
    /// The window gets shorter by the time that a move was due.
    fn spend(&mut self, now: Time) {
        if let (Some(since), Some(left)) = (self.owes_since.take(), &mut self.window_left) {
            *left = left.saturating_sub(now.0.saturating_sub(since.0));
        }
    }
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

    /// A player was seated before a restart and may reconnect until then, if there is a limit.
    pub fn remember(&mut self, name: Name, no: TableNo, until: Option<Time>) {
        self.alarms.extend(until.map(|until| (until, name.clone())));
        let table = Some(no);
        self.known.insert(name, Person { table, until, unheard: true, ..Person::default() });
    }

    /// Those who are away.
    pub fn away(&self) -> Vec<(Name, AwayPerson)> {
        let away = self.known.iter().filter(|(_, person)| person.conn.is_none() && !person.house);
        let away = away.map(|(name, person)| {
            let Person { table, until, window_left, owes_since, unheard, by_token, .. } = *person;
            let away = AwayPerson { table, until, window_left, owes_since, unheard, by_token };
            (name.clone(), away)
        });
        away.collect()
    }

    /// A player stays away from their seat as before.
    pub fn keep_away(&mut self, name: Name, no: TableNo, until: Option<Time>) {
        let table = Some(no);
        let (window_left, owes_since, unheard, by_token) = (None, None, false, false);
        let away = AwayPerson { table, until, window_left, owes_since, unheard, by_token };
        self.take_up(name, &away, 0);
    }

    /// A player stays away as before.
    pub fn take_up(&mut self, name: Name, away: &AwayPerson, gap_ms: u64) {
        let AwayPerson { table, until, window_left, owes_since, unheard, by_token } = *away;
        let until = until.map(|until| until + gap_ms);
        self.alarms.extend(until.map(|until| (until, name.clone())));
        let (conn, house) = (None, false);
        let owes_since = owes_since.map(|since| since + gap_ms);
        let person =
            Person { conn, table, until, window_left, owes_since, house, unheard, by_token };
        self.known.insert(name, person);
    }

    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// All connected players known by name.
    pub fn here(&self) -> impl Iterator<Item = (&Name, ConnId)> {
        self.known.iter().filter_map(|(name, person)| Some((name, person.conn?)))
    }

    pub fn get(&self, name: &str) -> Option<&Person> {
        self.known.get(name)
    }

    /// Frees the name of a disconnected player without a seat. Returns whether there was one.
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

    /// A player reconnects by name. Returns their table, if any; `None` if the name is unknown.
    pub fn resume(&mut self, name: &Name, conn: ConnId, now: Time) -> Option<Option<TableNo>> {
        let is_away = |person: &&mut Person| person.conn.is_none() && !person.house;
        let person = self.known.get_mut(name).filter(is_away)?;
        person.conn = Some(conn);
        if let Some(time) = person.until.take() {
            person.spend(now);
            self.alarms.remove(&(time, name.clone()));
        }
        Some(person.table)
    }

    /// A person is back by its token; the connection that had the name before, if there is one.
    pub fn take_back(&mut self, name: &Name, conn: ConnId) -> Option<ConnId> {
        let person = self.known.get_mut(name)?;
        person.owes_since = None;
        let older = person.conn.replace(conn).filter(|older| *older != conn);
        if let Some(time) = person.until.take() {
            self.alarms.remove(&(time, name.clone()));
        }
        older
    }

    /// The table at which a player was seated before a restart without knowing it. Reported once.
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

    /// The same, if the player is at this table. House bots are removed entirely, and so are
    /// players who could reconnect only with the seat's token.
    pub fn unseat(&mut self, name: &Name, no: TableNo) {
        let person = self.known.get_mut(name).filter(|person| person.table == Some(no));
        let Some(person) = person else { return };
        (person.table, person.window_left, person.owes_since) = (None, None, None);
        if person.house || person.conn.is_none() && person.by_token {
            self.remove(name);
        }
    }

    /// A player is away, for this long unless they were before; `None`: without limit. A player who
    /// could reconnect only with a seat's token and has none is forgotten.
    pub fn leave(&mut self, name: Name, now: Time, window_ms: Option<u64>, by_token: bool) {
        if let Some(person) = self.known.get_mut(&name) {
            (person.conn, person.by_token) = (None, by_token);
            if by_token && person.table.is_none() {
                self.remove(&name);
                return;
            }
            person.until = window_ms.map(|ms| now + ms);
            if person.table.is_some() {
                person.window_left = person.window_left.or(window_ms);
            }
            self.alarms.extend(person.until.map(|until| (until, name)));
        }
    }

    pub fn set_window_left(&mut self, name: &str, left: Option<u64>) {
        if let Some(person) = self.known.get_mut(name) {
            person.window_left = left;
        }
    }

    /// Whether an absent player has to move. Meanwhile the others wait, so all such absences from
    /// one table share one window.
    pub fn owe(&mut self, name: &Name, owes: bool, now: Time) {
        let Some(person) = self.known.get_mut(name).filter(|person| person.conn.is_none()) else {
            return;
        };
        if !owes {
            return person.spend(now);
        }
        if person.owes_since.is_none() {
            person.owes_since = Some(now);
            if let (Some(until), Some(left)) = (person.until, person.window_left)
                && now + left < until
            {
                self.alarms.remove(&(until, name.clone()));
                self.alarms.insert((now + left, name.clone()));
                person.until = Some(now + left);
            }
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
        for person in self.known.values_mut() {
            for time in [&mut person.until, &mut person.owes_since].into_iter().flatten() {
                *time = *time + ms;
            }
        }
    }
}
