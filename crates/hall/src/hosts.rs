//! All tables of a hall: quickly found by number, and in the order of their numbers when listed.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use rules::Game;

use crate::TableNo;
use crate::host::Host;

#[derive(Debug)]
pub(crate) struct Hosts<G: Game> {
    /// In boxes, for a growing map shall not copy them all.
    found: HashMap<TableNo, Box<Host<G>>, FixedState>,
    order: BTreeSet<TableNo>,
}

impl<G: Game> Default for Hosts<G> {
    fn default() -> Hosts<G> {
        Hosts { found: HashMap::default(), order: BTreeSet::new() }
    }
}

impl<G: Game> Hosts<G> {
    pub fn get(&self, no: TableNo) -> Option<&Host<G>> {
        self.found.get(&no).map(|host| &**host)
    }

    pub fn get_mut(&mut self, no: TableNo) -> Option<&mut Host<G>> {
        self.found.get_mut(&no).map(|host| &mut **host)
    }

    pub fn insert(&mut self, no: TableNo, host: Host<G>) {
        self.found.insert(no, Box::new(host));
        self.order.insert(no);
    }

    pub fn remove(&mut self, no: TableNo) -> Option<Box<Host<G>>> {
        self.order.remove(&no);
        self.found.remove(&no)
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (TableNo, &Host<G>)> {
        self.order.iter().map(|no| (*no, &*self.found[no]))
    }
}
