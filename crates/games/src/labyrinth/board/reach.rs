//! Which cells can be reached from where.
//!
//! A board of up to 64 cells (the standard one has 49) is flooded as machine words: no memory is
//! taken and a slide costs a few shifts. Larger boards are walked cell by cell.

use std::collections::VecDeque;

use super::{Board, Connector, Coordinate, Direction, Slide};

/// A set of cells of one board. Takes memory only on boards of more than 64 cells.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Cells {
    first: u64,
    rest: Vec<u64>,
}

impl Cells {
    pub fn contains(&self, cell: usize) -> bool {
        self.word(cell / 64) >> (cell % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.rest.iter().all(|&word| word == 0)
    }

    pub fn len(&self) -> usize {
        let ones = |word: &u64| word.count_ones() as usize;
        ones(&self.first) + self.rest.iter().map(ones).sum::<usize>()
    }

    pub fn remove(&mut self, cell: usize) {
        match cell / 64 {
            0 => self.first &= !(1 << cell),
            word => self.rest[word - 1] &= !(1 << (cell % 64)),
        }
    }

    /// The cells in ascending order, which is row by row.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..=self.rest.len()).flat_map(|index| {
            let mut word = self.word(index);
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(index * 64 + bit)
            })
        })
    }

    fn word(&self, index: usize) -> u64 {
        match index {
            0 => self.first,
            _ => self.rest.get(index - 1).copied().unwrap_or(0),
        }
    }

    fn insert(&mut self, cell: usize) {
        match cell / 64 {
            0 => self.first |= 1 << cell,
            word => {
                if self.rest.len() < word {
                    self.rest.resize(word, 0);
                }
                self.rest[word - 1] |= 1 << (cell % 64);
            }
        }
    }
}

impl Board {
    /// The cells reachable from `from`, itself included. "Two adjacent tiles are connected when
    /// both have an open end on the shared edge."
    pub fn reachable(&self, from: Coordinate) -> Cells {
        match Ends::of(self) {
            Some(ends) => ends.reachable(self.cell(from)),
            None => self.walk(from),
        }
    }

    /// The places of these cells, row by row.
    pub fn coordinates_of(&self, cells: &Cells) -> Vec<Coordinate> {
        cells.iter().map(|cell| self.coordinate(cell)).collect()
    }

    /// Reachability on a board of any size.
    pub(in crate::labyrinth) fn walk(&self, from: Coordinate) -> Cells {
        let mut seen = Cells::default();
        seen.insert(self.cell(from));
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for side in Direction::ALL {
                let Some(next) = self.neighbour(at, side) else { continue };
                let connected = self.tile(at).connector.opens(side)
                    && self.tile(next).connector.opens(side.opposite());
                if connected && !seen.contains(self.cell(next)) {
                    seen.insert(self.cell(next));
                    open.push(next);
                }
            }
        }
        seen
    }

    /// One of the shortest ways between two connected cells, both included.
    pub fn way(&self, from: Coordinate, to: Coordinate) -> Vec<Coordinate> {
        let mut came_from = vec![None; self.tiles().len()];
        let mut edge = VecDeque::from([from]);
        while let Some(at) = edge.pop_front().filter(|at| *at != to) {
            for side in Direction::ALL {
                let Some(next) = self.neighbour(at, side) else { continue };
                let connected = self.tile(at).connector.opens(side)
                    && self.tile(next).connector.opens(side.opposite());
                let before = &mut came_from[self.cell(next)];
                if connected && next != from && before.is_none() {
                    *before = Some(at);
                    edge.push_back(next);
                }
            }
        }
        let back = |at: &Coordinate| came_from[self.cell(*at)];
        let mut way: Vec<Coordinate> = std::iter::successors(Some(to), back).collect();
        way.reverse();
        way
    }

    fn neighbour(&self, at: Coordinate, side: Direction) -> Option<Coordinate> {
        let Coordinate { row, column } = at;
        let next = match side {
            Direction::Left => Coordinate { row, column: column.checked_sub(1)? },
            Direction::Right => Coordinate { row, column: column + 1 },
            Direction::Up => Coordinate { row: row.checked_sub(1)?, column },
            Direction::Down => Coordinate { row: row + 1, column },
        };
        self.contains(next).then_some(next)
    }
}

