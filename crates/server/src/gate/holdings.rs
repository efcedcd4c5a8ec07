//! What a connection holds in its hall, where its address is limited: a seat, a table that it was
//! first at, tournament entries.

use std::net::IpAddr;
use std::sync::Arc;

use hall::{Answer, Command, Event, Joined, KeyHash, Name, Refusal, Role, Time};
use prometheus_client::metrics::gauge::Gauge;

use super::limits::Limit;
use super::{Admission, TableBill};

/// What a connection holds. When it goes, the table's own clocks hold what it leaves behind; the
/// table that it was first at stays counted.
#[derive(Debug)]
pub struct Holdings {
    admission: Arc<Admission>,
    seated: bool,
    /// Number of seats it occupies: its own, and those of the house bots at its private table.
    seats: usize,
    /// The house bots that it has last asked for.
    bots: usize,
    /// Those at the table where it sat last: they sit down again for a rematch.
    bots_before: usize,
    /// It has asked for a rematch, which opens a table.
    again: bool,
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
            seats: 0,
            bots: 0,
            bots_before: 0,
            again: false,
            opened: false,
            engaged: false,
            watching: false,
            enrolled: false,
            plays: false,
            playing,
        }
    }

    /// Whether it may ask for this. A request beyond its address's limits never reaches the hall.
    pub fn check(&mut self, now: Time, command: &Command) -> Result<(), Refusal> {
        let checked: Result<(), Limit> = match command {
            Command::Open { table, bots, .. } if !self.seated => {
                let seats = table.terms.policy.seats.max(1 + bots.len());
                if let Some(most) = self.admission.own_table_seats().filter(|most| seats > *most) {
                    self.admission.hit(Limit::OwnTableSeats);
                    let why = format!("a table of your own has at most {most} seats here");
                    return Err(Refusal::BadTable(why));
                }
                (self.bots, self.again) = (bots.len(), false);
                self.admission.may_sit_down(now, 1 + bots.len())
            }
            Command::Rematch { wants: true, .. } if !self.seated => {
                (self.bots, self.again) = (self.bots_before, true);
                self.admission.may_sit_down(now, 1 + self.bots)
            }
            Command::Join { role: Role::Player, .. } if !self.seated => {
                (self.bots, self.again) = (0, false);
                self.admission.may_sit_down(now, 1)
            }
            Command::Enrol { .. } => self.admission.may_enter(now).map_err(|reached| reached.limit),
            _ => Ok(()),
        };
        checked.map_err(|limit| {
            self.admission.hit(limit);
            Refusal::TooMany
        })
    }

    /// Who pays for the records of a private table; `None`: no one.
    pub fn table_bill(&self) -> Option<TableBill> {
        self.admission.table_bill()
    }

    /// The address that it is counted by; none: it may take any number.
    pub fn counted_at(&self) -> Option<IpAddr> {
        self.admission.counted_at()
    }

    /// A player may join under the name of one who is playing; then both addresses matter.
    pub fn located(&self, command: Command) -> Command {
        let joins = matches!(command, Command::Join { role: Role::Player, table: None, .. });
        match self.admission.origin().filter(|_| joins) {
            Some(address) => Command::From { address, command: Box::new(command) },
            None => command,
        }
    }

    /// Whether a newcomer who wants this connection's seat may be another person.
    pub fn is_elsewhere(&self, newcomer: Option<Name>) -> bool {
        newcomer.is_none() || newcomer != self.admission.origin()
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
    pub fn told(&mut self, event: &Event) -> bool {
        match event {
            Event::Seated(joined) => self.sat_down(joined),
            Event::Update(_) if self.seated && !self.plays => {
                self.plays = true;
                self.playing.inc();
            }
            Event::Over(_) if self.seated => {
                // If house bots played, the server did the work.
                if std::mem::take(&mut self.opened) && self.seats == 1 {
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

    /// Whether it watches a table, where no one waits for it.
    pub fn is_watching(&self) -> bool {
        self.watching
    }

    fn sat_down(&mut self, joined: &Joined) {
        self.stood_up();
        self.engaged = true;
        self.watching = joined.seat.is_none();
        if joined.seat.is_some() {
            self.seated = true;
            let members = joined.company.seats.iter().flatten();
            let (bots, people): (Vec<_>, Vec<_>) = members.partition(|member| member.bot.is_some());
            let again = std::mem::take(&mut self.again);
            self.opened = !joined.resumed && (again || people.len() <= 1);
            self.bots_before = bots.len();
            let bots = std::mem::take(&mut self.bots);
            self.seats = if self.opened { 1 + bots } else { 1 };
            self.admission.count_seats(self.seats, true);
            if self.opened {
                self.admission.count_table(true);
            }
        }
    }

    /// Whether it asks for something that only begins with it.
    pub fn is_newcomer(&self, command: &Command) -> bool {
        let begins = matches!(
            command,
            Command::Open { .. }
                | Command::Join { role: Role::Player, .. }
                | Command::Rematch { wants: true, .. }
                | Command::Enrol { .. }
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
            self.admission.count_seats(std::mem::take(&mut self.seats), false);
        }
    }
}

impl Drop for Holdings {
    fn drop(&mut self) {
        self.stood_up();
    }
}
