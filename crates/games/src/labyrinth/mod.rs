//! Labyrinth: slide a row or column, push the spare tile in, walk to the treasure, then home.
//!
//! The labyrinth itself is in `board`, `reach` and `maze`. The rules play in it: `rules` is the
//! game, `deal` its beginning, `turn` what a turn does, `scoring` its end, `view` what is seen.
//! [`json`] reads and writes the definitions that programs exchange; [`exercises`] answers the
//! course's questions about single boards and, with `referee`, whole games.

mod board;
mod bots;
mod config;
mod deal;
pub mod exercises;
mod gems;
pub mod json;
mod maze;
mod reach;
mod referee;
mod rules;
mod scoring;
mod state;
#[cfg(test)]
mod tests;
mod turn;
mod view;

pub use board::{Board, Connector, Coordinate, Degree, Direction, Slide, Tile};
pub use bots::{BOTS, Strategy};
pub use config::{Config, Passes, Scoring, Treasures, TurnOrder};
pub use gems::{Gem, Treasure};
pub use maze::{Choice, Maze, Prospect};
pub use reach::Cells;
pub use rules::{Action, Avatar, Labyrinth, Quest};
pub use state::{Color, Player, State};
pub use view::{Deed, Ending, News, Phase, SeatView, View};
