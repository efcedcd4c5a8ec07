//! `parlor replay`: a finished game, played again through the rules and shown.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use hall::Eyes;
use serde::Deserialize;
use serde_json::value::RawValue;
use store::sqlite::SqliteArchive;
use store::{Archive, Kind};
use wire::{AnyGame, Games};

use crate::cli::ReplayArgs;
use crate::output;

pub fn run(games: &Games, args: &ReplayArgs) -> Result<()> {
    let text = read(games, &args.game, &args.data)?;
    let game = Game::read(&text)?;
    let rules = game.rules(games)?;
    let not_verified = |why: String| anyhow!(why).context(format!("{} is not verified", args.game));
    if args.json {
        let eyes = args.eyes().unwrap_or(Eyes::Public);
        return output::text(&rules.frames(&game.records(), eyes).map_err(not_verified)?);
    }
    if args.quiet {
        rules.verify(&game.records()).map_err(not_verified)?;
    } else {
        let shown = rules.story(&game.records(), args.eyes()).map_err(not_verified)?;
        output::line(&format!("{} {}\n", game.head.game, game.head.id))?;
        for part in condensed(shown) {
            output::line(&format!("{part}\n"))?;
        }
    }
    output::line("verified")
}

/// Turns of which the same is told become one part, such as `turns 3 to 11`.
fn condensed(parts: Vec<String>) -> Vec<String> {
    let turn = |part: &str| {
        let (head, told) = part.strip_prefix("turn ")?.split_once('\n')?;
        Some((head.parse::<u64>().ok()?, told.to_owned()))
    };
    let mut shown: Vec<String> = Vec::new();
    // The number of the first turn that the last part tells of.
    let mut since = None;
    let mut before: Option<String> = None;
    for part in parts {
        match turn(&part) {
            Some((number, told)) if before.as_ref() == Some(&told) => {
                let first = *since.get_or_insert(number - 1);
                shown.pop();
                shown.push(format!("turns {first} to {number}\n{told}"));
            }
            told => {
                before = told.map(|(_, told)| told);
                since = None;
                shown.push(part);
            }
        }
    }
    shown
}

/// The text of a replay: from a file, standard input, or the archive.
fn read(games: &Games, game: &str, data: &Path) -> Result<String> {
    if game == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    if Path::new(game).is_file() {
        return std::fs::read_to_string(game).with_context(|| format!("cannot read {game}"));
    }
    let archive = SqliteArchive::open(data).with_context(|| format!("'{game}' is no file"))?;
    for name in games.names() {
        if let Some(replay) = archive.replay(Kind::Table, name, game)? {
            return Ok(replay.to_json_lines());
        }
    }
    bail!("'{game}' is neither a file nor a finished game in {}", data.display())
}

/// A game as its text has it.
struct Game {
    head: Head,
    lines: Vec<ReplayLine>,
}

#[derive(Deserialize)]
struct Head {
    game: String,
    id: String,
}

#[derive(Deserialize)]
struct ReplayLine {
    at: u64,
    record: Box<RawValue>,
}

impl Game {
    fn read(text: &str) -> Result<Game> {
        let mut lines = text.lines();
        let head = serde_json::from_str(lines.next().unwrap_or_default())
            .context("the first line does not say which game this is")?;
        let lines = lines.enumerate().map(|(index, line)| {
            serde_json::from_str(line).with_context(|| format!("line {} is no record", index + 2))
        });
        Ok(Game { head, lines: lines.collect::<Result<_>>()? })
    }

    fn rules<'a>(&self, games: &'a Games) -> Result<&'a Arc<dyn AnyGame>> {
        let name = &self.head.game;
        games.find(name).map_err(|_| anyhow!("this build does not know the game '{name}'"))
    }

    fn records(&self) -> Vec<(u64, &str)> {
        self.lines.iter().map(|line| (line.at, line.record.get())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who replayed a game of SubSim saw one empty sea for every turn.
    #[test]
    fn f06_turns_without_news_are_told_at_once() {
        let parts = ["table t", "turn 1\nplacing", "turn 2\nsea", "turn 3\nsea", "turn 4\nsea"];
        let more = ["turn 5, Ann to move\nsea", "turn 6\nsea", "over"];
        let parts = parts.into_iter().chain(more).map(str::to_owned).collect();
        assert_eq!(
            condensed(parts),
            [
                "table t",
                "turn 1\nplacing",
                "turns 2 to 4\nsea",
                "turn 5, Ann to move\nsea",
                "turn 6\nsea",
                "over"
            ]
        );
    }
}
