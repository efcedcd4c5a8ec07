//! `parlor bench idle`: what a connection costs that says nothing.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use super::child::ChildServer;
use super::players;
use crate::cli::IdleArgs;
use crate::line::Line;
use crate::output;

pub async fn run(args: &IdleArgs) -> Result<()> {
    let (sport, wire) = players::find(&args.game)?;
    let set = [
        "limits.first_message_ms=0".to_owned(),
        format!("limits.connections={}", args.connections + 100),
    ];
    let server = ChildServer::host(wire.name, None, &set)?;
    let address = server.addresses[wire.name].clone();
    let before = server.usage()?;
    let mut lines = Vec::new();
    for number in 0..args.connections {
        let line = Line::connect(&address, wire.framing).await;
        lines.push(line.with_context(|| format!("connection {number}"))?);
    }
    // Until the server has settled: nothing tells from outside.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = server.usage()?;
    let per_connection =
        after.resident_bytes.saturating_sub(before.resident_bytes) as f64 / lines.len() as f64;
    let result = json!({"game": sport.game, "connections": lines.len(), "bytes_per_connection": per_connection});
    if args.json {
        output::line(&result.to_string())
    } else {
        output::line(&format!(
            "{} idle connections: {per_connection:.0} bytes of server memory each",
            lines.len()
        ))
    }
}
