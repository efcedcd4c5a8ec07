//! Time that the house has lost: nobody shall pay for it with a turn.

use hall::Time;

/// What is later than this is late, and is given back.
pub const LATE_MS: u64 = 250;

/// While a clock runs, the loop comes round at least this often, or it would not know since when
/// it was held up.
const PULSE_MS: u64 = 250;

/// Notices when a hall's loop, or its journal, is late.
#[derive(Debug, Default)]
pub struct Lag {
    /// By when the loop is to come round.
    expected: Option<Time>,
    /// Everything before this was given back.
    settled: Time,
}

impl Lag {
    /// The loop ends a round at `now`; when the next is to begin. None: no clock runs.
    pub fn expect(&mut self, now: Time, deadline: Option<Time>) -> Option<Time> {
        self.expected = deadline.map(|deadline| deadline.clamp(now, now + PULSE_MS));
        self.expected
    }

    /// A round begins; how much time was lost before it.
    pub fn came_round(&mut self, now: Time) -> u64 {
        self.expected.take().map_or(0, |expected| self.lost(expected, now))
    }

    /// Something took from `since` until now; how much of that is to be given back. What was
    /// given back already counts once.
    pub fn lost(&mut self, since: Time, now: Time) -> u64 {
        if since + LATE_MS >= now {
            return 0;
        }
        let from = since.max(self.settled);
        self.settled = now;
        now.0.saturating_sub(from.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_late_is_given_back_once() {
        let mut lag = Lag::default();
        assert_eq!(lag.expect(Time(1000), None), None);
        assert_eq!(lag.came_round(Time(9000)), 0, "no clock ran");
        assert_eq!(lag.expect(Time(10_000), Some(Time(12_000))), Some(Time(10_250)));
        assert_eq!(lag.came_round(Time(10_500)), 0, "that happens");
        assert_eq!(lag.expect(Time(10_500), Some(Time(10_600))), Some(Time(10_600)));
        assert_eq!(lag.came_round(Time(13_600)), 3000);
        assert_eq!(lag.lost(Time(13_000), Time(13_700)), 100, "the rest is given back already");
        assert_eq!(lag.lost(Time(13_650), Time(13_800)), 0);
    }
}
