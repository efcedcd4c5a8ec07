//! How long players wait when the server that hosts their game is stopped and hands it over.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio::time::sleep;
use wire::{AnyGame, Games};

use super::fleet::{FleetBench, arguments, owner};
use super::load::{Crowd, WARM_UP};
use crate::child::ChildServer;
use crate::fleet::cluster::Cluster;

/// The servers of the fleet.
const NAMES: [&str; 3] = ["one", "two", "three"];

/// Players play for this long before the server is stopped.
const BEFORE: Duration = Duration::from_secs(1);

/// Waits are counted for this many seconds at least: one that outlasts them is not seen.
const SHORTEST: u64 = 4;

/// Stops the host of a game again and again. Its players are connected to another server, and their
/// longest wait for an answer counts.
pub async fn run(
    games: &Games,
    game: &'static dyn AnyGame,
    count: usize,
    args: FleetBench,
) -> Result<Value> {
    let (sport, wire) = (game.trial(), game.wires().swap_remove(0));
    let cluster = Cluster::start_durable()?;
    let start = |name: &str| ChildServer::start(&arguments(games, &wire, game, &cluster, name));
    let mut nodes = Vec::new();
    for name in NAMES {
        nodes.push((name, start(name)?));
    }
    let mut waits = Vec::new();
    let mut calm = Vec::new();
    for round in 0..count {
        let servers: Vec<&ChildServer> = nodes.iter().map(|(_, server)| server).collect();
        let host = owner(&servers, game.name()).await?;
        let (name, host) = nodes.remove(host);
        let (address, http) = (&nodes[0].1.addresses[wire.name], &nodes[0].1.addresses["http"]);
        let tables = round * args.tables..(round + 1) * args.tables;
        let crowd = Crowd::seat((sport, &wire), (tables, "random"), address, Some(http))?;
        sleep(WARM_UP).await;
        // What players wait when nothing happens.
        let (mut quiet, _) = crowd.count(args.seconds).await;
        let stop = tokio::spawn(async {
            sleep(BEFORE).await;
            spawn_blocking(|| host.terminate()).await
        });
        let (mut tally, _) = crowd.count(args.seconds.max(SHORTEST)).await;
        let ended = stop.await???;
        crowd.disperse().await?;
        ensure!(ended.success(), "{name} ended with {ended}");
        ensure!(tally.moves > 0 && quiet.moves > 0, "no one has moved");
        waits.push(f64::from(tally.percentile(1.0)) / 1000.0);
        calm.push(f64::from(quiet.percentile(1.0)) / 1000.0);
        nodes.push((name, start(name)?));
    }
    waits.sort_by(f64::total_cmp);
    calm.sort_by(f64::total_cmp);
    Ok(json!({
        "game": game.name(), "tables": args.tables, "handovers": count,
        "longest_wait_ms": waits, "median_ms": middle(&waits),
        "longest_wait_without_ms": calm, "median_without_ms": middle(&calm),
    }))
}

fn middle(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len() / 2).copied()
}
