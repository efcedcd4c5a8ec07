//! How often a program plays in open play. Bots that play without a pause fill the disk, so each has a number
//! of games a minute. It may play two minutes' games at once; after that its next game begins later.
//! Games of tournaments and of people do not count.

use std::collections::BTreeMap;

use table::{Name, Time};

/// The games of this many minutes may be played at once.
const AT_ONCE_MIN: u64 = 2;
/// With more names than this, those that are free again are forgotten.
const MOST_NAMES: usize = 4096;

#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Milliseconds that a game is worth; `None`: no pacing.
    each_ms: Option<u64>,
    /// Up to when each name has played ahead.
    ahead: BTreeMap<Name, Time>,
}

impl Pace {
    /// The limit in games a minute; 0 means no limit.
    pub fn of(games_per_min: u32) -> Pace {
        let each_ms = (games_per_min > 0).then(|| 60_000 / u64::from(games_per_min));
        Pace { each_ms, ahead: BTreeMap::new() }
    }

    /// A program has played a game of open play.
    pub fn count(&mut self, name: &Name, now: Time) {
        let Some(each_ms) = self.each_ms else { return };
        if self.ahead.len() >= MOST_NAMES {
            self.ahead.retain(|_, until| *until > now);
        }
        let until = self.ahead.entry(name.clone()).or_insert(now);
        *until = (*until).max(now) + each_ms;
    }

    /// When its next game may begin, if that is not now.
    pub fn rests_until(&self, name: &str, now: Time) -> Option<Time> {
        let ahead = self.ahead.get(name)?.0;
        let until = Time(ahead.saturating_sub(AT_ONCE_MIN * 60_000));
        Some(until).filter(|until| *until > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_minutes_of_games_at_once_and_then_so_many_a_minute() {
        let (mut pace, start, ann) = (Pace::of(10), Time(1_000_000), Name::from("ann"));
        for _ in 0..20 {
            assert_eq!(pace.rests_until("ann", start), None);
            pace.count(&ann, start);
        }
        pace.count(&ann, start);
        assert_eq!(pace.rests_until("ann", start), Some(start + 6000));
        assert_eq!(pace.rests_until("ann", start + 6000), None);
        assert_eq!(pace.rests_until("bob", start), None);
        // After a long rest it may play as many at once again.
        let later = start + 600_000;
        pace.count(&ann, later);
        assert_eq!(pace.rests_until("ann", later), None);
        let mut free = Pace::of(0);
        (0..1000).for_each(|_| free.count(&ann, start));
        assert_eq!(free.rests_until("ann", start), None);
    }
}
