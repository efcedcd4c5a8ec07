//! The clients of benchmarks.

use anyhow::Result;
use rules::Seed;
use wire::{AnyDialect, Client, Games, Trial};

use crate::unreadable::Unreadable;

/// How a game is benchmarked, and its main wire. The error says what there is.
pub fn find(games: &Games, game: &str) -> Result<(Trial, AnyDialect)> {
    let game = games.find(game).map_err(Unreadable)?;
    Ok((game.trial(), game.wires().swap_remove(0)))
}

/// The options for whole, quick games, as a server takes them.
pub fn quick(trial: Trial, game: &str) -> Vec<String> {
    trial.quick.iter().map(|set| format!("{game}.{set}")).collect()
}

/// The n-th of many clients.
pub fn client(wire: &AnyDialect, strategy: &str, number: usize) -> Result<Box<dyn Client>> {
    let (name, seed) = ((wire.signs.nth_name)(number), Seed::from_number(number as u64));
    wire.terse_client(strategy, &name, seed).map_err(anyhow::Error::msg)
}
