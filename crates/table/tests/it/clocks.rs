//! Deadlines: when a game begins, when a turn runs out, when it is sent, when a table is given up.

use rules::{Exit, Seat};
use table::{AwayInPlay, Closing, Dismissal, Newcomer, Phase, Policy, Refusal, Start, TableInput};

use crate::bids::Config;
use crate::kit::{ANN, BOB, CID, Desk, FIRST, Got, SECOND, newcomer, policy};

#[test]
fn a_turn_that_runs_out_is_played_by_default() {
    let mut desk = Desk::playing(policy());
    desk.bid(ANN, 5);
    desk.pass(999);
    assert_eq!(desk.seq(), 0);
    desk.pass(1);
    assert_eq!(desk.seq(), 1);
    assert_eq!(desk.recorded("expired").len(), 1);
    assert_eq!(desk.updates(ANN)[0].view.sums, [5, 0]);
}

#[test]
fn where_silence_has_no_default_it_ends_the_game_for_that_player() {
    let config = Config { silence_bids: false, ..Config::default() };
    let mut desk = Desk::with(policy(), config).seated();
    desk.bid(ANN, 5);
    desk.pass(1000);
    assert_eq!((desk.exit(FIRST), desk.exit(SECOND)), (None, Some(&Exit::TimedOut)));
}

#[test]
fn silent_turns_in_a_row_retire_a_player() {
    let config = Config { turns: 10, ..Config::default() };
    let mut desk = Desk::with(Policy { strikes: 3, ..policy() }, config).seated();
    // The bid in the third turn ends the row.
    for bob in [None, None, Some(1), None, None, None] {
        assert_eq!(desk.phase(), Phase::Playing);
        desk.bid(ANN, 1);
        bob.into_iter().for_each(|bid| desk.bid(BOB, bid));
        desk.pass(1000 * u64::from(bob.is_none()));
    }
    assert_eq!(desk.exit(SECOND), Some(&Exit::TimedOut));
}

#[test]
fn silent_turns_of_the_whole_game_can_retire_a_player() {
    let config = Config { turns: 10, ..Config::default() };
    let mut desk = Desk::with(Policy { strikes_in_all: 2, ..policy() }, config).seated();
    for bob in [None, Some(1), Some(1), None] {
        assert_eq!(desk.phase(), Phase::Playing);
        desk.bid(ANN, 1);
        bob.into_iter().for_each(|bid| desk.bid(BOB, bid));
        desk.pass(1000 * u64::from(bob.is_none()));
    }
    assert_eq!(desk.exit(SECOND), Some(&Exit::TimedOut));
}

#[test]
fn players_who_strike_out_in_the_same_turn_go_together() {
    let mut desk = Desk::playing(Policy { strikes: 1, ..policy() });
    desk.pass(1000);
    assert_eq!(
        (desk.exit(FIRST), desk.exit(SECOND)),
        (Some(&Exit::TimedOut), Some(&Exit::TimedOut))
    );
}

#[test]
fn a_resolved_turn_is_held_back_at_the_tables_pace() {
    let mut desk = Desk::playing(Policy { pace_ms: 500, ..policy() });
    desk.pass(100);
    desk.bid(ANN, 1);
    desk.bid(BOB, 2);
    desk.take(ANN);
    desk.bid_in(0, ANN, 3);
    assert_eq!(desk.refusal(ANN), Some(Refusal::AlreadyMoved));
    desk.bid_in(1, ANN, 3);
    assert_eq!(desk.refusal(ANN), Some(Refusal::Stale));
    desk.pass(399);
    assert_eq!(desk.updates(ANN), []);
    desk.pass(1);
    let updates = desk.updates(ANN);
    assert_eq!(updates.len(), 1);
    assert_eq!((updates[0].seq, &*updates[0].view.sums), (1, &[1, 2][..]));
    assert_eq!(updates[0].deadline, Some(desk.now + 1000), "its clock starts when it is sent");
}

#[test]
fn a_player_who_reconnects_while_a_turn_is_held_back_gets_it_with_all_others() {
    let mut desk = Desk::playing(Policy { pace_ms: 500, ..policy() });
    desk.bid(ANN, 1);
    desk.bid(BOB, 2);
    desk.disconnect(BOB);
    desk.take(BOB);
    desk.reconnect(BOB, SECOND);
    assert_eq!(desk.updates(BOB), []);
    desk.pass(500);
    let updates = desk.updates(BOB);
    assert_eq!(updates.len(), 1);
    assert!(updates[0].catch_up);
}

#[test]
fn when_the_time_of_the_game_is_over_the_slowest_player_is_out() {
    let mut desk = Desk::playing(Policy { game_ms: Some(1500), turn_ms: None, ..policy() });
    desk.pass(100);
    desk.bid(ANN, 1);
    desk.pass(1399);
    assert_eq!(desk.phase(), Phase::Playing);
    desk.pass(1);
    assert_eq!((desk.exit(FIRST), desk.exit(SECOND)), (None, Some(&Exit::TimedOut)));
}

