//! Watching whatever is played: what the hall promises to who has no seat.

use hall::{Answer, Command, Refusal, Role};

use super::rooms::Rooms;

#[test]
fn a_follower_who_takes_its_seat_back_no_longer_watches() {
    let mut rooms = Rooms::of_two();
    rooms.seat(1, "ann");
    rooms.seat(2, "bob");
    rooms.gone(2);
    assert_eq!(rooms.follow(3, None), "room1");
    rooms.seat(3, "bob");
    rooms.told(3);
    rooms.act([1, 3]);
    assert_eq!(rooms.told(3), ["room1 turn 1"]);
}

#[test]
fn followers_wait_for_a_table_and_go_from_one_to_the_next() {
    let mut rooms = Rooms::of_two();
    assert_eq!(rooms.follow(9, None), "");
    rooms.seat(1, "ann");
    assert_eq!(rooms.told(9), ["room1 joined 0"]);
    rooms.seat(2, "bob");
    assert_eq!(rooms.told(9), ["room1 joined 1", "room1 turn 0"]);
    rooms.seat(3, "carl");
    assert_eq!(rooms.told(9), Vec::<String>::new(), "room1 is not over");
    rooms.close("room1");
    assert_eq!(rooms.told(9), ["room1 void"]);
    rooms.seat(4, "dora");
    assert_eq!(rooms.told(9), ["room2 joined 1", "room2 turn 0"]);
    rooms.close("room2");
    assert_eq!(rooms.told(9), ["room2 void"]);
    assert_eq!(rooms.follow(8, Some("room1")), "room2", "what is over gives way to the newest");
    assert_eq!(rooms.told(8), ["room2 stands", "room2 void"]);
    rooms.seat(5, "emil");
    assert_eq!(rooms.told(9), ["room3 joined 0"]);
}

#[test]
fn followers_of_a_finished_match_are_shown_the_running_one() {
    let mut rooms = Rooms::of_two();
    rooms.follow(9, None);
    for conn in 1..=4 {
        rooms.seat(conn, "p");
    }
    rooms.told(9);
    rooms.close("room1");
    assert_eq!(rooms.told(9), ["room1 void", "room2 stands"]);
}

#[test]
fn a_follower_may_name_its_table() {
    let mut rooms = Rooms::of_two();
    for conn in 1..=5 {
        rooms.seat(conn, "p");
    }
    assert_eq!(rooms.follow(9, Some("room1")), "room1");
    assert_eq!(rooms.told(9), ["room1 stands"]);
    assert_eq!(rooms.follow(9, Some("room3")), "room3");
    assert_eq!(rooms.told(9), Vec::<String>::new(), "not begun");
    assert_eq!(rooms.follow(9, Some("nowhere")), "room3");
    assert_eq!(rooms.follow(9, None), "room3");
    let playing =
        Command::Join { table: None, name: "".into(), role: Role::Follower, joined_via: None };
    assert_eq!(rooms.ask(1, playing), Answer::Refused(Refusal::AlreadySeated));
}

#[test]
fn followers_outlive_a_table_that_never_began_and_leave_no_trace() {
    let mut rooms = Rooms::of_two();
    rooms.seat(1, "ann");
    assert_eq!(rooms.follow(9, None), "room1");
    rooms.close("room1");
    assert_eq!(rooms.told(1), ["dismissed"]);
    rooms.seat(2, "bob");
    assert_eq!(rooms.told(9), ["room2 joined 0"]);
    rooms.follow(8, None);
    for conn in [1, 2, 8, 9] {
        rooms.gone(conn);
    }
    assert_eq!(rooms.stage.hall.visitors(), 0);
    rooms.heard.clear();
    rooms.seat(3, "carl");
    assert_eq!(rooms.heard.len(), 0);
}

#[test]
fn followers_watch_bots_too() {
    let mut rooms = Rooms::of_two();
    rooms.follow(9, None);
    rooms.open_for_bots("show");
    assert_eq!(rooms.told(9), ["show joined 0", "show joined 1", "show turn 0"]);
    rooms.wait(0);
    assert_eq!(rooms.told(9).last().map(String::as_str), Some("show over"));
}
