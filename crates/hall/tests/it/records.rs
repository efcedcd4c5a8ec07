//! What records say besides who did what: since when a player is away, how a move was made, what
//! was promised about the deal.

use std::sync::Arc;

use trials::sums::Sums;

use super::sitting::{ANN, BOB, Sitting, policy};
use hall::*;

/// Ann plays over the JSON protocol, whose seats are held for a minute, and Bob over another.
fn held() -> Sitting {
    let mut stage = Sitting::new(Policy { turn_ms: None, ..policy() });
    stage.join_via(ANN, "ann", HOUSE_WIRE);
    stage.join(BOB, "bob");
    assert_eq!(stage.phase(), Phase::Playing);
    stage
}

fn is_out(stage: &Sitting, name: &str) -> bool {
    stage.table().chair(stage.seat(name)).is_some_and(|chair| chair.retired)
}

fn records(outputs: &[Output]) -> Vec<Arc<TableRecord>> {
    let record = |output: &Output| match output {
        Output::TableRecord(entry) => Some(entry.record.clone()),
        _ => None,
    };
    outputs.iter().filter_map(record).collect()
}

#[test]
fn who_was_away_when_the_server_died_is_away_since_then() {
    let mut stage = held();
    stage.handle(Input::Gone(ANN));
    stage.pass(40_000);
    stage.act(BOB);
    // No player pays for the time it was down.
    stage.now = stage.now + 3_600_000;
    stage.restart();
    stage.pass(19_999);
    assert!(!is_out(&stage, "ann"));
    stage.pass(1);
    assert!(is_out(&stage, "ann"));
}

#[test]
fn who_was_here_when_the_server_died_has_its_whole_window_also_over_two_restarts() {
    let mut stage = held();
    stage.act(BOB);
    stage.pass(40_000);
    stage.restart();
    stage.pass(30_000);
    assert!(!is_out(&stage, "ann"));
    // Half a minute is gone, as far as anything was written down since.
    stage.join(ConnId(3), "cy");
    stage.restart();
    stage.pass(29_999);
    assert!(!is_out(&stage, "ann"));
    stage.pass(1);
    assert!(is_out(&stage, "ann"));
}

#[test]
fn a_restart_leaves_at_least_the_grace() {
    let mut stage = Sitting::new(Policy { turn_ms: None, resume_grace_ms: 30_000, ..policy() });
    stage.join_via(ANN, "ann", HOUSE_WIRE);
    stage.join(BOB, "bob");
    stage.handle(Input::Gone(ANN));
    stage.pass(59_000);
    stage.act(BOB);
    stage.restart();
    stage.pass(29_999);
    assert!(!is_out(&stage, "ann"));
}

#[test]
fn coming_back_is_written_down_once() {
    let mut stage = held();
    let token = stage.join_via(ConnId(3), "cy", HOUSE_WIRE).expect("a token");
    stage.handle(Input::Gone(ConnId(3)));
    assert!(matches!(*records(&stage.outputs)[0], TableRecord::Away { .. }));
    for (conn, expected) in [(4, 1), (5, 0)] {
        let resume = Command::Resume(Credential::Token(token.clone()));
        stage.handle(Input::Said(ConnId(conn), resume));
        let back = |record: &&Arc<TableRecord>| matches!(***record, TableRecord::Back { .. });
        assert_eq!(records(&stage.outputs).iter().filter(back).count(), expected);
    }
}

#[test]
fn a_move_says_how_long_it_took_and_what_was_refused_before() {
    let mut stage = held();
    stage.act(BOB);
    stage.pass(700);
    for _ in 0..2 {
        stage.handle(Input::Said(ANN, Command::act::<Sums>(0, 99)));
    }
    stage.act(ANN);
    let made = records(&stage.outputs);
    match &*made[0] {
        TableRecord::Moved { ms: Some(700), refused: 2, how: How::Made, .. } => {}
        other => panic!("{other:?}"),
    }
    // A new turn begins with nothing refused.
    stage.pass(5);
    stage.act(ANN);
    match &*records(&stage.outputs)[0] {
        TableRecord::Moved { ms: Some(5), refused: 0, .. } => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_start_says_what_it_was_dealt_from_and_the_opening_what_it_promised() {
    let mut stage = Sitting::new(policy());
    stage.join(ANN, "ann");
    let opened = stage.table().opened().clone();
    let promise = opened.promise.as_ref().expect("a promise");
    assert!(promise.is_kept("sums", &opened.id, &opened.seed));
    let company = |output: &Output| match output.answer()? {
        (_, Answer::Joined(joined)) => joined.company.commitment.clone(),
        _ => None,
    };
    let told = stage.outputs.iter().find_map(company);
    assert_eq!(told.as_ref(), Some(&promise.commitment));
    stage.join(BOB, "bob");
    let started = records(&stage.outputs);
    let started = started.iter().find_map(|record| match &**record {
        TableRecord::Started { seed, .. } => Some(*seed),
        _ => None,
    });
    assert_eq!(started, Some(Some(opened.seed)));
}

/// Whether members learn whose move is expected is decided in one place: where it is a secret, no
/// one learns that a player has moved.
#[test]
fn games_that_hide_whose_move_is_expected_do_not_reveal_it() {
    for (hides_owed, heard) in [(false, 2), (true, 0)] {
        let mut stage = Sitting::new(Policy { hides_owed, turn_ms: None, ..policy() });
        stage.join_via(ANN, "ann", HOUSE_WIRE);
        stage.join_via(BOB, "bob", HOUSE_WIRE);
        stage.act(ANN);
        let waiting = |(_, event): &(_, Event)| matches!(event, Event::Waiting(_));
        assert_eq!(stage.events().filter(waiting).count(), heard, "{:?}", stage.outputs);
    }
}
