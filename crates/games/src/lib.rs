//! The games, one folder each: rules, bots, wire protocols and their tests.
//!
//! Inside a folder, `rules` sees only the crate `rules`; `bots` sees that and its own game's
//! rules; `wire` may also use `hall` and `wire`.

pub mod subsim;
