//! How much time a seat has taken in its game: what its strikes and the limit of a whole game go by.

/// A sum over the records of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeUsed {
    /// The time of all its turns, in milliseconds.
    pub ms: u64,
    /// Turns that it let run out while it was waited for, in a row or not.
    pub silent_turns: u32,
}

impl TimeUsed {
    /// It has moved. Records of earlier releases do not say how long that took.
    pub(crate) fn move_after(&mut self, ms: Option<u64>) {
        self.ms += ms.unwrap_or(0);
    }

    /// Its turn has run out; `spared`: its clock did not count.
    pub(crate) fn run_out(&mut self, turn_ms: Option<u64>, spared: bool) {
        self.ms += turn_ms.unwrap_or(0);
        self.silent_turns += u32::from(!spared);
    }
}
