//! What has happened at a table before, told from its records.
//!
//! The hall looks whether somebody may know, and forgets about it. Whoever owns the hall folds the
//! records of open tables, on whatever thread it likes, and tells from them.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use rules::Game;
use table::{
    ConnId, Eyes, Frame, Page, Recorded, Refusal, TableEntry, TableFrame, TableInfo, TableNo,
    TableRecord,
};

use crate::{Answer, Event};

/// So many updates are told at once.
const PAGE: usize = 50;

/// Somebody at a table waits for an answer: what has happened there from one turn to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    pub conn: ConnId,
    pub table: TableNo,
    /// As whom it may know it.
    pub eyes: Eyes,
    pub from: u64,
    /// The last turn that everybody was told of.
    pub until: u64,
}

impl Recall {
    /// What it is answered and then told, by the records of its table; none: the table is over.
    pub fn answer<G: Game>(&self, recorded: Option<&Recorded<G>>) -> (Answer, Option<Event<G>>) {
        let Some(recorded) = recorded else {
            return (Answer::Refused(Refusal::AlreadyOver), None);
        };
        match recorded.updates(self.eyes, self.from..=self.until, PAGE) {
            // What has just been played cannot fail to play again; if it does, nobody may act on it.
            Err(fault) => (Answer::Refused(Refusal::BadTable(fault)), None),
            Ok(mut updates) => {
                let next = updates.get(PAGE).map(|update| update.seq);
                updates.truncate(PAGE);
                // A page ends with a whole turn, or the next would begin in its middle.
                if let Some(next) = next.filter(|next| updates[0].seq != *next) {
                    updates.retain(|update| update.seq < next);
                }
                (Answer::Accepted, Some(Event::History(Arc::new(Page { updates, next }))))
            }
        }
    }
}

/// The records of every table that is not over.
#[derive(Debug)]
pub struct OpenRecords<G: Game>(HashMap<TableNo, Recorded<G>, FixedState>);

impl<G: Game> Default for OpenRecords<G> {
    fn default() -> OpenRecords<G> {
        OpenRecords(HashMap::default())
    }
}

impl<G: Game> Clone for OpenRecords<G> {
    fn clone(&self) -> OpenRecords<G> {
        OpenRecords(self.0.clone())
    }
}

impl<G: Game> OpenRecords<G> {
    /// A table that an earlier hall has left open.
    pub fn take_up(&mut self, no: TableNo, recorded: Recorded<G>) {
        self.0.insert(no, recorded);
    }

    /// One more record. The last one of a table closes it.
    pub fn apply(&mut self, entry: &TableEntry<G>) {
        match *entry.record {
            TableRecord::Closed(_) => _ = self.0.remove(&entry.table),
            _ => self.0.entry(entry.table).or_default().push(entry.record.clone(), entry.at),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (TableNo, &Recorded<G>)> {
        self.0.iter().map(|(no, recorded)| (*no, recorded))
    }

    /// The records of a table that is not over.
    pub fn get(&self, no: TableNo) -> Option<&Recorded<G>> {
        self.0.get(&no)
    }
}

/// A game that is not over, as somebody with these eyes was told it up to now: by its card and its
/// records.
pub fn frames_so_far<G: Game>(
    card: &TableInfo,
    recorded: &Recorded<G>,
    eyes: Eyes,
) -> Result<Vec<Frame<'static, G>>, String> {
    let updates = recorded.updates(eyes, 0..=card.turn.seq, usize::MAX)?;
    let updates = updates.into_iter().map(|update| Frame::Update(Box::new(update)));
    let first = Frame::Table(TableFrame::of(&card.company));
    Ok(std::iter::once(first).chain(updates).collect())
}
