//! The journal in a folder: SQLite, write-ahead log, synced at every commit.
//!
//! A batch is one row of `journal`: the lines of all its records, with a checksum. A game that
//! closes becomes one row of `games` in the same transaction, so the journal itself only has to
//! hold what is open; once it holds much else, what is open is written down anew and the rest
//! dropped. A little file beside it, `parlor.tail`, keeps the number of the last batch: a
//! journal that ends before that has lost something that was said, and is refused.

mod archive;
mod layout;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, params};

use crate::folder::Folder;
use crate::{Journal, Line, Mark, Row, StoreError, Unfinished};

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
    tail: File,
    /// The number of the last batch.
    batch: i64,
    /// The lines of every open table.
    open: BTreeMap<(String, u64), Vec<Line>>,
    open_bytes: usize,
    /// Bytes in the journal since it was last written anew.
    journal_bytes: usize,
    _folder: Folder,
}

impl SqliteJournal {
    /// Opens the journal of a folder, or begins one, and reads what is open.
    pub fn open(folder: Folder) -> Result<(SqliteJournal, Unfinished), StoreError> {
        let path = folder.path().join(FILE);
        refuse_remains(&path)?;
        let failed = |source| database_error(&path, source);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(&path, flags).map_err(failed)?;
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
            .map_err(failed)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(failed)?;
        layout::prepare(&mut connection, &path)?;
        let tail_path = folder.path().join("parlor.tail");
        let io = |source| StoreError::Io { verb: "open", path: tail_path.clone(), source };
        let mut options = OpenOptions::new();
        let mut tail = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&tail_path)
            .map_err(io)?;
        let last = read_tail(&mut tail).map_err(io)?;
        let loaded = load(&connection, &path)?;
        if loaded.batch < last {
            let what =
                format!("it ends with batch {}, but batch {last} was committed", loaded.batch);
            return Err(StoreError::Damaged { path, what });
        }
        let unfinished = Unfinished {
            tables: loaded.open.clone(),
            next_table: layout::next_tables(&connection).map_err(failed)?,
        };
        let open_bytes = loaded.open.values().flatten().map(|line| line.record.len()).sum();
        let journal = SqliteJournal {
            connection,
            path,
            tail,
            batch: loaded.batch,
            open: loaded.open,
            open_bytes,
            journal_bytes: loaded.bytes,
            _folder: folder,
        };
        Ok((journal, unfinished))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        database_error(&self.path, source)
    }

    fn commit(&mut self, rows: &[Row]) -> rusqlite::Result<usize> {
        let body: String = rows.iter().map(journal_line).collect();
        let batch = self.batch + 1;
        let transaction = self.connection.transaction()?;
        transaction
            .prepare_cached("INSERT INTO journal (batch, body, sum) VALUES (?1, ?2, ?3)")?
            .execute(params![batch, body, layout::sum(&body)])?;
        for (index, row) in rows.iter().enumerate() {
            match &row.mark {
                Mark::Continues | Mark::Closes(None) => {}
                Mark::Opens => {
                    transaction
                        .prepare_cached(
                            "INSERT INTO counters (game, next_table) VALUES (?1, ?2) ON CONFLICT (game)
                             DO UPDATE SET next_table = max(next_table, excluded.next_table)",
                        )?
                        .execute(params![row.game, row.table + 1])?;
                }
                Mark::Closes(Some(summary)) => {
                    // The table's rows are those known from before and those of this batch.
                    let before =
                        self.open.get(&(row.game.to_owned(), row.table)).into_iter().flatten();
                    let before = before.map(|line| (line.at, line.record.as_str()));
                    let of_table =
                        |other: &&Row| (other.game, other.table) == (row.game, row.table);
                    let now = rows[..=index]
                        .iter()
                        .filter(of_table)
                        .map(|row| (row.at, row.record.as_str()));
                    let records: String =
                        before.chain(now).map(|(at, record)| replay_line(at, record)).collect();
                    layout::insert_game(&transaction, row, summary, &records)?;
                }
            }
        }
        transaction.commit()?;
        self.batch = batch;
        Ok(body.len())
    }

    /// Takes the rows of a committed batch into what is known to be open.
    fn remember(&mut self, rows: Vec<Row>) {
        for row in rows {
            let key = (row.game.to_owned(), row.table);
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
    fn rewrite(&mut self) -> rusqlite::Result<()> {
        let mut body = String::with_capacity(self.open_bytes * 2);
        for ((game, table), lines) in &self.open {
            for line in lines {
                body += &format!("[{game:?},{table},{},false,{}]\n", line.at, line.record);
            }
        }
        let batch = self.batch + 1;
        let transaction = self.connection.transaction()?;
        transaction.execute("DELETE FROM journal", [])?;
        let insert = "INSERT INTO journal (batch, body, sum) VALUES (?1, ?2, ?3)";
        transaction.execute(insert, params![batch, body, layout::sum(&body)])?;
        transaction.commit()?;
        self.batch = batch;
        self.journal_bytes = body.len();
        Ok(())
    }

    /// Notes the number of the last batch. Not synced: it guards against lost files, not power.
    fn note_tail(&mut self) -> Result<(), StoreError> {
        let written = self
            .tail
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.tail.write_all(&self.batch.to_le_bytes()));
        written.map_err(|source| StoreError::Io {
            verb: "write",
            path: self.path.with_extension("tail"),
            source,
        })
    }
}

