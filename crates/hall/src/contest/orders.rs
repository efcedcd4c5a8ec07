//! What an organiser asks of a tournament.

use serde::{Deserialize, Serialize};
use table::{Name, Terms};
use tournament::{PairingId, Plan};

use super::record::{EntrantKey, Entry};
use crate::key::KeyHash;

/// A tournament as an organiser wants it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewTournament {
    /// Made up if there is none.
    pub id: Option<Name>,
    pub plan: Plan,
    pub terms: Terms,
    pub no_show_ms: u64,
    pub starts_when_full: bool,
    /// Whether others than the entrants named here may enter by themselves.
    pub open: bool,
    /// Whether an entrant's name alone opens its place. Else it takes the key that each entrant
    /// has, or the token that it was given.
    pub open_names: bool,
    pub entry: Entry,
    pub entrants: Vec<NewEntrant>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewEntrant {
    pub name: Name,
    /// The display name, if it differs.
    pub display: Option<Name>,
    /// The name used at tables, if it differs.
    pub plays_as: Option<Name>,
    /// The strategy, if a house bot is to play.
    pub bot: Option<Name>,
    /// Which version of a program plays for it.
    #[serde(default)]
    pub version: Option<Name>,
    /// Proof of identity, unless names are open.
    pub key: Option<EntrantKey>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    Enter(NewEntrant),
    /// An entrant enters alone, which needs an open tournament.
    Enrol(NewEntrant),
    /// An entrant goes by its own will.
    Leave(Name),
    /// The organiser lets an entrant go.
    Withdraw(Name),
    /// An entrant who has withdrawn, or was withdrawn, plays again.
    Reinstate(Name),
    /// An entrant has this key from now on, because the one it had is lost.
    Rekey(Name, KeyHash),
    Start,
    Pause,
    Resume,
    Cancel,
    /// Decides a pairing: the place of each of its entrants.
    Adjudicate {
        pairing: PairingId,
        places: Vec<u32>,
    },
}
