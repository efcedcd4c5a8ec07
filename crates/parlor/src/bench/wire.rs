//! `parlor bench wire`, as it is printed.

use ::wire::Games;
use anyhow::Result;
use serde_json::Value;
use trials::bench::wire::{self, WireBench};

use crate::cli::WireArgs;
use crate::terminal::{Unreadable, output};

pub async fn run(games: &Games, args: &WireArgs) -> Result<()> {
    let game = games.find(&args.game).map_err(Unreadable)?;
    let bench = WireBench {
        tables: args.tables,
        seconds: args.seconds,
        strategy: args.strategy.clone(),
        durable: args.durable,
        connect: args.connect.clone(),
        http: args.http.clone(),
    };
    let result = wire::run(games, game, &bench).await?;
    if args.json {
        return output::line(&result.to_string());
    }
    let number = |value: &Value| {
        value.as_f64().map_or_else(|| "not measured".to_owned(), |n| format!("{n:.2}"))
    };
    for key in [
        "games_per_s",
        "turns_per_s",
        "messages_per_s",
        "client_messages_per_s",
        "server_cpu_us_per_turn",
        "bytes_per_connection",
        "echo_messages_per_s",
        "echo_cpu_us_per_message",
        "ratio_to_echo",
        "bare_turns_per_s",
        "bare_cpu_us_per_turn",
    ] {
        output::line(&format!("{key:<26}{:>14}", number(&result[key])))?;
    }
    for key in ["p50", "p99", "p999"] {
        output::line(&format!("turn latency {key:<13}{:>11} us", result["turn_latency_us"][key]))?;
    }
    Ok(())
}
