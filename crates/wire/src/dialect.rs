//! Which session, framing and port belong together, and what a game brings along to be hosted.

use std::borrow::Cow;

use hall::{
    AfterEnd, AwayInPlay, Broadcast, Chair, GameHooks, Ids, Names, Policy, Start, Terms, WayBack,
};
use rules::any::{AnyConfig, Strategy};
use rules::{BotKind, Game, Reviewable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::manual::{LONGEST_NAME, Manual};
use crate::{Clause, Client, Framer, JsonValues, Lines, Player, Session, Signs, Trial};

/// One wire protocol of a game.
pub struct Dialect<G: Game> {
    /// The name of its port on the command line.
    pub name: &'static str,
    pub default_port: u16,
    pub framing: Framing,
    /// How long a new connection may stay silent.
    pub first_message_ms: Option<u64>,
    /// Whether a connection that begins like HTTP is handed to HTTP.
    pub yields_to_http: bool,
    /// The one message that a banned address gets before the connection is closed. Empty if the
    /// protocol has none, and over WebSocket, where HTTP reports it.
    pub banned: &'static str,
    pub session: fn(&Terms) -> Box<dyn Session>,
    /// The other side: a player of this protocol.
    pub client: fn(Player<G>) -> Box<dyn Client>,
    pub signs: Signs,
    /// A line to try on a terminal, for the table printed at startup.
    pub try_it: &'static str,
}

/// How messages are separated on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Lines of at most `max` bytes.
    Lines { max: usize },
    /// JSON values of at most `max` bytes, with optional white space between them.
    JsonValues { max: usize },
    /// WebSocket text frames of at most `max` bytes.
    WebSocket { max: usize },
}

impl Framing {
    /// Cuts a byte stream into messages. WebSocket frames are separate already; where there is no
    /// WebSocket, as in a rehearsal, a message is a line.
    pub fn framer(self) -> Box<dyn Framer> {
        match self {
            Framing::Lines { max } | Framing::WebSocket { max } => Box::new(Lines::new(max)),
            Framing::JsonValues { max } => Box::new(JsonValues::new(max)),
        }
    }

    /// The same framing for messages of another length: servers say more than they listen to.
    #[must_use]
    pub fn with_max(self, max: usize) -> Framing {
        match self {
            Framing::Lines { .. } => Framing::Lines { max },
            Framing::JsonValues { .. } => Framing::JsonValues { max },
            Framing::WebSocket { .. } => Framing::WebSocket { max },
        }
    }

    /// The longest message, in bytes.
    pub fn max_message(self) -> usize {
        match self {
            Framing::Lines { max } | Framing::JsonValues { max } | Framing::WebSocket { max } => {
                max
            }
        }
    }
}

impl<G: Game> std::fmt::Debug for Dialect<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dialect({})", self.name)
    }
}

/// A game that can be hosted: its options, house bots and protocols.
pub trait Playable: Reviewable {
    /// Everything `--set GAME.KEY=VALUE` reaches: rule options, table policy and, flattened in,
    /// the [`HouseOptions`].
    type Options: Clone + Default + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The meaning of each of the game's own options, by key.
    const OPTION_HELP: &'static [(&'static str, &'static str)];

    /// Older names of options, which still work.
    const OLD_NAMES: &'static [OldName] = &[];

    /// Options for tournaments, where they differ from open play. The server's settings and the
    /// organiser's choices take precedence.
    fn in_tournaments() -> Value;

    /// How long a turn may take at most, whatever the table's clock says: where nothing is left to
    /// think about.
    fn turn_limit_ms(_game: &Self) -> Option<u64> {
        None
    }

    /// Checks the options and says what tables are played by.
    /// The error is free text: it only ever reaches the person who chose the options.
    fn terms(options: &Self::Options) -> Result<Terms, String>;

    /// The house's strategies; the last is the best.
    fn bots() -> &'static [BotKind<Self>];

    /// How benchmarks and soaks play it.
    const TRIAL: Trial = Trial::PLAIN;

