//! What happens at a table, as sent to its members.

use std::sync::Arc;

use rules::any::AnyView;
use rules::{Exit, Seat, SeatSet};
use serde::{Deserialize, Serialize};

use crate::Name;
use crate::company::Company;
use crate::frames::UpdateFrame;
use crate::record::Closing;
use crate::update::Update;

/// What a client says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// It wants every legal action listed when it is to move.
    pub legal: bool,
    /// A human being, not a program.
    pub person: bool,
    /// Which version of the program it is.
    pub version: Option<Name>,
}

/// Whether a character affects the text around it: it ends the line, is a terminal command, or
/// changes the reading direction. Names can't contain one.
pub fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A client's text made fit to store and show: one line, at most `most` characters.
pub fn one_line(text: &str, most: usize) -> String {
    let cut = text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end]);
    let mut line: String = cut.chars().map(|c| if is_control(c) { '?' } else { c }).collect();
    if cut.len() < text.len() {
        line.push('…');
    }
    line
}

/// Whether this can be a version of a program, or what would be right: any text of one line.
pub fn check_version(version: &str) -> Result<(), String> {
    const LONGEST: usize = 64;
    let chars = version.chars().count();
    match chars > 0 && chars <= LONGEST && !version.contains(is_control) {
        true => Ok(()),
        false => Err(format!("1 to {LONGEST} characters on one line")),
    }
}

/// An event for one member of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableEvent {
    /// The set of members, or their state, changed.
    Company(Arc<Company>, Change),
    /// These seats still owe a move of the running turn. Never where that is a secret.
    Waiting(SeatSet),
    /// The state of play, as the receiver may know it.
    Update(Arc<Update>),
    Over(Arc<Over>),
    /// The receiver was brought to a seat.
    Seated(Box<Joined>),
    /// The table has let go of the receiver.
    Dismissed(Dismissal),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    pub company: Arc<Company>,
    /// `None` for spectators, and for a player who returns to the lobby. At no table, the company
    /// is empty.
    pub seat: Option<Seat>,
    /// The secret for reconnecting, sent only here.
    pub token: Option<String>,
    pub resumed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    Player,
    /// Watches one table.
    Spectator,
    /// Watches the named table until it is over, otherwise the newest with a seated player. Without
    /// either it waits for one, and when its table is over it moves on to the next.
    Follower,
    /// Sees what every seat sees. The rim lets only holders of the admin token ask for it.
    Organiser,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    Joined(Seat),
    /// The seat is free again; the company no longer shows who had it.
    Left(Seat, Name),
    Away(Seat, Exit),
    Back(Seat),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dismissal {
    /// Another connection has taken the seat.
    Replaced,
    /// The table was closed before it began.
    TableClosed(String),
}

/// A part of a table's history.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub updates: Vec<UpdateFrame<'static>>,
    /// The turn at which the next page begins, if there is one.
    pub next: Option<u64>,
}

/// The end of a table.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Over {
    pub company: Arc<Company>,
    pub closing: Closing,
    /// Each seat's last view, if the table was closed in the middle of its game: there is no
    /// outcome then, and nothing left to hide. Empty otherwise.
    pub last_views: Vec<AnyView>,
}
