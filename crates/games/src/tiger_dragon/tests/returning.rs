//! Coming back by name where names are free: what the hall promises to the sessions of this game.

use hall::{Answer, Command, ConnId, Refusal, Role};
use rules::Seat;

use super::rooms::{Rooms, brief, place};
use crate::tiger_dragon::Options;

#[test]
fn the_name_of_a_dropped_player_brings_its_seat_back() {
    let mut rooms = Rooms::of_two();
    assert_eq!(rooms.seat(1, "ann"), place("room1", 0, false));
    assert_eq!(rooms.seat(2, "bob"), place("room1", 1, false));
    rooms.gone(2);
    assert_eq!(rooms.told(1), ["room1 joined 1", "room1 turn 0", "room1 away 1"]);
    assert_eq!(rooms.seat(3, "bob"), place("room1", 1, true));
    let told = std::mem::take(&mut rooms.heard);
    let told: Vec<_> = told.iter().map(|(conn, event)| (conn.0, brief(event))).collect();
    assert_eq!(told, [(1, "room1 back 1".to_owned()), (3, "room1 stands".to_owned())]);
    rooms.act([1, 3]);
    assert_eq!(rooms.told(3), ["room1 turn 1"]);
}

#[test]
fn a_name_whose_player_is_here_brings_nothing_back() {
    let mut rooms = Rooms::of_two();
    rooms.seat(1, "ann");
    rooms.seat(2, "bob");
    assert_eq!(rooms.seat(3, "bob"), place("room2", 0, false));
    rooms.gone(2);
    assert_eq!(rooms.seat(4, "eve"), place("room2", 1, false));
    assert_eq!(rooms.join(3, "bob"), Answer::Refused(Refusal::AlreadySeated));
    assert_eq!(rooms.seat(5, "bob"), place("room1", 1, true));
}

/// The connection that must make way when a player returns while a server is out of touch.
#[test]
fn the_rival_of_a_newcomer_is_whoever_has_its_seat() {
    let mut rooms = Rooms::of_two();
    rooms.seat(1, "ann");
    let rival = |rooms: &Rooms, conn: u64, name: &str, role: Role| {
        let join = Command::Join { table: None, name: name.into(), role, joined_via: None };
        rooms.stage.hall.rival_of(ConnId(conn), &join)
    };
    assert_eq!(rival(&rooms, 3, "ann", Role::Player), Some(ConnId(1)), "before the start, too");
    rooms.seat(2, "bob");
    assert_eq!(rival(&rooms, 3, "bob", Role::Player), Some(ConnId(2)));
    assert_eq!(rival(&rooms, 2, "bob", Role::Player), None, "that is itself");
    assert_eq!(rival(&rooms, 3, "Bob", Role::Player), None, "that is somebody else");
    assert_eq!(rival(&rooms, 3, "bob", Role::Follower), None, "who watches needs no seat");
    rooms.gone(2);
    assert_eq!(rival(&rooms, 3, "bob", Role::Player), None, "the seat is empty");
}

#[test]
fn namesakes_come_back_one_after_the_other_to_the_oldest_table_first() {
    let mut rooms = Rooms::of_two();
    for conn in 1..=4 {
        rooms.seat(conn, "p");
    }
    for conn in 1..=4 {
        rooms.gone(conn);
    }
    assert_eq!(rooms.seat(5, "p"), place("room1", 0, true));
    assert_eq!(rooms.seat(6, "p"), place("room1", 1, true));
    assert_eq!(rooms.seat(7, "p"), place("room2", 0, true));
    assert_eq!(rooms.seat(8, "p"), place("room2", 1, true));
    assert_eq!(rooms.seat(9, "p"), place("room3", 0, false));
}

#[test]
fn before_the_start_a_seat_is_freed_at_once_and_the_lowest_is_given_first() {
    let mut rooms = Rooms::new(&Options::default(), |_| {});
    for (conn, name) in [(1, "a"), (2, "b"), (3, "c")] {
        rooms.seat(conn, name);
    }
    rooms.gone(1);
    rooms.gone(2);
    assert_eq!(rooms.seat(4, "b"), place("room1", 0, false));
    assert_eq!(rooms.seat(5, "a"), place("room1", 1, false));
}

