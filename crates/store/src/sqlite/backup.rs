//! A copy of a data folder, whether or not a server writes there: one moment of its database, with a
//! tail that fits it, looked through before it gets its name.

use std::fs::{copy, create_dir_all, read_dir, remove_dir, remove_dir_all, rename};
use std::io::ErrorKind;
use std::path::Path;

use super::opening::beside;
use super::{FILE, SqliteJournal, connect, database_error};
use crate::durable::{sync_file, sync_folder};
use crate::folder::Folder;
use crate::{Journal, StoreError, private};

/// Files next to the database that belong to it permanently.
const OTHERS: [&str; 1] = ["admin-token"];

/// Copies the data folder `from` to `to`, which must not be there, or be empty. Only a copy that
/// opens, with everything in it looked at, is given that name.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), StoreError> {
    let io = |verb, path: &Path| {
        let path = path.to_owned();
        move |cause| StoreError::Io { verb, path, cause }
    };
    match read_dir(to) {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(io("read", to)(error)),
        Ok(mut entries) => {
            if entries.next().is_some() {
                return Err(io("write to", to)(ErrorKind::DirectoryNotEmpty.into()));
            }
            remove_dir(to).map_err(io("replace", to))?;
        }
    }
    let source = from.join(FILE);
    if !source.exists() {
        return Err(io("find", &source)(ErrorKind::NotFound.into()));
    }
    let half = beside(to, ".new");
    if half.exists() {
        remove_dir_all(&half).map_err(io("remove", &half))?;
    }
    create_dir_all(&half).map_err(io("make", &half))?;
    private::close_to_others(&half).map_err(io("protect", &half))?;
    let database = half.join(FILE);
    // Made first, so that it is never readable by others.
    drop(private::create(&database).map_err(io("make", &database))?);
    connect(&source)
        .and_then(|connection| {
            connection.execute("VACUUM INTO ?1", [database.to_string_lossy()])?;
            connection.close().map_err(|(_, error)| error)
        })
        .map_err(|cause| database_error(&source, cause))?;
    for name in OTHERS {
        let (one, other) = (from.join(name), half.join(name));
        if one.exists() {
            copy(&one, &other).map_err(io("copy", &one))?;
        }
    }
    // Opening it checks everything and writes the tail file.
    let mut journal = SqliteJournal::open(Folder::take(&half)?)?;
    journal.close()?;
    drop(journal);
    private::close_to_others(&half).map_err(io("protect", &half))?;
    for entry in read_dir(&half).map_err(io("read", &half))? {
        let path = entry.map_err(io("read", &half))?.path();
        sync_file(&path).map_err(io("sync", &path))?;
    }
    rename(&half, to).map_err(io("name", to))?;
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    sync_folder(parent).map_err(io("sync", parent))
}
