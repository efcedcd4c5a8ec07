//! Tables and tournaments as they are asked for over HTTP.

use hall::{Name, NewEntrant};
use serde::Deserialize;
use serde_json::{Map, Value};
use tournament::Plan;
use utoipa::ToSchema;

/// A table to open.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    pub game: String,
    /// As many as the game's options say, unless given.
    pub seats: Option<usize>,
    /// Options of the game that differ from the server's.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub options: Map<String, Value>,
    /// Made up unless given.
    pub id: Option<String>,
    /// Names to keep seats for. If they fill the table, each sits where it stands in this list.
    #[serde(default)]
    pub names: Vec<String>,
    /// A number that decides the deal: the same number, the same deal. Made up unless given.
    pub seed: Option<u64>,
}

/// A tournament to convene.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentRequest {
    pub game: String,
    /// Made up unless given.
    pub id: Option<String>,
    /// Format, table_seats, max_entrants, best_of, draw_replays, rated, concurrency, seed.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({"format": "swiss", "max_entrants": 16}))]
    pub plan: Plan,
    /// Options of the game that differ from the server's.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub options: Map<String, Value>,
    /// Who takes part. If any are given, nobody else may enter by itself, unless `open`.
    #[serde(default)]
    pub entrants: Vec<EntrantRequest>,
    /// How long entrants may take to come to a game.
    pub no_show_s: Option<u64>,
    /// Whether it starts by itself once it is full; usual if no entrants are given.
    pub starts_when_full: Option<bool>,
    /// Whether anybody may enter by its protocol until it starts; usual if no entrants are given.
    pub open: Option<bool>,
}

/// An entrant: a name, or more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum EntrantRequest {
    Name(String),
    More(EntrantDetails),
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntrantDetails {
    name: String,
    /// What people read instead of the name, such as `Ann's bot`.
    display: Option<String>,
    /// What it is called at the tables, such as a colour.
    plays_as: Option<String>,
    /// The strategy, if a house bot is to play.
    bot: Option<String>,
}

impl From<EntrantRequest> for NewEntrant {
    fn from(request: EntrantRequest) -> NewEntrant {
        let EntrantDetails { name, display, plays_as, bot } = match request {
            EntrantRequest::Name(name) => {
                EntrantDetails { name, display: None, plays_as: None, bot: None }
            }
            EntrantRequest::More(details) => details,
        };
        let shared = |text: String| Name::from(text);
        NewEntrant {
            name: name.into(),
            display: display.map(shared),
            plays_as: plays_as.map(shared),
            bot: bot.map(shared),
        }
    }
}
