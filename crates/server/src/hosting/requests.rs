//! Tables and tournaments as they are asked for over HTTP.

use hall::{EntrantKey, Entry, KeyHash, Name, NewEntrant};
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
    /// A number that decides the deal: the same number, the same deal. Drawn by the server unless given.
    /// A small number is no secret: players can try all of them until their first hand fits.
    pub seed: Option<u64>,
}

/// A tournament to convene.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentRequest {
    pub game: String,
    /// Made up unless given.
    pub id: Option<String>,
    /// Format, table_seats, max_entrants, best_of, draw_replays, rated, deals, concurrency, seed.
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
    /// Whether whoever says an entrant's name plays in its place, without a key. For games among
    /// people who trust each other, and nowhere else.
    #[serde(default)]
    pub open_names: bool,
    /// Who may enter an open tournament: `open`, anybody; `claimed`, whoever has claimed its name.
    #[serde(default)]
    pub entry: EntryRequest,
}

/// Who may enter an open tournament.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryRequest {
    #[default]
    Open,
    Claimed,
}

impl From<EntryRequest> for Entry {
    fn from(request: EntryRequest) -> Entry {
        match request {
            EntryRequest::Open => Entry::Open,
            EntryRequest::Claimed => Entry::Claimed,
        }
    }
}

/// An entrant: a name, or more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum EntrantRequest {
    Name(String),
    More(EntrantDetails),
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntrantDetails {
    name: String,
    /// What people read instead of the name, such as `Ann's bot`.
    display: Option<String>,
    /// What it is called at the tables, such as a colour.
    plays_as: Option<String>,
    /// The strategy, if a house bot is to play.
    bot: Option<String>,
    /// Which version of a program plays for it, such as `1.4`.
    version: Option<String>,
    #[serde(skip)]
    key: Option<EntrantKey>,
}

impl EntrantRequest {
    pub fn name(&self) -> &str {
        match self {
            EntrantRequest::Name(name) => name,
            EntrantRequest::More(details) => &details.name,
        }
    }

    pub fn is_bot(&self) -> bool {
        matches!(self, EntrantRequest::More(EntrantDetails { bot: Some(_), .. }))
    }

    /// It has this key from now on; none: the one of its name.
    pub fn take_key(&mut self, key: Option<&str>) {
        let key = Some(key.map_or(EntrantKey::House, |key| EntrantKey::Own(KeyHash::of(key))));
        let name = EntrantRequest::Name(String::new());
        let details = std::mem::replace(self, name).into_details();
        *self = EntrantRequest::More(EntrantDetails { key, ..details });
    }

    fn into_details(self) -> EntrantDetails {
        match self {
            EntrantRequest::Name(name) => EntrantDetails { name, ..EntrantDetails::default() },
            EntrantRequest::More(details) => details,
        }
    }
}

impl From<EntrantRequest> for NewEntrant {
    fn from(request: EntrantRequest) -> NewEntrant {
        let EntrantDetails { name, display, plays_as, bot, version, key } = request.into_details();
        let shared = |text: String| Name::from(text);
        NewEntrant {
            name: name.into(),
            display: display.map(shared),
            plays_as: plays_as.map(shared),
            bot: bot.map(shared),
            version: version.map(shared),
            key,
        }
    }
}
