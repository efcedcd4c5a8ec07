//! How a tournament stands at one moment, as its server tells.

use anyhow::Result;
use serde_json::Value;

use crate::servers::Remote;

pub struct Snapshot {
    pub tournament: Value,
    /// Tables that wait or play.
    tables: Vec<Value>,
}

/// A table that a player belongs to.
pub struct Expected {
    pub table: String,
    pub seat: usize,
    pub is_playing: bool,
    pub is_present: bool,
}

impl Snapshot {
    pub fn take(remote: &Remote, game: &str, id: &str) -> Result<Snapshot> {
        let tables = |status: &str| {
            let path = format!("/api/v1/tables?game={game}&status={status}");
            remote.get_all(&path, "tables")
        };
        // A table that begins in between is in both lists; the later one counts.
        let waiting = tables("waiting")?;
        let mut all = tables("playing")?;
        all.extend(waiting);
        let tournament = remote.get(&format!("/api/v1/tournaments/{game}/{id}"))?;
        Ok(Snapshot { tournament, tables: all })
    }

    pub fn is_over(&self) -> bool {
        matches!(self.tournament["phase"].as_str(), Some("over" | "cancelled"))
    }

    pub fn is_withdrawn(&self, entrant: usize) -> bool {
        self.tournament["entrants"][entrant]["withdrawn"] == true
    }

    /// The table that keeps a seat for this name.
    pub fn expected(&self, name: &str) -> Option<Expected> {
        self.tables.iter().find_map(|table| {
            let seat = names(table).position(|reserved| reserved == name)?;
            Some(Expected {
                table: table["id"].as_str()?.to_owned(),
                seat,
                is_playing: table["status"] == "playing",
                is_present: table["company"][seat]["present"] == true,
            })
        })
    }

    /// The tables that keep a seat for one of these names.
    pub fn tables_of(&self, is_one: impl Fn(&str) -> bool) -> Vec<String> {
        let theirs = self.tables.iter().filter(|table| names(table).any(&is_one));
        theirs.filter_map(|table| table["id"].as_str().map(str::to_owned)).collect()
    }

    /// How many games of an entrant have ended.
    pub fn games_ended(&self, entrant: usize) -> usize {
        let pairings = self.tournament["pairings"].as_array().into_iter().flatten();
        let games = pairings.flat_map(|pairing| pairing["games"].as_array().into_iter().flatten());
        let sat = |game: &&Value| {
            let mut seats = game["seats"].as_array().into_iter().flatten();
            seats.any(|seat| seat.as_u64() == Some(entrant as u64))
        };
        games.filter(sat).count()
    }
}

/// The players a table keeps its seats for, in the order of the seats.
fn names(table: &Value) -> impl Iterator<Item = &str> {
    table["reserved"].as_array().into_iter().flatten().filter_map(Value::as_str)
}
