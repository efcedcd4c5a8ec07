//! The board: tiles, their connectors, and what a slide does to them. It knows no players.
//! `reach` is where one can walk, `maze` the board with its gems and the spare tile.

mod gems;
mod maze;
mod reach;

use rules::Illegal;

pub use gems::{Gem, Treasure};
pub use maze::{Choice, Maze, Prospect};
pub use reach::Cells;

pub(super) use reach::Ends;

/// The way tiles move in a slide, and the side of a tile an open end points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

impl Direction {
    pub const ALL: [Direction; 4] =
        [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    pub fn name(self) -> &'static str {
        match self {
            Direction::Left => "LEFT",
            Direction::Right => "RIGHT",
            Direction::Up => "UP",
            Direction::Down => "DOWN",
        }
    }

    pub fn named(name: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.name() == name)
    }

    pub fn opposite(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}

/// A turn of the spare tile, counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Degree {
    D0,
    D90,
    D180,
    D270,
}

impl Degree {
    pub const ALL: [Degree; 4] = [Degree::D0, Degree::D90, Degree::D180, Degree::D270];

    pub fn number(self) -> u16 {
        self as u16 * 90
    }

    pub fn numbered(number: u64) -> Option<Degree> {
        Degree::ALL.into_iter().find(|degree| u64::from(degree.number()) == number)
    }
}

/// The open ends of a tile. Bits in counter-clockwise order (up, left, down, right), so that
/// turning by ninety degrees rotates the four bits by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Connector(pub(super) u8);

impl Connector {
    pub const ALL: [Connector; 11] = [
        Connector(0b0101),
        Connector(0b1010),
        Connector(0b0110),
        Connector(0b1001),
        Connector(0b1100),
        Connector(0b0011),
        Connector(0b1110),
        Connector(0b1101),
        Connector(0b1011),
        Connector(0b0111),
        Connector(0b1111),
    ];

    const GLYPHS: [char; 11] = ['│', '─', '┐', '└', '┌', '┘', '┬', '├', '┴', '┤', '┼'];

    pub fn glyph(self) -> char {
        let shape = Connector::ALL.iter().position(|&connector| connector == self);
        Connector::GLYPHS[shape.expect("every connector is one of the eleven")]
    }

    pub fn from_glyph(glyph: char) -> Option<Connector> {
        let shape = Connector::GLYPHS.iter().position(|&known| known == glyph)?;
        Some(Connector::ALL[shape])
    }

    pub fn opens(self, side: Direction) -> bool {
        let bit = match side {
            Direction::Up => 0,
            Direction::Left => 1,
            Direction::Down => 2,
            Direction::Right => 3,
        };
        self.0 >> bit & 1 == 1
    }

    #[must_use]
    pub fn turned(self, degree: Degree) -> Connector {
        let turned = u16::from(self.0) << (degree as u16);
        Connector((turned & 0b1111 | turned >> 4) as u8)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub connector: Connector,
    pub treasure: Treasure,
}

/// A place on the board: row 0 is at the top, column 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coordinate {
    pub row: u16,
    pub column: u16,
}

impl Coordinate {
    /// The square of the Euclidean distance: it orders like the distance and stays whole.
    pub fn distance_squared(self, other: Coordinate) -> u64 {
        let rows = u64::from(self.row.abs_diff(other.row));
        let columns = u64::from(self.column.abs_diff(other.column));
        rows * rows + columns * columns
    }

    /// "A tile is fixed exactly when both its row and its column are odd."
    pub fn is_fixed(self) -> bool {
        self.row % 2 == 1 && self.column % 2 == 1
    }
}

impl std::fmt::Display for Coordinate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.row, self.column)
    }
}

/// One row (LEFT, RIGHT) or column (UP, DOWN) moves by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slide {
    pub index: u16,
    pub direction: Direction,
}

impl Slide {
    pub fn is_row(self) -> bool {
        matches!(self.direction, Direction::Left | Direction::Right)
    }

    #[must_use]
    pub fn reversed(self) -> Slide {
        Slide { index: self.index, direction: self.direction.opposite() }
    }
}

impl std::fmt::Display for Slide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let line = if self.is_row() { "row" } else { "column" };
        write!(f, "{line} {} {}", self.index, self.direction.name())
    }
}

/// A rectangle of tiles. Cells are numbered row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    rows: u16,
    columns: u16,
    tiles: Vec<Tile>,
}

impl Board {
    /// A board of these tiles, row by row; none when they do not fill a rectangle.
    pub fn new(rows: u16, columns: u16, tiles: Vec<Tile>) -> Option<Board> {
        let area = usize::from(rows) * usize::from(columns);
        (area > 0 && tiles.len() == area).then_some(Board { rows, columns, tiles })
    }

