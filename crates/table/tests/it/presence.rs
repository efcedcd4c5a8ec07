//! What happens to a seat while its player is away.

use rules::Exit;
use table::{
    AwayInPlay, CALLS, Change, Closing, Dismissal, HOUSE_WIRE, Phase, Policy, Role, Start,
    TableInput, WayBack,
};

use crate::kit::{ANN, BOB, CID, DOT, Desk, FIRST, Got, SECOND, Wish, policy};

/// No clock runs but those that count an absence.
fn untimed(away_in_play: AwayInPlay) -> Policy {
    Policy { turn_ms: None, away_in_play, ..policy() }
}

#[test]
fn a_held_seat_is_played_by_the_clock_until_its_player_returns() {
    let mut desk = Desk::playing(policy());
    desk.disconnect(BOB);
    assert_eq!(desk.take(ANN), [Got::Company(Change::Away(SECOND, Exit::Lost))]);
    assert!(!desk.is_present(SECOND));
    desk.bid(ANN, 5);
    desk.pass(1000);
    assert_eq!((desk.seq(), desk.phase()), (1, Phase::Playing));

    desk.take(ANN);
    desk.reconnect(BOB, SECOND);
    assert!(desk.is_present(SECOND));
    assert_eq!(desk.take(ANN), [Got::Company(Change::Back(SECOND))]);
    let got = desk.take(BOB);
    assert_eq!(got[0], Got::Joined { seat: Some(SECOND), resumed: true });
    let Got::Update(seen) = &got[1] else { panic!("{got:?}") };
    assert_eq!((seen.seq, seen.catch_up, &*seen.view.sums), (1, true, &[5, 0][..]));
}

#[test]
fn a_player_who_leaves_is_out_of_the_game() {
    let mut desk = Desk::playing(policy());
    desk.handle(TableInput::Left(BOB));
    assert_eq!((desk.exit(FIRST), desk.exit(SECOND)), (None, Some(&Exit::Left)));
}

#[test]
fn where_absence_retires_a_disconnected_player_is_out_at_once() {
    let mut desk = Desk::playing(untimed(AwayInPlay::Retire));
    desk.bid(BOB, 5);
    desk.disconnect(BOB);
    assert_eq!(desk.exit(SECOND), Some(&Exit::Lost));
}

#[test]
fn a_bid_made_before_disconnecting_can_count() {
    let mut desk = Desk::playing(untimed(AwayInPlay::RetireAfterMove));
    desk.bid(BOB, 5);
    desk.disconnect(BOB);
    assert_eq!(desk.phase(), Phase::Playing);
    desk.bid(ANN, 3);
    assert_eq!((desk.points(), desk.exit(SECOND)), (vec![3, 5], Some(&Exit::Lost)));
}

#[test]
fn an_absent_player_is_retired_when_the_reconnect_window_ends() {
    let mut desk = Desk::playing(untimed(AwayInPlay::RetireAfter { ms: 5000 }));
    desk.disconnect(BOB);
    desk.pass(4999);
    assert_eq!(desk.phase(), Phase::Playing);
    desk.pass(1);
    assert_eq!(desk.exit(SECOND), Some(&Exit::Lost));
}

#[test]
fn reconnecting_in_time_starts_the_window_anew_the_next_time() {
    let mut desk = Desk::playing(untimed(AwayInPlay::RetireAfter { ms: 5000 }));
    for _ in 0..3 {
        desk.disconnect(BOB);
        desk.pass(4000);
        desk.reconnect(BOB, SECOND);
        desk.pass(4000);
    }
    assert_eq!(desk.phase(), Phase::Playing);
}

#[test]
fn a_house_bot_plays_for_an_absent_player_until_they_return() {
    let mut desk = Desk::playing(untimed(AwayInPlay::BotAfter { ms: 500 }));
    desk.disconnect(BOB);
    desk.pass(499);
    assert_eq!(desk.bot(SECOND), None);
    desk.pass(1);
    // Not the strongest one: being away must not pay.
    assert_eq!(desk.bot(SECOND), Some("middle"));
    desk.pass(0);
    desk.bid(ANN, 9);
    assert_eq!((desk.bids(SECOND), desk.seq()), (vec![4], 1));
    desk.reconnect(BOB, SECOND);
    assert_eq!(desk.bot(SECOND), None);
    desk.pass(0);
    assert!(desk.owed().contains(SECOND), "the player is to move, not the bot");
}

#[test]
fn before_the_start_a_seat_is_freed_at_once_or_after_its_time() {
    let waiting = |hold_waiting_ms| {
        let mut desk = Desk::new(Policy { hold_waiting_ms, ..policy() });
        desk.sit(ANN, FIRST, "ann");
        desk.disconnect(ANN);
        desk
    };
    assert_eq!(waiting(0).name(FIRST), None);
    let mut held = waiting(3000);
    held.pass(2999);
    assert_eq!(held.name(FIRST), Some("ann"));
    held.pass(1);
    assert_eq!(held.name(FIRST), None);
}

#[test]
fn the_token_of_a_freed_seat_is_forgotten() {
    let mut desk = Desk::new(policy());
    desk.sit(ANN, FIRST, "ann");
    desk.disconnect(ANN);
    assert!(matches!(desk.wishes[..], [Wish::Forget(_)]), "{:?}", desk.wishes);
}

