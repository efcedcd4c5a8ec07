//! What a round is worth, card by card.

use crate::tiger_dragon::{Battlefield, CARDS, Finish, Tile};

fn points(card: &str, before: Tile, last: Tile, face_down: u32, face_down_of_all: u32) -> u32 {
    let card = Battlefield::parse(card).unwrap_or_else(|why| panic!("{card}: {why}"));
    card.points(&Finish { last, before, face_down, face_down_of_all })
}

/// Points by last tile (1 to 8, then Dragon, Tiger) without a face-down tile, and with three of
/// the winner's own out of seven.
const KNOWN: &[(&str, [u32; 10], [u32; 10])] = &[
    ("dojo", [10, 2, 2, 3, 3, 3, 4, 4, 1, 1], [10, 5, 5, 6, 6, 6, 7, 7, 1, 1]),
    ("bamboo-grove", [10, 2, 3, 4, 4, 4, 3, 2, 1, 1], [10, 5, 6, 7, 7, 7, 6, 5, 1, 1]),
    ("volcano", [10, 4, 4, 3, 3, 3, 2, 2, 1, 1], [10, 10, 10, 9, 9, 9, 8, 8, 1, 1]),
    ("beach", [10, 3, 4, 3, 4, 3, 4, 3, 1, 1], [10, 6, 7, 6, 7, 6, 7, 6, 1, 1]),
    ("grassland", [10, 4, 3, 4, 3, 4, 3, 4, 1, 1], [10, 7, 6, 7, 6, 7, 6, 7, 1, 1]),
    ("clifftop", [10, 3, 3, 3, 3, 3, 3, 3, 1, 1], [10, 6, 6, 6, 6, 6, 6, 6, 1, 1]),
    ("storm", [10, 2, 5, 2, 2, 5, 2, 2, 1, 1], [10, 5, 8, 5, 5, 8, 5, 5, 1, 1]),
    ("swamp", [10, 2, 2, 5, 2, 2, 2, 5, 1, 1], [10, 5, 5, 8, 5, 5, 5, 8, 1, 1]),
    ("dense-fog", [10, 2, 3, 4, 5, 6, 7, 8, 1, 1], [10, 5, 6, 7, 8, 9, 10, 11, 1, 1]),
    ("cave", [10, 2, 2, 2, 2, 2, 2, 2, 1, 1], [10, 9, 9, 9, 9, 9, 9, 9, 1, 1]),
    // The tile before is an eight: the difference, and one point where there is none.
    ("game-market", [10, 6, 5, 4, 3, 2, 1, 1, 1, 1], [10, 9, 8, 7, 6, 5, 4, 3, 1, 1]),
    (
        "7,8: 4+bonus # as on the first card\n\n# no bonus here\n1,2,3,4,5,6 :2\nT,D:5 + bonus",
        [2, 2, 2, 2, 2, 2, 4, 4, 5, 5],
        [2, 2, 2, 2, 2, 2, 7, 7, 8, 8],
    ),
];

#[test]
fn every_card() {
    for (card, without, with) in KNOWN {
        let of = |own, all| Tile::ALL.map(|last| points(card, Tile::Eight, last, own, all));
        assert_eq!(of(0, 0), *without, "{card} without face-down tiles");
        assert_eq!(of(3, 7), *with, "{card} with three own face-down tiles of seven");
    }
    for card in CARDS {
        assert!(KNOWN.iter().any(|(name, ..)| *name == card.name), "{} is unknown", card.name);
    }
}

#[test]
fn the_game_market_pays_one_when_a_beast_came_before() {
    assert_eq!(points("game-market", Tile::Tiger, Tile::Eight, 2, 2), 1);
    assert_eq!(points("game-market", Tile::Two, Tile::Eight, 2, 2), 8);
}

#[test]
fn a_card_is_known_by_its_printed_name_too() {
    assert_eq!(Battlefield::parse("Bamboo grove").unwrap().name, "bamboo-grove");
    assert_eq!(Battlefield::parse(" Dense_Fog ").unwrap().name, "dense-fog");
}

/// Views say what a tile is worth, so that boards need no table for it.
#[test]
fn the_worths_shown_are_those_that_count() {
    for (card, ..) in KNOWN {
        let battlefield = Battlefield::parse(card).unwrap();
        for (tile, worth) in battlefield.worths() {
            for face_down in [0, 3] {
                let shown = worth.points + worth.bonus * face_down;
                assert_eq!(points(card, Tile::Eight, tile, face_down, 7), shown, "{card}: {tile}");
            }
        }
        let shown = battlefield.worths().len();
        assert_eq!(shown, if matches!(*card, "cave" | "game-market") { 3 } else { 10 }, "{card}");
    }
}
