//! How fast a game's rules are, on one core.

use std::time::{Duration, Instant};

use rules::Seed;
use wire::AnyGame;

/// Random games one after another for a while: moves and games a second.
pub fn playouts(game: &'static dyn AnyGame, run: Duration) -> (f64, f64) {
    let seats = game.trial().seats;
    let (mut moves, mut games) = (0u64, 0u64);
    let start = Instant::now();
    while games == 0 || start.elapsed() < run {
        moves += game.play_at_random(seats, Seed::from_number(games));
        games += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    (moves as f64 / seconds, games as f64 / seconds)
}
