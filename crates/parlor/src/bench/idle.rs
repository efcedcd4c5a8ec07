//! `parlor bench idle`: what connections cost that say nothing, in memory and in the time of those
//! who play beside them.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::time::sleep;
use wire::Games;

use super::child::ChildServer;
use super::load::Crowd;
use super::players;
use super::wire::WARM_UP;
use crate::cli::IdleArgs;
use crate::line::Line;
use crate::output;

pub async fn run(games: &Games, args: &IdleArgs) -> Result<()> {
    let (sport, wire) = players::find(games, &args.game)?;
    let mut set = players::quick(sport, wire.game);
    set.push("limits.first_message_ms=0".to_owned());
    let players = args.tables * sport.seats;
    set.push(format!("limits.connections={}", args.connections + players + args.tables + 100));
    let server = ChildServer::host(games, wire.name, None, &set)?;
    let address = server.addresses[wire.name].clone();
    let before = server.usage()?;
    let mut lines = Vec::new();
    for number in 0..args.connections {
        let line = Line::connect(&address, wire.framing).await;
        lines.push(line.with_context(|| format!("connection {number}"))?);
    }
    // Until the server has settled: nothing tells from outside.
    sleep(Duration::from_secs(2)).await;
    let after = server.usage()?;
    let grown = after.resident_bytes.saturating_sub(before.resident_bytes) as f64;
    let mut result = json!({
        "game": args.game,
        "connections": lines.len(),
        "bytes_per_connection": grown / lines.len().max(1) as f64,
    });
    if args.tables > 0 {
        let http = server.addresses.get("http").map(String::as_str);
        let crowd = Crowd::seat((sport, &wire), (args.tables, "random"), &address, http)?;
        sleep(WARM_UP).await;
        let beside = latency(&crowd, args.seconds).await;
        drop(lines);
        sleep(WARM_UP).await;
        let alone = latency(&crowd, args.seconds).await;
        crowd.disperse().await?;
        let change = beside["p99"].as_f64().zip(alone["p99"].as_f64());
        result["tables"] = args.tables.into();
        result["turn_latency_us"] = json!({"alone": alone, "beside": beside});
        result["p99_ratio"] = change.map(|(beside, alone)| beside / alone.max(1.0)).into();
    }
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

async fn latency(crowd: &Crowd, seconds: u64) -> Value {
    let (mut tally, _) = crowd.count(seconds).await;
    json!({"p50": tally.percentile(0.5), "p99": tally.percentile(0.99)})
}
