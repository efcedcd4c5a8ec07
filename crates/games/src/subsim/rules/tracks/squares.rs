//! A set of squares of one map.

use ::rules::Dice;

use super::super::chart::{Chart, Square};

/// One bit for each cell of the chart.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::subsim::rules) struct Squares(Vec<u64>);

impl Squares {
    pub(super) fn none(chart: &Chart) -> Squares {
        Squares(vec![0; chart.cells().len().div_ceil(64)])
    }

    pub(super) fn of(chart: &Chart, square: Square) -> Squares {
        let mut squares = Squares::none(chart);
        squares.insert(chart.cell(square));
        squares
    }

    /// Every square where a submarine may be.
    pub(super) fn free(chart: &Chart) -> Squares {
        let mut squares = Squares::none(chart);
        for (y, row) in (1..).zip(chart.free_rows()) {
            for (x, _) in (1..).zip(row).filter(|(_, free)| *free) {
                squares.insert(chart.cell(Square::new(x, y)));
            }
        }
        squares
    }

    /// The squares that a blast reaches.
    pub(super) fn around(chart: &Chart, square: Square, radius: u16) -> Squares {
        let mut squares = Squares::none(chart);
        let Square { x, y } = square;
        for y in y.saturating_sub(radius)..=y + radius {
            let row = (x.saturating_sub(radius)..=x + radius).map(|x| Square::new(x, y));
            row.filter(|at| chart.contains(*at)).for_each(|at| squares.insert(chart.cell(at)));
        }
        squares
    }

    pub(super) fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    pub(super) fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(super) fn add(&mut self, others: &Squares) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn clear(&mut self, others: &Squares) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word &= !other);
    }

    /// Takes squares away, unless none would be left.
    pub(super) fn remove(&mut self, others: &Squares) {
        if self.0.iter().zip(&others.0).any(|(word, other)| word & !other != 0) {
            self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word &= !other);
        }
    }

    /// Keeps only these squares. If none would be left, nothing changes, and this is false.
    pub(super) fn keep(&mut self, others: &Squares) -> bool {
        let any = self.0.iter().zip(&others.0).any(|(word, other)| word & other != 0);
        if any {
            self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word &= other);
        }
        any
    }

    /// One step north, east, south or west, or none, within the free squares.
    pub(super) fn spread(&mut self, stride: usize, free: &Squares) {
        let before = self.0.clone();
        for far in [1, stride] {
            let (words, bits) = (far / 64, far % 64);
            for (index, &word) in before.iter().enumerate().filter(|(_, word)| **word != 0) {
                // A set bit is on the map, so that a step from it is never off the chart.
                let shifted = u128::from(word) << bits;
                self.or(index + words, shifted as u64);
                self.or(index + words + 1, (shifted >> 64) as u64);
                let shifted = (u128::from(word) << 64) >> bits;
                if index >= words {
                    self.or(index - words, (shifted >> 64) as u64);
                }
                if index > words {
                    self.or(index - words - 1, shifted as u64);
                }
            }
        }
        self.0.iter_mut().zip(&free.0).for_each(|(word, free)| *word &= free);
    }

    fn or(&mut self, index: usize, bits: u64) {
        if let Some(word) = self.0.get_mut(index) {
            *word |= bits;
        }
    }

    /// One of the squares, each equally likely; none if there are none.
    pub(in crate::subsim::rules) fn pick(&self, chart: &Chart, dice: &mut Dice) -> Option<Square> {
        let mut skipped = match self.len() {
            0 => return None,
            squares => dice.below(squares),
        };
        for (index, &word) in self.0.iter().enumerate() {
            let count = word.count_ones() as usize;
            if skipped < count {
                let rest = (0..skipped).fold(word, |rest, _| rest & (rest - 1));
                return Some(chart.square(index * 64 + rest.trailing_zeros() as usize));
            }
            skipped -= count;
        }
        None
    }
}
