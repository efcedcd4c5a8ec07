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

/// The time now. It starts from the system's clock, or from that of the database that several share, and
/// then runs evenly: a clock that is set back or forth expires nobody's turn.
pub fn now() -> Time {
    let (start, begin) = START.get_or_init(|| {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (Instant::now(), since_1970.as_millis() as u64)
    });
    Time(begin + start.elapsed().as_millis() as u64)
}

/// Sleeps until a time; without one, for ever.
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
