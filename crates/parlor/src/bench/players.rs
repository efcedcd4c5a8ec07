//! How each game is benchmarked: its clients, its tables, and settings for whole, quick games.

use anyhow::{Context, Result};
use games::any_dialect::AnyDialect;
use rules::Seed;
use wire::Client;

use crate::unreadable::Unreadable;

/// How a game is benchmarked.
pub struct Sport {
    pub game: &'static str,
    pub seats: usize,
    /// Tables are made over HTTP and joined by name.
    pub named_tables: bool,
    /// Moves that make one turn.
    pub moves_per_turn: usize,
    /// Options of the server that make for whole, quick games.
    pub set: &'static [&'static str],
}

const SPORTS: &[Sport] = &[
    Sport { game: "sushi-go", seats: 2, named_tables: true, moves_per_turn: 2, set: &[] },
    Sport { game: "gamba", seats: 2, named_tables: false, moves_per_turn: 1, set: &[] },
    Sport { game: "tiger-dragon", seats: 4, named_tables: false, moves_per_turn: 1, set: &[] },
    Sport {
        game: "subsim",
        seats: 2,
        named_tables: false,
        moves_per_turn: 2,
        set: &["subsim.max_players=2", "subsim.max_turns=100"],
    },
    Sport {
        game: "labyrinth",
        seats: 2,
        named_tables: false,
        moves_per_turn: 1,
        set: &["labyrinth.max_rounds=30"],
    },
];

/// A sport with its wire. The error says what there is.
pub fn find(game: &str) -> Result<(&'static Sport, AnyDialect)> {
    let wire = AnyDialect::find(game, None).map_err(Unreadable)?;
    let sport = SPORTS.iter().find(|sport| sport.game == game);
    Ok((sport.with_context(|| format!("no benchmark of '{game}'"))?, wire))
}

/// The n-th of many clients.
pub fn client(wire: &AnyDialect, strategy: &str, number: usize) -> Result<Box<dyn Client>> {
    let (name, seed) = ((wire.signs.nth_name)(number), Seed::from_number(number as u64));
    wire.terse_client(strategy, &name, seed).map_err(anyhow::Error::msg)
}
