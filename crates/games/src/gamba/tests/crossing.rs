//! Requests that cross each other on their way: whatever arrives first, there is one outcome.

use hall::ConnId;
use rules::{Dice, Seed};

use super::referee::{Court, value};
use crate::gamba::Options;

/// Plays a scene in which messages take longer and longer; returns what each of two clients
/// received.
fn each_way(scene: impl Fn(&mut Court, [ConnId; 2], &mut Dice)) -> Vec<[Vec<String>; 2]> {
    let play = |seed| {
        let mut dice = Dice::new(&Seed::from_number(seed), "crossing", 0);
        let mut court = Court::new(&Options::default(), seed);
        let clients = [court.stage.admit(), court.stage.admit()];
        court.send(clients[0], "0|||name=Alice");
        court.send(clients[1], "0|||name=Bob");
        court.settle(&mut dice);
        scene(&mut court, clients, &mut dice);
        court.settle(&mut dice);
        clients.map(|client| court.lines(client)[1..].to_vec())
    };
    (0..200).map(play).collect()
}

fn count(lines: &[String], begin: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(begin)).count()
}

#[test]
fn two_joins_share_one_room() {
    let mut first_joiners = [0, 0];
    for heard in each_way(|court, [alice, bob], _| {
        court.send(alice, "2|||");
        court.send(bob, "2|||");
    }) {
        let first = usize::from(value(&heard[1][0], "player_count") == "1");
        first_joiners[first] += 1;
        let (first, second) = (&heard[first], &heard[1 - first]);
        assert_eq!((first.len(), second.len()), (2, 1), "{heard:?}");
        assert_eq!(value(&first[0], "room_full"), "false", "{heard:?}");
        assert_eq!(value(&first[1], "players"), value(&second[0], "players"), "{heard:?}");
        assert!(second[0].contains("|ROOM_1|player_count=2|"), "{heard:?}");
    }
    assert!(first_joiners.iter().all(|times| *times > 0), "only one order was tried");
}

#[test]
fn two_calls_for_the_start_begin_one_game() {
    let mut refused = [0, 0];
    for heard in each_way(|court, [alice, bob], dice| {
        court.send(alice, "2|||");
        court.settle(dice);
        court.send(bob, "2|||");
        court.settle(dice);
        court.send(alice, "5|||");
        court.send(bob, "5|||");
    }) {
        let late = usize::from(count(&heard[1], "103|||error=Cannot start game") == 1);
        refused[late] += 1;
        let (late, caller) = (&heard[late], &heard[1 - late]);
        assert_eq!(count(late, "103"), 1, "{heard:?}");
        assert_eq!(count(late, "105||ROOM_1|broadcast_type"), 1, "{heard:?}");
        assert_eq!(count(caller, "105||ROOM_1|status"), 1, "{heard:?}");
        for lines in [late, caller] {
            assert_eq!((count(lines, "105"), count(lines, "106")), (1, 1), "{heard:?}");
        }
    }
    assert!(refused.iter().all(|times| *times > 0), "only one order was tried");
}

/// The referee objects to a 101 after a 105.
#[test]
fn a_start_does_not_overtake_the_join_that_allowed_it() {
    let mut started = 0;
    for heard in each_way(|court, [alice, bob], dice| {
        court.send(alice, "2|||");
        court.settle(dice);
        court.send(bob, "2|||");
        court.send(alice, "5|||");
    }) {
        started += count(&heard[0], "105");
        assert_eq!(count(&heard[0], "101"), 2, "{heard:?}");
        assert_eq!(count(&heard[0], "105") + count(&heard[0], "103"), 1, "{heard:?}");
    }
    assert!((1..200).contains(&started), "only one order was tried");
}

/// The old socket dies while the new one asks: either too early or in time, never twice.
#[test]
fn a_reconnect_crosses_the_end_of_the_old_socket() {
    let mut back = 0;
    for heard in each_way(|court, [alice, bob], dice| {
        court.send(alice, "2|||");
        court.settle(dice);
        court.send(bob, "2|||");
        court.settle(dice);
        court.send(alice, "5|||");
        court.settle(dice);
        let again = [court.stage.admit(), court.stage.admit()];
        for client in again {
            court.send(client, "6|||name=Alice");
        }
        for _ in 0..dice.below(6) {
            court.stage.step(dice);
        }
        court.stage.cut(alice);
        court.settle(dice);
        let heard = again.map(|client| court.lines(client));
        let connected = heard.iter().filter(|lines| count(lines, "100") == 1).count();
        let failed =
            heard.iter().filter(|lines| count(lines, "103|||error=Reconnection failed") == 1);
        assert_eq!(connected + failed.count(), 2, "{heard:?}");
        assert!(connected <= 1, "{heard:?}");
    }) {
        assert_eq!(count(&heard[1], "107"), 1, "{heard:?}");
        back += count(&heard[1], "109");
    }
    assert!((1..200).contains(&back), "only one order was tried");
}
