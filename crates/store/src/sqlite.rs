//! The journal in a folder: SQLite, write-ahead log, synced at every commit.
//!
//! A batch is one row of `journal`: the lines of all its records, with a checksum. A game that
//! closes becomes one row of `games` in the same transaction, so the journal itself only has to
//! hold what is open; once it holds much else, what is open is written down anew and the rest
//! dropped. A little file beside it, `parlor.tail`, keeps the number of the last batch: a
//! journal that ends before that has lost something that was said, and is refused. The numbers of
//! batches run through all streams: they share one file, one thread and one commit.

mod archive;
mod layout;
mod old_sum;
mod opening;
mod tail;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::folder::Folder;
use crate::{Batch, Journal, Kind, Loaded, Mark, Row, StoreError, StoredRecord, Topic};
use tail::Tail;

pub use archive::SqliteArchive;

/// The name of the database in its folder.
pub const FILE: &str = "parlor.db";

/// The journal is written anew once it has grown by so many bytes, or by four times what is open.
const REWRITE_AFTER: usize = 16 << 20;

/// The write-ahead log is folded into the database when it has so many pages.
const CHECKPOINT_PAGES: u32 = 4000;

#[derive(Debug)]
pub struct SqliteJournal {
    connection: Connection,
    path: PathBuf,
    tail: Tail,
    /// The number of the last batch.
    batch: i64,
    /// The lines of everything that is open, by stream.
    open: BTreeMap<(String, Topic), Vec<StoredRecord>>,
    open_bytes: usize,
    /// Bytes in the journal since it was last written anew.
    journal_bytes: usize,
    rewrite_after: usize,
    /// The number after the greatest ever used, by stream.
    next: BTreeMap<(String, Kind), u64>,
    /// Under which each stream is written to.
    epochs: BTreeMap<String, u64>,
    /// What an older release had left is copied here.
    copy: Option<PathBuf>,
    _folder: Folder,
}

impl SqliteJournal {
    /// Opens the journal of a folder, or begins one, and reads what is open.
    pub fn open(folder: Folder) -> Result<SqliteJournal, StoreError> {
        SqliteJournal::open_with(folder, layout::STEPS)
    }

    /// Where the folder was copied to before it was brought up to date, if it was just now.
    pub fn copy(&self) -> Option<&Path> {
        self.copy.as_deref()
    }

