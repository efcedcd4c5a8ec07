//! The journal in a folder: what goes in comes out, and what is damaged is refused.

mod damage;
mod layouts;
mod power;
mod round_trips;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::value::RawValue;
use tempfile::TempDir;

use super::*;
use crate::{Archive, Cause, Filter, Summary, Writing, chain};

/// A folder inside a temporary one, so that copies of older layouts are removed with it.
struct Temp {
    _parent: TempDir,
    folder: PathBuf,
}

impl Temp {
    fn path(&self) -> &Path {
        &self.folder
    }
}

fn temp() -> Temp {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let folder = parent.path().join("data");
    std::fs::create_dir(&folder).expect("a folder in it");
    Temp { _parent: parent, folder }
}

/// The stream of these tests.
const GO: &str = "go";

fn open(folder: &Path) -> Result<(SqliteJournal, Loaded), StoreError> {
    open_with(folder, layout::STEPS)
}

fn open_with(folder: &Path, steps: &[&str]) -> Result<(SqliteJournal, Loaded), StoreError> {
    let mut journal = SqliteJournal::open_with(Folder::take(folder)?, steps)?;
    let loaded = journal.load(GO)?;
    Ok((journal, loaded))
}

fn opened(folder: &Path) -> (SqliteJournal, Loaded) {
    open(folder).expect("the journal opens")
}

fn refusal(folder: &Path) -> StoreError {
    match open(folder) {
        Ok((_, loaded)) => panic!("it opened, with {loaded:?}"),
        Err(error) => error,
    }
}

/// Appends to the stream of these tests, as its latest loader.
fn append(journal: &mut SqliteJournal, rows: Vec<Row>) -> Result<(), StoreError> {
    let epoch = journal.epochs[GO];
    journal.append(vec![Batch { stream: GO.into(), epoch, rows }])
}

fn row(table: u64, at: u64, record: &str, mark: Mark) -> Row {
    Row { topic: Topic::Table(table), at, cause: Cause::Begun, record: text(record), mark }
}

/// JSON, verbatim.
fn text(json: &str) -> Arc<dyn Writing> {
    Arc::new(RawValue::from_string(json.to_owned()).expect("it is JSON"))
}

fn opens(table: u64) -> Row {
    row(table, table * 1000, r#"{"opened":{"text":"a \"quoted\" täble\\n"}}"#, Mark::Opens)
}

fn moves(table: u64, turn: u64) -> Row {
    let record = format!(r#"{{"moved":{{"seq":{turn},"seat":0}}}}"#);
    row(table, table * 1000 + turn, &record, Mark::Continues)
}

/// Closes a game that was played by two; `at` is when.
fn closes(table: u64, at: u64) -> Row {
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
        tournament: None,
    };
    row(table, at, r#"{"closed":"over"}"#, Mark::Closes(Some(Box::new(summary))))
}

fn lines(rows: &[Row]) -> Vec<StoredRecord> {
    let mut lines: Vec<StoredRecord> = Vec::new();
    for row in rows {
        let hash = chain::end(GO, &lines);
        lines.push(StoredRecord::after(&hash, row.at, row.cause, row.record.to_json()));
    }
    lines
}

fn all() -> Filter {
    Filter { limit: 1000, ..Filter::default() }
}

/// What loading the stream would give.
fn held(journal: &SqliteJournal) -> Loaded {
    let open = journal.open.iter().map(|(_, topic, lines)| (topic, lines.to_vec()));
    let next = |kind| journal.next.get(&(GO.to_owned(), kind)).copied().unwrap_or(1);
    Loaded {
        epoch: journal.epochs[GO],
        open: open.collect(),
        next_table: next(Kind::Table),
        next_tournament: next(Kind::Tournament),
    }
}

/// The files of a journal that is kept, by name, with what is in them.
type Files = BTreeMap<String, Vec<u8>>;

/// The database, its log and its tail; not the lock, nor SQLite's index of the log.
fn files(folder: &Path) -> Files {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let names =
        entries.map(|entry| entry.expect("listed").file_name().into_string().expect("text"));
    let kept = names.filter(|name| name != "lock" && !name.ends_with("-shm"));
    kept.map(|name| (name.clone(), std::fs::read(folder.join(&name)).expect("reads"))).collect()
}

fn put(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).expect("written");
    }
}

/// As `assert_eq`, without printing all the bytes.
#[track_caller]
fn assert_unchanged(folder: &Path, before: &Files) {
    let after = files(folder);
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&after), names(before), "files have come or gone");
    for (name, bytes) in before {
        assert!(after[name] == *bytes, "{name} was changed");
    }
}
