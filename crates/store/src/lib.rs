//! The journal, and what can be asked of it.
//!
//! A [`Journal`] appends batches of rows and gives back what is open; an [`Archive`] answers
//! questions about games that are over, from any thread. Both know games and records as text
//! only, and have a record written out when they need its text. [`sqlite`] keeps them in a
//! folder, [`memory`] in memory.

pub mod folder;
pub mod memory;
mod query;
pub mod sqlite;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

pub use query::{Filter, Finished, Replay, Size};

/// Tournaments are kept like tables, on a shelf of their own: that of the game, and this.
pub const TOURNAMENTS: &str = "/tournaments";

/// One record on its way into the journal.
#[derive(Clone, Debug)]
pub struct Row<R = Arc<dyn Writing>> {
    /// The game, or the shelf of its tournaments.
    pub game: Cow<'static, str>,
    pub table: u64,
    /// Milliseconds since 1970.
    pub at: u64,
    pub record: R,
    pub mark: Mark,
}

impl Row {
    /// With its record as text.
    fn written(self) -> Row<String> {
        let Row { game, table, at, record, mark } = self;
        Row { game, table, at, record: record.to_json(), mark }
    }
}

/// What can be written down: a record, until somebody needs its text.
pub trait Writing: Debug + Send + Sync {
    /// The text: JSON without line breaks.
    fn to_json(&self) -> String;
}

impl<T: Serialize + Debug + Send + Sync> Writing for T {
    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("what is recorded is plain data")
    }
}

/// What a row means for its table.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Opens,
    Continues,
    /// The last row of its table. A game that was begun is kept, with this summary; a table
    /// that never began is forgotten.
    Closes(Option<Box<Summary>>),
}

/// What lists of finished games show.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub id: String,
    pub finished: bool,
    pub rules_version: u32,
    pub opened_at: u64,
    pub names: Vec<String>,
    /// How the table closed, as JSON.
    pub closing: String,
    /// Whether the game counts for the ratings.
    pub rated: bool,
}

/// Everything that is open: each table's rows, in order, by game and number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unfinished {
    pub tables: BTreeMap<(String, u64), Vec<Line>>,
    /// The number after the greatest ever used, by game.
    pub next_table: BTreeMap<String, u64>,
}

/// One record, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub at: u64,
    pub record: String,
}

/// What writes. There is one, in one thread.
pub trait Journal: Send + std::fmt::Debug {
    /// Makes a batch durable: all of it, or, with an error, none.
    fn append(&mut self, rows: Vec<Row>) -> Result<(), StoreError>;

    /// Removes up to `at_most` games that closed before a time; says how many. Rated games and
    /// tournaments stay: the ratings are made from them.
    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError>;

    /// Leaves everything in order for the next start.
    fn close(&mut self) -> Result<(), StoreError>;
}

/// What reads finished games, from any thread.
pub trait Archive: Send + Sync + std::fmt::Debug {
    /// Finished games, the latest first.
    fn finished(&self, filter: &Filter) -> Result<Vec<Finished>, StoreError>;

    /// Rated games with a result, the earliest first: those after a place, up to `limit`.
    fn rated(&self, game: &str, after: u64, limit: usize) -> Result<Vec<Finished>, StoreError>;

    /// One game with all its records. Of several with the same id, the latest.
    fn replay(&self, game: &str, id: &str) -> Result<Option<Replay>, StoreError>;

    fn size(&self) -> Result<Size, StoreError>;
}

/// The world is wrong: each says what and where, and its cause with it.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("{} is in use by another server", .0.display())]
    InUse(PathBuf),
    #[error("cannot {verb} {}: {cause}", path.display())]
    Io { verb: &'static str, path: PathBuf, cause: std::io::Error },
    #[error("the journal {} is damaged: {what}; nothing was changed", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(
        "the journal {} was written by a newer Parlor (layout {found}, this one knows up to {known}); \
         nothing was changed", path.display())]
    Newer { path: PathBuf, found: i64, known: i64 },
    #[error("{} is not a journal of Parlor's", .0.display())]
    Foreign(PathBuf),
    #[error("the journal {} failed: {cause}", path.display())]
    Database { path: PathBuf, cause: rusqlite::Error },
}
