//! `parlor replay`: a finished game, played again through the rules.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use games::roster::{self, Visitor};
use hall::{Closing, Record, Table};
use serde::Deserialize;
use serde_json::value::RawValue;
use store::Archive;
use store::sqlite::SqliteArchive;
use wire::Playable;

use crate::cli::ReplayArgs;
use crate::output;

pub fn run(args: &ReplayArgs) -> Result<()> {
    let text = read(&args.game, &args.data)?;
    verify(&text, args.quiet).with_context(|| format!("{} is not verified", args.game))?;
    output::line("verified")
}

/// Plays a game again and says what goes on. An error: it is not what its records say.
pub fn verify(text: &str, quiet: bool) -> Result<()> {
    let mut lines = text.lines();
    let head: Head = serde_json::from_str(lines.next().unwrap_or_default())
        .context("the first line does not say which game this is")?;
    let records = lines.enumerate().map(|(index, line)| {
        serde_json::from_str(line).with_context(|| format!("line {} is not a record", index + 2))
    });
    let records = records.collect::<Result<Vec<Line>>>()?;
    let mut rerun = Rerun { head: &head, records: &records, quiet, done: None };
    roster::each(&mut rerun);
    rerun.done.unwrap_or_else(|| Err(anyhow!("this build does not know the game '{}'", head.game)))
}

#[derive(Deserialize)]
struct Head {
    game: String,
    id: String,
}

#[derive(Deserialize)]
struct Line {
    record: Box<RawValue>,
}

/// The text of a replay: from a file, standard input, or the archive.
fn read(game: &str, data: &Path) -> Result<String> {
    if game == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    if Path::new(game).is_file() {
        return std::fs::read_to_string(game).with_context(|| format!("cannot read {game}"));
    }
    let archive = SqliteArchive::open(data).with_context(|| format!("'{game}' is not a file"))?;
    for name in roster::GAMES {
        if let Some(replay) = archive.replay(store::Kind::Table, name, game)? {
            return Ok(replay.to_json_lines());
        }
    }
    bail!("'{game}' is neither a file nor a finished game in {}", data.display())
}

struct Rerun<'a> {
    head: &'a Head,
    records: &'a [Line],
    quiet: bool,
    done: Option<Result<()>>,
}

impl Visitor for Rerun<'_> {
    fn visit<G: Playable>(&mut self) {
        if G::NAME == self.head.game {
            self.done = Some(self.rerun::<G>());
        }
    }
}

impl Rerun<'_> {
    fn rerun<G: Playable>(&self) -> Result<()> {
        let mut records: Vec<Record<G>> = Vec::new();
        for (index, line) in self.records.iter().enumerate() {
            let record = serde_json::from_str(line.record.get());
            records.push(record.with_context(|| format!("cannot read record {}", index + 1))?);
        }
        if !self.quiet {
            output::line(&format!("{} {}", self.head.game, self.head.id))?;
        }
        let mut seq = None;
        let mut written = Ok(());
        let see = |record: &Record<G>, table: &Table<G>| {
            let turned = table.game.is_some() && seq != Some(table.seq);
            let text = match (describe(record, table), hall::picture(table).filter(|_| turned)) {
                (Some(line), Some(picture)) => format!("{line}\n{picture}"),
                (Some(line), None) => line,
                (None, Some(picture)) => picture,
                (None, None) => return,
            };
            if turned {
                seq = Some(table.seq);
            }
            if !self.quiet && written.is_ok() {
                written = output::line(&text);
            }
        };
        let verdict = hall::replay(&records, see);
        written?;
        match verdict {
            Ok(table) if table.closing.is_some() => Ok(()),
            Ok(_) => Err(anyhow!("the records end before the game does")),
            Err(difference) => Err(anyhow!("not verified: {difference}")),
        }
    }
}

/// A record in words; moves are shown by the picture of the turn they make.
fn describe<G: Playable>(record: &Record<G>, table: &Table<G>) -> Option<String> {
    let name = |seat: &rules::Seat| {
        table.chair(*seat).map_or_else(|| seat.to_string(), |chair| chair.name.to_string())
    };
    match record {
        Record::Opened(opened) => Some(format!("table {} opens, seed {}", opened.id, opened.seed)),
        Record::Seated { seat, name, .. } => Some(format!("{name} takes seat {seat}")),
        Record::Left { seat } => Some(format!("seat {seat} is free again")),
        Record::Started { .. } => Some("the game begins".to_owned()),
        Record::Expired { .. } => Some("the clock runs out".to_owned()),
        Record::Retired { seats } => {
            let who: Vec<String> =
                seats.iter().map(|(seat, exit)| format!("{} ({exit:?})", name(seat))).collect();
            Some(format!("out: {}", who.join(", ")))
        }
        Record::Deputed { seat, bot: Some(bot) } => Some(format!("{bot} plays for {}", name(seat))),
        Record::Deputed { seat, bot: None } => Some(format!("{} is back", name(seat))),
        Record::Closed(Closing::Void(reason)) => Some(format!("void: {reason}")),
        Record::Closed(Closing::Over(outcome)) => {
            let standing = |(seat, standing): (rules::Seat, &rules::Standing)| {
                format!("{}. {} {}", standing.place, name(&seat), standing.points)
            };
            let seats = rules::Seat::all(outcome.standings.len());
            Some(seats.zip(&outcome.standings).map(standing).collect::<Vec<_>>().join(", "))
        }
        Record::Ready { .. } | Record::Moved { .. } => None,
    }
}
