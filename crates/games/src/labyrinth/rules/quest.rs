//! How a seat's quest goes on: what slides and arrivals do to it.

use super::super::board::{Board, Coordinate, Slide};
use super::Quest;
use super::config::Treasures;

/// What it means for a quest that a move of its seat has ended somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    Elsewhere,
    /// The goal is reached, and there is another, or the way home.
    Found,
    /// Everything is found, and this is home: the game ends.
    Home,
}

impl Quest {
    /// "If treasures are ever put on movable tiles, the treasure travels with the tile and can be
    /// the spare." The tile without a place is the spare, which comes in at the hole.
    pub(super) fn carry(&mut self, treasures: Treasures, board: &Board, slide: Slide) {
        if treasures == Treasures::Place {
            return;
        }
        let (pushed_off, hole) = board.ends_of(slide);
        self.place = match self.place {
            None => Some(hole),
            Some(place) if place == pushed_off => None,
            Some(place) => Some(board.carried(place, slide)),
        };
    }

    /// "First on its treasure tile; from then on its target is its home." Where both are the same
    /// tile, the visit that finds the treasure is not the return.
    pub(super) fn arrive(
        &mut self,
        position: Coordinate,
        home: Coordinate,
        goals: &mut Vec<Coordinate>,
    ) -> Arrival {
        if self.target(home) != Some(position) {
            return Arrival::Elsewhere;
        }
        if self.homeward {
            return Arrival::Home;
        }
        self.found += 1;
        match goals.pop() {
            // "If the last goal handed out happens to be the player's own home, arriving there
            // ends the game and does not count as a goal."
            Some(goal) if !(goal == home && goals.is_empty()) => self.place = Some(goal),
            _ => self.homeward = true,
        }
        Arrival::Found
    }
}
