//! `parlor bench review`: whether reviews tell good decisions from bad ones, and what they cost.

use std::time::Duration;

use anyhow::Result;
use indicatif::ProgressBar;
use serde_json::json;
use server::thread_cpu;
use wire::{Games, ReviewTrial};

use crate::cli::ReviewBenchArgs;
use crate::terminal::{Unreadable, output};

pub fn run(games: &Games, args: &ReviewBenchArgs) -> Result<()> {
    if let Some(game) = &args.game {
        games.find(game).map_err(Unreadable)?;
    }
    let asked = |game: &str| args.game.as_deref().is_none_or(|asked| asked == game);
    for game in games.iter().filter(|game| asked(game.name())) {
        let bar = ProgressBar::new(args.games);
        let begun = thread_cpu();
        let found = game.review_trial(args.seats, args.games, args.deals, &mut |found| {
            bar.set_position(found.games);
            true
        });
        let took = thread_cpu().saturating_sub(begun);
        bar.finish_and_clear();
        let found = found.map_err(anyhow::Error::msg)?;
        match args.json {
            true => output::line(&json(&found, took).to_string())?,
            false => output::text(&text(&found, took))?,
        }
    }
    Ok(())
}

fn json(found: &ReviewTrial, took: Duration) -> serde_json::Value {
    json!({"found": found, "seconds_per_game": per_game(found, took)})
}

/// Playing, reviewing and planting together.
fn per_game(found: &ReviewTrial, took: Duration) -> f64 {
    took.as_secs_f64() / found.games.max(1) as f64
}

fn text(found: &ReviewTrial, took: Duration) -> String {
    let ReviewTrial { game, seats, games, deals, luck, planted, marked, .. } = found;
    let mut text = format!(
        "{game}: {games} games, {seats} seats, {deals} deals, {:.2} s a game\n",
        per_game(found, took)
    );
    let percent = |share: f64| 100.0 * share;
    for one in &found.strategies {
        let (mean, error) = (percent(one.regret.mean), percent(one.regret.error));
        text += &format!(
            "  {:<9} {:<10} regret {mean:.2} ± {error:.2} %   {} decisions\n",
            one.grade, one.strategy, one.decisions
        );
    }
    text += &format!(
        "  luck of the first seat {:+.2} ± {:.2} %\n  {marked} of {planted} planted decisions marked\n",
        percent(luck.mean),
        percent(luck.error)
    );
    text
}
