//! The benchmarks that can be told from their result, not from the clock.

use std::process::Command;

use rules::Grade;
use serde_json::Value;

use crate::kit::{BINARY, Running, parlor};

#[test]
fn the_hunter_beats_the_random_bot_by_a_command_anybody_can_repeat() {
    let hundred = || {
        let arguments = ["--game", "subsim", "--games", "100", "--seed", "1", "--json"];
        let only = ["--strategies", "random,hunter"];
        let ended = parlor(&[&["bench", "strategies"], &arguments[..], &only].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let mut result: Value = serde_json::from_str(&ended.stdout).unwrap();
        let took = result["pairs"][0].as_object_mut().unwrap().remove("move_ms_p95").unwrap();
        assert_eq!(took.as_array().map(Vec::len), Some(2));
        result
    };
    let result = hundred();
    let pair = &result["pairs"][0];
    assert_eq!(pair["strategies"], serde_json::json!(["random", "hunter"]));
    assert_eq!(pair["games"], 100);
    assert!(pair["wins"][1].as_u64().unwrap() >= 90, "{pair}");
    assert!(pair["share_95"][0].as_f64().unwrap() > 0.8, "{pair}");
    assert_eq!(hundred(), result, "the same seed, the same games");
}

#[test]
fn every_pair_of_strategies_meets() {
    // Those that look far ahead take their time.
    let wires = games::list().iter().flat_map(|game| game.wires()).collect::<Vec<_>>();
    let quick =
        wires.iter().flat_map(|wire| &wire.strategies).filter(|kind| kind.grade < Grade::Strong);
    let quick = quick.map(|kind| kind.name).collect::<Vec<_>>().join(",");
    let ended = parlor(&["bench", "strategies", "--games", "2", "--strategies", &quick, "--json"]);
    let result: Value = serde_json::from_str(&ended.stdout).unwrap();
    let pairs = result["pairs"].as_array().unwrap();
    for game in games::list().names() {
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
    for game in games::list().names() {
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

#[test]
fn the_wire_benchmark_plays_every_game_and_says_all_it_promises() {
    for game in games::list().names() {
        let arguments = ["bench", "wire", "--game", game, "--tables", "3", "--seconds", "1"];
        let ended = parlor(&[&arguments[..], &["--json"]].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let result: Value = serde_json::from_str(&ended.stdout).unwrap();
        for key in ["messages_per_s", "bytes_per_connection", "echo_messages_per_s"] {
            assert!(result[key].as_f64().is_some_and(|value| value > 0.0), "{key}: {result}");
        }
        for key in ["games_per_s", "server_cpu_us_per_turn", "ratio_to_echo"] {
            assert!(result[key].is_number(), "{key}: {result}");
        }
        for key in ["p50", "p99", "p999"] {
            assert!(result["turn_latency_us"][key].is_number(), "{key}: {result}");
        }
    }
}

#[test]
fn the_idle_benchmark_tells_what_those_notice_who_play() {
    let arguments = ["bench", "idle", "--game", "gamba", "--connections", "50", "--tables", "2"];
    let ended = parlor(&[&arguments[..], &["--seconds", "1", "--json"]].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let result: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(result["connections"], 50);
    assert!(result["p99_ratio"].as_f64().is_some_and(|ratio| ratio > 0.0), "{result}");
}

#[test]
fn what_is_measured_does_not_depend_on_the_settings_of_another_server() {
    let arguments = ["bench", "idle", "--game", "gamba", "--connections", "5", "--tables", "2"];
    let mut command = Command::new(BINARY);
    command.args(arguments).args(["--seconds", "1", "--json"]);
    let ended = Running::spawn(command.env("PARLOR_SET", "gamba.no_such=1"), "").end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
}