/// The open ends of a small board's tiles: one word a side, one bit a cell.
#[derive(Clone, Copy, Debug)]
pub(in crate::labyrinth) struct Ends {
    columns: u32,
    first_column: u64,
    up: u64,
    left: u64,
    down: u64,
    right: u64,
}

impl Ends {
    /// None when the board has too many cells for a word.
    pub(in crate::labyrinth) fn of(board: &Board) -> Option<Ends> {
        let (tiles, columns) = (board.tiles(), board.columns());
        if tiles.len() > 64 || columns > 63 {
            return None;
        }
        let first_column = (0..board.rows()).fold(0, |bits, row| bits | 1 << (row * columns));
        let mut ends =
            Ends { columns: columns.into(), first_column, up: 0, left: 0, down: 0, right: 0 };
        for (cell, tile) in tiles.iter().enumerate() {
            ends.open(1 << cell, tile.connector);
        }
        Some(ends)
    }

    fn open(&mut self, cell: u64, connector: Connector) {
        let when = |side| if connector.opens(side) { cell } else { 0 };
        self.up |= when(Direction::Up);
        self.left |= when(Direction::Left);
        self.down |= when(Direction::Down);
        self.right |= when(Direction::Right);
    }

    /// The same after a slide, with nothing in its hole yet.
    pub(in crate::labyrinth) fn slid(mut self, slide: Slide) -> Ends {
        let (line, step) = self.line(slide);
        let back = matches!(slide.direction, Direction::Left | Direction::Up);
        for side in [&mut self.up, &mut self.left, &mut self.down, &mut self.right] {
            let tiles = *side & line;
            let moved = if back { tiles >> step } else { tiles << step };
            *side = *side & !line | moved & line;
        }
        self
    }

    /// The same with a tile in the hole.
    pub(in crate::labyrinth) fn with(mut self, connector: Connector, hole: usize) -> Ends {
        self.open(1 << hole, connector);
        self
    }

    /// The cells that slide, and how far apart neighbours among them are.
    fn line(&self, slide: Slide) -> (u64, u32) {
        if slide.is_row() {
            (((1 << self.columns) - 1) << (u32::from(slide.index) * self.columns), 1)
        } else {
            (self.first_column << slide.index, self.columns)
        }
    }

    /// From where a slide carries somebody to one of these `cells`; `ends` are the cell it pushes
    /// off the board and the hole it leaves.
    pub(in crate::labyrinth) fn carried_from(
        &self,
        cells: u64,
        slide: Slide,
        ends: (usize, usize),
    ) -> u64 {
        let (line, step) = self.line(slide);
        let (pushed_off, hole) = ends;
        let around = cells >> hole & 1;
        let moved = cells & line & !(1 << hole);
        let back = matches!(slide.direction, Direction::Left | Direction::Up);
        let before = if back { moved << step } else { moved >> step };
        cells & !line | before | around << pushed_off
    }

    /// The tile on a cell.
    pub(in crate::labyrinth) fn connector(&self, cell: usize) -> Connector {
        let bit = |side: u64| (side >> cell & 1) as u8;
        let (up, left, down, right) =
            (bit(self.up), bit(self.left), bit(self.down), bit(self.right));
        Connector(up | left << 1 | down << 2 | right << 3)
    }

    pub(in crate::labyrinth) fn reachable(&self, from: usize) -> Cells {
        Cells { first: self.flood(from), rest: Vec::new() }
    }

    /// The same as a word.
    pub(in crate::labyrinth) fn flood(&self, from: usize) -> u64 {
        let columns = self.columns;
        // A bit of `right` is a cell joined to its right-hand neighbour; the neighbour of a
        // row's last cell would be the next row's first, which does not count.
        let right = self.right & (self.left & !self.first_column) >> 1;
        let down = self.down & self.up >> columns;
        let mut seen: u64 = 1 << from;
        loop {
            let grown = seen
                | (seen & right) << 1
                | seen >> 1 & right
                | (seen & down) << columns
                | seen >> columns & down;
            if grown == seen {
                return seen;
            }
            seen = grown;
        }
    }
}
