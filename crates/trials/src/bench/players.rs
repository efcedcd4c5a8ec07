//! The clients of benchmarks.

use anyhow::Result;
use rules::Seed;
use wire::{AnyDialect, AnyGame, Client};

/// The options for whole, quick games, as a server takes them.
pub fn quick(game: &'static dyn AnyGame) -> Vec<String> {
    game.trial().quick.iter().map(|set| format!("{}.{set}", game.name())).collect()
}

/// The n-th of many clients.
pub fn client(wire: &AnyDialect, strategy: &str, number: usize) -> Result<Box<dyn Client>> {
    let (name, seed) = ((wire.signs.nth_name)(number), Seed::from_number(number as u64));
    wire.terse_client(strategy, &name, seed).map_err(anyhow::Error::msg)
}
