//! Nine squares, as text too: `X...O....`, row after row.

use std::fmt;
use std::str::FromStr;

use rules::Seat;
use serde::{Deserialize, Serialize};

/// A square, from 1 to 9, row after row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Square(u8);

impl Square {
    pub const ALL: [Square; 9] = {
        let mut all = [Square(1); 9];
        let mut index = 0;
        while index < 9 {
            all[index] = Square(index as u8 + 1);
            index += 1;
        }
        all
    };

    fn index(self) -> usize {
        usize::from(self.0) - 1
    }
}

/// There is no such square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSquare;

impl fmt::Display for NoSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("squares have the numbers 1 to 9")
    }
}

impl TryFrom<u8> for Square {
    type Error = NoSquare;

    fn try_from(number: u8) -> Result<Square, NoSquare> {
        if (1..=9).contains(&number) { Ok(Square(number)) } else { Err(NoSquare) }
    }
}

impl FromStr for Square {
    type Err = NoSquare;

    fn from_str(text: &str) -> Result<Square, NoSquare> {
        text.parse::<u8>().map_err(|_| NoSquare)?.try_into()
    }
}

impl From<Square> for u8 {
    fn from(square: Square) -> u8 {
        square.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who has marked which square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Board([Option<Seat>; 9]);

const ROWS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Board {
    pub fn free(&self) -> impl Iterator<Item = Square> + '_ {
        Square::ALL.into_iter().filter(|square| self.0[square.index()].is_none())
    }

    /// The first player has as many marks as the second, or one more.
    pub fn to_move(&self) -> Seat {
        Seat(if self.free().count() % 2 == 1 { 0 } else { 1 })
    }

    /// Who has three in a row.
    pub fn row(&self) -> Option<Seat> {
        let whole = |row: &[usize; 3]| self.0[row[0]].filter(|_| self.is_same(row));
        ROWS.iter().find_map(whole)
    }

    fn is_same(&self, [one, two, three]: &[usize; 3]) -> bool {
        self.0[*one] == self.0[*two] && self.0[*two] == self.0[*three]
    }

    pub fn mark(&mut self, square: Square, seat: Seat) {
        self.0[square.index()] = Some(seat);
    }

    /// The board after the next move.
    pub fn with(mut self, square: Square) -> Board {
        self.mark(square, self.to_move());
        self
    }

    /// A free square that completes a row of this seat.
    pub fn completes(&self, seat: Seat) -> Option<Square> {
        self.free().find(|square| {
            let mut next = *self;
            next.mark(*square, seat);
            next.row() == Some(seat)
        })
    }
}

/// The sign of a seat.
pub fn sign(seat: Seat) -> char {
    if seat == Seat(0) { 'X' } else { 'O' }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|mark| write!(f, "{}", mark.map_or('.', sign)))
    }
}

impl From<Board> for String {
    fn from(board: Board) -> String {
        board.to_string()
    }
}

/// It is no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoBoard;

impl fmt::Display for NoBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a board is nine of X, O and a dot")
    }
}

impl FromStr for Board {
    type Err = NoBoard;

    fn from_str(text: &str) -> Result<Board, NoBoard> {
        let mark = |sign: char| match sign {
            'X' => Ok(Some(Seat(0))),
            'O' => Ok(Some(Seat(1))),
            '.' => Ok(None),
            _ => Err(NoBoard),
        };
        let marks = text.chars().map(mark).collect::<Result<Vec<_>, NoBoard>>()?;
        Ok(Board(marks.try_into().map_err(|_| NoBoard)?))
    }
}

impl TryFrom<String> for Board {
    type Error = NoBoard;

    fn try_from(text: String) -> Result<Board, NoBoard> {
        text.parse()
    }
}
