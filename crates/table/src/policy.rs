//! What differs between games in the hall: plain values, not code.

use rules::Game;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::table::is_via_house;

/// What a table is played by: the rules' configuration and the hall's policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Terms<G: Game> {
    pub config: G::Config,
    pub policy: Policy,
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
    /// So many silent turns in a row retire a seat, where silence has a default action; 0: never.
    #[serde(default)]
    pub strikes: u32,
    /// The next turn is told, and begins, no earlier than so long after the last one was told.
    #[serde(default)]
    pub pace_ms: u64,
    /// What those who watch are shown.
    #[serde(default, skip_serializing_if = "Broadcast::is_public")]
    pub broadcast: Broadcast,
    /// While a player who is to move is away, the turn's clock stands.
    #[serde(default)]
    pub away_stops_clock: bool,
    /// Whoever joins this way gives up before a turn of this table is over.
    #[serde(default)]
    pub too_slow_for: Option<String>,
    /// Where a protocol has a heartbeat, how long its sessions bear silence before they part from
    /// the player.
    pub heartbeat_ms: Option<u64>,
    /// Strategies that fill a table on which somebody waits.
    pub house_bots: Vec<String>,
    pub house_bots_after_ms: u64,
    /// A table that has not begun is closed this long after the last player came.
    pub waiting_expire_ms: u64,
    /// After a restart, everybody has at least this long to come back.
    pub resume_grace_ms: u64,
    /// Whether a joinable house table is listed at all times.
    pub always_open: bool,
    /// Whether the house opens one table and, once that has begun, never another.
    pub single_table: bool,
    /// Whether it is a secret who owes a move: a seat is told of itself alone, the public of nobody.
    #[serde(default)]
    pub hides_owed: bool,
    /// Whether nobody is told what is legal, even who asks for it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub hides_legal: bool,
    pub ids: Ids,
}

/// What those who watch are shown of a game with secrets. Whoever has shown an organiser's token sees
/// everything of every table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Broadcast {
    /// What is public, as it happens.
    #[default]
    Public,
    /// Everything, once the game is over: then it is played to them as if it were live.
    Delayed,
    /// Everything as it happens, to holders of a token; to everybody else, what is public.
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

    /// Whether who joins this way gets a token to come back with.
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

fn is_false(value: &bool) -> bool {
    !value
}

/// Where a name must be the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Names {
    UniqueAtTable,
    /// The same, and capitals do not make a difference.
    UniqueAtTableInAnyCase,
    /// Players enter the hall by name, keep the name while they are there, and come back by it.
    UniqueInHall,
    /// Among those at a table who joined the same way; whoever came in none is free.
    #[serde(rename = "unique-by-manner")]
    UniqueByJoining,
    Free,
}

impl Names {
    /// Whether somebody at the table who is called `taken` keeps `wanted` from sitting down there.
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
    /// Full, or at least `min` seated and nobody new for so long. Seats are numbered at the
    /// start, in order of joining.
    WhenGathered { min: usize, quiet_ms: u64 },
    /// When one of at least `min` players says so. Seats are numbered at the start, in order of
    /// joining.
    OnCall { min: usize },
}

/// What becomes of a seat whose player is away from a running game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AwayInPlay {
    /// Held; the turn clock plays, and silence counts as that of somebody who is here.
    Hold,
    Retire,
    /// Retired; but a move it has made in the running turn counts, and it goes when that turn is
    /// resolved.
    RetireAfterMove,
    /// Held for so long, then retired.
    RetireAfter {
        ms: u64,
    },
    /// Held; after so long a house bot plays it until the player is back.
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

/// How a player comes back to its seat.
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
