//! A tournament as one of its entrants reads of it.

use serde_json::{Value, json};

use super::reply::Reply;
use crate::Refused;

/// A tournament, and who asks.
#[derive(Debug)]
pub struct Cup<'a> {
    pub info: &'a Value,
    pub name: &'a str,
}

impl Cup<'_> {
    fn entrant(&self) -> Option<&Value> {
        list(&self.info["entrants"]).iter().find(|entrant| entrant["name"] == self.name)
    }

    fn id(&self) -> &str {
        text(&self.info["id"])
    }

    /// The name its entrant has at the tables. The error: the agent plays no part in it, or no
    /// longer does.
    pub fn table_name(&self) -> Result<String, Refused> {
        let Some(entrant) = self.entrant() else {
            let names: Vec<&str> =
                list(&self.info["entrants"]).iter().map(|entrant| text(&entrant["name"])).collect();
            let why = format!("{} is not entered in {}", self.name, self.id());
            let hint = format!("Play as one of its entrants: {}.", names.join(", "));
            return Err(Refused::new("not-entered", why, hint));
        };
        if entrant["withdrawn"] == true {
            let why = format!("{} has withdrawn from {}", self.name, self.id());
            return Err(Refused::new("withdrawn", why, "The organiser can bring you back."));
        }
        let name = entrant["plays_as"].as_str().or(entrant["name"].as_str());
        Ok(name.unwrap_or_default().to_owned())
    }

    /// Whether its entrant has no game to wait for.
    pub fn is_over(&self) -> bool {
        matches!(self.info["phase"].as_str(), Some("over" | "cancelled"))
            || self.beaten_in().is_some()
    }

    /// The round of a knockout in which its entrant was beaten.
    fn beaten_in(&self) -> Option<u64> {
        let own = list(&self.info["standings"]).iter().find(|one| one["name"] == self.name);
        own?["out_in_round"].as_u64()
    }

    /// Whether one of its games is played at this table.
    pub fn has_table(&self, table: &str) -> bool {
        list(&self.info["pairings"]).iter().any(|pairing| pairing["table"] == table)
    }

    /// There is no game to play yet, or none any more.
    pub fn reply(&self) -> Reply {
        let status = if self.is_over() { "over" } else { "waiting" };
        let words = format!("{}\n\n{}", self.where_it_is(), self.standings());
        let json = json!({
            "status": status,
            "tournament": self.id(),
            "phase": self.info["phase"],
            "round": self.info["round"],
            "clock_s": self.info["terms"]["clock_ms"].as_u64().map(|ms| ms / 1000),
            "standings": self.info["standings"],
            "words": words.trim_end(),
        });
        Reply::new(words.trim_end().to_owned(), json)
    }

    fn where_it_is(&self) -> String {
        let id = self.id();
        let again = "Call join again with the same arguments.";
        let phase = text(&self.info["phase"]);
        if let Some(round) = self.beaten_in().filter(|_| phase != "over") {
            return format!(
                "You were beaten in round {round} of {id} and have no more games there."
            );
        }
        match (phase, self.info["winner"].as_str()) {
            ("over", Some(winner)) => format!("The tournament {id} is over. {winner} has won it."),
            ("over", None) => format!("The tournament {id} is over."),
            ("cancelled", _) => format!("The tournament {id} was cancelled."),
            ("paused", _) => format!("The tournament {id} is paused. {again}"),
            ("running", _) => {
                let (round, clock) = (&self.info["round"], self.clock());
                format!("Round {round} of {id}: your next game has not begun.{clock} {again}")
            }
            _ => format!("The tournament {id} has not started.{} {again}", self.clock()),
        }
    }

    fn clock(&self) -> String {
        let ms = self.info["terms"]["clock_ms"].as_u64();
        ms.map_or(String::new(), |ms| format!(" You will have {} s for each move.", ms / 1000))
    }

    /// The best first, a line each.
    fn standings(&self) -> String {
        let line = |standing: &Value| {
            let you = if standing["name"] == self.name { " (you)" } else { "" };
            let (place, points) = (&standing["place"], &standing["points"]);
            format!("  {place}. {}{you}, {points} points", text(&standing["name"]))
        };
        let lines: Vec<String> = list(&self.info["standings"]).iter().map(line).collect();
        if lines.is_empty() { String::new() } else { format!("Standings:\n{}", lines.join("\n")) }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
