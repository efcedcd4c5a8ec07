//! How the server's memory went, and whether it went on growing.

use serde_json::{Value, json};

#[derive(Debug, Default)]
pub struct Memory {
    /// Seconds and bytes.
    samples: Vec<(f64, f64)>,
}

/// Growth below this is noise, whatever its share.
const NOISE: f64 = 16.0 * 1024.0 * 1024.0;
/// Growth by this share of the level is a leak.
const SHARE: f64 = 0.25;

impl Memory {
    pub fn note(&mut self, seconds: f64, bytes: u64) {
        self.samples.push((seconds, bytes as f64));
    }

    /// The second half: until then buffers, caches and the tables that are remembered fill up.
    fn warm(&self) -> &[(f64, f64)] {
        &self.samples[self.samples.len() / 2..]
    }

    fn level(&self) -> f64 {
        let warm = self.warm();
        warm.iter().map(|(_, bytes)| bytes).sum::<f64>() / warm.len().max(1) as f64
    }

    /// Bytes a second, by least squares.
    fn slope(&self) -> f64 {
        let warm = self.warm();
        let middle = warm.iter().map(|(at, _)| at).sum::<f64>() / warm.len().max(1) as f64;
        let level = self.level();
        let product: f64 = warm.iter().map(|(at, bytes)| (at - middle) * (bytes - level)).sum();
        let square: f64 = warm.iter().map(|(at, _)| (at - middle).powi(2)).sum();
        if square > 0.0 { product / square } else { 0.0 }
    }

    /// The slope times the duration of the measurement.
    fn growth(&self) -> f64 {
        match self.warm() {
            [first, .., last] => self.slope() * (last.0 - first.0),
            _ => 0.0,
        }
    }

    pub fn leak(&self) -> Option<String> {
        let (growth, level) = (self.growth(), self.level());
        (growth > NOISE && growth > SHARE * level).then(|| {
            format!("memory grew by {growth:.0} bytes on a level of {level:.0} after warming up")
        })
    }

    pub fn json(&self) -> Value {
        let last = self.samples.last().map_or(0.0, |(_, bytes)| *bytes);
        json!({
            "level_bytes": self.level().round(),
            "last_bytes": last,
            "slope_bytes_per_s": self.slope().round(),
            "growth_after_warm_up_bytes": self.growth().round(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: impl Fn(u64) -> u64) -> Memory {
        let mut memory = Memory::default();
        (0..200).for_each(|second| memory.note(second as f64, bytes(second)));
        memory
    }

    #[test]
    fn what_levels_off_is_no_leak_and_what_grows_on_is() {
        let levels = memory(|second| 50_000_000 + second.min(90) * 1_000_000 + second % 7 * 99_999);
        assert_eq!(levels.leak(), None, "{}", levels.json());
        let leaks = memory(|second| 50_000_000 + second * 1_000_000);
        assert!(leaks.leak().is_some());
        assert!((leaks.slope() - 1_000_000.0).abs() < 1.0, "{}", leaks.slope());
        let little = memory(|second| 1_000_000 + second * 20_000);
        assert_eq!(little.leak(), None, "below what is noise");
    }

    #[test]
    fn without_samples_nothing_is_said() {
        assert_eq!(Memory::default().leak(), None);
    }
}
