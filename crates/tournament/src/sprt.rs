//! Which of two is stronger, tested as the games come in: the sequential probability ratio test
//! over blocks, generalised from pairs of games to any list of block scores.
//!
//! A block is one deal played from every seating of a design, and its score the only thing that is
//! counted: games of one deal depend on each other, blocks do not. Under a hypothesis the likelihood
//! of what was seen is that of the distribution closest to it which has the hypothesis' mean, or its
//! ratio of mean to deviation (Van den Bergh's solvers, as fishtest and fastchess have them).

use serde::{Deserialize, Serialize};

/// How often blocks have had each score. The scores are the steps from nothing to everything, as
/// many as there are and all equally wide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blocks {
    counts: Vec<u64>,
    /// Games of a block.
    games: u32,
}

/// What an Elo difference means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// The expected score, in deviations of one game: how long a match takes depends neither on how
    /// many games are drawn nor on how much is luck.
    #[default]
    Normalised,
    /// The expected score, on the logistic curve.
    Logistic,
}

/// A test: is it `elo0` or `elo1`?
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    pub elo0: f64,
    pub elo1: f64,
    /// How often at most `elo1` is accepted although `elo0` is true.
    pub alpha: f64,
    /// How often at most `elo0` is accepted although `elo1` is true.
    pub beta: f64,
    pub model: EloModel,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Undecided,
    /// `elo0`.
    H0,
    /// `elo1`.
    H1,
    /// Both sides play the same: all blocks end exactly even, and more of them tell nothing. Counts
    /// as `elo0`.
    Identical,
}

/// Nothing is decided before so many blocks: until then the estimate of the deviation is too rough
/// for the promised error rates.
pub const LEAST_BLOCKS: u64 = 32;

/// What a score that has never been seen counts for, so that every mean is possible.
const UNSEEN: f64 = 0.001;

/// Normalised Elo of one deviation.
const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

impl Blocks {
    /// No blocks yet: of so many games each, with this many steps above zero.
    pub fn new(steps: usize, games: u32) -> Blocks {
        assert!(steps > 0 && games > 0, "a block is played");
        Blocks { counts: vec![0; steps + 1], games }
    }

    /// One more block, with its score in steps.
    pub fn add(&mut self, score: usize) {
        self.counts[score] += 1;
    }

    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Mean and variance of a block's score, as shares of everything.
    pub fn moments(&self) -> (f64, f64) {
        let n = self.len().max(1) as f64;
        let cells = self.cells(self.counts.iter().map(|count| *count as f64 / n));
        moments(&cells)
    }

    /// The mean in deviations of one game, above one half.
    pub fn t_value(&self) -> Option<f64> {
        let (mean, variance) = self.moments();
        let deviation = (variance * f64::from(self.games)).sqrt();
        (deviation > 0.0).then(|| (mean - 0.5) / deviation)
    }

    /// Normalised Elo, and how far off it may be (95 %).
    pub fn normalised_elo(&self) -> Option<(f64, f64)> {
        let error = 1.959_964 / (self.len() as f64 * f64::from(self.games)).sqrt();
        Some((self.t_value()? * NORMALISED_ELO, error * NORMALISED_ELO))
    }

    /// The mean, with the ends of its 95 % interval.
    pub fn score(&self) -> (f64, f64, f64) {
        let (mean, variance) = self.moments();
        let error = 1.959_964 * (variance / self.len().max(1) as f64).sqrt();
        (mean, (mean - error).max(0.0), (mean + error).min(1.0))
    }

    /// How likely it is that the new side is the stronger one.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let (mean, variance) = self.moments();
        let error = (variance / self.len().max(1) as f64).sqrt();
        match error > 0.0 {
            true => normal_share((mean - 0.5) / error),
            false => f64::from(u8::from(mean > 0.5)) + if mean == 0.5 { 0.5 } else { 0.0 },
        }
    }

    /// The score's value and the weight of each cell.
    fn cells(&self, weights: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
        let steps = (self.counts.len() - 1) as f64;
        weights.enumerate().map(|(step, weight)| (step as f64 / steps, weight)).collect()
    }

    /// The distribution that was seen, every score possible, and how many blocks it stands for.
    fn smoothed(&self) -> (Vec<(f64, f64)>, f64) {
        let seen = |count: &u64| if *count == 0 { UNSEEN } else { *count as f64 };
        let n: f64 = self.counts.iter().map(seen).sum();
        (self.cells(self.counts.iter().map(|count| seen(count) / n)), n)
    }

    fn are_all_even(&self) -> bool {
        let middle = (self.counts.len() - 1) / 2;
        self.counts.len() % 2 == 1 && self.counts[middle] == self.len()
    }
}

