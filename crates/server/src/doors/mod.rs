//! Whether new games begin, in every hall. Two things keep them from it: a server that is about to
//! end, and a disk that is nearly full.

mod drain;
mod upkeep;

use hall::Refusal;
use tokio::sync::Mutex;

use crate::hosting::HallHandle;

pub use drain::{Drain, Leaving};
pub use upkeep::{Upkeep, UpkeepOptions};

pub struct Doors {
    halls: Vec<HallHandle>,
    shut: Mutex<Shut>,
}

#[derive(Default)]
struct Shut {
    draining: bool,
    disk_is_full: bool,
}

impl Shut {
    fn why(&self) -> Option<Refusal> {
        match self {
            Shut { draining: true, .. } => Some(Refusal::Draining),
            Shut { disk_is_full: true, .. } => Some(Refusal::DiskFull),
            _ => None,
        }
    }
}

impl Doors {
    pub fn new(halls: Vec<HallHandle>) -> Doors {
        Doors { halls, shut: Mutex::default() }
    }

    /// From now on nothing new begins. Every hall goes by it once this is over.
    pub async fn drain(&self) {
        self.change(|shut| shut.draining = true).await;
    }

    /// The disk is nearly full, or no longer.
    pub async fn disk_is_full(&self, is_full: bool) {
        self.change(|shut| shut.disk_is_full = is_full).await;
    }

    async fn change(&self, change: impl FnOnce(&mut Shut)) {
        // Held while the halls are notified, so that they get changes in order.
        let mut shut = self.shut.lock().await;
        let before = shut.why();
        change(&mut shut);
        let why = shut.why();
        if why != before {
            for hall in &self.halls {
                hall.bar(why.clone()).await;
            }
        }
    }
}

impl std::fmt::Debug for Doors {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Doors").finish_non_exhaustive()
    }
}
