//! Decides which of several servers that share a store plays which game.
//!
//! A server is a **node**. It joins under a name and then reports regularly that it is alive
//! ([`Leases::beat`]). A node that stays silent for longer than its time to live has *ended* for
//! good: the next node to beat records that in the store, and the ended node can't beat any more.
//! It joins again as a new incarnation, which gets back every stream that no other node has loaded
//! meanwhile. Only the store's clock decides this.
//!
//! A stream belongs to the node that loaded it ([`Journal::load`](crate::Journal::load), through a
//! journal opened for that node). Loading is refused while another living node owns the stream, and
//! it raises the epoch. Every append carries the epoch, so a node that sleeps through its own end
//! writes nothing more. A node whose own clock shows the end stops sending before that:
//! [`Lease::is_over`]. Resigning keeps the epoch.
//!
//! [`Division`] decides who should load what. Every node computes it from what the store shows to
//! all nodes. This module stores the nodes' addresses but doesn't know how they talk to each other.

mod division;

use std::time::{Duration, Instant};

use crate::StoreError;

pub use division::{Division, Duty};

/// The register of nodes and of what belongs to them, as one node sees it.
pub trait Leases: Send + std::fmt::Debug {
    /// The number of this incarnation of the node. Greater ones have joined later.
    fn incarnation(&self) -> u64;

    /// Says that the node is alive, and looks around. [`StoreError::Expired`]: it was too late, and
    /// nothing belongs to the node any more; it may [rejoin](Leases::rejoin).
    /// [`StoreError::Replaced`]: another server has joined under the name.
    fn beat(&mut self) -> Result<Fleet, StoreError>;

    /// Begins a new incarnation. It owns every stream the previous one had, except those loaded by
    /// another node since. The epochs stay the same, so journals that loaded those streams keep
    /// working.
    fn rejoin(&mut self) -> Result<u64, StoreError>;

    /// Gives a stream up, so that another node may load it at once. Whether it was this node's.
    fn resign(&mut self, stream: &str) -> Result<bool, StoreError>;

    /// Announces that the node is leaving: it gives up its streams one by one and gets no new ones.
    fn retire(&mut self) -> Result<(), StoreError>;

    /// Ends this incarnation: others may load what it had at once.
    fn leave(&mut self) -> Result<(), StoreError>;
}

/// The result of a beat.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    /// This node is believed alive until then, by its own clock: counted from before the beat was sent.
    pub lease: Lease,
    /// Those alive, the longest first.
    pub nodes: Vec<Node>,
    /// Every stream that was ever loaded, by name.
    pub streams: Vec<Holding>,
}

/// How long a node may speak for what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lease {
    pub until: Instant,
}

impl Lease {
    /// A lease that lasts `time_to_live` from `sent`.
    pub fn from(sent: Instant, time_to_live: Duration) -> Lease {
        Lease { until: sent + time_to_live }
    }

    /// To be asked before anything is said, and not by a timer: a process that was stopped in between
    /// finds its timers late.
    pub fn is_over(&self, now: Instant) -> bool {
        now >= self.until
    }
}

/// A server that is alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub incarnation: u64,
    /// The first incarnation of the process: the same for as long as it runs.
    pub number: u64,
    pub name: String,
    /// The address at which other nodes reach it.
    pub address: String,
    /// It gives up what it has.
    pub leaving: bool,
    /// How long ago it has joined.
    pub age_ms: u64,
    /// How long ago it has said that it is alive.
    pub silent_ms: u64,
}

/// The owner of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    pub stream: String,
    /// The incarnation of a living node. `None`: any node may load the stream.
    pub owner: Option<u64>,
    pub epoch: u64,
    /// The number of its last batch.
    pub batch: u64,
    /// How long the owner has it.
    pub age_ms: u64,
}

impl Fleet {
    pub fn node(&self, incarnation: u64) -> Option<&Node> {
        self.nodes.iter().find(|node| node.incarnation == incarnation)
    }

    pub fn holding(&self, stream: &str) -> Option<&Holding> {
        self.streams.iter().find(|holding| holding.stream == stream)
    }

    /// The living node that has a stream.
    pub fn owner(&self, stream: &str) -> Option<&Node> {
        self.node(self.holding(stream)?.owner?)
    }
}
