//! `parlor bench viewers`: what people who have a tournament's page open cost its players.
//!
//! Two servers, on both the same tournament is played. The same viewers look at the second one's page, then
//! at the first one's: what that changes for the first one's players is the cost of being looked at, and
//! not of sharing the machine with viewers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Message;
use trials::bench::http_line::HttpLine;
use trials::bench::load::{Crowd, LoadCounts, WARM_UP};
use trials::child::ChildServer;
use wire::{AnyDialect, Games};

use crate::cli::ViewersArgs;
use crate::terminal::{Unreadable, output};

const GAME: &str = "gamba";
/// The page draws at most this number of tables as live boards.
const BOARDS: usize = 2;

pub async fn run(games: &Games, args: &ViewersArgs) -> Result<()> {
    let game = games.find(GAME).map_err(Unreadable)?;
    let (sport, wire) = (game.trial(), game.wires().swap_remove(0));
    let connections = args.viewers * (BOARDS + 1) + 2000;
    let limits = [format!("limits.connections={connections}")];
    let folders = [tempfile::tempdir()?, tempfile::tempdir()?];
    let (mut servers, mut crowds) = (Vec::new(), Vec::new());
    for folder in &folders {
        let child = ChildServer::host(games, wire.name, Some(folder.path()), &limits)?;
        let token = std::fs::read_to_string(folder.path().join("admin-token"))?;
        let http = child.addresses.get("http").context("HTTP is on")?.clone();
        begin_tournament(&http, token.trim(), &wire, args).await?;
        let address = &child.addresses[wire.name];
        crowds.push(Crowd::seat((sport, &wire), (0..args.teams / 2, "random"), address, None)?);
        servers.push((child, http));
    }
    sleep(WARM_UP).await;
    // Each is looked at twice, so that whatever the machine does besides hits both.
    let (mut control, mut seen) = (LoadCounts::default(), LoadCounts::default());
    let heard = Arc::new(AtomicU64::new(0));
    for (server, tally) in [(1, false), (0, true), (0, true), (1, false)] {
        let viewers = Viewers::start(&servers[server].1, args.viewers, heard.clone())?;
        sleep(2 * WARM_UP).await;
        let (counted, _) = crowds[0].count(args.seconds).await;
        viewers.stop().await?;
        let tally = if tally { &mut seen } else { &mut control };
        tally.latencies_us.extend(counted.latencies_us);
    }
    for crowd in crowds {
        crowd.disperse().await?;
    }
    let turns = [control.latencies_us.len(), seen.latencies_us.len()];
    let latency = |tally: &mut LoadCounts| json!({"p50": tally.percentile(0.5), "p99": tally.percentile(0.99)});
    let (control, seen) = (latency(&mut control), latency(&mut seen));
    let ratio = |of: &str| seen[of].as_f64().zip(control[of].as_f64()).map(|(s, c)| s / c.max(1.0));
    let result = json!({
        "viewers": args.viewers,
        "teams": args.teams,
        "pace_ms": args.pace,
        "turns": {"control": turns[0], "seen": turns[1]},
        "messages": heard.load(Ordering::Relaxed),
        "turn_latency_us": {"control": control, "seen": seen},
        "p50_ratio": ratio("p50"),
        "p99_ratio": ratio("p99"),
    });
    if args.json {
        return output::line(&result.to_string());
    }
    output::line(&format!(
        "{} viewers of the page of a tournament of {} teams, who heard {} messages:\n\
         turn latency p50 {} us while they look at another server, {} us while at this one: \
         {:.2} times (p99: {} us, {} us, {:.2} times); {} and {} turns",
        args.viewers,
        args.teams,
        result["messages"],
        control["p50"],
        seen["p50"],
        ratio("p50").unwrap_or_default(),
        control["p99"],
        seen["p99"],
        ratio("p99").unwrap_or_default(),
        turns[0],
        turns[1],
    ))
}

