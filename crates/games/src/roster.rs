//! The list of games. A new game is one folder and one line here.

use wire::{Games, Visitor};

use crate::gamba::Gamba;
use crate::labyrinth::Labyrinth;
use crate::subsim::SubSim;
use crate::sushi_go::SushiGo;
use crate::tiger_dragon::TigerDragon;

/// Visits every game, in the order in which they are shown.
pub fn each(visitor: &mut impl Visitor) {
    visitor.visit::<SushiGo>();
    visitor.visit::<Gamba>();
    visitor.visit::<TigerDragon>();
    visitor.visit::<SubSim>();
    visitor.visit::<Labyrinth>();
}

/// Every game.
pub fn list() -> Games {
    let mut games = Games::default();
    each(&mut games);
    games
}

#[cfg(test)]
#[path = "roster_tests.rs"]
mod tests;
