//! The journal's one writer, on its own thread.
//!
//! It takes everything that waits, commits once, and then reports to each hall which of its batches
//! are durable. Nothing is sent before that. If the journal fails, the writer says why and the
//! server stops: it never plays on without its journal.

use std::sync::Arc;
use std::thread::JoinHandle;

use hall::{
    Closing, ConnId, Output, TableEntry, TableRecord, Time, TournamentEntry, TournamentInfo,
    TournamentRecord,
};
use rules::any::AnyRules;
use store::memory::Memory;
use store::{Batch, Cause, Journal, Mark, Row, StoreError, Summary, Topic};
use tokio::sync::{mpsc, oneshot, watch};

use crate::fleet;

/// A request to the writer.
enum Job {
    Append { batch: Batch, number: u64, committed: watch::Sender<u64> },
    Prune { closed_before: u64, at_most: usize, done: oneshot::Sender<usize> },
    Stop,
}

/// Maximum number of batches that wait for the writer.
const WAITING: usize = 16 * 1024;

/// How long records that no client waits for may wait for others.
const PATIENCE_MS: u64 = 5;

/// Number of games removed between two commits.
const PRUNE_AT_ONCE: usize = 200;

/// The way to the writer.
#[derive(Clone, Debug)]
pub struct JournalWriter {
    jobs: mpsc::Sender<Job>,
}

impl JournalWriter {
    /// Starts the thread. Its failure, if it fails, arrives at `failed`.
    pub fn start(
        journal: Box<dyn Journal>,
    ) -> std::io::Result<(JournalWriter, JoinHandle<()>, oneshot::Receiver<StoreError>)> {
        let (jobs, waiting) = mpsc::channel(WAITING);
        let (fail, failed) = oneshot::channel();
        let write = move || {
            if let Err(error) = write_down(journal, waiting) {
                // The server may be gone already.
                let _ = fail.send(error);
            }
        };
        let thread = std::thread::Builder::new().name("journal".to_owned()).spawn(write)?;
        Ok((JournalWriter { jobs }, thread, failed))
    }

    /// Removes up to `at_most` games that closed before a time, oldest first. `None`: the writer is
    /// gone.
    pub async fn prune(&self, closed_before: u64, at_most: usize) -> Option<usize> {
        let (done, count) = oneshot::channel();
        self.jobs.send(Job::Prune { closed_before, at_most, done }).await.ok()?;
        count.await.ok()
    }

    /// Ends the thread once everything before is written.
    pub async fn stop(&self) {
        // A writer that has failed is stopped already.
        let _ = self.jobs.send(Job::Stop).await;
    }
}

fn write_down(
    mut journal: Box<dyn Journal>,
    mut jobs: mpsc::Receiver<Job>,
) -> Result<(), StoreError> {
    let mut prunes = Vec::new();
    let mut stopping = false;
    while !stopping {
        // With games to remove, the writer works on between batches; else it waits for one.
        let first = if prunes.is_empty() { jobs.blocking_recv() } else { jobs.try_recv().ok() };
        let mut batches = Vec::new();
        let mut commits = Vec::new();
        let mut next = first;
        stopping = next.is_none() && prunes.is_empty();
        while let Some(job) = next {
            match job {
                Job::Append { batch, number, committed } => {
                    batches.push(batch);
                    commits.push((number, committed));
                }
                Job::Prune { closed_before, at_most, done } => {
                    prunes.push((closed_before, at_most, done, 0));
                }
                Job::Stop => {
                    stopping = true;
                    break;
                }
            }
            next = jobs.try_recv().ok();
        }
        journal.append(batches)?;
        for (number, committed) in commits {
            committed.send_replace(number);
        }
        if let Some((closed_before, at_most, done, mut count)) = prunes.pop() {
            let part = PRUNE_AT_ONCE.min(at_most - count);
            let removed = journal.prune(closed_before, part)?;
            count += removed;
            if removed < PRUNE_AT_ONCE || count == at_most {
                // The caller may have hung up.
                let _ = done.send(count);
            } else {
                prunes.push((closed_before, at_most, done, count));
            }
        }
    }
    journal.close()
}