#[test]
fn a_second_connection_takes_the_seat_from_the_first() {
    let mut desk = Desk::playing(policy());
    desk.reconnect(DOT, FIRST);
    assert_eq!(desk.take(ANN), [Got::Dismissed(Dismissal::Replaced)]);
    assert_eq!(desk.wishes, [Wish::Unbind(ANN)]);
    desk.bid(DOT, 1);
    assert_eq!(desk.bids(FIRST), [1]);
    // The older connection ends later, which says nothing about the player.
    desk.disconnect(ANN);
    assert!(desk.is_present(FIRST));
}

#[test]
fn calls_share_a_seat_and_are_never_away() {
    let mut desk = Desk::new(untimed(AwayInPlay::Retire));
    desk.sit_via(ANN, FIRST, "ann", CALLS);
    desk.sit(BOB, SECOND, "bob");
    desk.reconnect(DOT, FIRST);
    assert_eq!(desk.wishes, []);
    desk.disconnect(ANN);
    desk.disconnect(DOT);
    desk.pass(50_000);
    assert_eq!((desk.is_present(FIRST), desk.phase()), (true, Phase::Playing));
}

#[test]
fn a_seat_of_the_json_protocol_is_held_for_a_minute_in_every_game() {
    let mut desk = Desk::new(untimed(AwayInPlay::Retire));
    desk.sit_via(ANN, FIRST, "ann", HOUSE_WIRE);
    desk.sit(BOB, SECOND, "bob");
    desk.disconnect(ANN);
    desk.pass(59_999);
    assert_eq!(desk.phase(), Phase::Playing);
    desk.pass(1);
    assert_eq!(desk.exit(FIRST), Some(&Exit::Lost));
}

#[test]
fn a_game_that_all_players_have_left_is_closed() {
    let mut desk = Desk::playing(untimed(AwayInPlay::Hold));
    desk.disconnect(ANN);
    desk.disconnect(BOB);
    desk.pass(30_000);
    desk.reconnect(ANN, FIRST);
    desk.pass(90_000);
    assert_eq!(desk.phase(), Phase::Playing, "one player is enough");
    desk.disconnect(ANN);
    desk.pass(59_999);
    assert_eq!(desk.phase(), Phase::Playing);
    desk.pass(1);
    assert_eq!(desk.closing(), Some(&Closing::Void("all players have gone".to_owned())));
}

#[test]
fn a_crashed_program_is_out_at_once() {
    let mut desk = Desk::playing(untimed(AwayInPlay::Hold));
    desk.handle(TableInput::Crashed(SECOND));
    assert_eq!(desk.exit(SECOND), Some(&Exit::Crashed));
}

#[test]
fn a_spectator_coming_and_going_changes_nothing_about_the_game() {
    let mut desk = Desk::playing(policy());
    desk.watch(CID, Role::Spectator);
    desk.disconnect(CID);
    assert_eq!(desk.take(ANN), []);
    assert!(desk.is_present(FIRST) && desk.is_present(SECOND));
}

#[test]
fn after_a_restart_players_have_a_grace_period_to_return() {
    let away_in_play = AwayInPlay::RetireAfter { ms: 1000 };
    let desk = Desk::playing(Policy { resume_grace_ms: 5000, ..untimed(away_in_play) });
    let mut desk = desk.restarted_after(100);
    assert!(!desk.is_present(FIRST) && !desk.is_present(SECOND));
    desk.reconnect(ANN, FIRST);
    desk.pass(4999);
    assert_eq!(desk.phase(), Phase::Playing);
    desk.pass(1);
    assert_eq!((desk.exit(FIRST), desk.exit(SECOND)), (None, Some(&Exit::Lost)));
}

#[test]
fn a_restart_closes_a_game_that_cannot_be_rejoined() {
    let desk = Desk::playing(Policy { way_back: WayBack::None, ..policy() });
    let desk = desk.restarted_after(100);
    assert_eq!(desk.closing(), Some(&Closing::Void("the server was restarted".to_owned())));
}

#[test]
fn an_entrant_that_never_comes_is_out_and_the_other_wins() {
    let mut desk = Desk::of_tournament(policy(), &["ann", "bob"]);
    desk.sit(ANN, FIRST, "ann");
    desk.pass(9_999);
    assert_eq!(desk.phase(), Phase::Gathering);
    desk.pass(1);
    assert_eq!((desk.exit(FIRST), desk.exit(SECOND)), (None, Some(&Exit::NeverCame)));
    assert_eq!(desk.nobody_came(), None);
}

#[test]
fn a_tournament_game_without_players_has_no_result() {
    let mut desk = Desk::of_tournament(policy(), &["ann", "bob"]);
    desk.pass(10_000);
    assert!(matches!(desk.closing(), Some(Closing::Void(_))));
    assert_eq!(desk.nobody_came(), Some(&[Exit::NeverCame, Exit::NeverCame][..]));
}

#[test]
fn seats_are_numbered_by_arrival_where_the_start_says_so() {
    let start = Start::WhenGathered { min: 2, quiet_ms: 0 };
    let mut desk = Desk::new(Policy { seats: 3, start, ..policy() });
    desk.sit(BOB, rules::Seat(2), "bob");
    desk.sit(ANN, rules::Seat(1), "ann");
    desk.pass(0);
    assert_eq!((desk.name(FIRST), desk.name(SECOND)), (Some("bob"), Some("ann")));
    assert!(desk.is_present(FIRST) && desk.is_present(SECOND), "connections move along");
}
