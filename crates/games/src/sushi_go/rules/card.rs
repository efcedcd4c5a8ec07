//! The cards and the deck of the rule book.

use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Card {
    Tempura,
    Sashimi,
    Dumpling,
    Maki1,
    Maki2,
    Maki3,
    Egg,
    Salmon,
    Squid,
    Pudding,
    Wasabi,
    Chopsticks,
}

use Card::*;

impl Card {
    /// Each card with its copies in the deck of 108.
    pub const DECK: [(Card, usize); 12] = [
        (Tempura, 14),
        (Sashimi, 14),
        (Dumpling, 14),
        (Maki1, 6),
        (Maki2, 12),
        (Maki3, 8),
        (Egg, 5),
        (Salmon, 10),
        (Squid, 5),
        (Pudding, 10),
        (Wasabi, 6),
        (Chopsticks, 4),
    ];

    pub fn name(self) -> &'static str {
        match self {
            Tempura => "Tempura",
            Sashimi => "Sashimi",
            Dumpling => "Dumpling",
            Maki1 => "Maki Roll (1)",
            Maki2 => "Maki Roll (2)",
            Maki3 => "Maki Roll (3)",
            Egg => "Egg Nigiri",
            Salmon => "Salmon Nigiri",
            Squid => "Squid Nigiri",
            Pudding => "Pudding",
            Wasabi => "Wasabi",
            Chopsticks => "Chopsticks",
        }
    }

    pub fn named(name: &str) -> Option<Card> {
        Card::DECK.iter().map(|(card, _)| *card).find(|card| card.name() == name)
    }

    /// Maki icons on the card.
    pub fn maki(self) -> u32 {
        match self {
            Maki1 => 1,
            Maki2 => 2,
            Maki3 => 3,
            _ => 0,
        }
    }

    /// A nigiri's own value.
    pub fn nigiri(self) -> Option<i64> {
        match self {
            Egg => Some(1),
            Salmon => Some(2),
            Squid => Some(3),
            _ => None,
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Card {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        let name = String::deserialize(deserializer)?;
        Card::named(&name).ok_or_else(|| serde::de::Error::custom(format!("no card '{name}'")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deck_has_108_cards() {
        assert_eq!(Card::DECK.iter().map(|(_, copies)| copies).sum::<usize>(), 108);
    }

    #[test]
    fn every_card_is_found_by_its_name() {
        for (card, _) in Card::DECK {
            assert_eq!(Card::named(card.name()), Some(card));
        }
    }
}
