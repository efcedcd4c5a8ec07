//! Logs problems that occur many times per second once per minute.

use std::sync::Mutex;

use hall::Time;

/// Something that may happen many times a second, and is said once a minute.
#[derive(Debug, Default)]
pub struct Complaints(Mutex<(u64, Option<Time>)>);

impl Complaints {
    /// How often it has happened since it was last said, if it is to be said now.
    pub fn hear(&self, now: Time) -> Option<u64> {
        let mut heard = self.0.lock().expect("no holder of this lock panics");
        heard.0 += 1;
        if heard.1.is_some_and(|last| now < last + 60_000) {
            return None;
        }
        heard.1 = Some(now);
        Some(std::mem::take(&mut heard.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_complaint_is_logged_once_a_minute() {
        let complaints = Complaints::default();
        let said: Vec<u64> =
            (0..3000).filter_map(|n| complaints.hear(Time(1000 + n * 50))).collect();
        assert_eq!(said, [1, 1200, 1200]);
    }
}
