//! Who is shown what. Secrets leave a table only in the view of the player they belong to.

use rules::{SeatSet, Viewer};
use table::{
    Broadcast, Closing, Eyes, HOUSE_WIRE, Introduction, Phase, Policy, Refusal, Role, TableInput,
};

use crate::bids::FATAL;
use crate::kit::{ANN, BOB, CID, Desk, FIRST, Got, SECOND, Seen, Wish, policy};

/// Which secret numbers an update shows.
fn shown(seen: &Seen) -> Vec<bool> {
    seen.view.secrets.iter().map(Option::is_some).collect()
}

#[test]
fn players_see_their_own_secret_and_no_other() {
    let mut desk = Desk::new(policy());
    desk.watch(CID, Role::Spectator);
    desk.sit(ANN, FIRST, "ann");
    desk.sit(BOB, SECOND, "bob");
    for _ in 0..3 {
        desk.bid(ANN, 1);
        desk.bid(BOB, 1);
    }
    for (conn, expected) in [(ANN, [true, false]), (BOB, [false, true]), (CID, [false, false])] {
        let updates = desk.updates(conn);
        assert_eq!(updates.len(), 4, "{conn:?}: the start and three turns");
        assert!(updates.iter().all(|seen| shown(seen) == expected), "{conn:?}: {updates:?}");
    }
}

#[test]
fn an_organiser_sees_every_seats_view() {
    let mut desk = Desk::playing(policy());
    desk.watch(CID, Role::Organiser);
    desk.bid(ANN, 1);
    desk.bid(BOB, 1);
    let updates = desk.updates(CID);
    assert_eq!(updates.len(), 2, "on arrival, and the next turn");
    for seen in &updates {
        let secrets: Vec<bool> = seen
            .seat_views
            .iter()
            .zip([FIRST, SECOND])
            .map(|(view, seat)| view.secrets[seat.index()].is_some())
            .collect();
        assert_eq!(secrets, [true, true]);
    }
}

#[test]
fn spectators_of_a_delayed_game_see_nothing_before_its_end() {
    let mut desk = Desk::playing(Policy { broadcast: Broadcast::Delayed, ..policy() });
    desk.watch(CID, Role::Spectator);
    desk.bid(ANN, 1);
    desk.bid(BOB, 1);
    let got = desk.take(CID);
    assert!(!got.iter().any(|got| matches!(got, Got::Update(_) | Got::Waiting(_))), "{got:?}");
    desk.handle(TableInput::AskedHistory { conn: CID, from: 0 });
    assert_eq!(desk.refusal(CID), Some(Refusal::NotOver));
}

#[test]
fn members_learn_whose_move_is_expected_unless_the_game_hides_it() {
    for hides_owed in [false, true] {
        let mut desk = Desk::new(Policy { hides_owed, ..policy() });
        desk.sit_via(ANN, FIRST, "ann", HOUSE_WIRE);
        desk.sit_via(BOB, SECOND, "bob", HOUSE_WIRE);
        desk.watch(CID, Role::Spectator);
        for conn in [ANN, BOB, CID] {
            desk.take(conn);
        }
        desk.bid(BOB, 1);
        let waiting = Got::Waiting(SeatSet::of(FIRST));
        for conn in [ANN, BOB, CID] {
            assert_eq!(desk.take(conn).contains(&waiting), !hides_owed, "{conn:?}");
        }
        desk.bid(ANN, 1);
        let owed = if hides_owed { SeatSet::of(FIRST) } else { SeatSet::all(2) };
        assert_eq!(desk.updates(ANN)[0].owed, owed);
    }
}

#[test]
fn legal_moves_are_listed_on_request_to_the_player_who_is_to_move() {
    for (asks, hides_legal, listed) in [(true, false, 10), (false, false, 0), (true, true, 0)] {
        let mut desk = Desk::playing(Policy { hides_legal, ..policy() });
        desk.introduce(ANN, Introduction { legal: asks, ..Introduction::default() });
        desk.bid(ANN, 1);
        desk.bid(BOB, 1);
        let seen = &desk.updates(ANN)[0];
        assert_eq!(seen.legal.as_ref().map_or(0, Vec::len), listed);
        assert_eq!(desk.updates(BOB)[0].legal, None);
    }
}

