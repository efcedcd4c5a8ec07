//! What an organiser can set, and what both ports promise.

use serde_json::{Map, Value, json};
use wire::{Framing, Playable, overlay};

use super::super::{Labyrinth, Options, TurnOrder};

fn changed(key: &str, value: Value) -> Result<Options, String> {
    let changes: Map<String, Value> = [(key.to_owned(), value)].into_iter().collect();
    overlay::<Labyrinth>(&Options::default(), &changes)
}

fn refused(key: &str, value: Value, fragment: &str) {
    let why = changed(key, value)
        .and_then(|options| Labyrinth::terms(&options).map(|_| ()))
        .expect_err(fragment);
    assert!(why.contains(fragment), "{why}");
}

#[test]
fn the_defaults_are_the_documents() {
    let options = Options::default();
    assert_eq!((options.players, options.gather_ms, options.turn_timeout_ms), (2, 5000, 10_000));
    assert_eq!(options.config.max_rounds, 1000);
    assert_eq!(options.config.turn_order, TurnOrder::Join);
    let policy = Labyrinth::terms(&options).unwrap().policy;
    assert_eq!((policy.seats, policy.turn_ms), (2, Some(10_000)));
    let endless = changed("turn_timeout_ms", json!(0)).unwrap();
    assert_eq!(Labyrinth::terms(&endless).unwrap().policy.turn_ms, None);
}

/// "None within 5 s: close without an answer"; "the server waits 2 s for the name"; "inbound limit
/// 64 KiB per value".
#[test]
fn each_port_has_its_limits() {
    let limits: Vec<_> = Labyrinth::dialects()
        .iter()
        .map(|dialect| (dialect.name, dialect.default_port, dialect.first_message_ms))
        .collect();
    let expected = [("labyrinth", 7676, Some(5_000)), ("labyrinth-course", 7677, Some(2_000))];
    assert_eq!(limits, expected);
    for dialect in Labyrinth::dialects() {
        assert_eq!(dialect.framing, Framing::JsonValues { max: 65_536 });
    }
}

#[test]
fn a_bad_value_is_named_with_what_is_allowed() {
    refused("players", json!(1), "players = 1: Labyrinth takes 2 to 9");
    refused("players", json!(10), "players = 10");
    refused("players", json!("two"), "labyrinth.players = \"two\"");
    refused("player", json!(2), "no option 'player'");
    refused("turn_order", json!("youngest"), "reverse-join");
    refused("size", json!([3, 3]), "size = [3, 3]");
    refused("goals", json!([{"row#": 9, "column#": 9}]), "(9, 9)");
    refused("colors", json!(["mauve"]), "mauve");
    refused(
        "house_bots",
        json!(["gauss"]),
        "no strategy 'gauss'; there are random, casual, pip, mika, otto, vera, euclid, riemann",
    );
    refused("state", json!({"board": 1}), "labyrinth.state");
}

/// A table needs as many entries as it has seats.
#[test]
fn a_state_is_an_option_like_any_other() {
    let drawing = "== two\ncrosses 5 5\nred 1,1 home 1,1 goal 3,3\nblue 1,3 home 1,3 goal 3,1\n";
    let state = super::known_text::cases(drawing)[0].state();
    let mut options = changed("state", json!(state)).unwrap();
    assert_eq!(options.config.state, Some(state));
    assert!(Labyrinth::terms(&options).is_ok());
    options.players = 3;
    let why = Labyrinth::terms(&options).expect_err("two entries for three seats");
    assert!(why.contains("3 players cannot start from a state with 2"), "{why}");
}
