//! `parlor soak --fleet`: faults by chance, and an independent checker.

use std::time::Duration;

use serde_json::Value;

use crate::kit::{BINARY, Running};

/// How much goes wrong; `KILLS` in the environment says otherwise.
const KILLS: &str = "24";

#[test]
#[ignore = "needs PostgreSQL: ./test fleet"]
fn kills_lose_no_acknowledged_move() {
    let kills = std::env::var("KILLS").unwrap_or_else(|_| KILLS.to_owned());
    let seed = std::env::var("SEED").unwrap_or_else(|_| std::process::id().to_string());
    let mut command = std::process::Command::new(BINARY);
    command.args([
        "soak",
        "--fleet",
        "--json",
        "--clients",
        "1",
        "--kills",
        &kills,
        "--seed",
        &seed,
    ]);
    let id = std::process::Command::new("id").arg("-u").output().expect("id runs");
    if id.stdout != b"0\n" || std::env::var_os("NO_NETWORK").is_some() {
        // Only root can cut a machine's power.
        command.arg("--no-network");
    }
    let ended = Running::spawn(&mut command, "").end_within(Duration::from_secs(900));
    assert_eq!(ended.code, Some(0), "SEED={seed}: {} {}", ended.stdout, ended.stderr);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let checked = |what: &str| report["checked"][what].as_u64().expect("a number");
    assert!(
        checked("acknowledged_moves_found") > 0 && checked("results_confirmed") > 0,
        "{report}"
    );
}
