//! The journal, and the questions it answers.
//!
//! A [`Journal`] keeps streams of records. Loading a stream returns its open topics and an epoch to
//! write under; from then on the previous loader's appends are refused. An [`Archive`] answers
//! questions about finished games, from any thread. Both see games and records as text only, and
//! render a record only when they need its text. [`sqlite`] keeps them in a folder, [`memory`] in
//! memory, [`postgres`] in a database that several servers share; one test suite holds all three to
//! the same contract. [`leases`] decides which of several servers writes to a stream.

pub mod chain;
pub mod copying;
mod durable;
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

/// The subject of a stream's records. Each topic is a separate fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Table(u64),
    Tournament(u64),
    /// What the server remembers as long as its data lasts. It never closes.
    Register,
    /// One page of a log; the oldest close when there are many.
    Page(u64),
}

/// The stream of what organisers have done.
pub const AUDIT: &str = "audit";

/// The server's own stream, next to those of its games.
pub const HOUSE: &str = "house";

/// Tables, tournaments, the server's register, or pages of a log.
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
    /// The epoch returned by loading the stream.
    pub epoch: u64,
    pub rows: Vec<Row<R>>,
}

/// One record on its way into the journal.
#[derive(Clone, Debug)]
pub struct Row<R = Arc<dyn Writing>> {
    pub topic: Topic,
    /// Milliseconds since 1970.
    pub at: u64,
    /// The record's cause.
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

/// A record that is rendered to text only when that is needed.
pub trait Writing: Debug + Send + Sync {
    /// The text: JSON without line breaks.
    fn to_json(&self) -> String;
}

impl<T: Serialize + Debug + Send + Sync> Writing for T {
    fn to_json(&self) -> String {
        serde_json::to_string(self).expect("what is recorded is plain data")
    }
}

/// What a row means for its topic.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    Opens,
    Continues,
    /// The last row of its topic. A game that was begun is kept, with this summary; a table
    /// that never began is forgotten.
    Closes(Option<Box<Summary>>),
}

/// The fields of a finished game that lists show.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub id: String,
    pub finished: bool,
    pub rules_version: u32,
    pub opened_at: u64,
    pub names: Vec<String>,
    /// The program version in each seat; empty if no player gave one.
    pub versions: Vec<Option<String>>,
    /// How the table closed, as JSON.
    pub closing: String,
    /// Whether the game counts for the ratings.
    pub rated: bool,
    /// The id of the tournament or ladder it was a game of.
    pub tournament: Option<String>,
}

/// A stream that was taken over.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The epoch to write under, until another node loads the stream.
    pub epoch: u64,
    /// Everything that is open: the rows of each, in order.
    pub open: BTreeMap<Topic, Vec<StoredRecord>>,
    /// The numbers after the greatest ever used.
    pub next_table: u64,
    pub next_tournament: u64,
}

/// The writer. There is one, on one thread.
pub trait Journal: Send + std::fmt::Debug {
    /// The streams that have something open, by name.
    fn streams(&self) -> Result<Vec<String>, StoreError>;

    /// Takes over a stream. The previous loader can't write to it any more.
    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError>;

    /// Makes batches durable, in one go: all of them, or, with an error, none.
    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError>;

    /// Removes up to `at_most` games that closed before a time; says how many. Rated games and
    /// tournaments stay: the ratings are made from them.
    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError>;

    /// Leaves everything in order for the next start.
    fn close(&mut self) -> Result<(), StoreError>;
}

/// The reader of finished games, usable from any thread.
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
    /// Nothing of the append was written, and some of what came before is not there any more.
    #[error(
        "the database has lost saved moves of {stream}: it was at batch {saved}, and now it is at \
         {found}. This happens after a switch to an asynchronous standby, or when a backup is restored \
         under running servers"
    )]
    Rewound { stream: String, saved: u64, found: u64 },
    /// Another server of the fleet is alive and writes to it.
    #[error("{stream} is played on node {by}")]
    Held { stream: String, by: String },
    /// The node beat too late: its streams are free now.
    #[error("node {0} was silent for too long, and others may have taken its games over")]
    Expired(String),
    #[error("another server has joined the fleet as node {0}; every node needs a name of its own")]
    Replaced(String),
    #[error(
        "a server that is called node {name} is running at {address}; every node needs a name of its \
         own: choose another with --node"
    )]
    NameInUse { name: String, address: String },
    #[error("the database {place} cannot be used: {what}")]
    Unsuitable { place: String, what: String },
    /// It was asked in vain; that may pass.
    #[error("the database {place} does not answer: {cause}")]
    Away { place: String, cause: Box<dyn std::error::Error + Send + Sync> },
    #[error("the journal {place} failed: {cause}")]
    Failed { place: String, cause: Box<dyn std::error::Error + Send + Sync> },
}
