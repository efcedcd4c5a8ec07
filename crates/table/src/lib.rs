//! One game being played: its records, the fold of them, and what is told of it.
//!
//! A [`Table`] is the fold of its [`TableRecord`]s and nothing else; [`Table::apply`] is the one
//! way to change it. A [`LiveTable`] surrounds it: who is here, the clocks, the bots, what is told.
//! [`Recorded`] tells a game again from its records.
//!
//! Nothing here knows of other tables, of tournaments, of a socket or of a disk.

mod commitment;
mod company;
mod event;
mod frames;
mod live;
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
mod table;
mod token;
mod update;

use std::ops::Add;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use commitment::Promise;
pub use company::{Company, Member, ShownTurn, Status, TableFacts, TableInfo, TableList};
pub use event::{
    Change, Dismissal, Introduction, Joined, Over, Page, Role, TableEvent, check_version,
    is_control, one_line,
};
pub use frames::{Eyes, Frame, How, MadeMove, OverFrame, SeatFrame, TableFrame, UpdateFrame};
pub use live::{
    BotSeat, GameHooks, Hold, LiveTable, Newcomer, Occasion, Post, TableAnswer, TableInput,
    TableOutput, TableStanding, Thinking, Thought,
};
pub use policy::{AfterEnd, AwayInPlay, Broadcast, Ids, Names, Policy, Start, Terms, WayBack};
pub use record::{Cause, Closing, GameRef, Opened, Summary, TableEntry, TableRecord, TournamentNo};
pub use recorded::Recorded;
pub use refusal::{Code, Refusal};
pub use rendering::Rendering;
pub use replay::replay;
pub use seat_turns::{SeatTurn, SeatTurns};
pub use table::{Chair, Phase, Table, guarded, is_via_house, panic_text};
pub use token::TokenHash;
pub use update::{LeanUpdate, Update};

use moves::MovesMade;

/// A name of a player or a table, shared by everything that mentions it.
pub type Name = Arc<str>;

/// How a seat was joined over the house wire. Such a seat is ready when it is taken, calls the
/// start of a full table, has a token to come back with in every game, is held while its player is
/// away, and outlasts a restart.
pub const HOUSE_WIRE: &str = "house";

/// How a seat was joined whose player comes and goes with each call it makes, on the house wire
/// too: it is held by its token alone and never away.
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
