//! What an organiser may set, and what is refused.

use hall::{AwayInPlay, Terms};
use serde_json::{Value, json};
use wire::{Playable, overlay};

use crate::gamba::{Deal, Gamba};

fn terms(changes: Value) -> Result<Terms, String> {
    let Value::Object(changes) = changes else { panic!("options are an object") };
    Gamba::terms(&overlay::<Gamba>(&Default::default(), &changes)?)
}

#[test]
fn the_defaults_are_the_guides() {
    let terms = terms(json!({})).unwrap();
    assert_eq!(terms.config.of::<Gamba>().unwrap().deal, Deal::Guide);
    assert_eq!(terms.policy.heartbeat_ms, Some(60_000));
    assert_eq!(terms.policy.away_in_play, AwayInPlay::RetireAfter { ms: 120_000 });
    assert_eq!(terms.policy.turn_ms, Some(60_000));
    assert!(terms.policy.away_stops_clock);
    assert!(terms.policy.house_bots.is_empty());
}

#[test]
fn everything_can_be_set() {
    let terms = terms(json!({
        "deal": "full-deck",
        "ping_timeout_s": 0,
        "reconnect_window_s": 2,
        "turn_timeout_s": 30,
        "house_bots": ["thrifty"],
    }))
    .unwrap();
    assert_eq!(terms.config.of::<Gamba>().unwrap().deal, Deal::FullDeck);
    assert_eq!(terms.policy.heartbeat_ms, None);
    assert_eq!(terms.policy.away_in_play, AwayInPlay::RetireAfter { ms: 2000 });
    assert_eq!(terms.policy.turn_ms, Some(30_000));
    assert_eq!(terms.policy.house_bots, ["thrifty"]);
}

#[test]
fn refusals_name_the_value_and_what_is_allowed() {
    let refusals = [
        (
            json!({"reconnect_window_s": 0}),
            "reconnect_window_s = 0: Gamba takes 1 to 86400 seconds",
        ),
        (
            json!({"ping_timeout_s": 86_401}),
            "ping_timeout_s = 86401: Gamba takes 0 to 86400 seconds",
        ),
        (
            json!({"turn_timeout_s": u64::MAX}),
            "turn_timeout_ms is 18446744073709551615; allowed are 0 to 86400000",
        ),
        (
            json!({"turn_timeout_s": 1, "turn_timeout_ms": 1000}),
            "gamba.turn_timeout_s is an older name of turn_timeout_ms: set one of them",
        ),
        (json!({"house_bots": ["clever"]}), "house_bots: no strategy 'clever'; there are random"),
        (json!({"deal": "half"}), "gamba.deal = \"half\": unknown variant `half`, expected"),
        (json!({"ping_timeout_s": "long"}), "gamba.ping_timeout_s = \"long\": invalid type"),
        (json!({"players": 2}), "gamba has no option 'players'; there are deal,"),
    ];
    for (changes, why) in refusals {
        let refusal = terms(changes).unwrap_err();
        assert!(refusal.starts_with(why), "{refusal}");
    }
}
