//! The public state of one game, for readers: its tables and tournaments, next to its hall.
//!
//! The hall's thread puts changes on a pile, once they are durable and before any client receives
//! them. Readers fold the pile in first, so they find everything any client has received; the hall
//! itself neither folds nor waits. The first reader renders a text.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use hall::{
    Answer, Event, Listing, Lists, OpenRecords, Recall, Recorded, TableEntry, TableInfo, TableNo,
    TournamentInfo, TournamentNo,
};
use serde::Serialize;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tournament::TournamentPhase;

use super::replays::Stop;

/// The tables and tournaments of one game.
pub struct Directory {
    /// Changes that aren't folded in. The lock is held to add a change or to take all of them,
    /// never for work.
    pile: Mutex<Pile>,
    /// Only readers take this lock.
    shown: Mutex<Shown>,
    /// Notified when the first change lies on the pile.
    stirred: Notify,
}

struct Pile {
    /// Counts what was published of lists.
    number: u64,
    listed: Vec<Listing>,
    /// Replaces all records before those on the pile.
    anew: Option<OpenRecords>,
    records: Vec<TableEntry>,
}

/// State shared by readers.
struct Shown {
    game: &'static str,
    /// The number of what was folded in last.
    number: u64,
    lists: Lists,
    /// The records of unfinished tables.
    records: OpenRecords,
    texts: BTreeMap<TournamentNo, (u64, TournamentText)>,
    /// Tournaments with watchers.
    feeds: BTreeMap<TournamentNo, watch::Sender<TournamentText>>,
}

/// All of a tournament as JSON, shared by all who read it.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentText {
    pub json: Arc<str>,
    /// Nothing more will happen to it.
    pub is_over: bool,
}

/// The answer to a request for a table's earlier turns.
pub struct Recalled {
    pub answer: Answer,
    pub event: Option<Event>,
    /// How many records the table has.
    pub records: usize,
}

/// Minimum interval between two updates to watchers of tournaments.
const FEED_EVERY: Duration = Duration::from_millis(500);

impl Directory {
    /// With the records of tables that an earlier server has left open.
    pub fn new(game: &'static str, records: OpenRecords) -> Directory {
        let (lists, texts, feeds) = (Lists::default(), BTreeMap::new(), BTreeMap::new());
        let (listed, fresh) = (Vec::new(), Vec::new());
        Directory {
            pile: Mutex::new(Pile { number: 0, listed, anew: None, records: fresh }),
            shown: Mutex::new(Shown { game, number: 0, lists, records, texts, feeds }),
            stirred: Notify::new(),
        }
    }
}

// Called by the hall's thread.
impl Directory {
    /// Takes changes and the records behind them, in the hall's order.
    pub fn publish(&self, changes: &mut Vec<Listing>, records: &mut Vec<TableEntry>) {
        if changes.is_empty() && records.is_empty() {
            return;
        }
        let mut pile = self.pile();
        pile.number += u64::from(!changes.is_empty());
        let is_first = pile.listed.is_empty() && pile.records.is_empty();
        pile.listed.append(changes);
        pile.records.append(records);
        drop(pile);
        if is_first {
            self.stirred.notify_one();
        }
    }

    /// The number that the next changes of lists will have.
    pub fn next_number(&self) -> u64 {
        self.pile().number + 1
    }

    /// Replaces the records of open tables. The lists hold until the owner sends them again.
    pub fn take_up(&self, records: OpenRecords) {
        let mut pile = self.pile();
        pile.anew = Some(records);
        pile.records.clear();
    }

    /// Held to put something there or to take all of it, never to work.
    fn pile(&self) -> MutexGuard<'_, Pile> {
        self.pile.lock().expect("no holder of this lock panics")
    }
}

thread_local! {
    /// A hall runs on this thread, so nothing here waits for readers.
    static IS_HALLS: Cell<bool> = const { Cell::new(false) };
}

/// From now on this thread is a hall's: readers use others.
pub fn leave_to_the_hall() {
    IS_HALLS.set(true);
}

// Called by readers.
impl Directory {
    pub fn read<T>(&self, look: impl FnOnce(&Lists) -> T) -> T {
        look(&self.shown().lists)
    }

    /// All lists as changes from nothing, and the number of the last change in them.
    pub fn changes(&self) -> (Vec<Listing>, u64) {
        let shown = self.shown();
        (shown.lists.changes(), shown.number)
    }

