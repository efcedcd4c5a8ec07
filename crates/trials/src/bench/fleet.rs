//! The cost of a shared PostgreSQL compared with a data folder, the latency of a relay, and the
//! duration of a takeover.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::time::sleep;
use wire::{AnyDialect, AnyGame, Games, Trial};

use super::load::{Crowd, WARM_UP};
use super::players;
use crate::child::{ChildServer, LIFTED, Usage};
use crate::fleet::cluster::Cluster;

/// What to measure.
#[derive(Clone, Copy, Debug)]
pub struct FleetBench {
    /// Tables that play at the same time.
    pub tables: usize,
    pub seconds: u64,
    /// Number of rounds; each measures everything once.
    pub rounds: usize,
}

/// One measurement.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    turns_per_s: f64,
    p50_us: f64,
    /// By a turn: of the server that has the hall, of the one that has the clients, of the database.
    owner_us: f64,
    gateway_us: f64,
    database_us: f64,
}

/// Processes whose CPU time is counted.
struct Meters<'a> {
    owner: &'a ChildServer,
    gateway: Option<&'a ChildServer>,
    database: Option<&'a Cluster>,
}

impl Meters<'_> {
    fn read(&self) -> Result<[f64; 3]> {
        let gateway = self.gateway.map(ChildServer::usage).transpose()?;
        let database = self.database.map(Cluster::cpu_us).transpose()?;
        let cpu = |usage: Option<Usage>| usage.map_or(0.0, |usage| usage.cpu_us);
        Ok([self.owner.usage()?.cpu_us, cpu(gateway), database.unwrap_or(0.0)])
    }
}

pub async fn run(games: &Games, game: &'static dyn AnyGame, args: FleetBench) -> Result<Value> {
    let (sport, wire) = (game.trial(), game.wires().swap_remove(0));
    let what = (sport, &wire);
    let mut rounds = Vec::new();
    for _ in 0..args.rounds {
        let folder = tempfile::tempdir()?;
        let set = players::quick(game);
        let server = ChildServer::host(games, wire.name, Some(folder.path()), &set)?;
        let alone = Meters { owner: &server, gateway: None, database: None };
        let sqlite = measure(what, args, 0, &server, &alone).await?;
        drop(server);
        let cluster = Cluster::start_durable()?;
        let mut nodes = Vec::new();
        for name in ["one", "two"] {
            nodes.push(ChildServer::start(&arguments(games, &wire, game, &cluster, name))?);
        }
        let owner = owner(&nodes.iter().collect::<Vec<_>>(), game.name()).await?;
        let (owner, gateway) = (nodes.swap_remove(owner), nodes.remove(0));
        let database = Some(&cluster);
        let meters = Meters { owner: &owner, gateway: None, database };
        // Those of an earlier crowd may still be awaited by name at their tables: each has its own.
        let shared = measure(what, args, 0, &owner, &meters).await?;
        let quiet = FleetBench { tables: 1, ..args };
        let quiet_shared = measure(what, quiet, args.tables, &owner, &meters).await?;
        let meters = Meters { owner: &owner, gateway: Some(&gateway), database };
        let quiet_relayed = measure(what, quiet, args.tables + 1, &gateway, &meters).await?;
        let relayed = measure(what, args, args.tables + 2, &gateway, &meters).await?;
        let (fleet, here) = look(&owner, game.name()).await?;
        if here["node"] != fleet["node"] {
            // Nodes divide games again some time after servers start.
            bail!("{} has moved to the other server meanwhile; measure fewer seconds", game.name());
        }
        drop(owner);
        let takeover_ms = takeover(&gateway, game.name()).await?;
        rounds.push(Round { sqlite, shared, relayed, quiet_shared, quiet_relayed, takeover_ms });
    }
    Ok(report(game, args, &rounds))
}

async fn measure(
    (sport, wire): (Trial, &AnyDialect),
    args: FleetBench,
    first: usize,
    server: &ChildServer,
    meters: &Meters<'_>,
) -> Result<Figures> {
    let (address, http) = (&server.addresses[wire.name], &server.addresses["http"]);
    let tables = first..first + args.tables;
    let crowd = Crowd::seat((sport, wire), (tables, "random"), address, Some(http))?;
    sleep(WARM_UP).await;
    let before = meters.read()?;
    let (mut tally, seconds) = crowd.count(args.seconds).await;
    let after = meters.read()?;
    crowd.disperse().await?;
    let turns = (tally.moves as f64 / sport.moves_per_turn as f64).max(1.0);
    let by_turn = |index: usize| (after[index] - before[index]) / turns;
    Ok(Figures {
        turns_per_s: turns / seconds,
        p50_us: f64::from(tally.percentile(0.5)),
        owner_us: by_turn(0),
        gateway_us: by_turn(1),
        database_us: by_turn(2),
    })
}

