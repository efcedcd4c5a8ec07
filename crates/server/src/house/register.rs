//! The register and its one owner: a task that records every change and then passes it to the halls
//! and to all readers.

use std::sync::Arc;

use anyhow::{Context, Result};
use hall::{HouseEntry, HouseRecord, Register, Time};
use store::{Loaded, Mark, Row, Topic};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::clock;
use crate::hosting::HallHandle;
use crate::journal::{PendingBatches, SharedStream};

/// Maximum number of waiting changes.
const WAITING: usize = 64;

/// A handle to the register for any thread. Reading never waits.
#[derive(Clone, Debug)]
pub struct RegisterHandle {
    changes: mpsc::Sender<Change>,
    known: watch::Receiver<Arc<Register>>,
}

/// Makes a record from the register as it is, or none.
type Decide = dyn FnOnce(&Register) -> Option<HouseRecord> + Send;

/// A requested change, decided with the register's current state.
struct Change {
    decide: Box<Decide>,
    /// Completed when the record is durable and every hall has it.
    done: oneshot::Sender<()>,
}

impl RegisterHandle {
    /// A register that stays as it is.
    #[cfg(test)]
    pub fn fixed(register: Register) -> RegisterHandle {
        let known = watch::channel(Arc::new(register)).1;
        RegisterHandle { changes: mpsc::channel(1).0, known }
    }

    /// The register as it is now; everything in it is durable.
    pub fn read(&self) -> Arc<Register> {
        self.known.borrow().clone()
    }

    /// Records one change, made from the register's current state, or refuses it with a reason. On
    /// success the change is durable and every hall applies it. `None`: the server is stopping.
    pub async fn change<E: Send + 'static>(
        &self,
        decide: impl FnOnce(&Register) -> Result<HouseRecord, E> + Send + 'static,
    ) -> Option<Result<(), E>> {
        let (done, is_done) = oneshot::channel();
        let (refuse, refused) = oneshot::channel();
        let decide = Box::new(move |register: &Register| match decide(register) {
            Ok(record) => Some(record),
            Err(why) => {
                // The caller may have hung up.
                let _ = refuse.send(why);
                None
            }
        });
        self.changes.send(Change { decide, done }).await.ok()?;
        if is_done.await.is_ok() {
            return Some(Ok(()));
        }
        refused.await.ok().map(Err)
    }
}

/// The owner of the register.
pub(crate) struct RegisterKeeper {
    register: Arc<Register>,
    pen: Pen,
    waiting: mpsc::Receiver<Change>,
    known: watch::Sender<Arc<Register>>,
}

/// How records become durable.
pub(crate) enum Pen {
    /// Only this server writes.
    Own(PendingBatches),
    /// So do other nodes of its fleet.
    Shared(SharedStream),
}

impl Pen {
    /// Waits until another node may have written.
    pub async fn changed(&mut self) {
        match self {
            Pen::Own(_) => std::future::pending().await,
            Pen::Shared(stream) => stream.changed().await,
        }
    }
}

/// The register as an earlier server has left it.
pub fn restore(loaded: &Loaded) -> Result<Register> {
    let mut entries = Vec::new();
    for line in loaded.open.get(&Topic::Register).into_iter().flatten() {
        let entry: HouseEntry = serde_json::from_str(&line.record)
            .with_context(|| format!("an entry of the register cannot be read: {}", line.record))?;
        entries.push((Time(line.at), entry));
    }
    Register::fold(entries.iter().map(|(at, entry)| (*at, entry)))
        .map_err(|why| anyhow::anyhow!("the register of names cannot be read: {why}"))
}

/// A record of the register, as the journal keeps it.
pub fn row(at: Time, record: HouseRecord) -> Row {
    let record = Arc::new(HouseEntry::new(record));
    let cause = store::Cause::default();
    Row { topic: Topic::Register, at: at.0, cause, record, mark: Mark::Continues }
}

impl RegisterKeeper {
    pub fn new(register: Register, pen: Pen) -> (RegisterKeeper, RegisterHandle) {
        let register = Arc::new(register);
        let (changes, waiting) = mpsc::channel(WAITING);
        let (known, read) = watch::channel(register.clone());
        let keeper = RegisterKeeper { register, pen, waiting, known };
        (keeper, RegisterHandle { changes, known: read })
    }

    /// Writes changes down, one after the other, until the server closes.
    pub async fn keep(mut self, halls: Vec<HallHandle>, closing: CancellationToken) {
        let keep = async {
            loop {
                let change = tokio::select! {
                    change = self.waiting.recv() => change,
                    () = self.pen.changed() => {
                        self.read_anew().await;
                        self.publish(&halls).await;
                        continue;
                    }
                };
                let Some(Change { decide, done }) = change else { return };
                let before = self.register.clone();
                let is_written = self.write_down(decide).await;
                if !Arc::ptr_eq(&before, &self.register) {
                    self.publish(&halls).await;
                }
                if is_written {
                    // The caller may have hung up.
                    let _ = done.send(());
                }
            }
        };
        tokio::select! {
            () = keep => {}
            () = closing.cancelled() => {}
        }
    }

    /// Decides a change with the register as it is, and makes it durable. Whether it is.
    async fn write_down(&mut self, decide: Box<Decide>) -> bool {
        if let Pen::Shared(_) = &self.pen
            && !self.read_anew().await
        {
            return false;
        }
        let Some(record) = decide(&self.register) else { return false };
        loop {
            let now = clock::now();
            let rows = vec![row(now, record.clone())];
            let written = match &mut self.pen {
                Pen::Own(pending) => {
                    let number = pending.write(now, rows, false).await;
                    // A journal that has failed never gets there, and ends the server.
                    pending.committed.wait_for(|durable| *durable >= number).await.is_ok()
                }
                Pen::Shared(stream) => match stream.append(rows).await {
                    Ok(written) => written,
                    Err(error) => {
                        tracing::error!(%error, "a change of names, bans or tokens was not written");
                        return false;
                    }
                },
            };
            if written {
                Arc::make_mut(&mut self.register).apply(now, &record);
                return true;
            }
            // Another node was quicker. If it has changed anything, the decision is void; most often it
            // has only read.
            let decided_on = self.register.clone();
            if matches!(self.pen, Pen::Own(_))
                || !self.read_anew().await
                || *decided_on != *self.register
            {
                return false;
            }
        }
    }

    /// Reads what other nodes have written. Whether that was possible.
    async fn read_anew(&mut self) -> bool {
        let Pen::Shared(stream) = &mut self.pen else { return true };
        let read = match stream.load().await {
            Ok(loaded) => restore(&loaded),
            Err(error) => Err(error.into()),
        };
        match read {
            Ok(register) => {
                self.register = Arc::new(register);
                true
            }
            Err(error) => {
                let error = format!("{error:#}");
                tracing::error!(error, "the register of names cannot be read");
                false
            }
        }
    }

    /// Publishes the register's current state.
    async fn publish(&mut self, halls: &[HallHandle]) {
        self.known.send_replace(self.register.clone());
        for hall in halls {
            hall.know(self.register.clone()).await;
        }
    }
}

#[cfg(test)]
#[path = "register_tests.rs"]
mod tests;