    /// A table, and what has happened there: none if it is over, or its hall at another node.
    pub fn open_table(&self, id: &str) -> Option<(TableNo, Arc<TableInfo>, Option<Recorded>)> {
        let shown = self.shown();
        let (no, info) = shown.lists.table_called(id)?;
        Some((no, info.clone(), shown.records.get(no).cloned()))
    }

    /// Answers a request for a table's earlier turns, unless the client stops waiting.
    pub fn recall(&self, recall: &Recall, stop: &Stop) -> Recalled {
        let recorded = self.shown().records.get(recall.table).cloned();
        let records = recorded.as_ref().map_or(0, |recorded| recorded.shared().len());
        let (answer, event) = recall.answer_while(&|| !stop.is_said(), recorded.as_ref());
        Recalled { answer, event, records }
    }

    /// All of a tournament that is remembered.
    pub fn tournament(&self, id: &str) -> Option<TournamentText> {
        let mut shown = self.shown();
        let no = shown.lists.tournament_called(id)?;
        shown.text(no)
    }

    /// All of a tournament, and what it becomes.
    pub fn watch_tournament(
        &self,
        id: &str,
    ) -> Option<(TournamentText, watch::Receiver<TournamentText>)> {
        let mut shown = self.shown();
        let no = shown.lists.tournament_called(id)?;
        let text = shown.text(no)?;
        let feed = shown.feeds.entry(no).or_insert_with(|| watch::Sender::new(text.clone()));
        Some((text, feed.subscribe()))
    }

    /// Keeps the pile small and updates watchers, until cancelled.
    pub async fn keep(self: Arc<Self>, closing: CancellationToken) {
        let mut running = true;
        while running {
            tokio::select! {
                biased;
                () = closing.cancelled() => running = false,
                () = self.stirred.notified() => {}
            }
            self.tell_watchers();
            tokio::select! {
                biased;
                () = closing.cancelled() => running = false,
                () = tokio::time::sleep(FEED_EVERY) => {}
            }
        }
    }

    fn tell_watchers(&self) {
        let mut shown = self.shown();
        let watched: Vec<TournamentNo> = shown.feeds.keys().copied().collect();
        for no in watched {
            let text = shown.text(no);
            let feed = &shown.feeds[&no];
            if let Some(text) = &text {
                feed.send_if_modified(|told| {
                    let differs = told != text;
                    told.clone_from(text);
                    differs
                });
            }
            // A feed that ends ends its watchers.
            if text.is_none() || feed.is_closed() {
                shown.feeds.remove(&no);
            }
        }
    }

    /// The shared state, with everything folded in that any client has received.
    fn shown(&self) -> MutexGuard<'_, Shown> {
        debug_assert!(!IS_HALLS.get(), "a hall's thread never waits for readers");
        let mut shown = self.shown.lock().expect("the hall has folded it in before");
        let mut pile = self.pile();
        let anew = pile.anew.take();
        let records = std::mem::take(&mut pile.records);
        let changes = std::mem::take(&mut pile.listed);
        shown.number = pile.number;
        drop(pile);
        if let Some(anew) = anew {
            shown.records = anew;
        }
        records.iter().for_each(|entry| shown.records.apply(entry));
        for change in changes {
            match change {
                Listing::Anew => shown.texts.clear(),
                Listing::TournamentForgotten(no) => _ = shown.texts.remove(&no),
                _ => {}
            }
            shown.lists.apply(change);
        }
        shown
    }
}

impl Shown {
    /// Rendered once per change, for any number of readers.
    fn text(&mut self, no: TournamentNo) -> Option<TournamentText> {
        let version = self.lists.tournament_version(no);
        if let Some((of, text)) = self.texts.get(&no)
            && *of == version
        {
            return Some(text.clone());
        }
        let info = self.lists.tournament_info(no)?;
        let is_over = matches!(info.phase, TournamentPhase::Over | TournamentPhase::Cancelled);
        let body = TournamentBody { game: self.game, info };
        let json = serde_json::to_string(&body).expect("plain data").into();
        let text = TournamentText { json, is_over };
        self.texts.insert(no, (version, text.clone()));
        Some(text)
    }
}

/// A tournament, with the game it is about.
#[derive(Serialize)]
struct TournamentBody {
    game: &'static str,
    #[serde(flatten)]
    info: TournamentInfo,
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
