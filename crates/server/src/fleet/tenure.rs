//! For how long a node may speak for a hall.

use std::sync::Arc;

use tokio::sync::watch;

use super::{Owner, Ownership};

/// A hall's time at this node.
pub struct Tenure {
    pub owner: watch::Receiver<Owner>,
    pub owners: Arc<dyn Ownership>,
}

impl Tenure {
    /// Whether nobody else can have the hall. It is asked before anything is heard or said, and not by
    /// a timer: a process that was stopped in between finds its timers late.
    pub fn may_speak(&self) -> bool {
        self.owners.is_believed()
    }

    /// Whether the hall is to be another's.
    pub fn is_over(&self) -> bool {
        *self.owner.borrow() != Owner::Me
    }

    /// Waits until the hall may be another's; without a fleet, for ever.
    pub async fn changed(tenure: &mut Option<Tenure>) {
        if let Some(tenure) = tenure
            && tenure.owner.changed().await.is_ok()
        {
            return;
        }
        // Who could tell is gone: nothing will change any more.
        std::future::pending::<()>().await;
    }
}
