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

/// The meaning of an Elo difference.
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

/// A test's verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Undecided,
    /// `elo0`.
    H0,
    /// `elo1`.
    H1,
    /// All blocks end exactly even: both sides play the same, or the seat decides every game. More
    /// blocks would tell nothing. Counts as `elo0`.
    Identical,
}

/// Number of blocks before a decision: with fewer, the estimate of the deviation is too rough for
/// the promised error rates.
pub const LEAST_BLOCKS: u64 = 32;

/// The weight of a score never seen, so that every mean is possible.
const UNSEEN: f64 = 0.001;

/// Larger differences than this are taken for it.
const MOST_ELO: f64 = 10_000.0;

/// Normalised Elo of one deviation.
const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

impl Blocks {
    /// No blocks yet; each has `games` games and `steps` steps above zero.
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

    /// Normalised Elo, and how far off it may be (95 %). The deviation is an estimate, too: its own
    /// error counts the more the farther the score is from one half.
    pub fn normalised_elo(&self) -> Option<(f64, f64)> {
        let t = self.t_value()?;
        let n = self.len() as f64;
        let (mean, variance) = self.moments();
        let cells = self.cells(self.counts.iter().map(|count| *count as f64 / n));
        let moment = |power: i32| -> f64 {
            let part = |(value, weight): &(f64, f64)| {
                weight * ((value - mean) / variance.sqrt()).powi(power)
            };
            cells.iter().map(part).sum()
        };
        let of_block = t * f64::from(self.games).sqrt();
        let spread = 1.0 - of_block * moment(3) + of_block * of_block * (moment(4) - 1.0) / 4.0;
        // A handful of blocks may leave no spread at all, which says little about the next ones.
        let spread = spread.max(1.0 / n);
        let error = quantile_95(n) * (spread / (n * f64::from(self.games))).sqrt();
        Some((t * NORMALISED_ELO, error * NORMALISED_ELO))
    }

