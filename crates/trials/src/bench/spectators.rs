//! How long an accepted action takes to reach every spectator of one Tiger & Dragon table.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use hall::Time;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use wire::{Client, Games, Reaction};

use super::load::LoadCounts;
use super::players;
use crate::child::ChildServer;
use crate::line::Line;

/// When the action was sent that led to each `state`, in microseconds since the beginning.
type Sent = Arc<Vec<AtomicU64>>;

/// A pause between actions: spectators watch play, not a flood.
const PACE: Duration = Duration::from_millis(50);

/// Measures with this many spectators for this many seconds.
pub async fn run(games: &Games, count: usize, seconds: u64) -> Result<Value> {
    let wire = games.wire("tiger-dragon", None).map_err(anyhow::Error::msg)?;
    let set = ["tiger-dragon.players=2".to_owned(), "tiger-dragon.target=1000".to_owned()];
    let server = ChildServer::host(games, wire.name, None, &set)?;
    let address = server.addresses[wire.name].clone();
    let begin = Instant::now();
    let sent: Sent = Arc::new((0..100_000).map(|_| AtomicU64::new(0)).collect());
    let mut spectators = JoinSet::new();
    for number in 0..count {
        let mut line = Line::connect(&address, wire.framing)
            .await
            .with_context(|| format!("spectator {number}"))?;
        line.queue(format!(
            r#"{{"type":"join","room_id":"room1","player_id":"s{number}","role":"spectator"}}"#
        ));
        line.flush().await?;
        spectators.spawn(watch(line, sent.clone(), begin));
    }
    let until = Instant::now() + Duration::from_secs(seconds);
    let before = server.usage()?;
    let connect = async || Line::connect(&address, wire.framing).await;
    let one = tokio::spawn(play(
        connect().await?,
        players::client(&wire, "random", 1)?,
        sent.clone(),
        begin,
        until,
    ));
    let two = tokio::spawn(play(
        connect().await?,
        players::client(&wire, "random", 2)?,
        sent.clone(),
        begin,
        until,
    ));
    let actions = one.await?? + two.await??;
    let after = server.usage()?;
    drop(server);
    let mut tally = LoadCounts::default();
    while let Some(watched) = spectators.join_next().await {
        tally.latencies_us.extend(watched?);
    }
    Ok(json!({
        "spectators": count,
        "actions": actions,
        "deliveries": tally.latencies_us.len(),
        "latency_us": {"p50": tally.percentile(0.5), "p99": tally.percentile(0.99), "p999": tally.percentile(0.999)},
        "server_cpu_us_per_delivery": (after.cpu_us - before.cpu_us) / tally.latencies_us.len().max(1) as f64,
    }))
}

/// Every accepted action is one `state` for every client: the n-th state answers the n-th action.
async fn watch(mut line: Line, sent: Sent, begin: Instant) -> Vec<u32> {
    let mut latencies = Vec::new();
    let mut states = 0;
    while let Ok(Some(message)) = line.receive().await {
        if message.starts_with(r#"{"type":"state""#) {
            let at = sent.get(states).map_or(0, |at| at.load(Ordering::Relaxed));
            if at > 0 {
                latencies.push((begin.elapsed().as_micros() as u64).saturating_sub(at) as u32);
            }
            states += 1;
        }
    }
    latencies
}

async fn play(
    mut line: Line,
    mut player: Box<dyn Client>,
    sent: Sent,
    begin: Instant,
    until: Instant,
) -> Result<u64> {
    let now = || Time(begin.elapsed().as_millis() as u64);
    let mut reactions = Vec::new();
    let (mut states, mut actions) = (0, 0);
    player.seek(now(), None, &mut reactions);
    player.open(now(), &mut reactions);
    while Instant::now() < until {
        for reaction in reactions.drain(..) {
            match reaction {
                Reaction::Say(text) => line.queue(text),
                Reaction::Move(text) => {
                    tokio::time::sleep(PACE).await;
                    if let Some(at) = sent.get(states) {
                        at.store(begin.elapsed().as_micros() as u64, Ordering::Relaxed);
                    }
                    line.queue(text);
                    actions += 1;
                }
                Reaction::Refused(why) | Reaction::GiveUp(why) => bail!("refused: {why}"),
                Reaction::Over(_) | Reaction::Hangup => return Ok(actions),
            }
        }
        line.flush().await?;
        let next = tokio::time::timeout(Duration::from_secs(2), line.receive()).await;
        let Ok(Some(message)) = next.unwrap_or(Ok(None)) else { break };
        states += usize::from(message.starts_with(r#"{"type":"state""#));
        player.on_text(now(), &message, &mut reactions);
    }
    Ok(actions)
}
