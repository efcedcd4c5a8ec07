//! The journal in a folder: SQLite with a write-ahead log, synced at every commit.
//!
//! A batch is one row of `journal`: the lines of all its records, with a checksum. A game that
//! closes becomes one row of `games` in the same transaction, so the journal has to hold only what
//! is open. When it holds much else, the open records are rewritten and the rest is dropped. A
//! small file next to it, `parlor.tail`, holds the number of the last batch: a journal that ends
//! before that number has lost acknowledged records and is refused. Batch numbers run through all
//! streams, because the streams share one file, one thread and one commit.

mod archive;
mod backup;
mod copying;
mod layout;
mod old_sum;
mod opening;
mod tail;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::folder::Folder;
use crate::open_records::{Closed, OpenRecords};
use crate::{Batch, Journal, Kind, Loaded, Mark, Row, StoreError, StoredRecord, Topic};
use tail::Tail;

pub use archive::SqliteArchive;
pub use backup::copy_folder;
pub use copying::NewFolder;

/// The name of the database in its folder.
pub const FILE: &str = "parlor.db";

/// Growth in bytes after which the journal is rewritten, unless four times the open records is
/// more.
const REWRITE_AFTER: usize = 16 << 20;

/// Number of pages at which the write-ahead log is folded into the database.
const CHECKPOINT_PAGES: u32 = 4000;

#[derive(Debug)]
pub struct SqliteJournal {
    connection: Connection,
    path: PathBuf,
    tail: Tail,
    /// The number of the last batch.
    batch: i64,
    open: OpenRecords,
    /// Bytes in the journal since it was last rewritten.
    journal_bytes: usize,
    rewrite_after: usize,
    /// The number after the greatest ever used, by stream.
    next: BTreeMap<(String, Kind), u64>,
    /// Under which each stream is written to.
    epochs: BTreeMap<String, u64>,
    /// The copy of the folder as an older release left it.
    copy: Option<PathBuf>,
    _folder: Folder,
}

impl SqliteJournal {
    /// Opens the journal of a folder, or begins one, and reads what is open.
    pub fn open(folder: Folder) -> Result<SqliteJournal, StoreError> {
        SqliteJournal::open_with(folder, layout::STEPS)
    }

    /// The path of the copy made before the folder was upgraded, if that happened just now.
    pub fn copy(&self) -> Option<&Path> {
        self.copy.as_deref()
    }

    fn open_with(folder: Folder, steps: &[&str]) -> Result<SqliteJournal, StoreError> {
        let path = folder.path().join(FILE);
        let (connection, contents) = opening::open(&path, steps)?;
        Ok(SqliteJournal {
            connection,
            tail: Tail::open(&path)?,
            path,
            batch: contents.batch,
            open: OpenRecords::new(contents.open),
            journal_bytes: contents.bytes,
            rewrite_after: REWRITE_AFTER,
            next: contents.next,
            epochs: contents.epochs,
            copy: contents.copy,
            _folder: folder,
        })
    }

    fn failed(&self, cause: rusqlite::Error) -> StoreError {
        database_error(&self.path, cause)
    }

    fn commit(&mut self, batches: &[Batch<StoredRecord>]) -> rusqlite::Result<usize> {
        let rows =
            || batches.iter().flat_map(|batch| batch.rows.iter().map(move |row| (batch, row)));
        let body: String = rows()
            .map(|(batch, row)| {
                let closes = matches!(row.mark, Mark::Closes(_));
                journal_line(&batch.stream, row.topic, closes, &row.record)
            })
            .collect();
        let number = self.batch + 1;
        let raised = raised(&self.next, rows());
        let transaction = self.connection.transaction()?;
        layout::insert_batch(&transaction, number, &body)?;
        for ((stream, kind), next) in &raised {
            layout::set_next(&transaction, &column(stream, *kind), *next)?;
        }
        for Closed { stream, row, summary, records } in self.open.closed(batches) {
            layout::insert_game(&transaction, stream, row, summary, &records)?;
        }
        transaction.commit()?;
        self.batch = number;
        self.next.extend(raised);
        Ok(body.len())
    }

    /// Writes down what is open and drops the rest.
    fn rewrite(&mut self) -> Result<(), StoreError> {
        let mut body = String::with_capacity(self.open.bytes() * 2);
        for (stream, topic, lines) in self.open.iter() {
            for line in lines {
                body += &journal_line(stream, topic, false, line);
            }
        }
        let batch = self.batch + 1;
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            transaction.execute("DELETE FROM journal", [])?;
            layout::insert_batch(&transaction, batch, &body)?;
            transaction.commit()
        };
        write(&mut self.connection).map_err(|cause| self.failed(cause))?;
        self.batch = batch;
        self.journal_bytes = body.len();
        self.tail.note(batch)
    }
}

