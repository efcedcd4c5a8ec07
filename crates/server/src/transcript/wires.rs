//! The latest messages on the connections of each name, in memory, for the owner of its key.
//!
//! A connection belongs to a key that it has shown. Those of claimed names are always recorded;
//! those of a tournament's own keys from when their holder first asks. All others cost nothing.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use hall::{KeyHash, Name, Time};
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::exams::Exam;
use crate::house::{RegisterHandle, clock};

/// Maximum number of names with a ring; then the quietest makes room.
const RINGS: usize = 512;
/// Maximum number of lines and bytes kept per name.
const LINES: usize = 1000;
const BYTES: usize = 128 << 10;
/// A longer message is cut.
const LONGEST: usize = 4 << 10;
/// Approximate overhead of a line, in bytes.
const LINE_BYTES: usize = 160;

/// The rings of all names, by their keys.
#[derive(Debug)]
pub struct Wires {
    rings: Mutex<BTreeMap<KeyHash, Arc<Ring>>>,
    /// How many were ever made: a connection that has shown a key looks again when this has grown.
    made: AtomicU64,
    /// `None`: there are no claimed names.
    register: Option<RegisterHandle>,
}

impl Wires {
    pub fn new(register: Option<RegisterHandle>) -> Wires {
        Wires { rings: Mutex::default(), made: AtomicU64::new(0), register }
    }

    /// The ring of this key's owner, if it exists or the name is claimed.
    pub fn of(&self, key: &KeyHash) -> Option<Arc<Ring>> {
        if let Some(ring) = self.rings().get(key) {
            return Some(ring.clone());
        }
        let claimed = self.register.as_ref().is_some_and(|known| known.read().owner(key).is_some());
        claimed.then(|| self.open(key))
    }

    /// The ring of a client known to have this key.
    pub fn open(&self, key: &KeyHash) -> Arc<Ring> {
        let mut rings = self.rings();
        if let Some(ring) = rings.get(key) {
            return ring.clone();
        }
        if rings.len() >= RINGS {
            let quiet =
                rings.iter().min_by_key(|(_, ring)| ring.lines().last_at).map(|(key, _)| key);
            if let Some(quiet) = quiet.cloned() {
                rings.remove(&quiet);
            }
        }
        let ring = Arc::new(Ring::new());
        rings.insert(key.clone(), ring.clone());
        self.made.fetch_add(1, Ordering::Release);
        ring
    }

    /// Grows whenever a key may have got its ring.
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::Acquire)
    }

    fn rings(&self) -> MutexGuard<'_, BTreeMap<KeyHash, Arc<Ring>>> {
        self.rings.lock().expect("no holder of this lock panics")
    }
}

/// The last of what went over one name's connections.
#[derive(Debug)]
pub struct Ring {
    lines: Mutex<Lines>,
    /// The number of the newest line, for watchers.
    newest: watch::Sender<u64>,
    exams: Mutex<BTreeMap<&'static str, Arc<Exam>>>,
}

#[derive(Debug)]
struct Lines {
    kept: VecDeque<Arc<Line>>,
    bytes: usize,
    next: u64,
    last_at: Time,
}

impl Ring {
    fn new() -> Ring {
        let lines = Lines { kept: VecDeque::new(), bytes: 0, next: 1, last_at: clock::now() };
        let (newest, exams) = (watch::Sender::new(0), Mutex::default());
        Ring { lines: Mutex::new(lines), newest, exams }
    }

    /// Puts a line at the end; its number.
    pub fn put(&self, place: &Place, what: What) -> u64 {
        let mut lines = self.lines();
        let number = lines.next;
        let line = Line { number, at: clock::now(), place: place.clone(), what };
        lines.next += 1;
        lines.last_at = line.at;
        lines.bytes += line.bytes();
        lines.kept.push_back(Arc::new(line));
        while lines.kept.len() > LINES || lines.bytes > BYTES {
            let Some(oldest) = lines.kept.pop_front() else { break };
            lines.bytes -= oldest.bytes();
        }
        drop(lines);
        if self.newest.receiver_count() > 0 {
            self.newest.send_replace(number);
        }
        number
    }

    /// At most `at_most` lines after a number, oldest first.
    pub fn after(&self, number: u64, at_most: usize) -> Vec<Arc<Line>> {
        let lines = self.lines();
        let from = lines.kept.partition_point(|line| line.number <= number);
        lines.kept.range(from..).take(at_most).cloned().collect()
    }

