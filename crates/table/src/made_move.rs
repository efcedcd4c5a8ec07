//! A move as it was made.

use rules::Seat;
use rules::any::AnyAction;
use serde::{Deserialize, Serialize};

/// A seat's move, and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MadeMove {
    pub seat: Seat,
    /// None: the seat went.
    pub action: Option<AnyAction>,
    /// How long after the beginning of the turn.
    pub ms: u64,
    pub how: How,
    /// How many moves of the seat were refused before in this turn.
    pub refused: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    #[default]
    Made,
    Clock,
    Bot,
    Left,
}

impl How {
    /// Whether the player has made it itself.
    pub(crate) fn is_made(&self) -> bool {
        *self == How::Made
    }
}