/// A Swiss of many games each, at a pace that people can follow.
async fn begin_tournament(
    http: &str,
    token: &str,
    wire: &AnyDialect,
    args: &ViewersArgs,
) -> Result<()> {
    let teams = args.teams;
    let entrants: Vec<String> = (0..teams).map(wire.signs.nth_name).collect();
    let cup = json!({"game": GAME, "id": "cup", "entrants": entrants, "open_names": true,
        "plan": {"format": "swiss", "max_entrants": teams, "best_of": 99},
        "options": {"pace_ms": args.pace}});
    let mut line = HttpLine::connect(http, Some(token.to_owned())).await?;
    line.ask("POST", "/api/v1/tournaments", &cup.to_string()).await?;
    line.ask("POST", "/api/v1/tournaments/gamba/cup/start", "").await?;
    Ok(())
}

/// All viewers, on their own thread: the players' clients must not wait for them.
struct Viewers {
    stop: tokio::sync::oneshot::Sender<()>,
    thread: std::thread::JoinHandle<Result<()>>,
}

impl Viewers {
    fn start(http: &str, count: usize, heard: Arc<AtomicU64>) -> Result<Viewers> {
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let tables = Arc::new(Mutex::new(Vec::new()));
        let http = http.to_owned();
        let thread = std::thread::spawn(move || {
            // Real viewers use other machines. Here they get the processor time that servers and
            // players leave.
            crate::system::be_nice()?;
            runtime.block_on(async {
                let mut viewers = JoinSet::new();
                for number in 0..count {
                    let view =
                        View { http: http.clone(), tables: tables.clone(), heard: heard.clone() };
                    viewers.spawn(view.clone().follow_tournament(number == 0));
                    for board in 0..BOARDS {
                        viewers.spawn(view.clone().follow_table(number + board));
                    }
                }
                tokio::select! {
                    // Viewers look until they are stopped.
                    Some(ended) = viewers.join_next() => ended?,
                    _ = stopped => Ok(()),
                }
            })
        });
        Ok(Viewers { stop, thread })
    }

    async fn stop(self) -> Result<()> {
        // A viewer that failed has stopped already.
        let _ = self.stop.send(());
        let joined = tokio::task::spawn_blocking(|| self.thread.join()).await?;
        joined.map_err(|_| anyhow::anyhow!("the viewers panicked"))?
    }
}

/// One page.
#[derive(Clone)]
struct View {
    http: String,
    /// Where the tournament is played at the moment.
    tables: Arc<Mutex<Vec<String>>>,
    heard: Arc<AtomicU64>,
}

impl View {
    /// The feed of the page. The first page of all reads in it where the games are.
    async fn follow_tournament(self, reads: bool) -> Result<()> {
        let url = format!("ws://{}/watch/{GAME}/tournaments/cup", self.http);
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await?;
        while let Some(message) = socket.next().await {
            let Message::Text(text) = message? else { continue };
            self.heard.fetch_add(1, Ordering::Relaxed);
            if reads {
                let cup: Value = serde_json::from_str(&text)?;
                let pairings = cup["pairings"].as_array().context("pairings")?;
                let tables = pairings.iter().filter_map(|pairing| pairing["table"].as_str());
                let tables = tables.map(str::to_owned).collect();
                *self.tables.lock().expect("nobody panics with it") = tables;
            }
        }
        anyhow::bail!("the server closed a viewer's feed")
    }

    /// A live board: it watches a table over its own connection, and the next one when that is
    /// over, as the page does.
    async fn follow_table(self, number: usize) -> Result<()> {
        let url = format!("ws://{}/house/{GAME}", self.http);
        loop {
            let table = self.table(number).await;
            let (mut socket, _) = tokio_tungstenite::connect_async(&url).await?;
            let watch = json!({"do": "watch", "table": table}).to_string();
            socket.send(Message::text(watch)).await?;
            loop {
                let message = socket.next().await.context("the server closed a board")??;
                let Message::Text(text) = message else { continue };
                self.heard.fetch_add(1, Ordering::Relaxed);
                let ends = [r#""type":"over""#, r#""type":"refused""#];
                if ends.iter().any(|end| text.contains(end)) {
                    break;
                }
            }
        }
    }

    async fn table(&self, number: usize) -> String {
        loop {
            // Not all at the moment at which a game ends.
            sleep(Duration::from_millis(200 + (number % 100) as u64 * 5)).await;
            let tables = self.tables.lock().expect("nobody panics with it");
            if !tables.is_empty() {
                return tables[number % tables.len()].clone();
            }
        }
    }
}
