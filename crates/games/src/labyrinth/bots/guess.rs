//! What another seat may be after, told from where it goes and where it does not.

use rules::Seat;

use super::super::board::{Board, Coordinate, Maze};
use super::super::rules::{Deed, View};

/// How likely it is that a seat looks for each treasure, or has found what it looked for. Nothing
/// is ever quite excluded: not everybody goes where it could.
#[derive(Clone, Debug)]
pub(super) struct Guess {
    treasures: Vec<(Coordinate, f64)>,
    homeward: f64,
}

/// How often somebody who can be where it wants goes elsewhere.
const STRAYS: f64 = 0.05;

impl Guess {
    /// At the beginning: any treasure on a fixed tile but its own home.
    pub fn of(view: &View, seat: Seat) -> Guess {
        let home = view.avatar(seat).home;
        let places = view.maze.board.coordinates().filter(|at| at.is_fixed() && *at != home);
        Guess { treasures: places.map(|place| (place, 1.0)).collect(), homeward: 0.0 }
    }

    pub fn homeward(&self) -> f64 {
        let looking: f64 = self.treasures.iter().map(|(_, weight)| weight).sum();
        if looking + self.homeward == 0.0 { 0.0 } else { self.homeward / (looking + self.homeward) }
    }

    /// The seat has made the last move: what it could have reached and did not is not its goal, and
    /// where it went may have been.
    pub fn follow(&mut self, view: &View, seat: Seat) {
        let Some((maze, from)) = before(view) else { return };
        let board = &maze.board;
        let mut in_reach = vec![false; board.tiles().len()];
        for prospect in maze.prospects(from) {
            prospect.destinations.iter().for_each(|cell| in_reach[cell] = true);
        }
        let could = |at: Coordinate| board.contains(at) && in_reach[board.cell(at)];
        let went = view.avatar(seat).position;
        if could(view.avatar(seat).home) {
            self.homeward *= STRAYS;
        }
        for (place, weight) in &mut self.treasures {
            if *place == went {
                self.homeward += std::mem::take(weight);
            } else if could(*place) {
                *weight *= STRAYS;
            }
        }
    }
}

/// The board before the last move, and where the mover stood.
fn before(view: &View) -> Option<(Maze, Coordinate)> {
    let Some(Deed::Played(choice)) = view.news.deed else { return None };
    let undo = choice.slide.reversed();
    let start = *view.news.way.first()?;
    let mut board: Board = (*view.maze.board).clone();
    let spare = board.slide(undo, view.maze.spare);
    let from = board.carried(start, undo);
    // What was slid before that is not known.
    Some((Maze { board: board.into(), spare, last: None }, from))
}
