//! Earlier turns of a table, sent from its records.
//!
//! The hall checks whether a connection may see them, and forgets about it. The hall's owner folds
//! the records of open tables, on any thread, and sends the turns.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use table::{
    ConnId, Eyes, Page, Recorded, Refusal, Retelling, TableEntry, TableFrame, TableInfo, TableNo,
    TableRecord,
};

use crate::{Answer, Event};

/// Number of updates per page.
const PAGE: usize = 50;

/// A connection waits for an answer: what happened at its table from one turn to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    pub conn: ConnId,
    pub table: TableNo,
    /// The eyes it may see with.
    pub eyes: Eyes,
    pub from: u64,
    /// The last turn sent to all members.
    pub until: u64,
}

impl Recall {
    /// The answer and the following event, from the table's records; `None`: the table is over.
    pub fn answer(&self, recorded: Option<&Recorded>) -> (Answer, Option<Event>) {
        self.answer_while(&|| true, recorded)
    }

    /// The same, as long as it waits for that.
    pub fn answer_while(
        &self,
        waits: &dyn Fn() -> bool,
        recorded: Option<&Recorded>,
    ) -> (Answer, Option<Event>) {
        let Some(recorded) = recorded else {
            return (Answer::Refused(Refusal::AlreadyOver), None);
        };
        match recorded.updates_while(waits, self.eyes, self.from..=self.until, PAGE) {
            // A game just played can't fail to replay; if it does, no client may act on it.
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
#[derive(Clone, Debug, Default)]
pub struct OpenRecords(HashMap<TableNo, Recorded, FixedState>);

impl OpenRecords {
    /// A table that an earlier hall has left open.
    pub fn take_up(&mut self, no: TableNo, recorded: Recorded) {
        self.0.insert(no, recorded);
    }

    /// One more record. The last one of a table closes it.
    pub fn apply(&mut self, entry: &TableEntry) {
        match *entry.record {
            TableRecord::Closed(_) => _ = self.0.remove(&entry.table),
            _ => self.0.entry(entry.table).or_default().push(entry.record.clone(), entry.at),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (TableNo, &Recorded)> {
        self.0.iter().map(|(no, recorded)| (*no, recorded))
    }

    /// The records of a table that is not over.
    pub fn get(&self, no: TableNo) -> Option<&Recorded> {
        self.0.get(&no)
    }
}

/// An unfinished game as these eyes have seen it so far, from its card and its records.
pub fn retell_so_far(
    card: &TableInfo,
    recorded: Recorded,
    eyes: Eyes,
) -> Result<Retelling, String> {
    Retelling::so_far(recorded, eyes, TableFrame::of(&card.company), card.turn.seq)
}
