//! Time that the server itself has lost, and why: no player shall pay for it with a turn.

use std::fmt::{self, Display};

use hall::Time;

/// What is later than this is late, and is given back.
pub const LATE_MS: u64 = 250;

/// While a clock runs, the loop comes round at least this often, or it would not know since when
/// it was held up.
const PULSE_MS: u64 = 250;

/// Notices when a hall's loop, or its journal, is late.
#[derive(Debug, Default)]
pub struct Lag {
    /// By when the loop is to come round, and the processor time of its thread at the end of the last round.
    expected: Option<(Time, u64)>,
    /// Everything before this was given back.
    settled: Time,
    /// Since when the hall may neither hear nor say anything.
    silent: Option<Time>,
}

/// Time to give back, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    pub ms: u64,
    pub cause: Cause,
}

/// What has held a hall up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The thread worked all the time.
    Work,
    /// The thread was ready, and the machine did not run it.
    Machine,
    /// What happened was not on disk, or in the database.
    Journal,
    /// This server could not be sure that the game was still its own.
    Lease,
}

impl Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::Work => "this game has more to do than one processor core can do",
            Cause::Machine => "the machine was busy with other programs, or stopped",
            Cause::Journal => "the disk or the database took long to save moves",
            Cause::Lease => "the database could not be asked whether the game is still here",
        })
    }
}

impl Lag {
    /// The loop ends a round at `now`, when its thread has used `cpu` milliseconds of a processor; when the
    /// next round is to begin. None: no clock runs.
    pub fn expect(&mut self, now: Time, cpu: u64, deadline: Option<Time>) -> Option<Time> {
        let round = deadline.map(|deadline| deadline.clamp(now, now + PULSE_MS));
        self.expected = round.map(|round| (round, cpu));
        round
    }

    /// A round begins; what was lost before it.
    pub fn came_round(&mut self, now: Time, cpu: u64) -> Option<Loss> {
        let (expected, cpu_before) = self.expected.take()?;
        let ms = self.lost(expected, now)?;
        let worked = cpu.saturating_sub(cpu_before) >= ms / 2;
        Some(Loss { ms, cause: if worked { Cause::Work } else { Cause::Machine } })
    }

    /// A batch waited for the journal from `since` until now; what is to be given back of that.
    pub fn waited(&mut self, since: Time, now: Time) -> Option<Loss> {
        self.lost(since, now).map(|ms| Loss { ms, cause: Cause::Journal })
    }

    /// Whether the hall may hear and speak in this round; what was lost since it last could.
    pub fn speaks(&mut self, now: Time, may_speak: bool) -> Option<Loss> {
        if !may_speak {
            self.silent.get_or_insert(now);
            return None;
        }
        let since = self.silent.take()?;
        self.lost(since, now).map(|ms| Loss { ms, cause: Cause::Lease })
    }

    /// What was given back already counts once.
    fn lost(&mut self, since: Time, now: Time) -> Option<u64> {
        if since + LATE_MS >= now {
            return None;
        }
        let from = since.max(self.settled);
        self.settled = now;
        Some(now.0.saturating_sub(from.0)).filter(|ms| *ms > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(ms: u64, cause: Cause) -> Option<Loss> {
        Some(Loss { ms, cause })
    }

    #[test]
    fn what_is_late_is_given_back_once() {
        let mut lag = Lag::default();
        assert_eq!(lag.expect(Time(1000), 0, None), None);
        assert_eq!(lag.came_round(Time(9000), 0), None, "no clock ran");
        assert_eq!(lag.expect(Time(10_000), 0, Some(Time(12_000))), Some(Time(10_250)));
        assert_eq!(lag.came_round(Time(10_500), 0), None, "that happens");
        assert_eq!(lag.expect(Time(10_500), 0, Some(Time(10_600))), Some(Time(10_600)));
        assert_eq!(lag.came_round(Time(13_600), 0), lost(3000, Cause::Machine));
        let rest = lag.waited(Time(13_000), Time(13_700));
        assert_eq!(rest, lost(100, Cause::Journal), "what was before is given back already");
        assert_eq!(lag.waited(Time(13_650), Time(13_800)), None);
    }

    #[test]
    fn a_thread_that_worked_was_not_stopped() {
        let mut lag = Lag::default();
        lag.expect(Time(0), 40, Some(Time(0)));
        assert_eq!(lag.came_round(Time(1000), 900), lost(1000, Cause::Work));
        lag.expect(Time(1000), 900, Some(Time(1000)));
        assert_eq!(lag.came_round(Time(2000), 950), lost(1000, Cause::Machine));
    }
    /// A node that could not reach its database for a while, and then went on with its own games, took that while
    /// from everybody who had to move.
    #[test]
    fn what_passes_in_silence_is_given_back() {
        let mut lag = Lag::default();
        assert_eq!(lag.speaks(Time(1000), true), None);
        assert_eq!(lag.speaks(Time(2000), false), None);
        assert_eq!(lag.speaks(Time(5000), false), None);
        assert_eq!(lag.speaks(Time(9000), true), lost(7000, Cause::Lease));
        let rest = lag.waited(Time(3000), Time(9100));
        assert_eq!(rest, lost(100, Cause::Journal), "what was before is given back already");
        assert_eq!(lag.speaks(Time(9200), true), None);
    }
}
