//! The journal in a folder: SQLite, write-ahead log, synced at every commit.
//!
//! A batch is one row of `journal`: the lines of all its records, with a checksum. A game that
//! closes becomes one row of `games` in the same transaction, so the journal itself only has to
//! hold what is open; once it holds much else, what is open is written down anew and the rest
//! dropped. A little file beside it, `parlor.tail`, keeps the number of the last batch: a
//! journal that ends before that has lost something that was said, and is refused.

mod archive;
mod layout;
mod opening;
mod tail;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::folder::Folder;
use crate::{Journal, Line, Mark, Row, StoreError, Unfinished};
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
    /// The lines of every open table.
    open: BTreeMap<(String, u64), Vec<Line>>,
    open_bytes: usize,
    /// Bytes in the journal since it was last written anew.
    journal_bytes: usize,
    rewrite_after: usize,
    /// The number after the greatest ever used, by game.
    next_table: BTreeMap<String, u64>,
    _folder: Folder,
}

impl SqliteJournal {
    /// Opens the journal of a folder, or begins one, and reads what is open.
    pub fn open(folder: Folder) -> Result<(SqliteJournal, Unfinished), StoreError> {
        SqliteJournal::open_with(folder, layout::STEPS)
    }

    fn open_with(
        folder: Folder,
        steps: &[&str],
    ) -> Result<(SqliteJournal, Unfinished), StoreError> {
        let path = folder.path().join(FILE);
        let (connection, loaded) = opening::open(&path, steps)?;
        let unfinished =
            Unfinished { tables: loaded.open.clone(), next_table: loaded.next_table.clone() };
        let open_bytes = loaded.open.values().flatten().map(|line| line.record.len()).sum();
        let journal = SqliteJournal {
            connection,
            tail: Tail::open(&path)?,
            path,
            batch: loaded.batch,
            open: loaded.open,
            open_bytes,
            journal_bytes: loaded.bytes,
            rewrite_after: REWRITE_AFTER,
            next_table: loaded.next_table,
            _folder: folder,
        };
        Ok((journal, unfinished))
    }

    fn failed(&self, cause: rusqlite::Error) -> StoreError {
        database_error(&self.path, cause)
    }

    fn commit(&mut self, rows: &[Row<String>]) -> rusqlite::Result<usize> {
        let body: String = rows.iter().map(journal_line).collect();
        let batch = self.batch + 1;
        let next_table = next_tables(&self.next_table, rows);
        let transaction = self.connection.transaction()?;
        layout::insert_batch(&transaction, batch, &body)?;
        for (game, next) in &next_table {
            layout::set_next_table(&transaction, game, *next)?;
        }
        for (index, row) in rows.iter().enumerate() {
            if let Mark::Closes(Some(summary)) = &row.mark {
                // The table's rows are those known from before and those of this batch.
                let before =
                    self.open.get(&(row.game.to_string(), row.table)).into_iter().flatten();
                let before = before.map(|line| (line.at, line.record.as_str()));
                let of_table =
                    |other: &&Row<String>| other.table == row.table && other.game == row.game;
                let now = rows[..=index].iter().filter(of_table);
                let now = now.map(|row| (row.at, row.record.as_str()));
                let records: String =
                    before.chain(now).map(|(at, record)| replay_line(at, record)).collect();
                layout::insert_game(&transaction, row, summary, &records)?;
            }
        }
        transaction.commit()?;
        self.batch = batch;
        self.next_table.extend(next_table.into_iter().map(|(game, next)| (game.to_owned(), next)));
        Ok(body.len())
    }

    /// Takes the rows of a committed batch into what is known to be open.
    fn remember(&mut self, rows: Vec<Row<String>>) {
        for row in rows {
            let key = (row.game.to_string(), row.table);
            if matches!(row.mark, Mark::Closes(_)) {
                let lines = self.open.remove(&key).unwrap_or_default();
                self.open_bytes -= lines.iter().map(|line| line.record.len()).sum::<usize>();
            } else {
                self.open_bytes += row.record.len();
                self.open.entry(key).or_default().push(Line { at: row.at, record: row.record });
            }
        }
    }

    /// Writes down what is open and drops the rest.
    fn rewrite(&mut self) -> Result<(), StoreError> {
        let mut body = String::with_capacity(self.open_bytes * 2);
        for ((game, table), lines) in &self.open {
            for line in lines {
                body += &format!("[{game:?},{table},{},false,{}]\n", line.at, line.record);
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
    fn append(&mut self, rows: Vec<Row>) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let rows: Vec<Row<String>> = rows.into_iter().map(Row::written).collect();
        let bytes = self.commit(&rows).map_err(|cause| self.failed(cause))?;
        self.tail.note(self.batch)?;
        self.remember(rows);
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

/// The counters that a batch raises. They never go back.
fn next_tables<'a>(
    known: &BTreeMap<String, u64>,
    rows: &'a [Row<String>],
) -> BTreeMap<&'a str, u64> {
    let mut raised = BTreeMap::new();
    for row in rows.iter().filter(|row| row.mark == Mark::Opens) {
        let next = raised.entry(&*row.game).or_insert(0);
        *next = row.table.saturating_add(1).max(*next);
    }
    raised.retain(|game, next| known.get(*game).is_none_or(|known| *next > *known));
    raised
}

/// Connects to a database that is there. Going away again leaves the files as they are: the
/// log of a journal that turns out to be damaged is not folded into it.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    Ok(connection)
}

/// One record in a batch: game, table, time, whether it closes, and the record itself.
fn journal_line(row: &Row<String>) -> String {
    let closes = matches!(row.mark, Mark::Closes(_));
    format!("[{:?},{},{},{closes},{}]\n", row.game, row.table, row.at, row.record)
}

/// One record of a finished game.
pub(crate) fn replay_line(at: u64, record: &str) -> String {
    format!("{{\"at\":{at},\"record\":{record}}}\n")
}

/// What SQLite says of a file: either the world is wrong around it, or the file is.
fn database_error(path: &Path, cause: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode;
    let path = path.to_owned();
    match cause.sqlite_error_code() {
        // Values that are not of their column's type, or tables that do not read.
        None | Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => {
            StoreError::Damaged { path, what: cause.to_string() }
        }
        Some(_) => StoreError::Database { path, cause },
    }
}

#[cfg(test)]
#[path = "sqlite_tests/mod.rs"]
mod tests;
