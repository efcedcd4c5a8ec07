//! A simulated server's disk: every record, read back from its text, and the state they add up to.

use std::collections::BTreeMap;
use std::fmt::Write;

use hall::{
    Closing, Hall, Lists, Output, Phase, Recorded, Status, Table, TableEntry, TableNo, TableRecord,
    Time, TournamentEntry, TournamentNo, TournamentRecord, TournamentState, Unfinished,
};
use rules::any::AnyRules;

pub struct Journal {
    rules: &'static dyn AnyRules,
    pub records: BTreeMap<TableNo, Vec<TableRecord>>,
    tournament_records: BTreeMap<TournamentNo, Vec<TournamentRecord>>,
    /// Every open table as its records have made it.
    pub tables: BTreeMap<TableNo, Table>,
    /// Every tournament as its records have made it.
    pub states: BTreeMap<TournamentNo, TournamentState>,
    /// Games that were played to their end.
    pub finished: u64,
    lists: Lists,
    checks: u64,
    last_written: Time,
}

impl Journal {
    /// Of games with these rules.
    pub fn new(rules: &'static dyn AnyRules) -> Journal {
        Journal {
            rules,
            records: BTreeMap::new(),
            tournament_records: BTreeMap::new(),
            tables: BTreeMap::new(),
            states: BTreeMap::new(),
            finished: 0,
            lists: Lists::default(),
            checks: 0,
            last_written: Time(0),
        }
    }
}

/// Number of finished tournaments to restore, so that their entrants learn the result.
const LATELY_OVER: usize = 2;

impl Journal {
    /// Writes down what must be durable.
    pub fn keep(&mut self, output: &Output) {
        match output {
            Output::TableRecord(entry) => self.keep_record(entry),
            Output::TournamentRecord(entry) => self.keep_tournament_record(entry),
            Output::Listed(change) => self.lists.apply(change.clone()),
            Output::Answer(..)
            | Output::Tell(..)
            | Output::At(..)
            | Output::Reply(..)
            | Output::Recall(_)
            | Output::Think(..) => {}
        }
    }

    /// The server begins again, and with it its lists.
    pub fn forget_lists(&mut self) {
        self.lists = Lists::default();
    }

    /// The lists, folded from their changes, match the hall. All of them are compared now and then.
    fn check_lists(&mut self, hall: &Hall) {
        self.checks += 1;
        if !self.checks.is_multiple_of(32) {
            return;
        }
        let listed = self.lists.tables(None, TableNo(0)).map(|(no, info)| (no, (**info).clone()));
        assert!(
            hall.inspection().table_infos().eq(listed),
            "lists show other tables than there are"
        );
        for status in [Status::Waiting, Status::Playing, Status::Finished, Status::Void] {
            let there = hall.inspection().table_infos().filter(|(_, info)| info.status == status);
            let there = there.map(|(no, _)| no);
            let listed = self.lists.tables(Some(status), TableNo(0)).map(|(no, _)| no);
            assert!(there.eq(listed), "lists of {status:?} show others than there are");
        }
        let there: Vec<TournamentNo> = hall.tournaments().map(|(no, _)| no).collect();
        let listed = self.lists.tournaments(TournamentNo(0)).map(|(no, _)| no);
        assert!(listed.eq(there.iter().copied()), "lists show other tournaments than there are");
        for no in there {
            let info = hall.tournament_info(no).expect("just seen");
            assert!(info.entrants.len() <= info.plan.max_entrants, "{info:?}");
            assert_eq!(self.lists.tournament_info(no), Some(info), "{no:?}");
        }
    }

    fn keep_record(&mut self, entry: &TableEntry) {
        self.last_written = entry.at;
        let records = self.records.entry(entry.table).or_default();
        let opens = matches!(*entry.record, TableRecord::Opened(_));
        assert_eq!(opens, records.is_empty(), "a table begins with Opened");
        let closed = matches!(records.last(), Some(TableRecord::Closed(_)));
        assert!(!closed, "after its end table {:?} says {:?}", entry.table, entry.record);
        self.finished += u64::from(matches!(*entry.record, TableRecord::Closed(Closing::Over(_))));
        let text = serde_json::to_string(&entry.record).expect("records serialise");
        let back: TableRecord =
            self.rules.reading(|| serde_json::from_str(&text)).expect("records read back");
        assert_eq!(back, *entry.record, "{text}");
        match &back {
            TableRecord::Opened(opened) => {
                self.tables.insert(entry.table, Table::new(opened.clone()));
            }
            TableRecord::Closed(_) => _ = self.tables.remove(&entry.table),
            other => self.tables.get_mut(&entry.table).expect("an open table").apply(other),
        }
        records.push(back);
    }

