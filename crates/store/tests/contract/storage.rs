//! Where a store is kept, and what is written there.

use std::sync::Arc;

use serde_json::value::RawValue;
use store::folder::Folder;
use store::memory::Memory;
use store::sqlite::{SqliteArchive, SqliteJournal};
use store::{
    Archive, Batch, Cause, Journal, Loaded, Mark, Row, StoreError, StoredRecord, Summary, Topic,
    Writing, chain,
};
use tempfile::TempDir;

/// A store that can be left and opened again.
pub trait Storage {
    fn journal(&self) -> Box<dyn Journal>;

    fn archive(&self) -> Box<dyn Archive>;
}

pub struct InFolder(pub TempDir);

impl Default for InFolder {
    fn default() -> InFolder {
        InFolder(tempfile::tempdir().expect("a temporary folder"))
    }
}

impl Storage for InFolder {
    fn journal(&self) -> Box<dyn Journal> {
        let folder = Folder::take(self.0.path()).expect("nobody else has it");
        Box::new(SqliteJournal::open(folder).expect("the journal opens"))
    }

    fn archive(&self) -> Box<dyn Archive> {
        Box::new(SqliteArchive::open(self.0.path()).expect("the archive opens"))
    }
}

#[derive(Default)]
pub struct InMemory(Memory);

impl Storage for InMemory {
    fn journal(&self) -> Box<dyn Journal> {
        Box::new(self.0.clone())
    }

    fn archive(&self) -> Box<dyn Archive> {
        Box::new(self.0.clone())
    }
}

/// A hall's hold on a stream.
pub struct Hold {
    pub journal: Box<dyn Journal>,
    pub stream: &'static str,
    pub loaded: Loaded,
}

impl Hold {
    /// Opens the store and loads the stream `go`.
    pub fn on(place: &dyn Storage) -> Hold {
        let mut journal = place.journal();
        let loaded = journal.load("go").expect("it loads");
        Hold { journal, stream: "go", loaded }
    }

    pub fn batch(&self, rows: Vec<Row>) -> Batch {
        Batch { stream: self.stream.into(), epoch: self.loaded.epoch, rows }
    }

    pub fn try_append(&mut self, rows: Vec<Row>) -> Result<(), StoreError> {
        let batch = self.batch(rows);
        self.journal.append(vec![batch])
    }

    pub fn append(&mut self, rows: Vec<Row>) {
        self.try_append(rows).expect("it is written");
    }
}

pub fn row(topic: Topic, at: u64, record: &str, mark: Mark) -> Row {
    let record = RawValue::from_string(record.to_owned()).expect("it is JSON");
    let record: Arc<dyn Writing> = Arc::new(record);
    let cause = Cause::Said { node: 1, conn: 2, number: at };
    Row { topic, at, cause, record, mark }
}

pub fn opens(table: u64) -> Row {
    let record = r#"{"opened":{"text":"a \"quoted\" täble\\n"}}"#;
    row(Topic::Table(table), table * 1000, record, Mark::Opens)
}

pub fn moves(table: u64, turn: u64) -> Row {
    let record = format!(r#"{{"moved":{{"seq":{turn},"seat":0}}}}"#);
    row(Topic::Table(table), table * 1000 + turn, &record, Mark::Continues)
}

/// Closes a game that was played by two; `at` is when.
pub fn closes(table: u64, at: u64) -> Row {
    let summary = Summary {
        id: format!("game-{table}"),
        finished: !table.is_multiple_of(3),
        rules_version: 1,
        opened_at: table * 1000,
        names: vec![format!("player-{}", table % 5), "everybody".to_owned()],
        // Every fourth game was played by a program that said which version it is.
        versions: match table.is_multiple_of(4) {
            true => vec![Some(format!("1.{table} \"β\"")), None],
            false => Vec::new(),
        },
        closing: format!(r#"{{"over":[{table},0]}}"#),
        rated: false,
        // Every seventh was a game of a tournament that did not count for the ratings.
        tournament: table.is_multiple_of(7).then(|| format!("cup-{table} \"β\"")),
    };
    let mark = Mark::Closes(Some(Box::new(summary)));
    row(Topic::Table(table), at, r#"{"closed":"over"}"#, mark)
}

/// Closes a table that never began.
pub fn vanishes(table: u64) -> Row {
    row(Topic::Table(table), table * 1000 + 1, r#"{"closed":"void"}"#, Mark::Closes(None))
}

/// The same of a tournament.
pub fn of_tournament(row: Row) -> Row {
    Row { topic: Topic::Tournament(row.topic.number()), ..row }
}

/// How the stream `go` reads them back.
pub fn lines(rows: &[Row]) -> Vec<StoredRecord> {
    lines_of("go", rows)
}

pub fn lines_of(stream: &str, rows: &[Row]) -> Vec<StoredRecord> {
    let mut lines: Vec<StoredRecord> = Vec::new();
    for row in rows {
        let hash = chain::end(stream, &lines);
        lines.push(StoredRecord::after(&hash, row.at, row.cause, row.record.to_json()));
    }
    lines
}
