//! The envelope around each record in the journal and in replay files: the version that wrote it,
//! its cause, and a hash over it and every earlier record of the same table. With a game's file,
//! anyone can find the first record that was changed.

use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// The format version. Rows of a later version are refused, because this release may misread them.
/// Rows of the first version carry no number.
pub const VERSION: u32 = 2;

/// The cause of a record. Each node counts its own connections and requests from its start; a
/// number says which node that was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    /// A deadline, or the server itself.
    #[default]
    Clock,
    /// A connection's command of this number.
    Said { node: u32, conn: u64, number: u64 },
    /// A connection was gone.
    Gone { node: u32, conn: u64 },
    /// An organiser's request.
    Asked { node: u32, number: u64 },
    /// The server began.
    Begun,
    /// The server was stopped.
    Stopped,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Clock => Ok(()),
            Cause::Said { node, conn, number } => write!(f, "{node:x}.{conn}.{number}"),
            Cause::Gone { node, conn } => write!(f, "{node:x}.{conn}"),
            Cause::Asked { node, number } => write!(f, "{node:x}/{number}"),
            Cause::Begun => f.write_str("start"),
            Cause::Stopped => f.write_str("stop"),
        }
    }
}

/// One record, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRecord {
    pub at: u64,
    /// The version that wrote it; 0 before versions were written down.
    pub by: u32,
    /// The cause, in [`Cause`]'s notation; also empty where none was recorded.
    pub cause: String,
    /// Over everything before and this; empty where it was not written down.
    pub hash: String,
    pub record: String,
}

impl StoredRecord {
    /// A record that follows one of this hash.
    pub fn after(hash: &str, at: u64, cause: Cause, record: String) -> StoredRecord {
        let (by, cause) = (VERSION, cause.to_string());
        let mut stored = StoredRecord { at, by, cause, hash: String::new(), record };
        stored.hash = stored.hash_after(hash);
        stored
    }

    fn hash_after(&self, hash: &str) -> String {
        let mut sha = Sha256::new();
        sha.update(hash);
        sha.update(self.at.to_le_bytes());
        sha.update(self.by.to_le_bytes());
        sha.update(&self.cause);
        sha.update([0]);
        sha.update(&self.record);
        let digest = sha.finalize();
        let half = digest[..16].iter().fold(0u128, |half, byte| half << 8 | u128::from(*byte));
        format!("{half:032x}")
    }

    /// Its line in a replay file.
    pub(crate) fn replay_line(&self) -> String {
        let mut text = String::new();
        self.write_replay_line(&mut text);
        text
    }

