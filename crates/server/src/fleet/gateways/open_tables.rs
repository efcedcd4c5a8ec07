//! What has happened at tables that are not over: a gateway is told it when it begins to follow one. Readers
//! find it in the directory, but there only when it is durable.

use std::collections::HashMap;
use std::sync::Arc;

use hall::{Hall, Name, OpenRecords, Recorded, TableEntry, TableNo, TableRecord, Update};
use rules::Game;

#[derive(Debug)]
pub struct OpenTables<G: Game> {
    records: OpenRecords<G>,
    ids: HashMap<Name, TableNo>,
    /// Those that are over, until whoever follows them was told.
    over: Vec<TableEntry<G>>,
}

impl<G: Game> OpenTables<G> {
    pub fn new(records: OpenRecords<G>) -> OpenTables<G> {
        let ids = records.iter().filter_map(|(no, recorded)| Some((id(recorded)?, no)));
        OpenTables { ids: ids.collect(), records, over: Vec::new() }
    }

    /// Something has happened.
    pub fn apply(&mut self, entry: &TableEntry<G>) {
        match &*entry.record {
            TableRecord::Closed(_) => return self.over.push(entry.clone()),
            TableRecord::Opened(opened) => _ = self.ids.insert(opened.id.clone(), entry.table),
            _ => {}
        }
        self.records.apply(entry);
    }

    /// Forgets those that are over, and names them.
    pub fn end(&mut self) -> Vec<TableNo> {
        let mut over = Vec::new();
        for entry in std::mem::take(&mut self.over) {
            let (no, id) = (entry.table, self.records.get(entry.table).and_then(id));
            if let Some(id) = id.filter(|id| self.ids.get(id) == Some(&no)) {
                self.ids.remove(&id);
            }
            self.records.apply(&entry);
            over.push(no);
        }
        over
    }

    /// Which open table an update is about. Another that is over may have had the same id.
    pub fn of_update(&self, hall: &Hall<G>, update: &Update<G>) -> Option<TableNo> {
        let no = *self.ids.get(&update.company.table)?;
        hall.company(no).filter(|company| Arc::ptr_eq(company, &update.company)).map(|_| no)
    }

    /// What somebody has to know to follow a table. None: it is over.
    pub fn records(&self, no: TableNo) -> Option<Vec<Arc<TableRecord<G>>>> {
        let is_over = self.over.iter().any(|entry| entry.table == no);
        self.records.get(no).filter(|_| !is_over).map(|recorded| recorded.shared().to_vec())
    }
}

fn id<G: Game>(recorded: &Recorded<G>) -> Option<Name> {
    match recorded.records().next()? {
        TableRecord::Opened(opened) => Some(opened.id.clone()),
        _ => None,
    }
}
