//! Tournaments that run during a fleet trial: started through one node, read through any.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use store::{Archive, Filter, Kind};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::nodes::Nodes;

/// Number of entrants in each.
pub const ENTRANTS: usize = 6;

/// A tournament that hasn't ended this long after the last fault never will.
const PATIENCE: Duration = Duration::from_secs(180);

/// A node that takes longer to answer is asked again.
const ANSWER: Duration = Duration::from_secs(10);

/// A tournament of one game.
#[derive(Clone, Debug)]
pub struct Event {
    pub game: &'static str,
    pub names: Vec<String>,
}

impl Event {
    pub fn new(game: &'static str) -> Event {
        let name = |number| format!("e{}-{number}", &game[..2]);
        Event { game, names: (1..=ENTRANTS).map(name).collect() }
    }

    fn path(&self) -> String {
        format!("/api/v1/tournaments/{}/trial", self.game)
    }

    /// Convenes and starts it.
    pub async fn begin(&self, nodes: &Nodes, rounds: u32) -> Result<()> {
        let plan = json!({
            "game": self.game, "id": "trial", "entrants": self.names, "open_names": true,
            "plan": { "format": { "round-robin": { "cycles": rounds } }, "max_entrants": ENTRANTS },
            "no_show_s": 60,
            "options": { "turn_timeout_ms": 20_000 },
        });
        ask(nodes, "/api/v1/tournaments", Some(plan)).await?;
        ask(nodes, &format!("{}/start", self.path()), Some(json!({}))).await?;
        Ok(())
    }

    /// Waits until it is over and sets the flag for its entrants.
    pub async fn end(self, nodes: Nodes, over: Arc<AtomicBool>, faults: Duration) -> Result<Value> {
        let deadline = Instant::now() + faults + PATIENCE;
        let ended = loop {
            let shown = ask(&nodes, &self.path(), None).await;
            match shown {
                Ok(tournament) if tournament["phase"] == "over" => break Ok(tournament),
                Ok(tournament) if Instant::now() > deadline => {
                    break Err(anyhow!(
                        "the tournament of {} does not end: {tournament}",
                        self.game
                    ));
                }
                Err(error) if Instant::now() > deadline => break Err(error),
                _ => sleep(Duration::from_millis(300)).await,
            }
        };
        over.store(true, Ordering::Relaxed);
        ended
    }

    /// Compares it with the kept games and returns what is wrong.
    pub fn check(&self, tournament: &Value, archive: &dyn Archive) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        let mut kept: BTreeMap<(Vec<String>, String), i64> = BTreeMap::new();
        let mut filter =
            Filter { game: Some(self.game.to_owned()), limit: 500, ..Filter::default() };
        loop {
            let page = archive.finished(&filter)?;
            let Some(last) = page.last() else { break };
            filter.after = Some(last.place);
            for game in
                page.into_iter().filter(|game| game.players.iter().any(|name| self.has(name)))
            {
                let replay = archive.replay(Kind::Table, &game.game, &game.id)?;
                let opened = replay.as_ref().and_then(|replay| replay.lines.first());
                // An entrant may also play elsewhere.
                if !opened.is_some_and(|line| line.record.contains("\"bout\":")) {
                    continue;
                }
                let closing: Value = serde_json::from_str(game.closing.get())?;
                *kept.entry((game.players, places(&closing["over"]))).or_default() += 1;
            }
        }
        let pairings = tournament["pairings"].as_array().context("pairings")?;
        for pairing in pairings {
            if pairing["decision"].is_null() {
                faults.push(format!("{}: a pairing is not decided: {pairing}", self.game));
            }
            for game in pairing["games"].as_array().into_iter().flatten() {
                if game["outcome"].is_null() {
                    faults.push(format!("{}: a game has no result: {game}", self.game));
                    continue;
                }
                let seats = game["seats"].as_array().into_iter().flatten();
                let names = seats.filter_map(|id| self.names.get(id.as_u64()? as usize).cloned());
                let place = (names.collect(), places(&game["outcome"]));
                *kept.entry(place).or_default() -= 1;
            }
        }
        for ((names, places), count) in kept.into_iter().filter(|(_, count)| *count != 0) {
            faults.push(format!(
                "the tournament of {}: {names:?} with {places}: {count} more games are kept than counted",
                self.game
            ));
        }
        Ok(faults)
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|entrant| entrant == name)
    }
}

/// The answer of any running node.
pub async fn ask(nodes: &Nodes, path: &str, body: Option<Value>) -> Result<Value> {
    let (node, addresses) = nodes
        .iter()
        .find_map(|node| Some((node, node.addresses()?)))
        .context("no node is there")?;
    let (url, token) = (format!("http://{}{path}", addresses["http"]), node.admin_token()?);
    let ask = move || -> Result<Value> {
        let bearer = format!("Bearer {token}");
        // A paused node doesn't answer.
        let config = ureq::Agent::config_builder().timeout_global(Some(ANSWER)).build();
        let agent = ureq::Agent::new_with_config(config);
        let mut answer = match body {
            Some(body) => agent.post(&url).header("Authorization", bearer).send_json(body),
            None => agent.get(&url).header("Authorization", bearer).call(),
        }
        .with_context(|| url.clone())?;
        Ok(answer.body_mut().read_json()?)
    };
    spawn_blocking(ask).await?
}

/// Places and points by seat.
fn places(standings: &Value) -> String {
    let list = standings.get("standings").unwrap_or(standings).as_array();
    let place = |standing: &Value| json!([standing["place"], standing["points"]]);
    list.map(|list| list.iter().map(place).collect::<Value>()).unwrap_or_default().to_string()
}
