//! What requests may use of the server.

use std::collections::BTreeMap;
use std::sync::Arc;

use hall::BanSubject;
use store::Archive;
use tokio_util::sync::CancellationToken;

use super::{Access, ApiError, Assets, Ladders, Room};
use crate::doors::Drain;
use crate::fleet::Ownership;
use crate::gate::{Limits, Ports};
use crate::hosting::{HallHandle, HostedGame};
use crate::house::{AuditLog, Health, HttpOptions, Metrics, RegisterHandle, Tickets};
use crate::journal::JournalWriter;
use crate::reading::{Replays, Reviews};
use crate::transcript::Wires;

/// What every handler may use.
#[derive(Clone)]
pub struct AppState {
    pub hosted: Arc<BTreeMap<&'static str, Arc<HostedGame>>>,
    pub metrics: Arc<Metrics>,
    pub health: Arc<Health>,
    pub access: Access,
    pub audit: AuditLog,
    pub halls: Arc<Vec<HallHandle>>,
    pub archive: Arc<dyn Archive>,
    pub writer: JournalWriter,
    pub options: HttpOptions,
    pub limits: Limits,
    /// Where each protocol listens, by port name.
    pub ports: Arc<Ports>,
    pub ladders: Ladders,
    /// Who does long work for those who read.
    pub replays: Replays,
    pub reviews: Reviews,
    /// The room for long answers.
    pub room: Room,
    /// What the house knows, such as whose names are whose.
    pub register: RegisterHandle,
    pub tickets: Arc<Tickets>,
    pub wires: Arc<Wires>,
    pub drain: Drain,
    /// The fleet, if this server is a node of one.
    pub fleet: Option<Arc<dyn Ownership>>,
    /// The files of the pages.
    pub assets: Assets,
    /// Cancelled when no more connections are accepted.
    pub stopping: CancellationToken,
}

impl AppState {
    /// Closes the connections of a name or an address, in every game; how many.
    pub async fn kick(&self, subject: BanSubject) -> usize {
        let mut closed = 0;
        for hall in self.halls.iter() {
            closed += hall.kick(subject.clone()).await;
        }
        closed
    }

    pub fn hosted(&self, game: &str) -> Result<&Arc<HostedGame>, ApiError> {
        self.hosted.get(game).ok_or_else(|| {
            let known: Vec<&str> = self.hosted.keys().copied().collect();
            ApiError::not_found(format!("no game '{game}'; there are {}", known.join(", ")))
        })
    }
}
