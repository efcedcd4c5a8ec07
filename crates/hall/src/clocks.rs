//! Deadlines: a tiny table for each table, and one index over all of them.

use rules::Game;

use crate::Hall;
use table::{Name, TableNo, Time};

/// What a deadline belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Alarm {
    Table(TableNo),
    Person(Name),
}

/// When something is due at one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Clocks {
    /// The game begins.
    pub start: Option<Time>,
    /// Whoever has not come to a game of a tournament plays no more.
    pub no_show: Option<Time>,
    /// House bots take the free seats.
    pub fill: Option<Time>,
    /// The turn that was resolved last is told, and the next one begins.
    pub pace: Option<Time>,
    /// The turn expires.
    pub turn: Option<Time>,
    /// What is left of a turn whose clock stands, in milliseconds.
    pub turn_left: Option<u64>,
    /// House bots move.
    pub bots: Option<Time>,
    /// The table is given up.
    pub expire: Option<Time>,
    /// Each seat's absence runs out.
    pub away: Vec<Option<Time>>,
}

impl Clocks {
    pub fn next(&self) -> Option<Time> {
        [self.start, self.no_show, self.fill, self.pace, self.turn, self.bots, self.expire]
            .into_iter()
            .chain(self.away.iter().copied())
            .flatten()
            .min()
    }

    /// Puts off everything anybody is waited for. House bots and the pace, who lose nothing, stay.
    fn put_off(&mut self, ms: u64) {
        let clocks =
            [&mut self.start, &mut self.no_show, &mut self.fill, &mut self.turn, &mut self.expire];
        for time in clocks.into_iter().chain(&mut self.away).flatten() {
            *time = *time + ms;
        }
    }
}

/// Takes a deadline that has come.
pub(crate) fn due(clock: &mut Option<Time>, now: Time) -> bool {
    clock.take_if(|time| *time <= now).is_some()
}

impl<G: Game> Hall<G> {
    /// The house was late by so much, and nobody shall pay for it: every deadline that has not
    /// been enforced moves. To be called before the tick that would enforce them.
    pub fn give_back(&mut self, ms: u64) {
        let numbers: Vec<TableNo> = self.live.iter().map(|(no, _)| no).collect();
        for no in numbers {
            self.live_mut(no).clocks.put_off(ms);
        }
        self.rearm();
        for (name, person) in &mut self.people {
            if let Some(until) = &mut person.until {
                self.alarms.remove(&(*until, Alarm::Person(name.clone())));
                *until = *until + ms;
                self.alarms.insert((*until, Alarm::Person(name.clone())));
            }
        }
    }

    /// What happened at a table at one time was told only now: the clock of a turn that began
    /// with it runs from now.
    pub fn handed_out(&mut self, now: Time, no: TableNo, happened: Time) {
        let Some(live) = self.live.get(no).filter(|live| live.told.1 == happened) else { return };
        if live.clocks.turn.is_some() {
            let live = self.live_mut(no);
            live.told.1 = now;
            live.clocks.turn = live.clocks.turn.map(|time| time + (now.0 - happened.0));
            self.rearm();
        }
    }

    pub(crate) fn tick(&mut self) {
        let now = self.now;
        let due: Vec<Alarm> = self
            .alarms
            .iter()
            .take_while(|(time, _)| *time <= now)
            .map(|(_, alarm)| alarm.clone())
            .collect();
        for alarm in due {
            match alarm {
                Alarm::Table(no) => self.table_due(no),
                Alarm::Person(name) => self.person_due(&name),
            }
        }
    }

    fn table_due(&mut self, no: TableNo) {
        if self.live.get(no).is_none() {
            return;
        }
        let now = self.now;
        if due(&mut self.live_mut(no).clocks.start, now) {
            self.start(no);
        }
        if due(&mut self.live_mut(no).clocks.no_show, now) {
            self.start_without_absent(no);
        }
        if due(&mut self.live_mut(no).clocks.fill, now) {
            self.fill_with_bots(no);
        }
        self.absences_due(no);
        if due(&mut self.live_mut(no).clocks.pace, now) {
            self.go_on(no);
            self.mind_desertion(no);
        }
        if due(&mut self.live_mut(no).clocks.turn, now) {
            self.expire_turn(no);
        }
        if due(&mut self.live_mut(no).clocks.bots, now) {
            self.move_bots(no);
        }
        if due(&mut self.live_mut(no).clocks.expire, now) {
            self.give_up(no);
        }
    }

    /// Puts the deadlines of every table that was touched back into the index.
    pub(crate) fn rearm(&mut self) {
        while let Some(no) = self.touched.pop() {
            let Some(live) = self.live.get_mut(no) else { continue };
            let next = live.clocks.next();
            if next == live.armed {
                continue;
            }
            if let Some(time) = std::mem::replace(&mut live.armed, next) {
                self.alarms.remove(&(time, Alarm::Table(no)));
            }
            if let Some(time) = next {
                self.alarms.insert((time, Alarm::Table(no)));
            }
        }
    }
}

#[cfg(test)]
mod crash_tests;
#[cfg(test)]
mod pace_tests;
#[cfg(test)]
mod stage;
#[cfg(test)]
mod tests;
