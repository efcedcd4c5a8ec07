//! `parlor export`: finished games as JSON Lines, for statistics and learning programs.

use anyhow::{Context, Result};
use hall::Closing;
use rules::{Exit, Seed};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::postgres::{Database, PostgresArchive};
use store::sqlite::SqliteArchive;
use store::{Archive, Filter, Finished, Kind};
use tournament::rating::as_version;
use wire::{AnySeatTurns, Games};

use crate::cli::{ExportArgs, RatingPer, StoredArgs};
use crate::terminal::{Advice, Unreadable, output};

/// One game of an export.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedGame {
    pub game: String,
    pub id: String,
    pub opened_at: u64,
    pub closed_at: u64,
    pub rules_version: u32,
    pub rated: bool,
    pub status: String,
    /// By seat.
    pub seats: Vec<ExportedSeat>,
    /// What it was played by, and what it was dealt from; with its turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// Time and record, one after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<Vec<(u64, Value)>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct ExportedSeat {
    pub name: String,
    /// Which version of a program sat here, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// 1 is best; none in a game without a result.
    pub place: Option<u32>,
    pub points: Option<i64>,
    /// Why this seat did not play to the end.
    pub exit: Option<String>,
}

impl ExportedGame {
    fn of(finished: &Finished) -> Result<ExportedGame> {
        let closing: Closing = serde_json::from_str(finished.closing.get())
            .with_context(|| format!("game {} cannot be read", finished.id))?;
        let standings = match closing {
            Closing::Over(outcome) => outcome.standings,
            Closing::Void(_) => Vec::new(),
        };
        let seat = |(number, name): (usize, &String)| {
            let standing = standings.get(number);
            ExportedSeat {
                name: name.clone(),
                version: finished.versions.get(number).cloned().flatten(),
                place: standing.map(|standing| standing.place),
                points: standing.map(|standing| standing.points),
                exit: standing.and_then(|s| s.exit.as_ref()).map(ToString::to_string),
            }
        };
        Ok(ExportedGame {
            game: finished.game.clone(),
            id: finished.id.clone(),
            opened_at: finished.opened_at,
            closed_at: finished.closed_at,
            rules_version: finished.rules_version,
            rated: finished.rated,
            status: finished.status.to_owned(),
            seats: finished.players.iter().enumerate().map(seat).collect(),
            config: None,
            seed: None,
            records: None,
        })
    }

    /// Who had which place, if the game counts for ratings: who never came to it is left out, and fewer
    /// than two are none.
    pub fn placing(&self, per: RatingPer) -> Option<Vec<(String, u32)>> {
        let version =
            |seat: &ExportedSeat| seat.version.clone().filter(|_| per == RatingPer::Version);
        let rated = |seat: &ExportedSeat| as_version(&seat.name, version(seat).as_deref());
        let never_came = Exit::NeverCame.word();
        let came = self.seats.iter().filter(|seat| seat.exit.as_deref() != Some(never_came));
        let places = came.map(|seat| Some((rated(seat), seat.place?)));
        places.collect::<Option<Vec<_>>>().filter(|places| self.rated && places.len() > 1)
    }
}

pub fn run(games: &Games, args: &ExportArgs) -> Result<()> {
    let rules = games.find(&args.game).map_err(Unreadable)?;
    let archive = open(&args.stored)?;
    each(&*archive, &args.game, |finished| {
        if args.rated && !finished.rated
            || args.since.is_some_and(|since| finished.closed_at < since)
        {
            return Ok(());
        }
        let mut game = ExportedGame::of(finished)?;
        let mut turns = None;
        if args.replays || args.turns {
            let replay = archive.replay(Kind::Table, &args.game, &finished.id)?;
            let lines = replay.map(|replay| replay.lines).unwrap_or_default();
            if args.turns {
                let records: Vec<_> = lines.iter().map(|line| (line.at, &*line.record)).collect();
                match rules.seat_turns(&records) {
                    Ok(told) => turns = Some(told),
                    // Rules of an earlier release would play another game.
                    Err(why) => output::note(&format!("{} has no turns: {why}", finished.id)),
                }
            }
            if args.replays {
                let records =
                    lines.iter().map(|line| Ok((line.at, serde_json::from_str(&line.record)?)));
                game.records = Some(records.collect::<Result<_>>()?);
            }
        }
        let Some(AnySeatTurns { config, seed, lines }) = turns else {
            return output::line(&serde_json::to_string(&game)?);
        };
        (game.config, game.seed) = (Some(config), Some(seed));
        output::text(&format!("{}\n{lines}", serde_json::to_string(&game)?))
    })
}

/// The games of a data folder, or of the database that several servers share.
fn open(stored: &StoredArgs) -> Result<Box<dyn Archive>> {
    let Some(url) = &stored.database else {
        let opened = SqliteArchive::open(&stored.data);
        return Ok(Box::new(opened.map_err(|error| {
            let advice =
                "The games of servers that share a PostgreSQL are there: add --database URL.";
            anyhow::Error::from(error).context(Advice(advice.to_owned()))
        })?));
    };
    let url = match url.is_empty() {
        true => std::env::var("PARLOR_DATABASE").map_err(|_| {
            Unreadable("--database: name the database, or set PARLOR_DATABASE".to_owned())
        })?,
        false => url.clone(),
    };
    Ok(Box::new(PostgresArchive::new(Database::open(&url)?.0)))
}

/// All finished games.
pub fn all(stored: &StoredArgs, game: &str) -> Result<Vec<ExportedGame>> {
    let mut games = Vec::new();
    each(&*open(stored)?, game, |finished| {
        games.push(ExportedGame::of(finished)?);
        Ok(())
    })?;
    Ok(games)
}

/// Every finished game, the earliest first.
fn each(
    archive: &dyn Archive,
    game: &str,
    tell: impl FnMut(&Finished) -> Result<()>,
) -> Result<()> {
    const AT_ONCE: usize = 1000;
    // Lists begin with the latest.
    let mut filter = Filter { game: Some(game.to_owned()), limit: AT_ONCE, ..Filter::default() };
    let mut found = Vec::new();
    loop {
        let page = archive.finished(&filter)?;
        let is_last = page.len() < AT_ONCE;
        filter.after = page.last().map(|finished| finished.place);
        found.extend(page);
        if is_last {
            break;
        }
    }
    found.iter().rev().try_for_each(tell)
}
