//! Chance: independent, portable, unpredictable streams derived from one seed.
//!
//! A stream is named by a label and a number (the round, say), so what happens in round 7 does
//! not depend on how many numbers rounds 1 to 6 drew. The generator is ChaCha8: no one can
//! recover a hand from the cards already seen.

use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// All the chance of one game: 256 bits, written as hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// A seed from a small number, for tests and for `--seed`.
    pub fn from_number(number: u64) -> Seed {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Seed(bytes)
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Seed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(&self.0))
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || de::Error::custom("a seed is 64 hexadecimal digits");
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(Seed(bytes))
    }
}

/// One stream of chance.
#[derive(Clone, Debug, PartialEq)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream of `seed` named `label` and `number`.
    pub fn new(seed: &Seed, label: &str, number: u64) -> Dice {
        let mut rng = ChaCha8Rng::from_seed(seed.0);
        rng.set_stream(stream(label, number));
        Dice(rng)
    }

    /// A number from `0..bound`, each equally likely. `bound` must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "a die needs at least one side");
        let bound = bound as u64;
        loop {
            // The high word of a 128-bit product is uniform once the few short residues are
            // refused. Those are below the bound, so that one hardly ever has to divide.
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as usize;
            }
        }
    }

    /// True once in `n` throws on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of `items`, each equally likely. `items` must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Fisher and Yates' shuffle, from the back.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    pub fn seed(&mut self) -> Seed {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        Seed(bytes)
    }
}

/// FNV-1a over the label and the number: names a stream, hides nothing.
fn stream(label: &str, number: u64) -> u64 {
    label.bytes().chain(number.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded games replay through these numbers: if this test fails, old journals are lost.
    #[test]
    fn known_answers() {
        let mut dice = Dice::new(&Seed::from_number(1), "deck", 1);
        let throws: Vec<usize> = (0..8).map(|_| dice.below(1000)).collect();
        assert_eq!(throws, KNOWN_THROWS);
        let mut cards: Vec<u8> = (0..10).collect();
        Dice::new(&Seed::from_number(1), "deck", 2).shuffle(&mut cards);
        assert_eq!(cards, KNOWN_SHUFFLE);
    }

    const KNOWN_THROWS: [usize; 8] = [674, 615, 730, 7, 790, 366, 976, 492];
    const KNOWN_SHUFFLE: [u8; 10] = [6, 4, 5, 1, 3, 9, 2, 8, 0, 7];

    #[test]
    fn streams_are_independent() {
        let draw = |label: &str, number| Dice::new(&Seed::from_number(7), label, number).seed();
        assert_ne!(draw("deck", 1), draw("deck", 2));
        assert_ne!(draw("deck", 1), draw("bots", 1));
        assert_eq!(draw("deck", 1), draw("deck", 1));
    }

    #[test]
    fn every_side_comes_up() {
        let mut dice = Dice::new(&Seed::from_number(3), "sides", 0);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[dice.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (800..1200).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_seed_is_written_as_hexadecimal() {
        let seed = Dice::new(&Seed::from_number(3), "seed", 0).seed();
        let text = serde_json::to_string(&seed).unwrap();
        assert_eq!(serde_json::from_str::<Seed>(&text).unwrap(), seed);
        assert!(serde_json::from_str::<Seed>("\"abc\"").is_err());
    }
}
