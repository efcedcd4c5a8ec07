//! `parlor bench fleet`, as it is printed.

use ::wire::Games;
use anyhow::Result;
use trials::bench::fleet::{self, FleetBench};
use trials::bench::handovers;

use crate::cli::FleetBenchArgs;
use crate::terminal::output;

pub async fn run(games: &Games, args: &FleetBenchArgs) -> Result<()> {
    let game = games.find(&args.game).map_err(anyhow::Error::msg)?;
    let FleetBenchArgs { tables, seconds, rounds, handovers, json, .. } = *args;
    let bench = FleetBench { tables, seconds, rounds };
    let report = match handovers {
        None => fleet::run(games, game, bench).await?,
        Some(count) => handovers::run(games, game, count, bench).await?,
    };
    output::line(&if json { report.to_string() } else { serde_json::to_string_pretty(&report)? })
}