/// A hall's side: which of its batches wait for the disk.
#[derive(Debug)]
pub struct PendingBatches {
    writer: JournalWriter,
    /// The stream this hall writes to, and its epoch.
    stream: &'static str,
    epoch: u64,
    /// Where rows go instead, and at once, if nothing is to be durable.
    memory: Option<Memory>,
    written: u64,
    /// Rows that no client waits for: they become durable with the next ones, or by a deadline.
    kept: Vec<Row>,
    kept_until: Option<Time>,
    sender: watch::Sender<u64>,
    pub committed: watch::Receiver<u64>,
    superseded: bool,
    /// Reports a failure of the writer, if this handle watches for it.
    failed: Option<oneshot::Receiver<StoreError>>,
}

impl PendingBatches {
    pub fn new(
        writer: JournalWriter,
        memory: Option<Memory>,
        stream: &'static str,
        epoch: u64,
    ) -> PendingBatches {
        let (sender, committed) = watch::channel(0);
        PendingBatches {
            writer,
            stream,
            epoch,
            memory,
            written: 0,
            kept: Vec::new(),
            kept_until: None,
            sender,
            committed,
            superseded: false,
            failed: None,
        }
    }

    /// Sends rows to the writer. The number of the batch after which what depends on them, and
    /// on everything before, may be said. Rows that may wait make a batch with those that follow.
    pub async fn write(&mut self, now: Time, mut rows: Vec<Row>, may_wait: bool) -> u64 {
        if may_wait && self.memory.is_none() && self.kept_until.is_none_or(|until| now < until) {
            if !rows.is_empty() {
                self.kept_until.get_or_insert(now + PATIENCE_MS);
                self.kept.append(&mut rows);
            }
            return self.written + u64::from(!self.kept.is_empty());
        }
        self.kept_until = None;
        if !self.kept.is_empty() {
            rows = std::mem::take(&mut self.kept).into_iter().chain(rows).collect();
        }
        if rows.is_empty() {
            return self.written;
        }
        let batch = Batch { stream: self.stream.into(), epoch: self.epoch, rows };
        match &mut self.memory {
            Some(memory) => {
                // Memory fails in no other way.
                self.superseded |= memory.append(vec![batch]).is_err();
            }
            None => {
                self.written += 1;
                let (number, committed) = (self.written, self.sender.clone());
                let job = Job::Append { batch, number, committed };
                // If the writer has failed, the batch is never committed and nothing is said.
                let _ = self.writer.jobs.send(job).await;
            }
        }
        self.written
    }

    /// The writer is this stream's alone, and its failure the stream's.
    pub fn ends_with(&mut self, failed: oneshot::Receiver<StoreError>) {
        self.failed = Some(failed);
    }

    /// Waits until more is durable, or nothing more can be.
    pub async fn progress(&mut self) {
        let Some(failed) = &mut self.failed else {
            // It holds the sender.
            return self.committed.changed().await.expect("the sender is there");
        };
        tokio::select! {
            changed = self.committed.changed() => changed.expect("the sender is there"),
            failed = failed => {
                if let Ok(error) = failed {
                    tracing::warn!(
                        game = self.stream,
                        %error,
                        "a move could not be saved: this server gives the game up"
                    );
                }
                self.superseded = true;
                self.failed = None;
            }
        }
    }

    /// The epoch the stream is written under.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Whether another node has taken the stream over, and nothing more can be written.
    pub fn is_superseded(&self) -> bool {
        self.superseded
    }

    /// When what is kept must be sent, if anything is.
    pub fn deadline(&self) -> Option<Time> {
        self.kept_until
    }

    /// The number of the last batch that is durable.
    pub fn durable_up_to(&self) -> u64 {
        *self.committed.borrow()
    }
}

/// The records among a hall's outputs, as the journal keeps them. The connections and requests that
/// led to them are counted by this node.
pub fn rows(rules: &dyn AnyRules, node: u32, outputs: &[Output]) -> Vec<Row> {
    let row = |output: &Output| match output {
        Output::TableRecord(entry) => vec![row(node, entry)],
        Output::TournamentRecord(entry) => tournament_rows(rules, node, entry),
        Output::Answer(..)
        | Output::Tell(..)
        | Output::At(..)
        | Output::Reply(..)
        | Output::Recall(_)
        | Output::Think(..)
        | Output::Listed(_) => Vec::new(),
    };
    outputs.iter().flat_map(row).collect()
}

