//! What the tools take. The descriptions are what a model reads.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListGames {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The game, as list_games names it.
    pub game: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListTables {
    /// Only tables of this game.
    pub game: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The game, as list_games names it.
    pub game: String,
    /// The name you play under.
    pub name: String,
    /// The id of a table that waits for players.
    pub table: Option<String>,
    /// The id of a tournament in which you are entered. Waits for your next game there and seats you.
    /// Call join again with the same arguments until you have a seat, and after each game.
    pub tournament: Option<String>,
    /// How long to wait for that game, in seconds: 0 to 50. 20 if you leave it out.
    pub seconds: Option<u64>,
    /// Opens a table of your own with these house bots, by strategy: list_games names them.
    pub opponents: Option<Vec<String>>,
    /// Opens a private table with this number of seats, including yours and those of the house bots.
    /// The game begins when all are taken: give the table's id to those who shall join.
    pub seats: Option<u64>,
    /// Seconds for each move at your own table, 5 to 600. 300 if you leave it out.
    pub clock_s: Option<u64>,
    /// false: no player at your private table gets the list of legal moves.
    pub legal: Option<bool>,
    /// Rules of your own table: list_games names them.
    pub options: Option<Map<String, Value>>,
    /// The key of your name, if the name is claimed and the request does not show it.
    pub key: Option<String>,
    /// Which model or program you are, for the records.
    pub version: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitTurn {
    /// Your seat, as join gave it.
    pub seat: String,
    /// Wait for a turn after the one with this seq.
    pub after: Option<u64>,
    /// How long to wait at most, in seconds: 0 to 50. 20 if you leave it out.
    pub seconds: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Your seat, as join gave it.
    pub seat: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LegalActions {
    /// Your seat, as join gave it.
    pub seat: String,
    /// Only moves whose words or JSON contain this text.
    pub contains: Option<String>,
    /// How many to list at most: 1 to 500. 100 if you leave it out.
    pub limit: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// Your seat, as join gave it.
    pub seat: String,
    /// The seq of the position you answer.
    pub seq: u64,
    /// Your move, exactly as a legal move or the rules show it.
    #[schemars(schema_with = "any_action")]
    pub action: Value,
    /// How long to wait for your next turn, in seconds: 0 to 50. 2 if you leave it out.
    pub seconds: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Your seat, for the game you are in, as you saw it.
    pub seat: Option<String>,
    /// Or the id of a table whose game is over, together with `game`.
    pub table: Option<String>,
    /// The game of that table.
    pub game: Option<String>,
    /// The seq to begin with. 0 if you leave it out.
    pub from: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// The game.
    pub game: String,
    /// The id of a table whose game is over.
    pub table: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Leave {
    /// Your seat, as join gave it.
    pub seat: String,
}

/// Some clients refuse a parameter of no type.
fn any_action(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "description": "Your move, exactly as a legal move or the rules show it.",
        "anyOf": [
            {"type": "object"},
            {"type": "array", "items": {}},
            {"type": "string"}
        ]
    })
}
