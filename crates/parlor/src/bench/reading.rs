//! `parlor bench reading`: how much readers slow players down.
//!
//! Two servers with the same tables and the same tournament. Games are played on the first. The
//! same readers read the second, then the first. The difference is the cost of being read, without
//! the cost of sharing the machine with readers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::StreamExt;
use serde_json::json;
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};
use trials::bench::http_line::HttpLine;
use trials::bench::load::{Crowd, LoadCounts, WARM_UP};
use trials::child::ChildServer;
use wire::Games;

use crate::cli::ReadingArgs;
use crate::terminal::{Unreadable, output};

const GAME: &str = "gamba";
const ENTRANTS: usize = 200;
const CUP: &str = "/api/v1/tournaments/gamba/cup";
/// Connections that ask for pages.
const READERS: usize = 20;

pub async fn run(games: &Games, args: &ReadingArgs) -> Result<()> {
    let game = games.find(GAME).map_err(Unreadable)?;
    let (sport, wire) = (game.trial(), game.wires().swap_remove(0));
    let folders = [tempfile::tempdir()?, tempfile::tempdir()?];
    let limits = [
        // A tenth of the tables is kept for organisers; players get the others.
        format!("limits.tables={}", 2 * args.listed + 1000),
        format!("limits.connections={}", args.watchers + 2000),
    ];
    let mut servers = Vec::new();
    for folder in &folders {
        let server = Target::start(games, folder.path(), wire.name, &limits)?;
        server.fill(args.listed).await?;
        servers.push(server);
    }
    let mut changes = JoinSet::new();
    for server in &servers {
        let line = HttpLine::connect(&server.http, server.token.clone()).await?;
        changes.spawn(keep_changing(line));
    }
    let address = &servers[0].child.addresses[wire.name];
    let crowd = Crowd::seat((sport, &wire), (0..args.tables, "random"), address, None)?;
    sleep(WARM_UP).await;
    // Each is read twice, so that whatever the machine does besides hits both.
    let (mut control, mut read) = (LoadCounts::default(), LoadCounts::default());
    let counts = Arc::new(ReaderCounts::default());
    for (server, tally) in [(1, false), (0, true), (0, true), (1, false)] {
        let readers = Readers::start(&servers[server], args, counts.clone())?;
        sleep(WARM_UP).await;
        let (counted, _) = crowd.count(args.seconds).await;
        readers.stop().await?;
        let tally = if tally { &mut read } else { &mut control };
        tally.latencies_us.extend(counted.latencies_us);
    }
    crowd.disperse().await?;
    changes.shutdown().await;
    let latency = |tally: &mut LoadCounts| json!({"p50": tally.percentile(0.5), "p99": tally.percentile(0.99)});
    let (control, read) = (latency(&mut control), latency(&mut read));
    let ratio = |of: &str| read[of].as_f64().zip(control[of].as_f64()).map(|(r, c)| r / c.max(1.0));
    let seconds = 4.0 * (args.seconds as f64 + WARM_UP.as_secs_f64());
    let per_s = |count: &AtomicU64| count.load(Ordering::Relaxed) as f64 / seconds;
    let result = json!({
        "tables": args.tables,
        "listed": args.listed,
        "pages_per_s": per_s(&counts.pages),
        "watchers": args.watchers,
        "changes_per_s": per_s(&counts.changes),
        "turn_latency_us": {"control": control, "read": read},
        "p50_ratio": ratio("p50"),
        "p99_ratio": ratio("p99"),
    });
    if args.json {
        return output::line(&result.to_string());
    }
    output::line(&format!(
        "{} tables, {:.0} pages/s of {} tables, {} watchers who hear {:.0} changes/s:\n\
         turn latency p50 {} us with another server read, {} us with theirs: {:.2} times (p99: {:.2} times)",
        args.tables,
        per_s(&counts.pages),
        args.listed,
        args.watchers,
        per_s(&counts.changes),
        control["p50"],
        read["p50"],
        ratio("p50").unwrap_or_default(),
        ratio("p99").unwrap_or_default(),
    ))
}

/// A server to be read.
struct Target {
    child: ChildServer,
    http: String,
    token: Option<String>,
}

