//! What a simulated server has on its disk: every record and note, read back from its text, and
//! what they add up to.

use std::collections::BTreeMap;
use std::fmt::Write;

use rules::Game;

use crate::{
    Closing, Entry, Hall, Note, Noted, Output, Phase, Record, Register, Table, TableNo,
    TournamentNo, Unfinished,
};

pub struct Journal<G: Game> {
    records: BTreeMap<TableNo, Vec<Record<G>>>,
    notes: BTreeMap<TournamentNo, Vec<Note<G>>>,
    /// Every open table as its records have made it.
    pub tables: BTreeMap<TableNo, Table<G>>,
    /// Every tournament as its notes have made it.
    pub registers: BTreeMap<TournamentNo, Register<G>>,
    /// Games that were played to their end.
    pub finished: u64,
}

impl<G: Game> Default for Journal<G> {
    fn default() -> Journal<G> {
        Journal {
            records: BTreeMap::new(),
            notes: BTreeMap::new(),
            tables: BTreeMap::new(),
            registers: BTreeMap::new(),
            finished: 0,
        }
    }
}

/// So many tournaments that are over are taken up again, so that their entrants hear it.
const LATELY_OVER: usize = 2;

impl<G: Game> Journal<G> {
    /// Writes down what must be durable.
    pub fn keep(&mut self, output: &Output<G>) {
        match output {
            Output::Record(entry) => self.keep_record(entry),
            Output::Note(noted) => self.keep_note(noted),
            Output::Answer(..) | Output::Tell(..) | Output::Reply(..) => {}
        }
    }

    fn keep_record(&mut self, entry: &Entry<G>) {
        let records = self.records.entry(entry.table).or_default();
        let opens = matches!(*entry.record, Record::Opened(_));
        assert_eq!(opens, records.is_empty(), "a table begins with Opened");
        let closed = matches!(records.last(), Some(Record::Closed(_)));
        assert!(!closed, "after its end table {:?} says {:?}", entry.table, entry.record);
        self.finished += u64::from(matches!(*entry.record, Record::Closed(Closing::Over(_))));
        let text = serde_json::to_string(&entry.record).expect("records serialise");
        let back: Record<G> = serde_json::from_str(&text).expect("records read back");
        assert_eq!(back, *entry.record, "{text}");
        match &back {
            Record::Opened(opened) => {
                self.tables.insert(entry.table, Table::new(opened.clone()));
            }
            Record::Closed(_) => _ = self.tables.remove(&entry.table),
            other => self.tables.get_mut(&entry.table).expect("an open table").apply(other),
        }
        records.push(back);
    }

    fn keep_note(&mut self, Noted { tournament, note, .. }: &Noted<G>) {
        let notes = self.notes.entry(*tournament).or_default();
        let convenes = matches!(**note, Note::Convened(_));
        assert_eq!(convenes, notes.is_empty(), "a tournament begins with Convened");
        let closed = matches!(notes.last(), Some(Note::Closed));
        assert!(!closed, "after its end tournament {tournament:?} says {note:?}");
        let text = serde_json::to_string(note).expect("notes serialise");
        let back: Note<G> = serde_json::from_str(&text).expect("notes read back");
        assert_eq!(back, **note, "{text}");
        match &back {
            Note::Convened(convened) => {
                let register = Register::new((**convened).clone()).expect("a good plan");
                self.registers.insert(*tournament, register);
            }
            other => {
                let register = self.registers.get_mut(tournament).expect("convened");
                register.apply(other).expect("what is written down can be");
            }
        }
        notes.push(back);
    }

    /// What is open, as a hall takes it up again.
    pub fn unfinished(&self) -> Unfinished<G> {
        let tables = self.tables.keys().map(|no| (*no, self.records[no].clone()));
        let of = |closed: bool| self.registers.iter().filter(move |(_, r)| r.closed == closed);
        let over = of(true).skip(of(true).count().saturating_sub(LATELY_OVER));
        Unfinished {
            tables: tables.collect(),
            lately_over: Vec::new(),
            tournaments: over
                .chain(of(false))
                .map(|(no, _)| (*no, self.notes[no].clone()))
                .collect(),
            next_table: self.records.keys().next_back().map_or(1, |no| no.0 + 1),
            next_tournament: self.notes.keys().next_back().map_or(1, |no| no.0 + 1),
        }
    }

    /// No open table and no tournament has changed without a record or a note.
    pub fn check(&self, hall: &Hall<G>) {
        let open = hall.tables().filter(|(_, table)| table.phase() != Phase::Closed);
        let open: Vec<_> = open.collect();
        assert_eq!(open.len(), self.tables.len(), "the journal knows other tables than the hall");
        for (no, table) in open {
            assert_eq!(&self.tables[&no], table, "table {no:?} changed without a record");
        }
        for (no, register) in hall.tournaments() {
            assert_eq!(&self.registers[&no], register, "tournament {no:?} changed without a note");
        }
    }

    /// Every note of every tournament.
    pub fn notes(&self) -> impl Iterator<Item = &Note<G>> {
        self.notes.values().flatten()
    }

    /// A tournament, from its notes alone.
    pub fn fold(&self, no: TournamentNo) -> Register<G> {
        Register::fold(&self.notes[&no]).expect("begins with Convened")
    }

    /// A table is the fold of its records, from scratch.
    pub fn check_fold(&self, hall: &Hall<G>, no: TableNo) {
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
    pub fn add<G: Game>(&mut self, outputs: &[Output<G>]) {
        let mut text = String::new();
        for output in outputs {
            write!(text, "{output:?}").expect("writing to a string");
        }
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
