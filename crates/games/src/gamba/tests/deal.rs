//! What a game begins with, and who may begin one.

use rules::{Game, Seat, SeatSet, Seed, SetupError};

use crate::gamba::{Config, Deal, Gamba};

fn dealt(deal: Deal) -> Gamba {
    Gamba::setup(&Config { deal }, 2, Seed::from_number(1)).unwrap()
}

fn sizes(game: &Gamba) -> [usize; 8] {
    [
        game.reserves[0].len(),
        game.hands[0].len(),
        game.reserves[1].len(),
        game.hands[1].len(),
        game.pile.len(),
        game.deck.len(),
        game.burned.len(),
        game.out_of_play.len(),
    ]
}

#[test]
fn the_guide_deals_three_and_three_and_leaves_forty_out() {
    let game = dealt(Deal::default());
    assert_eq!(sizes(&game), [3, 3, 3, 3, 0, 0, 0, 40]);
    assert_eq!(game.to_act(), SeatSet::of(Seat(0)));
}

#[test]
fn the_full_deck_has_a_starter_and_thirty_nine_to_draw() {
    let game = dealt(Deal::FullDeck);
    assert_eq!(sizes(&game), [3, 3, 3, 3, 1, 39, 0, 0]);
    assert_eq!(game.to_act(), SeatSet::of(Seat(0)));
}

/// Recorded games replay through this deal: if it changes, so must the version of the rules.
#[test]
fn the_deal_of_a_seed_is_known() {
    let game = dealt(Deal::FullDeck);
    let text = format!(
        "{} + {} | {} + {} | {}",
        game.hands[0], game.reserves[0], game.hands[1], game.reserves[1], game.pile
    );
    assert_eq!((text.as_str(), Gamba::VERSION), (KNOWN_DEAL, 1));
}

const KNOWN_DEAL: &str = "JH 7C QD + JD 9C 6D | 4D 3S 5D + 4C 4S 6C | 2D";

#[test]
fn a_starter_was_not_played_and_has_no_effect() {
    let mut seen = [false; 2];
    for number in 0..200 {
        let config = Config { deal: Deal::FullDeck };
        let game = Gamba::setup(&config, 2, Seed::from_number(number)).unwrap();
        assert!(!game.must_play_low && game.pile.len() == 1, "seed {number}");
        seen[0] |= game.pile[0].value() == 7;
        seen[1] |= game.pile[0].value() == 10;
    }
    assert_eq!(seen, [true; 2], "no seed began with a 7, or none with a 10");
}

#[test]
fn there_are_two_seats() {
    for seats in [0, 1, 3] {
        let refused = Gamba::setup(&Config::default(), seats, Seed::from_number(1));
        assert_eq!(refused, Err(SetupError(format!("Gamba has 2 seats, not {seats}"))));
    }
}

#[test]
fn the_configuration_names_what_is_allowed() {
    let read = serde_json::from_str::<Config>;
    assert_eq!(read("{}").unwrap().deal, Deal::Guide);
    assert_eq!(read(r#"{"deal":"guide"}"#).unwrap().deal, Deal::Guide);
    assert_eq!(read(r#"{"deal":"full-deck"}"#).unwrap().deal, Deal::FullDeck);
    let wrong = read(r#"{"deal":"half"}"#).unwrap_err().to_string();
    assert!(wrong.contains("`half`") && wrong.contains("`guide` or `full-deck`"), "{wrong}");
    let unknown = read(r#"{"cards":1}"#).unwrap_err().to_string();
    assert!(unknown.contains("`cards`") && unknown.contains("`deal`"), "{unknown}");
}
