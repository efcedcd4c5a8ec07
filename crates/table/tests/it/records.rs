//! A table is the fold of its records: a finished game can be checked, and a changed record is
//! noticed. (The kit compares the fold with the live table after every single input.)

use table::TableInput;

use crate::kit::{ANN, BOB, Desk, policy};

fn finished() -> Desk {
    let mut desk = Desk::playing(policy());
    for _ in 0..3 {
        desk.bid(ANN, 2);
        desk.bid(BOB, 1);
    }
    assert_eq!(desk.points(), [6, 3]);
    desk
}

#[test]
fn a_finished_game_verifies() {
    assert_eq!(finished().verify(), Ok(()));
}

#[test]
fn a_changed_bid_or_result_does_not_verify() {
    let desk = finished();
    let error = desk.verify_altered(|line| line.replace(r#""action":2"#, r#""action":3"#));
    assert!(error.is_err());
    let error = desk.verify_altered(|line| line.replace(r#""points":6"#, r#""points":7"#));
    assert!(error.is_err());
    assert_eq!(desk.verify_altered(|line| line), Ok(()));
}

#[test]
fn a_running_game_does_not_verify() {
    let desk = Desk::playing(policy());
    assert_eq!(desk.verify(), Err("the records end before the game does".to_owned()));
}

#[test]
fn a_table_is_closed_once() {
    let mut desk = finished();
    desk.handle(TableInput::Closed("again".to_owned()));
    desk.handle(TableInput::Left(ANN));
    desk.pass(100_000);
    assert_eq!(desk.recorded("closed").len(), 1);
}

#[test]
fn unreadable_records_are_refused_with_their_place() {
    let desk = finished();
    let error = desk.verify_altered(|line| line.replace(r#""moved""#, r#""mooved""#));
    let error = error.expect_err("there is no such record");
    assert!(error.starts_with("record 5 cannot be read"), "{error}");
}