    /// A file that the game brings for the pages: `board.js`, `about.js`, `emblem.svg` and the like.
    fn file(_name: &str) -> Option<Cow<'static, [u8]>> {
        None
    }

    /// What the JSON protocol says about the game.
    const MANUAL: Manual;

    /// The sentences of the game's page that explain its refusals; the first match counts.
    const CLAUSES: &'static [Clause] = &[];

    /// An action that a rule requires and that isn't a choice: the JSON protocol does it for its
    /// player.
    fn formality(_view: &Self::View) -> Option<Self::Action> {
        None
    }

    /// What an action does in a position, in words; empty if the action is self-explanatory.
    fn action_words(_view: &Self::View, _action: &Self::Action) -> String {
        String::new()
    }

    /// The choices, in words, where actions are too many to list.
    fn choice_words(_view: &Self::View) -> String {
        String::new()
    }

    /// Legal actions of the viewer that show best what it may do now, the most telling first. None
    /// are needed where all are listed and few.
    fn examples(_view: &Self::View) -> Vec<Self::Action> {
        Vec::new()
    }

    fn dialects() -> &'static [Dialect<Self>];

    /// The configuration once all players are seated. Most games don't change it.
    fn settle(config: &Self::Config, _chairs: &[Chair]) -> Self::Config {
        config.clone()
    }

    /// Whether this means something other than a name in one of its protocols, such as a colour
    /// that any player may have. Such a name can't be claimed.
    fn is_nobodys(_name: &str) -> bool {
        false
    }

    /// Whether the game's protocols could say this name, and a player come by it.
    fn is_name(name: &str) -> bool {
        (1..=LONGEST_NAME).contains(&name.chars().count()) && hall::is_legible(name)
    }

    /// The rule for player names, shown after an invalid one.
    const NAMES: &'static str =
        "use 1 to 64 characters, none of them invisible, and no control characters";

    /// What a hall needs besides the terms.
    fn hooks() -> GameHooks {
        GameHooks {
            bots: Strategy::all(Self::bots()),
            settle: settle::<Self>,
            is_name: Self::is_name,
            names: Self::NAMES,
            is_nobodys: Self::is_nobodys,
            turn_limit_ms: |game| Self::turn_limit_ms(game.of()?),
            thinks_elsewhere: false,
        }
    }
}

/// What the game makes of its configuration once all players are seated.
fn settle<G: Playable>(config: &AnyConfig, chairs: &[Chair]) -> AnyConfig {
    let settled = config.of::<G>().map(|config| G::settle(config, chairs));
    settled.map_or_else(|| config.clone(), AnyConfig::new::<G>)
}

/// An option that was called otherwise, and how much of the new one is one of the old.
#[derive(Clone, Copy, Debug)]
pub struct OldName {
    pub old: &'static str,
    pub new: &'static str,
    pub times: u64,
}

/// Options that mean the same for every game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HouseOptions {
    pub house_bots: Vec<String>,
    pub house_bots_after_ms: u64,
    pub waiting_expire_s: u64,
    pub resume_grace_s: u64,
    pub strikes: u32,
    pub strikes_in_all: u32,
    pub game_timeout_s: u64,
    pub pace_ms: u64,
    pub broadcast: Broadcast,
}

/// A slower game would try anyone's patience.
const MAX_PACE_MS: u64 = 10_000;

const HOUSE_HELP: &[(&str, &str)] = &[
    ("house_bots", "house bots that take the free seats of a table where a player waits"),
    ("house_bots_after_ms", "milliseconds that house bots leave free seats to other players"),
    (
        "waiting_expire_s",
        "seconds after which a table that has not started closes, if no player joins",
    ),
    (
        "resume_grace_s",
        "seconds, at least, that players have to reconnect after a restart of the server",
    ),
    ("strikes", "timeouts in a row after which a player is out of the game; 0 means no limit"),
    ("strikes_in_all", "timeouts in one game after which a player is out of it; 0 means no limit"),
    (
        "game_timeout_s",
        "time for a whole game in seconds; then the player who has used the most time is out; 0 means no limit",
    ),
    (
        "pace_ms",
        "shortest time between two turns in milliseconds, 0 to 10000, so that spectators can follow",
    ),
    (
        "broadcast",
        "what spectators see: public (what every player knows), delayed (every hand, once the game is over), full (every hand live, with a token)",
    ),
];

impl Default for HouseOptions {
    fn default() -> HouseOptions {
        HouseOptions {
            house_bots: Vec::new(),
            house_bots_after_ms: 1000,
            waiting_expire_s: 3600,
            resume_grace_s: 60,
            strikes: 3,
            strikes_in_all: 10,
            game_timeout_s: 0,
            pace_ms: 0,
            broadcast: Broadcast::Public,
        }
    }
}

impl HouseOptions {
    /// The server's policy for every game. The rest is the simplest there is, for a game to change:
    /// a table of two that starts when it is full and can't be rejoined.
    pub fn policy(&self) -> Policy {
        Policy {
            seats: 2,
            names: Names::UniqueAtTable,
            start: Start::WhenFull { ready_grace_ms: 0 },
            hold_waiting_ms: 0,
            away_in_play: AwayInPlay::Hold,
            after_end: AfterEnd::Stay,
            way_back: WayBack::None,
            turn_ms: None,
            strikes: self.strikes,
            // If silence never retires a seat, no number of silent turns does.
            strikes_in_all: if self.strikes == 0 { 0 } else { self.strikes_in_all },
            game_ms: Some(self.game_timeout_s.saturating_mul(1000)).filter(|ms| *ms > 0),
            pace_ms: self.pace_ms,
            broadcast: self.broadcast,
            away_stops_clock: false,
            too_slow_for: None,
            heartbeat_ms: None,
            house_bots: self.house_bots.clone(),
            house_bots_after_ms: self.house_bots_after_ms,
            waiting_expire_ms: self.waiting_expire_s.saturating_mul(1000),
            resume_grace_ms: self.resume_grace_s.saturating_mul(1000),
            always_open: false,
            single_table: false,
            hides_owed: false,
            hides_legal: false,
            ids: Ids::Words,
        }
    }

