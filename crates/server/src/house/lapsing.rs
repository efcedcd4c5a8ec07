//! Claimed names without a finished game become free after a while, so that no one can hoard names.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hall::{ClaimedName, HouseRecord, Name, Register, Time};
use store::{Archive, Filter, Kind, StoreError};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::clock;
use super::register::RegisterHandle;
use crate::hosting::HostedGame;

/// Interval at which names are checked, and the maximum per check: each is looked up in the
/// archive.
const LOOKS_EVERY: Duration = Duration::from_secs(60 * 60);
const AT_ONCE: usize = 5000;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The task that expires names.
pub struct Lapsing {
    /// 0: names never expire.
    pub expire_days: u64,
    pub register: RegisterHandle,
    pub archive: Arc<dyn Archive>,
    pub hosted: Arc<BTreeMap<&'static str, Arc<HostedGame>>>,
}

impl Lapsing {
    /// Sees to it until the server ends.
    pub async fn keep(self, closing: CancellationToken) {
        let mut looks = interval(LOOKS_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last: Option<Name> = None;
        loop {
            tokio::select! {
                _ = looks.tick() => {}
                () = closing.cancelled() => return,
            }
            match self.look(clock::now(), last.take()).await {
                Ok(seen) => last = seen,
                Err(error) => tracing::warn!(%error, "claimed names cannot be looked up"),
            }
        }
    }

    /// Checks names without a known finished game, starting after `last`. Returns the last of them
    /// if there are more. A name with a finished game is marked, because its games may be removed
    /// before the name would expire.
    pub async fn look(&self, now: Time, last: Option<Name>) -> Result<Option<Name>, StoreError> {
        let unproven: Vec<ClaimedName> = {
            let register = self.register.read();
            let after = |known: &&ClaimedName| last.as_ref().is_none_or(|last| known.name > *last);
            let mut unproven: Vec<&ClaimedName> =
                register.unproven_before(now).filter(after).collect();
            unproven.sort_by(|one, other| one.name.cmp(&other.name));
            unproven.into_iter().take(AT_ONCE).cloned().collect()
        };
        let seen = unproven.get(AT_ONCE - 1).map(|known| known.name.clone());
        let lasts = self.expire_days.checked_mul(DAY_MS).filter(|ms| *ms > 0);
        let has_lapsed = |known: &ClaimedName| {
            lasts.is_some_and(|ms| known.claimed_at.0 <= now.0.saturating_sub(ms))
        };
        for known in unproven {
            if self.has_finished(known.name.clone()).await? {
                self.write(&known, HouseRecord::Proven { name: known.name.clone() }).await;
            } else if has_lapsed(&known) && !self.is_in_use(&known.name) {
                tracing::info!(name = %known.name, "nobody has finished a game under a claimed name: it lapses");
                self.write(&known, HouseRecord::Released { name: known.name.clone() }).await;
            }
        }
        Ok(seen)
    }

    /// Records what happens to a name, unless it was changed meanwhile.
    async fn write(&self, known: &ClaimedName, record: HouseRecord) {
        let known = known.clone();
        let decide = move |register: &Register| match register.claimed(&known.name) {
            Some(now) if *now == known => Ok(record),
            _ => Err(()),
        };
        // A server that stops looks again when it is back.
        let _ = self.register.change(decide).await;
    }

    async fn has_finished(&self, name: Name) -> Result<bool, StoreError> {
        let archive = self.archive.clone();
        let look = move || {
            let filter = Filter {
                kind: Kind::Table,
                player: Some(name.to_string()),
                finished: Some(true),
                limit: 1,
                ..Filter::default()
            };
            archive.finished(&filter).map(|games| !games.is_empty())
        };
        // A lookup that panics is a fault of the archive, which its next reader meets too.
        tokio::task::spawn_blocking(look).await.unwrap_or(Ok(true))
    }

    fn is_in_use(&self, name: &str) -> bool {
        self.hosted.values().any(|hosted| hosted.is_in_use(name))
    }
}
