//! The cost of idle connections, in memory and in latency for active players.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::time::sleep;
use wire::{AnyGame, Games};

use super::load::{Crowd, WARM_UP};
use super::players;
use crate::child::ChildServer;
use crate::line::Line;

/// What to measure.
#[derive(Clone, Copy, Debug)]
pub struct IdleBench {
    /// Connections that say nothing.
    pub connections: usize,
    /// Tables that play meanwhile, and then again without them.
    pub tables: usize,
    pub seconds: u64,
}

pub async fn run(games: &Games, game: &'static dyn AnyGame, args: IdleBench) -> Result<Value> {
    let (sport, wire) = (game.trial(), game.wires().swap_remove(0));
    let mut set = players::quick(game);
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
    // Wait for the server to settle; nothing shows that from outside.
    sleep(Duration::from_secs(2)).await;
    let after = server.usage()?;
    let grown = after.resident_bytes.saturating_sub(before.resident_bytes) as f64;
    let mut result = json!({
        "game": game.name(),
        "connections": lines.len(),
        "bytes_per_connection": grown / lines.len().max(1) as f64,
    });
    if args.tables > 0 {
        let http = server.addresses.get("http").map(String::as_str);
        let crowd = Crowd::seat((sport, &wire), (0..args.tables, "random"), &address, http)?;
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
    Ok(result)
}

async fn latency(crowd: &Crowd, seconds: u64) -> Value {
    let (mut tally, _) = crowd.count(seconds).await;
    json!({"p50": tally.percentile(0.5), "p99": tally.percentile(0.99)})
}
