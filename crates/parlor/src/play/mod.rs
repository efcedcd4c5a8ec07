//! `parlor play`: bots against each other on a private server.

use wire::Games;
pub mod command;
mod game;
pub mod house;
mod lane;
mod reasons;
mod tally;
mod worker;

use std::io::{IsTerminal, stderr, stdout};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::time::Duration;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::bot;
use crate::bots::{Confinement, PrivateFolder};
use crate::cli::{ConfinementArgs, Isolate, OutputName, PlayArgs};
use crate::printed;
use crate::terminal::{Interrupt, Unreadable, browser, interrupt, output};

use tally::Tally;

pub use game::Played;
pub use house::House;
pub use lane::{CommandEnd, Lane, Match, Order};
pub use reasons::Reason;
pub use tally::share;
pub use worker::{Kind, RunningBot, Way};

pub fn run(roster: &Games, args: &PlayArgs) -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(play(roster, args))
}

async fn play(roster: &Games, args: &PlayArgs) -> Result<()> {
    let wire = roster.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let named = args.bot.iter().map(|bot| command::split(bot, &wire));
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let bots = named.iter().map(|(_, command)| command::parse(command, &wire));
    let bots = bots.collect::<Result<Vec<Kind>, _>>()?;
    let labels: Vec<String> =
        named.iter().map(|(name, command)| name.unwrap_or(command).to_owned()).collect();
    if bots.len() < 2 {
        let why = "it takes two to play: pass --bot at least twice, for example --bot house:random";
        return Err(Unreadable(why.to_owned()).into());
    }
    house::check_options(roster, &wire, &args.set, ("the number of --bot", bots.len()))?;
    bots.iter().try_for_each(command::check_program)?;
    let folder = args.replays.as_deref().map(PrivateFolder::close).transpose()?;
    let seed = match args.seed {
        Some(seed) => seed,
        None => random_seed()?,
    };
    let confinement = confinement(&args.confinement, &bots, args.replays.as_deref())?;
    let house = Arc::new(House::start(roster, &wire, &args.set).await?);
    let shared = Arc::new(Match {
        house: house.clone(),
        options: clock(args.move_timeout),
        wire: Arc::new(wire),
        title: "game".to_owned(),
        called: called(&named, args.concurrency),
        deal: args.deal,
        bots,
        games: args.games,
        seed,
        order: Order::Rotation,
        join_timeout: Duration::from_millis(args.join_timeout),
        game_timeout: Duration::from_secs(args.game_timeout),
        ends_with_commands: false,
        next: AtomicU64::new(0),
        names: Arc::default(),
        observer: None,
        confinement,
        cells: AtomicUsize::new(0),
    });
    let page = format!("http://{}/{}", house.http(), args.game);
    if args.browser {
        browser::open(&page)?;
    }
    let (tallies, interrupt) = play_all(args, &labels, &shared).await?;
    folder.map_or(Ok(()), PrivateFolder::open)?;
    report(args, seed, &tallies)?;
    drop(shared);
    match interrupt {
        Some(interrupt) => Err(interrupt.into()),
        None => {
            if args.browser {
                browser::keep().await?;
            }
            house::shutdown(house).await
        }
    }
}

/// What each bot is called at the tables: the name before its command, unless several games at the same
/// time or bots of one name would need it twice.
fn called(named: &[(Option<&str>, &str)], concurrency: u64) -> Vec<Option<String>> {
    let mut called = Vec::new();
    for (name, _) in named {
        let is_alone = named.iter().filter(|(other, _)| other == name).count() == 1;
        called.push(name.filter(|_| concurrency == 1 && is_alone).map(str::to_owned));
    }
    called
}

