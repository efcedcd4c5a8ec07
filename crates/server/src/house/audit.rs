//! The audit log: what organisers did, from where, whom it concerned, and the result. It is kept in
//! the journal in pages (`audit_books.rs`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use store::{Loaded, StoreError};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use super::audit_books::{Books, Entry};
use super::clock;
use super::register::Pen;

/// Delay before reading is tried again.
const AGAIN: std::time::Duration = std::time::Duration::from_secs(1);

/// Maximum number of waiting acts, which are written together.
const WAITING: usize = 64;

/// One thing that an organiser has done, or was refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Act {
    /// Counted from 0.
    pub number: u64,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub at: u64,
    /// The name of the token.
    pub who: String,
    /// The address it came from.
    pub from: String,
    /// The request.
    pub what: String,
    /// The status it was answered with, and the code of the error if it was one.
    pub outcome: String,
    /// Whom it concerned and the result: who was banned, who won, what was created.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// How often the same was refused, if more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
    /// When it was refused last, if more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_at: Option<u64>,
}

impl Act {
    pub fn is_refused(&self) -> bool {
        !self.outcome.starts_with('2')
    }
}

/// The known part of the log, by number.
type Known = Arc<Mutex<BTreeMap<u64, Act>>>;

/// The way to the log from any thread.
#[derive(Clone, Debug)]
pub struct AuditLog {
    acts: mpsc::Sender<(Act, oneshot::Sender<()>)>,
    known: Known,
}

impl AuditLog {
    /// Records an act durably; its number and time are set here. It also goes to the server's log,
    /// where no number of later acts can push it out.
    pub async fn note(&self, act: Act) {
        let Act { who, from, what, outcome, about, .. } = &act;
        tracing::info!(who, from, what, outcome, about, "audit");
        let (done, is_done) = oneshot::channel();
        if self.acts.send((act, done)).await.is_ok() {
            // A server that stops has answered for the act already, or never will.
            let _ = is_done.await;
        }
    }

    /// The latest acts, the latest first: those before a number.
    pub fn before(&self, number: u64, at_most: usize) -> Vec<Act> {
        let known = self.known.lock().expect("no holder of this lock panics");
        known.range(..number).rev().take(at_most).map(|(_, act)| act.clone()).collect()
    }
}

/// The owner of the log.
pub struct AuditKeeper {
    books: Books,
    /// Whether the books may say what was never written down.
    is_behind: bool,
    pen: Pen,
    waiting: mpsc::Receiver<(Act, oneshot::Sender<()>)>,
    known: Known,
}

impl AuditKeeper {
    /// The log as an earlier server has left it.
    pub fn restore(loaded: &Loaded, pen: Pen) -> Result<(AuditKeeper, AuditLog)> {
        let (books, known) = Books::restore(loaded)?;
        let (acts, waiting) = mpsc::channel(WAITING);
        let known = Arc::new(Mutex::new(known));
        let keeper = AuditKeeper { books, is_behind: false, pen, waiting, known: known.clone() };
        Ok((keeper, AuditLog { acts, known }))
    }

    /// Writes acts down until the server closes.
    pub async fn keep(mut self, closing: CancellationToken) {
        tokio::select! {
            () = self.write_down() => {}
            () = closing.cancelled() => {}
        }
    }

    async fn write_down(&mut self) {
        let mut noted = Vec::new();
        loop {
            tokio::select! {
                count = self.waiting.recv_many(&mut noted, WAITING) => if count == 0 { return },
                () = self.pen.changed() => {
                    self.read_anew().await;
                    continue;
                }
                // The database was away when another node had written.
                () = tokio::time::sleep(AGAIN), if self.is_behind => {
                    self.read_anew().await;
                    continue;
                }
            }
            let (acts, waiting): (Vec<Act>, Vec<_>) = noted.drain(..).unzip();
            if self.note(acts).await.is_none() {
                continue;
            }
            // The caller may have hung up.
            waiting.into_iter().for_each(|done: oneshot::Sender<()>| _ = done.send(()));
        }
    }

    /// Makes acts durable, and then known. None: they are not there.
    async fn note(&mut self, acts: Vec<Act>) -> Option<()> {
        loop {
            if self.is_behind {
                self.read_anew().await?;
            }
            let now = clock::now();
            let entries: Vec<Entry> =
                acts.iter().map(|act| self.books.enter(act.clone(), now.0)).collect();
            let rows: Vec<_> = entries.iter().flat_map(Entry::rows).collect();
            let is_written = match &mut self.pen {
                // More of the same, which is written down when there is twice as much.
                _ if rows.is_empty() => true,
                Pen::Own(pending) => {
                    let number = pending.write(now, rows, false).await;
                    // A journal that has failed never gets there, and ends the server.
                    pending.committed.wait_for(|durable| *durable >= number).await.ok()?;
                    true
                }
                Pen::Shared(stream) => {
                    self.is_behind = true;
                    let written = stream.append(rows).await.inspect_err(not_written).ok()?;
                    self.is_behind = !written;
                    written
                }
            };
            if is_written {
                let mut known = self.known.lock().expect("no holder of this lock panics");
                entries.into_iter().for_each(|entry| entry.make_known(&mut known));
                return Some(());
            }
            // Another node has written since, or may have: its acts come first.
        }
    }

    /// Reads what other nodes have written.
    async fn read_anew(&mut self) -> Option<()> {
        let Pen::Shared(stream) = &mut self.pen else { return Some(()) };
        self.is_behind = true;
        let loaded = stream.load().await.inspect_err(not_written).ok()?;
        let read = Books::restore(&loaded).inspect_err(|error| tracing::error!("{error:#}"));
        let (books, known) = read.ok()?;
        self.books = books;
        *self.known.lock().expect("no holder of this lock panics") = known;
        self.is_behind = false;
        Some(())
    }
}

fn not_written(error: &StoreError) {
    tracing::warn!(%error, "the audit log cannot be reached");
}
