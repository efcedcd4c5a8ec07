//! Players known by name in the whole hall, for games whose names are unique there.

use rules::{Exit, Game, Seat};

use crate::clocks::Alarm;
use crate::policy::{AwayInPlay, Names};
use crate::speech::{Answer, Company, Joined, Name, Refusal};
use crate::table::Phase;
use crate::{Conn, Hall, TableNo, Time};
use std::sync::Arc;

/// A name in the hall. While its player is away the name is kept for a window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Person {
    pub conn: Option<Conn>,
    pub seat: Option<(TableNo, Seat)>,
    pub until: Option<Time>,
}

impl<G: Game> Hall<G> {
    pub(crate) fn enter(&mut self, conn: Conn, name: Name) {
        if self.terms.policy.names != Names::UniqueInHall {
            return self.refuse(conn, Refusal::NotEntered);
        }
        let visitor = self.visitors.entry(conn).or_default();
        if visitor.person.is_some() {
            return self.refuse(conn, Refusal::AlreadySeated);
        }
        if self.people.contains_key(&name) {
            return self.refuse(conn, Refusal::NameTaken);
        }
        visitor.person = Some(name.clone());
        self.people.insert(name, Person { conn: Some(conn), seat: None, until: None });
        self.answer(conn, Answer::Entered);
    }

    /// A person comes back: to its seat, or to the lobby if that is where it was.
    pub(crate) fn resume_person(&mut self, conn: Conn, name: Name) {
        let here = self.visitors.entry(conn).or_default().person.is_some();
        let Some(person) =
            self.people.get_mut(&name).filter(|person| person.conn.is_none() && !here)
        else {
            return self.refuse(conn, Refusal::UnknownCredential);
        };
        person.conn = Some(conn);
        let seat = person.seat;
        if let Some(time) = person.until.take() {
            self.alarms.remove(&(time, Alarm::Person(name.clone())));
        }
        self.visitors.entry(conn).or_default().person = Some(name);
        match seat {
            Some((no, seat)) => self.take_back(conn, no, seat),
            None => {
                let company = Arc::new(Company { table: "".into(), seats: Vec::new() });
                let joined = Joined { company, seat: None, token: None, resumed: true };
                self.answer(conn, Answer::Joined(Box::new(joined)));
            }
        }
    }

    /// Marks the person behind a conn as away; says whether there is one.
    pub(crate) fn person_away(&mut self, conn: Conn) -> bool {
        let Some(name) = self.visitors.get_mut(&conn).and_then(|visitor| visitor.person.take())
        else {
            return false;
        };
        let window = self.window();
        let until = self.now + window;
        if let Some(person) = self.people.get_mut(&name) {
            person.conn = None;
            person.until = Some(until);
            self.alarms.insert((until, Alarm::Person(name)));
        }
        true
    }

    fn window(&self) -> u64 {
        match self.terms.policy.away_in_play {
            AwayInPlay::RetireAfter { ms } | AwayInPlay::BotAfter { ms } => ms,
            AwayInPlay::Hold | AwayInPlay::Retire => self.terms.policy.hold_waiting_ms,
        }
    }

    /// The window is over: the name is free, and so is its seat.
    pub(crate) fn person_due(&mut self, name: &Name) {
        let Some(person) = self.people.remove(name) else { return };
        if let Some(time) = person.until {
            self.alarms.remove(&(time, Alarm::Person(name.clone())));
        }
        let Some((no, seat)) = person.seat else { return };
        match self.host(no).phase() {
            Phase::Gathering => self.free_seat(no, seat),
            Phase::Playing => self.retire(no, vec![(seat, Exit::TimedOut)]),
            Phase::Closed => {}
        }
    }

    pub(crate) fn renumber_people(&mut self, no: TableNo, order: &[Seat]) {
        if self.terms.policy.names != Names::UniqueInHall {
            return;
        }
        for (new, old) in Seat::all(order.len()).zip(order) {
            let name = self.host(no).table.chair(new).map(|chair| chair.name.clone());
            if let Some(person) = name.and_then(|name| self.people.get_mut(&name)) {
                if person.seat == Some((no, *old)) {
                    person.seat = Some((no, new));
                }
            }
        }
    }

    /// Where persons have windows of their own, seats have none.
    pub(crate) fn keep_windows_of_people(&mut self, no: TableNo, absent: &[Seat]) {
        if self.terms.policy.names == Names::UniqueInHall {
            for seat in absent {
                self.host_mut(no).clocks.away[seat.index()] = None;
            }
        }
    }

    /// The table is over: its players are in the lobby again.
    pub(crate) fn unseat_people(&mut self, no: TableNo) {
        if self.terms.policy.names != Names::UniqueInHall {
            return;
        }
        let names: Vec<Name> =
            self.host(no).table.seated().map(|(_, chair)| chair.name.clone()).collect();
        for name in names {
            if let Some(person) = self.people.get_mut(&name) {
                if person.seat.is_some_and(|(at, _)| at == no) {
                    person.seat = None;
                }
            }
        }
    }
}
