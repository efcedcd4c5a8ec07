//! How a game is tried out.

/// How benchmarks and soaks play a game. Every game has a clock (`turn_timeout_ms`), which they set
/// themselves.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// How many play at a table.
    pub seats: usize,
    /// Moves that make one turn.
    pub moves_per_turn: usize,
    /// Tables are made over HTTP and joined by name: a slow client would find the listed ones full.
    pub named_tables: bool,
    /// Options for whole, quick games, each `KEY=VALUE`.
    pub quick: &'static [&'static str],
    /// Options under which abandoned games end within seconds.
    pub hurried: &'static [&'static str],
}

impl Trial {
    /// Two take turns, and nothing needs to be set.
    pub const PLAIN: Trial =
        Trial { seats: 2, moves_per_turn: 1, named_tables: false, quick: &[], hurried: &[] };
}
