//! How games differ in the hall: plain values, not code.

use rules::Game;
use rules::any::AnyConfig;
use serde::{Deserialize, Serialize};

use crate::chair::is_via_house;
use crate::refusal::Refusal;

/// A table's settings: the rules' configuration and the hall's policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    pub config: AnyConfig,
    pub policy: Policy,
}

impl Terms {
    pub fn new<G: Game>(config: G::Config, policy: Policy) -> Terms {
        Terms { config: AnyConfig::new::<G>(config), policy }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Policy {
    /// Seats of a table.
    pub seats: usize,
    pub names: Names,
    pub start: Start,
    /// A player away before the start keeps its seat this long.
    pub hold_waiting_ms: u64,
    pub away_in_play: AwayInPlay,
    pub after_end: AfterEnd,
    pub way_back: WayBack,
    /// How long a turn may take; none: as long as it likes.
    pub turn_ms: Option<u64>,
    /// Number of silent turns in a row that retire a seat, where silence has a default action; 0:
    /// never.
    #[serde(default)]
    pub strikes: u32,
    /// Number of silent turns in the whole game that do the same; 0: never.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub strikes_in_all: u32,
    /// How long a whole game may take; none: as long as it likes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_ms: Option<u64>,
    /// Minimum time between sending one turn and beginning the next.
    #[serde(default)]
    pub pace_ms: u64,
    /// What spectators see.
    #[serde(default, skip_serializing_if = "Broadcast::is_public")]
    pub broadcast: Broadcast,
    /// While a player who is to move is away, the turn's clock stops.
    #[serde(default)]
    pub away_stops_clock: bool,
    /// A protocol whose clients would time out before a turn of this table ends.
    #[serde(default)]
    pub too_slow_for: Option<String>,
    /// For protocols with a heartbeat: how long a session tolerates silence before it drops the
    /// player.
    pub heartbeat_ms: Option<u64>,
    /// Strategies that fill a table at which a player waits.
    pub house_bots: Vec<String>,
    pub house_bots_after_ms: u64,
    /// A table that has not begun is closed this long after the last player came.
    pub waiting_expire_ms: u64,
    /// Minimum time to reconnect after a restart.
    pub resume_grace_ms: u64,
    /// Whether a joinable house table is listed at all times.
    pub always_open: bool,
    /// Whether the house opens one table and, once that has begun, never another.
    pub single_table: bool,
    /// Whether pending moves are secret: a seat learns only about itself, the public nothing.
    #[serde(default)]
    pub hides_owed: bool,
    /// Whether legal moves are withheld, even on request.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hides_legal: bool,
    pub ids: Ids,
}

/// What spectators see of a game with secrets. Holders of an organiser's token see everything at
/// every table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Broadcast {
    /// Public information, live.
    #[default]
    Public,
    /// Everything, once the game is over: then it is played to them as if it were live.
    Delayed,
    /// Everything live for holders of a token; public information for all others.
    Full,
}

impl Broadcast {
    pub fn word(self) -> &'static str {
        match self {
            Broadcast::Public => "public",
            Broadcast::Delayed => "delayed",
            Broadcast::Full => "full",
        }
    }

    fn is_public(&self) -> bool {
        *self == Broadcast::Public
    }
}

impl Policy {
    /// How long a player who is away is waited for.
    pub fn window_ms(&self) -> u64 {
        match self.away_in_play {
            AwayInPlay::RetireAfter { ms } | AwayInPlay::BotAfter { ms } => ms,
            AwayInPlay::Hold | AwayInPlay::Retire | AwayInPlay::RetireAfterMove => {
                self.hold_waiting_ms
            }
        }
    }

    /// Whether a player who joins over this protocol gets a token for reconnecting.
    pub fn gives_token(&self, joined_via: Option<&str>) -> bool {
        self.way_back == WayBack::Token || is_via_house(joined_via)
    }

    /// Whether who joins this way would sit out a turn.
    pub fn check_patience(&self, joined_via: Option<&str>) -> Result<(), Refusal> {
        if joined_via.is_none() || joined_via != self.too_slow_for.as_deref() {
            return Ok(());
        }
        let clock = match self.turn_ms {
            Some(ms) => format!("{} seconds per move", ms / 1000),
            None => "no time limit per move".to_owned(),
        };
        Err(Refusal::BadTable(format!("This table has {clock}: longer than your client waits.")))
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Where a name must be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Names {
    UniqueAtTable,
    /// The same, and capitals do not make a difference.
    UniqueAtTableInAnyCase,
    /// Players enter the hall by name, keep the name while they are there, and reconnect by it.
    UniqueInHall,
    /// Among members of a table who joined over the same protocol.
    #[serde(rename = "unique-by-manner")]
    UniqueByJoining,
    Free,
}

impl Names {
    /// Whether a member called `taken` prevents `wanted` from sitting down.
    pub fn clash(self, taken: &str, wanted: &str) -> bool {
        match self {
            Names::UniqueAtTable | Names::UniqueByJoining => taken == wanted,
            Names::UniqueAtTableInAnyCase => taken.to_lowercase() == wanted.to_lowercase(),
            Names::UniqueInHall | Names::Free => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Full, then all ready, at the latest after this grace.
    WhenFull { ready_grace_ms: u64 },
    /// When full, or with at least `min` players and no newcomer for `quiet_ms`. Seats are numbered
    /// at the start, in order of joining.
    WhenGathered { min: usize, quiet_ms: u64 },
    /// When one of at least `min` players asks for it. Seats are numbered at the start, in order of
    /// joining.
    OnCall { min: usize },
}

/// What happens to the seat of a player who is away from a running game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AwayInPlay {
    /// Held; the turn clock plays, and silence counts like that of a connected player.
    Hold,
    Retire,
    /// Retired; but a move it has made in the running turn counts, and it goes when that turn is
    /// resolved.
    RetireAfterMove,
    /// Held for a time, then retired.
    RetireAfter {
        ms: u64,
    },
    /// Held; after a time a house bot plays until the player returns.
    BotAfter {
        ms: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterEnd {
    /// Players stay bound to the table until they leave.
    Stay,
    /// Players are back in the lobby and keep their names.
    Lobby,
}

/// How a player reconnects to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WayBack {
    Token,
    Name,
    /// Not at all: a restart closes the table.
    None,
}

/// How tables are called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ids {
    /// Such as `tasty-tuna-1491j57j`.
    Words,
    /// The prefix and a number from 1.
    Numbered(String),
}
