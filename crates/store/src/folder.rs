//! The data folder, and the lock that keeps it to one server.
//!
//! The lock is the operating system's: it ends with the process, however that ends.

use std::fs::{File, OpenOptions, TryLockError, create_dir};
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::durable::sync_folder;

/// The file that a process locks.
pub const LOCK: &str = "lock";

/// A data folder that belongs to this process.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Creates the folder if it is missing, and takes it.
    pub fn take(path: &Path) -> Result<Folder, StoreError> {
        let io = |verb| move |cause| StoreError::Io { verb, path: path.to_owned(), cause };
        create(path).map_err(io("create"))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let lock = options.open(path.join(LOCK)).map_err(io("lock"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Folder { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
            Err(TryLockError::Error(cause)) => Err(io("lock")(cause)),
        }
    }

    /// Whether some process has the folder.
    pub fn is_taken(path: &Path) -> bool {
        let Ok(lock) = OpenOptions::new().read(true).write(true).open(path.join(LOCK)) else {
            return false;
        };
        matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Creates a folder, and those it is in, so that they outlive a power cut.
fn create(path: &Path) -> std::io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    create(parent)?;
    create_dir(path)?;
    sync_folder(parent)
}
