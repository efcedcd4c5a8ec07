//! What a simulated client remembers of what it received.

use rules::Seat;

use hall::{Company, Name, Time, Update};

#[derive(Default)]
pub struct Client {
    pub entered: Option<Name>,
    pub seat: Option<Seat>,
    pub table: Option<Name>,
    pub seq: u64,
    pub follows: bool,
    /// When it received its last turn together with all others.
    pub told_at: Option<Time>,
}

impl Client {
    /// Only a follower receives events of another table than the one it joined.
    pub fn go_along(&mut self, company: &Company) {
        if self.table.as_ref() != Some(&company.table) {
            assert!(self.follows, "news of {}, to who is at {:?}", company.table, self.table);
            self.table = Some(company.table.clone());
            (self.seq, self.told_at) = (0, None);
        }
    }

    /// Turns that go to all players keep the table's pace.
    pub fn keep_pace(&mut self, update: &Update, now: Time, pace_ms: u64) {
        let next = update.seq > self.seq;
        if let (true, false, Some(at)) = (next, update.catch_up, self.told_at) {
            assert!(now >= at + pace_ms, "turn {} came too early", update.seq);
        }
        match update.catch_up {
            true => self.told_at = None,
            false if next => self.told_at = Some(now),
            false => {}
        }
    }
}