    /// Refuses strategies the game doesn't have, and an unbearable pace.
    pub fn check<G: Playable>(&self) -> Result<(), String> {
        if self.pace_ms > MAX_PACE_MS {
            return Err(format!("pace_ms is {}; allowed are 0 to {MAX_PACE_MS}", self.pace_ms));
        }
        let known: Vec<&str> = G::bots().iter().map(|kind| kind.name).collect();
        match self.house_bots.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                Err(format!("house_bots: no strategy '{name}'; there are {}", known.join(", ")))
            }
            None => Ok(()),
        }
    }
}

/// The meaning of each option of a game, by key.
pub fn option_help<G: Playable>() -> impl Iterator<Item = (&'static str, &'static str)> {
    G::OPTION_HELP.iter().chain(HOUSE_HELP).copied()
}

/// The options with some keys changed; nested tables are merged. The error names the key; it is
/// free text, because it only ever reaches the person who chose the options.
pub fn overlay<G: Playable>(
    options: &G::Options,
    changes: &Map<String, Value>,
) -> Result<G::Options, String> {
    let mut whole = serde_json::to_value(options).expect("options are plain data");
    let mut changed = options.clone();
    for (key, value) in changes {
        let (key, value) = &newly_named::<G>(key, value, changes)?;
        let Some((_, help)) = option_help::<G>().find(|(option, _)| option == key) else {
            let keys: Vec<&str> = option_help::<G>().map(|(option, _)| option).collect();
            return Err(format!(
                "{} has no option '{key}'; there are {}",
                G::NAME,
                keys.join(", ")
            ));
        };
        let before = brief(&whole[key.as_str()]);
        let value = &as_list(&whole[key.as_str()], value.clone());
        merge(&mut whole[key.as_str()], value.clone());
        changed = serde_json::from_value(whole.clone()).map_err(|error| {
            let wrong = brief(value);
            format!("{}.{key} = {wrong}: {error} ({help}); it is {before} now", G::NAME)
        })?;
    }
    Ok(changed)
}

/// Where a list is expected, a bare word is a list of one, and words separated by commas are a
/// list.
fn as_list(wanted: &Value, value: Value) -> Value {
    let item = |text: &str| {
        let number = serde_json::from_str(text).ok().filter(Value::is_number);
        number.unwrap_or_else(|| Value::from(text))
    };
    match value {
        Value::String(text) if wanted.is_array() => match serde_json::from_str(&text) {
            Ok(list @ Value::Array(_)) => list,
            _ => text.split(',').map(str::trim).filter(|text| !text.is_empty()).map(item).collect(),
        },
        Value::Number(_) | Value::Bool(_) if wanted.is_array() => Value::Array(vec![value]),
        value => value,
    }
}

/// An option by the name it has now.
fn newly_named<G: Playable>(
    key: &str,
    value: &Value,
    changes: &Map<String, Value>,
) -> Result<(String, Value), String> {
    let Some(OldName { old, new, times }) = G::OLD_NAMES.iter().find(|name| name.old == key) else {
        return Ok((key.to_owned(), value.clone()));
    };
    if changes.contains_key(*new) {
        return Err(format!("{}.{old} is an older name of {new}: set one of them", G::NAME));
    }
    // The option itself refuses a value that isn't a number.
    let value = value.as_u64().map_or(value.clone(), |value| value.saturating_mul(*times).into());
    Ok(((*new).to_owned(), value))
}

/// The terms of a tournament's tables: `options` are the server's, `changes` the organiser's.
pub fn tournament_terms<G: Playable>(
    options: &G::Options,
    changes: &Map<String, Value>,
) -> Result<Terms, String> {
    let plain = |options: &G::Options| serde_json::to_value(options).expect("plain data");
    let (server, usual) = (plain(options), plain(&G::Options::default()));
    // A tournament waits for its slowest game.
    let mut defaults = Map::from_iter([("game_timeout_s".to_owned(), Value::from(3600))]);
    if let Value::Object(all) = G::in_tournaments() {
        defaults.extend(all);
    }
    defaults.retain(|key, _| server[key] == usual[key]);
    G::terms(&overlay::<G>(&overlay::<G>(options, &defaults)?, changes)?)
}

/// A value as a message shows it.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Lays a value over another; tables are merged, key by key.
pub fn merge(into: &mut Value, value: Value) {
    match (into, value) {
        (Value::Object(into), Value::Object(changes)) => {
            for (key, value) in changes {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, value) => *into = value,
    }
}
