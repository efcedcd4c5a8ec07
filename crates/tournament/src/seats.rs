//! The value of a seat: the average share of opponents its player beats, compared with one half,
//! and how certain that is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Results by seat, a fold of games: tables of every size by themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeatTally(BTreeMap<usize, Counts>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    games: u32,
    /// By seat, the sum of the shares of opponents beaten, and of their squares.
    sums: Vec<(f64, f64)>,
}

/// The seats of tables of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableSeats {
    pub seats: usize,
    pub games: u32,
    /// By seat, the share of opponents beaten; draws count half. 0.5 is fair.
    pub shares: Vec<f64>,
    /// So far off may a share be, with 95 % certainty; the largest of all seats.
    pub error: f64,
}

impl SeatTally {
    /// Counts a game: the place of each seat (1 is best, equals share one).
    pub fn add(&mut self, places: &[u32]) {
        if places.len() < 2 {
            return;
        }
        let counts = self.0.entry(places.len()).or_default();
        counts.games += 1;
        counts.sums.resize(places.len(), (0.0, 0.0));
        let opponents = (places.len() - 1) as f64;
        for (own, (sum, squares)) in places.iter().zip(&mut counts.sums) {
            let behind = places.iter().filter(|place| *place > own).count() as f64;
            let level = places.iter().filter(|place| *place == own).count() as f64 - 1.0;
            let share = (behind + level / 2.0) / opponents;
            *sum += share;
            *squares += share * share;
        }
    }

    /// The figures for each table size, smallest first.
    pub fn tables(&self) -> Vec<TableSeats> {
        let table = |(seats, counts): (&usize, &Counts)| {
            let games = f64::from(counts.games);
            let shares: Vec<f64> = counts.sums.iter().map(|(sum, _)| sum / games).collect();
            let error = |((_, squares), mean): (&(f64, f64), &f64)| {
                let variance = (squares / games - mean * mean).max(0.0);
                1.96 * (variance / games).sqrt()
            };
            let error = counts.sums.iter().zip(&shares).map(error).fold(0.0, f64::max);
            TableSeats { seats: *seats, games: counts.games, shares, error }
        };
        self.0.iter().map(table).collect()
    }
}

#[cfg(test)]
mod tests {
    use rules::{Dice, Seed};

    use super::*;

    #[test]
    fn shares_are_counted_by_seat_and_size() {
        let mut tally = SeatTally::default();
        for places in [&[1, 2][..], &[1, 2], &[2, 1], &[1, 1], &[1, 2, 3], &[2, 2, 1], &[1]] {
            tally.add(places);
        }
        let tables = tally.tables();
        assert_eq!(tables.iter().map(|table| table.games).collect::<Vec<_>>(), [4, 2]);
        assert_eq!(tables[0].shares, [0.625, 0.375]);
        assert_eq!(tables[1].shares, [(1.0 + 0.25) / 2.0, (0.5 + 0.25) / 2.0, 0.5]);
        assert!(tables.iter().all(|table| {
            (table.shares.iter().sum::<f64>() * 2.0 - table.seats as f64).abs() < 1e-9
        }));
    }

    /// A first seat that wins 53 % is found with an error that holds the truth about as often as it
    /// promises.
    #[test]
    fn the_error_holds_the_truth() {
        let mut held = 0;
        for number in 0..1000 {
            let mut dice = Dice::new(&Seed::from_number(5), "seats", number);
            let mut tally = SeatTally::default();
            for _ in 0..400 {
                let first = dice.below(100) < 53;
                tally.add(if first { &[1, 2] } else { &[2, 1] });
            }
            let table = &tally.tables()[0];
            held += u32::from((table.shares[0] - 0.53).abs() <= table.error);
        }
        assert!((920..=980).contains(&held), "{held} of 1000");
    }
}
