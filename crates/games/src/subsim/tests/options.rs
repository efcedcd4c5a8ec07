//! What an organiser can set, from text to terms.

use ::wire::{Playable, overlay};
use hall::{Start, Terms};
use serde_json::json;

use super::super::{Options, SubSim};

fn terms(changes: &serde_json::Value) -> Result<Terms, String> {
    let changes = changes.as_object().expect("changes are an object");
    overlay::<SubSim>(&Options::default(), changes).and_then(|options| SubSim::terms(&options))
}

#[test]
fn the_defaults_let_whoever_comes_play() {
    let terms = terms(&json!({})).unwrap();
    assert_eq!(terms.policy.seats, 64);
    assert_eq!(terms.policy.start, Start::WhenGathered { min: 2, quiet_ms: 3000 });
    assert_eq!(terms.policy.turn_ms, Some(10_000));
    assert_eq!(terms.config.of::<SubSim>().unwrap().max_turns, 1000);
}

#[test]
fn options_reach_the_table() {
    let terms = terms(&json!({
        "min_players": 3, "max_players": 5, "gather_ms": 100, "turn_timeout_ms": 0,
        "sub": {"0": {"max_shields": 7}}, "map_size": [30, 12],
    }))
    .unwrap();
    assert_eq!(terms.policy.seats, 5);
    assert_eq!(terms.policy.start, Start::WhenGathered { min: 3, quiet_ms: 100 });
    assert_eq!(terms.policy.turn_ms, None);
    let kinds = serde_json::to_value(&terms.config.of::<SubSim>().unwrap().sub).unwrap();
    assert_eq!(kinds, json!({"0": {"max_shields": 7}}));
}

#[test]
fn a_complaint_names_the_value_and_what_is_allowed() {
    let cases = [
        (json!({"min_players": 1}), "min_players is 1; allowed are 2 to 64"),
        (json!({"min_players": 65}), "min_players is 65; allowed are 2 to 64"),
        (
            json!({"min_players": 3, "max_players": 2}),
            "max_players is 2; allowed are 3 (min_players) to 64, or 0 for no limit",
        ),
        (
            json!({"max_players": 65}),
            "max_players is 65; allowed are 2 (min_players) to 64, or 0 for no limit",
        ),
        (json!({"max_turns": 99}), "max_turns is 99; allowed are 100 and more, or 0 for no limit"),
        (
            json!({"turn_timeout_ms": 499}),
            "turn_timeout_ms is 499; allowed are 500 and more, or 0 for no limit",
        ),
        (json!({"map_size": [9, 20]}), "map_size is [9, 20]; each side must be 10 to 200"),
        (json!({"subs_per_player": 21}), "subs_per_player is 21; allowed are 1 to 20"),
        (
            json!({"title": "a|b"}),
            "title is \"a|b\"; allowed are 1 to 20 printable ASCII characters without |",
        ),
        (json!({"title": " x"}), "title is \" x\"; it may not begin or end with a blank"),
        (
            json!({"sub": {"1": {"size": 60}}}),
            "sub.1 does not exist; the IDs of the submarines are 0 to 0",
        ),
        (
            json!({"house_bots": ["deep"]}),
            "house_bots: no strategy 'deep'; there are random, casual, pip, mika, otto, hunter, vera, sage, admiral, captain",
        ),
    ];
    for (changes, expected) in cases {
        assert_eq!(terms(&changes).unwrap_err(), expected, "{changes}");
    }
    for changes in [json!({"speed": 1}), json!({"title": ""}), json!({"sub": {"0": {"fuel": 1}}})] {
        assert!(terms(&changes).is_err(), "{changes}");
    }
}
