//! The games, one folder each: rules, bots, wire protocols and their tests.
//!
//! Inside a folder, `rules` sees only the crate `rules`; `bots` sees that and its own game's
//! rules; `wire` may also use `hall` and `wire`.

pub mod any_dialect;
pub mod boards;
pub mod frames;
pub mod gamba;
pub mod labyrinth;
pub mod roster;
pub mod subsim;
pub mod sushi_go;
pub mod tiger_dragon;

#[cfg(test)]
mod clocks_tests;
#[cfg(test)]
mod house_tests;
