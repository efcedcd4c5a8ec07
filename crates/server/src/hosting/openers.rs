//! Whose tables write how much: each record of a table counts for the address of whoever was first
//! there, also after that player has left and house bots go on.

use std::collections::HashMap;

use hall::{Cause, ConnId, TableEntry, TableNo, TableRecord};

use crate::gate::TableBill;

#[derive(Debug, Default)]
pub struct Openers(HashMap<TableNo, TableBill>);

impl Openers {
    /// Counts a record. `bill` says who pays for a connection; none: nobody does.
    pub fn note(&mut self, entry: &TableEntry, bill: impl FnOnce(ConnId) -> Option<TableBill>) {
        let TableEntry { table, cause, record, .. } = entry;
        if let (Cause::Said(conn, _), TableRecord::Opened(_) | TableRecord::Seated { .. }) =
            (cause, &**record)
            && !self.0.contains_key(table)
            && let Some(bill) = bill(*conn)
        {
            self.0.insert(*table, bill);
        }
        match &**record {
            TableRecord::Closed(_) => _ = self.0.remove(table),
            _ => self.0.get(table).into_iter().for_each(TableBill::charge),
        }
    }
}
