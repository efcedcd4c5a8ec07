//! The journal's entries. A table is the fold of its records and nothing else.

use std::sync::Arc;

use rules::any::{AnyAction, AnyConfig};
use rules::picture::counted;
use rules::{Exit, Outcome, Seat, SeatSet, Seed, Standing};
use serde::{Deserialize, Serialize};

use crate::commitment::Promise;
use crate::made_move::How;
use crate::policy::Terms;
use crate::token::TokenHash;
use crate::{ConnId, Name, TableNo, Time};

/// One record, with its table and time.
#[derive(Clone, Debug, PartialEq)]
pub struct TableEntry {
    pub table: TableNo,
    pub at: Time,
    pub cause: Cause,
    pub record: Arc<TableRecord>,
    /// With the closing record of a game that was begun: what the archive keeps of it.
    pub summary: Option<Box<Summary>>,
}

/// The cause of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A deadline, or the server itself.
    Clock,
    /// A connection's command, by its number. A connection has one in flight at a time, so sender
    /// and receiver count alike.
    Said(ConnId, u64),
    Gone(ConnId),
    /// An organiser's request, by its number.
    Asked(u64),
    /// The server has begun again.
    Begun,
    /// The server is going down.
    Stopped,
}

/// A finished game, as the archive lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub id: Name,
    pub rules_version: u32,
    pub opened_at: Time,
    /// The players by seat. In a tournament, entrants may play under other names; they are known
    /// and rated by their own.
    pub names: Vec<Name>,
    /// The program version of each player, if given.
    pub versions: Vec<Option<Name>>,
    pub closing: Closing,
    pub rated: bool,
    /// The id of the tournament or ladder it was a game of.
    pub tournament: Option<Name>,
}

/// Everything that changes a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableRecord {
    Opened(Arc<Opened>),
    /// A player or a house bot takes a free seat, or a seat that is its own already.
    Seated {
        seat: Seat,
        name: Name,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<TokenHash>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot: Option<Name>,
        #[serde(rename = "manner", default, skip_serializing_if = "Option::is_none")]
        joined_via: Option<Name>,
        /// A human being, as it says itself.
        #[serde(default, skip_serializing_if = "is_false")]
        person: bool,
        /// Which version of a program it is, as it says itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        version: Option<Name>,
    },
    Ready {
        seat: Seat,
    },
    /// A seat is free again, before the start.
    Left {
        seat: Seat,
    },
    /// This player's program ended before a tournament's game began: the game no longer waits for
    /// it.
    Crashed {
        seat: Seat,
    },
    /// The game begins: the player in `order[i]` moves to seat i. A configuration here replaces the
    /// one the table was opened with, because the players' choice decided it.
    Started {
        order: Vec<Seat>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        settled: Option<Box<AnyConfig>>,
        /// The deal's seed. `None`: the seed the table was opened with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed: Option<Seed>,
    },
    Moved {
        seq: u64,
        seat: Seat,
        action: AnyAction,
        /// Time since the turn was sent; `None` in records of earlier releases.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<u64>,
        /// How many moves of the seat were refused before in this turn.
        #[serde(default, skip_serializing_if = "is_zero")]
        refused: u32,
        /// By its player, unless a house bot made it.
        #[serde(default, skip_serializing_if = "How::is_made")]
        how: How,
    },
    /// The clock ran out: every seat that had not moved plays its default or retires.
    Expired {
        seq: u64,
        /// Those whose silence isn't a strike: they were away, and a reconnect window counts that.
        #[serde(default, skip_serializing_if = "is_none")]
        spared: SeatSet,
    },
    Retired {
        seats: Vec<(Seat, Exit)>,
    },
    /// A house bot plays on for an absent player, or (none) no longer does.
    Deputed {
        seat: Seat,
        bot: Option<Name>,
    },
    /// The player of a seat is away since then: the wait for it outlasts a restart.
    Away {
        seat: Seat,
        at: Time,
    },
    /// It is here again.
    Back {
        seat: Seat,
    },
    /// The last record of every table.
    Closed(Closing),
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn is_none(seats: &SeatSet) -> bool {
    seats.is_empty()
}

fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    pub id: Name,
    /// The version of the rules: another one would replay another game.
    pub version: u32,
    pub terms: Terms,
    pub seed: Seed,
    pub reserved: Vec<Name>,
    pub house: bool,
    /// The game of a tournament that is played here: seats belong to the reserved names, in order.
    #[serde(rename = "bout", default, skip_serializing_if = "Option::is_none")]
    pub game_ref: Option<GameRef>,
    pub at: Time,
    /// The commitment to the seed with its salt; `None` at tables of earlier releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<Promise>,
}

/// One game of a tournament, by numbers that mean something to the tournament alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRef {
    pub tournament: TournamentNo,
    pub pairing: u32,
    /// Counts the games of the pairing.
    pub attempt: u32,
    pub rated: bool,
    /// The display names of the reserved names, in order; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displays: Vec<Option<Name>>,
    /// Whether the tournament may deal the same cards again: until it is over the game is not shown
    /// whole.
    #[serde(default, skip_serializing_if = "is_false")]
    pub repeats: bool,
}

/// A tournament's number in the journal. Numbers are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TournamentNo(pub u64);

/// How a table ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closing {
    /// Played to its end.
    Over(Outcome),
    /// No result, and why.
    Void(String),
}

impl Closing {
    /// How a table ended, for people: best first, one line each.
    pub fn in_words(&self, names: &[&str]) -> String {
        let outcome = match self {
            Closing::Void(reason) => return format!("without a result: {reason}"),
            Closing::Over(outcome) => outcome,
        };
        let line = |(standing, name): (&Standing, &&str)| {
            let exit = standing.exit.as_ref().map(|exit| format!(" ({exit})")).unwrap_or_default();
            let (place, points) = (standing.place, counted(standing.points, "point"));
            (place, format!("{place}. {name}, {points}{exit}"))
        };
        let mut lines: Vec<(u32, String)> = outcome.standings.iter().zip(names).map(line).collect();
        lines.sort_by_key(|(place, _)| *place);
        lines.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n")
    }
}
