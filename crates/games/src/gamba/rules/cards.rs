//! Cards, and ordered heaps of them that need no allocation.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// One of the 52 cards, written rank then suit: `2H`, `10D`, `AS`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    pub const COUNT: usize = 52;

    /// Every card, the twos first.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..Card::COUNT as u8).map(Card)
    }

    /// What a card is worth against another: 2 to 10, jack 11, queen 12, king 13, ace 14.
    /// Cards of one value are of one rank.
    pub fn value(self) -> u8 {
        self.0 / 4 + 2
    }

    /// The card's own bit among those of all cards.
    pub(super) fn bit(self) -> u64 {
        1 << self.0
    }

    /// The card as it is written.
    pub fn code(self) -> &'static str {
        CODES[usize::from(self.0)]
    }
}

#[rustfmt::skip]
const CODES: [&str; Card::COUNT] = [
    "2H", "2D", "2C", "2S", "3H", "3D", "3C", "3S", "4H", "4D", "4C", "4S",
    "5H", "5D", "5C", "5S", "6H", "6D", "6C", "6S", "7H", "7D", "7C", "7S",
    "8H", "8D", "8C", "8S", "9H", "9D", "9C", "9S", "10H", "10D", "10C", "10S",
    "JH", "JD", "JC", "JS", "QH", "QD", "QC", "QS", "KH", "KD", "KC", "KS",
    "AH", "AD", "AC", "AS",
];

/// The text is none of the 52 cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCard(pub String);

impl fmt::Display for UnknownCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is not a card: write a rank (2 to 10, J, Q, K, A) and a suit (H, D, C, S)",
            self.0
        )
    }
}

impl std::error::Error for UnknownCard {}

impl FromStr for Card {
    type Err = UnknownCard;

    fn from_str(text: &str) -> Result<Card, UnknownCard> {
        let rank = match text.as_bytes() {
            [rank @ b'2'..=b'9', _] => Some(rank - b'2'),
            [b'1', b'0', _] => Some(8),
            [b'J', _] => Some(9),
            [b'Q', _] => Some(10),
            [b'K', _] => Some(11),
            [b'A', _] => Some(12),
            _ => None,
        };
        let suit = match text.as_bytes().last() {
            Some(b'H') => Some(0),
            Some(b'D') => Some(1),
            Some(b'C') => Some(2),
            Some(b'S') => Some(3),
            _ => None,
        };
        let card = rank.zip(suit).map(|(rank, suit)| Card(4 * rank + suit));
        card.ok_or_else(|| UnknownCard(text.to_owned()))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Cards in order, the last one on top; read them as a slice.
#[derive(Clone, Copy)]
pub struct Cards<const CAPACITY: usize = { Card::COUNT }> {
    held: [Card; CAPACITY],
    count: u8,
}

/// The cards of one play. There are four of a rank, so no legal play has more.
pub type Play = Cards<4>;

impl<const CAPACITY: usize> Cards<CAPACITY> {
    pub const EMPTY: Self = Cards { held: [Card(0); CAPACITY], count: 0 };

    /// The cards in this order, unless they are too many.
    pub fn from_slice(cards: &[Card]) -> Option<Self> {
        let mut all = Self::EMPTY;
        all.held.get_mut(..cards.len())?.copy_from_slice(cards);
        all.count = cards.len() as u8;
        Some(all)
    }

    /// Puts a card on top. There must be room.
    pub fn push(&mut self, card: Card) {
        self.held[usize::from(self.count)] = card;
        self.count += 1;
    }

    /// Puts cards on top, the last of them uppermost. There must be room.
    pub fn extend(&mut self, cards: &[Card]) {
        let count = usize::from(self.count);
        self.held[count..count + cards.len()].copy_from_slice(cards);
        self.count += cards.len() as u8;
    }

    /// Takes the top card.
    pub fn pop(&mut self) -> Option<Card> {
        self.count = self.count.checked_sub(1)?;
        Some(self.held[usize::from(self.count)])
    }

    /// Takes a card out; the others keep their order.
    pub fn remove(&mut self, index: usize) -> Card {
        let card = self[index];
        self.held.copy_within(index + 1..usize::from(self.count), index);
        self.count -= 1;
        card
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }
}

impl<const CAPACITY: usize> Deref for Cards<CAPACITY> {
    type Target = [Card];

    fn deref(&self) -> &[Card] {
        &self.held[..usize::from(self.count)]
    }
}

impl<const CAPACITY: usize> DerefMut for Cards<CAPACITY> {
    fn deref_mut(&mut self) -> &mut [Card] {
        &mut self.held[..usize::from(self.count)]
    }
}

impl<const CAPACITY: usize> Default for Cards<CAPACITY> {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// What lies beyond the count is left over and never compared.
impl<const CAPACITY: usize> PartialEq for Cards<CAPACITY> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<const CAPACITY: usize> Eq for Cards<CAPACITY> {}

impl<const CAPACITY: usize> fmt::Debug for Cards<CAPACITY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Codes with a space between them, a dash for no cards.
impl<const CAPACITY: usize> fmt::Display for Cards<CAPACITY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.split_first() else { return f.write_str("-") };
        f.write_str(first.code())?;
        rest.iter().try_for_each(|card| write!(f, " {card}"))
    }
}

impl<const CAPACITY: usize> Serialize for Cards<CAPACITY> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, const CAPACITY: usize> Deserialize<'de> for Cards<CAPACITY> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cards = Vec::<Card>::deserialize(deserializer)?;
        Cards::from_slice(&cards).ok_or_else(|| {
            de::Error::custom(format!("{} cards, where at most {CAPACITY} fit", cards.len()))
        })
    }
}
