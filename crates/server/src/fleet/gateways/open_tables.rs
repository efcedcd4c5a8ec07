//! The records of tables that are not over: a gateway receives them when it begins to follow a table.
//! Readers find them in the directory, but only once they are durable.

use std::sync::Arc;

use hall::{OpenRecords, TableEntry, TableNo, TableRecord};

#[derive(Debug)]
pub struct OpenTables {
    records: OpenRecords,
    /// The last records of tables that are over, until all who follow them have their frames.
    over: Vec<TableEntry>,
}

impl OpenTables {
    pub fn new(records: OpenRecords) -> OpenTables {
        OpenTables { records, over: Vec::new() }
    }

    /// Something has happened.
    pub fn apply(&mut self, entry: &TableEntry) {
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
    pub fn records(&self, no: TableNo) -> Option<Vec<Arc<TableRecord>>> {
        let is_over = self.over.iter().any(|entry| entry.table == no);
        self.records.get(no).filter(|_| !is_over).map(|recorded| recorded.shared().to_vec())
    }
}
