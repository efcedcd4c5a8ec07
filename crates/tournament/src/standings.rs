//! Who stands where. Points are whole numbers: 2 for every opponent beaten, 1 for every draw.

use serde::{Deserialize, Serialize};

use crate::EntrantId;

/// One line of the table of standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    pub entrant: EntrantId,
    /// 1 is best. Only a knockout, and a tournament that has not begun, has shared places.
    pub place: u32,
    pub points: u32,
    pub tie_breaks: TieBreaks,
    /// Decided pairings, byes not among them.
    pub played: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub byes: u32,
    /// Knockout: the round in which the entrant was beaten. Elsewhere, and in a knockout as well,
    /// the round in which it withdrew.
    pub out_in_round: Option<u32>,
}

/// What decides between equal points, in this order; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct TieBreaks {
    /// Points from the games among those with equal points, if all of them have met.
    pub direct: u32,
    /// The points of all opponents.
    pub buchholz: u32,
    /// The points of the opponents beaten, twice, and of those drawn with, once.
    pub sonneborn_berger: u32,
    pub wins: u32,
}
