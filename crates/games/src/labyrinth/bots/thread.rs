//! A board of at most 64 cells as words, for a bot that looks at thousands of them: from which
//! cells a goal can be reached in one turn.

use super::super::board::{Board, Connector, Degree, Ends, Maze, Slide};

/// What slides there are: the same on every board of a size.
#[derive(Debug)]
pub(super) struct Grid {
    lanes: Vec<Lane>,
}

/// A slide, the cell it pushes off the board and the hole it leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub slide: Slide,
    ends: (usize, usize),
}

impl Grid {
    pub fn of(board: &Board) -> Grid {
        let lane = |slide| {
            let (pushed_off, hole) = board.ends_of(slide);
            Lane { slide, ends: (board.cell(pushed_off), board.cell(hole)) }
        };
        Grid { lanes: board.slides().map(lane).collect() }
    }

    /// The slides that do not undo the last one.
    pub fn lanes(&self, last: Option<Slide>) -> impl Iterator<Item = &Lane> {
        let undo = last.map(Slide::reversed);
        self.lanes.iter().filter(move |lane| Some(lane.slide) != undo)
    }

    pub fn lane(&self, slide: Slide) -> Option<&Lane> {
        self.lanes.iter().find(|lane| lane.slide == slide)
    }
}

/// A labyrinth between two turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    ends: Ends,
    spare: Connector,
    last: Option<Slide>,
}

impl Thread {
    /// None when the board has too many cells for a word.
    pub fn of(maze: &Maze) -> Option<Thread> {
        let ends = Ends::of(&maze.board)?;
        Some(Thread { ends, spare: maze.spare.connector, last: maze.last })
    }

    pub fn last(&self) -> Option<Slide> {
        self.last
    }

    pub fn slid(&self, lane: &Lane, degree: Degree) -> Thread {
        self.inserted(lane, self.spare.turned(degree))
    }

    fn inserted(&self, lane: &Lane, connector: Connector) -> Thread {
        let (pushed_off, hole) = lane.ends;
        let ends = self.ends.slid(lane.slide).with(connector, hole);
        Thread { ends, spare: self.ends.connector(pushed_off), last: Some(lane.slide) }
    }

    /// Everywhere somebody can stand who wants to be at `goal` at the end of its turn.
    pub fn leads_to(&self, grid: &Grid, goal: usize) -> u64 {
        let mut cells = 0;
        for lane in grid.lanes(self.last) {
            for connector in turns(self.spare) {
                let ends = self.ends.slid(lane.slide).with(connector, lane.ends.1);
                // Who is carried to the goal has to leave it.
                let near = ends.flood(goal) & !(1 << goal);
                cells |= self.ends.carried_from(near, lane.slide, lane.ends);
            }
        }
        cells
    }
}

impl Lane {
    /// Where a slide carries somebody.
    pub fn carry(&self, board: &Board, cell: usize) -> usize {
        board.cell(board.carried(board.coordinate(cell), self.slide))
    }
}

/// The ways to turn a tile that are not alike.
fn turns(connector: Connector) -> impl Iterator<Item = Connector> {
    let turned = Degree::ALL.map(|degree| connector.turned(degree));
    (0..4).filter(move |&index| !turned[..index].contains(&turned[index])).map(move |i| turned[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labyrinth::{Config, Labyrinth};
    use rules::{Dice, Game, Seed};

    /// The words say what the rules say, wherever one stands and wherever one goes.
    #[test]
    fn a_goal_is_reached_from_where_the_rules_let_one_reach_it() {
        let mut dice = Dice::new(&Seed::from_number(3), "goals", 0);
        for number in 0..6 {
            let game = Labyrinth::setup(&Config::default(), 2, Seed::from_number(number)).unwrap();
            let mut maze = game.maze.clone();
            let lanes: Vec<Slide> = maze.slides().collect();
            maze.slide(*dice.pick(&lanes), std::iter::empty());
            let (grid, thread) = (Grid::of(&maze.board), Thread::of(&maze).unwrap());
            let goal = dice.below(49);
            let cells = thread.leads_to(&grid, goal);
            for from in 0..49 {
                let at = maze.board.coordinate(from);
                let leads = maze.prospects(at).any(|way| way.destinations.contains(goal));
                assert_eq!(cells >> from & 1 == 1, leads, "from {from} to {goal} of {number}");
            }
        }
    }
}
