//! What an organiser can choose.

use serde::{Deserialize, Serialize};

use super::super::board::Coordinate;
use super::state::State;

/// The options of one table. The defaults are the memo's; [`Config::for_course`] turns them into
/// the course's, for a table at which only its players sit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Rows and columns of a board that is dealt. Homes and treasures lie on tiles whose row and
    /// column are both odd, so 7 x 7 has room for nine players.
    pub size: [u16; 2],
    /// The game ends after this many rounds; 0 is no limit.
    pub max_rounds: u32,
    /// Who moves first: "join" (the first to join) or "reverse-join" (the last to join).
    pub turn_order: TurnOrder,
    /// When passing ends the game: "latest-turn" (as soon as the latest turn of everybody still
    /// in was a pass) or "round" (when everybody still in passed in one round).
    pub passes: Passes,
    /// Who wins when nobody comes home: "memo" (nobody) or "course" (the most goals, then the
    /// smallest distance to the next one; ties share).
    pub scoring: Scoring,
    /// What a treasure on a tile that can slide is: "tile" (it travels with its tile) or "place"
    /// (it stays where it was). A dealt board has no such treasures.
    pub treasures: Treasures,
    /// Further goals, given in this order to players who reach their goal; home comes last.
    pub goals: Vec<Coordinate>,
    /// The avatars' colours by seat; an empty text lets the house pick an unused one.
    pub colors: Vec<String>,
    /// Start from this State or RefereeState instead of a dealt board. The first in turn order
    /// takes the first entry of plmt, and so on; entries without a player are dropped.
    pub state: Option<State>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnOrder {
    Join,
    ReverseJoin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passes {
    LatestTurn,
    Round,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    Memo,
    Course,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Treasures {
    Tile,
    Place,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            size: [7, 7],
            max_rounds: 1000,
            turn_order: TurnOrder::Join,
            passes: Passes::LatestTurn,
            scoring: Scoring::Memo,
            treasures: Treasures::Tile,
            goals: Vec::new(),
            colors: Vec::new(),
            state: None,
        }
    }
}

impl Config {
    /// The same table under the course's rules.
    #[must_use]
    pub fn for_course(self) -> Config {
        Config {
            turn_order: TurnOrder::ReverseJoin,
            passes: Passes::Round,
            scoring: Scoring::Course,
            treasures: Treasures::Place,
            ..self
        }
    }
}