impl Target {
    fn start(games: &Games, folder: &Path, port: &str, set: &[String]) -> Result<Target> {
        let child = ChildServer::host(games, port, Some(folder), set)?;
        let token = std::fs::read_to_string(folder.join("admin-token"))?.trim().to_owned();
        let http = child.addresses.get("http").context("HTTP is on")?.clone();
        Ok(Target { child, http, token: Some(token) })
    }

    /// Opens tables for players who never come, and a tournament whose entrants do not either.
    async fn fill(&self, tables: usize) -> Result<()> {
        let mut makers = JoinSet::new();
        const MAKERS: usize = 16;
        for first in 0..MAKERS {
            let mut line = HttpLine::connect(&self.http, self.token.clone()).await?;
            makers.spawn(async move {
                for number in (first..tables).step_by(MAKERS) {
                    let names = [format!("a{number}"), format!("b{number}")];
                    let body = json!({"game": GAME, "seats": 2, "names": names});
                    line.ask("POST", "/api/v1/tables", &body.to_string()).await?;
                }
                anyhow::Ok(())
            });
        }
        while let Some(made) = makers.join_next().await {
            made??;
        }
        let entrants: Vec<String> = (0..ENTRANTS).map(|number| format!("e{number}")).collect();
        let plan = json!({"format": "swiss", "max_entrants": ENTRANTS});
        let cup = json!({"game": GAME, "id": "cup", "plan": plan, "entrants": entrants,
            "no_show_s": 86_400, "open_names": true});
        let mut line = HttpLine::connect(&self.http, self.token.clone()).await?;
        line.ask("POST", "/api/v1/tournaments", &cup.to_string()).await?;
        line.ask("POST", &format!("{CUP}/start"), "").await?;
        Ok(())
    }
}

/// Something happens to the tournament all the time.
async fn keep_changing(mut line: HttpLine) -> Result<()> {
    loop {
        for order in ["pause", "resume"] {
            line.ask("POST", &format!("{CUP}/{order}"), "").await?;
            sleep(Duration::from_millis(250)).await;
        }
    }
}

#[derive(Default)]
struct ReaderCounts {
    pages: AtomicU64,
    changes: AtomicU64,
}

/// All readers, on their own thread: the players' clients must not wait for them.
struct Readers {
    stop: tokio::sync::oneshot::Sender<()>,
    thread: std::thread::JoinHandle<Result<()>>,
}

impl Readers {
    fn start(target: &Target, args: &ReadingArgs, counts: Arc<ReaderCounts>) -> Result<Readers> {
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (http, pages_per_s, watchers) = (target.http.clone(), args.pages_per_s, args.watchers);
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::spawn(move || {
            runtime.block_on(async {
                let mut readers = JoinSet::new();
                for _ in 0..watchers {
                    readers.spawn(watch(http.clone(), counts.clone()));
                }
                for _ in 0..READERS {
                    let pace = Duration::from_secs_f64(READERS as f64 / pages_per_s as f64);
                    readers.spawn(turn_pages(http.clone(), pace, counts.clone()));
                }
                tokio::select! {
                    // Readers read until they are stopped.
                    Some(ended) = readers.join_next() => ended?,
                    _ = stopped => Ok(()),
                }
            })
        });
        Ok(Readers { stop, thread })
    }

    async fn stop(self) -> Result<()> {
        // A reader that failed has stopped already.
        let _ = self.stop.send(());
        let joined = tokio::task::spawn_blocking(|| self.thread.join()).await?;
        joined.map_err(|_| anyhow::anyhow!("the readers panicked"))?
    }
}

async fn turn_pages(http: String, pace: Duration, counts: Arc<ReaderCounts>) -> Result<()> {
    let mut line = HttpLine::connect(&http, None).await?;
    let mut pace = interval(pace);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        pace.tick().await;
        line.ask("GET", "/api/v1/tables", "").await?;
        counts.pages.fetch_add(1, Ordering::Relaxed);
    }
}

async fn watch(http: String, counts: Arc<ReaderCounts>) -> Result<()> {
    let url = format!("ws://{http}/watch/{GAME}/tournaments/cup");
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
    while let Some(message) = socket.next().await {
        counts.changes.fetch_add(u64::from(message?.is_text()), Ordering::Relaxed);
    }
    anyhow::bail!("the server closed a watcher's connection")
}
