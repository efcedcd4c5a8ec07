//! Nodes that stop, at whatever moment.

use std::time::Instant;

use server::Owner;
use store::Journal;
use tokio::net::TcpStream;
use trials::disk::Disk;

use super::{Town, settle};
use crate::kit::PATIENCE;

/// A node that was asked to stop while its hall went to another node forgot the one because of the
/// other, and never ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_loses_its_hall_as_it_stops_ends() {
    for is_taken in [false, true] {
        let disk = Disk::default();
        let town =
            Town { memory: disk.memory.clone(), disk: Some(disk.clone()), ..Town::default() };
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
