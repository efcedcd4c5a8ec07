//! What each viewer is shown, and what the news says.

use rules::{Exit, Game, Move, Scene, Seat, Seed, Step, Viewer};

use super::{act, card, cards, play};
use crate::gamba::{Action, Config, Gamba, News, Reason, Source, View};

const ZERO: Viewer = Viewer::Seat(Seat(0));
const ONE: Viewer = Viewer::Seat(Seat(1));

/// Seat 0 holds `hand` and a four, seat 1 a six and an eight.
fn game(hand: &str, pile: &str) -> Gamba {
    let mut game = Gamba::setup(&Config::default(), 2, Seed::from_number(0)).unwrap();
    game.hands = [cards(hand), cards("6S")];
    game.reserves = [cards("4C"), cards("8C")];
    game.pile = cards(pile);
    game
}

fn picture(view: &View) -> String {
    Gamba::picture(&Scene::of(view, &["Ann", "Bob"]))
}

#[test]
fn a_seat_sees_its_hand_and_counts_of_the_rest() {
    let mut game = game("2H AS", "9C QD");
    act(&mut game, play("2H"));
    let view = game.view(ZERO);
    assert_eq!(view.seats[0].hand, Some(cards("AS")));
    assert_eq!((view.seats[1].hand, view.seats[1].hand_size), (None, 1));
    assert_eq!((view.seats[0].reserves, view.seats[0].reserve_cards), (1, None));
    assert_eq!((view.top(), view.to_act), (Some(card("2H")), Some(Seat(1))));
    assert_eq!(
        picture(&view),
        "Ann played 2H\ntop card 2H\npile     9C QD 2H\n\
         \x20 Ann  1 reserve, hand AS\n> Bob  1 reserve, 1 card in hand\n"
    );
}

#[test]
fn the_public_sees_hands_only_when_the_game_is_over() {
    let mut game = game("", "3H");
    let before = game.view(Viewer::Public);
    assert!(before.seats.iter().all(|seat| seat.hand.is_none() && seat.reserve_cards.is_none()));
    act(&mut game, Action::Reserve);
    let after = game.view(Viewer::Public);
    assert_eq!(
        picture(&after),
        "Ann played 4C from the reserve\nAnn won: no cards left\ntop card 4C\npile     3H 4C\n\
         \x20 Ann  0 reserves, 0 cards in hand\n  Bob  reserves 8C, hand 6S\n"
    );
}

/// `replay` used to show hands only when the game was over.
#[test]
fn a_full_view_shows_both_hands_and_the_unplayable_cards() {
    let mut game = game("", "9C QD");
    act(&mut game, Action::Reserve);
    let seat_views = [game.view(ZERO), game.view(ONE)];
    let view = &game.view(Viewer::Public);
    let names = &["Ann", "Bob"];
    let shown = Gamba::picture(&Scene { view, seat_views: &seat_views, names });
    assert_eq!(
        shown,
        "Ann could not play the reserve 4C and picked up 2 cards\npile     empty\n\
         \x20 Ann  0 reserves, hand 4C 9C QD\n> Bob  1 reserve, hand 6S\n"
    );
}

#[test]
fn a_failed_reserve_is_known_to_its_seat_alone() {
    let mut game = game("", "9C QD");
    act(&mut game, Action::Reserve);
    let news = |viewer| game.view(viewer).news;
    let failed = |card| vec![News::ReserveFailed { seat: Seat(0), card, taken: 2 }];
    assert_eq!(news(ZERO), failed(Some(card("4C"))));
    assert_eq!(news(ONE), failed(None));
    assert_eq!(news(Viewer::Public), failed(None));
}

#[test]
fn the_news_tells_what_a_play_did() {
    let mut burning = game("10H 5D", "9C QD");
    burning.deck = cards("AC AD AH");
    act(&mut burning, play("10H"));
    let (seat, from) = (Seat(0), Source::Hand);
    assert_eq!(
        burning.view(ONE).news,
        [News::Played { seat, cards: cards("10H"), from, burned: 3, drawn: 2 }]
    );
    let mut taking = game("10H 5D", "9C QD");
    act(&mut taking, Action::PickUp);
    assert_eq!(taking.view(ONE).news, [News::PickedUp { seat, taken: 2 }]);
}

#[test]
fn a_view_judges_as_the_game_does() {
    let game = game("5D 10H", "9C");
    let view = game.view(ZERO);
    for action in [play("5D"), play("10H"), play("6S"), Action::Reserve, Action::PickUp] {
        assert_eq!(view.check(&action), game.check(Seat(0), &action), "{action:?}");
    }
    for other in [game.view(ONE), game.view(Viewer::Public)] {
        assert!(other.check(&Action::PickUp).is_err(), "{:?} is not to act", other.viewer);
    }
    assert!(game.check(Seat(1), &Action::PickUp).is_err());
}

#[test]
fn silence_picks_up_or_plays_the_oldest_card() {
    for (hand, pile, expected) in [
        ("5D 10H", "9C", Action::PickUp),
        ("5D 10H", "", play("5D")),
        ("", "9C", Action::PickUp),
        ("", "", Action::Reserve),
    ] {
        let action = game(hand, pile).default_action(Seat(0));
        assert_eq!(action, Some(expected), "hand {hand:?}, pile {pile:?}");
    }
}

#[test]
fn the_last_card_wins_even_if_the_other_leaves_in_that_turn() {
    let mut game = game("", "3H");
    let moves = [(Seat(0), Move::Act(Action::Reserve)), (Seat(1), Move::Retire(Exit::Left))];
    game.advance(Step::Turn(&moves));
    let ending = game.view(ZERO).ending.unwrap();
    assert_eq!((ending.winner, ending.reason), (Some(Seat(0)), Reason::NoCardsRemaining));
    assert_eq!(game.outcome().unwrap().standings[1].exit, Some(Exit::Left));
}

#[test]
fn a_departure_makes_the_other_win_and_is_the_only_news() {
    let mut game = game("5D 6D", "");
    act(&mut game, play("5D"));
    game.advance(Step::Departure(&[(Seat(0), Exit::TimedOut)]));
    let view = game.view(ONE);
    assert_eq!(view.news, [News::Retired { seat: Seat(0), exit: Exit::TimedOut }]);
    let told = picture(&view);
    assert!(told.starts_with("Ann is out: timed out\nBob won: the opponent is out\n"), "{told}");
}

#[test]
fn nobody_wins_when_both_go_at_once() {
    let mut game = game("5D 6D", "");
    game.advance(Step::Departure(&[(Seat(0), Exit::Left), (Seat(1), Exit::TimedOut)]));
    let ending = game.view(Viewer::Public).ending.unwrap();
    assert_eq!((ending.winner, ending.reason), (None, Reason::Retirement));
    let outcome = game.outcome().unwrap();
    assert_eq!((outcome.standings[0].place, outcome.standings[1].place), (1, 1));
}
