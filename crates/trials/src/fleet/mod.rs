//! A fleet under fire: three nodes as processes on one PostgreSQL, players of every wire and two
//! tournaments, faults by chance; then an independent checker.

pub mod cable;
mod checker;
pub mod cluster;
mod crowd;
mod databases;
mod faults;
mod memories;
mod network;
mod nodes;
mod player;
mod tournaments;
mod trail;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use store::postgres::{Database, PostgresArchive};
use tokio::time::Instant;
use wire::Games;

use crowd::Crowd;
use databases::Databases;
use network::Network;
use nodes::{Fleet, Node, Nodes};
use player::Life;
use tournaments::Event;
use trail::Trail;

/// How a fleet is tried.
#[derive(Clone, Copy, Debug)]
pub struct FleetTrial {
    /// How many things go wrong.
    pub kills: u64,
    pub seed: u64,
    /// Players of each wire.
    pub players: usize,
    /// Whether machines can lose power and change addresses. It takes root.
    pub has_network: bool,
}

/// How many nodes there are.
const NODES: u8 = 3;

/// After the last fault every player comes to its end within this.
const AFTERMATH: Duration = Duration::from_secs(180);

/// When nothing goes wrong any more, a journal keeps no more than this for other nodes, however much was said.
const MOST_KEPT: u64 = 4 * 1024 * 1024;

/// Tests a fleet. The report lists what is wrong. In that case, or when the trial itself fails,
/// logs are kept.
pub async fn try_fleet(games: &Games, trial: FleetTrial) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let mut tried = try_in(folder.path(), games, trial).await;
    let is_wrong =
        |report: &Value| report["faults"].as_array().is_some_and(|wrong| !wrong.is_empty());
    if tried.as_ref().map_or(true, is_wrong) {
        let kept = folder.keep().display().to_string();
        match &mut tried {
            Ok(report) => report["kept"] = kept.into(),
            Err(_) => return tried.with_context(|| format!("logs are kept in {kept}")),
        }
    }
    tried
}

async fn try_in(folder: &Path, games: &Games, trial: FleetTrial) -> Result<Value> {
    let begin = Instant::now();
    let databases = Arc::new(Databases::start(games.names())?);
    let nodes = start_nodes(folder, games, trial, &databases)?;
    let events = ["gamba", "sushi-go"].map(Event::new);
    for event in &events {
        event.begin(&nodes, trial.rounds()).await.context("a tournament cannot begin")?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let mut players = Crowd::of_all_wires(games, trial, &nodes, &stop);
    let mut entrants = Crowd::default();
    let mut ends = Vec::new();
    for event in &events {
        let over = Arc::new(AtomicBool::new(false));
        entrants.enter(games, trial, event, &nodes, &over)?;
        // No fault takes longer.
        let faults = Duration::from_secs(trial.kills * 5);
        ends.push(tokio::spawn(event.clone().end(nodes.clone(), over, faults)));
    }
    let done = faults::wreak(databases.clone(), nodes.clone(), trial, folder).await?;
    stop.store(true, Ordering::Relaxed);
    let mut wrong = done.wrong;
    let mut tournaments = Vec::new();
    for end in ends {
        match end.await? {
            Ok(tournament) => tournaments.push(Some(tournament)),
            Err(error) => {
                wrong.push(format!("{error:#}"));
                tournaments.push(None);
            }
        }
    }
    let mut lives: Vec<Life> = Vec::new();
    for crowd in [&mut players, &mut entrants] {
        lives.extend(crowd.end_within(AFTERMATH).await?);
        for trail in crowd.left() {
            let seats = seats_of(&nodes, trail).await;
            wrong.push(format!("does not come to an end: {}; {seats}", trail.tell()));
        }
    }
    let asked = nodes.clone();
    wrong.extend(tokio::task::spawn_blocking(move || too_much_kept(&asked)).await?);
    let primary = databases.primary();
    let (database, _) = Database::open(&primary.url(primary.address))?;
    let archive = PostgresArchive::new(database);
    wrong.extend(nodes.iter().filter_map(|node| Some(format!("{:#}", node.terminate().err()?))));
    wrong.extend(nodes.iter().flat_map(|node| complaints(&node.log())));
    let mut verdict = checker::check(games, &archive, &lives)?;
    for (event, tournament) in events.iter().zip(&tournaments) {
        if let Some(tournament) = tournament {
            verdict.faults.extend(event.check(tournament, &archive)?);
        }
    }
    wrong.append(&mut verdict.faults);
    let lost: u64 = lives.iter().map(|life| life.lost).sum();
    Ok(json!({
        "seed": trial.seed, "faults_inflicted": trial.kills, "by_kind": done.by_kind,
        "seconds": begin.elapsed().as_secs(),
        "players": lives.len(), "connections_lost": lost,
        "tournament_pairings": tournaments.iter().flatten().filter_map(|tournament|
            tournament["pairings"].as_array().map(Vec::len)).sum::<usize>(),
        "checked": verdict.json(),
        "faults": wrong,
    }))
}

/// Nodes that have just started.
fn start_nodes(
    folder: &Path,
    games: &Games,
    trial: FleetTrial,
    databases: &Databases,
) -> Result<Nodes> {
    let why = "machines that lose power need root and `ip`; leave them out with --no-network";
    let network = trial.has_network.then(Network::build).transpose().context(why)?.map(Arc::new);
    std::fs::write(folder.join("hosts"), "127.0.0.1 localhost\n")?;
    let cluster = databases.primary();
    let new = |number| Node::new(games, &cluster, folder, number, network.as_ref());
    let nodes = Fleet::new((1..=NODES).map(new).collect::<Result<_>>()?);
    for node in nodes.iter() {
        node.start()?;
    }
    Ok(Arc::new(nodes))
}

impl FleetTrial {
    /// Tournaments last about as long as the faults do.
    fn rounds(self) -> u32 {
        1 + (self.kills / 40) as u32
    }
}

/// Where a player sits, according to any node.
async fn seats_of(nodes: &Nodes, trail: &Trail) -> String {
    let name = json!(trail.name()).to_string();
    let mut tables = Vec::new();
    for status in ["waiting", "playing"] {
        let path = format!("/api/v1/tables?game={}&status={status}&limit=200", trail.game());
        match tournaments::ask(nodes, &path, None).await {
            Ok(listed) => {
                let listed = listed["tables"].as_array().into_iter().flatten();
                let listed = listed.map(Value::to_string).filter(|table| table.contains(&name));
                tables.extend(listed);
            }
            Err(error) => return format!("nobody says where it sits: {error:#}"),
        }
    }
    if tables.is_empty() { "it sits nowhere".to_owned() } else { tables.join(", ") }
}

/// Journals that keep more for other nodes than any need to.
fn too_much_kept(nodes: &Nodes) -> Vec<String> {
    let kept = nodes.iter().map(|node| (&node.name, node.journal_bytes()));
    let kept = kept.filter(|(_, bytes)| *bytes > MOST_KEPT);
    kept.map(|(name, bytes)| format!("{name} keeps {bytes} bytes for other nodes")).collect()
}

/// Lines that a log shouldn't contain.
fn complaints(log: &str) -> Vec<String> {
    let bad = |line: &&str| line.contains("panicked") || line.contains("\"level\":\"ERROR\"");
    log.lines().filter(bad).map(|line| format!("a log says: {line}")).collect()
}
