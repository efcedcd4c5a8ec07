//! The journal, and what can be asked of it.
//!
//! A [`Journal`] keeps streams of records. Whoever loads a stream gets what is open there and an
//! epoch to write under; from then on whoever loaded it before is refused. An [`Archive`] answers
//! questions about games that are over, from any thread. Both know games and records as text
//! only, and have a record written out when they need its text. [`sqlite`] keeps them in a
//! folder, [`memory`] in memory, [`postgres`] in a database that several servers share; one suite of
//! tests holds them to the same contract. Who of several servers writes to a stream is [`leases`].

pub mod chain;
pub mod copying;
pub mod folder;
pub mod leases;
pub mod memory;
mod open_records;
pub mod postgres;
pub mod private;
mod query;
pub mod sqlite;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

pub use chain::{Cause, StoredRecord, VERSION};
pub use query::{Filter, Finished, Replay, Size, Used};

/// What the records of a stream are about: each is a fold of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Table(u64),
    Tournament(u64),
    /// What the house knows for as long as its data lasts; it never closes.
    Register,
    /// One page of a log; the oldest close when there are many.
    Page(u64),
}

/// The stream of what organisers have done.
pub const AUDIT: &str = "audit";

/// The stream of the house itself, beside those of its games.
pub const HOUSE: &str = "house";

/// Tables, tournaments, the house's register, or pages of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    #[default]
    Table,
    Tournament,
    Register,
    Page,
}

impl Topic {
    pub fn new(kind: Kind, number: u64) -> Topic {
        match kind {
            Kind::Table => Topic::Table(number),
            Kind::Tournament => Topic::Tournament(number),
            Kind::Register => Topic::Register,
            Kind::Page => Topic::Page(number),
        }
    }

    pub fn kind(self) -> Kind {
        match self {
            Topic::Table(_) => Kind::Table,
            Topic::Tournament(_) => Kind::Tournament,
            Topic::Register => Kind::Register,
            Topic::Page(_) => Kind::Page,
        }
    }

    pub fn number(self) -> u64 {
        match self {
            Topic::Table(number) | Topic::Tournament(number) | Topic::Page(number) => number,
            Topic::Register => 1,
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

/// One record on its way into the journal.
#[derive(Clone, Debug)]
pub struct Row<R = Arc<dyn Writing>> {
    pub topic: Topic,
    /// Milliseconds since 1970.
    pub at: u64,
    /// What led to it.
    pub cause: Cause,
    pub record: R,
    pub mark: Mark,
}

impl Row {
    /// With its record as text, which follows one of this hash.
    fn written(self, hash: &str) -> Row<StoredRecord> {
        let Row { topic, at, cause, record, mark } = self;
        Row {
            topic,
            at,
            cause,
            record: StoredRecord::after(hash, at, cause, record.to_json()),
            mark,
        }
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
    /// Which version of a program sat in each seat; empty if nobody said one.
    pub versions: Vec<Option<String>>,
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

    /// The records of what is open; none if it is not.
    fn so_far(&self, stream: &str, topic: Topic) -> Result<Vec<StoredRecord>, StoreError>;

    fn size(&self) -> Result<Size, StoreError>;

    /// How much of the room is taken, and how many games may be removed.
    fn used(&self) -> Result<Used, StoreError> {
        let size = self.size()?;
        let games = size.games.iter().map(|(_, finished, void)| finished + void).sum();
        Ok(Used { bytes: size.bytes, games })
    }
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
    #[error(
        "the journal {place} has records of a newer Parlor (version {found}, this one knows up to \
         {known}); nothing was changed. Start it with the release that wrote them"
    )]
    NewerRecords { place: String, found: u32, known: u32 },
    #[error("{0} is not a journal of Parlor's")]
    Foreign(String),
    /// Nothing of the append was written.
    #[error("{stream} was taken over by another server: this one wrote under epoch {epoch}")]
    Superseded { stream: String, epoch: u64 },
    /// Another server of the fleet is alive and writes to it.
    #[error("{stream} is played on node {by}")]
    Held { stream: String, by: String },
    /// The node said too late that it is alive: what it held belongs to nobody now.
    #[error("node {0} was silent for too long, and others may have taken its games over")]
    Expired(String),
    #[error("another server has joined the fleet as node {0}; every node needs a name of its own")]
    Replaced(String),
    #[error("the database {place} cannot be used: {what}")]
    Unsuitable { place: String, what: String },
    /// It was asked in vain; that may pass.
    #[error("the database {place} does not answer: {cause}")]
    Away { place: String, cause: Box<dyn std::error::Error + Send + Sync> },
    #[error("the journal {place} failed: {cause}")]
    Failed { place: String, cause: Box<dyn std::error::Error + Send + Sync> },
}
