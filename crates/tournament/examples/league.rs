//! Plays a ladder of bots whose strengths are known and prints how well it found them:
//! `cargo run --release -p tournament --example league -- [BOTS] [SEATS] [GAMES EACH] [SEEDS]`.

use std::io::{self, Write};
use std::time::Instant;

#[path = "../tests/it/league.rs"]
mod league;

use league::League;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>());
    let mut next = |usual: usize| numbers.next().transpose().map(|n| n.unwrap_or(usual));
    let (bots, table_seats, games_each, seeds) = (next(500)?, next(2)?, next(100)?, next(3)?);
    let mut out = io::stdout().lock();
    for seed in 1..=seeds as u64 {
        let begun = Instant::now();
        let report =
            league::play(League { bots, table_seats, games_each, seed, ..League::default() });
        let (text, took) = (report.text(), begun.elapsed());
        writeln!(
            out,
            "{bots} bots, tables of {table_seats}, seed {seed}: {text}; took {took:.1?}"
        )?;
    }
    Ok(())
}
