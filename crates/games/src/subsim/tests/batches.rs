//! What a turn brings a player goes out in one piece: the hall tells it in one batch, and the
//! session says all of it without asking anything in between.

use ::wire::Said;
use hall::{ConnId, Input};
use trials::stage::Stage;

use super::super::SubSim;
use super::{ann_and_bob, duel, duel_options};

/// The texts a conversation has ready, which must not ask for anything.
fn ready(stage: &mut Stage, conn: ConnId) -> Vec<String> {
    let mut texts = Vec::new();
    while let Some(said) = stage.next_said(conn) {
        match said {
            Said::Text(text) => texts.push(text.as_str().to_owned()),
            other => panic!("in the middle of a turn: {other:?}"),
        }
    }
    texts
}

#[test]
fn a_turn_is_one_batch_for_each_player() {
    let mut stage = duel();
    let (ann, bob) = ann_and_bob(&mut stage);
    stage.say(ann, "S|1|0|Sonar|Sonar");
    stage.say(bob, "S|1|0|Sonar|Sonar");
    for conn in [ann, bob] {
        assert_eq!(stage.heard(conn).last().map(String::as_str), Some("B|2"));
    }
    stage.say(ann, "P|2|0");
    assert_eq!(stage.heard(ann), [""; 0], "an order is not answered");
    assert_eq!(stage.heard(bob), [""; 0], "nobody hears of an order");
    stage.send(bob, b"P|2|0\n");
    let Some(Said::Ask(command)) = stage.next_said(bob) else {
        panic!("a complete order is a move")
    };
    stage.input(Input::Said(bob, command));
    let expected = ["S|2|0|2", "O|2|5|7|100", "I|2|0|5|5|1|shields=3", "H|2|0", "B|3"];
    assert_eq!(ready(&mut stage, ann), expected);
    let expected = ["S|2|0|2", "O|2|5|5|100", "I|2|0|5|7|1|shields=3", "H|2|0", "B|3"];
    assert_eq!(ready(&mut stage, bob), expected);
}

#[test]
fn the_end_goes_out_with_the_last_turn() {
    let mut options = duel_options();
    options.config.max_turns = 100;
    let mut stage = Stage::of::<SubSim>(&options, 10, 1);
    let (ann, bob) = ann_and_bob(&mut stage);
    for turn in 1..100 {
        stage.say(ann, &format!("P|{turn}|0"));
        stage.say(bob, &format!("P|{turn}|0"));
    }
    stage.say(ann, "P|100|0");
    stage.heard(ann);
    stage.heard(bob);
    stage.send(bob, b"P|100|0\n");
    let Some(Said::Ask(command)) = stage.next_said(bob) else {
        panic!("a complete order is a move")
    };
    stage.input(Input::Said(bob, command));
    for (conn, square) in [(ann, "5|5"), (bob, "5|7")] {
        let mut texts = Vec::new();
        let end = loop {
            match stage.next_said(conn) {
                Some(Said::Text(text)) => texts.push(text.as_str().to_owned()),
                other => break other,
            }
        };
        let info = format!("I|100|0|{square}|1|shields=3");
        assert_eq!(texts, [&info, "H|100|0", "F|2|100|finished", "P|ann|0", "P|bob|0"]);
        assert!(matches!(end, Some(Said::Hangup(_))), "{end:?}");
    }
}
