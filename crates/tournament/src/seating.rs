//! The seatings of one block in a match of two sides, and the value of a block.

use serde::{Deserialize, Serialize};

/// Which of the two a seat is played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The one that is asked about.
    New,
    /// The one it is held against.
    Base,
}

/// How many seats the new side gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Design {
    /// Half of them, in every way there is; with two seats: there and back.
    Half,
    /// One, everywhere once.
    One,
    /// All but one.
    Field,
}

/// The seatings of one block: every deal is played by all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seatings {
    games: Vec<Vec<Side>>,
}

/// With more seats there are too many ways to choose half of them.
pub const MOST_FOR_HALF: usize = 6;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    #[error("a match needs at least two seats")]
    TooFewSeats,
    #[error("the design 'half' has too many seatings for {0} seats; take 'one' or 'field'")]
    TooManySeats(usize),
}

impl Design {
    pub fn seatings(self, seats: usize) -> Result<Seatings, DesignError> {
        if seats < 2 {
            return Err(DesignError::TooFewSeats);
        }
        let new = match self {
            Design::Half if seats > MOST_FOR_HALF => return Err(DesignError::TooManySeats(seats)),
            Design::Half => seats / 2,
            Design::One => 1,
            Design::Field => seats - 1,
        };
        // All ways to choose seats for the new side: the bits of a number say which.
        let ways = (0..1u64 << seats).filter(|bits| bits.count_ones() as usize == new);
        let side = |bits: u64, seat| if bits >> seat & 1 == 1 { Side::New } else { Side::Base };
        let seating = |bits: u64| (0..seats).map(|seat| side(bits, seat)).collect();
        Ok(Seatings { games: ways.map(seating).collect() })
    }
}

impl Seatings {
    /// One game alone.
    pub fn of(seating: Vec<Side>) -> Seatings {
        Seatings { games: vec![seating] }
    }

    /// The games of a block, seat by seat.
    pub fn games(&self) -> &[Vec<Side>] {
        &self.games
    }

    /// The score of a whole block in steps: for every pair of a new and a base seat two where the
    /// new one is ahead, one where they are level. `places` are those of each game, 1 the best.
    pub fn score(&self, places: &[Vec<u32>]) -> usize {
        self.games.iter().zip(places).map(|(seating, places)| ahead(seating, places)).sum()
    }

    /// The score of a block in which the new side is ahead everywhere.
    pub fn steps(&self) -> usize {
        let pairs = |seating: &Vec<Side>| {
            let new = seating.iter().filter(|side| **side == Side::New).count();
            2 * new * (seating.len() - new)
        };
        self.games.iter().map(pairs).sum()
    }
}

fn ahead(seating: &[Side], places: &[u32]) -> usize {
    let of = |side: Side| {
        let seats = seating.iter().zip(places).filter(move |(at, _)| **at == side);
        seats.map(|(_, place)| *place)
    };
    let worth = |new: u32, base: u32| match new.cmp(&base) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    };
    of(Side::New).map(|new| of(Side::Base).map(|base| worth(new, base)).sum::<usize>()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seat_pair_meets_equally_often() {
        for (design, seats) in (2..=6)
            .flat_map(|seats| [(Design::Half, seats), (Design::One, seats), (Design::Field, seats)])
        {
            let seatings = design.seatings(seats).expect("few enough");
            let meet = |new: usize, base: usize| {
                let games = seatings.games().iter();
                games.filter(|game| game[new] == Side::New && game[base] == Side::Base).count()
            };
            let pairs = (0..seats).flat_map(|new| (0..seats).map(move |base| (new, base)));
            let counts: Vec<usize> = pairs
                .filter(|(new, base)| new != base)
                .map(|(new, base)| meet(new, base))
                .collect();
            assert!(counts.iter().all(|count| *count == counts[0] && *count > 0), "{design:?}");
        }
    }

    #[test]
    fn two_seats_are_a_pair_of_games_with_five_scores() {
        let seatings = Design::Half.seatings(2).expect("two are enough");
        assert_eq!(seatings.games(), [[Side::New, Side::Base], [Side::Base, Side::New]]);
        assert_eq!(seatings.steps(), 4);
        assert_eq!(seatings.score(&[vec![1, 2], vec![1, 1]]), 3);
        assert_eq!(seatings.score(&[vec![2, 1], vec![1, 2]]), 0);
    }

    #[test]
    fn equal_sides_score_half_on_average_whatever_the_design() {
        // The places go by seat alone, so the sides are equal.
        for seats in 2..=6 {
            for design in [Design::Half, Design::One, Design::Field] {
                let seatings = design.seatings(seats).expect("few enough");
                let places: Vec<u32> = (1..=seats as u32).collect();
                let all = vec![places; seatings.games().len()];
                assert_eq!(2 * seatings.score(&all), seatings.steps());
            }
        }
    }

    #[test]
    fn impossible_designs_are_refused() {
        assert_eq!(Design::One.seatings(1), Err(DesignError::TooFewSeats));
        assert_eq!(Design::Half.seatings(8), Err(DesignError::TooManySeats(8)));
        assert_eq!(Design::One.seatings(8).map(|seatings| seatings.games().len()), Ok(8));
    }
}
