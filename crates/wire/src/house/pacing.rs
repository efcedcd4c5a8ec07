//! Limits how often spectators get updates: a table of quick bots would bury a page in them.

use std::sync::Arc;

use hall::{Time, Update};

/// Minimum time between two updates.
const INTERVAL_MS: u64 = 1000 / 30;

/// Holds back what comes too fast, and lets the newest of it go when the time has come.
#[derive(Debug, Default)]
pub struct Pacing {
    /// Earliest time of the next update.
    next_at: Time,
    held: Option<Arc<Update>>,
    /// Number of updates that are never sent.
    skipped: u64,
}

impl Pacing {
    /// Takes an update. Returns it with the number skipped before it if it is to be sent now;
    /// otherwise holds it.
    pub fn take(&mut self, now: Time, update: &Arc<Update>) -> Option<(Arc<Update>, u64)> {
        if self.held.replace(update.clone()).is_some() {
            self.skipped += 1;
        }
        if now >= self.next_at { self.release(now) } else { None }
    }

    /// Releases the held update, whatever the time.
    pub fn release(&mut self, now: Time) -> Option<(Arc<Update>, u64)> {
        let update = self.held.take()?;
        self.next_at = now + INTERVAL_MS;
        Some((update, std::mem::take(&mut self.skipped)))
    }

    /// When the held update is to be sent.
    pub fn deadline(&self) -> Option<Time> {
        self.held.as_ref().map(|_| self.next_at)
    }
}
