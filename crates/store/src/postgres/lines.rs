//! The contents of a journal row: what one append writes to one stream, one line per record.
//!
//! A line names its topic and then the record, as in replay files. A line without a record closes
//! the topic. A text that is too long for a row is cut into pieces at any position.

use std::collections::BTreeMap;

use super::{kind_of, number_of};
use crate::chain::push_number;
use crate::{StoredRecord, Topic};

/// A row has to fit into a page of the database, or it is stored in many small parts elsewhere.
const PIECE: usize = 8000;

/// Adds a record's line, or with none the line that closes.
pub fn write(text: &mut String, topic: Topic, record: Option<&StoredRecord>) {
    push_number(text, number_of(topic.kind()).unsigned_abs().into());
    text.push(' ');
    push_number(text, topic.number());
    match record {
        Some(record) => {
            text.push(' ');
            record.write_replay_line(text);
        }
        None => text.push('\n'),
    }
}

/// The pieces of a text, one for each row.
pub fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let piece;
        (piece, text) = text.split_at(text.floor_char_boundary(PIECE));
        (!piece.is_empty()).then_some(piece)
    })
}

/// The open topics, from everything written to a stream. An error names what can't be read.
pub fn read(text: &str) -> Result<BTreeMap<Topic, Vec<StoredRecord>>, String> {
    open(text)?.into_iter().map(|(topic, lines)| Ok((topic, records(topic, lines)?))).collect()
}

/// The same of one topic alone.
pub fn read_topic(text: &str, topic: Topic) -> Result<Vec<StoredRecord>, String> {
    records(topic, open(text)?.remove(&topic).unwrap_or_default())
}

fn records(topic: Topic, lines: Vec<&str>) -> Result<Vec<StoredRecord>, String> {
    let read = lines.into_iter().map(StoredRecord::read).collect::<Result<_, _>>();
    read.map_err(|error| format!("{topic:?}: {error}"))
}

/// The same with records as they are written.
pub fn open(text: &str) -> Result<BTreeMap<Topic, Vec<&str>>, String> {
    let mut open: BTreeMap<Topic, Vec<&str>> = BTreeMap::new();
    for line in text.lines() {
        let (topic, record) =
            about(line).ok_or_else(|| format!("a line cannot be read: '{line:.40}'"))?;
        match record {
            Some(record) => open.entry(topic).or_default().push(record),
            None => _ = open.remove(&topic),
        }
    }
    Ok(open)
}

fn about(line: &str) -> Option<(Topic, Option<&str>)> {
    let (kind, rest) = line.split_once(' ')?;
    let (number, record) = match rest.split_once(' ') {
        Some((number, record)) => (number, Some(record)),
        None => (rest, None),
    };
    let topic = Topic::new(kind_of(kind.parse().ok()?)?, number.parse().ok()?);
    Some((topic, record))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cause;

    #[test]
    fn pieces_make_the_text_again() {
        let text = "é".repeat(PIECE) + "x";
        let pieces: Vec<&str> = pieces(&text).collect();
        assert!(pieces.iter().all(|piece| piece.len() <= PIECE));
        assert_eq!((pieces.len(), pieces.concat()), (3, text));
        assert_eq!(super::pieces("").count(), 0);
    }

    #[test]
    fn what_is_closed_is_open_no_more() {
        let record = StoredRecord::after("", 7, Cause::Begun, "{\"a\":\"b c\"}".to_owned());
        let mut text = String::new();
        for (topic, record) in [
            (Topic::Table(1), Some(&record)),
            (Topic::Page(1), Some(&record)),
            (Topic::Table(1), None),
            (Topic::Table(2), Some(&record)),
            (Topic::Page(1), Some(&record)),
        ] {
            write(&mut text, topic, record);
        }
        let expected = [
            (Topic::Table(2), vec![record.clone()]),
            (Topic::Page(1), vec![record.clone(), record]),
        ];
        assert_eq!(read(&text), Ok(expected.into()));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, why) in [
            ("9 1 {}", "a line cannot be read: '9 1 {}'"),
            ("0", "a line cannot be read: '0'"),
            ("0 x {}", "a line cannot be read: '0 x {}'"),
            ("0 1 {}", "Table(1): missing field `at` at line 1 column 2"),
        ] {
            assert_eq!(read(text), Err(why.to_owned()));
        }
    }
}
