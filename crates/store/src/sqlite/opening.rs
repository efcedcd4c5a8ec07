//! Taking up a journal: everything is looked at before anything is changed.

use std::collections::BTreeMap;
use std::fs::{create_dir, read_dir, remove_dir_all, remove_file, rename};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, TransactionBehavior};

use super::{CHECKPOINT_PAGES, JournalLine, connect, database_error, layout, tail};
use crate::durable::{sync_file, sync_folder};
use crate::folder::LOCK;
use crate::{Kind, StoreError, StoredRecord, Topic, VERSION};

/// The contents of a journal.
pub struct Contents {
    pub open: BTreeMap<(String, Topic), Vec<StoredRecord>>,
    pub next: BTreeMap<(String, Kind), u64>,
    pub epochs: BTreeMap<String, u64>,
    pub batch: i64,
    pub bytes: usize,
    /// The path of the copy made before the upgrade.
    pub copy: Option<PathBuf>,
}

/// Minimum size of a database file, in bytes.
const HEADER: u64 = 512;

/// Opens the database at `path`, or begins one, and reads it. After a refusal the files are as
/// they were.
pub fn open(path: &Path, steps: &[&str]) -> Result<(Connection, Contents), StoreError> {
    if !exists_whole(path)? {
        begin(path, steps)?;
    }
    let scratch = ["-wal", "-shm"].map(|ending| beside(path, ending));
    let made: Vec<&PathBuf> = scratch.iter().filter(|file| !file.exists()).collect();
    let opened = connect(path)
        .map_err(|cause| database_error(path, cause))
        .and_then(|connection| examine_and_upgrade(connection, path, steps));
    if opened.is_err() {
        // SQLite's scratch files, empty, which a refused journal did not have before.
        made.iter().for_each(|file| _ = remove_file(file));
    }
    opened
}

fn examine_and_upgrade(
    mut connection: Connection,
    path: &Path,
    steps: &[&str],
) -> Result<(Connection, Contents), StoreError> {
    let failed = |cause| database_error(path, cause);
    let version = layout::examine(&connection, path, steps)?;
    // Refuse a read-only journal before any player joins.
    if connection.is_readonly(rusqlite::MAIN_DB).map_err(failed)? {
        let cause = ErrorKind::ReadOnlyFilesystem.into();
        return Err(StoreError::Io { verb: "write", path: path.to_owned(), cause });
    }
    let last = tail::read(path)?;
    let copy = if version < steps.len() { copy_once(path)? } else { None };
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    layout::migrate(&transaction, path, steps, version)?;
    let contents = Contents { copy, ..read(&transaction, path)? };
    if contents.batch < last {
        let what = format!("it ends with batch {}, but batch {last} was committed", contents.batch);
        return Err(damaged(path, what));
    }
    transaction.commit().map_err(failed)?;
    set_up(&connection, path)?;
    Ok((connection, contents))
}

fn damaged(path: &Path, what: String) -> StoreError {
    StoreError::Damaged { place: path.display().to_string(), what }
}

/// Copies a folder next to itself before upgrading an older layout, unless a copy exists: the first
/// copy is what the older release wrote.
fn copy_once(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let io = |verb, path: &Path| {
        let path = path.to_owned();
        move |cause| StoreError::Io { verb, path, cause }
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let folder = folder.canonicalize().map_err(io("find", folder))?;
    let copy = beside(&folder, concat!(".before-", env!("CARGO_PKG_VERSION")));
    if copy.exists() {
        return Ok(None);
    }
    // Under another name until it is whole.
    let half = beside(&copy, ".new");
    if half.exists() {
        remove_dir_all(&half).map_err(io("remove", &half))?;
    }
    create_dir(&half).map_err(io("make", &half))?;
    for entry in read_dir(&folder).map_err(io("read", &folder))? {
        let entry = entry.map_err(io("read", &folder))?;
        let (from, to) = (entry.path(), half.join(entry.file_name()));
        // Windows refuses to read a locked file, and a copy needs no lock.
        let is_lock = entry.file_name() == LOCK;
        if !is_lock && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            std::fs::copy(&from, &to).map_err(io("copy", &from))?;
            sync_file(&to).map_err(io("sync", &to))?;
        }
    }
    rename(&half, &copy).map_err(io("rename", &half))?;
    Ok(Some(copy))
}

