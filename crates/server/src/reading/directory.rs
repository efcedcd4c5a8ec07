//! What everybody may read of one game: its tables and tournaments, beside its hall.
//!
//! The hall's thread puts what has changed on a pile, once it is durable and before anybody is
//! told of it. Whoever reads folds the pile in first, so it finds whatever anybody was told; the
//! hall itself neither folds nor waits. Texts are made by the first who reads them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use hall::{
    Answer, Event, Listing, Lists, OpenRecords, Recall, Recorded, TableEntry, TableInfo, TableNo,
    TournamentInfo, TournamentNo,
};
use rules::Game;
use serde::Serialize;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use tournament::TournamentPhase;

/// The tables and tournaments of one game.
pub struct Directory<G: Game> {
    /// What has changed and is not folded in. The lock is held to put something there or to take
    /// all of it, never to work.
    pile: Mutex<Pile<G>>,
    /// Only readers take this lock.
    shown: Mutex<Shown<G>>,
    /// Notified when the first change lies on the pile.
    stirred: Notify,
}

struct Pile<G: Game> {
    listed: Vec<Listing<G>>,
    records: Vec<TableEntry<G>>,
}

/// What readers share.
struct Shown<G: Game> {
    lists: Lists<G>,
    /// What has happened at tables that are not over.
    records: OpenRecords<G>,
    texts: BTreeMap<TournamentNo, (u64, TournamentText)>,
    /// Tournaments that somebody watches.
    feeds: BTreeMap<TournamentNo, watch::Sender<TournamentText>>,
}

/// All of a tournament as JSON, shared by all who read it.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentText {
    pub json: Arc<str>,
    /// Nothing more will happen to it.
    pub is_over: bool,
}

/// Watchers of tournaments hear of changes so often at most.
const FEED_EVERY: Duration = Duration::from_millis(500);

impl<G: Game> Default for Directory<G> {
    fn default() -> Directory<G> {
        Directory::new(OpenRecords::default())
    }
}

impl<G: Game> Directory<G> {
    /// With the records of tables that an earlier server has left open.
    pub fn new(records: OpenRecords<G>) -> Directory<G> {
        let (lists, texts, feeds) = (Lists::default(), BTreeMap::new(), BTreeMap::new());
        let (listed, fresh) = (Vec::new(), Vec::new());
        Directory {
            pile: Mutex::new(Pile { listed, records: fresh }),
            shown: Mutex::new(Shown { lists, records, texts, feeds }),
            stirred: Notify::new(),
        }
    }
}

// What the hall's thread does.
impl<G: Game> Directory<G> {
    /// Takes in changes and what has led to them, in the order in which the hall has told them.
    pub fn publish(&self, changes: &mut Vec<Listing<G>>, records: &mut Vec<TableEntry<G>>) {
        if changes.is_empty() && records.is_empty() {
            return;
        }
        let mut pile = self.pile.lock().expect("no holder of this lock panics");
        let is_first = pile.listed.is_empty() && pile.records.is_empty();
        pile.listed.append(changes);
        pile.records.append(records);
        drop(pile);
        if is_first {
            self.stirred.notify_one();
        }
    }
}

// What is done when a hall is taken up.
impl<G: Game> Directory<G> {
    /// From now on this is what has happened at open tables. The lists hold until the owner tells them
    /// anew.
    pub fn take_up(&self, records: OpenRecords<G>) {
        self.shown().records = records;
    }
}

// What readers do.
impl<G: Game> Directory<G> {
    pub fn read<T>(&self, look: impl FnOnce(&Lists<G>) -> T) -> T {
        look(&self.shown().lists)
    }

    /// A table, and what has happened there: none if it is over, or its hall at another node.
    pub fn open_table(&self, id: &str) -> Option<(TableNo, Arc<TableInfo>, Option<Recorded<G>>)> {
        let shown = self.shown();
        let (no, info) = shown.lists.table_called(id)?;
        Some((no, info.clone(), shown.records.get(no).cloned()))
    }

    /// What somebody wants to know of its table, whatever that takes.
    pub fn recall(&self, recall: &Recall) -> (Answer, Option<Event<G>>) {
        let recorded = self.shown().records.get(recall.table).cloned();
        recall.answer(recorded.as_ref())
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

    /// Keeps the pile small, and tells watchers what has changed, until it is cancelled.
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

    /// What is shown, with everything folded in that anybody was told of.
    fn shown(&self) -> MutexGuard<'_, Shown<G>> {
        let mut shown = self.shown.lock().expect("the hall has folded it in before");
        let mut pile = self.pile.lock().expect("no holder of this lock panics");
        let records = std::mem::take(&mut pile.records);
        let changes = std::mem::take(&mut pile.listed);
        drop(pile);
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

impl<G: Game> Shown<G> {
    /// Made once for each change, whoever reads it.
    fn text(&mut self, no: TournamentNo) -> Option<TournamentText> {
        let version = self.lists.tournament_version(no);
        if let Some((of, text)) = self.texts.get(&no)
            && *of == version
        {
            return Some(text.clone());
        }
        let info = self.lists.tournament_info(no)?;
        let is_over = matches!(info.phase, TournamentPhase::Over | TournamentPhase::Cancelled);
        let body = TournamentBody { game: G::NAME, info };
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