pub(super) fn arguments(
    games: &Games,
    wire: &AnyDialect,
    game: &'static dyn AnyGame,
    cluster: &Cluster,
    name: &str,
) -> Vec<String> {
    let url = cluster.url(cluster.address);
    let mut arguments: Vec<String> =
        ["serve", "--ephemeral", "--database", &url, "--node", name].map(str::to_owned).into();
    for port in games.ports() {
        let used = port == wire.name || port == "http";
        arguments
            .extend(["--port".to_owned(), format!("{port}={}", if used { "0" } else { "off" })]);
    }
    let lifted = LIFTED.map(str::to_owned);
    for set in lifted.into_iter().chain(players::quick(game)) {
        arguments.extend(["--set".to_owned(), set]);
    }
    arguments
}

/// Nothing here takes longer unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Which of the nodes has the game, once all know it.
pub(super) async fn owner(nodes: &[&ChildServer], game: &str) -> Result<usize> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut linked = 0;
        let mut owner = None;
        for (index, node) in nodes.iter().enumerate() {
            // A server that has just started may not have looked yet.
            let Ok((fleet, here)) = look(node, game).await else { continue };
            linked += usize::from(here["links"].as_i64() > Some(0));
            if here["node"].is_string() && here["node"] == fleet["node"] {
                owner = Some(index);
            }
        }
        if let Some(owner) = owner.filter(|_| linked == nodes.len()) {
            return Ok(owner);
        }
        if Instant::now() > deadline {
            bail!("nobody hosts {game}");
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a node has taken a game over; how long its players waited.
async fn takeover(node: &ChildServer, game: &str) -> Result<f64> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (_, here) = look(node, game).await?;
        if here["takeovers"].as_u64().is_some_and(|count| count > 0) {
            return here["takeover_ms"].as_f64().context("how long it took");
        }
        if Instant::now() > deadline {
            bail!("nobody takes {game} over");
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// What a node reports about its fleet, and about one game in it.
async fn look(node: &ChildServer, game: &str) -> Result<(Value, Value)> {
    let url = format!("http://{}/api/v1/fleet", node.addresses["http"]);
    let ask = move || -> Result<Value> { Ok(ureq::get(&url).call()?.body_mut().read_json()?) };
    let fleet = tokio::task::spawn_blocking(ask).await??;
    let games = fleet["games"].as_array().context("games")?;
    let here = games.iter().find(|known| known["game"] == game).context("the game")?.clone();
    Ok((fleet, here))
}

/// Everything that was measured once.
struct Round {
    sqlite: Figures,
    shared: Figures,
    relayed: Figures,
    /// A single table, with its players at the owner and at another node, so that no turn waits for
    /// others.
    quiet_shared: Figures,
    quiet_relayed: Figures,
    takeover_ms: f64,
}

fn report(game: &'static dyn AnyGame, args: FleetBench, rounds: &[Round]) -> Value {
    let median = |figure: &dyn Fn(&Round) -> f64| {
        let mut all: Vec<f64> = rounds.iter().map(figure).collect();
        all.sort_by(f64::total_cmp);
        (all[all.len() / 2] * 1000.0).round() / 1000.0
    };
    let figures = |of: fn(&Round) -> Figures| {
        json!({
            "turns_per_s": median(&|round| of(round).turns_per_s),
            "p50_us": median(&|round| of(round).p50_us),
            "owner_cpu_us_per_turn": median(&|round| of(round).owner_us),
            "gateway_cpu_us_per_turn": median(&|round| of(round).gateway_us),
            "database_cpu_us_per_turn": median(&|round| of(round).database_us),
        })
    };
    let cost = |of: Figures| of.owner_us + of.gateway_us + of.database_us;
    let adds = |relayed: Figures, shared: Figures| (relayed.p50_us - shared.p50_us) / 1000.0;
    json!({
        "game": game.name(), "tables": args.tables, "seconds": args.seconds, "rounds": rounds.len(),
        "sqlite": figures(|round| round.sqlite),
        "postgresql": figures(|round| round.shared),
        "relayed": figures(|round| round.relayed),
        "one_table_postgresql": figures(|round| round.quiet_shared),
        "one_table_relayed": figures(|round| round.quiet_relayed),
        "ratio_cpu_postgresql_to_sqlite":
            median(&|round| cost(round.shared) / cost(round.sqlite)),
        "ratio_turns_per_s": median(&|round| round.shared.turns_per_s / round.sqlite.turns_per_s),
        "relay_adds_ms_p50": median(&|round| adds(round.relayed, round.shared)),
        "relay_adds_ms_p50_one_table":
            median(&|round| adds(round.quiet_relayed, round.quiet_shared)),
        "ratio_owner_cpu_clients_elsewhere":
            median(&|round| round.relayed.owner_us / round.shared.owner_us),
        "takeover_ms": median(&|round| round.takeover_ms),
    })
}