    fn open_with(folder: Folder, steps: &[&str]) -> Result<SqliteJournal, StoreError> {
        let path = folder.path().join(FILE);
        let (connection, contents) = opening::open(&path, steps)?;
        let open_bytes = contents.open.values().flatten().map(|line| line.record.len()).sum();
        Ok(SqliteJournal {
            connection,
            tail: Tail::open(&path)?,
            path,
            batch: contents.batch,
            open: contents.open,
            open_bytes,
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

    fn commit(&mut self, batches: &[Batch<String>]) -> rusqlite::Result<usize> {
        let rows =
            || batches.iter().flat_map(|batch| batch.rows.iter().map(move |row| (batch, row)));
        let body: String = rows().map(|(batch, row)| journal_line(&batch.stream, row)).collect();
        let number = self.batch + 1;
        let raised = raised(&self.next, rows());
        let transaction = self.connection.transaction()?;
        layout::insert_batch(&transaction, number, &body)?;
        for ((stream, kind), next) in &raised {
            layout::set_next(&transaction, &column(stream, *kind), *next)?;
        }
        for (index, (batch, row)) in rows().enumerate() {
            if let Mark::Closes(Some(summary)) = &row.mark {
                // The topic's rows are those known from before and those of this commit.
                let before = self.open.get(&(batch.stream.to_string(), row.topic));
                let before = before.into_iter().flatten();
                let before = before.map(|line| (line.at, line.record.as_str()));
                let now = rows().take(index + 1).filter(|(other_batch, other)| {
                    other.topic == row.topic && other_batch.stream == batch.stream
                });
                let now = now.map(|(_, row)| (row.at, row.record.as_str()));
                let records: String =
                    before.chain(now).map(|(at, record)| replay_line(at, record)).collect();
                layout::insert_game(&transaction, &batch.stream, row, summary, &records)?;
            }
        }
        transaction.commit()?;
        self.batch = number;
        self.next.extend(raised);
        Ok(body.len())
    }

    /// Takes the rows of a committed batch into what is known to be open.
    fn remember(&mut self, Batch { stream, rows, .. }: Batch<String>) {
        for row in rows {
            let key = (stream.to_string(), row.topic);
            if matches!(row.mark, Mark::Closes(_)) {
                let lines = self.open.remove(&key).unwrap_or_default();
                self.open_bytes -= lines.iter().map(|line| line.record.len()).sum::<usize>();
            } else {
                self.open_bytes += row.record.len();
                self.open
                    .entry(key)
                    .or_default()
                    .push(StoredRecord { at: row.at, record: row.record });
            }
        }
    }

    /// Writes down what is open and drops the rest.
    fn rewrite(&mut self) -> Result<(), StoreError> {
        let mut body = String::with_capacity(self.open_bytes * 2);
        for ((stream, topic), lines) in &self.open {
            let (column, number) = (column(stream, topic.kind()), topic.number());
            for line in lines {
                body += &format!("[{column:?},{number},{},false,{}]\n", line.at, line.record);
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
        let mut names: Vec<String> = self.open.keys().map(|(stream, _)| stream.clone()).collect();
        names.dedup();
        Ok(names)
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        let epoch = self.epochs.get(stream).copied().unwrap_or(0) + 1;
        let set = layout::set_epoch(&self.connection, stream, epoch);
        set.map_err(|cause| self.failed(cause))?;
        self.epochs.insert(stream.to_owned(), epoch);
        let open = self.open.iter().filter(|((of, _), _)| of == stream);
        let next = |kind| self.next.get(&(stream.to_owned(), kind)).copied().unwrap_or(1);
        Ok(Loaded {
            epoch,
            open: open.map(|((_, topic), lines)| (*topic, lines.clone())).collect(),
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
        let batches: Vec<Batch<String>> = batches.into_iter().map(Batch::written).collect();
        if batches.iter().all(|batch| batch.rows.is_empty()) {
            return Ok(());
        }
        let bytes = self.commit(&batches).map_err(|cause| self.failed(cause))?;
        self.tail.note(self.batch)?;
        batches.into_iter().for_each(|batch| self.remember(batch));
        self.journal_bytes += bytes;
        if self.journal_bytes > self.rewrite_after.max(4 * self.open_bytes) {
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
    rows: impl Iterator<Item = (&'a Batch<String>, &'a Row<String>)>,
) -> BTreeMap<(String, Kind), u64> {
    let mut raised = BTreeMap::new();
    for (batch, row) in rows.filter(|(_, row)| row.mark == Mark::Opens) {
        let next = raised.entry((batch.stream.to_string(), row.topic.kind())).or_insert(0);
        *next = row.topic.number().saturating_add(1).max(*next);
    }
    raised.retain(|key, next| known.get(key).is_none_or(|known| *next > *known));
    raised
}

/// Tournaments are kept beside the tables of their game, under its name and this.
const TOURNAMENTS: &str = "/tournaments";

/// What the database calls the tables or the tournaments of a stream.
fn column(stream: &str, kind: Kind) -> String {
    match kind {
        Kind::Table => stream.to_owned(),
        Kind::Tournament => format!("{stream}{TOURNAMENTS}"),
    }
}

/// The stream and kind of a [`column`].
fn of_column(column: &str) -> (&str, Kind) {
    match column.strip_suffix(TOURNAMENTS) {
        Some(stream) => (stream, Kind::Tournament),
        None => (column, Kind::Table),
    }
}

/// Connects to a database that is there. Going away again leaves the files as they are: the
/// log of a journal that turns out to be damaged is not folded into it.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

/// One record in a batch: what it is about, time, whether it closes, and the record itself.
fn journal_line(stream: &str, row: &Row<String>) -> String {
    let closes = matches!(row.mark, Mark::Closes(_));
    let (column, number) = (column(stream, row.topic.kind()), row.topic.number());
    format!("[{column:?},{number},{},{closes},{}]\n", row.at, row.record)
}

/// One record of a finished game.
pub(crate) fn replay_line(at: u64, record: &str) -> String {
    format!("{{\"at\":{at},\"record\":{record}}}\n")
}

/// What SQLite says of a file: either the world is wrong around it, or the file is.
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
