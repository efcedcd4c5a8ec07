//! A short soak; a long one is started by hand.

use std::process::Command;

use serde_json::Value;

use crate::kit::{BINARY, Running};

#[test]
fn a_short_soak_leaves_nothing_broken_open_or_unaccounted() {
    let mut command = Command::new(BINARY);
    command.args(["soak", "--seconds", "60", "--json"]);
    let ended = Running::spawn(&mut command, "").end_within(std::time::Duration::from_secs(240));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["faults"], serde_json::json!([]), "{report}");
    let finished = report["games_finished"].as_object().unwrap();
    assert_eq!(finished.len(), games::list().names().len(), "{report}");
    let games: u64 = finished.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(report["games_verified"], games, "{report}");
    for mischief in ["drops", "resets", "stalls", "garbage"] {
        assert_ne!(report["clients"][mischief], 0, "{mischief}: {report}");
    }
}
