//! The connections: what each has said about itself, the key it has shown, its name and its table.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use table::{ConnId, Introduction, Name, TableNo, Time};

use super::people::People;
use crate::{Attendance, KeyHash};

#[derive(Debug, Default)]
pub(crate) struct Visitors {
    here: HashMap<ConnId, Visitor, FixedState>,
    /// Followers who wait for a table to follow.
    idle: BTreeSet<ConnId>,
    /// Those who go by a name, where names are unique in the hall.
    people: People,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Visitor {
    /// The name it entered under, where names are unique in the hall.
    person: Option<Name>,
    /// The table where it plays or watches.
    at: Option<TableNo>,
    /// Goes from table to table.
    follows: bool,
    /// Its introduction, where the protocol has one.
    introduction: Option<Introduction>,
    /// The key it has shown last.
    key: Option<KeyHash>,
}

// What they say about themselves.
impl Visitors {
    fn visitor(&mut self, conn: ConnId) -> &mut Visitor {
        self.here.entry(conn).or_default()
    }

    pub fn show(&mut self, conn: ConnId, key: KeyHash) {
        self.visitor(conn).key = Some(key);
    }

    /// Returns the connection's table.
    pub fn introduce(&mut self, conn: ConnId, introduction: Introduction) -> Option<TableNo> {
        let visitor = self.visitor(conn);
        visitor.introduction = Some(introduction);
        visitor.at
    }

    pub fn introduction(&self, conn: ConnId) -> Option<Introduction> {
        self.here.get(&conn)?.introduction.clone()
    }

    /// The key that a conn has shown.
    pub fn shown(&self, conn: ConnId) -> Option<&KeyHash> {
        self.here.get(&conn)?.key.as_ref()
    }

    /// Whether a conn has shown this key.
    pub fn has_shown(&self, conn: ConnId, key: &KeyHash) -> bool {
        self.shown(conn) == Some(key)
    }

    /// The conns that have shown this key.
    pub fn with_key(&self, key: &KeyHash) -> Vec<ConnId> {
        let with = self.here.iter().filter(|(_, visitor)| visitor.key.as_ref() == Some(key));
        with.map(|(conn, _)| *conn).collect()
    }

    pub fn count(&self) -> usize {
        self.here.len()
    }

    /// Nothing is known of a conn any more.
    pub fn forget(&mut self, conn: ConnId) {
        self.here.remove(&conn);
    }
}

// Where they are. Methods needed for every move are inlined.
impl Visitors {
    /// The table where a connection plays or watches.
    #[inline]
    pub fn at(&self, conn: ConnId) -> Option<TableNo> {
        self.here.get(&conn)?.at
    }

    /// A conn sits at a table from now on, under the name that it goes by.
    pub fn sit(&mut self, conn: ConnId, no: TableNo) {
        let visitor = self.here.entry(conn).or_default();
        visitor.at = Some(no);
        if let Some(name) = &visitor.person {
            self.people.sit(name, no);
        }
    }

    /// The seat is its own no longer.
    pub fn stand_up(&mut self, conn: ConnId) {
        if let Some(name) = self.here.get(&conn).and_then(|visitor| visitor.person.as_ref()) {
            self.people.stand_up(name);
        }
    }

    /// A conn is at this table from now on, and has no seat there.
    #[inline]
    pub fn watch(&mut self, conn: ConnId, no: TableNo) {
        self.visitor(conn).at = Some(no);
    }

    /// A conn goes from table to table, and is at this one now.
    pub fn follow(&mut self, conn: ConnId, table: Option<TableNo>) {
        let visitor = self.visitor(conn);
        (visitor.follows, visitor.at) = (true, table);
    }

    /// A follower has nothing to watch any more.
    pub fn stand_by(&mut self, conn: ConnId) {
        self.idle.insert(conn);
    }

    /// The followers who had nothing to watch.
    pub fn take_idle(&mut self) -> BTreeSet<ConnId> {
        std::mem::take(&mut self.idle)
    }

    /// A conn is nowhere.
    pub fn let_go(&mut self, conn: ConnId) {
        if let Some(visitor) = self.here.get_mut(&conn) {
            (visitor.at, visitor.follows) = (None, false);
            self.idle.remove(&conn);
        }
    }
}

// The names they go by.
impl Visitors {
    pub fn people(&self) -> &People {
        &self.people
    }

    /// Those who are known by name and their tables, where no conn has a part in it.
    pub fn people_mut(&mut self) -> &mut People {
        &mut self.people
    }

