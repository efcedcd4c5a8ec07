//! What is left of a tournament: its results, its games and what its bots came to.

use std::io::{IsTerminal, stdout};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::super::report;
use super::ID;
use super::field::Verdict;
use crate::servers::Remote;
use crate::terminal::output;

/// What there is to tell at the end.
pub struct End {
    pub game: &'static str,
    pub verdict: Verdict,
    /// What was mixed into the seed.
    pub secret: Option<Value>,
}

/// Writes everything down and shows the result.
pub fn write(remote: &Remote, out: &Path, end: End) -> Result<()> {
    let End { game, verdict, secret } = end;
    let place = format!("/api/v1/tournaments/{game}/{ID}");
    let tournament = remote.get(&place)?;
    let ratings = remote.ratings(game)?;
    let keep = |name: &str, text: String| {
        let path = out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    let mut results = json!({ "tournament": tournament, "ratings": ratings, "bots": verdict.bots });
    if let Some(secret) = secret {
        results["seed"] = secret;
    }
    keep("tournament.json", serde_json::to_string_pretty(&results)?)?;
    keep("standings.csv", remote.get_text(&format!("{place}/standings.csv"))?)?;
    keep("results.csv", remote.get_text(&format!("{place}/results.csv"))?)?;
    let games = replays(remote, out, game)?;
    if stdout().is_terminal() {
        output::line(&format!("\n{}", report::standings(&tournament, &ratings)))?;
        for worry in &verdict.worries {
            output::line(&format!("\n{worry}"))?;
        }
        let games = output::count(games as u64, "game");
        output::line(&format!("\n{games}. Results, replays and logs: {}", out.display()))?;
    } else {
        output::line(&json!({ "summary": results }).to_string())?;
    }
    match &verdict.never_played[..] {
        [] => Ok(()),
        names => {
            bail!("{} never made a move. See {}.", names.join(", "), out.join("logs").display())
        }
    }
}

/// Writes every game as `parlor replay` reads it; says how many there are.
fn replays(remote: &Remote, out: &Path, game: &str) -> Result<usize> {
    let folder = out.join("replays");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let mut count = 0;
    let mut after = String::new();
    loop {
        let page = remote.get(&format!("/api/v1/results?game={game}&limit=1000{after}"))?;
        for result in page["results"].as_array().into_iter().flatten() {
            let id = result["id"].as_str().context("a game without an id")?;
            let replay = remote.get_text(&format!("/api/v1/results/{game}/{id}/replay"))?;
            let path = folder.join(format!("{id}.jsonl"));
            std::fs::write(&path, replay)
                .with_context(|| format!("cannot write {}", path.display()))?;
            count += 1;
        }
        match page["next"].as_u64() {
            Some(next) => after = format!("&after={next}"),
            None => return Ok(count),
        }
    }
}
