//! Draining: nothing new begins, running games are played to their end, and then the server may
//! stop. In a fleet this concerns players connected to this server; its halls move to other nodes
//! at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use hall::Status;
use tokio::time::{Instant, interval, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::Doors;
use crate::fleet::Ownership;
use crate::hosting::{Door, HostedGame};

/// Interval at which running games are counted.
const LOOKS_EVERY: Duration = Duration::from_millis(250);

/// Time for the caller to get the answer before a server without games stops.
const ANSWERED_WITHIN: Duration = Duration::from_secs(1);

/// Maximum number of running games to count, which is enough to say how many are left.
const COUNTED: usize = 10_000;

/// How a node leaves its fleet.
#[derive(Clone)]
pub struct Leaving {
    pub fleet: Arc<dyn Ownership>,
    /// By which newcomers get in.
    pub doors: Vec<Arc<Door>>,
}

/// The way to have the server drained, and to see how far that is.
#[derive(Clone)]
pub struct Drain {
    doors: Arc<Doors>,
    hosted: Arc<BTreeMap<&'static str, Arc<HostedGame>>>,
    leaving: Option<Leaving>,
    begun: CancellationToken,
    /// Nothing is played any more, or it has taken too long.
    done: CancellationToken,
}

impl Drain {
    pub fn new(
        doors: Arc<Doors>,
        hosted: Arc<BTreeMap<&'static str, Arc<HostedGame>>>,
        leaving: Option<Leaving>,
    ) -> Drain {
        let (begun, done) = (CancellationToken::new(), CancellationToken::new());
        Drain { doors, hosted, leaving, begun, done }
    }

    /// Lets nothing new begin, from when this is over; how many games are still played.
    pub async fn begin(&self) -> usize {
        if let Some(Leaving { fleet, doors }) = &self.leaving {
            doors.iter().for_each(|door| door.shut());
            fleet.retire();
        }
        self.doors.drain().await;
        self.begun.cancel();
        self.running()
    }

    pub fn has_begun(&self) -> bool {
        self.begun.is_cancelled()
    }

    /// How many games are played at the moment; in a fleet, how many of those who are connected here play.
    pub fn running(&self) -> usize {
        if let Some(Leaving { doors, .. }) = &self.leaving {
            return doors.iter().map(|door| door.playing()).sum();
        }
        let playing = Some(Status::Playing);
        self.hosted.values().map(|game| game.tables(playing, 0, COUNTED).len()).sum()
    }

    /// Waits until the server is draining and no game is running.
    pub async fn done(&self) {
        self.done.cancelled().await;
    }

    /// Ends a drain after `patience_s` seconds at the latest; 0 means no limit.
    pub async fn watch(self, patience_s: u64, closing: CancellationToken) {
        tokio::select! {
            () = self.begun.cancelled() => {}
            () = closing.cancelled() => return,
        }
        tracing::info!(games = self.running(), patience_s, "draining: no new games begin");
        let deadline = (patience_s > 0).then(|| Instant::now() + Duration::from_secs(patience_s));
        tokio::select! {
            () = self.all_over() => tracing::info!("drained: no game is running"),
            () = until(deadline) => {
                let games = self.running();
                tracing::warn!(games, patience_s, "drained: games are still running, time is up");
            }
            () = closing.cancelled() => return,
        }
        self.done.cancel();
    }

    async fn all_over(&self) {
        sleep(ANSWERED_WITHIN).await;
        let mut looks = interval(LOOKS_EVERY);
        while self.running() > 0 {
            looks.tick().await;
        }
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

impl std::fmt::Debug for Drain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Drain").field("begun", &self.has_begun()).finish_non_exhaustive()
    }
}