fn cause(node: u32, cause: hall::Cause) -> Cause {
    match cause {
        hall::Cause::Clock => Cause::Clock,
        hall::Cause::Said(conn, number) => {
            let (node, conn) = at_node(node, conn);
            Cause::Said { node, conn, number }
        }
        hall::Cause::Gone(conn) => {
            let (node, conn) = at_node(node, conn);
            Cause::Gone { node, conn }
        }
        hall::Cause::Asked(number) => Cause::Asked { node, number },
        hall::Cause::Begun => Cause::Begun,
        hall::Cause::Stopped => Cause::Stopped,
    }
}

/// A connection's node, and its number there: in a fleet its number says where it is.
fn at_node(node: u32, ConnId(conn): ConnId) -> (u32, u64) {
    match fleet::node_of(ConnId(conn)) {
        0 => (node, conn),
        elsewhere => (elsewhere, conn & u64::from(u32::MAX)),
    }
}

fn row(node: u32, entry: &TableEntry) -> Row {
    let mark = match &*entry.record {
        TableRecord::Opened(_) => Mark::Opens,
        TableRecord::Closed(_) => {
            Mark::Closes(entry.summary.as_deref().map(|summary| Box::new(kept_of(summary))))
        }
        _ => Mark::Continues,
    };
    let topic = Topic::Table(entry.table.0);
    let (cause, record) = (cause(node, entry.cause), entry.record.clone());
    Row { topic, at: entry.at.0, cause, record, mark }
}

/// What is kept of a started game.
pub fn kept_of(summary: &hall::Summary) -> Summary {
    let hall::Summary { id, rules_version, opened_at, names, versions, closing, .. } = summary;
    Summary {
        id: id.to_string(),
        finished: matches!(closing, Closing::Over(_)),
        rules_version: *rules_version,
        opened_at: opened_at.0,
        names: names.iter().map(|name| name.to_string()).collect(),
        versions: match versions.iter().any(Option::is_some) {
            true => versions.iter().map(|said| said.as_deref().map(str::to_owned)).collect(),
            false => Vec::new(),
        },
        closing: serde_json::to_string(closing).expect("plain data"),
        rated: summary.rated,
        tournament: summary.tournament.as_deref().map(str::to_owned),
    }
}

fn tournament_rows(rules: &dyn AnyRules, node: u32, entry: &TournamentEntry) -> Vec<Row> {
    let mark = match &*entry.record {
        TournamentRecord::Convened(_) | TournamentRecord::Condensed(_) => Mark::Opens,
        TournamentRecord::Closed => {
            let summary = entry.info.as_deref().map(|info| tournament_summary(rules, info));
            Mark::Closes(summary.map(Box::new))
        }
        _ => Mark::Continues,
    };
    let (topic, at) = (Topic::Tournament(entry.tournament.0), entry.at.0);
    let (cause, record) = (cause(node, entry.cause), entry.record.clone());
    let row: Row = Row { topic, at, cause, record, mark };
    match &*entry.record {
        // Earlier records aren't needed any more: the topic is closed, forgotten and opened again.
        TournamentRecord::Condensed(_) => {
            let record = Arc::new(TournamentRecord::Closed);
            vec![Row { topic, at, cause, record, mark: Mark::Closes(None) }, row]
        }
        _ => vec![row],
    }
}

/// What is kept of a tournament besides its records: its entrants and its decision.
fn tournament_summary(rules: &dyn AnyRules, info: &TournamentInfo) -> Summary {
    Summary {
        id: info.id.to_string(),
        finished: info.winner.is_some(),
        rules_version: rules.version(),
        opened_at: info.convened_at.0,
        names: info.entrants.iter().map(|entrant| entrant.name.to_string()).collect(),
        versions: Vec::new(),
        closing: serde_json::to_string(info).expect("plain data"),
        rated: false,
        tournament: None,
    }
}
