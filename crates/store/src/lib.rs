//! The journal, and what can be asked of it.
//!
//! A [`Journal`] keeps streams of records. Whoever loads a stream gets what is open there and an
//! epoch to write under; from then on whoever loaded it before is refused. An [`Archive`] answers
//! questions about games that are over, from any thread. Both know games and records as text
//! only, and have a record written out when they need its text. [`sqlite`] keeps them in a
//! folder, [`memory`] in memory; one suite of tests holds them to the same contract.

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

/// What the records of a stream are about: each is a fold of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Table(u64),
    Tournament(u64),
}

/// Tables, or tournaments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    #[default]
    Table,
    Tournament,
}

impl Topic {
    pub fn new(kind: Kind, number: u64) -> Topic {
        match kind {
            Kind::Table => Topic::Table(number),
            Kind::Tournament => Topic::Tournament(number),
        }
    }

    pub fn kind(self) -> Kind {
        match self {
            Topic::Table(_) => Kind::Table,
            Topic::Tournament(_) => Kind::Tournament,
        }
    }

    pub fn number(self) -> u64 {
        match self {
            Topic::Table(number) | Topic::Tournament(number) => number,
        }
    }
}

/// Rows of one stream that become durable together.
#[derive(Clone, Debug)]
pub struct Batch<R = Arc<dyn Writing>> {
    /// The name of the game: one hall writes to it.
    pub stream: Cow<'static, str>,
    /// What loading the stream has given.
    pub epoch: u64,
    pub rows: Vec<Row<R>>,
}

impl Batch {
    /// With its records as text.
    fn written(self) -> Batch<String> {
        let Batch { stream, epoch, rows } = self;
        Batch { stream, epoch, rows: rows.into_iter().map(Row::written).collect() }
    }
}

/// One record on its way into the journal.
#[derive(Clone, Debug)]
pub struct Row<R = Arc<dyn Writing>> {
    pub topic: Topic,
    /// Milliseconds since 1970.
    pub at: u64,
    pub record: R,
    pub mark: Mark,
}

impl Row {
    /// With its record as text.
    fn written(self) -> Row<String> {
        let Row { topic, at, record, mark } = self;
        Row { topic, at, record: record.to_json(), mark }
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

/// What a row means for what it is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Opens,
    Continues,
    /// The last row of its topic. A game that was begun is kept, with this summary; a table
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

/// A stream that was taken over.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// To write under, until somebody else loads the stream.
    pub epoch: u64,
    /// Everything that is open: the rows of each, in order.
    pub open: BTreeMap<Topic, Vec<StoredRecord>>,
    /// The numbers after the greatest ever used.
    pub next_table: u64,
    pub next_tournament: u64,
}

/// One record, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRecord {
    pub at: u64,
    pub record: String,
}

/// What writes. There is one, in one thread.
pub trait Journal: Send + std::fmt::Debug {
    /// The streams that have something open, by name.
    fn streams(&self) -> Result<Vec<String>, StoreError>;

    /// Takes a stream over. Whoever loaded it before cannot write to it any more.
    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError>;

    /// Makes batches durable, in one go: all of them, or, with an error, none.
    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError>;

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

    /// One game or tournament with all its records. Of several with the same id, the latest.
    fn replay(&self, kind: Kind, game: &str, id: &str) -> Result<Option<Replay>, StoreError>;

    fn size(&self) -> Result<Size, StoreError>;
}

/// The world is wrong: each says what and where, and its cause with it.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("{} is already used by another server", .0.display())]
    InUse(PathBuf),
    #[error("cannot {verb} {}: {cause}", path.display())]
    Io { verb: &'static str, path: PathBuf, cause: std::io::Error },
    #[error("the journal {place} is damaged: {what}; nothing was changed")]
    Damaged { place: String, what: String },
    #[error(
        "the journal {place} was written by a newer Parlor (layout {found}, this one knows up to \
         {known}); nothing was changed"
    )]
    Newer { place: String, found: i64, known: i64 },
    #[error("{0} is not a journal of Parlor's")]
    Foreign(String),
    /// Nothing of the append was written.
    #[error("{stream} was taken over by another server: this one wrote under epoch {epoch}")]
    Superseded { stream: String, epoch: u64 },
    #[error("the journal {place} failed: {cause}")]
    Failed { place: String, cause: Box<dyn std::error::Error + Send + Sync> },
}
