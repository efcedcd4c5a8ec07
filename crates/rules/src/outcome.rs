//! How a game ended, for every seat.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Seat, SeatSet};

/// Why a seat stopped playing before the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// The player gave up the seat.
    Left,
    /// Its own clock ran out.
    TimedOut,
    /// The rules or the protocol were broken; the text says how.
    Disqualified(String),
    /// The connection ended and the player didn't reconnect.
    Lost,
    /// Its program ended, says a tool that saw it.
    Crashed,
    NeverCame,
}

impl Exit {
    /// Why, in one word or two: those of [`Standing::cause`].
    pub fn word(&self) -> &'static str {
        match self {
            Exit::Left => "left",
            Exit::TimedOut => "timed out",
            Exit::Disqualified(_) => "disqualified",
            Exit::Lost => "lost",
            Exit::Crashed => "crashed",
            Exit::NeverCame => "never came",
        }
    }
}

/// The reason, as users read it.
impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Disqualified(why) => write!(f, "{}: {why}", self.word()),
            other => f.write_str(other.word()),
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

impl Standing {
    /// How the game ended for this seat: `finished`, or why it stopped before the end.
    pub fn cause(&self) -> &'static str {
        self.exit.as_ref().map_or("finished", Exit::word)
    }
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

    /// Whether seats that stopped early decided the game: at most one played it to the end.
    pub fn is_forfeit(&self) -> bool {
        let finished = self.standings.iter().filter(|standing| standing.exit.is_none()).count();
        finished < 2 && finished < self.standings.len()
    }

    /// What the result is worth to each seat, from 1 to -1: the share of opponents it beat minus
    /// the share that beat it. The sum is zero.
    pub fn worths(&self) -> impl Iterator<Item = f32> {
        let others = self.standings.len().saturating_sub(1).max(1) as f32;
        self.standings.iter().map(move |own| {
            let beaten = self.standings.iter().filter(|other| other.place > own.place).count();
            let lost = self.standings.iter().filter(|other| other.place < own.place).count();
            (beaten as f32 - lost as f32) / others
        })
    }

    /// The share of opponents each seat finished ahead of, from 0 to 1; a tie counts half. The sum
    /// is half the number of seats.
    pub fn shares(&self) -> impl Iterator<Item = f64> {
        let others = self.standings.len().saturating_sub(1).max(1) as f64;
        self.standings.iter().map(move |own| {
            let beaten = self.standings.iter().filter(|other| other.place > own.place).count();
            let tied = self.standings.iter().filter(|other| other.place == own.place).count();
            (beaten as f64 + (tied as f64 - 1.0) / 2.0) / others
        })
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
    fn a_game_is_forfeit_when_at_most_one_played_it_to_the_end() {
        let outcome = |exits: &[Option<Exit>]| {
            Outcome::ranked(exits.iter().map(|exit| (0, 0, exit.clone())).collect())
        };
        assert!(!outcome(&[None, None]).is_forfeit());
        assert!(!outcome(&[None]).is_forfeit());
        assert!(!outcome(&[None, Some(Exit::Left), None]).is_forfeit());
        assert!(outcome(&[None, Some(Exit::NeverCame)]).is_forfeit());
        assert!(outcome(&[Some(Exit::Crashed), Some(Exit::TimedOut)]).is_forfeit());
    }

    #[test]
    fn equals_share_a_place_and_the_next_is_skipped() {
        let ranks = [7, 9, 9, 3];
        let outcome = Outcome::ranked(ranks.iter().map(|&r| (r, r, None)).collect());
        let places: Vec<u32> = outcome.standings.iter().map(|s| s.place).collect();
        assert_eq!(places, [3, 1, 1, 4]);
        assert_eq!(outcome.winners(), SeatSet::from_iter([Seat(1), Seat(2)]));
    }

    #[test]
    fn a_result_is_worth_nothing_in_sum() {
        let worths = |ranks: &[i64]| {
            let outcome = Outcome::ranked(ranks.iter().map(|&r| (r, r, None)).collect());
            outcome.worths().collect::<Vec<f32>>()
        };
        assert_eq!(worths(&[3, 5]), [-1.0, 1.0]);
        assert_eq!(worths(&[4, 4]), [0.0, 0.0]);
        assert_eq!(worths(&[1, 2, 3]), [-1.0, 0.0, 1.0]);
    }

    #[test]
    fn the_shares_of_opponents_beaten_add_up_to_half_the_seats() {
        let shares = |ranks: &[i64]| {
            let outcome = Outcome::ranked(ranks.iter().map(|&r| (r, r, None)).collect());
            outcome.shares().collect::<Vec<f64>>()
        };
        assert_eq!(shares(&[3, 5]), [0.0, 1.0]);
        assert_eq!(shares(&[4, 4]), [0.5, 0.5]);
        assert_eq!(shares(&[1, 2, 2]), [0.0, 0.75, 0.75]);
        assert_eq!(shares(&[9, 7, 9, 7, 1]).iter().sum::<f64>(), 2.5);
    }
}
