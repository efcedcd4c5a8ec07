//! The only clock.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hall::Time;
use tokio::time::Instant;

/// When the clock was first looked at, and what time it was.
static START: OnceLock<(Instant, u64)> = OnceLock::new();

/// Starts the clock from another than the system's, unless it runs already.
pub fn begin_at(since_1970: u64) {
    START.get_or_init(|| (Instant::now(), since_1970));
}

/// The current time. It starts from the system's clock, or from that of the shared database, and
/// then runs evenly: setting the system's clock expires no turn.
pub fn now() -> Time {
    let (start, begin) = START.get_or_init(|| {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (Instant::now(), since_1970.as_millis() as u64)
    });
    Time(begin + start.elapsed().as_millis() as u64)
}

/// Sleeps until a time; without one, forever.
pub async fn sleep_until(time: Option<Time>) {
    match time {
        Some(time) => {
            // A timer may fire within the millisecond before; one more makes it due.
            let left = time.0.saturating_sub(now().0);
            if left > 0 {
                tokio::time::sleep(Duration::from_millis(left)).await;
            }
        }
        None => std::future::pending().await,
    }
}

/// A time in milliseconds since 1970 as ISO 8601 has it, such as `2026-03-01T09:30:00.250Z`.
pub fn utc(since_1970: u64) -> String {
    let (seconds, ms) = (since_1970 / 1000, since_1970 % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March, so that a leap day is the last of its year, in cycles of 400 years.
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = cycle * 400 + year + later;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn times_are_told_as_iso_8601_has_them() {
        for (since_1970, told) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (1_794_866_010_314, "2026-11-16T21:53:30.314Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(utc(since_1970), told);
        }
    }
}
