//! What a table refuses, and that a refusal changes nothing.

use rules::any::AnyAction;
use table::{CALLS, ConnId, HOUSE_WIRE, Policy, Refusal, Role, Start, TableInput};

use crate::bids::{Bids, Config};
use crate::kit::{ANN, BOB, CID, Desk, FIRST, Got, SECOND, policy};

/// Asserts that an input is refused, and that nothing was recorded or sent to others.
fn refused(desk: &mut Desk, conn: ConnId, input: TableInput) -> Refusal {
    for conn in [ANN, BOB, CID] {
        desk.take(conn);
    }
    let (records, owed) = (desk.records(), desk.owed());
    desk.handle(input);
    assert_eq!((desk.records(), desk.owed()), (records, owed), "a refusal changes nothing");
    for other in [ANN, BOB, CID].into_iter().filter(|other| *other != conn) {
        assert_eq!(desk.take(other), []);
    }
    match &desk.take(conn)[..] {
        [Got::Refused(refusal)] => refusal.clone(),
        other => panic!("not refused: {other:?}"),
    }
}

fn bid(desk: &mut Desk, conn: ConnId, seq: u64, bid: u8) -> Refusal {
    let action = AnyAction::new::<Bids>(bid);
    refused(desk, conn, TableInput::Acted { conn, seq, action })
}

#[test]
fn only_players_bid() {
    let mut desk = Desk::playing(policy());
    desk.watch(CID, Role::Spectator);
    assert_eq!(bid(&mut desk, CID, 0, 1), Refusal::NotSeated);
}

#[test]
fn no_bid_counts_before_the_start_or_after_the_end() {
    let mut desk = Desk::new(policy());
    desk.sit(ANN, FIRST, "ann");
    assert_eq!(bid(&mut desk, ANN, 0, 1), Refusal::NotStarted);
    desk.sit(BOB, SECOND, "bob");
    desk.handle(TableInput::Closed("enough".to_owned()));
    assert_eq!(bid(&mut desk, ANN, 0, 1), Refusal::AlreadyOver);
}

#[test]
fn a_bid_is_for_the_running_turn() {
    let mut desk = Desk::playing(policy());
    desk.bid(ANN, 1);
    desk.bid(BOB, 1);
    assert_eq!(bid(&mut desk, ANN, 0, 2), Refusal::Stale);
    assert_eq!(bid(&mut desk, ANN, 2, 2), Refusal::NoTurnYet(2));
}

#[test]
fn a_player_bids_once_per_turn() {
    let mut desk = Desk::playing(policy());
    desk.bid(ANN, 1);
    assert_eq!(bid(&mut desk, ANN, 0, 2), Refusal::AlreadyMoved);
    assert_eq!(bid(&mut desk, ANN, 0, 1), Refusal::AlreadyMoved);
}

#[test]
fn only_the_player_whose_turn_it_is_bids() {
    let config = Config { in_order: true, ..Config::default() };
    let mut desk = Desk::with(policy(), config).seated();
    assert_eq!(bid(&mut desk, BOB, 0, 1), Refusal::NotYourTurn);
    desk.bid(ANN, 1);
    assert_eq!(bid(&mut desk, ANN, 1, 1), Refusal::NotYourTurn);
}

#[test]
fn an_illegal_bid_is_refused_with_the_rules_reason_and_counted() {
    let mut desk = Desk::playing(policy());
    assert_eq!(bid(&mut desk, ANN, 0, 10), Refusal::Illegal("bids go up to 9".to_owned()));
    desk.handle(TableInput::Misspoke(ANN));
    desk.bid(ANN, 9);
    assert_eq!(desk.recorded("moved")[0]["refused"], 2);
    // The next turn starts counting from zero.
    desk.bid(BOB, 1);
    desk.bid(ANN, 9);
    assert_eq!(desk.recorded("moved")[2].get("refused"), None);
}

#[test]
fn over_the_json_protocol_the_same_bid_may_be_sent_twice() {
    for via in [HOUSE_WIRE, CALLS] {
        let mut desk = Desk::new(policy());
        desk.sit_via(ANN, FIRST, "ann", via);
        desk.sit(BOB, SECOND, "bob");
        desk.bid(ANN, 1);
        desk.take(ANN);
        desk.bid_in(0, ANN, 1);
        assert_eq!(desk.take(ANN), [Got::Accepted]);
        assert_eq!(bid(&mut desk, ANN, 0, 2), Refusal::AlreadyMoved);
        desk.bid(BOB, 1);
        desk.take(ANN);
        // The answer may have been lost together with the turn.
        desk.bid_in(0, ANN, 1);
        assert_eq!(desk.take(ANN), [Got::Accepted]);
        assert_eq!(desk.bids(FIRST), [1]);
    }
}

#[test]
fn the_start_is_called_by_a_player_and_only_when_there_are_enough() {
    let start = Start::OnCall { min: 2 };
    let mut desk = Desk::new(Policy { seats: 3, start, ..policy() });
    desk.watch(CID, Role::Spectator);
    desk.sit(ANN, FIRST, "ann");
    assert_eq!(refused(&mut desk, CID, TableInput::Called(CID)), Refusal::NotSeated);
    assert_eq!(refused(&mut desk, ANN, TableInput::Called(ANN)), Refusal::TooFewPlayers);
    desk.sit(BOB, SECOND, "bob");
    desk.handle(TableInput::Called(BOB));
    assert_eq!(refused(&mut desk, ANN, TableInput::Called(ANN)), Refusal::AlreadyStarted);
    desk.handle(TableInput::Closed("enough".to_owned()));
    assert_eq!(refused(&mut desk, ANN, TableInput::Called(ANN)), Refusal::AlreadyOver);
}

#[test]
fn only_players_are_ready() {
    let mut desk = Desk::new(policy());
    desk.watch(CID, Role::Spectator);
    assert_eq!(refused(&mut desk, CID, TableInput::Readied(CID)), Refusal::NotSeated);
}

#[test]
fn history_exists_while_a_game_is_running() {
    let mut desk = Desk::new(policy());
    desk.sit(ANN, FIRST, "ann");
    let ask = || TableInput::AskedHistory { conn: ANN, from: 0 };
    assert_eq!(refused(&mut desk, ANN, ask()), Refusal::NotStarted);
    desk.sit(BOB, SECOND, "bob");
    desk.handle(TableInput::Closed("enough".to_owned()));
    assert_eq!(refused(&mut desk, ANN, ask()), Refusal::AlreadyOver);
}

#[test]
fn a_client_that_would_time_out_is_refused_at_slow_tables() {
    let slow = Policy { too_slow_for: Some("old".to_owned()), turn_ms: Some(90_000), ..policy() };
    assert_eq!(slow.check_patience(None), Ok(()));
    assert_eq!(slow.check_patience(Some("new")), Ok(()));
    let refusal = slow.check_patience(Some("old")).expect_err("its clients wait a minute");
    assert_eq!(
        refusal.cause(),
        "This table has 90 seconds per move: longer than your client waits."
    );
}
