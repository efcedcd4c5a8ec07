//! Nodes that stop, at whatever moment.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

use server::{Owner, SharedJournal};
use store::memory::Memory;
use store::{Batch, Journal, Loaded, StoreError, Topic};
use tokio::net::TcpStream;

use super::{Town, settle};
use crate::kit::PATIENCE;

/// A database that at times takes nothing.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    pub memory: Memory,
    stuck: Arc<(Mutex<bool>, Condvar)>,
    /// How much of tables was to be written so far.
    pub begun: Arc<AtomicUsize>,
}

impl Disk {
    pub fn stick(&self, stuck: bool) {
        *self.stuck.0.lock().expect("no panics") = stuck;
        self.stuck.1.notify_all();
    }

    pub fn open(&self) -> SharedJournal {
        SharedJournal::Durable(Box::new(self.clone()))
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
        self.memory.append(batches)
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        self.memory.prune(closed_before, at_most)
    }

    fn close(&mut self) -> Result<(), StoreError> {
        self.memory.close()
    }
}

/// A node that was told to stop while its hall became another's forgot the one over the other, and ran on
/// for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_loses_its_hall_as_it_stops_ends() {
    for is_taken in [false, true] {
        let disk = Disk::default();
        let town = Town { memory: disk.memory.clone(), disk: Some(disk.clone()) };
        let (node, other) = (town.node(1).await, town.node(2).await);
        settle(&[&node], 1);
        node.house.table("myGame", 2).await;
        disk.stick(true);
        let mut alice = node.house.client().await;
        alice.send("JOIN myGame Alice").await;
        if is_taken {
            disk.memory.clone().load("sushi-go").expect("memory");
        }
        node.told.tell("sushi-go", Owner::Node { address: other.links, epoch: 2 });
        let address = node.house.address("http");
        let closing = tokio::spawn(node.house.close());
        let deadline = Instant::now() + PATIENCE;
        while TcpStream::connect(address).await.is_ok() {
            assert!(Instant::now() < deadline, "it goes on taking connections");
        }
        disk.stick(false);
        closing.await.expect("it ends");
        other.house.close().await;
    }
}
