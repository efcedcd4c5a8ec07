//! What a table knows about its end that no record says.

use rules::{Exit, Seat, SeatSet};

#[derive(Debug, Default)]
pub(super) struct Aftermath {
    /// Something of the game's own code failed, and the table is closed for it.
    broken: bool,
    /// By seat, why no entrant had come to a tournament's game in time.
    nobody_came: Option<Vec<Exit>>,
    /// Seats whose players may not know the end: the table was over before a restart.
    untold: SeatSet,
}

impl Aftermath {
    pub fn break_down(&mut self) {
        self.broken = true;
    }

    pub fn give_up(&mut self, why: Vec<Exit>) {
        self.nobody_came = Some(why);
    }

    /// These players don't know the end.
    pub fn leave_untold(&mut self, seats: SeatSet) {
        self.untold = seats;
    }

    /// This player now knows the end.
    pub fn tell(&mut self, seat: Seat) {
        self.untold.remove(seat);
    }

    pub fn is_broken(&self) -> bool {
        self.broken
    }

    pub fn nobody_came(&self) -> Option<&[Exit]> {
        self.nobody_came.as_deref()
    }

    pub fn untold(&self) -> SeatSet {
        self.untold
    }
}
