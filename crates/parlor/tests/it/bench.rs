//! The benchmarks that can be told from their result, not from the clock.

use serde_json::Value;

use crate::kit::parlor;

#[test]
fn the_hunter_beats_the_random_bot_by_a_command_anybody_can_repeat() {
    let arguments = ["bench", "strategies", "--game", "subsim", "--games", "100", "--seed", "1"];
    let ended = parlor(&[&arguments[..], &["--json"]].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let result: Value = serde_json::from_str(&ended.stdout).unwrap();
    let pair = &result["pairs"][0];
    assert_eq!(pair["strategies"], serde_json::json!(["random", "hunter"]));
    assert_eq!(pair["games"], 100);
    assert!(pair["wins"][1].as_u64().unwrap() >= 90, "{pair}");
    let again = parlor(&[&arguments[..], &["--json"]].concat());
    assert_eq!(again.stdout, ended.stdout, "the same seed, the same games");
}

#[test]
fn every_pair_of_strategies_meets() {
    let ended = parlor(&["bench", "strategies", "--games", "2", "--json"]);
    let result: Value = serde_json::from_str(&ended.stdout).unwrap();
    let pairs = result["pairs"].as_array().unwrap();
    for game in games::roster::GAMES {
        assert!(pairs.iter().any(|pair| pair["game"] == game && pair["games"] == 2), "{game}");
    }
    let ended = parlor(&["bench", "strategies", "--game", "chess"]);
    assert!(ended.stderr.contains("no game 'chess'; there are sushi-go"), "{}", ended.stderr);
}

#[test]
fn the_rules_benchmark_has_a_figure_for_every_game() {
    let ended = parlor(&["bench", "rules", "--seconds", "0", "--json"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let result: Value = serde_json::from_str(&ended.stdout).unwrap();
    for game in games::roster::GAMES {
        assert!(result[game]["moves_per_s"].as_f64().is_some_and(|rate| rate > 0.0), "{result}");
    }
    for (game, key) in [
        ("subsim", "turn_us"),
        ("subsim", "ping_200x200_us"),
        ("labyrinth", "enumerate_us"),
        ("labyrinth", "euclid_game_us"),
    ] {
        assert!(result[game][key].is_number(), "{game}.{key}: {result}");
    }
}
