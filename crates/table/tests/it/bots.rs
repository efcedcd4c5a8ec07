//! House bots: when they come, how they move, and what happens when they are late or broken.

use table::{AwayInPlay, Closing, Phase, Policy};

use crate::kit::{ANN, BOB, Desk, FIRST, SECOND, Wish, policy};

/// Ann plays against this house bot, which has not moved yet.
fn against(strategy: &str) -> Desk {
    seat_against(Desk::new(policy()), strategy)
}

fn seat_against(mut desk: Desk, strategy: &str) -> Desk {
    desk.sit(ANN, FIRST, "ann");
    desk.seat_bot(SECOND, strategy);
    assert_eq!(desk.phase(), Phase::Playing);
    desk
}

#[test]
fn bots_are_called_when_a_player_has_waited_long_enough() {
    let house_bots = vec!["low".to_owned()];
    let mut desk = Desk::new(Policy { house_bots, house_bots_after_ms: 2000, ..policy() });
    desk.pass(10_000);
    assert_eq!(desk.wishes, [], "no player is waiting");
    desk.sit(ANN, FIRST, "ann");
    desk.pass(1999);
    assert_eq!(desk.wishes, []);
    desk.pass(1);
    assert_eq!((&desk.wishes[..], desk.seats_for_bots()), (&[Wish::SeatBots][..], vec![SECOND]));
}

#[test]
fn a_bot_moves_in_every_turn_after_it_was_sent() {
    let mut desk = against("low");
    for turn in 0..3 {
        assert_eq!(desk.bids(SECOND).len(), turn);
        desk.pass(0);
        assert_eq!(desk.bids(SECOND).len(), turn + 1);
        desk.bid(ANN, 2);
    }
    assert_eq!(desk.points(), [6, 3]);
    assert!(desk.recorded("moved").iter().any(|record| record["how"] == "bot"));
}

#[test]
fn an_illegal_bid_of_a_bot_is_replaced_by_a_legal_one() {
    let mut desk = against("cheat");
    desk.pass(0);
    assert!(desk.bids(SECOND)[0] <= 9, "{:?}", desk.bids(SECOND));
}

#[test]
fn a_bot_that_panics_closes_its_table_without_a_result() {
    let mut desk = against("broken");
    desk.pass(0);
    let Some(Closing::Void(why)) = desk.closing() else { panic!("{:?}", desk.closing()) };
    assert!(why.contains("broken"), "{why}");
    assert!(desk.is_broken());
}

/// The same, with a bot that is asked elsewhere.
fn asking(strategy: &str) -> Desk {
    let mut desk = seat_against(Desk::new(policy()).thinking_elsewhere(), strategy);
    desk.pass(0);
    assert!(desk.is_asking_bots());
    desk
}

#[test]
fn an_answer_from_elsewhere_is_a_move_when_it_arrives() {
    let mut desk = asking("high");
    desk.pass(100);
    assert!(desk.bids(SECOND).is_empty());
    desk.think();
    assert_eq!(desk.bids(SECOND), [7]);
}

#[test]
fn a_weaker_strategy_moves_when_a_bot_takes_a_third_of_the_turn() {
    let mut desk = asking("high");
    desk.pass(332);
    assert!(desk.bids(SECOND).is_empty());
    desk.pass(1);
    assert_eq!(desk.bids(SECOND), [4]);
    desk.think();
    assert_eq!(desk.bids(SECOND), [4], "the late answer is dropped");
}

#[test]
fn a_weaker_strategy_moves_at_once_when_the_thinker_queue_is_full() {
    let mut desk = asking("high");
    desk.decline();
    assert_eq!(desk.bids(SECOND), [4]);
}

#[test]
fn a_bot_is_asked_once_per_turn() {
    let mut desk = asking("high");
    desk.question();
    desk.pass(300);
    assert!(!desk.is_asking_bots());
}

#[test]
fn an_answer_is_dropped_if_the_player_has_returned() {
    let away_in_play = AwayInPlay::BotAfter { ms: 500 };
    let mut desk = Desk::playing(Policy { away_in_play, turn_ms: None, ..policy() });
    desk = desk.thinking_elsewhere();
    desk.disconnect(BOB);
    desk.pass(500);
    assert_eq!(desk.bot(SECOND), Some("middle"));
    desk.pass(0);
    desk.reconnect(BOB, SECOND);
    desk.think();
    assert!(desk.bids(SECOND).is_empty());
    desk.bid(BOB, 6);
    assert_eq!(desk.bids(SECOND), [6]);
}

#[test]
fn a_table_of_bots_alone_plays_to_its_end() {
    let mut desk = Desk::new(policy());
    desk.seat_bot(FIRST, "low");
    desk.seat_bot(SECOND, "high");
    desk.pass(0);
    assert_eq!(desk.points(), [3, 21]);
}

#[test]
fn a_bot_continues_after_a_restart() {
    let mut desk = against("low");
    desk.pass(0);
    desk.bid(ANN, 2);
    let mut desk = desk.restarted_after(100);
    desk.reconnect(ANN, FIRST);
    desk.pass(0);
    assert_eq!(desk.bids(SECOND), [1, 1]);
}
