//! What a connection holds in its hall, as far as its address is limited in that: a seat, a table
//! that it was the first at, entries for tournaments.

use std::sync::Arc;

use hall::{Answer, Command, Event, Joined, KeyHash, Refusal, Role, Time};
use prometheus_client::metrics::gauge::Gauge;
use rules::Game;

use super::Admission;
use super::limits::Limit;

/// What a connection holds. What it leaves behind when it goes is held by its table's own clocks;
/// the table it was the first at stays counted.
#[derive(Debug)]
pub struct Holdings {
    admission: Arc<Admission>,
    seated: bool,
    /// It was the first at the table where it sits.
    opened: bool,
    /// It sits at a table, watches one or waits for one.
    engaged: bool,
    /// It watches one.
    watching: bool,
    /// It has a place in a tournament, and waits for its games.
    enrolled: bool,
    /// Its game runs.
    plays: bool,
    /// How many do.
    playing: Gauge,
}

impl Holdings {
    pub fn new(admission: Arc<Admission>, playing: Gauge) -> Holdings {
        Holdings {
            admission,
            seated: false,
            opened: false,
            engaged: false,
            watching: false,
            enrolled: false,
            plays: false,
            playing,
        }
    }

    /// Whether it may ask for this. The hall need not hear of what its address has too much of.
    pub fn check<G: Game>(&self, now: Time, command: &Command<G>) -> Result<(), Refusal> {
        let checked: Result<(), Limit> = match command {
            Command::Open { .. } | Command::Join { role: Role::Player, .. } if !self.seated => {
                self.admission.may_sit_down(now)
            }
            Command::Enrol { .. } => self.admission.may_enter(now).map_err(|reached| reached.limit),
            _ => Ok(()),
        };
        checked.map_err(|limit| {
            self.admission.hit(limit);
            Refusal::TooMany
        })
    }

    /// It has shown a key. What it holds already stays counted as it was.
    pub fn showed(&self, key: &KeyHash) {
        if !self.seated {
            self.admission.count_by(key);
        }
    }

    pub fn answered(&mut self, answer: &Answer) {
        match answer {
            Answer::Joined(joined) => self.sat_down(joined),
            Answer::Awaited => self.engaged = true,
            Answer::Enrolled(enrolled) => {
                self.enrolled = true;
                if enrolled.token.is_some() {
                    self.admission.count_entry();
                }
            }
            _ => {}
        }
    }

    /// Whether it has nothing to wait for from now on.
    pub fn told<G: Game>(&mut self, event: &Event<G>) -> bool {
        match event {
            Event::Seated(joined) => self.sat_down(joined),
            Event::Update(_) if self.seated && !self.plays => {
                self.plays = true;
                self.playing.inc();
            }
            Event::Over(_) if self.seated => {
                if std::mem::take(&mut self.opened) {
                    self.admission.count_table(false);
                }
                self.stood_up();
                return true;
            }
            Event::Dismissed(_) => {
                self.stood_up();
                return true;
            }
            Event::Decided(_) => {
                self.enrolled = false;
                return true;
            }
            _ => {}
        }
        false
    }

    /// Whether it sits at a table, watches one or waits for one.
    pub fn is_engaged(&self) -> bool {
        self.engaged || self.enrolled
    }

    /// Whether it watches a table, where nobody waits for it.
    pub fn is_watching(&self) -> bool {
        self.watching
    }

    fn sat_down(&mut self, joined: &Joined) {
        self.stood_up();
        self.engaged = true;
        self.watching = joined.seat.is_none();
        if joined.seat.is_some() {
            self.seated = true;
            self.admission.count_seat(true);
            self.opened = !joined.resumed && joined.company.seats.iter().flatten().count() <= 1;
            if self.opened {
                self.admission.count_table(true);
            }
        }
    }

    /// Whether it asks for something that only begins with it.
    pub fn is_newcomer<G: Game>(&self, command: &Command<G>) -> bool {
        let begins = matches!(
            command,
            Command::Open { .. } | Command::Join { role: Role::Player, .. } | Command::Enrol { .. }
        );
        begins && !self.seated
    }

    /// It has left its table, or that is over.
    pub fn stood_up(&mut self) {
        if std::mem::take(&mut self.plays) {
            self.playing.dec();
        }
        self.engaged = false;
        self.watching = false;
        self.opened = false;
        if std::mem::take(&mut self.seated) {
            self.admission.count_seat(false);
        }
    }
}

impl Drop for Holdings {
    fn drop(&mut self) {
        self.stood_up();
    }
}