impl Journal for SqliteJournal {
    fn append(&mut self, rows: Vec<Row>) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let bytes = self.commit(&rows).map_err(|source| self.failed(source))?;
        self.note_tail()?;
        self.remember(rows);
        self.journal_bytes += bytes;
        if self.journal_bytes > REWRITE_AFTER.max(4 * self.open_bytes) {
            self.rewrite().map_err(|source| self.failed(source))?;
            self.note_tail()?;
        }
        Ok(())
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        let pruned = layout::prune(&mut self.connection, closed_before, at_most);
        pruned.map_err(|source| self.failed(source))
    }

    fn close(&mut self) -> Result<(), StoreError> {
        self.rewrite().map_err(|source| self.failed(source))?;
        self.note_tail()?;
        let folded = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        folded.map_err(|source| self.failed(source))
    }
}

/// One record in a batch: game, table, time, whether it closes, and the record itself.
fn journal_line(row: &Row) -> String {
    let closes = matches!(row.mark, Mark::Closes(_));
    format!("[{:?},{},{},{closes},{}]\n", row.game, row.table, row.at, row.record)
}

/// One record of a finished game.
pub(crate) fn replay_line(at: u64, record: &str) -> String {
    format!("{{\"at\":{at},\"record\":{record}}}\n")
}

/// A journal that is not there is begun; the remains of one are not.
fn refuse_remains(path: &Path) -> Result<(), StoreError> {
    let damaged =
        |what: &str| Err(StoreError::Damaged { path: path.to_owned(), what: what.to_owned() });
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    match std::fs::metadata(path) {
        Ok(file) if file.len() == 0 => damaged("the file is empty"),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let remains = beside("-wal").exists() || path.with_extension("tail").exists();
            if remains {
                damaged("the database is gone, but parts of it are there")
            } else {
                Ok(())
            }
        }
        Err(source) => Err(StoreError::Io { verb: "open", path: path.to_owned(), source }),
    }
}

fn read_tail(tail: &mut File) -> std::io::Result<i64> {
    let mut bytes = Vec::new();
    tail.read_to_end(&mut bytes)?;
    Ok(<[u8; 8]>::try_from(bytes.as_slice()).map_or(0, i64::from_le_bytes))
}

struct Loaded {
    open: BTreeMap<(String, u64), Vec<Line>>,
    batch: i64,
    bytes: usize,
}

/// Reads the journal and checks every batch.
fn load(connection: &Connection, path: &Path) -> Result<Loaded, StoreError> {
    let failed = |source| database_error(path, source);
    let damaged = |batch, what: &str| StoreError::Damaged {
        path: path.to_owned(),
        what: format!("batch {batch}: {what}"),
    };
    let mut loaded = Loaded { open: BTreeMap::new(), batch: 0, bytes: 0 };
    let mut statement = connection
        .prepare("SELECT batch, body, sum FROM journal ORDER BY batch")
        .map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let batch: i64 = row.get(0).map_err(failed)?;
        let body: String = row.get(1).map_err(|_| damaged(batch, "not text"))?;
        let sum: i64 = row.get(2).map_err(failed)?;
        if sum != layout::sum(&body) {
            return Err(damaged(batch, "the checksum is wrong"));
        }
        for line in body.lines() {
            let parsed: (String, u64, u64, bool, Box<serde_json::value::RawValue>) =
                serde_json::from_str(line).map_err(|error| damaged(batch, &error.to_string()))?;
            let (game, table, at, closes, record) = parsed;
            if closes {
                loaded.open.remove(&(game, table));
            } else {
                let line = Line { at, record: record.get().to_owned() };
                loaded.open.entry((game, table)).or_default().push(line);
            }
        }
        loaded.batch = batch;
        loaded.bytes += body.len();
    }
    Ok(loaded)
}

/// What SQLite says of a file that is no longer one of its own, in our words.
fn database_error(path: &Path, source: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    match source.sqlite_error_code() {
        Some(DatabaseCorrupt | NotADatabase) => {
            StoreError::Damaged { path: path.to_owned(), what: source.to_string() }
        }
        _ => StoreError::Database { path: path.to_owned(), source },
    }
}

#[cfg(test)]
#[path = "sqlite_tests.rs"]
mod tests;
