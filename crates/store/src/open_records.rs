//! What is open, as text. A store that writes records down needs it twice: hashes go on from the
//! last record of a topic, and a game that closes is kept with all of its records.

use std::collections::BTreeMap;

use crate::{Batch, Mark, Row, StoredRecord, Summary, Topic, chain};

#[derive(Debug, Default)]
pub struct OpenRecords {
    lines: BTreeMap<(String, Topic), Vec<StoredRecord>>,
    bytes: usize,
}

/// A game that closes: its last row, what lists show of it, and its records as a replay file has them.
pub struct Closed<'a> {
    pub stream: &'a str,
    pub row: &'a Row<StoredRecord>,
    pub summary: &'a Summary,
    pub records: String,
}

impl OpenRecords {
    pub fn new(lines: BTreeMap<(String, Topic), Vec<StoredRecord>>) -> OpenRecords {
        let bytes = lines.values().flatten().map(|line| line.record.len()).sum();
        OpenRecords { lines, bytes }
    }

    /// Puts what a stream has open in the place of what was known of it.
    pub fn replace(&mut self, stream: &str, open: BTreeMap<Topic, Vec<StoredRecord>>) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.retain(|(of, _), _| of != stream);
        lines.extend(open.into_iter().map(|(topic, open)| ((stream.to_owned(), topic), open)));
        *self = OpenRecords::new(lines);
    }

    /// The length of all records.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The streams that have something open, by name.
    pub fn streams(&self) -> Vec<String> {
        let mut names: Vec<String> = self.lines.keys().map(|(stream, _)| stream.clone()).collect();
        names.dedup();
        names
    }

    /// What one stream has open.
    pub fn of_stream(&self, stream: &str) -> BTreeMap<Topic, Vec<StoredRecord>> {
        let open = self.lines.iter().filter(|((of, _), _)| of == stream);
        open.map(|((_, topic), lines)| (*topic, lines.clone())).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, Topic, &[StoredRecord])> {
        let lines = self.lines.iter();
        lines.map(|((stream, topic), lines)| (stream.as_str(), *topic, lines.as_slice()))
    }

    /// Batches with their records as text, each with its hash.
    pub fn written(&self, batches: Vec<Batch>) -> Vec<Batch<StoredRecord>> {
        let mut ends: BTreeMap<(String, Topic), String> = BTreeMap::new();
        let written = |Batch { stream, epoch, rows }: Batch| {
            let row = |row: Row| {
                let key = (stream.to_string(), row.topic);
                let known = || chain::end(&stream, self.lines.get(&key).map_or(&[], Vec::as_slice));
                let row = row.written(ends.get(&key).map_or_else(known, String::clone).as_str());
                // What closes may open again, and begins its hashes anew.
                let end = match row.mark {
                    Mark::Closes(_) => chain::end(&stream, &[]),
                    _ => row.record.hash.clone(),
                };
                ends.insert(key, end);
                row
            };
            let rows = rows.into_iter().map(row).collect();
            Batch { stream, epoch, rows }
        };
        batches.into_iter().map(written).collect()
    }

    /// The games that batches close, in order.
    pub fn closed<'a>(&self, batches: &'a [Batch<StoredRecord>]) -> Vec<Closed<'a>> {
        let rows =
            || batches.iter().flat_map(|batch| batch.rows.iter().map(move |row| (batch, row)));
        let mut closed = Vec::new();
        for (index, (batch, row)) in rows().enumerate() {
            let Mark::Closes(Some(summary)) = &row.mark else { continue };
            // The topic's rows are those known from before and those of these batches.
            let before = self.lines.get(&(batch.stream.to_string(), row.topic));
            let now = rows().take(index + 1).filter(|(other_batch, other)| {
                other.topic == row.topic && other_batch.stream == batch.stream
            });
            let now = now.map(|(_, row)| &row.record);
            let records = before.into_iter().flatten().chain(now);
            let records = records.map(StoredRecord::replay_line).collect();
            closed.push(Closed { stream: &batch.stream, row, summary, records });
        }
        closed
    }

    /// Takes the rows of a durable batch into what is known to be open.
    pub fn remember(&mut self, Batch { stream, rows, .. }: Batch<StoredRecord>) {
        for row in rows {
            let key = (stream.to_string(), row.topic);
            if matches!(row.mark, Mark::Closes(_)) {
                let lines = self.lines.remove(&key).unwrap_or_default();
                self.bytes -= lines.iter().map(|line| line.record.len()).sum::<usize>();
            } else {
                self.bytes += row.record.record.len();
                self.lines.entry(key).or_default().push(row.record);
            }
        }
    }
}