/// The settings that make a commit durable.
fn set_up(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |cause| database_error(path, cause);
    let mode: String =
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(failed)?;
    if mode != "wal" {
        let cause = std::io::Error::new(ErrorKind::Unsupported, "the file system does not do it");
        let verb = "keep a write-ahead log beside";
        return Err(StoreError::Io { verb, path: path.to_owned(), cause });
    }
    connection.execute_batch("PRAGMA synchronous = FULL").map_err(failed)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(failed)
}

/// A journal that is not there is begun; the remains of one are not.
fn exists_whole(path: &Path) -> Result<bool, StoreError> {
    let damaged = |what: String| Err(damaged(path, what));
    match std::fs::metadata(path) {
        Ok(file) if file.len() == 0 => damaged("the file is empty".to_owned()),
        // Of a file of one byte SQLite thinks that it is empty, and removes its log.
        Ok(file) if file.len() < HEADER => damaged(format!("it is cut off at {}", file.len())),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let remains = [beside(path, "-wal"), tail::place(path)];
            match remains.iter().find(|file| file.exists()) {
                Some(file) => damaged(format!("it is gone, but {} is there", file.display())),
                None => Ok(false),
            }
        }
        Err(cause) => Err(StoreError::Io { verb: "open", path: path.to_owned(), cause }),
    }
}

/// Begins a database under another name and renames it once it is whole, so that one that ends
/// in the middle of this leaves nothing that looks like a damaged journal.
fn begin(path: &Path, steps: &[&str]) -> Result<(), StoreError> {
    let new = path.with_extension("db.new");
    let io = |verb, place: &Path| {
        let path = place.to_owned();
        move |cause| StoreError::Io { verb, path, cause }
    };
    for ending in ["", "-wal", "-shm", "-journal"] {
        let left_over = beside(&new, ending);
        match remove_file(&left_over) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            removed => removed.map_err(io("remove", &left_over))?,
        }
    }
    let build = || {
        let mut connection = Connection::open(&new)?;
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        let transaction = connection.transaction()?;
        layout::begin(&transaction, steps)?;
        transaction.commit()?;
        connection.close().map_err(|(_, error)| error)
    };
    build().map_err(|cause| database_error(&new, cause))?;
    sync_file(&new).map_err(io("sync", &new))?;
    rename(&new, path).map_err(io("rename", &new))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    sync_folder(folder).map_err(io("sync", folder))
}

/// The name of a file that SQLite keeps next to a database.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Reads the journal and checks every batch.
fn read(connection: &Connection, path: &Path) -> Result<Contents, StoreError> {
    let failed = |cause| database_error(path, cause);
    let damaged = |what: String| damaged(path, what);
    let next = layout::next(connection).map_err(failed)?.map_err(damaged)?;
    let epochs = layout::epochs(connection).map_err(failed)?;
    let open = BTreeMap::new();
    let mut contents = Contents { open, next, epochs, batch: 0, bytes: 0, copy: None };
    let mut statement = connection
        .prepare("SELECT batch, body, sum FROM journal ORDER BY batch")
        .map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        let batch: i64 = row.get(0).map_err(failed)?;
        let body = row.get_ref(1).map_err(failed)?;
        let body = body.as_str().map_err(|_| damaged(format!("batch {batch}: not text")))?;
        let sum: i64 = row.get(2).map_err(failed)?;
        if sum != layout::batch_sum(batch, body) {
            return Err(damaged(format!("batch {batch}: the checksum is wrong")));
        }
        if contents.batch != 0 && batch != contents.batch + 1 {
            return Err(damaged(format!("batch {batch} comes after batch {}", contents.batch)));
        }
        for line in body.lines() {
            let line: JournalLine<'_> = serde_json::from_str(line)
                .map_err(|error| damaged(format!("batch {batch}: {error}")))?;
            let (key, closes) = line.about();
            let line = line.record();
            if line.by > VERSION {
                let (place, found, known) = (path.display().to_string(), line.by, VERSION);
                return Err(StoreError::NewerRecords { place, found, known });
            }
            if closes {
                contents.open.remove(&key);
            } else {
                contents.open.entry(key).or_default().push(line);
            }
        }
        contents.batch = batch;
        contents.bytes += body.len();
    }
    Ok(contents)
}