    /// The mean with the ends of its 95 % interval: Wilson's, for the number of all-or-nothing
    /// games that would have the same error. It has a width even if all blocks were alike.
    pub fn score(&self) -> (f64, f64, f64) {
        let (mean, variance) = self.moments();
        let n = self.len() as f64;
        if n == 0.0 {
            return (mean, 0.0, 1.0);
        }
        let variance = variance * n / (n - 1.0).max(1.0);
        let most = mean * (1.0 - mean);
        // Blocks that were all alike are worth only one game each.
        let games = if variance > 0.0 && most > 0.0 { n * most / variance } else { n };
        let z = quantile_95(n);
        let share = z * z / games;
        let middle = (mean + share / 2.0) / (1.0 + share);
        let error = z / (1.0 + share) * (most / games + share / (4.0 * games)).sqrt();
        (mean, (middle - error).clamp(0.0, mean), (middle + error).clamp(mean, 1.0))
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

    /// The observed distribution with every score possible, and the number of blocks it represents.
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

    /// The decision bounds of the log-likelihood ratio, lower and upper.
    pub fn bounds(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = *self;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The logarithm of how much likelier the blocks are under `elo1` than under `elo0`.
    pub fn llr(&self, blocks: &Blocks) -> f64 {
        let (seen, n) = blocks.smoothed();
        let of_block = f64::from(blocks.games).sqrt() / NORMALISED_ELO;
        // Beyond this, no score can be distinguished from all or nothing.
        let elos = [self.elo0, self.elo1].map(|elo| elo.clamp(-MOST_ELO, MOST_ELO));
        let closest = |elo: f64| match self.model {
            EloModel::Logistic => Some(with_mean(&seen, logistic_score(elo))),
            EloModel::Normalised => with_t_value(&seen, elo * of_block),
        };
        let llr = match elos.map(closest) {
            [Some(null), Some(alternative)] => {
                let ratio = |((_, weight), (one, other)): (&(f64, f64), (&f64, &f64))| {
                    weight * (other.max(f64::MIN_POSITIVE) / one.max(f64::MIN_POSITIVE)).ln()
                };
                n * seen.iter().zip(null.iter().zip(&alternative)).map(ratio).sum::<f64>()
            }
            _ => f64::NAN,
        };
        if llr.is_finite() {
            return llr;
        }
        // As if scores were spread normally.
        let (mean, variance) = moments(&seen);
        let t = (mean - 0.5) / variance.sqrt();
        let [far0, far1] = elos.map(|elo| (1.0 + (t - elo * of_block).powi(2)).ln());
        n / 2.0 * (far0 - far1)
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

/// The expected share of points for an Elo difference, on the logistic curve.
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
    let mean = mean.clamp(1e-9, 1.0 - 1e-9);
    with_zero_mean(&seen.iter().map(|(value, weight)| (value - mean, *weight)).collect::<Vec<_>>())
}

/// The weights closest to the observed ones under which the mean minus one half is `t` deviations.
/// Most are found at once. If the condition is too far from even weights, it is reached from the
/// observed ones in smaller and smaller steps. `None` if even those fail.
fn with_t_value(seen: &[(f64, f64)], t: f64) -> Option<Vec<f64>> {
    let even = vec![1.0 / seen.len() as f64; seen.len()];
    if let Some(found) = bent_to(seen, even, t) {
        return Some(found);
    }
    let (mean, variance) = moments(seen);
    let mut at = (mean - 0.5) / variance.sqrt();
    let mut weights: Vec<f64> = seen.iter().map(|(_, weight)| *weight).collect();
    let mut step = (t - at) / 2.0;
    for _ in 0..STEPS {
        let next = if (t - at).abs() <= step.abs() { t } else { at + step };
        match bent_to(seen, weights.clone(), next) {
            Some(found) if next == t => return Some(found),
            Some(found) => (weights, at) = (found, next),
            None => step /= 2.0,
        }
    }
    None
}

/// Number of steps within which every satisfiable condition is met.
const STEPS: usize = 200;

/// The condition is bent at the present answer until answer and condition agree. None if they never
/// do.
fn bent_to(seen: &[(f64, f64)], mut weights: Vec<f64>, t: f64) -> Option<Vec<f64>> {
    for _ in 0..50 {
        let now: Vec<(f64, f64)> =
            seen.iter().zip(&weights).map(|((value, _), weight)| (*value, *weight)).collect();
        let (mean, variance) = moments(&now);
        let deviation = variance.sqrt();
        let bent = |(value, weight): &(f64, f64)| {
            let off = (mean - value) / deviation;
            (value - 0.5 - t * deviation * (1.0 + off * off) / 2.0, *weight)
        };
        let bent: Vec<(f64, f64)> = seen.iter().map(bent).collect();
        let has = |sign: f64| bent.iter().any(|(value, _)| value * sign > 0.0);
        if !(has(1.0) && has(-1.0)) {
            return None;
        }
        let next = with_zero_mean(&bent);
        let change = weights.iter().zip(&next).map(|(one, other)| (one - other).abs());
        let change = change.fold(0.0, f64::max);
        weights = next;
        if change < 1e-9 {
            let all: f64 = weights.iter().sum();
            return (weights.iter().all(|weight| *weight > 0.0) && (all - 1.0).abs() < 1e-6)
                .then_some(weights);
        }
    }
    None
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

/// The number of estimated errors to either side in a 95 % interval of `blocks` blocks: Student's
/// quantile (Abramowitz and Stegun 26.7.5).
fn quantile_95(blocks: f64) -> f64 {
    const Z: f64 = 1.959_964;
    let free = (blocks - 1.0).max(1.0);
    let (first, second) = (Z.powi(3) + Z, 5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z);
    let third = 3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z;
    Z + first / (4.0 * free) + second / (96.0 * free.powi(2)) + third / (384.0 * free.powi(3))
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
