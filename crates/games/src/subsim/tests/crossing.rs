//! What crosses on its way: orders with the clock, with the organiser, with the table limit.

use ::wire::Said;
use hall::{Closing, ConnId, Input, Request};
use rules::Exit;
use trials::stage::Stage;

use super::super::SubSim;
use super::{ann_and_bob, duel, duel_options, join};

/// Takes the command that a client's line leads to out of its conversation, before the hall handles
/// it.
fn on_its_way(stage: &mut Stage, conn: ConnId, line: &str) -> Input {
    stage.send(conn, format!("{line}\n").as_bytes());
    match stage.next_said(conn) {
        Some(Said::Ask(command)) => Input::Said(conn, command),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn the_clock_is_faster_than_an_order() {
    let mut stage = duel();
    let (ann, bob) = ann_and_bob(&mut stage);
    stage.say(ann, "P|1|0");
    stage.heard(ann);
    stage.heard(bob);
    let late = on_its_way(&mut stage, bob, "P|1|0");
    stage.wait(10_000);
    stage.input(late);
    stage.settle();
    assert_eq!(stage.heard(bob), ["Turn timed out"]);
    assert!(!stage.is_open(bob));
    assert_eq!(stage.heard(ann), ["I|1|0|5|5|1|shields=3", "H|1|0", "F|1|1|finished", "P|ann|1"]);
}

#[test]
fn the_organiser_is_faster_than_an_order() {
    let mut stage = duel();
    let (ann, bob) = ann_and_bob(&mut stage);
    stage.heard(ann);
    stage.heard(bob);
    let late = on_its_way(&mut stage, bob, "P|1|0");
    let (id, reason) = ("subsim-1".into(), "enough".to_owned());
    stage.input(Input::Asked(1, Request::Close { id, reason }));
    stage.input(late);
    stage.settle();
    for conn in [ann, bob] {
        assert_eq!(stage.heard(conn), ["F|2|0|aborted", "P|ann|0", "P|bob|0"]);
        assert!(!stage.is_open(conn));
    }
}

#[test]
fn a_start_square_that_comes_too_late_is_chosen_by_the_house() {
    let mut stage = duel();
    let ann = join(&mut stage, "ann", "5|5");
    let bob = stage.connect();
    let joins = on_its_way(&mut stage, bob, "J|bob|5|7");
    stage.input(joins);
    stage.heard(bob);
    let late = loop {
        match stage.next_said(bob) {
            Some(Said::Ask(command)) => break Input::Said(bob, command),
            Some(Said::Text(text)) => assert_eq!(text.as_str(), "J|bob"),
            other => panic!("{other:?}"),
        }
    };
    stage.wait(10_000);
    stage.input(late);
    stage.settle();
    assert!(stage.heard(ann).contains(&"I|0|0|5|5|1|shields=3".to_owned()));
    let heard = stage.heard(bob);
    assert!(heard[0].starts_with("I|0|0|") && heard[1] == "B|1", "{heard:?}");
    assert!(stage.is_open(bob));
}

#[test]
fn at_the_table_limit_the_game_is_full() {
    let mut stage = Stage::of::<SubSim>(&duel_options(), 1, 1);
    let (ann, bob) = ann_and_bob(&mut stage);
    let cat = join(&mut stage, "cat", "9|9");
    assert_eq!(stage.heard(cat).last().map(String::as_str), Some("game full"));
    assert!(!stage.is_open(cat));
    // A game that is over makes room.
    stage.hang_up(ann);
    assert!(!stage.is_open(bob));
    let dan = join(&mut stage, "dan", "9|9");
    assert_eq!(stage.heard(dan).last().map(String::as_str), Some("J|dan"));
}

#[test]
fn who_was_silent_has_timed_out_and_not_left() {
    let mut options = duel_options();
    options.config.max_players = 3;
    let mut stage = Stage::of::<SubSim>(&options, 10, 1);
    let (ann, bob) = ann_and_bob(&mut stage);
    let cat = join(&mut stage, "cat", "9|9");
    stage.say(ann, "P|1|0");
    stage.say(bob, "P|1|0");
    stage.wait(10_000);
    assert!(!stage.is_open(cat) && stage.is_open(ann));
    stage.say(bob, "P|1|0");
    let tables = stage.hall.tables();
    let closings: Vec<_> = tables.filter_map(|(_, table)| table.closing().cloned()).collect();
    let [Closing::Over(outcome)] = &closings[..] else { panic!("one table is over") };
    let exits: Vec<_> = outcome.standings.iter().map(|standing| standing.exit.clone()).collect();
    let wrong_turn = Exit::Disqualified("Invalid turn number: 1".to_owned());
    assert_eq!(exits, [None, Some(wrong_turn), Some(Exit::TimedOut)]);
}
