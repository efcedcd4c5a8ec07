//! The part of a game that never changes, shared by every view of it: the map and what each
//! submarine is built for.

mod waters;

use std::fmt;

use ::rules::SetupError;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::config::{Config, SubConfig, SubId};
use waters::{OCCUPIED, OPEN, OUT};

pub use waters::Waters;

/// The size of a submarine unless its settings say otherwise.
pub const STANDARD_SIZE: u32 = 100;
/// The size of a mine, as sonar reports it.
pub const MINE_SIZE: u32 = 10;
/// The size of an obstacle, as sonar reports it.
pub const OBSTACLE_SIZE: u32 = u32::MAX;

/// A square of the map by column and row, counted from one at the north-western corner. A square
/// that does not exist can be written down; the chart knows which ones do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "[u16; 2]", into = "[u16; 2]")]
pub struct Square {
    pub x: u16,
    pub y: u16,
}

impl Square {
    pub const fn new(x: u16, y: u16) -> Square {
        Square { x, y }
    }

    /// The next square in a direction. From a square on the map this always exists, if only as a
    /// square just off the map.
    pub fn step(self, direction: Direction) -> Square {
        let Square { x, y } = self;
        match direction {
            Direction::North => Square::new(x, y.wrapping_sub(1)),
            Direction::East => Square::new(x.wrapping_add(1), y),
            Direction::South => Square::new(x, y.wrapping_add(1)),
            Direction::West => Square::new(x.wrapping_sub(1), y),
        }
    }

    /// How far a blast must reach from here to there: diagonal steps count as one.
    pub fn blast_distance(self, other: Square) -> u16 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    /// Steps north, east, south and west from here to there, if nothing is in the way.
    pub fn steps_to(self, other: Square) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}

impl From<[u16; 2]> for Square {
    fn from([x, y]: [u16; 2]) -> Square {
        Square { x, y }
    }
}

impl From<Square> for [u16; 2] {
    fn from(square: Square) -> [u16; 2] {
        [square.x, square.y]
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}", self.x, self.y)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Direction {
    #[serde(rename = "N")]
    North,
    #[serde(rename = "E")]
    East,
    #[serde(rename = "S")]
    South,
    #[serde(rename = "W")]
    West,
}

impl Direction {
    pub const ALL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];
}

/// What one submarine is built for: its settings with the defaults filled in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SubKind {
    /// What sonar reports of it.
    pub size: u32,
    /// Where every player's submarine of this kind begins; none: where the player likes.
    pub start: Option<Square>,
    /// How many turns a repair takes.
    pub surface_turn_count: u16,
    pub max_shields: u32,
    /// The reactor explodes at this much damage.
    pub max_reactor_damage: u32,
    pub max_sonar_charge: u32,
    pub max_torpedo_charge: u32,
    pub max_mine_charge: u32,
    pub max_sprint_charge: u32,
    /// Torpedoes aboard; none: as many as it likes.
    pub torpedo_count: Option<u32>,
    /// Mines aboard; none: as many as it likes.
    pub mine_count: Option<u32>,
}

impl SubKind {
    fn new(config: &SubConfig) -> SubKind {
        SubKind {
            size: config.size.unwrap_or(STANDARD_SIZE),
            start: config.start_location.map(Square::from),
            surface_turn_count: config.surface_turn_count.unwrap_or(3),
            max_shields: config.max_shields.unwrap_or(3),
            max_reactor_damage: config.max_reactor_damage.unwrap_or(9),
            max_sonar_charge: config.max_sonar_charge.unwrap_or(100),
            max_torpedo_charge: config.max_torpedo_charge.unwrap_or(100),
            max_mine_charge: config.max_mine_charge.unwrap_or(3),
            max_sprint_charge: config.max_sprint_charge.unwrap_or(9),
            torpedo_count: config.torpedo_count,
            mine_count: config.mine_count,
        }
    }
}

/// The map and the submarines' kinds. It serialises as the configuration it was made from.
#[derive(Clone, PartialEq, Eq)]
pub struct Chart {
    config: Config,
    kinds: Vec<SubKind>,
    /// The map with a border of one square around it, row by row, so that a square's number is
    /// `y * stride + x` and a step off the map needs no test of its own.
    cells: Vec<u8>,
    stride: usize,
}

impl Chart {
    /// The chart of a game with these settings, or what is wrong with them.
    pub fn new(config: &Config) -> Result<Chart, SetupError> {
        config.validate()?;
        let [width, height] = config.map_size.map(usize::from);
        let stride = width + 2;
        let mut cells = vec![OUT; stride * (height + 2)];
        for row in 1..=height {
            cells[row * stride + 1..][..width].fill(OPEN);
        }
        for &[x, y] in &config.obstacles {
            cells[usize::from(y) * stride + usize::from(x)] = OCCUPIED;
        }
        let standard = SubConfig::default();
        let kinds = (0..config.subs_per_player)
            .map(|id| SubKind::new(config.sub.get(&SubId(id)).unwrap_or(&standard)))
            .collect();
        Ok(Chart { config: config.clone(), kinds, cells, stride })
    }

    /// The settings as the organiser gave them.
    pub fn config(&self) -> &Config {
        &self.config
    }

    pub fn width(&self) -> u16 {
        self.config.map_size[0]
    }

    pub fn height(&self) -> u16 {
        self.config.map_size[1]
    }

    /// The kind of every player's submarine `id`, in order of the ID.
    pub fn kinds(&self) -> &[SubKind] {
        &self.kinds
    }

    pub fn contains(&self, square: Square) -> bool {
        (1..=self.width()).contains(&square.x) && (1..=self.height()).contains(&square.y)
    }

    /// On the map and without an obstacle: a submarine, torpedo or mine may go there.
    pub fn is_free(&self, square: Square) -> bool {
        self.contains(square) && self.cells[self.cell(square)] == OPEN
    }

    /// Row by row, whether each square of the map [is free](Chart::is_free).
    pub fn free_rows(&self) -> impl Iterator<Item = impl Iterator<Item = bool> + '_> {
        let (width, height) = (usize::from(self.width()), usize::from(self.height()));
        let rows = self.cells.chunks_exact(self.stride).skip(1).take(height);
        rows.map(move |row| row[1..=width].iter().map(|&cell| cell == OPEN))
    }

    pub(in crate::subsim) fn cells(&self) -> &[u8] {
        &self.cells
    }

    pub(in crate::subsim) fn stride(&self) -> usize {
        self.stride
    }

    /// The number of a square that is on the map.
    pub(in crate::subsim) fn cell(&self, square: Square) -> usize {
        usize::from(square.y) * self.stride + usize::from(square.x)
    }

    pub(in crate::subsim) fn square(&self, cell: usize) -> Square {
        Square::new((cell % self.stride) as u16, (cell / self.stride) as u16)
    }
}

impl fmt::Debug for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chart").field(&self.config).finish()
    }
}

impl Serialize for Chart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.config.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Chart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Chart, D::Error> {
        Chart::new(&Config::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}
