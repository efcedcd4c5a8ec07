//! Keeps the disk from filling up: removes the oldest games, and lets nothing new begin while there
//! is too little space.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use store::{Archive, StoreError};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tournament::TournamentPhase;

use super::Doors;
use crate::hosting::HostedGame;
use crate::house::clock;
use crate::journal::JournalWriter;
use crate::system;

/// How long data is kept, and how a server ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UpkeepOptions {
    pub keep_days: u64,
    pub keep_games: u64,
    pub disk_quota_mb: u64,
    pub disk_quota_percent: u64,
    pub free_disk_mb: u64,
    pub drain_seconds: u64,
}

impl UpkeepOptions {
    pub const HELP: [(&'static str, &'static str); 6] = [
        ("keep_days", "days after which a finished game is removed; 0 means never"),
        (
            "keep_games",
            "finished games to keep; beyond this number the oldest are removed. Rated games do not \
             count and are never removed. 0 means no limit",
        ),
        (
            "disk_quota_mb",
            "largest size of the data folder in megabytes; beyond it the oldest games are removed, and \
             if only rated games are left, no new games start. 0 means that disk_quota_percent applies",
        ),
        (
            "disk_quota_percent",
            "the same, in percent of the size of the data folder plus the free space on its disk. 0 \
             means no limit",
        ),
        (
            "free_disk_mb",
            "free disk space in megabytes below which no new games start. 0 means no limit",
        ),
        (
            "drain_seconds",
            "seconds that running games may take to end before a draining server stops; 0 means no \
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
            disk_quota_percent: 80,
            free_disk_mb: 100,
            drain_seconds: 900,
        }
    }
}

/// Interval at which the disk is checked.
const LOOKS_EVERY: Duration = Duration::from_secs(10);

/// Number of checks per count of the games, which reads a whole index.
const LOOKS_PER_COUNT: u64 = 60;

const MEGABYTE: u64 = 1_000_000;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The upkeep task.
pub struct Upkeep {
    pub options: UpkeepOptions,
    pub data: PathBuf,
    pub archive: Arc<dyn Archive>,
    pub hosted: Arc<BTreeMap<&'static str, Arc<HostedGame>>>,
    pub writer: JournalWriter,
    pub doors: Arc<Doors>,
}

impl Upkeep {
    /// Sees to it until the server ends.
    pub async fn keep(self, closing: CancellationToken) {
        let mut looks = interval(LOOKS_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut is_full, mut is_over_quota) = (false, false);
        for look in 0.. {
            tokio::select! {
                _ = looks.tick() => {}
                () = closing.cancelled() => return,
            }
            if look % LOOKS_PER_COUNT == 0 {
                match self.remove_old_games().await {
                    Ok(is_over) => is_over_quota = is_over,
                    Err(error) => tracing::warn!(%error, "old games cannot be counted"),
                }
            }
            is_full = self.look_at_the_disk(is_full, is_over_quota).await;
        }
    }

    /// How many bytes are free, if that is known.
    fn free(&self) -> Option<u64> {
        system::free_bytes(&self.data)
    }

    /// Whether there is too little room for new games.
    async fn look_at_the_disk(&self, was_full: bool, is_over_quota: bool) -> bool {
        let margin = self.options.free_disk_mb.saturating_mul(MEGABYTE);
        // If the free space is unknown, nothing is refused.
        let Some(free) = self.free() else { return was_full };
        let is_full = free < margin || is_over_quota;
        if is_full != was_full {
            let (free_mb, margin_mb) = (free / MEGABYTE, self.options.free_disk_mb);
            match is_full {
                true => tracing::error!(
                    free_mb,
                    margin_mb,
                    is_over_quota,
                    "the disk is nearly full, or its quota is: no new games begin"
                ),
                false => tracing::info!(free_mb, margin_mb, "the disk has room again"),
            }
            self.doors.disk_is_full(is_full).await;
        }
        is_full
    }

    /// Whether more is left than the quota allows.
    async fn remove_old_games(&self) -> Result<bool, StoreError> {
        let UpkeepOptions { keep_days, keep_games, .. } = self.options;
        if keep_days > 0 {
            let before = clock::now().0.saturating_sub(keep_days.saturating_mul(DAY_MS));
            self.remove(before, usize::MAX, "older than keep_days").await;
        }
        if keep_games > 0 {
            let kept = self.read(|archive| archive.used()).await?.games;
            let excess = kept.saturating_sub(keep_games) as usize;
            self.remove(u64::MAX, excess, "more than keep_games").await;
        }
        self.keep_within_quota().await
    }

    /// How many bytes the folder may hold, if that is limited: it holds this many now.
    fn quota(&self, used: u64) -> Option<u64> {
        let UpkeepOptions { disk_quota_mb, disk_quota_percent, .. } = self.options;
        match (disk_quota_mb, disk_quota_percent) {
            (0, 0) => None,
            (0, percent) => {
                let all = self.free()?.saturating_add(used);
                Some((all / 100).saturating_mul(percent))
            }
            (megabytes, _) => Some(megabytes.saturating_mul(MEGABYTE)),
        }
    }

    /// Removes the oldest games until what is left is within the quota. Whether that cannot be done.
    async fn keep_within_quota(&self) -> Result<bool, StoreError> {
        if self.options.disk_quota_mb == 0 && self.options.disk_quota_percent == 0 {
            return Ok(false);
        }
        loop {
            let used = self.read(|archive| archive.used()).await?;
            let Some(quota) = self.quota(used.bytes).filter(|quota| used.bytes > *quota) else {
                return Ok(false);
            };
            // Not all at once: others write, too, and the rest may do.
            let part = (used.games / 20).max(1) as usize;
            if used.games == 0 || self.remove(u64::MAX, part, "more than the quota").await == 0 {
                tracing::warn!(
                    used_mb = used.bytes / MEGABYTE,
                    quota_mb = quota / MEGABYTE,
                    "the data folder holds more than its quota, but what is left may not be removed"
                );
                return Ok(true);
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
