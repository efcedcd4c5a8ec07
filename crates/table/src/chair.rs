//! A taken seat: its player, and how they joined.

use crate::time_used::TimeUsed;
use crate::token::TokenHash;
use crate::{CALLS, HOUSE_WIRE, Name, Time};

#[derive(Clone, Debug, PartialEq)]
pub struct Chair {
    pub name: Name,
    pub token: Option<TokenHash>,
    pub bot: Option<Name>,
    /// A house bot has this seat: there is no player who could reconnect.
    pub house: bool,
    /// How its player joined, in a word of the session's own.
    pub joined_via: Option<Name>,
    /// A human being, as it says itself.
    pub person: bool,
    /// Which version of a program it is, as it says itself.
    pub version: Option<Name>,
    pub ready: bool,
    /// The seat no longer plays.
    pub retired: bool,
    /// Turns this seat has let run out.
    pub timeouts: u32,
    /// Those of them that were silent in a row, up to now.
    pub strikes: u32,
    pub used: TimeUsed,
    pub arrival: u32,
    /// Since when its player is away, as far as that was written down.
    pub away_since: Option<Time>,
}

impl Chair {
    /// Whether its player came over the house wire, which has words for everything.
    pub fn is_via_house(&self) -> bool {
        is_via_house(self.joined_via.as_deref())
    }

    /// Whether its player comes and goes with each call.
    pub fn is_via_calls(&self) -> bool {
        self.joined_via.as_deref() == Some(CALLS)
    }
}

/// Whether who joins this way comes over the house wire.
pub fn is_via_house(joined_via: Option<&str>) -> bool {
    matches!(joined_via, Some(HOUSE_WIRE | CALLS))
}
