//! The settings of a new tournament, from the command line.

use anyhow::Result;
use serde_json::{Map, Value, json};
use wire::{AnyDialect, Games};

use super::super::entrant::{self, Entrant, Row};
use super::super::plan;
use super::ID;
use crate::cli::{self, RunArgs};
use crate::play::{clock, command, house};
use crate::terminal::Unreadable;

/// As the API wants it.
pub fn wish(args: &RunArgs, wire: &AnyDialect, entrants: &[Entrant]) -> Result<Value> {
    Ok(json!({
        "game": args.game,
        "id": ID,
        "plan": plan(&args.plan, entrants.len())?,
        "entrants": entrants.iter().map(Entrant::json).collect::<Vec<_>>(),
        "options": options(args, wire)?,
        "no_show_s": args.plan.no_show,
        "starts_when_full": false,
        "open_names": false,
    }))
}

/// Who takes part. What cannot work is refused before anything starts.
pub fn entrants(games: &Games, args: &RunArgs, wire: &AnyDialect) -> Result<Vec<Entrant>> {
    let rows = match &args.entrants {
        Some(path) => Row::read(path)?,
        None => Vec::new(),
    };
    let entrants = entrant::all(&args.bot, &rows, wire)?;
    if entrants.len() < 2 {
        let why =
            "a tournament takes at least two bots: pass --bot once for each, or --entrants FILE";
        return Err(Unreadable(why.to_owned()).into());
    }
    house::check_options(games, wire, &args.set, ("--seats", args.plan.seats))?;
    for (at, entrant) in entrants.iter().enumerate() {
        let checked = command::check_program(&entrant.bot);
        // Those of the file come after those of the command line.
        checked.map_err(|why| match (at.checked_sub(args.bot.len()), &args.entrants) {
            (Some(_), Some(path)) => {
                let why = why.to_string();
                let why = why.strip_prefix("--bot ").unwrap_or(&why);
                let file = path.display();
                Unreadable(format!("team '{}' of {file}: {why}", entrant.name)).into()
            }
            _ => why,
        })?;
    }
    Ok(entrants)
}

/// The bots among them that are commands.
pub fn commands(entrants: &[Entrant]) -> Vec<&str> {
    entrants.iter().filter_map(Entrant::command).collect()
}

/// The options of the game that were asked for: they count more than what tournaments usually
/// have.
fn options(args: &RunArgs, wire: &AnyDialect) -> Result<Map<String, Value>> {
    let own = format!("{}.", wire.game);
    let set = cli::with_game(&args.set, wire.game);
    let set: Vec<String> = set.into_iter().filter(|set| set.trim().starts_with(&own)).collect();
    let mut options = cli::options(&set, wire.game)?;
    if let Some(ms) = args.move_timeout {
        options.extend(clock(ms));
    }
    if let Some(ms) = args.pace {
        options.insert("pace_ms".to_owned(), ms.into());
    }
    Ok(options)
}