    fn keep_tournament_record(
        &mut self,
        TournamentEntry { tournament, record, .. }: &TournamentEntry,
    ) {
        let tournament_records = self.tournament_records.entry(*tournament).or_default();
        if matches!(**record, TournamentRecord::Condensed(_)) {
            // It replaces those before.
            tournament_records.clear();
        }
        let convenes =
            matches!(**record, TournamentRecord::Convened(_) | TournamentRecord::Condensed(_));
        assert_eq!(convenes, tournament_records.is_empty(), "a tournament begins with Convened");
        let closed = matches!(tournament_records.last(), Some(TournamentRecord::Closed));
        assert!(!closed, "after its end tournament {tournament:?} says {record:?}");
        let text = serde_json::to_string(record).expect("records serialise");
        let back: TournamentRecord =
            self.rules.reading(|| serde_json::from_str(&text)).expect("records read back");
        assert_eq!(back, **record, "{text}");
        match &back {
            TournamentRecord::Convened(convened) => {
                let state = TournamentState::new((**convened).clone()).expect("a good plan");
                self.states.insert(*tournament, state);
            }
            other => {
                let state = self.states.get_mut(tournament).expect("convened");
                state.apply(other).expect("what is written down can be");
            }
        }
        tournament_records.push(back);
    }

    /// The open tables and tournaments, as a hall restores them.
    pub fn unfinished(&self) -> Unfinished {
        let recorded = |no| Recorded::written_at(self.last_written, self.records[no].clone());
        let tables = self.tables.keys().map(|no| (*no, recorded(no)));
        let of = |closed: bool| self.states.iter().filter(move |(_, r)| r.closed == closed);
        let over = of(true).skip(of(true).count().saturating_sub(LATELY_OVER));
        Unfinished {
            tables: tables.collect(),
            lately_over: Vec::new(),
            tournaments: over
                .chain(of(false))
                .map(|(no, _)| (*no, self.tournament_records[no].clone()))
                .collect(),
            next_table: self.records.keys().next_back().map_or(1, |no| no.0 + 1),
            next_tournament: self.tournament_records.keys().next_back().map_or(1, |no| no.0 + 1),
            last_written: self.last_written,
            standing: None,
        }
    }

    /// No open table and no tournament has changed without a record, and lists show them all.
    pub fn check(&mut self, hall: &Hall) {
        self.check_lists(hall);
        let open = hall.tables().filter(|(_, table)| table.phase() != Phase::Closed);
        let open: Vec<_> = open.collect();
        assert_eq!(open.len(), self.tables.len(), "the journal knows other tables than the hall");
        for (no, table) in open {
            assert_eq!(&self.tables[&no], table, "table {no:?} changed without a record");
        }
        for (no, state) in hall.tournaments() {
            assert_eq!(&self.states[&no], state, "tournament {no:?} changed without a record");
        }
    }

    /// Every record of every tournament.
    pub fn tournament_records(&self) -> impl Iterator<Item = &TournamentRecord> {
        self.tournament_records.values().flatten()
    }

    /// A tournament, from its records alone.
    pub fn fold(&self, no: TournamentNo) -> TournamentState {
        TournamentState::fold(&self.tournament_records[&no]).expect("begins with Convened")
    }

    /// A table is the fold of its records, from scratch.
    pub fn check_fold(&self, hall: &Hall, no: TableNo) {
        let folded = Table::fold(&self.records[&no]).expect("begins with Opened");
        if let Some(table) = hall.table(no) {
            assert_eq!(&folded, table, "table {no:?} is not the fold of its records");
        }
    }
}

/// A digest of every output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Digest {
    pub fn add(&mut self, outputs: &[Output]) {
        let mut text = String::new();
        let lists = |output: &&Output| matches!(output, Output::Listed(_));
        for output in outputs.iter().filter(|output| !lists(output)) {
            write!(text, "{output:?}").expect("writing to a string");
        }
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The players a restart found away from their table.
pub fn noted_absences(outputs: &[Output], no: TableNo) -> impl Iterator<Item = &TableRecord> {
    outputs
        .iter()
        .filter_map(move |output| match output {
            Output::TableRecord(entry) if entry.table == no => Some(&*entry.record),
            _ => None,
        })
        .filter(|record| matches!(record, TableRecord::Away { .. }))
}
