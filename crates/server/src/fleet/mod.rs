//! Several servers that host the same games, each game's hall on one of them.
//!
//! Whoever connects is served where its socket is: its session runs there, as if the hall were
//! there too. A node that does not own a game's hall is a **gateway** to it: what its sessions ask
//! crosses a link to the owner, and what the hall says comes back ([`relay`]). The owner knows a
//! gateway's connections by their numbers and hears them like its own ([`gateways`]).
//!
//! A link is one TCP connection for each game and gateway, so that it lives on the game's thread at
//! both ends. It is encrypted with a key that follows from the fleet's secret, which both ends must know
//! ([`link`]). Then frames follow, a length and JSON each.

mod gateways;
mod link;
mod membership;
mod node;
mod relay;
mod station;
mod tenure;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hall::{ConnId, Time};
use tokio::sync::watch;

pub use gateways::{Gateways, serve_link};
pub use link::{LinkSocket, Parcel, Secret};
pub use membership::Membership;
pub use node::{Joined, Keeper, join};
pub use station::{Journals, SharedJournal};
pub use tenure::Tenure;

/// What a node knows of its fleet.
#[derive(Clone)]
pub struct Fleet {
    /// Which fleet this is; links between two are refused.
    pub name: Arc<str>,
    /// What all nodes of it know, and nobody else.
    pub secret: Secret,
    pub owners: Arc<dyn Ownership>,
}

/// Who owns which hall. One implementation asks a database, another is told by tests.
pub trait Ownership: Send + Sync {
    /// The owner of a game's hall, and whoever owns it later.
    fn owner_of(&self, game: &str) -> watch::Receiver<Owner>;

    /// Other nodes that are alive, and so may be gateways to a hall.
    fn others(&self) -> Vec<u32>;

    /// When the last owner of a game's hall was known to be alive, if it has ended since.
    fn lost_at(&self, _game: &str) -> Option<Time> {
        None
    }

    /// Nobody answers at the address of a node. It may have moved.
    fn doubt(&self, _address: SocketAddr) {}

    /// Whether another node is known to have ended, because it was silent for too long or has left.
    fn has_ended(&self, _node: u32) -> bool {
        false
    }

    /// This node has let go of a hall that is not to be its own any more.
    fn let_go(&self, game: &str);

    /// This node is about to leave: it hands its halls over to others, if there are any.
    fn retire(&self) {}

    /// Whether this node is believed to be alive. Otherwise others may have what it had, and it says
    /// nothing for it.
    fn is_believed(&self) -> bool {
        true
    }

    /// What the node has last seen of its fleet.
    fn sight(&self) -> Option<Sight> {
        None
    }
}

/// What a node has last seen of its fleet.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The node's own incarnation.
    pub me: u64,
    pub fleet: store::leases::Fleet,
    /// How long the database took to tell.
    pub took: Duration,
    pub at: Instant,
    /// The database does not answer since.
    pub is_blind: bool,
}

/// Whose a hall is. Epochs of a hall only ever grow: each owner has its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// Nobody's at the moment: everybody waits.
    #[default]
    Nobody,
    /// This node's, or it is to be: it takes the hall up.
    Me,
    /// Another node's, which is linked to at this address.
    Node { address: SocketAddr, epoch: u64 },
}

/// The number of a node's first connection: conns of all nodes have numbers of their own.
pub fn first_conn(node: u32) -> u64 {
    u64::from(node) << 32 | 1
}

/// The node at which a connection is.
pub fn node_of(conn: ConnId) -> u32 {
    (conn.0 >> 32) as u32
}

impl std::fmt::Debug for Fleet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fleet").field("name", &self.name).finish_non_exhaustive()
    }
}
