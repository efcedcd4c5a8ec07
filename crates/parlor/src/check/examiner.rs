//! The examiner sits between bot and server: it writes down what both say, and interferes as its
//! item asks.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, oneshot};
use wire::Signs;

use crate::bots::{MessageObserver, Pacing, Side, Verdict};

/// Lines that are kept to show what led to a fault.
const KEPT: usize = 400;

/// Lines that are shown with a fault.
const SHOWN: usize = 12;

/// What is done to the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interference {
    Pacing(Pacing),
    /// The move of this number is kept from the server, and refused.
    Refuse {
        nth: u64,
    },
    /// The connection is cut when the move of this number is made.
    Cut {
        nth: u64,
    },
    /// The table is closed while the bot thinks about the move of this number, so that the move comes too
    /// late.
    Close {
        nth: u64,
    },
}

pub struct Examiner {
    signs: Signs,
    interference: Interference,
    notes: Mutex<Notes>,
    /// The bot has made the move before which its table is to be closed.
    held: Notify,
}

#[derive(Default)]
pub struct Notes {
    /// Each with the time since the first.
    lines: VecDeque<(Duration, TranscriptLine)>,
    /// Lines before the kept ones.
    dropped: u64,
    pub connections: u64,
    pub moves: u64,
    /// Moves since the connection was cut or a move was refused.
    pub moves_since: u64,
    /// The number of the line at which the examiner interfered.
    interfered_at: Option<u64>,
    /// The server has said that the game is over.
    pub ended: bool,
    /// Lets the held move through.
    release: Option<oneshot::Sender<()>>,
    closed_table: bool,
    /// What the bot has said since.
    pub said_after_end: u64,
    /// What the bot has sent of a message that has no end yet.
    unfinished: String,
    /// When the first line was written.
    begun: Option<Instant>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptLine {
    Said(Side, String),
    /// What the examiner did.
    TournamentRecord(String),
}

impl TranscriptLine {
    pub fn text(&self) -> String {
        match self {
            TranscriptLine::Said(Side::Bot, text) => format!("bot    > {text}"),
            TranscriptLine::Said(Side::Server, text) => format!("server < {text}"),
            TranscriptLine::TournamentRecord(text) => format!("-- {text}"),
        }
    }
}

impl Examiner {
    pub fn new(signs: Signs, interference: Interference) -> Examiner {
        Examiner { signs, interference, notes: Mutex::default(), held: Notify::new() }
    }

    /// Waits for the move that is held back until its table is closed.
    pub async fn holds_move(&self) {
        self.held.notified().await;
    }

    /// The table is closed: the move is passed on to the server.
    pub fn let_go(&self) {
        let mut notes = self.notes();
        notes.closed_table = true;
        // The bot may have hung up meanwhile.
        notes.release.take().map(|release| release.send(()));
    }

    pub fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().expect("nobody panics with it")
    }
}

impl Notes {
    fn write(&mut self, line: TranscriptLine) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
            self.dropped += 1;
        }
        let begun = *self.begun.get_or_insert_with(Instant::now);
        self.lines.push_back((begun.elapsed(), line));
    }

    /// The beginning of a message that never ended.
    pub fn unfinished(&self) -> Option<&str> {
        Some(self.unfinished.as_str()).filter(|text| !text.is_empty())
    }

    pub fn note(&mut self, text: impl Into<String>) {
        self.write(TranscriptLine::TournamentRecord(text.into()));
    }

    fn interfere(&mut self, text: &str) {
        self.interfered_at = Some(self.dropped + self.lines.len() as u64);
        self.note(text);
    }

    pub fn interfered(&self) -> bool {
        self.interfered_at.is_some()
    }

    /// The lines that tell most: those around the interference, else the last ones.
    pub fn telling(&self) -> Vec<String> {
        let last = self.lines.len().saturating_sub(SHOWN);
        let around = self.interfered_at.map(|at| at.saturating_sub(self.dropped) as usize);
        let first = around.map_or(last, |at| at.saturating_sub(SHOWN / 2).min(last));
        let mut shown: Vec<String> = self.lines.iter().skip(first).take(SHOWN).map(timed).collect();
        if let Some(text) = self.unfinished() {
            shown.push(format!("          bot    > {text} (no end of line)"));
        }
        shown
    }

    /// The first place where this was said by the server, and what led to it.
    pub fn before(&self, said: &str) -> Vec<String> {
        let is = |(_, line): &(Duration, TranscriptLine)| matches!(line, TranscriptLine::Said(Side::Server, text) if text == said);
        let Some(at) = self.lines.iter().position(is) else { return Vec::new() };
        let first = at.saturating_sub(SHOWN);
        self.lines.iter().take(at + 1).skip(first).map(timed).collect()
    }
}

/// A line with its time before it, in seconds.
fn timed((at, line): &(Duration, TranscriptLine)) -> String {
    format!("{:>7.3} s {}", at.as_secs_f64(), line.text())
}

impl MessageObserver for Examiner {
    fn connected(&self) {
        let mut notes = self.notes();
        notes.connections += 1;
        let number = notes.connections;
        notes.note(format!("connection {number}"));
    }

    fn heard(&self, side: Side, text: &str) -> Verdict {
        let mut notes = self.notes();
        notes.write(TranscriptLine::Said(side, text.to_owned()));
        if side == Side::Server {
            notes.ended |= (self.signs.is_end)(text);
            return Verdict::Pass;
        }
        notes.said_after_end += u64::from(notes.ended);
        if !(self.signs.is_move)(text) {
            return Verdict::Pass;
        }
        notes.moves += 1;
        notes.moves_since += u64::from(notes.interfered());
        match self.interference {
            Interference::Refuse { nth } if notes.moves == nth => {
                let Some(refusal) = self.signs.refusal else { return Verdict::Pass };
                let refusal = refusal(text);
                notes.interfere("this move is kept from the server, and refused:");
                notes.write(TranscriptLine::Said(Side::Server, refusal.clone()));
                Verdict::Answer(refusal)
            }
            Interference::Cut { nth } if notes.moves == nth => {
                notes.interfere("the connection is cut here");
                Verdict::Cut
            }
            Interference::Close { nth } if notes.moves == nth => {
                notes.interfere("the table is closed before this move gets to the server");
                let (release, until) = oneshot::channel();
                notes.release = Some(release);
                self.held.notify_one();
                Verdict::Hold(until)
            }
            _ => Verdict::Pass,
        }
    }

    fn unfinished(&self, text: &str) {
        text.clone_into(&mut self.notes().unfinished);
    }

    fn intervenes(&self) -> bool {
        !matches!(self.interference, Interference::Pacing(_))
    }

    fn pacing(&self) -> Pacing {
        match self.interference {
            Interference::Pacing(pacing) => pacing,
            _ => Pacing::Plain,
        }
    }

    fn ended_game(&self) -> bool {
        self.notes().closed_table
    }
}
