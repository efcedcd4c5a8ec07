//! `parlor bench fleet`, as it is printed.

use ::wire::Games;
use anyhow::Result;
use trials::bench::fleet::{self, FleetBench};

use crate::cli::FleetBenchArgs;
use crate::terminal::output;

pub async fn run(games: &Games, args: &FleetBenchArgs) -> Result<()> {
    let game = games.find(&args.game).map_err(anyhow::Error::msg)?;
    let FleetBenchArgs { tables, seconds, rounds, json, .. } = *args;
    let report = fleet::run(games, game, FleetBench { tables, seconds, rounds }).await?;
    output::line(&if json { report.to_string() } else { serde_json::to_string_pretty(&report)? })
}
