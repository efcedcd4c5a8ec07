//! A tournament's entries in the journal.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use table::{Cause, Name, Terms, Time, TokenHash, TournamentNo};
use tournament::{Fact, PairingId, Plan};

use super::info::TournamentInfo;
use super::state::TournamentState;
use crate::key::KeyHash;

/// One record, with its tournament and time.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentEntry {
    pub tournament: TournamentNo,
    pub at: Time,
    pub cause: Cause,
    pub record: Arc<TournamentRecord>,
    /// With the last record: the tournament's final state, for the archive.
    pub info: Option<Box<TournamentInfo>>,
}

/// Everything that changes a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentRecord {
    Convened(Box<Convened>),
    Fact(Fact),
    /// At the tables the entrant has another name, such as a colour.
    PlaysAs {
        entrant: Name,
        name: Name,
    },
    /// An entrant's display name.
    Displayed {
        entrant: Name,
        display: Name,
    },
    /// Which version of a program plays for the entrant, where its protocol has no word for that.
    Versioned {
        entrant: Name,
        version: Name,
    },
    /// The key that identifies an entrant.
    Keyed {
        entrant: Name,
        key: EntrantKey,
    },
    /// A connection has taken the entrant's place, with this token for reconnecting.
    Claimed {
        entrant: Name,
        token: TokenHash,
    },
    /// This token lets the entrant sit down to a game.
    Invited {
        entrant: Name,
        pairing: PairingId,
        attempt: u32,
        token: TokenHash,
    },
    /// A game of it has a table, where it is found as long as it is kept.
    Opened {
        pairing: PairingId,
        attempt: u32,
        table: Name,
    },
    /// A ladder's state: from then on its first record, in place of those before.
    Condensed(Box<TournamentState>),
    /// The last record of every tournament.
    Closed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Convened {
    pub id: Name,
    /// The version of the rules.
    pub version: u32,
    /// The version of what a tournament makes of its facts.
    #[serde(default = "first")]
    pub pairing_version: u32,
    pub plan: Plan,
    pub terms: Terms,
    /// Time to sit down after a table opens; later entrants don't play.
    pub no_show_ms: u64,
    /// Whether it starts once it is full.
    pub starts_when_full: bool,
    /// Whether players may enter themselves, in addition to the organiser's entrants.
    #[serde(default = "yes")]
    pub open: bool,
    /// Whether an entrant's name alone opens its place.
    #[serde(default = "yes")]
    pub open_names: bool,
    #[serde(default)]
    pub entry: Entry,
    pub at: Time,
}

/// Proof of an entrant's identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntrantKey {
    /// A key for this tournament alone.
    Own(KeyHash),
    /// The key that its name has in the house.
    House,
}

/// Who may enter an open tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// All players.
    #[default]
    Open,
    /// Owners of a claimed name.
    Claimed,
}

/// The version of tournaments that do not say theirs.
fn first() -> u32 {
    1
}

/// Before these options existed, tournaments were open to all and names needed no proof.
fn yes() -> bool {
    true
}
