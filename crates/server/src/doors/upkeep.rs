//! What a server does by itself so that its disk lasts: it removes the oldest games, and begins
//! nothing new while there is too little room.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::statvfs;
use serde::{Deserialize, Serialize};
use store::{Archive, StoreError};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tournament::TournamentPhase;

use super::Doors;
use crate::hosting::AnyHostedGame;
use crate::house::clock;
use crate::journal::JournalWriter;

/// How long data is kept, and how a server ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UpkeepOptions {
    pub keep_days: u64,
    pub keep_games: u64,
    pub disk_quota_mb: u64,
    pub free_disk_mb: u64,
    pub drain_seconds: u64,
}

impl UpkeepOptions {
    pub const HELP: [(&'static str, &'static str); 5] = [
        ("keep_days", "days after which a finished game is removed; 0 means never"),
        (
            "keep_games",
            "games to keep; the oldest above this number are removed. Rated games do not count, and \
             are never removed. 0 means any number",
        ),
        (
            "disk_quota_mb",
            "megabytes the data folder may hold; above it the oldest games are removed. 0 means no \
             limit",
        ),
        (
            "free_disk_mb",
            "megabytes that have to be free on the disk; below it no new games start. 0 means no \
             limit",
        ),
        (
            "drain_seconds",
            "seconds that running games may take before a server that is drained ends; 0 means no \
             limit",
        ),
    ];
}

impl Default for UpkeepOptions {
    fn default() -> UpkeepOptions {
        UpkeepOptions {
            keep_days: 0,
            keep_games: 0,
            disk_quota_mb: 0,
            free_disk_mb: 100,
            drain_seconds: 900,
        }
    }
}

/// So often the disk is looked at.
const LOOKS_EVERY: Duration = Duration::from_secs(10);

/// Games are counted once in so many looks: that reads a whole index.
const LOOKS_PER_COUNT: u64 = 60;

const MEGABYTE: u64 = 1_000_000;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Whoever sees to all this.
pub struct Upkeep {
    pub options: UpkeepOptions,
    pub data: PathBuf,
    pub archive: Arc<dyn Archive>,
    pub hosted: Arc<BTreeMap<&'static str, Arc<dyn AnyHostedGame>>>,
    pub writer: JournalWriter,
    pub doors: Arc<Doors>,
}

impl Upkeep {
    /// Sees to it until the server ends.
    pub async fn keep(self, closing: CancellationToken) {
        let mut looks = interval(LOOKS_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut is_full = false;
        for look in 0.. {
            tokio::select! {
                _ = looks.tick() => {}
                () = closing.cancelled() => return,
            }
            is_full = self.look_at_the_disk(is_full).await;
            if look % LOOKS_PER_COUNT == 0
                && let Err(error) = self.remove_old_games().await
            {
                tracing::warn!(%error, "old games cannot be counted");
            }
        }
    }

    /// Whether there is too little room for new games.
    async fn look_at_the_disk(&self, was_full: bool) -> bool {
        let margin = self.options.free_disk_mb.saturating_mul(MEGABYTE);
        let free = match statvfs(&self.data) {
            Ok(disk) => disk.f_bavail.saturating_mul(disk.f_frsize),
            // Whether it has room is not known, so nobody is kept from anything.
            Err(_) => return was_full,
        };
        let is_full = free < margin;
        if is_full != was_full {
            let (free_mb, margin_mb) = (free / MEGABYTE, self.options.free_disk_mb);
            match is_full {
                true => tracing::error!(
                    free_mb,
                    margin_mb,
                    "the disk is nearly full: no new games begin"
                ),
                false => tracing::info!(free_mb, margin_mb, "the disk has room again"),
            }
            self.doors.disk_is_full(is_full).await;
        }
        is_full
    }

    async fn remove_old_games(&self) -> Result<(), StoreError> {
        let UpkeepOptions { keep_days, keep_games, disk_quota_mb, .. } = self.options;
        if keep_days > 0 {
            let before = clock::now().0.saturating_sub(keep_days.saturating_mul(DAY_MS));
            self.remove(before, usize::MAX, "older than keep_days").await;
        }
        if keep_games > 0 {
            let kept = self.read(|archive| archive.used()).await?.games;
            let excess = kept.saturating_sub(keep_games) as usize;
            self.remove(u64::MAX, excess, "more than keep_games").await;
        }
        if disk_quota_mb > 0 { self.keep_within(disk_quota_mb).await } else { Ok(()) }
    }

    /// Removes the oldest games until what is left takes no more than this.
    async fn keep_within(&self, quota_mb: u64) -> Result<(), StoreError> {
        loop {
            let used = self.read(|archive| archive.used()).await?;
            if used.bytes <= quota_mb.saturating_mul(MEGABYTE) || used.games == 0 {
                return Ok(());
            }
            // Not all at once: others write, too, and the rest may do.
            let part = (used.games / 20).max(1) as usize;
            if self.remove(u64::MAX, part, "more than disk_quota_mb").await == 0 {
                tracing::warn!(
                    used_mb = used.bytes / MEGABYTE,
                    quota_mb,
                    "more than disk_quota_mb is used, but what is left may not be removed"
                );
                return Ok(());
            }
        }
    }

    /// When the oldest tournament that is not over began. Its games stay.
    fn earliest_tournament(&self) -> u64 {
        use TournamentPhase::{Entering, Paused, Running};
        let open = [Entering, Running, Paused].into_iter().flat_map(|phase| {
            self.hosted.values().flat_map(move |game| game.tournaments(Some(phase), 0, usize::MAX))
        });
        open.map(|(_, card)| card.convened_at.0).min().unwrap_or(u64::MAX)
    }

    /// Removes the oldest games; how many.
    async fn remove(&self, closed_before: u64, at_most: usize, why: &str) -> usize {
        if at_most == 0 {
            return 0;
        }
        // A writer that is gone has ended the server.
        let closed_before = closed_before.min(self.earliest_tournament());
        let games = self.writer.prune(closed_before, at_most).await.unwrap_or(0);
        if games > 0 {
            tracing::info!(games, why, "old games were removed");
        }
        games
    }

    /// Asks the archive on a thread that may wait.
    async fn read<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Archive) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let archive = self.archive.clone();
        tokio::task::spawn_blocking(move || ask(&*archive))
            .await
            .expect("an archive does not panic")
    }
}

#[cfg(test)]
#[path = "upkeep_tests.rs"]
mod tests;
