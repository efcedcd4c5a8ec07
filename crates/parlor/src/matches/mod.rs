//! `parlor match`: which of two bots is stronger, and how sure that is.

use wire::Games;
mod arena;
mod book;
mod report;
mod series;

use std::collections::BTreeMap;
use std::io::{IsTerminal, stdout};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::json;
use tournament::seating::{Design, Side};
use tournament::sprt::{EloModel, Sprt, Verdict};

use crate::bots::PrivateFolder;
use crate::cli::{Deals, DesignName, MatchArgs, ModelName};
use crate::play::{Kind, RunningBot, Way, command, house};
use crate::terminal::{Interrupt, Unreadable, interrupt, output};
use arena::{Arena, Program};
use book::Book;
use report::Subject;
use series::Series;

/// On a terminal it is said so often how it stands.
const EVERY: Duration = Duration::from_secs(5);

pub fn run(roster: &Games, args: &MatchArgs) -> Result<ExitCode> {
    tokio::runtime::Runtime::new()?.block_on(play(roster, args))
}

async fn play(roster: &Games, args: &MatchArgs) -> Result<ExitCode> {
    let interrupt = interrupt()?;
    let wire = roster.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let design = match args.design {
        DesignName::Half => Design::Half,
        DesignName::One => Design::One,
        DesignName::Field => Design::Field,
    };
    let seatings = design.seatings(args.seats).map_err(|why| Unreadable(why.to_string()))?;
    let named = std::iter::once(&args.new).chain(&args.base);
    let named: Vec<_> = named.map(|bot| command::split(bot, &wire)).collect::<Result<_, _>>()?;
    let kind = |(name, bot): &(Option<&str>, &str)| match command::parse_running(*name, bot, &wire)
    {
        Ok(Some(running)) => Ok(Kind::Running(running)),
        Ok(None) => command::parse(bot, &wire),
        Err(why) => Err(why),
    };
    let kinds: Vec<_> = named.iter().map(kind).collect::<Result<_, _>>()?;
    if args.concurrency > 1 && kinds.iter().any(|kind| matches!(kind, Kind::Running(_))) {
        let why = "a bot that runs already plays one game at a time: leave out --concurrency";
        return Err(Unreadable(why.to_owned()).into());
    }
    kinds.iter().try_for_each(command::check_program)?;
    house::check_options(roster, &wire, &args.set, ("--seats", args.seats))?;
    let labels: Vec<&str> = named.iter().map(|(name, bot)| name.unwrap_or(bot)).collect();
    let new = seatings.games()[0].iter().filter(|side| **side == Side::New).count();
    let bots =
        std::iter::repeat_n(&kinds[0], new).chain(kinds[1..].iter().cycle().take(args.seats - new));
    let bots = copies(bots)?;
    let seed = match args.seed {
        Some(seed) => seed,
        None => crate::play::random_seed()?,
    };
    let mut subject = Subject {
        game: wire.game,
        seats: args.seats,
        new: labels[0].to_owned(),
        base: labels[1..].join(", "),
        design: format!(
            "{new} of {}, {} a deal",
            args.seats,
            output::count(seatings.games().len() as u64, "seating")
        ),
        repeats_deals: args.deals == Deals::Repeat,
        seed,
        sprt: sprt(args)?,
    };
    let mut series = Series::new(seatings.clone());
    let about = json!({
        "game": wire.game, "new": args.new, "base": args.base, "seats": args.seats,
        "design": format!("{design:?}").to_lowercase(), "deals": format!("{:?}", args.deals).to_lowercase(),
        "options": args.set,
    });
    let folder = args.out.as_deref().map(PrivateFolder::close).transpose()?;
    let mut book = None;
    if let Some(folder) = &args.out {
        let (opened, seed, blocks) = Book::open(folder, about, (args.seed, seed), args.resume)?;
        subject.seed = seed;
        blocks.iter().for_each(|block| series.count(block));
        book = Some(opened);
    }
    let program = Program {
        seatings: Arc::new(seatings),
        bots,
        seed: subject.seed,
        deals: args.deals,
        first: series.next * series.block_games(),
    };
    say(args, &subject.head())?;
    for bot in &program.bots {
        if let Kind::Running(bot @ RunningBot { name, way, .. }) = bot {
            let what = if *way == Way::Listen { "connects to" } else { "waits at" };
            say(args, &format!("  {name} {what} {}", bot.address()))?;
        }
    }
    let arena = Arena::open(roster, wire, args, program).await?;
    let venue = Venue { arena, book, interrupt };
    let (verdict, interrupt) = follow(args, &subject, &mut series, venue).await?;
    report(args, &subject, &series, verdict)?;
    if let Some(interrupt) = interrupt {
        return Err(interrupt.into());
    }
    folder.map_or(Ok(()), PrivateFolder::open)?;
    Ok(match (subject.sprt, verdict) {
        (None, _) | (_, Verdict::H1) => ExitCode::SUCCESS,
        (_, Verdict::H0 | Verdict::Identical) => ExitCode::FAILURE,
        (_, Verdict::Undecided) => ExitCode::from(3),
    })
}

