//! The pace of a table: a turn is sent no earlier than a set time after the last one.

use super::sitting::{ANN, BOB, Sitting, TABLE, policy};
use hall::*;
use trials::sums::{Config, Sums};

fn paced() -> Policy {
    Policy { pace_ms: 500, ..policy() }
}

/// Who received which turn.
fn told(stage: &Sitting) -> Vec<(ConnId, u64)> {
    let update = |(conn, event): (ConnId, Event)| match event {
        Event::Update(update) => Some((conn, update.seq)),
        _ => None,
    };
    stage.events().filter_map(update).collect()
}

fn refusal(stage: &mut Sitting, conn: ConnId, seq: u64) -> Option<Refusal> {
    stage.handle(Input::Said(conn, Command::act::<Sums>(seq, 1)));
    stage.outputs.iter().find_map(|output| match output.answer()? {
        (_, Answer::Refused(refusal)) => Some(refusal),
        _ => None,
    })
}

#[test]
fn the_next_turn_is_told_in_the_tables_pace() {
    let mut stage = Sitting::playing(paced());
    let carol = ConnId(3);
    let watch = |role| Command::Join { table: None, name: "".into(), role, joined_via: None };
    stage.handle(Input::Said(carol, watch(Role::Spectator)));
    stage.pass(100);
    stage.act(ANN);
    stage.act(BOB);
    assert_eq!((told(&stage), stage.table().seq()), (vec![], 1));
    // No move counts in a turn that was not sent, whatever its number.
    assert_eq!(refusal(&mut stage, ANN, 0), Some(Refusal::AlreadyMoved));
    assert_eq!(refusal(&mut stage, ANN, 1), Some(Refusal::Stale));
    let (_, table) = stage.hall.inspection().table_infos().next().expect("there is one");
    assert_eq!((table.turn.seq, table.turn.owed.is_empty()), (0, true));
    // A player who comes now receives it with all others.
    let dan = ConnId(4);
    stage.handle(Input::Said(dan, watch(Role::Organiser)));
    assert_eq!(told(&stage), []);
    stage.pass(399);
    assert_eq!(told(&stage), []);
    stage.pass(1);
    assert_eq!(told(&stage), [(ANN, 1), (BOB, 1), (carol, 1), (dan, 1)]);
    // Its clock starts then.
    assert_eq!(stage.hall.deadline(), Some(stage.now + 1000));
    stage.pass(600);
    // A turn that took longer than the pace is followed by the next at once.
    stage.act(ANN);
    stage.act(BOB);
    assert_eq!(told(&stage).len(), 4);
}

/// A player who asked for the history received the turn that all others had to wait for.
#[test]
fn what_is_held_back_is_not_recalled() {
    let mut stage = Sitting::playing(paced());
    let recalled = |stage: &mut Sitting| {
        stage.handle(Input::Said(ANN, Command::History { from: 0 }));
        let [Output::Recall(recall)] = stage.outputs[..] else { panic!("{:?}", stage.outputs) };
        let recorded = Recorded::written_at(Time(0), stage.records());
        let (Answer::Accepted, Some(Event::History(page))) = recall.answer(Some(&recorded)) else {
            panic!("{recall:?} is answered");
        };
        page.updates.iter().map(|update| update.seq).collect::<Vec<_>>()
    };
    assert_eq!(recalled(&mut stage), [0]);
    stage.act(ANN);
    stage.act(BOB);
    assert_eq!((recalled(&mut stage), stage.table().seq()), (vec![0], 1));
    let (_, card) = stage.hall.inspection().table_infos().next().expect("there is one");
    let recorded = Recorded::written_at(Time(0), stage.records());
    let told = retell_so_far(&card, recorded, Eyes::Public).expect("it plays again");
    let frames = told.filter_map(|step| step.expect("it plays again"));
    assert_eq!(frames.count(), 2);
    stage.pass(500);
    assert_eq!(recalled(&mut stage), [0, 1]);
    stage.act(ANN);
    stage.act(BOB);
    stage.pass(500);
    assert_eq!(recalled(&mut stage), [0, 1, 2]);
    let over = Recall { conn: ANN, table: TABLE, eyes: Eyes::Public, from: 0, until: 2 };
    let (answer, told) = over.answer(None);
    assert_eq!((answer, told), (Answer::Refused(Refusal::AlreadyOver), None));
}

/// A client that hung up left the game to be played again to its end.
#[test]
fn a_history_that_nobody_waits_for_is_told_no_further() {
    let mut stage = Sitting::playing(paced());
    for _ in 0..2 {
        stage.act(ANN);
        stage.act(BOB);
        stage.pass(500);
    }
    let recorded = Recorded::written_at(Time(0), stage.records());
    let recall = Recall { conn: ANN, table: TABLE, eyes: Eyes::Public, from: 0, until: 2 };
    let asked = std::cell::Cell::new(0);
    let waits = || asked.replace(asked.get() + 1) < 2;
    let (answer, told) = recall.answer_while(&waits, Some(&recorded));
    assert!(matches!(answer, Answer::Refused(_)) && told.is_none(), "{answer:?}");
    assert_eq!(asked.get(), 3, "it is asked before every record, and nothing happens after that");
}

#[test]
fn bots_and_the_end_keep_the_pace() {
    let mut stage = Sitting::new(Policy { house_bots: vec!["high".to_owned()], ..paced() });
    stage.join(ANN, "ann");
    stage.pass(0);
    assert_eq!(stage.phase(), Phase::Playing);
    for turn in 0..10 {
        stage.act(ANN);
        stage.pass(0);
        assert_eq!(stage.phase(), Phase::Playing, "turn {turn}");
        stage.pass(500);
        assert_eq!(told(&stage), [(ANN, turn + 1)]);
    }
    assert_eq!(stage.phase(), Phase::Closed);
}

#[test]
fn who_goes_while_a_turn_is_held_back_goes_at_once() {
    let mut stage = Sitting::playing(paced());
    stage.act(ANN);
    stage.act(BOB);
    stage.handle(Input::Said(BOB, Command::Leave));
    assert_eq!(stage.phase(), Phase::Playing);
    stage.pass(500);
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(rules::Exit::Left)]);
}

#[test]
fn a_restart_tells_what_was_held_back() {
    let config = Config { patient: true, turns: 1 };
    let mut stage = Sitting::of(Terms::new::<Sums>(config, paced()));
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    stage.act(ANN);
    stage.act(BOB);
    assert_eq!(stage.phase(), Phase::Playing);
    stage.restart();
    assert_eq!(stage.phase(), Phase::Closed);
}
