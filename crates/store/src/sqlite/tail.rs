//! The number of the last batch, in a separate file.
//!
//! It is written after each commit and not synced, so it is never ahead of a complete journal. It
//! guards against lost and swapped files, not against power cuts.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;

#[derive(Debug)]
pub struct Tail {
    file: File,
    path: PathBuf,
}

/// The path of a journal's tail file.
pub fn place(journal: &Path) -> PathBuf {
    journal.with_extension("tail")
}

/// The last batch that was committed, as far as the tail knows.
pub fn read(journal: &Path) -> Result<i64, StoreError> {
    let path = place(journal);
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        read => read.map_err(|cause| StoreError::Io { verb: "read", path: path.clone(), cause }),
    }?;
    // After a power cut the file may be there without what was written to it.
    if bytes.iter().all(|byte| *byte == 0) {
        return Ok(0);
    }
    let halves = bytes.split_at_checked(8);
    let number = |half: &[u8]| half.try_into().ok().map(i64::from_le_bytes);
    match halves.map(|(batch, inverse)| (number(batch), number(inverse))) {
        Some((Some(batch), Some(inverse))) if batch == !inverse => Ok(batch),
        _ => Err(StoreError::Damaged {
            place: path.display().to_string(),
            what: "it holds no batch number".to_owned(),
        }),
    }
}

impl Tail {
    pub fn open(journal: &Path) -> Result<Tail, StoreError> {
        let path = place(journal);
        let mut options = OpenOptions::new();
        match options.write(true).create(true).truncate(false).open(&path) {
            Ok(file) => Ok(Tail { file, path }),
            Err(cause) => Err(StoreError::Io { verb: "open", path, cause }),
        }
    }

    /// Notes the number of the last batch, twice: once inverted.
    pub fn note(&mut self, batch: i64) -> Result<(), StoreError> {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&batch.to_le_bytes());
        bytes[8..].copy_from_slice(&(!batch).to_le_bytes());
        let path = &self.path;
        let failed = |cause| StoreError::Io { verb: "write", path: path.clone(), cause };
        self.file.rewind().and_then(|()| self.file.write_all(&bytes)).map_err(failed)
    }
}
