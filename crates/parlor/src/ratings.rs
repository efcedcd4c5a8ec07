//! `parlor ratings`: every player's strength, computed again from the games of a data folder or of
//! an export.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tournament::Ratings;
use tournament::rating::name_and_version;
use tournament::strength::{Question, strengths};
use wire::Games;

use crate::cli::{RatingMethod, RatingsArgs};
use crate::export::{self, ExportedGame};
use crate::terminal::{Unreadable, output};

pub fn run(games: &Games, args: &RatingsArgs) -> Result<()> {
    games.find(&args.game).map_err(Unreadable)?;
    let played = match &args.from {
        Some(file) => read(file)?,
        None => export::all(&args.stored, &args.game)?,
    };
    let played = played.iter().filter(|played| played.game == args.game);
    let placings: Vec<Vec<(String, u32)>> =
        played.filter_map(|played| played.placing(args.per)).collect();
    let placings: Vec<Vec<(&str, u32)>> = placings
        .iter()
        .map(|placing| placing.iter().map(|(rated, place)| (rated.as_str(), *place)).collect())
        .collect();
    if placings.is_empty() && !args.json {
        output::error(&format!("no rated game of {} was finished yet", args.game));
    }
    match args.method {
        RatingMethod::Running => running(args, &placings),
        RatingMethod::Likelihood => likelihood(args, &placings),
    }
}

/// One game after the other, as the server counts them.
fn running(args: &RatingsArgs, placings: &[Vec<(&str, u32)>]) -> Result<()> {
    let mut ratings = Ratings::new();
    placings.iter().for_each(|placing| ratings.apply(placing));
    let leaderboard = ratings.leaderboard();
    if args.json {
        return print_json(leaderboard.iter().map(|rated| json!(rated)));
    }
    let rows = leaderboard.iter().map(|rated| {
        let rating = &rated.rating;
        let strength = format!("{:>6.2} ± {:<5.2}", rating.mean, rating.uncertainty);
        (shown(&rated.name), strength, rating.games)
    });
    print(rows.collect())
}

/// All games at once.
fn likelihood(args: &RatingsArgs, placings: &[Vec<(&str, u32)>]) -> Result<()> {
    let anchor = args.anchor.as_deref().map(anchor).transpose()?;
    let strengths = strengths(placings, &Question { anchor, ..Question::default() });
    if let Some((name, _)) = anchor.filter(|(name, _)| strengths.iter().all(|s| s.name != *name)) {
        return Err(Unreadable(format!("--anchor: {name} has played no rated game")).into());
    }
    if args.json {
        return print_json(strengths.iter().map(|strength| json!(strength)));
    }
    let rows = strengths.iter().map(|strength| {
        let interval =
            format!("{:>7.1}  [{:.1}, {:.1}]", strength.elo, strength.low, strength.high);
        (shown(&strength.name), interval, strength.games)
    });
    print(rows.collect())
}

/// A version stands beside its name.
fn shown(rated: &str) -> String {
    match name_and_version(rated) {
        (name, Some(version)) => format!("{name}  {version}"),
        (name, None) => name.to_owned(),
    }
}

/// In JSON it is a separate field.
fn print_json(rated: impl Iterator<Item = Value>) -> Result<()> {
    let parted = |mut rated: Value| {
        let name = rated["name"].as_str().unwrap_or_default().to_owned();
        if let (name, Some(version)) = name_and_version(&name) {
            (rated["name"], rated["version"]) = (name.into(), version.into());
        }
        rated
    };
    output::line(&Value::Array(rated.map(parted).collect()).to_string())
}

fn print(rows: Vec<(String, String, u32)>) -> Result<()> {
    let width = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    for (place, (name, strength, games)) in (1..).zip(&rows) {
        let games = output::count(*games, "game");
        output::line(&format!("{place:>4}  {name:<width$}  {strength}  {games}"))?;
    }
    Ok(())
}

/// `NAME=ELO`.
fn anchor(text: &str) -> Result<(&str, f64), Unreadable> {
    let anchor = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.parse().ok()?)));
    anchor.ok_or_else(|| Unreadable(format!("--anchor {text}: write it as NAME=ELO")))
}

fn read(file: &Path) -> Result<Vec<ExportedGame>> {
    let reader: Box<dyn BufRead> = match file == Path::new("-") {
        true => Box::new(stdin().lock()),
        false => {
            let open = File::open(file).with_context(|| format!("cannot read {}", file.display()));
            Box::new(BufReader::new(open?))
        }
    };
    let parse = |(number, line): (usize, std::io::Result<String>)| {
        let wrong = || format!("line {} is not a game of `parlor export`", number + 1);
        serde_json::from_str(&line?).with_context(wrong)
    };
    reader.lines().enumerate().map(parse).collect()
}
