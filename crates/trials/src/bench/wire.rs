//! Whole games over real sockets, and a bare echo for comparison.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use wire::{AnyDialect, AnyGame, Framing, Games, Trial};

use super::load::{Crowd, LoadCounts, WARM_UP};
use super::players;
use crate::child::{ChildServer, Usage};
use crate::line::Line;

/// What to measure.
#[derive(Clone, Debug)]
pub struct WireBench {
    /// Tables that play at the same time.
    pub tables: usize,
    pub seconds: u64,
    /// The house strategy of all players.
    pub strategy: String,
    /// Whether the journal is on disk.
    pub durable: bool,
    /// A running server to use in place of a child, and where its HTTP is.
    pub connect: Option<String>,
    pub http: Option<String>,
}

pub async fn run(games: &Games, game: &'static dyn AnyGame, args: &WireBench) -> Result<Value> {
    let (sport, wire) = (game.trial(), game.wires().swap_remove(0));
    let folder = args.durable.then(tempfile::tempdir).transpose()?;
    let set = players::quick(game);
    let server = match &args.connect {
        Some(_) => None,
        None => {
            let data = folder.as_ref().map(|folder| folder.path());
            Some(ChildServer::host(games, wire.name, data, &set)?)
        }
    };
    let address = match (&args.connect, &server) {
        (Some(address), _) => address.clone(),
        (None, Some(server)) => server.addresses[wire.name].clone(),
        (None, None) => unreachable!("one or the other"),
    };
    let http = args
        .http
        .clone()
        .or_else(|| server.as_ref().map(|server| server.addresses["http"].clone()));
    let measured =
        measure((sport, &wire), args, &address, http.as_deref(), server.as_ref()).await?;
    drop(server);
    let connections = args.tables * sport.seats;
    let bytes = measured.message_bytes;
    let alone = echo(1, connections, bytes, args.seconds).await?;
    let tables = match sport.moves_per_turn {
        1 => Some(echo(sport.seats, connections, bytes, args.seconds).await?),
        // All speak at once and each is answered: that is as many echoes.
        _ => None,
    };
    Ok(report(game, args, measured, &alone, tables.as_ref()))
}

struct Measured {
    tally: LoadCounts,
    seconds: f64,
    cpu_us: Option<f64>,
    bytes_per_connection: Option<f64>,
    message_bytes: usize,
}

async fn measure(
    (sport, wire): (Trial, &AnyDialect),
    args: &WireBench,
    address: &str,
    http: Option<&str>,
    server: Option<&ChildServer>,
) -> Result<Measured> {
    let usage = || server.map(ChildServer::usage).transpose();
    let empty: Option<Usage> = usage()?;
    let crowd = Crowd::seat((sport, wire), (0..args.tables, &args.strategy), address, http)?;
    tokio::time::sleep(WARM_UP).await;
    let before = usage()?;
    let (tally, seconds) = crowd.count(args.seconds).await;
    let after = usage()?;
    crowd.disperse().await?;
    let connections = (args.tables * sport.seats) as f64;
    let cpu_us = before.zip(after).map(|(before, after)| after.cpu_us - before.cpu_us);
    let grown = empty
        .zip(after)
        .map(|(empty, after)| after.resident_bytes.saturating_sub(empty.resident_bytes));
    let message_bytes = (tally.sent_bytes / tally.sent.max(1)).max(1) as usize;
    Ok(Measured {
        tally,
        seconds,
        cpu_us,
        bytes_per_connection: grown.map(|bytes| bytes as f64 / connections),
        message_bytes,
    })
}

/// The figures of a bare echo.
struct Echo {
    messages_per_s: f64,
    /// CPU time per message: one read, and one write per member of the table.
    cpu_us_per_message: f64,
}

/// A bare echo with the same number of connections and message size: `seats` connections per table
/// take turns, and all of them receive each message.
async fn echo(seats: usize, connections: usize, bytes: usize, seconds: u64) -> Result<Echo> {
    let arguments = ["bench", "echo-server", "--seats", &seats.to_string()].map(str::to_owned);
    let server = ChildServer::start(&arguments)?;
    let mut lines = Vec::new();
    for _ in 0..connections {
        let framing = Framing::Lines { max: bytes };
        lines.push(Line::connect(&server.addresses["echo"], framing).await?);
    }
    let said = Arc::new(AtomicU64::new(0));
    let mut clients: JoinSet<Result<()>> = JoinSet::new();
    for (number, mut line) in lines.into_iter().enumerate() {
        let (said, message) = (said.clone(), "x".repeat(bytes - 1));
        clients.spawn(async move {
            for heard in 0.. {
                if heard % seats == number % seats {
                    line.queue(message.clone());
                    line.flush().await?;
                    said.fetch_add(1, Ordering::Relaxed);
                }
                line.hear(|_| ()).await?.context("the echo has closed")?;
            }
            Ok(())
        });
    }
    let (start, before) = (Instant::now(), server.usage()?);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let (seconds, after) = (start.elapsed().as_secs_f64(), server.usage()?);
    let said = said.load(Ordering::Relaxed);
    // A client ends early only with an error.
    while let Some(failed) = clients.try_join_next() {
        failed??;
    }
    Ok(Echo {
        messages_per_s: said as f64 / seconds,
        cpu_us_per_message: (after.cpu_us - before.cpu_us) / said.max(1) as f64,
    })
}

fn report(
    game: &'static dyn AnyGame,
    args: &WireBench,
    mut measured: Measured,
    echo: &Echo,
    tables: Option<&Echo>,
) -> Value {
    let (sport, seconds) = (game.trial(), measured.seconds);
    let tally = &mut measured.tally;
    let answered_per_s = tally.sent as f64 / seconds;
    let turns = tally.moves as f64 / sport.moves_per_turn as f64;
    json!({
        "game": game.name(),
        "tables": args.tables,
        "strategy": args.strategy,
        "seconds": seconds,
        "durable": args.durable,
        "games_per_s": tally.games as f64 / sport.seats as f64 / seconds,
        "messages_per_s": (tally.sent + tally.received) as f64 / seconds,
        "client_messages_per_s": answered_per_s,
        "turns_per_s": turns / seconds,
        "turn_latency_us": {
            "p50": tally.percentile(0.5),
            "p99": tally.percentile(0.99),
            "p999": tally.percentile(0.999),
        },
        "server_cpu_us_per_turn": measured.cpu_us.map(|cpu| cpu / turns.max(1.0)),
        "bytes_per_connection": measured.bytes_per_connection,
        "echo_messages_per_s": echo.messages_per_s,
        "echo_cpu_us_per_message": echo.cpu_us_per_message,
        "ratio_to_echo": answered_per_s / echo.messages_per_s,
        "bare_turns_per_s": tables.map(|bare| bare.messages_per_s),
        "bare_cpu_us_per_turn": tables.map(|bare| bare.cpu_us_per_message),
    })
}
