//! A set of ranks, such as those that fit on the pile.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The ranks by value, 2 to 14.
const NAMES: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/// Ranks, each once; written from low to high: `["2", "10", "A"]`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Ranks(u16);

impl Ranks {
    pub const EMPTY: Ranks = Ranks(0);

    /// The ranks whose value is chosen.
    pub fn of(chosen: impl Fn(u8) -> bool) -> Ranks {
        let bits = (2..15).filter(|&value| chosen(value)).map(|value| 1 << value);
        Ranks(bits.fold(0, |all, bit| all | bit))
    }

    pub fn contains(self, value: u8) -> bool {
        self.0 & (1 << value) != 0
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        (2..).zip(NAMES).filter(move |(value, _)| self.0 & (1 << value) != 0).map(|(_, name)| name)
    }
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

impl Serialize for Ranks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

impl<'de> Deserialize<'de> for Ranks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ranks, D::Error> {
        let mut bits = 0;
        for name in Vec::<String>::deserialize(deserializer)? {
            let at = NAMES.iter().position(|rank| *rank == name);
            let value = at.ok_or_else(|| de::Error::custom(format!("{name:?} is not a rank")))? + 2;
            bits |= 1 << value;
        }
        Ok(Ranks(bits))
    }
}
