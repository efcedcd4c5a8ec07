//! A server's storage: a folder, or memory.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use store::folder::Folder;
use store::memory::Memory;
use store::sqlite::{SqliteArchive, SqliteJournal};
use store::{Archive, Journal, private};

use super::shared_stream::SharedHouse;
use crate::house::Settings;

/// Where records go and where finished games are read.
#[derive(Debug)]
pub struct Storage {
    pub journal: Box<dyn Journal>,
    pub archive: Arc<dyn Archive>,
    /// The journal, if it is memory: nothing waits for it.
    pub memory: Option<Memory>,
    /// In a fleet, what its nodes know together.
    pub house: Option<SharedHouse>,
}

impl Storage {
    /// The storage the settings ask for: a folder, or memory.
    pub fn open(settings: &Settings) -> Result<Storage> {
        match &settings.data {
            None => {
                let memory = Memory::default();
                let archive = Arc::new(memory.clone());
                let (journal, memory) = (Box::new(memory.clone()), Some(memory));
                Ok(Storage { journal, archive, memory, house: None })
            }
            Some(data) => {
                let is_new =
                    std::fs::read_dir(data).map_or(true, |mut files| files.next().is_none());
                let folder = Folder::take(data)?;
                close_to_others(data, is_new)?;
                let journal = SqliteJournal::open(folder)?;
                if let Some(copy) = journal.copy() {
                    tracing::info!(
                        data = %data.display(),
                        copy = %copy.display(),
                        "the data folder is of an earlier release: it was brought up to date, and copied first"
                    );
                }
                let archive = Arc::new(SqliteArchive::open(data)?);
                // Including the files just created.
                close_to_others(data, true)?;
                Ok(Storage { journal: Box::new(journal), archive, memory: None, house: None })
            }
        }
    }
}

/// Only the owner may read seeds and tokens. Warns if others could, unless the folder is new.
fn close_to_others(data: &Path, is_new: bool) -> Result<()> {
    let closed = private::close_to_others(data)
        .with_context(|| format!("cannot close {} to others", data.display()))?;
    if closed && !is_new {
        tracing::warn!(
            data = %data.display(),
            "others on this machine could read the data folder; from now on only its owner can"
        );
    }
    Ok(())
}
