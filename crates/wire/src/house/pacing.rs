//! How often those who watch are told: a table of quick bots would bury a page in updates.

use std::sync::Arc;

use hall::{Time, Update};
use rules::Game;

/// So long an update is on show before the next is told.
const INTERVAL_MS: u64 = 1000 / 30;

/// Holds back what comes too fast, and lets the newest of it go when the time has come.
#[derive(Debug)]
pub struct Pacing<G: Game> {
    /// No update is told before.
    next_at: Time,
    held: Option<Arc<Update<G>>>,
    /// Updates that nobody will be told of.
    skipped: u64,
}

impl<G: Game> Default for Pacing<G> {
    fn default() -> Pacing<G> {
        Pacing { next_at: Time(0), held: None, skipped: 0 }
    }
}

impl<G: Game> Pacing<G> {
    /// An update has come: it is to be told now, with how many were skipped before it, or held.
    pub fn take(&mut self, now: Time, update: &Arc<Update<G>>) -> Option<(Arc<Update<G>>, u64)> {
        if self.held.replace(update.clone()).is_some() {
            self.skipped += 1;
        }
        if now >= self.next_at { self.release(now) } else { None }
    }

    /// What is held is to be told now, whatever the time.
    pub fn release(&mut self, now: Time) -> Option<(Arc<Update<G>>, u64)> {
        let update = self.held.take()?;
        self.next_at = now + INTERVAL_MS;
        Some((update, std::mem::take(&mut self.skipped)))
    }

    /// When what is held is to be told.
    pub fn deadline(&self) -> Option<Time> {
        self.held.as_ref().map(|_| self.next_at)
    }
}
