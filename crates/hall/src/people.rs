//! Players known by name in the whole hall, for games whose names are unique there.

use rules::{Exit, Game, Seat};

use crate::Hall;
use crate::clocks::Alarm;
use crate::joining::Greeting;
use crate::speech::Answer;
use std::sync::Arc;
use table::{Company, ConnId, Joined, Name, Names, Phase, Refusal, TableNo, Time};

/// A name in the hall. While its player is away the name is kept for a window.
///
/// ```text
/// (nobody) ──Enter──▶ here ──Part, Gone──▶ away ──window over──▶ (nobody)
///                      ▲                    │
///                      └───Resume by name───┘
/// ```
///
/// The seat is remembered in both states; it is given up by leaving, by the end of the table and
/// by the end of the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Person {
    pub conn: Option<ConnId>,
    pub seat: Option<(TableNo, Seat)>,
    pub until: Option<Time>,
    /// What is left of the window after absences since its last move: whoever comes back without
    /// moving has no new one.
    pub window_left: Option<u64>,
    /// A house bot: its name is taken for as long as its table lasts, and nobody comes back by it.
    pub house: bool,
    /// It was seated before a restart, perhaps without hearing of it.
    pub unheard: bool,
}

impl<G: Game> Hall<G> {
    pub(crate) fn enter(&mut self, conn: ConnId, name: Name) {
        if self.terms.policy.names != Names::UniqueInHall {
            return self.refuse(conn, Refusal::NotEntered);
        }
        let visitor = self.visitors.entry(conn).or_default();
        if visitor.person.is_some() {
            return self.refuse(conn, Refusal::AlreadySeated);
        }
        let taken = self.people.contains_key(&name) && !self.leave_lobby(&name);
        if taken || self.is_name_of_bot(&name) {
            return self.refuse(conn, Refusal::NameTaken(name));
        }
        self.visitors.entry(conn).or_default().person = Some(name.clone());
        self.people.insert(name, Person { conn: Some(conn), ..Person::default() });
        self.answer(conn, Answer::Entered);
    }

    /// An entrant whose connection is gone and who sits nowhere may come in anew: many bots are
    /// started for each game. Whether it has gone.
    fn leave_lobby(&mut self, name: &Name) -> bool {
        self.tournaments.names.contains_key(name) && self.forget_absent(name)
    }

    /// Frees the name of somebody whose connection is gone and who sits nowhere. Whether it was so.
    pub(crate) fn forget_absent(&mut self, name: &Name) -> bool {
        let away = |person: &Person| person.conn.is_none() && person.seat.is_none();
        let gone = self.people.get(name).is_some_and(away);
        if gone && let Some(time) = self.people.remove(name).and_then(|person| person.until) {
            self.alarms.remove(&(time, Alarm::Person(name.clone())));
        }
        gone
    }

    /// A person comes back: to its seat, or to the lobby if that is where it was.
    pub(crate) fn resume_person(&mut self, conn: ConnId, name: Name) {
        let here = self.visitors.entry(conn).or_default().person.is_some();
        let is_away = |person: &&mut Person| person.conn.is_none() && !person.house && !here;
        let Some(person) = self.people.get_mut(&name).filter(is_away) else {
            return self.refuse(conn, Refusal::UnknownCredential);
        };
        person.conn = Some(conn);
        let seat = person.seat;
        if let Some(time) = person.until.take() {
            person.window_left = seat.map(|_| time.0.saturating_sub(self.now.0));
            self.alarms.remove(&(time, Alarm::Person(name.clone())));
        }
        self.visitors.entry(conn).or_default().person = Some(name);
        match seat {
            Some((no, seat)) => self.take_back(conn, no, seat, Greeting::Answer),
            None => {
                self.unbind(conn);
                let company = Arc::new(Company::default());
                let joined = Joined { company, seat: None, token: None, resumed: true };
                self.answer(conn, Answer::Joined(Box::new(joined)));
            }
        }
    }

    /// Where a person waits who was seated before a restart, and has asked for a seat now: it was
    /// cut off before it heard of that one. It hears of it once.
    pub(crate) fn seat_unheard_of(&mut self, conn: ConnId) -> Option<(TableNo, Seat)> {
        let name = self.visitors.get(&conn)?.person.as_ref()?;
        let person = self.people.get_mut(name)?;
        let unheard = std::mem::take(&mut person.unheard);
        let (no, seat) = person.seat.filter(|_| unheard)?;
        (self.live(no).phase() == Phase::Gathering).then_some((no, seat))
    }

    /// A seat was taken back with its token: so is its name, where names are unique in the hall.
    pub(crate) fn person_is_back(&mut self, conn: ConnId, no: TableNo, seat: Seat) {
        if self.terms.policy.names != Names::UniqueInHall {
            return;
        }
        let Some(name) = self.live(no).table.chair(seat).map(|chair| chair.name.clone()) else {
            return;
        };
        let Some(person) = self.people.get_mut(&name) else { return };
        let older = person.conn.replace(conn).filter(|older| *older != conn);
        if let Some(time) = person.until.take() {
            self.alarms.remove(&(time, Alarm::Person(name.clone())));
        }
        if let Some(visitor) = older.and_then(|older| self.visitors.get_mut(&older)) {
            visitor.person = None;
        }
        self.visitors.entry(conn).or_default().person = Some(name);
    }

