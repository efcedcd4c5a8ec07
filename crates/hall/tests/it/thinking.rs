//! House bots that think elsewhere: late, not at all, and again after a restart.

use rules::{Bot, BotKind, Dice, Grade, Seed};
use trials::sums::{Sums, View};

use super::sitting::{ANN, Sitting, TABLE, policy};
use hall::*;

/// Ann plays against a strong bot; its first question.
fn against_a_bot() -> (Sitting, Box<Thinking>) {
    let mut stage = Sitting::new(Policy { house_bots: vec!["high".to_owned()], ..policy() });
    stage.hall.think_elsewhere();
    stage.join(ANN, "ann");
    stage.pass(0);
    assert_eq!(stage.phase(), Phase::Playing);
    let asked = asked(&mut stage);
    (stage, asked)
}

fn asked(stage: &mut Sitting) -> Box<Thinking> {
    let outputs = std::mem::take(&mut stage.outputs);
    let asked = outputs.into_iter().find_map(|output| match output {
        Output::Think(TABLE, thinking) => Some(thinking),
        _ => None,
    });
    asked.expect("a question")
}

fn moves(stage: &Sitting) -> Vec<u8> {
    let made = |output: &Output| match output {
        Output::TableRecord(entry) => match &*entry.record {
            TableRecord::Moved { action, how: How::Bot, .. } => action.of::<Sums>().copied(),
            _ => None,
        },
        _ => None,
    };
    stage.outputs.iter().filter_map(made).collect()
}

#[test]
fn a_thought_is_a_move_when_it_comes() {
    let (mut stage, asked) = against_a_bot();
    stage.now = stage.now + 100;
    stage.handle(Input::Thought(TABLE, Box::new(asked.think())));
    assert_eq!(moves(&stage), [2]);
}

#[test]
fn who_thinks_too_long_is_represented_before_its_clock_and_its_late_thought_is_dropped() {
    let (mut stage, late) = against_a_bot();
    stage.act(ANN);
    stage.pass(332);
    assert_eq!(stage.table().seq(), 0);
    // A third of a second after the turn was sent, the next weaker one plays; and, because it is
    // still busy, in the next turn too.
    stage.pass(1);
    assert_eq!((moves(&stage), stage.table().seq()), (vec![0, 0], 1));
    let late = late.think();
    stage.handle(Input::Thought(TABLE, Box::new(late)));
    assert_eq!(moves(&stage), [] as [u8; 0]);
    // And then it is asked again.
    stage.act(ANN);
    stage.pass(0);
    let again = asked(&mut stage);
    stage.handle(Input::Thought(TABLE, Box::new(again.think())));
    assert_eq!(moves(&stage), [2]);
}

#[test]
fn whom_nobody_has_time_for_is_represented_at_once() {
    let (mut stage, asked) = against_a_bot();
    stage.handle(Input::Thought(TABLE, Box::new(asked.decline())));
    assert_eq!(moves(&stage), [0]);
}

#[test]
fn a_thought_about_a_table_that_is_closed_is_dropped() {
    let (mut stage, asked) = against_a_bot();
    let id = stage.table().opened().id.clone();
    stage.ask(Request::Close { id, reason: "enough".to_owned() });
    stage.handle(Input::Thought(TABLE, Box::new(asked.think())));
    assert_eq!(moves(&stage), [] as [u8; 0]);
}

/// Says how often it was asked.
const COUNTING: &[BotKind<Sums>] =
    &[BotKind { name: "counting", about: "", grade: Grade::Beginner, make: counting }];

fn counting() -> Box<dyn Bot<Sums>> {
    let mut asked = 0;
    Box::new(move |_: &View, _: &mut Dice| {
        asked += 1;
        asked % 3
    })
}

#[test]
fn a_bot_that_remembers_plays_on_after_a_restart_as_if_there_had_been_none() {
    let house_bots = vec!["counting".to_owned()];
    let mut stage = Sitting::new(Policy { house_bots, turn_ms: None, ..policy() });
    stage.hall = Hall::new(stage.terms.clone(), COUNTING, 10, Seed::from_number(7));
    let token = stage.join_via(ANN, "ann", HOUSE_WIRE).expect("a token");
    stage.pass(0);
    let mut said = moves(&stage);
    for turn in 0..4 {
        if turn == 2 {
            stage.restart_with(COUNTING);
            let resume = Command::Resume(Credential::Token(token.clone()));
            stage.handle(Input::Said(ANN, resume));
        }
        stage.act(ANN);
        said.extend(moves(&stage));
        stage.pass(0);
        said.extend(moves(&stage));
    }
    assert_eq!(said, [1, 2, 0, 1, 2]);
}