impl Journal for SqliteJournal {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.open.streams())
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        let epoch = self.epochs.get(stream).copied().unwrap_or(0) + 1;
        let set = layout::set_epoch(&self.connection, stream, epoch);
        set.map_err(|cause| self.failed(cause))?;
        self.epochs.insert(stream.to_owned(), epoch);
        let next = |kind| self.next.get(&(stream.to_owned(), kind)).copied().unwrap_or(1);
        Ok(Loaded {
            epoch,
            open: self.open.of_stream(stream),
            next_table: next(Kind::Table),
            next_tournament: next(Kind::Tournament),
        })
    }

    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError> {
        for Batch { stream, epoch, .. } in &batches {
            if self.epochs.get(&**stream) != Some(epoch) {
                let stream = stream.to_string();
                return Err(StoreError::Superseded { stream, epoch: *epoch });
            }
        }
        let batches = self.open.written(batches);
        if batches.iter().all(|batch| batch.rows.is_empty()) {
            return Ok(());
        }
        let bytes = self.commit(&batches).map_err(|cause| self.failed(cause))?;
        self.tail.note(self.batch)?;
        batches.into_iter().for_each(|batch| self.open.remember(batch));
        self.journal_bytes += bytes;
        if self.journal_bytes > self.rewrite_after.max(4 * self.open.bytes()) {
            self.rewrite()?;
        }
        Ok(())
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        let pruned = layout::prune(&mut self.connection, closed_before, at_most);
        pruned.map_err(|cause| self.failed(cause))
    }

    fn close(&mut self) -> Result<(), StoreError> {
        self.rewrite()?;
        let fold = |connection: &Connection| {
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            // The log is empty: the last to go may remove it.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
        };
        fold(&self.connection).map_err(|cause| self.failed(cause))?;
        Ok(())
    }
}

/// The counters that batches raise. They never go back.
fn raised<'a>(
    known: &BTreeMap<(String, Kind), u64>,
    rows: impl Iterator<Item = (&'a Batch<StoredRecord>, &'a Row<StoredRecord>)>,
) -> BTreeMap<(String, Kind), u64> {
    let mut raised = BTreeMap::new();
    for (batch, row) in rows.filter(|(_, row)| row.mark == Mark::Opens) {
        let next = raised.entry((batch.stream.to_string(), row.topic.kind())).or_insert(0);
        *next = row.topic.number().saturating_add(1).max(*next);
    }
    raised.retain(|key, next| known.get(key).is_none_or(|known| *next > *known));
    raised
}

/// Suffix of a game's name under which its tournaments are kept.
const TOURNAMENTS: &str = "/tournaments";

/// The server's register is kept under its name and this.
const REGISTER: &str = "/register";

/// Pages of a log are kept under its name and this.
const PAGES: &str = "/pages";

/// The database's name for the tables or the tournaments of a stream.
fn column(stream: &str, kind: Kind) -> String {
    match kind {
        Kind::Table => stream.to_owned(),
        Kind::Tournament => format!("{stream}{TOURNAMENTS}"),
        Kind::Register => format!("{stream}{REGISTER}"),
        Kind::Page => format!("{stream}{PAGES}"),
    }
}

/// The stream and kind of a [`column`].
fn of_column(column: &str) -> (&str, Kind) {
    let kinds = [(TOURNAMENTS, Kind::Tournament), (REGISTER, Kind::Register), (PAGES, Kind::Page)];
    let found = kinds.iter().find_map(|(end, kind)| Some((column.strip_suffix(end)?, *kind)));
    found.unwrap_or((column, Kind::Table))
}

/// Connects to a database that is there. Going away again leaves the files as they are: the
/// log of a journal that turns out to be damaged is not folded into it.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

/// One record in a batch: what it is about, time, whether it closes, the record itself, which version
/// wrote it, what led to it, its hash.
fn journal_line(stream: &str, topic: Topic, closes: bool, line: &StoredRecord) -> String {
    let StoredRecord { at, by, cause, hash, record } = line;
    let (column, number) = (column(stream, topic.kind()), topic.number());
    format!("[{column:?},{number},{at},{closes},{record},{by},\"{cause}\",\"{hash}\"]\n")
}

/// A [`journal_line`], read back. Earlier releases wrote only the record.
#[derive(Deserialize)]
struct JournalLine<'a>(
    String,
    u64,
    u64,
    bool,
    #[serde(borrow)] &'a RawValue,
    #[serde(default)] u32,
    #[serde(default)] String,
    #[serde(default)] String,
);

impl JournalLine<'_> {
    /// Its topic, and whether it is the topic's last row.
    fn about(&self) -> ((String, Topic), bool) {
        let (stream, kind) = of_column(&self.0);
        ((stream.to_owned(), Topic::new(kind, self.1)), self.3)
    }

    fn record(self) -> StoredRecord {
        let JournalLine(_, _, at, _, record, by, cause, hash) = self;
        StoredRecord { at, by, cause, hash, record: record.get().to_owned() }
    }
}

/// Sorts SQLite's error into a fault of the system or a damaged file.
fn database_error(path: &Path, cause: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode;
    let place = path.display().to_string();
    match cause.sqlite_error_code() {
        // Values that are not of their column's type, or tables that do not read.
        None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => {
            StoreError::Damaged { place, what: cause.to_string() }
        }
        Some(_) => StoreError::Failed { place, cause: cause.into() },
    }
}

#[cfg(test)]
#[path = "sqlite_tests/mod.rs"]
mod tests;