#[test]
fn the_clock_can_stop_while_the_player_to_move_is_away() {
    let away_in_play = AwayInPlay::RetireAfter { ms: 60_000 };
    let mut desk = Desk::playing(Policy { away_stops_clock: true, away_in_play, ..policy() });
    desk.pass(400);
    desk.disconnect(BOB);
    desk.pass(5000);
    assert_eq!(desk.seq(), 0);
    desk.reconnect(BOB, SECOND);
    desk.pass(599);
    assert_eq!(desk.seq(), 0);
    desk.pass(1);
    assert_eq!(desk.seq(), 1);
}

#[test]
fn time_the_server_lost_is_given_back() {
    let mut desk = Desk::playing(policy());
    desk.pass(600);
    desk.give_back(300);
    desk.pass(699);
    assert_eq!(desk.seq(), 0);
    desk.pass(1);
    assert_eq!(desk.seq(), 1);
}

#[test]
fn a_successor_continues_with_the_time_that_was_left() {
    let mut desk = Desk::playing(policy());
    desk.pass(600);
    let mut desk = desk.taken_over_after(5000, &[ANN, BOB]);
    assert!(desk.is_present(FIRST) && desk.is_present(SECOND));
    desk.bid(ANN, 5);
    desk.pass(399);
    assert_eq!(desk.seq(), 0);
    desk.pass(1);
    assert_eq!((desk.seq(), desk.bids(FIRST)), (1, vec![5]));
}

#[test]
fn a_full_table_starts_when_all_are_ready_or_after_its_grace() {
    let full = || {
        let start = Start::WhenFull { ready_grace_ms: 2000 };
        let mut desk = Desk::new(Policy { start, ..policy() });
        desk.sit(ANN, FIRST, "ann");
        desk.sit(BOB, SECOND, "bob");
        desk.ready(ANN);
        assert_eq!(desk.phase(), Phase::Gathering);
        desk
    };
    let mut desk = full();
    desk.ready(BOB);
    assert_eq!(desk.phase(), Phase::Playing);
    let mut desk = full();
    desk.pass(1999);
    assert_eq!(desk.phase(), Phase::Gathering);
    desk.pass(1);
    assert_eq!(desk.phase(), Phase::Playing);
}

#[test]
fn a_newcomer_postpones_the_start_of_a_gathering_table() {
    let start = Start::WhenGathered { min: 2, quiet_ms: 3000 };
    let mut desk = Desk::new(Policy { seats: 4, start, ..policy() });
    desk.sit(ANN, FIRST, "ann");
    desk.pass(10_000);
    assert_eq!(desk.phase(), Phase::Gathering);
    desk.sit(BOB, SECOND, "bob");
    desk.pass(2000);
    desk.sit(CID, Seat(2), "cid");
    desk.pass(2999);
    assert_eq!(desk.phase(), Phase::Gathering);
    desk.pass(1);
    assert_eq!(desk.phase(), Phase::Playing);
    assert_eq!(desk.recorded("started")[0]["order"], serde_json::json!([0, 1, 2]));
}

#[test]
fn a_player_can_call_the_start() {
    let mut desk = Desk::new(Policy { seats: 3, start: Start::OnCall { min: 2 }, ..policy() });
    desk.sit(ANN, FIRST, "ann");
    desk.sit(BOB, SECOND, "bob");
    desk.pass(10_000);
    assert_eq!(desk.phase(), Phase::Gathering);
    desk.handle(TableInput::Called(ANN));
    assert_eq!(desk.phase(), Phase::Playing);
}

#[test]
fn a_program_that_has_to_pause_postpones_the_start() {
    let mut desk = Desk::new(policy());
    let rests_until = Some(desk.now + 700);
    desk.sit_as(ANN, FIRST, Newcomer { rests_until, ..newcomer("ann") });
    desk.sit(BOB, SECOND, "bob");
    desk.pass(699);
    assert_eq!(desk.phase(), Phase::Gathering);
    desk.pass(1);
    assert_eq!(desk.phase(), Phase::Playing);
}

#[test]
fn a_table_that_waits_too_long_is_closed_and_says_why() {
    let mut desk = Desk::new(policy());
    desk.pass(30_000);
    desk.sit(ANN, FIRST, "ann");
    desk.take(ANN);
    desk.pass(59_999);
    assert_eq!(desk.phase(), Phase::Gathering);
    desk.pass(1);
    let why = "the table waited too long for players".to_owned();
    assert_eq!(desk.closing(), Some(&Closing::Void(why.clone())));
    assert_eq!(desk.take(ANN), [Got::Dismissed(Dismissal::TableClosed(why))]);
}

#[test]
fn a_closed_table_has_no_deadlines() {
    let mut desk = Desk::playing(Policy { game_ms: Some(9000), ..policy() });
    desk.handle(TableInput::Left(ANN));
    assert_eq!((desk.phase(), desk.deadline()), (Phase::Closed, None));
}
