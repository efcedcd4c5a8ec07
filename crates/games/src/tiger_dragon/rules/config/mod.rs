//! What an organiser can choose.

mod battlefield;

use std::ops::RangeInclusive;

use rules::SetupError;
use serde::{Deserialize, Serialize};

pub use battlefield::{Battlefield, CARDS, Finish, Scoring, Worth};

/// How many may sit at a table.
pub const SEATS: RangeInclusive<usize> = 2..=5;

const TARGETS: RangeInclusive<u32> = 1..=1000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Which rules: "official", or "original" for those of the original server, where nothing
    /// defends against a Tiger or Dragon attack, two players get 12 tiles instead of 13, and
    /// seat 0 starts every round.
    pub rules: Ruleset,
    /// The match ends when somebody has this many points (1 to 1000).
    pub target: u32,
    /// The battlefield card that scores the rounds: "dojo", "bamboo-grove", "volcano", "beach",
    /// "grassland", "clifftop", "storm", "swamp", "dense-fog", "cave" or "game-market". Or a
    /// table of your own: lines such as "7,8:4+bonus" or "T,D:1" that name every kind of tile
    /// once; "#" begins a comment.
    pub battlefield: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ruleset {
    #[default]
    Official,
    Original,
}

impl Default for Config {
    fn default() -> Config {
        Config { rules: Ruleset::Official, target: 10, battlefield: "dojo".to_owned() }
    }
}

impl Config {
    /// The battlefield, if this configuration can be played by so many seats.
    pub(in crate::tiger_dragon) fn validate(
        &self,
        seats: usize,
    ) -> Result<Battlefield, SetupError> {
        if !SEATS.contains(&seats) {
            return Err(SetupError(format!("tiger-dragon has 2 to 5 seats, not {seats}")));
        }
        if !TARGETS.contains(&self.target) {
            return Err(SetupError(format!("target must be 1 to 1000, not {}", self.target)));
        }
        Battlefield::parse(&self.battlefield)
            .map_err(|why| SetupError(format!("battlefield: {why}")))
    }
}

impl Ruleset {
    /// The tiles dealt to every seat; the start player draws one more.
    ///
    /// The official numbers are odd, so that nobody can go out on an attack.
    pub(in crate::tiger_dragon) fn deal(self, seats: usize) -> usize {
        match (seats, self) {
            (2, Ruleset::Original) => 12,
            _ => 17 - 2 * seats,
        }
    }
}
