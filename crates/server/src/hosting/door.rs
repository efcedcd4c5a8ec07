//! A game's door at a node of a fleet that is about to end: who comes is to come over another node.

use std::sync::atomic::{AtomicBool, Ordering};

use prometheus_client::metrics::gauge::Gauge;

#[derive(Debug, Default)]
pub struct Door {
    is_shut: AtomicBool,
    /// How many who are connected here are in a running game.
    playing: Gauge,
}

impl Door {
    pub fn new(playing: Gauge) -> Door {
        Door { is_shut: AtomicBool::new(false), playing }
    }

    pub fn shut(&self) {
        self.is_shut.store(true, Ordering::Relaxed);
    }

    pub fn is_shut(&self) -> bool {
        self.is_shut.load(Ordering::Relaxed)
    }

    pub fn playing(&self) -> usize {
        self.playing.get().max(0) as usize
    }
}
