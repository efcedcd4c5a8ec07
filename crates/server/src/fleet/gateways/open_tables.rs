//! What has happened at tables that are not over: a gateway is told it when it begins to follow one. Readers
//! find it in the directory, but there only when it is durable.

use std::collections::HashMap;
use std::sync::Arc;

use hall::{Company, Hall, Name, OpenRecords, Recorded, TableEntry, TableNo, TableRecord};
use rules::Game;

#[derive(Debug)]
pub struct OpenTables<G: Game> {
    records: OpenRecords<G>,
    ids: HashMap<Name, TableNo>,
    /// Those that are over, until whoever follows them was told.
    over: Vec<TableEntry<G>>,
    /// Where something has happened last, until something else is spoken of.
    about: Option<TableNo>,
}

impl<G: Game> OpenTables<G> {
    pub fn new(records: OpenRecords<G>) -> OpenTables<G> {
        let ids = records.iter().filter_map(|(no, recorded)| Some((id(recorded)?, no)));
        OpenTables { ids: ids.collect(), records, over: Vec::new(), about: None }
    }

    /// Something has happened.
    pub fn apply(&mut self, entry: &TableEntry<G>) {
        self.about = Some(entry.table);
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

    /// What is said next is not what has happened last.
    pub fn speak_of_others(&mut self) {
        self.about = None;
    }

    /// Which open table something is said of, by who is there. Another that is over may have had the same
    /// id; of one that is over just now the hall may know others by now.
    pub fn with(&self, hall: &Hall<G>, company: &Arc<Company>) -> Option<TableNo> {
        let no = *self.ids.get(&company.table)?;
        let is_there = || hall.company(no).is_some_and(|there| Arc::ptr_eq(there, company));
        (self.about == Some(no) || is_there()).then_some(no)
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