#[test]
fn where_seats_are_held_before_the_start_a_player_finds_its_own_chair() {
    let mut rooms = Rooms::new(&Options::default(), |policy| policy.hold_waiting_ms = 5_000);
    rooms.seat(1, "a");
    rooms.seat(2, "b");
    rooms.gone(1);
    assert_eq!(rooms.seat(3, "c"), place("room2", 0, false));
    assert_eq!(rooms.seat(4, "a"), place("room1", 0, false));
}

#[test]
fn nobody_comes_back_as_a_house_bot() {
    let options = Options { players: 2, ..Options::default() };
    let mut rooms = Rooms::new(&options, |policy| policy.house_bots = vec!["random".to_owned()]);
    rooms.seat(1, "ann");
    rooms.wait(1_000);
    assert_eq!(rooms.told(1).first().map(String::as_str), Some("room1 joined 1"));
    let (_, table) = rooms.stage.hall.tables().next().unwrap();
    assert_eq!(&*table.chair(Seat(1)).unwrap().name, "random1");
    assert_eq!(rooms.seat(2, "random1"), place("room2", 0, false));
}

#[test]
fn a_house_bot_plays_for_the_absent_until_they_are_back() {
    let mut rooms = Rooms::of_two();
    rooms.seat(1, "ann");
    rooms.seat(2, "bob");
    rooms.gone(1);
    rooms.wait(299_999);
    rooms.told(2);
    rooms.wait(1);
    assert_eq!(rooms.told(2), ["room1 turn 1"], "seat 0 attacks, seat 1 is here and thinks");
    assert_eq!(rooms.seat(3, "ann"), place("room1", 0, true));
    rooms.act([3, 2]);
    rooms.told(3);
    rooms.wait(1_000_000);
    assert_eq!(rooms.told(3), Vec::<String>::new(), "nobody plays for who is here");
}

#[test]
fn deserted_matches_are_played_out_and_their_names_mean_nothing_then() {
    let mut rooms = Rooms::of_two();
    rooms.seat(1, "ann");
    rooms.seat(2, "bob");
    rooms.gone(1);
    rooms.gone(2);
    rooms.wait(300_000);
    assert_eq!(rooms.stage.hall.open_tables(), 0);
    assert_eq!(rooms.seat(3, "ann"), place("room2", 0, false));
}

#[test]
fn a_hall_for_a_single_match_has_one_table_that_counts() {
    let options = Options { players: 2, single_match: true, ..Options::default() };
    let mut rooms = Rooms::new(&options, |_| {});
    rooms.seat(1, "ann");
    rooms.close("room1");
    assert_eq!(rooms.seat(1, "ann"), place("room2", 0, false), "room1 never began");
    assert_eq!(rooms.seat(2, "bob"), place("room2", 1, false));
    assert_eq!(rooms.join(3, "carl"), Answer::Refused(Refusal::TableFull));
    rooms.gone(1);
    assert_eq!(rooms.join(3, "carl"), Answer::Refused(Refusal::TableFull));
    assert_eq!(rooms.seat(4, "ann"), place("room2", 0, true));
    rooms.close("room2");
    for conn in [3, 4] {
        assert_eq!(rooms.join(conn, "ann"), Answer::Refused(Refusal::TableFull));
    }
}
#[test]
fn after_a_restart_players_come_back_by_name_to_running_and_to_waiting_tables() {
    let mut rooms = Rooms::of_two();
    for (conn, name) in [(1, "ann"), (2, "bob"), (3, "carl")] {
        rooms.seat(conn, name);
    }
    rooms.act([1, 2]);
    rooms.restart();
    assert_eq!(rooms.seat(4, "bob"), place("room1", 1, true));
    assert_eq!(rooms.told(4), ["room1 stands"]);
    assert_eq!(rooms.seat(5, "dora"), place("room3", 0, false), "room2 is not all there");
    assert_eq!(rooms.seat(6, "carl"), place("room2", 0, false));
    assert_eq!(rooms.seat(7, "emil"), place("room2", 1, false));
    assert_eq!(rooms.seat(8, "ann"), place("room1", 0, true));
}

#[test]
fn after_a_restart_the_absent_have_the_grace_before_a_bot_plays() {
    let options = Options { players: 2, abandon_after_s: 10, ..Options::default() };
    let mut rooms = Rooms::new(&options, |_| {});
    rooms.seat(1, "ann");
    rooms.seat(2, "bob");
    rooms.restart();
    rooms.seat(3, "bob");
    rooms.wait(59_999);
    assert_eq!(rooms.told(3), ["room1 stands"]);
    rooms.wait(1);
    assert_eq!(rooms.told(3), ["room1 turn 1"]);
}
