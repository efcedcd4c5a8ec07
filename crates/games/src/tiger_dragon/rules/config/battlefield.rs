//! The battlefield cards: what a round is worth to the seat that went out.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::super::tile::{NoSuchTile, Tile};

/// One battlefield card, or an organiser's own table. Written as its name, what a tile is worth
/// as the last one, and a sentence on what the card does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battlefield {
    pub name: &'static str,
    pub scoring: Scoring,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// The last tile decides; by [`Tile::index`].
    Table([Worth; 10]),
    /// Two points and one for every face-down tile of the whole table.
    Cave,
    /// The difference of the winner's last two tiles.
    GameMarket,
}

/// What one kind of tile is worth as the last tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    pub points: u32,
    /// More points for each tile the winner had put face down.
    pub bonus: u32,
}

/// Why a text is neither the name of a card nor a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBattlefield {
    #[error(
        "{0:?} is no card; the cards are {cards}, or give a table of lines such as \
         \"7,8:4+bonus\"",
        cards = CARDS.iter().map(|card| card.name).collect::<Vec<_>>().join(", ")
    )]
    NoSuchCard(String),
    #[error("{0:?} is no line such as \"7,8:4+bonus\" or \"T,D:1\"")]
    NoLine(String),
    #[error("{0:?}: a tile is worth 1 to 1000 points, with or without \"+bonus\"")]
    NoWorth(String),
    #[error("{line:?}: {why}")]
    NoTile { line: String, why: NoSuchTile },
    #[error("{line:?}: {tile} has its points already")]
    Twice { line: String, tile: Tile },
    #[error("the table does not say what {0} is worth")]
    Missing(Tile),
}

/// How somebody went out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    pub last: Tile,
    /// The winner's own tile before the last: its last attack, as own tiles alternate.
    pub before: Tile,
    /// The winner's face-down tiles, the last tile included if it was put face down.
    pub face_down: u32,
    /// The face-down tiles of all seats.
    pub face_down_of_all: u32,
}

/// Every card. The published names are Japanese; a card's special way to announce the last tile
/// (Clifftop: six points instead of three) has no word on the wire, so Clifftop is worth three.
pub const CARDS: &[Battlefield] = &[
    card("dojo", [2, 2, 3, 3, 3, 4, 4], 1),
    card("bamboo-grove", [2, 3, 4, 4, 4, 3, 2], 1),
    card("volcano", [4, 4, 3, 3, 3, 2, 2], 2),
    card("beach", [3, 4, 3, 4, 3, 4, 3], 1),
    card("grassland", [4, 3, 4, 3, 4, 3, 4], 1),
    card("clifftop", [3, 3, 3, 3, 3, 3, 3], 1),
    card("storm", [2, 5, 2, 2, 5, 2, 2], 1),
    card("swamp", [2, 2, 5, 2, 2, 2, 5], 1),
    card("dense-fog", [2, 3, 4, 5, 6, 7, 8], 1),
    Battlefield { name: "cave", scoring: Scoring::Cave },
    Battlefield { name: "game-market", scoring: Scoring::GameMarket },
];

/// On every card the Tiger and the Dragon are worth one point, and the One ten, both flat.
const ONE: Worth = Worth { points: 10, bonus: 0 };
const BEAST: Worth = Worth { points: 1, bonus: 0 };

/// A card by its points for 2 to 8.
const fn card(name: &'static str, points: [u32; 7], bonus: u32) -> Battlefield {
    let mut table = [BEAST; 10];
    table[Tile::One.index()] = ONE;
    let mut kind = 0;
    while kind < points.len() {
        table[Tile::Two.index() + kind] = Worth { points: points[kind], bonus };
        kind += 1;
    }
    Battlefield { name, scoring: Scoring::Table(table) }
}

impl Battlefield {
    /// What the round is worth: never nothing, so that every match comes to an end.
    pub fn points(&self, finish: &Finish) -> u32 {
        match (&self.scoring, finish.last) {
            (Scoring::Table(table), last) => {
                let worth = table[last.index()];
                worth.points + worth.bonus * finish.face_down
            }
            (_, Tile::One) => ONE.points,
            (_, Tile::Dragon | Tile::Tiger) => BEAST.points,
            (Scoring::Cave, _) => 2 + finish.face_down_of_all,
            (Scoring::GameMarket, last) => match (last.number(), finish.before.number()) {
                (Some(last), Some(before)) => {
                    (u32::from(last.abs_diff(before)) + finish.face_down).max(1)
                }
                _ => BEAST.points,
            },
        }
    }

