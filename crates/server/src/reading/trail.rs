//! The history of a rating: a point for every rated game, or for every nth when there were many, so
//! that it stays small.

use tournament::Rating;

/// Maximum number of points, as many as a plot can show.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub struct Trail {
    points: Vec<Point>,
    /// The latest, which is among the points if its turn has come.
    latest: Option<Point>,
    /// Number of games per point.
    every: u32,
}

/// A rating after a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// When the game closed, in milliseconds since 1970.
    pub at: u64,
    pub rating: Rating,
}

impl Trail {
    pub fn note(&mut self, at: u64, rating: Rating) {
        let point = Point { at, rating };
        self.latest = Some(point);
        self.every = self.every.max(1);
        if !rating.games.is_multiple_of(self.every) {
            return;
        }
        self.points.push(point);
        if self.points.len() > MOST {
            self.every *= 2;
            let every = self.every;
            self.points.retain(|point| point.rating.games.is_multiple_of(every));
        }
    }

    /// The points there are, the latest last.
    pub fn points(&self) -> Vec<Point> {
        let latest = self.latest.filter(|latest| self.points.last() != Some(latest));
        self.points.iter().copied().chain(latest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_trail_keeps_few_points_evenly_and_always_the_latest() {
        let mut trail = Trail::default();
        let rating = |games| Rating { mean: 25.0, uncertainty: 1.0, games };
        for games in 1..=100_003_u32 {
            trail.note(u64::from(games), rating(games));
        }
        let points = trail.points();
        assert!((MOST / 2..=MOST + 1).contains(&points.len()), "{}", points.len());
        assert_eq!(points.last().map(|point| point.at), Some(100_003));
        let steps: Vec<u64> = points.windows(2).map(|two| two[1].at - two[0].at).collect();
        let even = steps[0];
        assert!(steps[..steps.len() - 1].iter().all(|step| *step == even), "{steps:?}");
    }

    #[test]
    fn a_short_trail_has_every_game() {
        let mut trail = Trail::default();
        for games in 1..=3 {
            trail.note(10 * u64::from(games), Rating { mean: 25.0, uncertainty: 1.0, games });
        }
        let times: Vec<u64> = trail.points().iter().map(|point| point.at).collect();
        assert_eq!(times, [10, 20, 30]);
    }
}
