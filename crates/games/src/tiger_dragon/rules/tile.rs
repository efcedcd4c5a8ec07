//! The tiles: number k exists k times, and there are one Tiger and one Dragon.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// One kind of tile. The order is that of the labels: digits, `D`, `T`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tile {
    #[default]
    One,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    /// Of the colour of the odd numbers.
    Dragon,
    /// Of the colour of the even numbers.
    Tiger,
}

impl Tile {
    pub const ALL: [Tile; 10] = [
        Tile::One,
        Tile::Two,
        Tile::Three,
        Tile::Four,
        Tile::Five,
        Tile::Six,
        Tile::Seven,
        Tile::Eight,
        Tile::Dragon,
        Tile::Tiger,
    ];

    /// The place in [`Tile::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The number on the tile; none on the Tiger and the Dragon.
    pub const fn number(self) -> Option<u8> {
        match self {
            Tile::Dragon | Tile::Tiger => None,
            _ => Some(self as u8 + 1),
        }
    }

    /// How many of this kind are in the deck.
    pub const fn copies(self) -> u8 {
        match self.number() {
            Some(number) => number,
            None => 1,
        }
    }

    pub const fn label(self) -> char {
        match self {
            Tile::Dragon => 'D',
            Tile::Tiger => 'T',
            _ => (b'1' + self as u8) as char,
        }
    }

    pub fn from_label(label: char) -> Option<Tile> {
        Tile::ALL.into_iter().find(|tile| tile.label() == label)
    }
}

/// All 38 tiles, in order.
pub const DECK: [Tile; 38] = {
    let mut deck = [Tile::One; 38];
    let (mut kind, mut filled) = (0, 0);
    while kind < Tile::ALL.len() {
        let mut copy = 0;
        while copy < Tile::ALL[kind].copies() {
            deck[filled] = Tile::ALL[kind];
            filled += 1;
            copy += 1;
        }
        kind += 1;
    }
    deck
};

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.label().fmt(f)
    }
}

/// Text that names no tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchTile(pub String);

impl fmt::Display for NoSuchTile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no tile: the tiles are 1 to 8, T and D", self.0)
    }
}

impl FromStr for Tile {
    type Err = NoSuchTile;

    fn from_str(text: &str) -> Result<Tile, NoSuchTile> {
        let mut letters = text.chars();
        match (letters.next().and_then(Tile::from_label), letters.next()) {
            (Some(tile), None) => Ok(tile),
            _ => Err(NoSuchTile(text.to_owned())),
        }
    }
}

impl Serialize for Tile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Tile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tile, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
