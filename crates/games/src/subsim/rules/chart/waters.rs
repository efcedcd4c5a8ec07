//! Path distance: how far it is by water, around whatever is in the way.

use std::ops::ControlFlow;

use super::{Chart, Direction, Square};

/// What stands on a square, as the search sees it. A square already reached is as good as off the
/// map.
pub(super) const OPEN: u8 = 0;
pub(super) const OCCUPIED: u8 = 1;
pub(super) const OUT: u8 = 2;

/// The map with everything that blocks a path. Paths go north, east, south and west; an occupied
/// square can be reached but not passed.
#[derive(Clone, Debug)]
pub struct Waters<'a> {
    chart: &'a Chart,
    cells: Vec<u8>,
}

impl<'a> Waters<'a> {
    /// The waters with nothing in them but the obstacles.
    pub fn new(chart: &'a Chart) -> Waters<'a> {
        Waters { chart, cells: chart.cells().to_vec() }
    }

    /// Something is on this square of the map.
    pub fn occupy(&mut self, square: Square) {
        let cell = self.chart.cell(square);
        self.cells[cell] = OCCUPIED;
    }

    /// The path distance between two squares of the map, if it is at most `range`.
    pub fn distance(&self, from: Square, to: Square, range: u32) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        if from.steps_to(to) > range {
            return None;
        }
        let target = self.chart.cell(to);
        let mut found = None;
        self.search(from, range, |reached| {
            if reached.cell != target {
                return ControlFlow::Continue(());
            }
            found = Some(reached.distance);
            ControlFlow::Break(())
        });
        found
    }

    /// One of the shortest ways between two squares of the map, both included, if it takes at most
    /// `range` steps.
    pub fn path(&self, from: Square, to: Square, range: u32) -> Option<Vec<Square>> {
        let mut distances = vec![None; self.cells.len()];
        distances[self.chart.cell(from)] = Some(0);
        self.search(from, range, |reached| {
            // Nothing leads on from an occupied square; it can only be the last.
            let square = self.chart.square(reached.cell);
            if !reached.occupied || square == to {
                distances[reached.cell] = Some(reached.distance);
            }
            if square == to { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let mut path = vec![to];
        for left in (0..distances[self.chart.cell(to)]?).rev() {
            let at = *path.last().expect("it begins with its end");
            let mut around = Direction::ALL.into_iter().map(|direction| at.step(direction));
            let is_next = |square: &Square| distances[self.chart.cell(*square)] == Some(left);
            path.push(around.find(is_next).expect("the search came this way"));
        }
        path.reverse();
        Some(path)
    }

    /// Visits every square at path distance 1 to `range`, the nearest first.
    pub(in crate::subsim) fn search(
        &self,
        from: Square,
        range: u32,
        mut visit: impl FnMut(Reached) -> ControlFlow<()>,
    ) {
        let stride = self.chart.stride();
        let mut cells = self.cells.clone();
        let from = self.chart.cell(from);
        cells[from] = OUT;
        let mut edge = vec![from];
        let mut next = Vec::new();
        for distance in 1..=range {
            for cell in edge.drain(..) {
                for neighbour in [cell - stride, cell + 1, cell + stride, cell - 1] {
                    let water = cells[neighbour];
                    if water == OUT {
                        continue;
                    }
                    cells[neighbour] = OUT;
                    let occupied = water == OCCUPIED;
                    if visit(Reached { cell: neighbour, distance, occupied }).is_break() {
                        return;
                    }
                    if !occupied {
                        next.push(neighbour);
                    }
                }
            }
            if next.is_empty() {
                return;
            }
            std::mem::swap(&mut edge, &mut next);
        }
    }
}

/// A square the search has come to.
pub(in crate::subsim) struct Reached {
    pub cell: usize,
    pub distance: u32,
    pub occupied: bool,
}
