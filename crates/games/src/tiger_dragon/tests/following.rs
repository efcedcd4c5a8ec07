//! Watching whatever is played: what the hall promises to who has no seat.

use hall::{Answer, Command, Refusal, Role};

use super::floor::Floor;

#[test]
fn a_follower_who_takes_its_seat_back_no_longer_watches() {
    let mut floor = Floor::of_two();
    floor.seat(1, "ann");
    floor.seat(2, "bob");
    floor.gone(2);
    assert_eq!(floor.follow(3, None), "room1");
    floor.seat(3, "bob");
    floor.told(3);
    floor.act([1, 3]);
    assert_eq!(floor.told(3), ["room1 turn 1"]);
}

#[test]
fn followers_wait_for_a_table_and_go_from_one_to_the_next() {
    let mut floor = Floor::of_two();
    assert_eq!(floor.follow(9, None), "");
    floor.seat(1, "ann");
    assert_eq!(floor.told(9), ["room1 joined 0"]);
    floor.seat(2, "bob");
    assert_eq!(floor.told(9), ["room1 joined 1", "room1 turn 0"]);
    floor.seat(3, "carl");
    assert_eq!(floor.told(9), Vec::<String>::new(), "room1 is not over");
    floor.close("room1");
    assert_eq!(floor.told(9), ["room1 void"]);
    floor.seat(4, "dora");
    assert_eq!(floor.told(9), ["room2 joined 1", "room2 turn 0"]);
    floor.close("room2");
    assert_eq!(floor.told(9), ["room2 void"]);
    assert_eq!(floor.follow(8, Some("room1")), "room2", "what is over gives way to the newest");
    assert_eq!(floor.told(8), ["room2 stands", "room2 void"]);
    floor.seat(5, "emil");
    assert_eq!(floor.told(9), ["room3 joined 0"]);
}

#[test]
fn followers_of_a_finished_match_are_shown_the_running_one() {
    let mut floor = Floor::of_two();
    floor.follow(9, None);
    for conn in 1..=4 {
        floor.seat(conn, "p");
    }
    floor.told(9);
    floor.close("room1");
    assert_eq!(floor.told(9), ["room1 void", "room2 stands"]);
}

#[test]
fn a_follower_may_name_its_table() {
    let mut floor = Floor::of_two();
    for conn in 1..=5 {
        floor.seat(conn, "p");
    }
    assert_eq!(floor.follow(9, Some("room1")), "room1");
    assert_eq!(floor.told(9), ["room1 stands"]);
    assert_eq!(floor.follow(9, Some("room3")), "room3");
    assert_eq!(floor.told(9), Vec::<String>::new(), "not begun");
    assert_eq!(floor.follow(9, Some("nowhere")), "room3");
    assert_eq!(floor.follow(9, None), "room3");
    let playing =
        Command::Join { table: None, name: "".into(), role: Role::Follower, joined_via: None };
    assert_eq!(floor.ask(1, playing), Answer::Refused(Refusal::AlreadySeated));
}

#[test]
fn followers_outlive_a_table_that_never_began_and_leave_no_trace() {
    let mut floor = Floor::of_two();
    floor.seat(1, "ann");
    assert_eq!(floor.follow(9, None), "room1");
    floor.close("room1");
    assert_eq!(floor.told(1), ["dismissed"]);
    floor.seat(2, "bob");
    assert_eq!(floor.told(9), ["room2 joined 0"]);
    floor.follow(8, None);
    for conn in [1, 2, 8, 9] {
        floor.gone(conn);
    }
    assert_eq!(floor.hall.visitors(), 0);
    floor.heard.clear();
    floor.seat(3, "carl");
    assert_eq!(floor.heard.len(), 0);
}

#[test]
fn followers_watch_bots_too() {
    let mut floor = Floor::of_two();
    floor.follow(9, None);
    floor.open_for_bots("show");
    assert_eq!(floor.told(9), ["show joined 0", "show joined 1", "show turn 0"]);
    floor.wait(0);
    assert_eq!(floor.told(9).last().map(String::as_str), Some("show over"));
}
