//! The records of tables that are not over: a gateway receives them when it begins to follow a table.
//! Readers find them in the directory, but only once they are durable.

use std::sync::Arc;

use hall::{OpenRecords, TableEntry, TableNo, TableRecord};
use rules::Game;

#[derive(Debug)]
pub struct OpenTables<G: Game> {
    records: OpenRecords<G>,
    /// The last records of tables that are over, until all who follow them have their frames.
    over: Vec<TableEntry<G>>,
}

impl<G: Game> OpenTables<G> {
    pub fn new(records: OpenRecords<G>) -> OpenTables<G> {
        OpenTables { records, over: Vec::new() }
    }

    /// Something has happened.
    pub fn apply(&mut self, entry: &TableEntry<G>) {
        match &*entry.record {
            TableRecord::Closed(_) => self.over.push(entry.clone()),
            _ => self.records.apply(entry),
        }
    }

    /// Forgets the tables that are over, and names them.
    pub fn end(&mut self) -> Vec<TableNo> {
        let over = std::mem::take(&mut self.over);
        over.iter().for_each(|entry| self.records.apply(entry));
        over.into_iter().map(|entry| entry.table).collect()
    }

    /// The records that a gateway needs to follow a table. None: the table is over.
    pub fn records(&self, no: TableNo) -> Option<Vec<Arc<TableRecord<G>>>> {
        let is_over = self.over.iter().any(|entry| entry.table == no);
        self.records.get(no).filter(|_| !is_over).map(|recorded| recorded.shared().to_vec())
    }
}
