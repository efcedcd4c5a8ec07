//! A tournament while it is played: its bots are started, and people see how it goes.

use std::io::{IsTerminal, stderr, stdout};
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Value, json};

use super::super::report;
use super::field::Field;
use super::snapshot::Snapshot;
use crate::terminal::output;

/// Starts the bots and shows how it goes until it is over. Of an earlier run it says how far that
/// came; what that run left unfinished is played again.
pub async fn follow(
    field: &mut Field,
    earlier: Option<Value>,
    bar: &ProgressBar,
) -> Result<Snapshot> {
    let mut decided = match &earlier {
        None => report::Decided::default(),
        Some(earlier) => {
            let decided = report::Decided::since(earlier);
            say_before(decided.count())?;
            decided
        }
    };
    if earlier
        .is_some_and(|earlier| !matches!(earlier["phase"].as_str(), Some("over" | "cancelled")))
    {
        field.close_games().await?;
    }
    loop {
        let now = field.look_up().await?;
        if now.tournament["phase"] == "paused" {
            field.order("resume").await?;
            continue;
        }
        let news = decided.news(&now.tournament);
        show(bar, &now.tournament, &decided, news)?;
        if now.is_over() {
            return Ok(now);
        }
        field.look(&now)?;
        tokio::select! {
            end = field.next_end() => {
                let (index, status) = end?;
                if let Some(text) = field.ended(index, status).await? {
                    bar.suspend(|| output::error(&text));
                }
            }
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
    }
}

fn show(
    bar: &ProgressBar,
    tournament: &Value,
    decided: &report::Decided,
    news: Vec<String>,
) -> Result<()> {
    let all = tournament["pairings"].as_array().map_or(0, Vec::len);
    bar.set_message(report::progress(tournament, decided.count()));
    bar.set_length(all as u64);
    bar.set_position(decided.count() as u64);
    for line in news {
        match stdout().is_terminal() {
            true => bar.suspend(|| output::line(&line))?,
            false => output::line(&json!({ "decided": line }).to_string())?,
        }
    }
    Ok(())
}

fn say_before(count: usize) -> Result<()> {
    if !stdout().is_terminal() {
        return output::line(&json!({ "decided_before": count }).to_string());
    }
    let pairings = output::count(count as u64, "pairing");
    output::line(&format!("continued: {pairings} decided before"))
}

pub fn progress() -> ProgressBar {
    let target = match stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{bar:40} {msg}, {elapsed}");
    let style = style.expect("the template is well formed");
    ProgressBar::with_draw_target(None, target).with_style(style)
}
