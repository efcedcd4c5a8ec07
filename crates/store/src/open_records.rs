//! The open topics, as text. A store needs them twice: to continue the hash chain after a topic's
//! last record, and to keep a game with all of its records when it closes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Batch, Mark, Row, StoredRecord, Summary, Topic, chain};

#[derive(Debug, Default)]
pub struct OpenRecords {
    /// By stream.
    lines: BTreeMap<String, BTreeMap<Topic, Vec<StoredRecord>>>,
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
    pub fn new(found: BTreeMap<(String, Topic), Vec<StoredRecord>>) -> OpenRecords {
        let mut open = OpenRecords::default();
        for ((stream, topic), lines) in found {
            open.lines.entry(stream).or_default().insert(topic, lines);
        }
        open.count();
        open
    }

    /// Puts what a stream has open in the place of what was known of it.
    pub fn replace(&mut self, stream: &str, open: BTreeMap<Topic, Vec<StoredRecord>>) {
        self.lines.insert(stream.to_owned(), open);
        self.count();
    }

    fn count(&mut self) {
        let records = self.lines.values().flat_map(BTreeMap::values).flatten();
        self.bytes = records.map(|line| line.record.len()).sum();
    }

    /// The length of all records.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The streams that have something open, by name.
    pub fn streams(&self) -> Vec<String> {
        let open = self.lines.iter().filter(|(_, topics)| !topics.is_empty());
        open.map(|(stream, _)| stream.clone()).collect()
    }

    /// The open topics of one stream.
    pub fn of_stream(&self, stream: &str) -> BTreeMap<Topic, Vec<StoredRecord>> {
        self.lines.get(stream).cloned().unwrap_or_default()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, Topic, &[StoredRecord])> {
        let topics = self.lines.iter().flat_map(|(stream, topics)| {
            topics.iter().map(move |(topic, lines)| (stream, topic, lines))
        });
        topics.map(|(stream, topic, lines)| (stream.as_str(), *topic, lines.as_slice()))
    }

    fn lines(&self, stream: &str, topic: Topic) -> &[StoredRecord] {
        let topics = self.lines.get(stream);
        topics.and_then(|topics| topics.get(&topic)).map_or(&[], Vec::as_slice)
    }

    /// Batches with their records as text, each with its hash.
    pub fn written(&self, batches: Vec<Batch>) -> Vec<Batch<StoredRecord>> {
        let mut ends: BTreeMap<Cow<'static, str>, BTreeMap<Topic, String>> = BTreeMap::new();
        let written = |Batch { stream, epoch, rows }: Batch| {
            let ends = ends.entry(stream.clone()).or_default();
            let row = |row: Row| {
                let end = ends
                    .entry(row.topic)
                    .or_insert_with(|| chain::end(&stream, self.lines(&stream, row.topic)));
                let row = row.written(end);
                // A closed topic may open again, with a new hash chain.
                match row.mark {
                    Mark::Closes(_) => *end = chain::end(&stream, &[]),
                    _ => end.clone_from(&row.record.hash),
                }
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
            let before = self.lines(&batch.stream, row.topic);
            let now = rows().take(index + 1).filter(|(other_batch, other)| {
                other.topic == row.topic && other_batch.stream == batch.stream
            });
            let now = now.map(|(_, row)| &row.record);
            let mut records = String::new();
            before.iter().chain(now).for_each(|line| line.write_replay_line(&mut records));
            closed.push(Closed { stream: &batch.stream, row, summary, records });
        }
        closed
    }

    /// Takes the rows of a durable batch into what is known to be open.
    pub fn remember(&mut self, Batch { stream, rows, .. }: Batch<StoredRecord>) {
        if !self.lines.contains_key(&*stream) {
            self.lines.insert(stream.to_string(), BTreeMap::new());
        }
        let topics = self.lines.get_mut(&*stream).expect("just seen to");
        for row in rows {
            if matches!(row.mark, Mark::Closes(_)) {
                let lines = topics.remove(&row.topic).unwrap_or_default();
                self.bytes -= lines.iter().map(|line| line.record.len()).sum::<usize>();
            } else {
                self.bytes += row.record.record.len();
                topics.entry(row.topic).or_default().push(row.record);
            }
        }
    }
}
