//! One game in play: its records, their fold, and what its members receive.
//!
//! A [`Table`] is the fold of its [`TableRecord`]s and nothing else; [`Table::apply`] is the one
//! way to change it. A [`LiveTable`] surrounds it with members, clocks, bots and outgoing events.
//! [`Recorded`] replays a game from its records.
//!
//! Nothing here knows other tables, tournaments, sockets or disks.

mod chair;
mod commitment;
mod company;
mod event;
mod frames;
mod lettering;
mod live;
mod made_move;
mod moves;
mod outline;
mod policy;
mod record;
mod recorded;
mod refusal;
mod rendering;
mod replay;
mod retelling;
mod seat_turns;
mod secrecy;
mod table;
mod time_used;
mod token;
mod update;

use std::ops::Add;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use chair::{Chair, is_via_house};
pub use commitment::Promise;
pub use company::{Company, Member, ShownTurn, Status, TableFacts, TableInfo, TableList};
pub use event::{
    Change, Dismissal, Introduction, Joined, Over, Page, Role, TableEvent, check_version,
    is_control, one_line,
};
pub use frames::{Eyes, Frame, OverFrame, SeatFrame, TableFrame, UpdateFrame};
pub use lettering::{is_invisible, is_legible, looks};
pub use live::{
    BotSeat, GameHooks, Hold, LiveTable, Newcomer, Occasion, Post, TableAnswer, TableInput,
    TableOutput, TableSaid, TableStanding, Thinking, Thought, Turn,
};
pub use made_move::{How, MadeMove};
pub use policy::{AfterEnd, AwayInPlay, Broadcast, Ids, Names, Policy, Start, Terms, WayBack};
pub use record::{Cause, Closing, GameRef, Opened, Summary, TableEntry, TableRecord, TournamentNo};
pub use recorded::Recorded;
pub use refusal::{Code, Refusal};
pub use rendering::Rendering;
pub use replay::{Rerun, replay};
pub use retelling::Retelling;
pub use seat_turns::{SeatTurn, SeatTurns};
pub use secrecy::Shown;
pub use table::{Phase, Table, guarded, panic_text};
pub use time_used::TimeUsed;
pub use token::TokenHash;
pub use update::{LeanUpdate, Update};

use moves::MovesMade;

/// A name of a player or a table, shared by everything that mentions it.
pub type Name = Arc<str>;

/// Marks a seat joined over the JSON protocol. Such a seat is ready when taken, calls the start of
/// a full table, has a token for reconnecting in every game, is held while its player is away, and
/// survives a restart.
pub const HOUSE_WIRE: &str = "house";

/// Marks a seat whose player connects only for the duration of each call, also over the JSON
/// protocol: its token alone holds it, and it is never away.
pub const CALLS: &str = "calls";

/// Milliseconds since 1970, as the rim's clock has it. It never runs backwards.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Add<u64> for Time {
    type Output = Time;

    fn add(self, ms: u64) -> Time {
        Time(self.0.saturating_add(ms))
    }
}

/// One socket. Numbers are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConnId(pub u64);

/// A table's number in the journal. Numbers are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableNo(pub u64);
