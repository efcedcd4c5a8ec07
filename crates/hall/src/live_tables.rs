//! All tables of a hall: quickly found by number, and in the order of their numbers when listed.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use rules::Game;

use crate::live_table::LiveTable;
use table::TableNo;

#[derive(Debug)]
pub(crate) struct LiveTables<G: Game> {
    /// In boxes, for a growing map shall not copy them all.
    found: HashMap<TableNo, Box<LiveTable<G>>, FixedState>,
    order: BTreeSet<TableNo>,
}

impl<G: Game> Default for LiveTables<G> {
    fn default() -> LiveTables<G> {
        LiveTables { found: HashMap::default(), order: BTreeSet::new() }
    }
}

impl<G: Game> LiveTables<G> {
    pub fn get(&self, no: TableNo) -> Option<&LiveTable<G>> {
        self.found.get(&no).map(|live| &**live)
    }

    pub fn get_mut(&mut self, no: TableNo) -> Option<&mut LiveTable<G>> {
        self.found.get_mut(&no).map(|live| &mut **live)
    }

    pub fn insert(&mut self, no: TableNo, live: LiveTable<G>) {
        self.found.insert(no, Box::new(live));
        self.order.insert(no);
    }

    pub fn remove(&mut self, no: TableNo) -> Option<Box<LiveTable<G>>> {
        self.order.remove(&no);
        self.found.remove(&no)
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// From this number on, the oldest first.
    pub fn from(&self, no: TableNo) -> impl Iterator<Item = (TableNo, &LiveTable<G>)> {
        self.order.range(no..).map(|no| (*no, &*self.found[no]))
    }

    /// The oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (TableNo, &LiveTable<G>)> {
        self.order.iter().map(|no| (*no, &*self.found[no]))
    }
}
