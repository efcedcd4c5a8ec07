//! The list of games. A new game is one folder and one line here.

use wire::Playable;

use crate::gamba::Gamba;
use crate::labyrinth::Labyrinth;
use crate::subsim::SubSim;
use crate::sushi_go::SushiGo;
use crate::tiger_dragon::TigerDragon;

/// Something done for each game of the roster, whatever its types.
pub trait Visitor {
    fn visit<G: Playable>(&mut self);
}

/// Visits every game, in the order in which they are shown.
pub fn each(visitor: &mut impl Visitor) {
    visitor.visit::<SushiGo>();
    visitor.visit::<Gamba>();
    visitor.visit::<TigerDragon>();
    visitor.visit::<SubSim>();
    visitor.visit::<Labyrinth>();
}

/// Every port name the server accepts, whether its game is built in or not.
pub const PORTS: [&str; 8] = [
    "sushi-go",
    "sushi-go-sdk",
    "subsim",
    "gamba",
    "labyrinth",
    "labyrinth-course",
    "tiger-dragon",
    "http",
];

/// Every game name the server accepts, whether it is built in or not.
pub const GAMES: [&str; 5] = ["sushi-go", "subsim", "gamba", "labyrinth", "tiger-dragon"];

#[cfg(test)]
#[path = "roster_tests.rs"]
mod tests;
