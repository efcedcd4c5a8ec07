//! Ratings against known answers, and what a fold must keep.

use proptest::prelude::*;
use tournament::{Rating, Ratings};

fn rated(games: &[&[(&str, u32)]]) -> Ratings {
    let mut ratings = Ratings::new();
    for game in games {
        ratings.apply(game);
    }
    ratings
}

#[track_caller]
fn near(rating: Option<Rating>, mean: f64, uncertainty: f64) {
    let rating = rating.expect("is rated");
    let off = (rating.mean - mean).abs().max((rating.uncertainty - uncertainty).abs());
    assert!(off < 1e-9, "{rating:?}, expected {mean} ± {uncertainty}");
}

/// With beta = 25/6 and both new, c² = 2·25²/9 + 2·25²/36, and everything can be done by hand: the
/// winner gains σ²/c/2, and both variances shrink by the factor 1 - σ³/c³/4.
#[test]
fn a_first_game_by_hand() {
    let ratings = rated(&[&[("Ann", 1), ("Ben", 2)]]);
    let (mean, deviation) = (25.0_f64, 25.0_f64 / 3.0);
    let c = (2.0 * deviation.powi(2) + 2.0 * (25.0_f64 / 6.0).powi(2)).sqrt();
    let gain = deviation.powi(2) / c / 2.0;
    let shrunk = deviation * (1.0 - (deviation / c).powi(3) / 4.0).sqrt();
    near(ratings.get("Ann"), mean + gain, shrunk);
    near(ratings.get("Ben"), mean - gain, shrunk);
    assert_eq!(ratings.get("Cid"), None);
}

/// A player that beats two equals at one table gains twice that, and its rating becomes twice as
/// certain.
#[test]
fn a_first_game_of_three_by_hand() {
    let ratings = rated(&[&[("Ann", 1), ("Ben", 2), ("Cid", 3)]]);
    let deviation = 25.0_f64 / 3.0;
    let c = (2.0 * deviation.powi(2) + 2.0 * (25.0_f64 / 6.0).powi(2)).sqrt();
    let gain = deviation.powi(2) / c;
    let shrunk = deviation * (1.0 - 2.0 * (deviation / c).powi(3) / 4.0).sqrt();
    near(ratings.get("Ann"), 25.0 + gain, shrunk);
    near(ratings.get("Ben"), 25.0, shrunk);
    near(ratings.get("Cid"), 25.0 - gain, shrunk);
}

/// What the Python package openskill gives (`BradleyTerryFull(tau=0)`).
#[test]
fn known_answers() {
    let two = rated(&[&[("Ann", 1), ("Ben", 2)]]);
    near(two.get("Ann"), 27.63523138347365, 8.065506316323548);
    near(two.get("Ben"), 22.36476861652635, 8.065506316323548);
    let four = rated(&[&[("Ann", 1), ("Ben", 2), ("Cid", 2), ("Dot", 4)]]);
    near(four.get("Ann"), 32.90569415042095, 7.5012190693964005);
    near(four.get("Ben"), 25.0, 7.5012190693964005);
    near(four.get("Cid"), 25.0, 7.5012190693964005);
    near(four.get("Dot"), 17.09430584957905, 7.5012190693964005);
}

#[test]
fn a_draw_of_equals_moves_no_mean() {
    let ratings = rated(&[&[("Ann", 1), ("Ben", 1), ("Cid", 1)]]);
    for name in ["Ann", "Ben", "Cid"] {
        let rating = ratings.get(name).unwrap();
        assert_eq!((rating.mean, rating.games), (25.0, 1));
        assert!(rating.uncertainty < Rating::default().uncertainty);
    }
}

#[test]
fn a_game_that_says_nothing_changes_nothing() {
    let ratings = rated(&[&[], &[("Ann", 1)], &[("Ann", 1), ("Ann", 2)]]);
    assert_eq!(ratings, Ratings::new());
}

#[test]
fn the_leaderboard_trusts_many_games_more_than_one() {
    let mut ratings = Ratings::new();
    ratings.apply(&[("Newcomer", 1), ("Loser", 2)]);
    for _ in 0..20 {
        ratings.apply(&[("Veteran", 1), ("Sparring", 2)]);
        ratings.apply(&[("Sparring", 1), ("Veteran", 2)]);
    }
    let board: Vec<String> = ratings.leaderboard().into_iter().map(|rated| rated.name).collect();
    let place = |name: &str| board.iter().position(|other| other == name).unwrap();
    assert!(place("Veteran") < place("Newcomer"), "{board:?}");
    assert_eq!(place("Loser"), 3, "{board:?}");
    let line = serde_json::to_value(&ratings.leaderboard()[0]).unwrap();
    assert_eq!(line["games"], 40);
    assert!(line["mean"].is_f64() && line["uncertainty"].is_f64(), "{line}");
}

#[test]
fn whoever_is_stronger_is_rated_higher() {
    let names = ["Ann", "Ben", "Cid", "Dot"];
    let mut ratings = Ratings::new();
    for number in 0..40_usize {
        // Mostly in order of strength, with an upset every fifth game.
        let mut places = [1, 2, 3, 4];
        if number % 5 == 0 {
            places.swap(number % 4, (number + 1) % 4);
        }
        let game: Vec<(&str, u32)> = names.iter().copied().zip(places).collect();
        ratings.apply(&game);
    }
    let board: Vec<String> = ratings.leaderboard().into_iter().map(|rated| rated.name).collect();
    assert_eq!(board, names);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The same games in the same order give the same bits, in whatever order players are listed.
    #[test]
    fn the_order_of_seats_does_not_matter(games in prop::collection::vec(
        prop::collection::btree_map(0_usize..8, 1_u32..5, 2..6), 1..40)) {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let (mut one, mut other) = (Ratings::new(), Ratings::new());
        for game in &games {
            let mut seats: Vec<(&str, u32)> =
                game.iter().map(|(&at, &place)| (names[at], place)).collect();
            one.apply(&seats);
            seats.reverse();
            other.apply(&seats);
        }
        for (one, other) in one.leaderboard().iter().zip(&other.leaderboard()) {
            prop_assert_eq!(&one.name, &other.name);
            prop_assert_eq!(one.rating.mean.to_bits(), other.rating.mean.to_bits());
            prop_assert_eq!(one.rating.uncertainty.to_bits(), other.rating.uncertainty.to_bits());
            prop_assert!(one.rating.mean.is_finite() && one.rating.uncertainty > 0.0);
        }
    }
}
