//! What an organiser can choose, and whether the choice is legal.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use ::rules::{Seat, SetupError};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The settings of a game. What is left out has its default.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What the game is called, in 1 to 20 printable characters, none of them `|`.
    pub title: String,
    /// A game begins with at least so many players, 2 to 64.
    pub min_players: usize,
    /// A game begins at once with so many players, at most 64; 0 means whoever comes in time.
    pub max_players: usize,
    /// Columns and rows of the map, 10 to 200 each.
    pub map_size: [u16; 2],
    /// Squares no submarine, torpedo or mine can enter, as [column, row]; at most a quarter of
    /// the map.
    pub obstacles: Vec<[u16; 2]>,
    /// Submarines of each player, 1 to 20.
    pub subs_per_player: u8,
    /// The game ends after this many turns, at least 100; 0 means it may go on for ever.
    pub max_turns: u32,
    /// Settings of single submarines by their ID, such as `sub.0.max_shields`; they hold for that
    /// submarine of every player.
    pub sub: BTreeMap<SubId, SubConfig>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            title: "SubSim".to_owned(),
            min_players: 2,
            max_players: 0,
            map_size: [20, 20],
            obstacles: Vec::new(),
            subs_per_player: 1,
            max_turns: 1000,
            sub: BTreeMap::new(),
        }
    }
}

/// What is special about one submarine. A setting that is given is announced, even if it has the
/// default's value.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SubConfig {
    /// What sonar reports of it, 50 to 200; 100 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// The [column, row] where every player's submarine of this ID begins; chosen by the player
    /// if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_location: Option<[u16; 2]>,
    /// How many turns a repair takes, 0 to 1000; 3 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface_turn_count: Option<u16>,
    /// Shields at the start and at most; 3 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_shields: Option<u32>,
    /// The reactor explodes at this much damage; 9 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_reactor_damage: Option<u32>,
    /// The most sonar can be charged; 100 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_sonar_charge: Option<u32>,
    /// The most torpedoes can be charged; 100 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_torpedo_charge: Option<u32>,
    /// The charge at which a mine is ready; 3 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_mine_charge: Option<u32>,
    /// The most the sprint engine can be charged; 9 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_sprint_charge: Option<u32>,
    /// How many torpedoes are aboard; unlimited if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torpedo_count: Option<u32>,
    /// How many mines are aboard; unlimited if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mine_count: Option<u32>,
}

impl Config {
    /// The farthest sprint any submarine can be charged for, within the map.
    pub fn farthest_sprint(&self) -> u32 {
        let charge = |id| self.sub.get(&SubId(id)).and_then(|sub| sub.max_sprint_charge);
        let most = (0..self.subs_per_player).map(|id| charge(id).unwrap_or(9)).max();
        let range = most.filter(|&charge| charge >= 3).map_or(1, |charge| charge / 3 + 1);
        range.min(u32::from(self.map_size[0].max(self.map_size[1])))
    }
}

/// The ID of a submarine as a key of the configuration, where keys are text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SubId(pub u8);

impl fmt::Display for SubId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for SubId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SubId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SubId, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = text.parse().map_err(|_| {
            de::Error::custom(format!("`{text}` is not the ID of a submarine; IDs are 0 to 19"))
        })?;
        Ok(SubId(number))
    }
}

impl Config {
    /// How many may play.
    pub fn players(&self) -> RangeInclusive<usize> {
        let most = if self.max_players > 0 { self.max_players } else { Seat::MAX };
        self.min_players..=most
    }

    pub(super) fn validate(&self) -> Result<(), SetupError> {
        self.validate_players()?;
        self.validate_table()?;
        self.validate_obstacles()?;
        self.sub.iter().try_for_each(|(id, sub)| self.validate_sub(*id, sub))
    }

    fn validate_players(&self) -> Result<(), SetupError> {
        let Config { title, min_players: min, max_players: max, .. } = self;
        let fits = |c: char| c == ' ' || (c.is_ascii_graphic() && c != '|');
        require((1..=20).contains(&title.len()) && title.chars().all(fits), || {
            format!("title is {title:?}; allowed are 1 to 20 printable ASCII characters without |")
        })?;
        require(title.trim() == title, || {
            format!("title is {title:?}; it may not begin or end with a blank")
        })?;
        require((2..=Seat::MAX).contains(min), || {
            format!("min_players is {min}; allowed are 2 to {}", Seat::MAX)
        })?;
        require(*max == 0 || (*min..=Seat::MAX).contains(max), || {
            let most = Seat::MAX;
            format!(
                "max_players is {max}; allowed are {min} (min_players) to {most}, or 0 for no limit"
            )
        })
    }

    fn validate_table(&self) -> Result<(), SetupError> {
        let [width, height] = self.map_size;
        require([width, height].iter().all(|side| (10..=200).contains(side)), || {
            format!("map_size is [{width}, {height}]; each side must be 10 to 200")
        })?;
        require((1..=20).contains(&self.subs_per_player), || {
            format!("subs_per_player is {}; allowed are 1 to 20", self.subs_per_player)
        })?;
        require(self.max_turns == 0 || self.max_turns >= 100, || {
            format!("max_turns is {}; allowed are 100 and more, or 0 for no limit", self.max_turns)
        })
    }

    fn validate_obstacles(&self) -> Result<(), SetupError> {
        let [width, height] = self.map_size;
        let most = usize::from(width) * usize::from(height) / 4;
        require(self.obstacles.len() <= most, || {
            let count = self.obstacles.len();
            format!("obstacles lists {count} squares; a map of {width} by {height} may have {most}")
        })?;
        let mut sorted = self.obstacles.clone();
        sorted.sort_unstable();
        for pair in sorted.windows(2) {
            require(pair[0] != pair[1], || format!("obstacles lists {:?} twice", pair[0]))?;
        }
        for &square in &self.obstacles {
            self.require_on_map("obstacles", square)?;
        }
        Ok(())
    }

    fn validate_sub(&self, id: SubId, sub: &SubConfig) -> Result<(), SetupError> {
        require(id.0 < self.subs_per_player, || {
            let last = self.subs_per_player - 1;
            format!("sub.{id} does not exist; the IDs of the submarines are 0 to {last}")
        })?;
        if let Some(size) = sub.size {
            require((50..=200).contains(&size), || {
                format!("sub.{id}.size is {size}; allowed are 50 to 200")
            })?;
        }
        if let Some(turns) = sub.surface_turn_count {
            require(turns <= 1000, || {
                format!("sub.{id}.surface_turn_count is {turns}; allowed are 0 to 1000")
            })?;
        }
        if let Some(square) = sub.start_location {
            let name = format!("sub.{id}.start_location");
            self.require_on_map(&name, square)?;
            require(!self.obstacles.contains(&square), || {
                format!("{name} is {square:?}, where an obstacle is; it must be a free square")
            })?;
        }
        Ok(())
    }

    fn require_on_map(&self, name: &str, [x, y]: [u16; 2]) -> Result<(), SetupError> {
        let [width, height] = self.map_size;
        require((1..=width).contains(&x) && (1..=height).contains(&y), || {
            format!("{name} has [{x}, {y}]; columns are 1 to {width} and rows 1 to {height}")
        })
    }
}

fn require(holds: bool, why_not: impl FnOnce() -> String) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError(why_not())) }
}
