//! Tiger & Dragon: shed your tiles by attacking and by answering attacks, round after round,
//! until somebody has the target score.
//!
//! One [`TigerDragon`] is a whole match. A seat's own tiles alternate: attack, receive, attack,
//! ..., where to receive is to defend or, when everybody else passed, to put a tile face down.

mod battlefield;
mod bots;
mod choices;
mod config;
mod row;
mod rules;
mod tile;
mod view;

#[cfg(test)]
mod tests;

pub use battlefield::{Battlefield, CARDS, Finish, Scoring, Worth};
pub use bots::BOTS;
pub use choices::{Action, Choices, Situation, answers};
pub use config::{Config, Ruleset, SEATS};
pub use row::Row;
pub use rules::TigerDragon;
pub use tile::{DECK, Tile};
pub use view::{Act, Attack, Discard, Discards, News, PerSeat, Phase, RoundResult, View};