    pub fn rows(&self) -> u16 {
        self.rows
    }

    pub fn columns(&self) -> u16 {
        self.columns
    }

    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    pub fn contains(&self, at: Coordinate) -> bool {
        at.row < self.rows && at.column < self.columns
    }

    pub fn tile(&self, at: Coordinate) -> Tile {
        self.tiles[self.cell(at)]
    }

    pub fn cell(&self, at: Coordinate) -> usize {
        usize::from(at.row) * usize::from(self.columns) + usize::from(at.column)
    }

    pub fn coordinate(&self, cell: usize) -> Coordinate {
        let columns = usize::from(self.columns);
        Coordinate { row: (cell / columns) as u16, column: (cell % columns) as u16 }
    }

    pub fn coordinates(&self) -> impl Iterator<Item = Coordinate> + '_ {
        (0..self.tiles.len()).map(|cell| self.coordinate(cell))
    }

    /// Every slide the board has: rows ascending LEFT, RIGHT, then columns ascending UP, DOWN.
    pub fn slides(&self) -> impl Iterator<Item = Slide> + use<> {
        let both = |index, directions: [Direction; 2]| {
            directions.map(|direction| Slide { index, direction })
        };
        let rows = (0..self.rows).step_by(2);
        let columns = (0..self.columns).step_by(2);
        rows.flat_map(move |index| both(index, [Direction::Left, Direction::Right]))
            .chain(columns.flat_map(move |index| both(index, [Direction::Up, Direction::Down])))
    }

    /// "Rows and columns with an even index can slide, odd ones cannot."
    pub fn check_slide(&self, slide: Slide) -> Result<(), Illegal> {
        let (line, count) =
            if slide.is_row() { ("row", self.rows) } else { ("column", self.columns) };
        let index = slide.index;
        if index >= count {
            let last = count - 1;
            return Err(Illegal(format!("{line} {index} does not exist, the last one is {last}")));
        }
        if index % 2 == 1 {
            return Err(Illegal(format!("{line} {index} cannot slide, only even ones can")));
        }
        Ok(())
    }

    /// Moves a row or column by one, puts `inserted` into the hole and returns the tile that
    /// dropped out.
    pub fn slide(&mut self, slide: Slide, inserted: Tile) -> Tile {
        let columns = usize::from(self.columns);
        let index = usize::from(slide.index);
        if slide.is_row() {
            let row = &mut self.tiles[index * columns..(index + 1) * columns];
            if slide.direction == Direction::Left {
                row.rotate_left(1);
                std::mem::replace(&mut row[columns - 1], inserted)
            } else {
                row.rotate_right(1);
                std::mem::replace(&mut row[0], inserted)
            }
        } else {
            let mut carried = inserted;
            let mut visit =
                |row| std::mem::swap(&mut self.tiles[row * columns + index], &mut carried);
            let rows = 0..usize::from(self.rows);
            if slide.direction == Direction::Up {
                rows.rev().for_each(&mut visit);
            } else {
                rows.for_each(&mut visit);
            }
            carried
        }
    }

    /// The cell a slide pushes off the board, and the hole it leaves at the other end.
    pub fn ends_of(&self, slide: Slide) -> (Coordinate, Coordinate) {
        let (row, column) = (self.rows - 1, self.columns - 1);
        let index = slide.index;
        let on_row = |column| Coordinate { row: index, column };
        let on_column = |row| Coordinate { row, column: index };
        match slide.direction {
            Direction::Left => (on_row(0), on_row(column)),
            Direction::Right => (on_row(column), on_row(0)),
            Direction::Up => (on_column(0), on_column(row)),
            Direction::Down => (on_column(row), on_column(0)),
        }
    }

    /// Where somebody standing at `at` stands after the slide. "An avatar on the tile that drops
    /// out is put on the just-inserted tile at the other end."
    pub fn carried(&self, at: Coordinate, slide: Slide) -> Coordinate {
        let line = if slide.is_row() { at.row } else { at.column };
        let (pushed_off, hole) = self.ends_of(slide);
        if line != slide.index {
            return at;
        }
        if at == pushed_off {
            return hole;
        }
        let Coordinate { row, column } = at;
        match slide.direction {
            Direction::Left => Coordinate { row, column: column - 1 },
            Direction::Right => Coordinate { row, column: column + 1 },
            Direction::Up => Coordinate { row: row - 1, column },
            Direction::Down => Coordinate { row: row + 1, column },
        }
    }
}
