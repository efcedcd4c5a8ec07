//! How a game ended, for every seat.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Seat, SeatSet};

/// Why a seat stopped playing before the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// It said so.
    Left,
    /// Its own clock ran out.
    TimedOut,
    /// The rules or the protocol were broken; the text says how.
    Disqualified(String),
    /// Its connection ended and did not come back.
    Lost,
    /// Its program ended, says a tool that saw it.
    Crashed,
    NeverCame,
}

/// Why, in the words everybody is told it in.
impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Left => f.write_str("left"),
            Exit::TimedOut => f.write_str("timed out"),
            Exit::Disqualified(why) => write!(f, "disqualified: {why}"),
            Exit::Lost => f.write_str("lost"),
            Exit::Crashed => f.write_str("crashed"),
            Exit::NeverCame => f.write_str("never came"),
        }
    }
}

/// One seat's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    pub points: i64,
    /// 1 is best; equals share a place and the next one is skipped.
    pub place: u32,
    /// None: the seat played to the end.
    pub exit: Option<Exit>,
}

/// The result of a game, seat by seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Outcome {
    pub standings: Vec<Standing>,
}

impl Outcome {
    /// Ranks the seats by `rank`, the greatest first; equal ranks share a place.
    pub fn ranked<R: Ord>(seats: Vec<(i64, R, Option<Exit>)>) -> Outcome {
        let places: Vec<u32> = seats
            .iter()
            .map(|(_, rank, _)| {
                1 + seats.iter().filter(|(_, other, _)| other > rank).count() as u32
            })
            .collect();
        let standings = seats
            .into_iter()
            .zip(places)
            .map(|((points, _, exit), place)| Standing { points, place, exit })
            .collect();
        Outcome { standings }
    }

    /// The seats in first place.
    pub fn winners(&self) -> SeatSet {
        Seat::all(self.standings.len())
            .zip(&self.standings)
            .filter(|(_, standing)| standing.place == 1)
            .map(|(seat, _)| seat)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_a_place_and_the_next_is_skipped() {
        let ranks = [7, 9, 9, 3];
        let outcome = Outcome::ranked(ranks.iter().map(|&r| (r, r, None)).collect());
        let places: Vec<u32> = outcome.standings.iter().map(|s| s.place).collect();
        assert_eq!(places, [3, 1, 1, 4]);
        assert_eq!(outcome.winners(), SeatSet::from_iter([Seat(1), Seat(2)]));
    }
}
