//! One meeting: who, the games played for it, and how it was decided.

use std::fmt;

use rules::{Exit, Outcome};
use serde::{Deserialize, Serialize};

/// The number of an entrant, from zero in the order of entering. It is fixed once the tournament
/// has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrantId(pub u32);

/// The number of a pairing, from zero in the order of pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairingId(pub u32);

/// A participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    pub name: String,
    /// The house bot that plays for this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    pub withdrawn: bool,
    /// Why, if it was not its own will.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
}

/// Entrants who meet, from the pairing to its decision. A bye is a pairing of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    pub id: PairingId,
    /// From 1.
    pub round: u32,
    /// In the order of the seats of the first game.
    pub entrants: Vec<EntrantId>,
    /// The games that ended, in order; that of `attempt` n is at n - 1.
    pub games: Vec<Played>,
    pub decision: Option<Decision>,
}

/// A game of a pairing that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// From 1.
    pub attempt: u32,
    pub seats: Vec<EntrantId>,
    /// By seat. None: the game was void.
    pub outcome: Option<Outcome>,
    /// Whether no entrant sat down.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unattended: bool,
    /// By seat, why not, if known; see `causes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exits: Vec<Exit>,
}

/// How a pairing ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub how: How,
    /// The sole winner.
    pub winner: Option<EntrantId>,
    /// A place for each entrant of the pairing; 1 is best, equals share one. `None`: the entrant
    /// withdrew or didn't come, and loses to all others.
    pub places: Vec<Option<u32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    Played,
    /// There was no opponent.
    Bye,
    /// Only the winner came to the game and played it to the end, or no entrant came at all.
    Forfeit,
    /// The games didn't decide who advances; lots were drawn.
    Lot,
    /// The games failed through no fault of the entrants; no one scores.
    Void,
    Adjudicated,
    /// At most one of them had not withdrawn.
    Withdrawn,
}

/// A game that belongs on a table now. (pairing, attempt) identifies it permanently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueGame {
    pub pairing: PairingId,
    /// From 1; counts every game of the pairing, draws and void ones included.
    pub attempt: u32,
    /// The seating, fixed for this attempt. An entrant who withdraws from a table of three or more
    /// stays on this list, counts as last, and isn't seated in the next attempt.
    pub seats: Vec<EntrantId>,
}

impl Played {
    /// `played`; `forfeit`, where at most one played it to the end; or `void`.
    pub fn how(&self) -> How {
        match &self.outcome {
            Some(outcome) if !outcome.is_forfeit() => How::Played,
            Some(_) => How::Forfeit,
            None if self.unattended => How::Forfeit,
            None => How::Void,
        }
    }

    /// By seat, how the game ended for it: `finished`, or why it stopped before the end.
    pub fn causes(&self) -> Vec<&'static str> {
        match &self.outcome {
            Some(outcome) => outcome.standings.iter().map(rules::Standing::cause).collect(),
            None if self.unattended && self.exits.is_empty() => {
                vec![Exit::NeverCame.word(); self.seats.len()]
            }
            None if self.unattended => self.exits.iter().map(Exit::word).collect(),
            None => Vec::new(),
        }
    }
}

impl EntrantId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl PairingId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for PairingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why an entrant was withdrawn, if it was not its own will.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// Too many games in a row ended by its own clock, crash or absence.
    Missed,
    /// Removed from a ladder by the organiser. An entrant who left may return; a removed one may
    /// not.
    Removed,
}
