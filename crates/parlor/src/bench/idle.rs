//! `parlor bench idle`, as it is printed.

use anyhow::Result;
use trials::bench::idle::{self, IdleBench};
use wire::Games;

use crate::cli::IdleArgs;
use crate::terminal::{Unreadable, output};

pub async fn run(games: &Games, args: &IdleArgs) -> Result<()> {
    let game = games.find(&args.game).map_err(Unreadable)?;
    let IdleArgs { connections, tables, seconds, .. } = *args;
    let result = idle::run(games, game, IdleBench { connections, tables, seconds }).await?;
    if args.json {
        return output::line(&result.to_string());
    }
    let bytes = result["bytes_per_connection"].as_f64().unwrap_or_default();
    let count = &result["connections"];
    output::line(&format!("{count} idle connections: {bytes:.0} bytes of server memory each"))?;
    if args.tables > 0 {
        let p99 = |when: &str| result["turn_latency_us"][when]["p99"].to_string();
        let ratio = result["p99_ratio"].as_f64().unwrap_or_default();
        output::line(&format!(
            "{} tables, turn latency p99: {} us beside them, {} us alone, {ratio:.2} times",
            args.tables,
            p99("beside"),
            p99("alone"),
        ))?;
    }
    Ok(())
}
