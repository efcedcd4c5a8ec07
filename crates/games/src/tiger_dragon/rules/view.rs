//! What one viewer may know of a match.

use std::fmt;
use std::sync::Arc;

use rules::{Exit, Illegal, Outcome, Seat, Viewer};
use serde::{Deserialize, Serialize};

use super::choices::{Action, Choices, Situation};
use super::config::{Battlefield, Ruleset, SEATS};
use super::row::Row;
use super::tile::Tile;

/// One value for each seat.
pub type PerSeat<T> = Row<T, { *SEATS.end() }>;

/// A hand never holds more: 13 tiles at a table of two, and one more for the start player.
pub(in crate::tiger_dragon) const LARGEST_HAND: usize = 14;

/// One seat's tiles on the table, in the order of play.
pub type Discards = Row<Discard, LARGEST_HAND>;

/// The match as one viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    pub viewer: Viewer,
    pub ruleset: Ruleset,
    pub target: u32,
    /// `battlefield` is the card's name, `worths` what a tile is worth as the last one, and
    /// `effect` says in a sentence what the card does.
    #[serde(flatten)]
    pub battlefield: Arc<Battlefield>,
    /// Counted from 1.
    pub round: u32,
    /// Who began the round.
    pub start: Seat,
    /// The acts of this round so far, passes included.
    pub turn: u32,
    pub phase: Phase,
    /// Who must act; once the match is over, as the last act left it.
    pub current: Seat,
    /// The attack that is being answered, or went unanswered and awaits its face-down tile.
    pub attack: Option<Attack>,
    /// The attack that the last step has answered.
    pub answered: Option<Attack>,
    /// The viewer's hand in the order it was dealt; empty for the public.
    pub hand: Row<Tile, LARGEST_HAND>,
    pub hand_sizes: PerSeat<u8>,
    /// How many tiles each seat has put face down in this round.
    pub face_down: PerSeat<u8>,
    /// What the viewer may do; empty for all but the seat to move.
    pub legal: Choices,
    pub scores: PerSeat<u32>,
    /// This round's tiles on the table. Only their owner knows the face-down ones.
    pub discards: PerSeat<Discards>,
    /// How seats that play no more went.
    pub exits: Vec<Option<Exit>>,
    /// What happened in the last step, in order; before the first one it is empty.
    pub news: Vec<News>,
    pub outcome: Option<Outcome>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    Attack,
    Defend,
    BonusReceive,
    Finished,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attack {
    pub seat: Seat,
    pub tile: Tile,
}

/// A tile on the table. The tile is hidden from a viewer if it lies face down and is not its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discard {
    pub tile: Option<Tile>,
    pub act: Act,
}

/// What a tile was played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    Attack,
    Defend,
    FaceDown,
}

/// One thing that happened; everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum News {
    Attacked {
        seat: Seat,
        tile: Tile,
    },
    Defended {
        seat: Seat,
        tile: Tile,
    },
    Passed {
        seat: Seat,
    },
    PutFaceDown {
        seat: Seat,
    },
    RoundEnded(RoundResult),
    RoundBegan {
        round: u32,
        start: Seat,
    },
    /// The seat plays no more: it passes, and while it holds the attack its tiles go by
    /// themselves. Those acts are news like any other.
    Retired {
        seat: Seat,
        exit: Exit,
    },
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundResult {
    pub round: u32,
    pub winner: Seat,
    pub last_tile: Tile,
    /// The winner's face-down tiles, the last tile included if it was put face down.
    pub face_down: u8,
    pub points: u32,
    /// The winner's tiles, all turned up.
    pub discards: Discards,
    /// All scores, these points included.
    pub scores: PerSeat<u32>,
}

impl View {
    /// Whether the viewer may do this now.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        if self.phase != Phase::Finished && !self.viewer.is(self.current) {
            return Err(Illegal(format!("it is the turn of seat {}", self.current)));
        }
        let attack = self.attack.map(|attack| attack.tile);
        Situation { ruleset: self.ruleset, phase: self.phase, attack, hand: &self.hand }
            .check(action)
    }

    pub fn seats(&self) -> usize {
        self.scores.len()
    }

    /// The round that ended in the last step, if one did.
    pub fn round_result(&self) -> Option<&RoundResult> {
        self.news.iter().find_map(|news| match news {
            News::RoundEnded(result) => Some(result),
            _ => None,
        })
    }
}

/// Only a filler for rows.
impl Default for Discard {
    fn default() -> Discard {
        Discard { tile: None, act: Act::FaceDown }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The tile, if known, and a letter for what it was played for: `4A`, `7D`, `TB`, or just `B`.
impl fmt::Display for Discard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tile) = self.tile {
            write!(f, "{tile}")?;
        }
        f.write_str(match self.act {
            Act::Attack => "A",
            Act::Defend => "D",
            Act::FaceDown => "B",
        })
    }
}
