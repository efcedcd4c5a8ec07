//! `parlor review`: the decisions of finished games, judged by what each player knew.

mod many;
mod text;

use std::io::{IsTerminal, stderr};
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rules::Seat;
use wire::{Games, Progress, Review, ReviewWish};

use crate::cli::ReviewArgs;
use crate::replay::{self, Game};
use crate::terminal::output;

pub use many::Losses;

pub fn run(games: &Games, args: &ReviewArgs) -> Result<()> {
    if let Some(player) = &args.player {
        return many::run(games, args, player);
    }
    let Some(name) = &args.game else { bail!("which game?") };
    if Path::new(name).is_dir() {
        bail!("{name} is a folder: say whose games to review, with --player NAME");
    }
    let game = Game::read(&replay::read(games, name, &args.data)?)?;
    let wish = ReviewWish { deals: args.budget, seat: args.seat.map(Seat) };
    let bar = progress(0, "turns");
    let review = of(games, &game, wish, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let review = review?;
    match args.json {
        true => output::line(&serde_json::to_string(&review)?),
        false => output::text(&text::told(&review)),
    }
}

/// How far it is, on a terminal.
fn progress(all: u64, what: &str) -> ProgressBar {
    let target = match stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}"));
    let style = style.expect("the template is well formed");
    ProgressBar::with_draw_target(Some(all), target).with_style(style)
}

/// One game's review.
pub fn of(
    games: &Games,
    game: &Game,
    wish: ReviewWish,
    told: &mut dyn FnMut(usize, usize),
) -> Result<Review> {
    let review = game.rules(games)?.review(&game.records(), wish);
    for progress in review.map_err(|why| anyhow!("{}: {why}", game.id()))? {
        match progress {
            Progress::Steps(done, all) => told(done, all),
            Progress::Done(review) => return Ok(*review),
        }
    }
    bail!("the review of {} has no end", game.id())
}
