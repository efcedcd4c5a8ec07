//! What a node makes of what it sees of its fleet.

use store::leases::{Holding, Node};

use super::*;

/// A store that is asked nothing.
#[derive(Debug)]
struct Unasked;

impl Leases for Unasked {
    fn incarnation(&self) -> u64 {
        1
    }

    fn beat(&mut self) -> Result<Fleet, StoreError> {
        unreachable!("no beat is due")
    }

    fn rejoin(&mut self) -> Result<u64, StoreError> {
        unreachable!("the lease is not over")
    }

    fn resign(&mut self, _: &str) -> Result<bool, StoreError> {
        Ok(true)
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn leave(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

fn keeping(games: &[&'static str]) -> Keeping<Unasked> {
    let division = Division::new(games.iter().map(|game| (*game).to_owned()), 30_000);
    Keeping::new(Unasked, division, games, Duration::from_secs(5)).0
}

/// Nodes by their numbers, each with how long it was silent, and who has Gamba.
fn fleet(nodes: &[(u64, u64)], owner: Option<u64>) -> Fleet {
    let node = |(number, silent_ms): &(u64, u64)| Node {
        incarnation: *number,
        number: *number,
        name: number.to_string(),
        address: format!("127.0.0.{number}:7900"),
        leaving: false,
        age_ms: 1000,
        silent_ms: *silent_ms,
    };
    let stream = "gamba".to_owned();
    let gamba = Holding { stream, owner, epoch: 1, batch: 0, age_ms: 1000 };
    Fleet {
        lease: Lease::from(Instant::now(), Duration::from_secs(5)),
        nodes: nodes.iter().map(node).collect(),
        streams: vec![gamba],
    }
}

/// When an owner hung or was cut off from the database, players lost the time of its whole lease: it counted from
/// when its link ended, which was later or never.
#[test]
fn an_owner_was_alive_until_its_last_beat() {
    let mut keeping = keeping(&["gamba"]);
    let mut see = |now, nodes: &[(u64, u64)], owner| {
        keeping.watch_owners(Time(now), &fleet(nodes, owner));
        keeping.standing.lost_at("gamba")
    };
    assert_eq!(see(10_000, &[(1, 0), (2, 100)], Some(2)), None);
    assert_eq!(see(12_000, &[(1, 0), (2, 2100)], Some(2)), None, "it is silent, but not for long");
    assert_eq!(see(15_000, &[(1, 0)], None), Some(Time(9_900)));
    assert_eq!(see(16_000, &[(1, 0)], Some(1)), None, "this node has it now");
    // Who gives a game away is alive, and so it was served until that moment.
    assert_eq!(see(20_000, &[(1, 0), (3, 10)], Some(3)), None);
    assert_eq!(see(21_000, &[(1, 0), (3, 10)], None), None);
}

/// A planned handover took as long as all nodes' usual pauses together.
#[test]
fn nodes_look_often_while_a_game_is_on_its_way() {
    let mut keeping = keeping(&["gamba"]);
    let usual = keeping.every;
    let mut pauses = |fleet: &Fleet, looks: u32| -> Vec<Duration> {
        let pauses = (0..looks).map(|_| {
            keeping.tell(fleet);
            keeping.pause()
        });
        pauses.collect()
    };
    assert_eq!(pauses(&fleet(&[(1, 0), (2, 0)], Some(2)), 1), [usual]);
    let mut leaving = fleet(&[(1, 0), (2, 0)], Some(2));
    leaving.nodes[1].leaving = true;
    assert_eq!(pauses(&leaving, 1), [QUICK]);
    let vacant = fleet(&[(1, 0), (2, 0)], None);
    assert_eq!(pauses(&vacant, 3), [QUICK; 3]);
    assert_eq!(pauses(&fleet(&[(1, 0), (2, 0)], Some(1)), 1), [usual]);
    // After a while, a hall that no node takes is awaited as usual.
    assert_eq!(pauses(&vacant, QUICK_LOOKS + 1).last(), Some(&usual));
}

/// A node that leaves informs the others before it gives anything up.
#[test]
fn a_node_that_leaves_is_seen_to_leave_first() {
    let mut keeping = keeping(&["gamba"]);
    let owner = keeping.standing.owner_of("gamba");
    let mut leaving = fleet(&[(1, 0), (2, 0)], Some(1));
    leaving.nodes[0].leaving = true;
    keeping.leaves = Some(Instant::now() + Duration::from_secs(600));
    assert!(!keeping.tell(&leaving));
    assert_eq!(*owner.borrow(), Owner::Me);
    keeping.leaves = Some(Instant::now());
    keeping.tell(&leaving);
    assert_eq!(*owner.borrow(), Owner::Nobody);
}
