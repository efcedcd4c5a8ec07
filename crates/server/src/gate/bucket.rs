//! Token buckets: how much of something may be taken over time.

use hall::Time;

/// A rate and a burst. Time is an argument.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    /// How much comes in each period. 0: any number.
    rate: u64,
    period_ms: u64,
    /// The maximum: a number of tokens, each worth a period.
    capacity: i64,
    /// Below zero: more was taken than there was, which is paid back first.
    left: i64,
    since: Time,
}

/// The burst, in seconds of the rate.
const BURST_S: u64 = 2;

impl Bucket {
    /// A rate per second, with twice as much at once.
    pub fn new(per_s: u64, now: Time) -> Bucket {
        Bucket::of(per_s, 1000, per_s.saturating_mul(BURST_S), now)
    }

    /// A rate per period, with as much at once.
    pub fn slow(rate: u64, period_ms: u64, now: Time) -> Bucket {
        Bucket::of(rate, period_ms, rate, now)
    }

    fn of(rate: u64, period_ms: u64, burst: u64, now: Time) -> Bucket {
        let capacity = signed(burst).saturating_mul(signed(period_ms));
        Bucket { rate, period_ms, capacity, left: capacity, since: now }
    }

    /// Whether there is something to take.
    pub fn has(&mut self, now: Time) -> bool {
        self.fill(now);
        !self.is_empty()
    }

    /// The same, as of when it was last asked for.
    pub fn is_empty(&self) -> bool {
        self.rate > 0 && self.left < signed(self.period_ms)
    }

    /// Whether nothing is missing.
    pub fn is_full(&mut self, now: Time) -> bool {
        self.fill(now);
        self.left == self.capacity
    }

    pub fn take(&mut self, count: u64) {
        if self.rate > 0 {
            self.left = self.left.saturating_sub(self.worth(count));
        }
    }

    /// Returns tokens that turned out not to be needed.
    pub fn give_back(&mut self, count: u64) {
        self.left = self.left.saturating_add(self.worth(count)).min(self.capacity);
    }

    /// In how many milliseconds there is something to take again.
    pub fn refills_in(&self) -> u64 {
        match self.is_empty() {
            true => (signed(self.period_ms) - self.left).unsigned_abs().div_ceil(self.rate.max(1)),
            false => 0,
        }
    }

    fn fill(&mut self, now: Time) {
        let fresh = now.0.saturating_sub(self.since.0).saturating_mul(self.rate);
        self.since = self.since.max(now);
        self.left = self.left.saturating_add(signed(fresh)).min(self.capacity);
    }

    fn worth(&self, count: u64) -> i64 {
        signed(count).saturating_mul(signed(self.period_ms))
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let mut bucket = Bucket::new(10, Time(1000));
        for _ in 0..20 {
            assert!(bucket.has(Time(1000)));
            bucket.take(1);
        }
        assert!(!bucket.has(Time(1000)) && bucket.is_empty());
        assert_eq!(bucket.refills_in(), 100);
        assert!(!bucket.has(Time(1099)));
        assert_eq!(bucket.refills_in(), 1);
        assert!(bucket.has(Time(1100)));
        bucket.take(1);
        assert!(!bucket.has(Time(1199)), "a tenth of a second is worth one");
        assert!(!bucket.is_full(Time(3099)) && bucket.is_full(Time(3100)));
    }

    #[test]
    fn a_millisecond_at_a_time_fills_it_as_fast() {
        let mut bucket = Bucket::new(3, Time(0));
        bucket.take(6);
        let filled: Vec<u64> = (1..=1000).filter(|ms| bucket.has(Time(*ms))).collect();
        assert_eq!(filled.first(), Some(&334));
        assert_eq!(bucket.left, 3000);
    }

    #[test]
    fn what_is_taken_at_once_beyond_it_is_paid_back_first() {
        let mut bucket = Bucket::new(1000, Time(0));
        bucket.take(5000);
        assert_eq!(bucket.refills_in(), 3001);
        assert!(!bucket.has(Time(3000)));
        assert!(bucket.has(Time(3001)));
    }

    #[test]
    fn what_costs_nothing_is_given_back_and_no_more() {
        let mut bucket = Bucket::new(1, Time(0));
        bucket.take(1);
        bucket.give_back(1);
        assert!(bucket.is_full(Time(0)));
        bucket.give_back(100);
        bucket.take(2);
        assert!(bucket.is_empty());
    }

    #[test]
    fn a_slow_bucket_counts_by_its_period() {
        let mut bucket = Bucket::slow(60, 60_000, Time(0));
        bucket.take(60);
        assert!(!bucket.has(Time(999)));
        assert!(bucket.has(Time(1000)));
        assert!(!bucket.is_full(Time(59_999)) && bucket.is_full(Time(60_000)));
    }

    #[test]
    fn zero_is_no_limit() {
        let mut bucket = Bucket::new(0, Time(0));
        bucket.take(u64::MAX);
        assert!(bucket.has(Time(0)) && bucket.is_full(Time(0)) && bucket.refills_in() == 0);
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing() {
        let mut bucket = Bucket::new(1, Time(5000));
        bucket.take(2);
        assert!(!bucket.has(Time(1000)) && !bucket.has(Time(5999)) && bucket.has(Time(6000)));
    }
}
