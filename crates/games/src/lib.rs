//! The games, one folder each: rules, bots, wire protocols and their tests.
//!
//! Inside a folder, `rules` sees only the crate `rules`; `bots` sees that and its own game's
//! rules; `wire` may also use `hall` and `wire`.

mod boards;
pub mod gamba;
pub mod labyrinth;
mod roster;
pub mod subsim;
pub mod sushi_go;
pub mod tiger_dragon;

pub use roster::{each, list};

#[cfg(test)]
mod bans_tests;
#[cfg(test)]
mod clauses_tests;
#[cfg(test)]
mod clocks_tests;
#[cfg(test)]
mod frames_tests;
#[cfg(test)]
mod fuzz_tests;
#[cfg(test)]
mod house_tests;
#[cfg(test)]
mod pages_tests;
#[cfg(test)]
mod strangers_tests;