    /// The person behind a conn gives up its seat and is in the lobby again.
    pub(crate) fn stand_up(&mut self, conn: ConnId) {
        let person = self.visitors.get(&conn).and_then(|visitor| visitor.person.as_ref());
        if let Some(person) = person.and_then(|name| self.people.get_mut(name)) {
            person.seat = None;
        }
    }

    /// A house bot takes its name in the hall, where names are unique there.
    pub(crate) fn enter_bot(&mut self, name: Name, no: TableNo, seat: Seat) {
        if self.terms.policy.names == Names::UniqueInHall {
            let seat = Some((no, seat));
            self.people.insert(name, Person { seat, house: true, ..Person::default() });
        }
    }

    /// Marks the person behind a conn as away; says whether there is one.
    pub(crate) fn person_away(&mut self, conn: ConnId) -> bool {
        let Some(name) = self.visitors.get_mut(&conn).and_then(|visitor| visitor.person.take())
        else {
            return false;
        };
        let left = self.people.get(&name).and_then(|person| person.window_left);
        let until = self.now + left.unwrap_or_else(|| self.window(&name));
        if let Some(person) = self.people.get_mut(&name) {
            person.conn = None;
            person.until = Some(until);
            self.alarms.insert((until, Alarm::Person(name)));
        }
        true
    }

    /// How long a name is kept: at a table by that table's policy, else by the hall's.
    fn window(&self, name: &Name) -> u64 {
        let seat = self.people.get(name).and_then(|person| person.seat);
        let policy = seat.map_or(&self.terms.policy, |(no, _)| self.live(no).policy());
        policy.window_ms()
    }

    /// Whoever has moved has its whole window again.
    pub(crate) fn renew_window(&mut self, conn: ConnId) {
        let person = self.visitors.get(&conn).and_then(|visitor| visitor.person.as_ref());
        if let Some(person) = person.and_then(|name| self.people.get_mut(name)) {
            person.window_left = None;
        }
    }

    /// The window is over: the name is free, and so is its seat.
    pub(crate) fn person_due(&mut self, name: &Name) {
        let Some(person) = self.people.remove(name) else { return };
        if let Some(time) = person.until {
            self.alarms.remove(&(time, Alarm::Person(name.clone())));
        }
        let Some((no, seat)) = person.seat else { return };
        match self.live(no).phase() {
            Phase::Gathering => self.free_seat(no, seat),
            Phase::Playing => {
                let mut seats = self.others_due(no);
                seats.push(seat);
                seats.sort_unstable();
                self.retire(no, seats.into_iter().map(|seat| (seat, Exit::Lost)).collect());
            }
            Phase::Closed => {}
        }
    }

    /// Seats of a table whose players' windows are over too: all go in one turn, so that nobody
    /// wins by the order of names.
    fn others_due(&self, no: TableNo) -> Vec<Seat> {
        let is_due = |person: &Person| person.until.is_some_and(|until| until <= self.now);
        let names = self.live(no).table.seated().map(|(_, chair)| &chair.name);
        let others = names.filter_map(|name| self.people.get(name)).filter(|person| is_due(person));
        others.filter_map(|p| p.seat).filter(|(at, _)| *at == no).map(|(_, seat)| seat).collect()
    }

    pub(crate) fn renumber_people(&mut self, no: TableNo, order: &[Seat]) {
        if self.terms.policy.names != Names::UniqueInHall {
            return;
        }
        for (new, old) in Seat::all(order.len()).zip(order) {
            let name = self.live(no).table.chair(new).map(|chair| chair.name.clone());
            if let Some(person) = name.and_then(|name| self.people.get_mut(&name))
                && person.seat == Some((no, *old))
            {
                person.seat = Some((no, new));
            }
        }
    }

    /// Where persons have windows of their own, seats have none.
    pub(crate) fn keep_windows_of_people(&mut self, no: TableNo, absent: &[Seat]) {
        if self.terms.policy.names == Names::UniqueInHall {
            for seat in absent {
                self.live_mut(no).clocks.away[seat.index()] = None;
            }
        }
    }

    /// The table is over: its players are in the lobby again.
    pub(crate) fn unseat_people(&mut self, no: TableNo) {
        if self.terms.policy.names != Names::UniqueInHall {
            return;
        }
        let names: Vec<Name> =
            self.live(no).table.seated().map(|(_, chair)| chair.name.clone()).collect();
        for name in names {
            self.unseat_person(&name, no);
        }
    }

    /// The seat of this name at a table is its own no longer.
    pub(crate) fn unseat_person(&mut self, name: &Name, no: TableNo) {
        let person = self.people.get_mut(name);
        let Some(person) = person.filter(|p| p.seat.is_some_and(|(at, _)| at == no)) else {
            return;
        };
        person.seat = None;
        if person.house {
            self.people.remove(name);
        }
    }
}
