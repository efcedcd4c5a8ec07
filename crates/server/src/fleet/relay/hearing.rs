//! What an owner says reaches the connections that it is said to.

use hall::{ConnId, Event, TableNo, TableStanding, Time};

use super::Relay;
use crate::fleet::gateways::{MANY, retain_attended};
use crate::fleet::link::{Frame, Spoken};
use crate::hosting::SharedConnections;

impl Relay {
    /// Delivers what a frame says, unless it was heard before.
    pub(super) fn take(&mut self, now: Time, frame: Frame, connections: &SharedConnections) {
        let place = (frame.epoch, frame.number);
        if self.heard.is_some_and(|heard| place <= heard) {
            return;
        }
        if frame.afresh {
            self.following.clear();
        }
        self.heard = Some(place);
        self.unconfirmed_since.get_or_insert(now);
        frame.said.into_iter().for_each(|said| self.deliver(now, said, connections));
        self.following.end_frame();
    }

    fn deliver(&mut self, now: Time, said: Spoken, connections: &SharedConnections) {
        match said {
            Spoken::Answer(conn, answer) => {
                self.unanswered.answered(conn);
                connections.borrow_mut().answer(now, conn, answer);
            }
            Spoken::Tell(conns, event) => {
                let event = self.following.complete(event);
                self.tell(now, conns, event, connections);
            }
            Spoken::Turn(no, turn) => {
                for (conn, update) in self.following.turn(no, turn.deadline) {
                    self.tell(now, vec![conn], update.map(Event::Update), connections);
                }
                self.know(no, turn.standing());
            }
            Spoken::See(conns, no, bare) => {
                let event = self.following.see(no, *bare).map(Event::Update);
                self.tell(now, conns, event, connections);
            }
            Spoken::Over(conns, no) => {
                let event = self.following.over(no);
                self.tell(now, conns, event, connections);
            }
            Spoken::Play(no, players) => self.following.play(no, players),
            Spoken::Meet(company) => self.following.meet(&company),
            Spoken::Follow(no, records) => self.following.begin(no, &records),
            Spoken::Happened(no, record) => self.following.apply(no, &record),
            Spoken::Reply(number, reply) => self.unanswered.replied(number, reply),
            Spoken::Attends(conn, attendance) => {
                self.unanswered.knows_key_of(conn, attendance.key.as_ref());
                // It may have gone meanwhile.
                if connections.borrow().has(conn) {
                    self.attending.insert(conn, *attendance);
                }
            }
            Spoken::Stands(no, stands) => self.know(no, *stands),
        }
    }

    /// A table stands so from now on.
    fn know(&mut self, no: TableNo, stands: TableStanding) {
        self.tables.insert(no, stands);
        if self.tables.len() > MANY + 2 * self.attending.len() {
            retain_attended(&mut self.tables, self.attending.values());
        }
    }

    fn tell(
        &mut self,
        now: Time,
        conns: Vec<ConnId>,
        event: Option<Event>,
        connections: &SharedConnections,
    ) {
        let Some(event) = event else {
            // It was given up, and has missed what came before.
            return self.part_from(conns, connections);
        };
        let mut connections = connections.borrow_mut();
        conns.iter().for_each(|conn| connections.tell(now, *conn, event.clone()));
    }
}
