//! `parlor match`: which of two bots is stronger, and how sure that is.

use wire::Games;
mod arena;
mod book;
mod report;
mod reviews;
mod series;

use std::collections::BTreeMap;
use std::io::{IsTerminal, stdout};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use tournament::seating::{Design, Seatings, Side};
use tournament::sprt::{EloModel, Sprt, Verdict};
use wire::AnyDialect;

use crate::bots::PrivateFolder;
use crate::cli::{Deals, DesignName, MatchArgs, ModelName};
use crate::play::{Kind, RunningBot, Way, command, house};
use crate::terminal::{Interrupt, Unreadable, interrupt, output};
use arena::{Arena, Program};
use book::Book;
use report::Subject;
use reviews::Reviews;
use series::Series;

/// How often progress is printed on a terminal.
const EVERY: Duration = Duration::from_secs(5);

pub fn run(roster: &Games, args: &MatchArgs) -> Result<ExitCode> {
    tokio::runtime::Runtime::new()?.block_on(play(roster, args))
}

async fn play(roster: &Games, args: &MatchArgs) -> Result<ExitCode> {
    let interrupt = interrupt()?;
    let wire = roster.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let design = design(args.design);
    let seatings = design.seatings(args.seats).map_err(|why| Unreadable(why.to_string()))?;
    let entrants = entrants(args, &wire)?;
    house::check_options(roster, &wire, &args.set, ("--seats", args.seats))?;
    let bots = seated(&entrants, &seatings, args.seats)?;
    let seed = match args.seed {
        Some(seed) => seed,
        None => crate::play::random_seed()?,
    };
    let mut subject = subject(args, wire.game, &entrants, &seatings, seed)?;
    let mut series = Series::new(seatings.clone());
    let folder = args.out.as_deref().map(PrivateFolder::close).transpose()?;
    let mut book = None;
    if let Some(folder) = &args.out {
        let about = about(args, wire.game, design);
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
    introduce(args, &subject, &program.bots)?;
    let arena = Arena::open(roster, wire, args, program).await?;
    let mut reviews = Reviews::new(args.review, &entrants[0].label);
    let venue = Venue { arena, book, interrupt, reviews: &mut reviews };
    let (verdict, interrupt) = follow(args, &subject, &mut series, venue).await?;
    report(args, &subject, &series, verdict)?;
    reviews.tell(roster, args.json)?;
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

fn design(name: DesignName) -> Design {
    match name {
        DesignName::Half => Design::Half,
        DesignName::One => Design::One,
        DesignName::Field => Design::Field,
    }
}

/// A bot of the command line: what the report calls it, and how it is started or reached.
struct Entrant {
    label: String,
    kind: Kind,
}

/// The new bot, then the base bots, once each.
fn entrants(args: &MatchArgs, wire: &AnyDialect) -> Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    for bot in std::iter::once(&args.new).chain(&args.base) {
        let (name, bot) = command::split(bot, wire)?;
        let kind = match command::parse_running(name, bot, wire)? {
            Some(running) => Kind::Running(running),
            None => command::parse(bot, wire)?,
        };
        entrants.push(Entrant { label: name.unwrap_or(bot).to_owned(), kind });
    }
    let is_running = |entrant: &Entrant| matches!(entrant.kind, Kind::Running(_));
    if args.concurrency > 1 && entrants.iter().any(is_running) {
        let why = "a bot that runs already plays one game at a time: leave out --concurrency";
        return Err(Unreadable(why.to_owned()).into());
    }
    entrants.iter().try_for_each(|entrant| command::check_program(&entrant.kind))?;
    Ok(entrants)
}

/// How many seats the new bot has in each game.
fn seats_of_new(seatings: &Seatings) -> usize {
    seatings.games()[0].iter().filter(|side| **side == Side::New).count()
}

/// The bots of a table: those of the new side, then the base bots in turn.
fn seated(
    entrants: &[Entrant],
    seatings: &Seatings,
    seats: usize,
) -> Result<Vec<Kind>, Unreadable> {
    let new = seats_of_new(seatings);
    let base = entrants[1..].iter().cycle().take(seats - new);
    copies(std::iter::repeat_n(&entrants[0], new).chain(base).map(|entrant| &entrant.kind))
}

fn subject(
    args: &MatchArgs,
    game: &'static str,
    entrants: &[Entrant],
    seatings: &Seatings,
    seed: u64,
) -> Result<Subject, Unreadable> {
    let base: Vec<&str> = entrants[1..].iter().map(|entrant| &*entrant.label).collect();
    let (new, games) = (seats_of_new(seatings), seatings.games().len() as u64);
    Ok(Subject {
        game,
        seats: args.seats,
        new: entrants[0].label.clone(),
        base: base.join(", "),
        design: format!("{new} of {}, {} a deal", args.seats, output::count(games, "seating")),
        repeats_deals: args.deals == Deals::Repeat,
        seed,
        sprt: sprt(args)?,
    })
}

/// What must be the same when a match is continued.
fn about(args: &MatchArgs, game: &str, design: Design) -> Value {
    json!({
        "game": game, "new": args.new, "base": args.base, "seats": args.seats,
        "design": format!("{design:?}").to_lowercase(), "deals": format!("{:?}", args.deals).to_lowercase(),
        "options": args.set,
    })
}

/// Prints what is played, and where bots that run already can be found.
fn introduce(args: &MatchArgs, subject: &Subject, bots: &[Kind]) -> Result<()> {
    say(args, &subject.head())?;
    for bot in bots {
        if let Kind::Running(bot @ RunningBot { name, way, .. }) = bot {
            let what = if *way == Way::Listen { "connects to" } else { "waits at" };
            say(args, &format!("  {name} {what} {}", bot.address()))?;
        }
    }
    Ok(())
}

/// A copy of each bot for its seat. A bot that runs already needs another port in each of its seats.
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

/// Where games come from, where they are kept, and what interrupts them.
struct Venue<'a, I> {
    arena: Arena,
    book: Option<Book>,
    interrupt: I,
    reviews: &'a mut Reviews,
}

/// Counts games until the match is decided, long enough or interrupted.
async fn follow(
    args: &MatchArgs,
    subject: &Subject,
    series: &mut Series,
    venue: Venue<'_, impl Future<Output = Interrupt>>,
) -> Result<(Verdict, Option<Interrupt>)> {
    let Venue { mut arena, mut book, interrupt, reviews } = venue;
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
        if let Some((replay, _)) = replay {
            reviews.keep(&game, replay);
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
                "almost no game ends with a result: {} of {} blocks are void",
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
