//! `parlor fleet status`: the servers that share a database, and where each game is.

use std::process::ExitCode;

use anyhow::Result;
use serde_json::Value;

use crate::cli::{FleetArgs, FleetCommand};
use crate::servers::Remote;
use crate::terminal::output;

/// Something is wrong with the fleet. 1 is for a server that cannot be asked, and 2 for a command line
/// that cannot be read.
const WRONG: u8 = 3;

pub fn run(args: &FleetArgs) -> Result<ExitCode> {
    let FleetCommand::Status { json, remote } = &args.command;
    let fleet = Remote::find(remote)?.get("/api/v1/fleet")?;
    if *json {
        output::line(&fleet.to_string())?;
    } else if fleet["node"].is_null() {
        output::line(
            "This server shares no database with others. docs/guides/run-a-fleet.md shows how.",
        )?;
    } else {
        for line in table(&fleet) {
            output::line(line.trim_end())?;
        }
    }
    Ok(if troubles(&fleet).is_empty() { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
}

/// What is wrong, in words.
fn troubles(fleet: &Value) -> Vec<String> {
    let said = ["faults", "warnings"].into_iter().flat_map(|key| list(fleet, key));
    let mut troubles: Vec<String> = said.map(|said| output::printable(text(said)).into()).collect();
    let nobodys = list(fleet, "games").filter(|game| game["node"].is_null());
    troubles.extend(nobodys.map(|game| format!("no server hosts {}", text(&game["game"]))));
    troubles
}

fn table(fleet: &Value) -> Vec<String> {
    let mut lines =
        vec![format!("{:<16}{:<24}{:>9}  {:<12}games", "node", "address", "up", "heard")];
    for node in list(fleet, "nodes") {
        let here = if node["name"] == fleet["node"] { " (this one)" } else { "" };
        let leaving = if node["leaving"] == true { " (leaving)" } else { "" };
        let games: Vec<&str> = list(node, "games").filter_map(Value::as_str).collect();
        lines.push(format!(
            "{:<16}{:<24}{:>9}  {:<12}{}{here}{leaving}",
            output::printable(text(&node["name"])),
            node["address"].as_str().map_or("-".into(), output::printable),
            time(&node["age_ms"]),
            format!("{} ago", time(&node["silent_ms"])),
            if games.is_empty() { "none".to_owned() } else { games.join(", ") },
        ));
    }
    lines.push(String::new());
    lines.push(format!(
        "{:<16}{:<16}{:>9}{:>7}{:>10}{:>7}{:>6}{:>10}  {:<11}waited",
        "game", "node", "for", "epoch", "batches", "links", "lag", "journal", "takeovers"
    ));
    for game in list(fleet, "games") {
        let taken = number(&game["takeovers"]);
        lines.push(format!(
            "{:<16}{:<16}{:>9}{:>7}{:>10}{:>7}{:>6}{:>10}  {:<11}{}",
            text(&game["game"]),
            game["node"].as_str().map_or("nobody".into(), output::printable),
            time(&game["age_ms"]),
            number(&game["epoch"]),
            number(&game["batches"]),
            number(&game["links"]),
            number(&game["lag"]),
            size(&game["journal_bytes"]),
            taken,
            if taken == 0 { "-".to_owned() } else { time(&game["takeover_ms"]) },
        ));
    }
    lines.push(String::new());
    lines.push(match fleet["database_answers"] == true {
        true => format!("The database answered within {} ms.", number(&fleet["database_ms"])),
        false => format!(
            "The database does not answer. This was the state {} ago.",
            time(&fleet["seen_ms"])
        ),
    });
    let troubles = troubles(fleet);
    if !troubles.is_empty() {
        lines.push(String::new());
        lines.extend(troubles.into_iter().map(|trouble| format!("Wrong: {trouble}.")));
    }
    lines
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value[key].as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// Milliseconds as people read them.
fn time(ms: &Value) -> String {
    match number(ms) {
        ms @ 0..1000 => format!("{ms} ms"),
        ms @ 1000..120_000 => format!("{} s", ms / 1000),
        ms @ 120_000..7_200_000 => format!("{} min", ms / 60_000),
        ms => format!("{} h", ms / 3_600_000),
    }
}

/// Bytes as people read them.
fn size(bytes: &Value) -> String {
    match number(bytes) {
        bytes @ 0..1000 => format!("{bytes} B"),
        bytes @ 1000..1_000_000 => format!("{} kB", bytes / 1000),
        bytes => format!("{} MB", bytes / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_fleet_is_shown_as_two_tables() {
        let fleet = json!({
            "node": "one", "database_ms": 2, "seen_ms": 40, "database_answers": true,
            "faults": ["moves of gamba have not been saved for 9 s"], "warnings": [],
            "nodes": [
                { "name": "one", "address": "10.0.0.1:7900", "age_ms": 7_300_000, "silent_ms": 40,
                  "leaving": false, "games": ["gamba", "subsim"] },
                { "name": "two", "address": "10.0.0.2:7900", "age_ms": 130_000, "silent_ms": 12,
                  "leaving": true, "games": [] },
            ],
            "games": [
                { "game": "gamba", "node": "one", "epoch": 3, "age_ms": 5000, "batches": 120,
                  "links": 1, "lag": 0, "journal_bytes": 45_678, "takeovers": 1, "takeover_ms": 1234 },
                { "game": "subsim", "node": null, "epoch": 1, "age_ms": 900, "batches": 7,
                  "links": 0, "lag": 4, "journal_bytes": 0, "takeovers": 0, "takeover_ms": 0 },
            ],
        });
        let text = table(&fleet);
        let text: Vec<&str> = text.iter().map(|line| line.trim_end()).collect();
        let expected = "\
node            address                        up  heard       games
one             10.0.0.1:7900                 2 h  40 ms ago   gamba, subsim (this one)
two             10.0.0.2:7900               2 min  12 ms ago   none (leaving)

game            node                  for  epoch   batches  links   lag   journal  takeovers  waited
gamba           one                   5 s      3       120      1     0     45 kB  1          1 s
subsim          nobody             900 ms      1         7      0     4       0 B  0          -

The database answered within 2 ms.

Wrong: moves of gamba have not been saved for 9 s.
Wrong: no server hosts subsim.";
        assert_eq!(text.join("\n"), expected);
    }
}
