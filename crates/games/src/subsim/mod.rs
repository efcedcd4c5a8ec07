//! SubSim: submarines hunt each other on a map nobody sees.
//!
//! Every turn each player gives one order to each of its submarines that is under water; all
//! orders are resolved together. A submarine charges its equipment by moving or sleeping, looks
//! around with sonar, and fights with torpedoes and mines. Points are damage to enemies.

mod bots;
mod rules;
#[cfg(test)]
mod tests;

pub use bots::BOTS;
pub use rules::{
    Action, Chart, Command, Config, Contact, Detected, Detonation, Direction, End, Equipment,
    Fleet, Heard, Hit, MINE_SIZE, Mine, OBSTACLE_SIZE, Order, Phase, Report, STANDARD_SIZE, Square,
    Sub, SubConfig, SubId, SubKind, SubSim, View, Weapon, check_placing,
};