/// The bots of a table. One that runs already is another one in each of its seats.
fn copies<'a>(bots: impl Iterator<Item = &'a Kind>) -> Result<Vec<Kind>, Unreadable> {
    let mut seats: BTreeMap<&str, u16> = BTreeMap::new();
    let mut copied = Vec::new();
    for bot in bots {
        let Kind::Running(running) = bot else {
            copied.push(bot.clone());
            continue;
        };
        let number = seats.entry(&running.name).or_default();
        let copy = running.copy(*number);
        *number += 1;
        let none = || Unreadable(format!("{}: there are no more ports", running.address()));
        copied.push(Kind::Running(copy.ok_or_else(none)?));
    }
    Ok(copied)
}

/// Where games come from, where they go, and who may stop them.
struct Venue<I> {
    arena: Arena,
    book: Option<Book>,
    interrupt: I,
}

/// Counts games until it is decided, there are enough, or somebody stops it.
async fn follow(
    args: &MatchArgs,
    subject: &Subject,
    series: &mut Series,
    venue: Venue<impl Future<Output = Interrupt>>,
) -> Result<(Verdict, Option<Interrupt>)> {
    let Venue { mut arena, mut book, interrupt } = venue;
    let mut interrupt = pin!(interrupt);
    let mut told = Instant::now();
    let mut verdict = decided(args, subject, series);
    while verdict.is_none() {
        let (game, replay) = tokio::select! {
            game = arena.games.recv() => match game {
                Some(game) => game,
                None => return Err(arena.fault().await),
            },
            interrupt = &mut interrupt => {
                arena.close().await?;
                return Ok((Verdict::Undecided, Some(interrupt)));
            }
        };
        if let (Some(book), Some((replay, printed))) = (&book, &replay) {
            book.keep_replay(&game.table, replay, printed)?;
        }
        let mut block = series.add(game);
        while let Some(whole) = block {
            if let Some(book) = &mut book {
                book.keep(&whole)?;
            }
            verdict = decided(args, subject, series);
            block = if verdict.is_none() { series.next_block() } else { None };
        }
        if series.void > 20 && series.void > 4 * series.blocks.len() {
            arena.close().await?;
            bail!(
                "hardly any game comes to an end: {} blocks of {} are void",
                series.void,
                series.next
            );
        }
        if stdout().is_terminal() && !args.json && told.elapsed() > EVERY {
            told = Instant::now();
            output::line(&subject.progress(series))?;
        }
    }
    arena.close().await?;
    Ok((verdict.unwrap_or(Verdict::Undecided), None))
}

/// What is decided, if that is enough.
fn decided(args: &MatchArgs, subject: &Subject, series: &Series) -> Option<Verdict> {
    let Some(sprt) = subject.sprt else {
        return (series.games() >= args.games).then_some(Verdict::Undecided);
    };
    match sprt.verdict(&series.blocks) {
        Verdict::Undecided => (series.games() >= args.max_games).then_some(Verdict::Undecided),
        verdict => Some(verdict),
    }
}

fn say(args: &MatchArgs, text: &str) -> Result<()> {
    if args.json { Ok(()) } else { output::line(text) }
}

fn report(args: &MatchArgs, subject: &Subject, series: &Series, verdict: Verdict) -> Result<()> {
    match args.json {
        true => output::line(&subject.json(series, verdict).to_string()),
        false => output::line(&subject.text(series, verdict)),
    }
}

/// `elo0=0 elo1=20`, in either order.
fn sprt(args: &MatchArgs) -> Result<Option<Sprt>, Unreadable> {
    if args.sprt.is_empty() {
        return Ok(None);
    }
    let wrong = |why: &str| Unreadable(format!("--sprt {}: {why}", args.sprt.join(" ")));
    let value = |key: &str| {
        let values = args.sprt.iter().filter_map(|word| word.split_once('='));
        let text = values.filter(|(name, _)| *name == key).map(|(_, value)| value).next_back();
        text.and_then(|text| text.parse::<f64>().ok()).filter(|elo| elo.is_finite())
    };
    let (Some(elo0), Some(elo1)) = (value("elo0"), value("elo1")) else {
        return Err(wrong("write it as --sprt elo0=0 elo1=20"));
    };
    if elo0 >= elo1 {
        return Err(wrong("elo1 must be greater than elo0"));
    }
    let share = |share: f64| share > 0.0 && share < 0.5;
    if !share(args.alpha) || !share(args.beta) {
        return Err(wrong("alpha and beta must be between 0 and 0.5"));
    }
    let model = match args.model {
        ModelName::Normalised => EloModel::Normalised,
        ModelName::Logistic => EloModel::Logistic,
    };
    Ok(Some(Sprt { elo0, elo1, alpha: args.alpha, beta: args.beta, model }))
}
