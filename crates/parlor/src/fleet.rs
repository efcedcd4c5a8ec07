//! `parlor fleet status`: the servers that share a database, and where each game is.

use anyhow::Result;
use serde_json::Value;

use crate::cli::{FleetArgs, FleetCommand};
use crate::servers::Remote;
use crate::terminal::output;

pub fn run(args: &FleetArgs) -> Result<()> {
    let FleetCommand::Status { json, remote } = &args.command;
    let fleet = Remote::find(remote)?.get("/api/v1/fleet")?;
    if *json {
        return output::line(&fleet.to_string());
    }
    if fleet["node"].is_null() {
        return output::line(
            "This server shares no database with others. docs/fleet.md shows how.",
        );
    }
    for line in table(&fleet) {
        output::line(line.trim_end())?;
    }
    Ok(())
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
            output::printable(text(&node["address"])),
            time(&node["age_ms"]),
            format!("{} ago", time(&node["silent_ms"])),
            if games.is_empty() { "none".to_owned() } else { games.join(", ") },
        ));
    }
    lines.push(String::new());
    lines.push(format!(
        "{:<16}{:<16}{:>9}{:>7}{:>10}{:>7}{:>6}  {:<11}waited",
        "game", "node", "for", "epoch", "batches", "links", "lag", "takeovers"
    ));
    for game in list(fleet, "games") {
        let taken = number(&game["takeovers"]);
        lines.push(format!(
            "{:<16}{:<16}{:>9}{:>7}{:>10}{:>7}{:>6}  {:<11}{}",
            text(&game["game"]),
            game["node"].as_str().map_or("nobody".into(), output::printable),
            time(&game["age_ms"]),
            number(&game["epoch"]),
            number(&game["batches"]),
            number(&game["links"]),
            number(&game["lag"]),
            taken,
            if taken == 0 { "-".to_owned() } else { time(&game["takeover_ms"]) },
        ));
    }
    lines.push(String::new());
    lines.push(match fleet["database_answers"] == true {
        true => format!("The database answered within {} ms.", number(&fleet["database_ms"])),
        false => format!(
            "The database does not answer. This is how things stood {} ago.",
            time(&fleet["seen_ms"])
        ),
    });
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_fleet_is_shown_as_two_tables() {
        let fleet = json!({
            "node": "one", "database_ms": 2, "seen_ms": 40, "database_answers": true,
            "nodes": [
                { "name": "one", "address": "10.0.0.1:7900", "age_ms": 7_300_000, "silent_ms": 40,
                  "leaving": false, "games": ["gamba", "subsim"] },
                { "name": "two", "address": "10.0.0.2:7900", "age_ms": 130_000, "silent_ms": 12,
                  "leaving": true, "games": [] },
            ],
            "games": [
                { "game": "gamba", "node": "one", "epoch": 3, "age_ms": 5000, "batches": 120,
                  "links": 1, "lag": 0, "takeovers": 1, "takeover_ms": 1234 },
                { "game": "subsim", "node": null, "epoch": 1, "age_ms": 900, "batches": 7,
                  "links": 0, "lag": 4, "takeovers": 0, "takeover_ms": 0 },
            ],
        });
        let text = table(&fleet);
        let text: Vec<&str> = text.iter().map(|line| line.trim_end()).collect();
        let expected = "\
node            address                        up  heard       games
one             10.0.0.1:7900                 2 h  40 ms ago   gamba, subsim (this one)
two             10.0.0.2:7900               2 min  12 ms ago   none (leaving)

game            node                  for  epoch   batches  links   lag  takeovers  waited
gamba           one                   5 s      3       120      1     0  1          1 s
subsim          nobody             900 ms      1         7      0     4  0          -

The database answered within 2 ms.";
        assert_eq!(text.join("\n"), expected);
    }
}
