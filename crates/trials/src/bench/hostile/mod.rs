//! What hostile clients cost the players.
//!
//! There are two identical servers; games are played on the first. Each attack runs against the
//! second server, then against the first. The difference for the players is the cost of being
//! attacked, without the cost of sharing the machine with attackers. Players and attackers use
//! separate loopback addresses, and none is exempt from the limits.

mod attack;
mod scenery;

use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::sleep;
use wire::Games;

pub use attack::Attack;

use attack::Scene;
use scenery::{CUP, PLAYED};

use super::http_line::HttpLine;
use super::load::Crowd;
use crate::child::ChildServer;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct HostileSize {
    /// Tables that play.
    pub tables: usize,
    /// How often each attack goes against each server.
    pub rounds: usize,
    /// How long each time.
    pub seconds: u64,
}

const GAME: &str = "sushi-go";

/// The limits for every attack: how much slower the players' median may get, and how many megabytes
/// the server may use.
pub const MOST_TIMES: f64 = 1.2;
pub const MOST_MB: f64 = 300.0;

/// An attack that seems to slow players down is measured again, with this many times the rounds: on a
/// machine that does something else, five rounds differ by a third.
const AGAIN: usize = 3;

/// An attack has begun by then.
const BEGUN: Duration = Duration::from_millis(400);

/// Measures these attacks and passes each result to `told` as soon as it is known.
pub async fn measure(
    games: &Games,
    size: HostileSize,
    attacks: &[Attack],
    mut told: impl FnMut(&Value) -> Result<()>,
) -> Result<Vec<Value>> {
    let game = games.find(GAME).map_err(|error| anyhow!("{error}"))?;
    let (sport, wire) = (game.trial(), game.wires().swap_remove(0));
    let mut targets = [Target::start(games, wire.name)?, Target::start(games, wire.name)?];
    let mut changes = JoinSet::new();
    for target in &mut targets {
        let mut line = HttpLine::connect(&target.http, Some(target.token.clone())).await?;
        scenery::make_cup(&mut line).await?;
        scenery::make_played(&mut line).await?;
        target.large = scenery::make_large_games(&target.http, &mut line).await?;
        changes.spawn(keep_changing(line));
    }
    let [played, _] = &targets;
    let seats = (0..size.tables, "random");
    let crowd = Crowd::seat((sport, &wire), seats, &played.game, Some(&played.http))?;
    sleep(super::load::WARM_UP).await;
    let mut results = Vec::new();
    for attack in attacks {
        let mut result = under(*attack, size.rounds, size.seconds, &targets, &crowd).await?;
        if result["p50_ratio"].as_f64().is_some_and(|ratio| ratio > MOST_TIMES) {
            // A busy machine can do that, too.
            let rounds = size.rounds * AGAIN;
            result = under(*attack, rounds, size.seconds, &targets, &crowd).await?;
        }
        told(&result)?;
        results.push(result);
    }
    changes.shutdown().await;
    crowd.disperse().await?;
    Ok(results)
}

/// What the players notice of one attack.
async fn under(
    attack: Attack,
    rounds: usize,
    seconds: u64,
    [played, control]: &[Target; 2],
    crowd: &Crowd,
) -> Result<Value> {
    let mut seen = [Rounds::default(), Rounds::default()];
    let mut peak = 0;
    for _ in 0..rounds {
        for (target, seen) in [control, played].into_iter().zip(&mut seen) {
            let attackers = Attackers::start(attack, target)?;
            sleep(BEGUN).await;
            let (mut counted, _) = crowd.count(seconds).await;
            seen.p50.push(counted.percentile(0.5));
            seen.p99.push(counted.percentile(0.99));
            peak = peak.max(played.child.usage()?.resident_bytes);
            attackers.stop().await?;
        }
    }
    let [control, attacked] = seen.map(Rounds::medians);
    Ok(json!({
        "attack": attack.name(),
        "about": attack.about(),
        "rounds": rounds,
        "p50_us": {"control": control.0, "attacked": attacked.0},
        "p99_us": {"control": control.1, "attacked": attacked.1},
        "p50_ratio": f64::from(attacked.0) / f64::from(control.0.max(1)),
        "p99_ratio": f64::from(attacked.1) / f64::from(control.1.max(1)),
        "resident_mb": peak as f64 / 1e6,
    }))
}

/// What the players saw, per round.
#[derive(Debug, Default)]
struct Rounds {
    p50: Vec<u32>,
    p99: Vec<u32>,
}

impl Rounds {
    fn medians(self) -> (u32, u32) {
        let median = |mut all: Vec<u32>| {
            all.sort_unstable();
            all.get(all.len() / 2).copied().unwrap_or(0)
        };
        (median(self.p50), median(self.p99))
    }
}

/// A server to be attacked.
#[derive(Debug)]
pub struct Target {
    child: ChildServer,
    /// Its data folder, kept while it runs.
    _folder: tempfile::TempDir,
    pub game: String,
    pub http: String,
    websocket: String,
    /// The id of a large game of the attackers'.
    large: String,
    token: String,
}

impl Target {
    /// With the usual limits, also for addresses of this machine.
    fn start(games: &Games, port: &str) -> Result<Target> {
        let folder = tempfile::tempdir()?;
        let set = [
            "limits.exempt_loopback=false",
            "limits.messages_per_s=200",
            "limits.bytes_per_s=262144",
            // All players come from one address, and play one game after the other.
            "limits.tables_per_min_per_address=6000",
            "sushi-go.pace_ms=50",
            "port.tiger-dragon=0",
        ];
        let set = set.map(str::to_owned);
        let child = ChildServer::host(games, port, Some(folder.path()), &set)?;
        let address = |name: &str| child.addresses.get(name).cloned().context("it listens");
        let (game, http, websocket) = (address(port)?, address("http")?, address("tiger-dragon")?);
        let token = std::fs::read_to_string(folder.path().join("admin-token"))?.trim().to_owned();
        let large = String::new();
        Ok(Target { child, _folder: folder, game, http, websocket, large, token })
    }
}

/// Something happens to the tournaments all the time.
async fn keep_changing(mut line: HttpLine) -> Result<()> {
    loop {
        for order in ["pause", "resume"] {
            for cup in [CUP, PLAYED] {
                line.ask("POST", &format!("{cup}/{order}"), "").await?;
            }
            sleep(Duration::from_millis(250)).await;
        }
    }
}

/// All attackers, on a thread of their own: the players' clients shall not wait for them.
struct Attackers {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Attackers {
    fn start(attack: Attack, target: &Target) -> Result<Attackers> {
        let (stop, stopped) = oneshot::channel();
        let (game, http) = (target.game.parse()?, target.http.parse()?);
        let (websocket, large) = (target.websocket.parse()?, target.large.clone());
        let scene = Scene { game, http, websocket, large };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                let mut all = attack.begin(&scene);
                tokio::select! {
                    () = async { while all.join_next().await.is_some() {} } => {}
                    _ = stopped => {}
                }
            });
        });
        Ok(Attackers { stop, thread })
    }

    async fn stop(self) -> Result<()> {
        // If all attackers have ended, there is nothing to stop.
        let _ = self.stop.send(());
        let joined = tokio::task::spawn_blocking(|| self.thread.join()).await?;
        joined.map_err(|_| anyhow!("the attackers panicked"))
    }
}
