//! The audit log: what organisers have done, from where, and what came of it. It lives in the
//! journal in pages; the oldest go when there are many.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use store::{Cause, Loaded, Mark, Row, StoreError, Topic, Writing};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use super::clock;
use super::register::Pen;

/// Acts on one page, and pages that are kept.
const PAGE: u64 = 1000;
const PAGES: u64 = 20;

/// What could not be read is read again after so long.
const AGAIN: std::time::Duration = std::time::Duration::from_secs(1);

/// So many acts may wait for their turn, and are written down together.
const WAITING: usize = 64;

/// One thing that an organiser has done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
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
}

/// The way to the log from any thread.
#[derive(Clone, Debug)]
pub struct AuditLog {
    acts: mpsc::Sender<(Act, oneshot::Sender<()>)>,
    known: Arc<Mutex<VecDeque<Act>>>,
}

impl AuditLog {
    /// Writes an act down, whatever its number and time say; it is durable then.
    pub async fn note(&self, act: Act) {
        let (done, is_done) = oneshot::channel();
        if self.acts.send((act, done)).await.is_ok() {
            // A server that stops has answered for the act already, or never will.
            let _ = is_done.await;
        }
    }

    /// The latest acts, the latest first: those before a number.
    pub fn before(&self, number: u64, at_most: usize) -> Vec<Act> {
        let known = self.known.lock().expect("no holder of this lock panics");
        known.iter().rev().filter(|act| act.number < number).take(at_most).cloned().collect()
    }
}

/// The owner of the log.
pub struct AuditKeeper {
    next: u64,
    pen: Pen,
    waiting: mpsc::Receiver<(Act, oneshot::Sender<()>)>,
    known: Arc<Mutex<VecDeque<Act>>>,
}

impl AuditKeeper {
    /// The log as an earlier server has left it.
    pub fn restore(loaded: &Loaded, pen: Pen) -> Result<(AuditKeeper, AuditLog)> {
        let known = acts_of(loaded)?;
        let next = known.back().map_or(0, |act| act.number + 1);
        let (acts, waiting) = mpsc::channel(WAITING);
        let known = Arc::new(Mutex::new(known));
        let keeper = AuditKeeper { next, pen, waiting, known: known.clone() };
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
        let (mut noted, mut is_behind) = (Vec::new(), false);
        loop {
            tokio::select! {
                count = self.waiting.recv_many(&mut noted, WAITING) => if count == 0 { return },
                () = self.pen.changed() => {
                    is_behind = self.read_anew().await.is_none();
                    continue;
                }
                // The database was away when another node had written.
                () = tokio::time::sleep(AGAIN), if is_behind => {
                    is_behind = self.read_anew().await.is_none();
                    continue;
                }
            }
            let (acts, waiting): (Vec<Act>, Vec<_>) = noted.drain(..).unzip();
            let Some(acts) = self.note(acts).await else { continue };
            let mut known = self.known.lock().expect("no holder of this lock panics");
            known.extend(acts);
            let first = first_page(self.next - 1) * PAGE;
            while known.front().is_some_and(|act| act.number < first) {
                known.pop_front();
            }
            drop(known);
            // Whoever asked may have hung up.
            waiting.into_iter().for_each(|done: oneshot::Sender<()>| _ = done.send(()));
        }
    }

    /// Makes acts durable, and says what they are numbered. None: they are not there.
    async fn note(&mut self, acts: Vec<Act>) -> Option<Vec<Act>> {
        loop {
            let now = clock::now();
            let numbered = (self.next..).zip(acts.clone());
            let acts: Vec<Act> =
                numbered.map(|(number, act)| Act { number, at: now.0, ..act }).collect();
            let rows = acts.iter().flat_map(rows_of).collect();
            let is_written = match &mut self.pen {
                Pen::Own(pending) => {
                    let number = pending.write(now, rows, false).await;
                    // A journal that has failed never gets there, and ends the server.
                    pending.committed.wait_for(|durable| *durable >= number).await.ok()?;
                    true
                }
                Pen::Shared(stream) => stream.append(rows).await.inspect_err(not_written).ok()?,
            };
            if is_written {
                self.next += acts.len() as u64;
                return Some(acts);
            }
            // Another node has written since, or may have: its acts come first.
            self.read_anew().await?;
        }
    }

    /// Reads what other nodes have written.
    async fn read_anew(&mut self) -> Option<()> {
        let Pen::Shared(stream) = &mut self.pen else { return Some(()) };
        let loaded = stream.load().await.inspect_err(not_written).ok()?;
        let known = acts_of(&loaded).inspect_err(|error| tracing::error!("{error:#}")).ok()?;
        self.next = known.back().map_or(0, |act| act.number + 1);
        *self.known.lock().expect("no holder of this lock panics") = known;
        Some(())
    }
}

fn not_written(error: &StoreError) {
    tracing::warn!(%error, "the audit log cannot be reached");
}

fn acts_of(loaded: &Loaded) -> Result<VecDeque<Act>> {
    let pages = loaded.open.iter().filter(|(topic, _)| matches!(topic, Topic::Page(_)));
    let mut known = VecDeque::new();
    for line in pages.flat_map(|(_, lines)| lines) {
        let act: Act = serde_json::from_str(&line.record)
            .with_context(|| format!("the audit log cannot be read: {}", line.record))?;
        known.push_back(Act { at: line.at, ..act });
    }
    Ok(known)
}

/// The first page that is kept when the last act has this number.
fn first_page(number: u64) -> u64 {
    (number / PAGE + 1).saturating_sub(PAGES)
}

/// The act as the journal keeps it; the first of a page lets the oldest page go.
fn rows_of(act: &Act) -> Vec<Row> {
    let page = act.number / PAGE;
    let begins = act.number.is_multiple_of(PAGE);
    let mark = if begins { Mark::Opens } else { Mark::Continues };
    let row = |page, mark| Row {
        topic: Topic::Page(page),
        at: act.at,
        cause: Cause::default(),
        record: Arc::new(act.clone()) as Arc<dyn Writing>,
        mark,
    };
    let mut rows = vec![row(page, mark)];
    if begins && page >= PAGES {
        rows.push(row(page - PAGES, Mark::Closes(None)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_page_lets_the_oldest_go() {
        let act = |number| Act {
            number,
            at: 7,
            who: "ann".to_owned(),
            from: "10.0.0.1".to_owned(),
            what: "POST /api/v1/tables".to_owned(),
            outcome: "201".to_owned(),
        };
        let pages = |number| -> Vec<(u64, Mark)> {
            rows_of(&act(number)).into_iter().map(|row| (row.topic.number(), row.mark)).collect()
        };
        assert_eq!(pages(0), [(0, Mark::Opens)]);
        assert_eq!(pages(1), [(0, Mark::Continues)]);
        assert_eq!(pages(PAGE * PAGES), [(PAGES, Mark::Opens), (0, Mark::Closes(None))]);
        assert_eq!((first_page(PAGE * PAGES - 1), first_page(PAGE * PAGES)), (0, 1));
    }
}
