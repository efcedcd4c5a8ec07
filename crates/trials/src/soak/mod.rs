//! All games at once, played well and badly for a long time on a durable server, and then an audit:
//! nothing broke, nothing leaked, everything is on disk.

mod audit;
mod guest;
mod memory;
mod vandal;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use wire::Games;

use crate::child::ChildServer;
use guest::{Experience, Guest};
use memory::Memory;

/// After the last client is gone, the clocks have this long to end every game.
const AFTERMATH: Duration = Duration::from_secs(120);

/// How a server is soaked.
#[derive(Clone, Copy, Debug)]
pub struct Soak {
    pub seconds: u64,
    /// Clients of each protocol that play.
    pub clients: usize,
}

/// Soaks a server. The report says what is wrong, if anything is; then the folder is kept.
pub async fn soak(games: &Games, args: Soak) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let (data, log) = (folder.path().join("data"), folder.path().join("log"));
    let server = ChildServer::start_logging(&arguments(games, &data), File::create(&log)?)?;
    let http = server.addresses["http"].clone();
    let load = load(games, args, &server).await?;
    let quiet = settle(&http).await;
    let counters = audit::Counters::read(games, &get(&http, "/metrics").await?)?;
    let ended = server.terminate()?;
    let audit = audit::audit(games, &data, &log, &counters)?;

    let mut faults = audit.faults.clone();
    faults.extend(quiet.err().map(|error| format!("{error:#}")));
    faults.extend(load.memory.leak());
    if !ended.success() {
        faults.push(format!("the server ended with {ended}"));
    }
    if load.tally.silences > 0 {
        faults.push(format!("{} clients were not answered", load.tally.silences));
    }
    for (game, finished) in &counters.games_finished {
        if *finished == 0 {
            faults.push(format!("no game of {game} was finished"));
        }
    }
    // Keep what is needed to find the cause.
    let kept = (!faults.is_empty()).then(|| folder.keep().display().to_string());
    Ok(json!({
        "seconds": args.seconds,
        "games_finished": counters.games_finished,
        "moves": counters.moves,
        "records": audit.records,
        "games_verified": audit.verified,
        "memory": load.memory.json(),
        "clients": load.tally.json(),
        "faults": faults,
        "kept": kept,
    }))
}

fn arguments(games: &Games, data: &Path) -> Vec<String> {
    let mut arguments = vec!["serve".to_owned(), "--data".to_owned(), data.display().to_string()];
    for name in games.ports() {
        arguments.extend(["--port".to_owned(), format!("{name}=0")]);
    }
    arguments.extend(["--set".to_owned(), "limits.open_games_per_min=0".to_owned()]);
    for game in games.iter() {
        let strategy = game.wires()[0].strategies[0].name;
        // Short clocks, so that abandoned games end.
        let common = ["turn_timeout_ms=1000", "house_bots_after_ms=500", "waiting_expire_s=5"];
        let bots = format!("house_bots=['{strategy}']");
        for set in common.iter().chain(game.trial().hurried).copied().chain([&*bots]) {
            arguments.extend(["--set".to_owned(), format!("{}.{set}", game.name())]);
        }
    }
    arguments
}

struct Load {
    tally: Experience,
    memory: Memory,
}

/// Connects all players, and has them leave when the time is up.
async fn load(games: &Games, args: Soak, server: &ChildServer) -> Result<Load> {
    let until = Instant::now() + Duration::from_secs(args.seconds);
    let mut guests = JoinSet::new();
    let mut others = JoinSet::new();
    let http = server.addresses["http"].clone();
    let wires = games.iter().flat_map(|game| game.wires()).filter(|wire| !wire.is_house());
    for (kind, wire) in wires.map(Arc::new).enumerate() {
        let address = server.addresses[wire.name].clone();
        for number in 0..args.clients {
            let number = kind * args.clients + number;
            let guest = Guest::new(wire.clone(), address.clone(), number as u64);
            guests.spawn(guest.stay(until));
        }
        others.spawn(vandal::break_in(address, kind as u64, until));
    }
    others.spawn(vandal::break_in(http.clone(), 100, until));
    for number in 0..4 {
        others.spawn(vandal::look_on(http.clone(), number, until));
    }
    let mut memory = Memory::default();
    let begin = Instant::now();
    while Instant::now() < until {
        sleep(Duration::from_millis(250)).await;
        memory.note(begin.elapsed().as_secs_f64(), server.usage()?.resident_bytes);
    }
    let mut tally = Experience::default();
    let gone = async {
        while let Some(guest) = guests.join_next().await {
            tally.add(&guest.context("a client broke down")?);
        }
        while let Some(other) = others.join_next().await {
            other.context("a client broke down")?;
        }
        anyhow::Ok(())
    };
    timeout(AFTERMATH, gone).await.context("the clients do not leave")??;
    Ok(Load { tally, memory })
}

/// Waits until no client is connected and no game is running.
async fn settle(http: &str) -> Result<()> {
    let deadline = Instant::now() + AFTERMATH;
    loop {
        let tables: Value =
            serde_json::from_str(&get(http, "/api/v1/tables?status=playing").await?)?;
        let connected = audit::total(&get(http, "/metrics").await?, "parlor_connections");
        let playing = audit::listed(&tables).len();
        if playing == 0 && connected == 0 {
            return Ok(());
        }
        if Instant::now() > deadline {
            bail!("{playing} games go on for ever, {connected} connections stay");
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// The server's HTTP response.
async fn get(http: &str, path: &str) -> Result<String> {
    let url = format!("http://{http}{path}");
    tokio::task::spawn_blocking(move || Ok(ureq::get(&url).call()?.body_mut().read_to_string()?))
        .await?
}