/// How the commands among these bots are confined. `kept`: where games are kept, which is not for bots.
pub fn confinement(
    args: &ConfinementArgs,
    bots: &[Kind],
    kept: Option<&Path>,
) -> Result<Confinement> {
    let command = |bot: &'_ Kind| match bot {
        Kind::Command(command) => Some(command.clone()),
        Kind::House(_) | Kind::Running(_) => None,
    };
    let commands: Vec<String> = bots.iter().filter_map(command).collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    Confinement::new(args, Isolate::None, &commands, kept.as_slice())
}

/// A seed that fits into what every reader of JSON has for numbers.
pub fn random_seed() -> Result<u64> {
    Ok(u64::from_le_bytes(bot::entropy()?.0[..8].try_into().expect("eight bytes")) >> 11)
}

/// The option for the milliseconds after which silence costs a turn.
pub fn clock(ms: u64) -> Map<String, Value> {
    std::iter::once(("turn_timeout_ms".to_owned(), ms.into())).collect()
}

/// Plays until all games are played, or until it is interrupted.
async fn play_all(
    args: &PlayArgs,
    labels: &[String],
    shared: &Arc<Match>,
) -> Result<(Vec<Tally>, Option<Interrupt>)> {
    let mut interrupt = pin!(interrupt()?);
    let mut tallies: Vec<Tally> = labels.iter().map(|label| Tally::new(label)).collect();
    let bar = progress(args.games);
    let (sender, mut receiver) = mpsc::channel::<Played>(16);
    let mut lanes = JoinSet::new();
    for _ in 0..args.concurrency.min(args.games) {
        let (shared, sender) = (shared.clone(), sender.clone());
        lanes.spawn(async move { Lane::new(shared).await?.run(sender).await });
    }
    drop(sender);
    loop {
        let played = tokio::select! {
            played = receiver.recv() => played,
            interrupt = &mut interrupt => {
                bar.finish_and_clear();
                lanes.shutdown().await;
                return Ok((tallies, Some(interrupt)));
            }
        };
        let Some(played) = played else { break };
        for (tally, bot) in tallies.iter_mut().zip(&played.bots) {
            tally.add(&played, bot);
        }
        keep(&played, args.replays.as_deref())?;
        if !is_for_people(args) {
            output::line(&tally::game_json(&played, labels).to_string())?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    while let Some(lane) = lanes.join_next().await {
        lane??;
    }
    Ok((tallies, None))
}

fn is_for_people(args: &PlayArgs) -> bool {
    OutputName::chosen(args.format, stdout().is_terminal()) == OutputName::Text
}

fn progress(games: u64) -> ProgressBar {
    let target = match stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {elapsed} ({eta} left)");
    let style = style.expect("the template is well formed");
    ProgressBar::with_draw_target(Some(games), target).with_style(style)
}

fn keep(played: &Played, folder: Option<&Path>) -> Result<()> {
    let (Some(folder), Some(replay)) = (folder, &played.replay) else { return Ok(()) };
    let path = folder.join(format!("{}.jsonl", played.table));
    std::fs::write(&path, replay).with_context(|| format!("cannot write {}", path.display()))?;
    printed::keep(&path, &played.printed)
}

fn report(args: &PlayArgs, seed: u64, tallies: &[Tally]) -> Result<()> {
    if !is_for_people(args) {
        let bots: Vec<Value> = tallies.iter().map(Tally::json).collect();
        return output::line(&json!({"summary": bots, "seed": seed}).to_string());
    }
    output::line(&tally::table(tallies))?;
    // The author can change commands, and not house bots.
    for (_, tally) in args.bot.iter().zip(tallies).filter(|(bot, _)| !bot.contains("house:")) {
        if let Some(lost) = tally.lost_games(args.replays.as_deref()) {
            output::line(&format!("\n{lost}"))?;
        }
    }
    let again = match args.deal {
        Some(deal) => format!("--deal {deal}"),
        None => format!("--seed {seed}"),
    };
    let replays = args.replays.as_ref().map(|folder| format!(" Replays: {}.", folder.display()));
    output::line(&format!("\nThe same deals again: {again}.{}", replays.unwrap_or_default()))
}