impl Sprt {
    /// The usual errors, one in twenty each way.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloModel::default() }
    }

    /// Where the log-likelihood ratio decides: below the first, above the second.
    pub fn bounds(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = *self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The logarithm of how much likelier the blocks are under `elo1` than under `elo0`.
    pub fn llr(&self, blocks: &Blocks) -> f64 {
        let (seen, n) = blocks.smoothed();
        let closest = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&seen, logistic_score(elo)),
            EloModel::Normalised => {
                with_t_value(&seen, elo / NORMALISED_ELO * f64::from(blocks.games).sqrt())
            }
        };
        let (null, alternative) = (closest(self.elo0), closest(self.elo1));
        let ratio =
            |((_, weight), (one, other)): (&(f64, f64), (&f64, &f64))| weight * (other / one).ln();
        n * seen.iter().zip(null.iter().zip(&alternative)).map(ratio).sum::<f64>()
    }

    pub fn verdict(&self, blocks: &Blocks) -> Verdict {
        let (lower, upper) = self.bounds();
        if blocks.len() < LEAST_BLOCKS {
            return Verdict::Undecided;
        }
        if blocks.are_all_even() {
            return Verdict::Identical;
        }
        match self.llr(blocks) {
            llr if llr >= upper => Verdict::H1,
            llr if llr <= lower => Verdict::H0,
            _ => Verdict::Undecided,
        }
    }
}

/// What share of the points an Elo difference is worth on the logistic curve.
pub fn logistic_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of a share of the points; none for nothing and for everything.
pub fn logistic_elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

fn moments(cells: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = cells.iter().map(|(value, weight)| value * weight).sum();
    let variance = cells.iter().map(|(value, weight)| weight * (value - mean).powi(2)).sum();
    (mean, variance)
}

/// The weights closest to those seen under which the scores have this mean.
fn with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    with_zero_mean(&seen.iter().map(|(value, weight)| (value - mean, *weight)).collect::<Vec<_>>())
}

/// The weights closest to those seen under which mean less one half is so many deviations. The
/// condition is bent at the present answer until answer and condition agree.
fn with_t_value(seen: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut weights = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..50 {
        let now: Vec<(f64, f64)> =
            seen.iter().zip(&weights).map(|((value, _), weight)| (*value, *weight)).collect();
        let (mean, variance) = moments(&now);
        let deviation = variance.sqrt();
        let bent = |(value, weight): &(f64, f64)| {
            let off = (mean - value) / deviation;
            (value - 0.5 - t * deviation * (1.0 + off * off) / 2.0, *weight)
        };
        let next = with_zero_mean(&seen.iter().map(bent).collect::<Vec<_>>());
        let change = weights.iter().zip(&next).map(|(one, other)| (one - other).abs());
        let change = change.fold(0.0, f64::max);
        weights = next;
        if change < 1e-9 {
            break;
        }
    }
    weights
}

/// The weights closest to those given under which the values have the mean zero. There are values
/// on both sides of it.
fn with_zero_mean(cells: &[(f64, f64)]) -> Vec<f64> {
    let least = cells.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let most = cells.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    // The Lagrange multiplier is where this falls through zero, between its two poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let excess = |x: f64| -> f64 {
        cells.iter().map(|(value, weight)| weight * value / (1.0 + x * value)).sum()
    };
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        match excess(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    let x = (low + high) / 2.0;
    cells.iter().map(|(value, weight)| weight / (1.0 + x * value)).collect()
}

/// The share of a normal distribution below a number of deviations (Abramowitz and Stegun 7.1.26,
/// good to seven digits).
fn normal_share(deviations: f64) -> f64 {
    let x = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let terms = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let series = terms.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let above = series * (-x * x).exp() / 2.0;
    if deviations < 0.0 { above } else { 1.0 - above }
}

#[cfg(test)]
#[path = "sprt_tests.rs"]
mod tests;