    /// Adds its line to those of a replay file.
    pub(crate) fn write_replay_line(&self, text: &mut String) {
        let StoredRecord { at, by, cause, hash, record } = self;
        // The envelope is never longer than this.
        text.reserve(record.len() + 128);
        // Every record passes here: nothing but its numbers is formatted.
        *text += r#"{"at":"#;
        push_number(text, *at);
        if !hash.is_empty() {
            *text += r#","by":"#;
            push_number(text, u64::from(*by));
            for (key, value) in [(r#","cause":""#, cause), (r#"","hash":""#, hash)] {
                *text += key;
                *text += value;
            }
            text.push('"');
        }
        *text += r#","record":"#;
        *text += record;
        *text += "}\n";
    }

    /// Reads a line of a replay file.
    pub fn read(line: &str) -> serde_json::Result<StoredRecord> {
        #[derive(Deserialize)]
        struct Line {
            at: u64,
            #[serde(default)]
            by: u32,
            #[serde(default)]
            cause: String,
            #[serde(default)]
            hash: String,
            record: Box<RawValue>,
        }
        let Line { at, by, cause, hash, record } = serde_json::from_str(line)?;
        Ok(StoredRecord { at, by, cause, hash, record: record.get().to_owned() })
    }
}

pub(crate) fn push_number(text: &mut String, number: u64) {
    write!(text, "{number}").expect("text takes everything");
}

/// The hash that the first record of a topic in a stream builds on.
fn beginning(stream: &str) -> String {
    format!("parlor {stream}\0")
}

/// The hash that the next record builds on. Records written before hashes existed are hashed here
/// too, so the next record's hash covers them.
pub fn end(stream: &str, lines: &[StoredRecord]) -> String {
    let written = lines.iter().rposition(|line| !line.hash.is_empty());
    let (hash, rest) = match written {
        Some(place) => (lines[place].hash.clone(), &lines[place + 1..]),
        None => (beginning(stream), lines),
    };
    rest.iter().fold(hash, |hash, line| line.hash_after(&hash))
}

/// Whether all records of a game are there, as they were written and in that order; how many of them
/// have a hash. The error names the first that is not.
pub fn verify(stream: &str, lines: &[StoredRecord]) -> Result<usize, String> {
    let mut hash = beginning(stream);
    let mut hashed = 0;
    for (number, line) in (1..).zip(lines) {
        hash = line.hash_after(&hash);
        if line.hash.is_empty() && hashed > 0 {
            return Err(format!("record {number} has no hash, and the one before it has"));
        }
        if !line.hash.is_empty() && line.hash != hash {
            return Err(format!(
                "record {number} is not what was written there: it was changed, or records before it \
                 were changed, removed or moved"
            ));
        }
        hashed += usize::from(!line.hash.is_empty());
    }
    Ok(hashed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Vec<StoredRecord> {
        let mut lines: Vec<StoredRecord> = Vec::new();
        for at in 0..6 {
            let hash = end("chess", &lines);
            let cause = Cause::Said { node: 0xab, conn: at % 2, number: at };
            lines.push(StoredRecord::after(&hash, at, cause, format!(r#"{{"move":{at}}}"#)));
        }
        lines
    }

    #[test]
    fn a_file_tells_what_was_changed_removed_or_reordered() {
        let good = game();
        let text: String = good.iter().map(StoredRecord::replay_line).collect();
        let back: Vec<_> = text.lines().map(|line| StoredRecord::read(line).unwrap()).collect();
        assert_eq!(back, good);
        assert_eq!(verify("chess", &back), Ok(6));
        assert!(verify("go", &back).unwrap_err().contains("record 1 "));
        let spoilt = |spoil: &dyn Fn(&mut Vec<StoredRecord>)| {
            let mut lines = game();
            spoil(&mut lines);
            verify("chess", &lines).unwrap_err()
        };
        let fourth = "record 4 is not what was written there";
        assert!(spoilt(&|lines| lines[3].record = "{}".to_owned()).contains(fourth));
        assert!(spoilt(&|lines| lines[3].at += 1).contains(fourth));
        assert!(spoilt(&|lines| lines[3].cause.clear()).contains(fourth));
        assert!(spoilt(&|lines| _ = lines.remove(3)).contains(fourth));
        assert!(spoilt(&|lines| lines.swap(3, 4)).contains(fourth));
        assert!(spoilt(&|lines| lines.insert(3, lines[2].clone())).contains(fourth));
        assert!(spoilt(&|lines| lines[3].hash.clear()).contains("record 4 has no hash"));
    }

    #[test]
    fn what_an_earlier_release_began_is_covered_by_what_follows() {
        let mut lines: Vec<StoredRecord> = game();
        for line in &mut lines {
            (line.by, line.cause, line.hash) = (0, String::new(), String::new());
        }
        assert_eq!(verify("chess", &lines), Ok(0));
        let next = StoredRecord::after(&end("chess", &lines), 9, Cause::Clock, "{}".to_owned());
        lines.push(next);
        assert_eq!(verify("chess", &lines), Ok(1));
        lines[2].record = "{}".to_owned();
        assert!(verify("chess", &lines).unwrap_err().contains("record 7 "));
    }
}
