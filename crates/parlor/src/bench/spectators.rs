//! `parlor bench spectators`, as it is printed.

use anyhow::Result;
use trials::bench::spectators;
use wire::Games;

use crate::cli::SpectatorArgs;
use crate::terminal::output;

pub async fn run(games: &Games, args: &SpectatorArgs) -> Result<()> {
    let result = spectators::run(games, args.spectators, args.seconds).await?;
    if args.json {
        return output::line(&result.to_string());
    }
    output::line(&format!(
        "{} spectators, {} actions, {} deliveries: p50 {} us, p99 {} us, p99.9 {} us",
        args.spectators,
        result["actions"],
        result["deliveries"],
        result["latency_us"]["p50"],
        result["latency_us"]["p99"],
        result["latency_us"]["p999"]
    ))
}
