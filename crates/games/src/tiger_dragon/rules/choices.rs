//! What a seat may do: the actions, sets of them, and the one function that decides.

use std::fmt;
use std::str::FromStr;

use rules::{Dice, Illegal};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::config::Ruleset;
use super::tile::{NoSuchTile, Tile};
use super::view::Phase;

/// What one seat does in its turn. The phase says whether a tile attacks, defends or goes face
/// down. Written as the tile's label, or `pass`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Play(Tile),
    Pass,
}

/// A set of actions. Its order is that of the labels: digits, `D`, `T`, `pass`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Choices(u16);

/// What decides which actions a seat to move has, be it known from the game or from a view.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub ruleset: Ruleset,
    pub phase: Phase,
    /// The tile under attack, while one is.
    pub attack: Option<Tile>,
    /// The hand of the seat to move.
    pub hand: &'a [Tile],
}

impl Situation<'_> {
    pub fn choices(&self) -> Choices {
        let held = Choices::of_tiles(self.hand);
        match (self.phase, self.attack) {
            (Phase::Attack | Phase::BonusReceive, _) => held,
            (Phase::Defend, Some(attack)) => {
                held.and(answers(self.ruleset, attack)).with(Action::Pass)
            }
            (Phase::Defend, None) | (Phase::Finished, _) => Choices::NONE,
        }
    }

    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        if self.choices().contains(action) {
            return Ok(());
        }
        Err(Illegal(match (action, self.phase, self.attack) {
            (_, Phase::Finished, _) => "the match is over".to_owned(),
            (Action::Pass, phase, _) => format!("a pass only answers an attack, this is {phase}"),
            (Action::Play(tile), Phase::Defend, Some(attack)) if self.hand.contains(&tile) => {
                format!("{tile} does not answer {attack}")
            }
            (Action::Play(tile), ..) => format!("{tile} is not in the hand"),
        }))
    }
}

/// The tiles that answer an attack. A number is met by its like and by the beast of its colour;
/// a beast is met by every number of its colour. (The original server let nothing meet a beast.)
pub fn answers(ruleset: Ruleset, attack: Tile) -> Choices {
    match (attack.number(), ruleset) {
        (Some(number), _) => {
            let beast = if number % 2 == 0 { Tile::Tiger } else { Tile::Dragon };
            Choices::of(Action::Play(attack)).with(Action::Play(beast))
        }
        (None, Ruleset::Official) if attack == Tile::Tiger => Choices::EVEN,
        (None, Ruleset::Official) => Choices::ODD,
        (None, Ruleset::Original) => Choices::NONE,
    }
}

impl Action {
    fn index(self) -> usize {
        match self {
            Action::Play(tile) => tile.index(),
            Action::Pass => Tile::ALL.len(),
        }
    }

    pub fn tile(self) -> Option<Tile> {
        match self {
            Action::Play(tile) => Some(tile),
            Action::Pass => None,
        }
    }
}

impl Choices {
    pub const NONE: Choices = Choices(0);
    const ODD: Choices = Choices(0b0101_0101);
    const EVEN: Choices = Choices(0b1010_1010);

    pub fn of(action: Action) -> Choices {
        Choices(1 << action.index())
    }

    fn of_tiles(tiles: &[Tile]) -> Choices {
        Choices(tiles.iter().fold(0, |bits, tile| bits | 1 << tile.index()))
    }

    pub fn with(self, action: Action) -> Choices {
        Choices(self.0 | 1 << action.index())
    }

    fn and(self, other: Choices) -> Choices {
        Choices(self.0 & other.0)
    }

    pub fn or(self, other: Choices) -> Choices {
        Choices(self.0 | other.0)
    }

    pub fn contains(self, action: Action) -> bool {
        self.0 & (1 << action.index()) != 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn first(self) -> Option<Action> {
        (self.0 != 0).then(|| match Tile::ALL.get(self.0.trailing_zeros() as usize) {
            Some(&tile) => Action::Play(tile),
            None => Action::Pass,
        })
    }

    /// The actions in the order of their labels.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let action = rest.first()?;
            rest = rest.without_first();
            Some(action)
        })
    }

    /// One of them, each equally likely.
    pub fn pick(self, dice: &mut Dice) -> Option<Action> {
        if self.is_empty() {
            return None;
        }
        let skipped = dice.below(self.len());
        (0..skipped).fold(self, |rest, _| rest.without_first()).first()
    }

    fn without_first(self) -> Choices {
        Choices(self.0 & self.0.wrapping_sub(1))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Play(tile) => tile.fmt(f),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = NoSuchTile;

    fn from_str(text: &str) -> Result<Action, NoSuchTile> {
        if text == "pass" { Ok(Action::Pass) } else { text.parse().map(Action::Play) }
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Action, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// As on the wire: `2,3,8,D,T` or `8,T,pass`.
impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, action) in self.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{action}")?;
        }
        Ok(())
    }
}

impl Serialize for Choices {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Choices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Choices, D::Error> {
        let actions = Vec::<Action>::deserialize(deserializer)?;
        Ok(actions.into_iter().fold(Choices::NONE, Choices::with))
    }
}
