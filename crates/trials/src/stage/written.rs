//! The stage's journal: what is left of a hall when everything else is lost.

use std::collections::BTreeMap;

use hall::{
    Output, Recorded, TableNo, TableRecord, Time, TournamentNo, TournamentRecord, Unfinished,
};

/// What a hall has written.
#[derive(Debug)]
pub struct Written {
    pub tables: BTreeMap<TableNo, Recorded>,
    pub tournaments: BTreeMap<TournamentNo, Vec<TournamentRecord>>,
    last: Time,
}

impl Default for Written {
    fn default() -> Written {
        Written { tables: BTreeMap::new(), tournaments: BTreeMap::new(), last: Time(0) }
    }
}

impl Written {
    pub fn write(&mut self, output: &Output) {
        match output {
            Output::TableRecord(entry) => {
                self.last = entry.at;
                self.tables.entry(entry.table).or_default().push(entry.record.clone(), entry.at);
            }
            Output::TournamentRecord(entry) => {
                let records = self.tournaments.entry(entry.tournament).or_default();
                records.push((*entry.record).clone());
            }
            _ => {}
        }
    }

    /// The records of a table.
    pub fn records(&self, no: u64) -> Vec<TableRecord> {
        self.tables[&TableNo(no)].records().cloned().collect()
    }

    /// The records of a table that is not over.
    pub fn open_table(&self, no: TableNo) -> Option<&Recorded> {
        self.tables.get(&no).filter(|recorded| !recorded.is_over())
    }

    /// The state another hall starts from.
    pub fn unfinished(&self) -> Unfinished {
        let tables = self.tables.iter().map(|(no, recorded)| (*no, recorded.clone()));
        let (over, tables): (Vec<_>, _) = tables.partition(|(_, recorded)| recorded.is_over());
        let records = |recorded: Recorded| recorded.records().cloned().collect();
        let lately_over = over.into_iter().map(|(no, recorded)| (no, records(recorded))).collect();
        Unfinished {
            tables,
            lately_over,
            tournaments: self.tournaments.iter().map(|(no, all)| (*no, all.clone())).collect(),
            next_table: self.tables.last_key_value().map_or(1, |(no, _)| no.0 + 1),
            next_tournament: self.tournaments.last_key_value().map_or(1, |(no, _)| no.0 + 1),
            last_written: self.last,
            standing: None,
        }
    }
}