#[test]
fn a_spectator_who_comes_late_is_caught_up() {
    let mut desk = Desk::playing(policy());
    desk.bid(ANN, 3);
    desk.bid(BOB, 1);
    desk.watch(CID, Role::Spectator);
    let updates = desk.updates(CID);
    assert_eq!(updates.len(), 1);
    assert_eq!((updates[0].seq, updates[0].catch_up), (1, true));
    assert_eq!(updates[0].view.sums, [3, 1]);
}

#[test]
fn a_bid_is_not_shown_before_the_turn_is_complete() {
    let mut desk = Desk::playing(policy());
    desk.bid(ANN, 3);
    desk.watch(CID, Role::Spectator);
    assert_eq!(desk.updates(CID)[0].view.sums, [0, 0]);
    assert_eq!(desk.updates(BOB), []);
}

#[test]
fn the_order_of_bids_within_a_turn_makes_no_difference() {
    let played = |order: [_; 2]| {
        let mut desk = Desk::playing(policy());
        for _ in 0..3 {
            order.into_iter().for_each(|(conn, bid)| desk.bid(conn, bid));
        }
        (desk.updates(ANN), desk.updates(BOB), desk.outcome().clone())
    };
    assert_eq!(played([(ANN, 2), (BOB, 5)]), played([(BOB, 5), (ANN, 2)]));
}

#[test]
fn the_end_is_sent_to_all_members_once() {
    let mut desk = Desk::playing(policy());
    desk.watch(CID, Role::Spectator);
    for _ in 0..3 {
        desk.bid(ANN, 2);
        desk.bid(BOB, 1);
    }
    let over = Got::Over { closing: Closing::Over(desk.outcome().clone()), last_views: Vec::new() };
    for conn in [ANN, BOB, CID] {
        let got = desk.take(conn);
        assert_eq!(got.iter().filter(|got| **got == over).count(), 1, "{conn:?}: {got:?}");
        assert_eq!(got.last(), Some(&over));
    }
}

#[test]
fn a_game_closed_in_the_middle_reveals_every_view() {
    let mut desk = Desk::playing(policy());
    desk.handle(TableInput::Closed("the power went out".to_owned()));
    let got = desk.take(ANN);
    let [Got::Over { closing, last_views }] = &got[..] else { panic!("{got:?}") };
    assert_eq!(*closing, Closing::Void("the power went out".to_owned()));
    assert!(last_views[0].secrets[0].is_some() && last_views[1].secrets[1].is_some());
}

#[test]
fn rules_that_panic_close_their_table_and_tell_its_members() {
    let mut desk = Desk::playing(policy());
    desk.bid(BOB, FATAL);
    desk.bid(ANN, 1);
    assert_eq!((desk.phase(), desk.is_broken()), (Phase::Closed, true));
    let Some(Closing::Void(why)) = desk.closing() else { panic!("{:?}", desk.closing()) };
    assert!(why.contains("the rules of bids are faulty"), "{why}");
    assert!(desk.take(BOB).iter().any(|got| matches!(got, Got::Over { .. })));
}

#[test]
fn members_may_see_again_what_was_sent_to_them() {
    let mut desk = Desk::playing(policy());
    desk.watch(CID, Role::Spectator);
    desk.watch(crate::kit::DOT, Role::Organiser);
    for (conn, eyes) in
        [(ANN, Eyes::Seat(FIRST)), (CID, Eyes::Public), (crate::kit::DOT, Eyes::All)]
    {
        desk.wishes.clear();
        desk.handle(TableInput::AskedHistory { conn, from: 0 });
        assert_eq!(desk.wishes, [Wish::Recall { conn, eyes, from: 0, until: 0 }]);
    }
}

#[test]
fn what_is_owed_is_hidden_from_all_but_the_player_concerned() {
    let mut desk = Desk::playing(Policy { hides_owed: true, ..policy() });
    desk.bid(ANN, 1);
    for (viewer, owed) in [
        (Viewer::Seat(FIRST), SeatSet::EMPTY),
        (Viewer::Seat(SECOND), SeatSet::of(SECOND)),
        (Viewer::Public, SeatSet::EMPTY),
    ] {
        assert_eq!(desk.owed_as_seen(viewer), owed, "{viewer:?}");
    }
}
