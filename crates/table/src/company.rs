//! The players at a table, and a table as outsiders see it.

use std::sync::Arc;

use rules::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

use crate::chair::Chair;
use crate::policy::{Broadcast, Start};
use crate::record::{Closing, GameRef};
use crate::rendering::Rendering;
use crate::{Name, Time};

/// The players at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Company {
    pub table: Name,
    #[serde(default)]
    pub seats: Vec<Option<Member>>,
    #[serde(default)]
    pub facts: TableFacts,
    /// The table's commitment to its deal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Name>,
}

/// What holds for all players of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFacts {
    pub status: Status,
    /// How long a turn may take; none: as long as it likes.
    pub clock_ms: Option<u64>,
    /// Minimum time between two turns.
    pub pace_ms: u64,
    /// What spectators see.
    #[serde(default)]
    pub broadcast: Broadcast,
    /// When the game begins; none at no table.
    pub start: Option<Start>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub name: Name,
    /// The display name, if it differs from the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<Name>,
    pub present: bool,
    /// The strategy, if a house bot plays the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<Name>,
    /// A human being, as it says itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub person: bool,
    /// Which version of a program it is, as it says itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Name>,
    /// Silent turns in a row that the clock has played for this seat.
    pub strikes: u32,
}

impl Member {
    /// The owner of a chair. The chair doesn't know whether its player is connected, but house bots
    /// always are.
    pub fn of(chair: &Chair) -> Member {
        Member {
            name: chair.name.clone(),
            display: None,
            present: chair.bot.is_some(),
            bot: chair.bot.clone(),
            person: chair.person,
            version: chair.version.clone(),
            strikes: chair.strikes,
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Company {
    pub fn count(&self) -> usize {
        self.seats.iter().flatten().count()
    }

    /// The names by seat, empty for free seats.
    pub fn names(&self) -> Vec<&str> {
        self.seats.iter().map(|member| member.as_ref().map_or("", |member| &member.name)).collect()
    }

    pub fn name(&self, seat: Seat) -> &str {
        self.seats[seat.index()].as_ref().map_or("", |member| &member.name)
    }
}

/// A table as the lobby, the organiser and the JSON API see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableInfo {
    pub id: Name,
    pub status: Status,
    pub players: usize,
    pub seats: usize,
    pub company: Arc<Company>,
    /// Names a seat is kept for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reserved: Vec<Name>,
    #[serde(flatten)]
    pub turn: ShownTurn,
    pub spectators: usize,
    pub opened_at: Time,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing: Option<Closing>,
    /// Whether the server opened it, not a player or an organiser.
    pub house: bool,
    /// The game of a tournament that is played at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_ref: Option<GameRef>,
    #[serde(skip)]
    pub rendering: Rendering,
}

/// The running turn, as those see it who are not at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownTurn {
    pub seq: u64,
    /// The seats that have not moved yet.
    pub owed: SeatSet,
}

/// Tables to choose from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TableList {
    pub tables: Vec<Arc<TableInfo>>,
    #[serde(skip)]
    pub rendering: Rendering,
}

impl From<Vec<Arc<TableInfo>>> for TableList {
    fn from(tables: Vec<Arc<TableInfo>>) -> TableList {
        TableList { tables, rendering: Rendering::default() }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    #[default]
    Waiting,
    Playing,
    Finished,
    Void,
}
