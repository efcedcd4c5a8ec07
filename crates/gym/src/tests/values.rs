//! Values, positions of played games, and reviews.

use rules::Seed;

use crate::{from_replay, review, state};

/// A game of Gamba that a server has kept.
const REPLAY: &str = include_str!("gamba.jsonl");

#[test]
fn every_game_has_values_of_its_actions() {
    for name in crate::NAMES {
        let state = state(name, "{}", 2, Seed::from_number(3)).unwrap();
        let values = state.values(Some(8), 1).unwrap();
        assert!(!values.is_empty(), "{name}");
        assert!(values.iter().all(|one| (0.0..=1.0).contains(&one.value)), "{name}: {values:?}");
        assert_eq!(state.values(Some(8), 1).unwrap(), values, "{name}");
        assert!(state.values(Some(1), 1).is_err(), "{name}");
    }
}

#[test]
fn a_position_of_a_played_game_is_played_on() {
    let mut state = from_replay(REPLAY, 4).unwrap();
    assert_eq!(state.spec().game, "gamba");
    while let Some(seat) = state.to_play() {
        let code = state.legal_codes(seat)[0];
        state.apply(code).unwrap();
    }
    assert!(state.outcome().is_some());
    let far = from_replay(REPLAY, 10_000).err().unwrap().to_string();
    assert!(far.contains("the last turn of the game is"), "{far}");
    assert!(from_replay("no replay", 0).is_err());
}

#[test]
fn a_replay_file_is_reviewed() {
    let review = review(REPLAY, None, Some(16)).unwrap();
    assert_eq!(review.game, "gamba");
    assert!(!review.decisions.is_empty() && !review.line.is_empty());
}