    /// The name that a conn goes by.
    pub fn name_of(&self, conn: ConnId) -> Option<&Name> {
        self.here.get(&conn)?.person.as_ref()
    }

    pub fn enter(&mut self, conn: ConnId, name: Name) {
        self.visitor(conn).person = Some(name.clone());
        self.people.enter(name, conn);
    }

    /// A person's table is over.
    pub fn unseat(&mut self, name: &Name, no: TableNo) {
        let person = self.people.get(name).filter(|person| person.table == Some(no));
        let conn = person.and_then(|person| person.conn);
        self.people.unseat(name, no);
        if let Some(conn) = conn {
            self.release(conn);
        }
    }

    /// Frees the name of a conn that has introduced itself: it says a name whenever it sits down, so
    /// it needs none in between.
    pub fn release(&mut self, conn: ConnId) {
        let visitor = self.here.get_mut(&conn).filter(|visitor| visitor.introduction.is_some());
        if let Some(name) = visitor.and_then(|visitor| visitor.person.take()) {
            self.people.expire(&name);
        }
    }

    /// The player of a connection is away, for this long. Returns whether they had a name.
    pub fn part(&mut self, conn: ConnId, now: Time, window_ms: Option<u64>) -> bool {
        let Some(visitor) = self.here.get_mut(&conn) else { return false };
        // A client that introduced itself reconnects with its seat's token, never by name alone.
        let by_token = visitor.introduction.is_some();
        let Some(name) = visitor.person.take() else { return false };
        self.people.leave(name, now, window_ms, by_token);
        true
    }

    /// A player reconnects by name. Returns their table, if any; `None` if the name is unknown.
    pub fn resume(&mut self, conn: ConnId, name: &Name, now: Time) -> Option<Option<TableNo>> {
        let table = self.people.resume(name, conn, now)?;
        self.visitor(conn).person = Some(name.clone());
        Some(table)
    }

    /// A player reconnects with the seat's token, no matter who uses the name now.
    pub fn take_back(&mut self, conn: ConnId, name: &Name) {
        if !self.people.is_known(name) {
            return;
        }
        let older = self.people.take_back(name, conn);
        if let Some(visitor) = older.and_then(|older| self.here.get_mut(&older)) {
            visitor.person = None;
        }
        // A player with another name in the lobby takes this one.
        let other = self.visitor(conn).person.replace(name.clone());
        if let Some(other) = other.filter(|other| other != name) {
            self.people.expire(&other);
        }
    }

    /// The table at which a player was seated before a restart without knowing it. Reported once.
    pub fn take_unheard(&mut self, conn: ConnId) -> Option<(TableNo, &Name)> {
        let name = self.here.get(&conn)?.person.as_ref()?;
        Some((self.people.take_unheard(name)?, name))
    }
}

// As another owner of the hall knows them.
impl Visitors {
    /// What is known about a connection, apart from what its table and tournaments know.
    pub fn attendance(&self, conn: ConnId) -> Attendance {
        let Some(visitor) = self.here.get(&conn) else { return Attendance::default() };
        let person = visitor.person.as_ref().and_then(|name| self.people.get(name));
        Attendance {
            person: visitor.person.clone(),
            window_left: person.and_then(|person| person.window_left),
            follows: visitor.follows,
            introduction: visitor.introduction.clone(),
            key: visitor.key.clone(),
            ..Attendance::default()
        }
    }

    /// Whether [`attendance`](Visitors::attendance) says the same, as far as it says something.
    pub fn attends_as(&self, conn: ConnId, known: &Attendance) -> bool {
        let nobody = Visitor::default();
        let Visitor { person, follows, introduction, key, .. } =
            self.here.get(&conn).unwrap_or(&nobody);
        let window_left = person.as_ref().and_then(|name| self.people.get(name)?.window_left);
        *person == known.person
            && window_left == known.window_left
            && *follows == known.follows
            && *introduction == known.introduction
            && *key == known.key
    }

    /// A conn is at a table as it was with an earlier owner, perhaps in a seat.
    pub fn take_up(&mut self, conn: ConnId, known: &Attendance, at: Option<TableNo>, seated: bool) {
        if let Some(name) = &known.person {
            self.people.enter(name.clone(), conn);
            if let Some(no) = at.filter(|_| seated) {
                self.people.sit(name, no);
            }
            self.people.set_window_left(name, known.window_left);
        }
        let visitor = Visitor {
            person: known.person.clone(),
            at,
            follows: known.follows,
            introduction: known.introduction.clone(),
            key: known.key.clone(),
        };
        self.here.insert(conn, visitor);
    }
}
