//! A journal in memory that can be made to wait, as one on a slow disk or of a far database does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use store::memory::Memory;
use store::{Batch, Journal, Loaded, StoreError, Topic};

/// Memory that at times takes nothing.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    pub memory: Memory,
    stuck: Arc<(Mutex<bool>, Condvar)>,
    /// How many records of tables were to be written so far.
    pub begun: Arc<AtomicUsize>,
    /// How often something was written.
    pub commits: Arc<AtomicUsize>,
}

impl Disk {
    pub fn stick(&self, stuck: bool) {
        *self.stuck.0.lock().expect("no panics") = stuck;
        self.stuck.1.notify_all();
    }
}

impl Journal for Disk {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        self.memory.streams()
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        self.memory.load(stream)
    }

    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError> {
        let rows = batches.iter().flat_map(|batch| &batch.rows);
        let tables = rows.filter(|row| matches!(row.topic, Topic::Table(_))).count();
        self.begun.fetch_add(tables, Ordering::SeqCst);
        let stuck = self.stuck.0.lock().expect("no panics");
        drop(self.stuck.1.wait_while(stuck, |stuck| *stuck).expect("no panics"));
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.memory.append(batches)
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        self.memory.prune(closed_before, at_most)
    }

    fn close(&mut self) -> Result<(), StoreError> {
        self.memory.close()
    }
}
