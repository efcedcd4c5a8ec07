//! What can happen to a tournament, and why something can't.

use rules::{Exit, Outcome};
use serde::{Deserialize, Serialize};

use crate::{EntrantId, PairingId, Why};

/// One thing that happened. A tournament is the fold of its plan and its facts, nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fact {
    /// A new entrant; `bot` names the house bot that plays under this name.
    Entered {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bot: Option<String>,
    },
    /// Before the start the entrant is gone; afterwards it loses what is not decided yet and is
    /// never paired again.
    Withdrawn {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<Why>,
    },
    /// The organiser brings back who has withdrawn: it plays what others have not been given for
    /// good by then, and is paired again.
    Reinstated {
        name: String,
    },
    Started,
    /// These entrants of a ladder meet.
    Paired {
        entrants: Vec<EntrantId>,
    },
    /// An entrant of a ladder has missed too many games, and is not paired until then (milliseconds
    /// since 1970).
    Quarantined {
        name: String,
        until: u64,
    },
    /// A due game ended; the outcome is by the seats of that game.
    Played {
        pairing: PairingId,
        attempt: u32,
        outcome: Outcome,
    },
    /// The server lost a game: it is played again, as the next attempt.
    Void {
        pairing: PairingId,
        attempt: u32,
    },
    /// No entrant came, or the game itself is `broken`. In a knockout the leader advances, or lots
    /// decide; elsewhere all lose.
    Forfeited {
        pairing: PairingId,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        broken: bool,
        /// By seat, why the entrant didn't come.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        exits: Vec<Exit>,
    },
    /// The organiser decides: a place for each entrant of the pairing, in the pairing's order.
    Adjudicated {
        pairing: PairingId,
        places: Vec<u32>,
    },
    /// No further game goes to a table; those that are on one are finished.
    Paused,
    Resumed,
    Cancelled,
}

/// Why a fact cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the tournament has begun")]
    HasBegun,
    #[error("the tournament has not begun")]
    NotBegun,
    #[error("the tournament is over")]
    Over,
    #[error("the tournament was cancelled")]
    Cancelled,
    #[error("the tournament is paused already")]
    IsPaused,
    #[error("the tournament is not paused")]
    NotPaused,
    #[error("the tournament is full: {0} entrants")]
    Full(usize),
    #[error("the name {0:?} is empty or longer than 200 bytes")]
    BadName(String),
    #[error("{0:?} has entered already")]
    NameTaken(String),
    #[error("{0:?} is not an entrant")]
    NoSuchEntrant(String),
    #[error("{0:?} has withdrawn already")]
    HasWithdrawn(String),
    #[error("{0:?} has not withdrawn")]
    HasNotWithdrawn(String),
    #[error("this is not a ladder: its pairings follow from its plan")]
    NoLadder,
    #[error("entrants {0:?} cannot meet: each of two or more must be there once, and free")]
    CannotMeet(Vec<EntrantId>),
    #[error("{0:?} is out: its pairing of an earlier round is decided")]
    OutAlready(String),
    #[error("{} too few: at least {least} are needed", if *entrants == 1 { "1 entrant is".to_owned() } else { format!("{entrants} entrants are") })]
    TooFew { entrants: usize, least: usize },
    #[error("there is no pairing {0}")]
    NoSuchPairing(PairingId),
    #[error("pairing {0} is decided")]
    Decided(PairingId),
    #[error("pairing {pairing} has no game {attempt} to be played now")]
    NotDue { pairing: PairingId, attempt: u32 },
    #[error("the outcome has {got} seats, the game has {seats}")]
    WrongSeats { got: usize, seats: usize },
    #[error("{got} places for {entrants} entrants")]
    WrongPlaces { got: usize, entrants: usize },
    #[error("places {0:?}: 1 is the best, and one entrant must have it")]
    BadPlaces(Vec<u32>),
    #[error("places {0:?}: in a knockout exactly one entrant, who has not withdrawn, advances")]
    NoSingleWinner(Vec<u32>),
}
