//! A stream that every node of a fleet writes to when it needs to: a node loads it and writes, and
//! loads it again if another node has loaded it since.

use std::sync::Arc;

use store::postgres::Database;
use store::{AUDIT, Batch, Journal, Loaded, Row, StoreError};
use tokio::sync::watch;

/// Opens a journal whose streams have no owner.
pub type OpenJournal = Arc<dyn Fn() -> Box<dyn Journal> + Send + Sync>;

/// What the nodes of a fleet share besides their games.
#[derive(Clone)]
pub struct SharedHouse {
    pub journal: OpenJournal,
    /// Grow when the register or the audit log has.
    pub register: watch::Receiver<u64>,
    pub audit: watch::Receiver<u64>,
    /// The same for all nodes.
    pub admin_token: String,
    /// The database that holds it, if there is one.
    pub database: Option<Database>,
}

impl SharedHouse {
    /// The register or the audit log, by the name of its stream.
    pub fn stream(&self, stream: &'static str) -> SharedStream {
        let changes = if stream == AUDIT { &self.audit } else { &self.register };
        SharedStream { stream, open: self.journal.clone(), held: None, changes: changes.clone() }
    }
}

impl std::fmt::Debug for SharedHouse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SharedHouse")
    }
}

pub struct SharedStream {
    stream: &'static str,
    open: OpenJournal,
    /// The journal, and the epoch under which it was loaded last.
    held: Option<(Box<dyn Journal>, u64)>,
    changes: watch::Receiver<u64>,
}

impl SharedStream {
    /// Waits until another node may have written.
    pub async fn changed(&mut self) {
        if self.changes.changed().await.is_err() {
            // The node has left its fleet.
            std::future::pending::<()>().await;
        }
    }

    /// Loads the stream; from now on this node writes.
    pub async fn load(&mut self) -> Result<Loaded, StoreError> {
        let (stream, open, held) = (self.stream, self.open.clone(), self.held.take());
        let (journal, loaded) = wait(move || {
            let mut journal = held.map_or_else(|| open(), |(journal, _)| journal);
            let loaded = journal.load(stream);
            (journal, loaded)
        })
        .await;
        let loaded = loaded?;
        self.held = Some((journal, loaded.epoch));
        Ok(loaded)
    }

    /// Makes rows durable. False: another node has loaded the stream since, and they are not there.
    pub async fn append(&mut self, rows: Vec<Row>) -> Result<bool, StoreError> {
        let Some((mut journal, epoch)) = self.held.take() else { return Ok(false) };
        let batch = Batch { stream: self.stream.into(), epoch, rows };
        let (journal, appended) = wait(move || {
            let appended = journal.append(vec![batch]);
            (journal, appended)
        })
        .await;
        match appended {
            Ok(()) => {
                self.held = Some((journal, epoch));
                Ok(true)
            }
            Err(StoreError::Superseded { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl std::fmt::Debug for SharedStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SharedStream").field(&self.stream).finish()
    }
}

async fn wait<T: Send + 'static>(ask: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(ask).await.expect("a store does not panic")
}