    /// Notifies about new lines.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// Stores the result of an exam; it replaces the one before.
    pub fn examined(&self, game: &'static str, exam: Exam) {
        self.exams.lock().expect("no holder of this lock panics").insert(game, Arc::new(exam));
    }

    pub fn exams(&self) -> Vec<Arc<Exam>> {
        self.exams.lock().expect("no holder of this lock panics").values().cloned().collect()
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().expect("no holder of this lock panics")
    }
}

/// Where something was said.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Place {
    /// The connection, counted by the server.
    pub conn: u64,
    pub game: &'static str,
    /// The protocol, by the name of its port, or `house`.
    pub wire: &'static str,
}

/// One line of a name's wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Line {
    /// Counted from 1; what is missing was too old to keep.
    pub number: u64,
    /// In milliseconds since 1970.
    #[schema(value_type = u64)]
    pub at: Time,
    #[serde(flatten)]
    pub place: Place,
    #[serde(flatten)]
    pub what: What,
}

impl Line {
    fn bytes(&self) -> usize {
        LINE_BYTES + self.what.text().len()
    }
}

/// What happened on a connection. Keys and tokens are cut out of every text.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// A connection has begun.
    Connected { from: String },
    /// The bot has said this. If it was a move: how long it took.
    Sent {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        thought: Option<Thought>,
    },
    /// The bot was told this.
    Received { text: String },
    /// What was said in line `line` was refused.
    Refused {
        line: u64,
        /// Why.
        text: String,
        /// What to do about it.
        #[schema(value_type = String)]
        hint: Cow<'static, str>,
        /// The sentence of the game's page that it goes back to.
        #[serde(skip_serializing_if = "Option::is_none")]
        clause: Option<String>,
        /// The section of the page that has this sentence.
        #[serde(skip_serializing_if = "Option::is_none")]
        anchor: Option<&'static str>,
    },
    /// No move came in time.
    TimedOut { thought: Thought },
    /// The bot sits at this table.
    Seated {
        table: String,
        #[schema(value_type = Vec<String>)]
        names: Vec<Name>,
    },
    /// The game is over.
    Over,
    /// The connection has ended.
    Closed { text: String },
}

impl What {
    pub fn text(&self) -> &str {
        match self {
            What::Sent { text, .. }
            | What::Received { text }
            | What::Refused { text, .. }
            | What::Closed { text }
            | What::Connected { from: text }
            | What::Seated { table: text, .. } => text,
            What::TimedOut { .. } | What::Over => "",
        }
    }
}

/// How long a move took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Thought {
    pub turn: u64,
    pub took_ms: f64,
    /// How long it may take; none: as long as it likes.
    pub clock_ms: Option<u64>,
}

/// A message as it is kept: not longer than makes sense.
pub fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        let bytes = text.len();
        let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push_str(&format!("… ({bytes} bytes)"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place { conn: 1, game: "gamba", wire: "gamba" }
    }

    fn received(text: &str) -> What {
        What::Received { text: text.to_owned() }
    }

    #[test]
    fn a_ring_keeps_the_last_lines_and_not_too_many_bytes() {
        let ring = Ring::new();
        (0..LINES + 5).for_each(|_| _ = ring.put(&place(), received("x")));
        let kept = ring.after(0, usize::MAX);
        assert!(kept.len() <= LINES && kept[0].number > 5, "{}", kept.len());
        assert_eq!(kept.last().unwrap().number, LINES as u64 + 5);
        let long = shortened("é".repeat(LONGEST));
        assert!(long.len() < LONGEST + 40 && long.ends_with("… (8192 bytes)"));
        (0..LINES).for_each(|_| _ = ring.put(&place(), received(&long)));
        let bytes: usize = ring.after(0, usize::MAX).iter().map(|line| line.bytes()).sum();
        assert!(bytes <= BYTES && bytes > BYTES / 2, "{bytes}");
        assert_eq!(ring.after(2 * LINES as u64, 3).len(), 3);
    }

    #[test]
    fn a_key_that_nobody_has_gets_no_ring_and_only_so_many_get_one() {
        let wires = Wires::new(None);
        let key = |n: usize| KeyHash::of(&n.to_string());
        assert!(wires.of(&key(0)).is_none());
        let first = wires.open(&key(0));
        assert!(Arc::ptr_eq(&first, &wires.of(&key(0)).unwrap()));
        (1..RINGS).for_each(|n| _ = wires.open(&key(n)));
        assert_eq!(wires.rings().len(), RINGS);
        wires.open(&key(RINGS));
        assert_eq!(wires.rings().len(), RINGS, "one made room");
        assert_eq!(wires.made(), RINGS as u64 + 1);
    }
}
