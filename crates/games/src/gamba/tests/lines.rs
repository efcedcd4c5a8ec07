//! Lines, byte for byte, for states no rehearsal can reach: the guide prints some that its own
//! deal does not allow.

use hall::{Company, Member};
use rules::{Seat, Viewer};

use super::cards;
use crate::gamba::{Cards, Deal, Ending, Ranks, Reason, SeatView, View, lines};

fn company() -> Company {
    let member =
        |name: &str| Some(Member { name: name.into(), present: true, ..Member::default() });
    Company {
        table: "ROOM_1".into(),
        seats: vec![member("Alice"), member("Bob")],
        ..Company::default()
    }
}

/// Alice's view on her turn: her hand and reserves, and how many cards of each Bob has.
fn view(hand: &str, reserves: usize, bob: (usize, usize), pile: &str) -> View {
    let hand: Cards = cards(hand);
    let seat =
        |hand_size, hand, reserves| SeatView { hand_size, hand, reserves, reserve_cards: None };
    View {
        viewer: Viewer::Seat(Seat(0)),
        deal: Deal::Guide,
        turns_played: 9,
        to_act: Some(Seat(0)),
        pile: cards(pile),
        must_play_low: false,
        fits: Ranks::EMPTY,
        deck_size: 0,
        burned: Cards::EMPTY,
        seats: [seat(hand.len(), Some(hand), reserves), seat(bob.0, None, bob.1)],
        news: Vec::new(),
        ending: None,
    }
}

#[test]
fn the_guides_state_after_a_seven() {
    let mut view = view("2D 3H KS", 3, (2, 3), "3S 4S 5S 6S 7H");
    view.must_play_low = true;
    assert_eq!(
        lines::game_state(&company(), Seat(0), &view),
        "106|Alice|ROOM_1|current_player=Alice|deck_size=0|discard_pile_size=5|hand=2D,3H,KS|\
         must_play_low=true|opponent_hand=2|opponent_name=Bob|opponent_reserves=3|reserves=3|\
         top_card=7H|your_turn=true"
    );
}

#[test]
fn the_guides_state_with_an_empty_hand() {
    let view = view("", 1, (0, 1), "3S 4S 5S 6S 7H 8H 9H 10D");
    assert_eq!(
        lines::game_state(&company(), Seat(0), &view),
        "106|Alice|ROOM_1|current_player=Alice|deck_size=0|discard_pile_size=8|hand=|\
         must_play_low=false|opponent_hand=0|opponent_name=Bob|opponent_reserves=1|reserves=1|\
         top_card=10D|your_turn=true"
    );
}

#[test]
fn a_drawn_game_names_no_winner() {
    let mut view = view("2D", 0, (1, 0), "");
    view.to_act = None;
    view.ending = Some(Ending { winner: None, reason: Reason::TurnLimit });
    assert_eq!(
        lines::game_over("Alice", &company(), Some(&view)),
        "112|Alice|ROOM_1|winner=|reason=turn_limit|status=game_over"
    );
}
