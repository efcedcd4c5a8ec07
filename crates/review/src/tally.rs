//! Numbers that are drawn again and again, and how well their mean is known.

/// A sum of draws from 0 to 1, or of differences between such draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Tally {
    pub fn add(&mut self, number: f64) {
        self.count += 1.0;
        self.sum += number;
        self.squares += number * number;
    }

    pub fn mean(&self) -> f64 {
        if self.count == 0.0 { 0.0 } else { self.sum / self.count }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        if self.count < 2.0 {
            return 0.5;
        }
        let mean = self.mean();
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        (variance / (self.count - 1.0)).sqrt()
    }

    /// The same for the results of games. If all were alike it isn't zero: the next one could differ.
    pub fn doubt(&self) -> f64 {
        self.error().max(0.5 / self.count.max(1.0))
    }
}

impl FromIterator<f64> for Tally {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Tally {
        let mut tally = Tally::default();
        numbers.into_iter().for_each(|number| tally.add(number));
        tally
    }
}

/// A number as reports have it: four digits are more than can be known.
pub fn rounded(number: f64) -> f64 {
    let digits = (number * 10_000.0).round() / 10_000.0;
    // There is no negative zero in a report.
    if digits == 0.0 { 0.0 } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_known_the_better_the_more_draws_there_are() {
        let few: Tally = [0.0, 1.0, 0.0, 1.0].into_iter().collect();
        assert_eq!(few.mean(), 0.5);
        assert!((few.error() - (0.25_f64 / 3.0).sqrt()).abs() < 1e-12);
        let many: Tally = (0..400).map(|draw| f64::from(draw % 2)).collect();
        assert!(many.error() < 0.03);
    }

    #[test]
    fn draws_that_are_all_alike_leave_a_doubt() {
        let alike: Tally = [1.0; 50].into_iter().collect();
        assert_eq!((alike.mean(), alike.error(), alike.doubt()), (1.0, 0.0, 0.01));
        assert_eq!(Tally::default().error(), 0.5);
    }
}