    /// A card by its name, or a table of lines `tiles:points` or `tiles:points+bonus`.
    pub fn parse(text: &str) -> Result<Battlefield, NoBattlefield> {
        if text.contains(':') {
            return parse_table(text);
        }
        let name = text.trim().to_lowercase().replace([' ', '_'], "-");
        let card = CARDS.iter().find(|card| card.name == name).copied();
        card.ok_or_else(|| NoBattlefield::NoSuchCard(text.to_owned()))
    }
}

impl Battlefield {
    /// What each tile is worth as the last one, where that does not depend on other tiles.
    pub fn worths(&self) -> BTreeMap<Tile, Worth> {
        let worth = |tile: Tile| match (&self.scoring, tile) {
            (Scoring::Table(table), tile) => Some(table[tile.index()]),
            (_, Tile::One) => Some(ONE),
            (_, Tile::Dragon | Tile::Tiger) => Some(BEAST),
            (Scoring::Cave | Scoring::GameMarket, _) => None,
        };
        Tile::ALL.into_iter().filter_map(|tile| Some((tile, worth(tile)?))).collect()
    }

    /// What the card does, in a sentence.
    pub fn effect(&self) -> &'static str {
        match self.scoring {
            Scoring::Table(_) => {
                "The last tile decides: its points, and its bonus for each tile the winner put \
                 face down."
            }
            Scoring::Cave => {
                "A last tile from 2 to 8 is worth 2 points, and 1 more for each face-down tile of \
                 all players."
            }
            Scoring::GameMarket => {
                "A last tile from 2 to 8 is worth its difference to the winner's tile before it, \
                 and 1 more for each tile the winner put face down, at least 1."
            }
        }
    }
}

impl Serialize for Battlefield {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written {
            battlefield: self.name.into(),
            worths: self.worths(),
            effect: self.effect().into(),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Battlefield {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Battlefield, D::Error> {
        let Written { battlefield, worths, .. } = Written::deserialize(deserializer)?;
        if battlefield != OWN_TABLE {
            return Battlefield::parse(&battlefield).map_err(de::Error::custom);
        }
        let mut table = [Worth::default(); 10];
        for (tile, worth) in worths {
            table[tile.index()] = worth;
        }
        Ok(Battlefield { name: OWN_TABLE, scoring: Scoring::Table(table) })
    }
}

/// A battlefield as views show it.
#[derive(Serialize, Deserialize)]
struct Written {
    battlefield: String,
    worths: BTreeMap<Tile, Worth>,
    effect: String,
}

/// What an organiser's own table is called.
const OWN_TABLE: &str = "table";

fn parse_table(text: &str) -> Result<Battlefield, NoBattlefield> {
    let mut table = [None; 10];
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = || NoBattlefield::NoLine(line.to_owned());
        let (tiles, worth) = line.split_once(':').ok_or_else(wrong)?;
        let worth = parse_worth(worth).ok_or_else(|| NoBattlefield::NoWorth(line.to_owned()))?;
        for tile in tiles.split(',') {
            let no_tile = |why| NoBattlefield::NoTile { line: line.to_owned(), why };
            let tile: Tile = tile.trim().parse().map_err(no_tile)?;
            if table[tile.index()].replace(worth).is_some() {
                return Err(NoBattlefield::Twice { line: line.to_owned(), tile });
            }
        }
    }
    let mut complete = [Worth::default(); 10];
    for tile in Tile::ALL {
        complete[tile.index()] = table[tile.index()].ok_or(NoBattlefield::Missing(tile))?;
    }
    Ok(Battlefield { name: OWN_TABLE, scoring: Scoring::Table(complete) })
}

fn parse_worth(text: &str) -> Option<Worth> {
    let (points, bonus) = match text.split_once('+') {
        Some((points, bonus)) if bonus.trim() == "bonus" => (points, 1),
        Some(_) => return None,
        None => (text, 0),
    };
    let points = points.trim().parse().ok()?;
    (1..=1000).contains(&points).then_some(Worth { points, bonus })
}
