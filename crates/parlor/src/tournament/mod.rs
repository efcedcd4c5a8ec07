//! `parlor tournament`: organising on a server that runs, or playing a whole one here.

use wire::Games;
mod entrant;
mod held;
pub mod ladder;
mod orders;
mod report;
mod run;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::cli::{Deals, FormatName, PlanArgs, TournamentCommand};
use crate::terminal::Unreadable;

pub fn run(roster: &Games, command: &TournamentCommand) -> Result<()> {
    match command {
        TournamentCommand::Run(args) => run::run(roster, args),
        other => orders::run(roster, other),
    }
}

/// The plan as the API wants it.
fn plan(args: &PlanArgs, max_entrants: usize) -> Result<Value, Unreadable> {
    use FormatName::{Gauntlet, RoundRobin, Swiss};
    for (option, is_said, formats) in [
        ("--rounds", args.rounds != 0, &[Swiss][..]),
        ("--cycles", args.cycles != 1, &[RoundRobin, Gauntlet]),
        ("--challengers", args.challengers != 1, &[Gauntlet]),
    ] {
        if is_said && !formats.contains(&args.format) {
            let why = format!("{option} has no effect with this --format; see --help");
            return Err(Unreadable(why));
        }
    }
    let format = match args.format {
        FormatName::Knockout => json!("knockout"),
        FormatName::RoundRobin => json!({"round-robin": {"cycles": args.cycles}}),
        FormatName::Swiss => json!({"swiss": {"rounds": args.rounds}}),
        FormatName::Gauntlet => {
            json!({"gauntlet": {"challengers": args.challengers, "cycles": args.cycles}})
        }
    };
    let mut plan = Map::new();
    plan.insert("format".to_owned(), format);
    plan.insert("table_seats".to_owned(), args.seats.into());
    plan.insert("best_of".to_owned(), args.best_of.into());
    plan.insert("rated".to_owned(), (!args.unrated).into());
    plan.insert("max_entrants".to_owned(), max_entrants.into());
    plan.insert("concurrency".to_owned(), args.concurrency.into());
    if args.deals == Deals::Repeat {
        plan.insert("deals".to_owned(), "repeat".into());
    }
    if let Some(seed) = args.seed {
        let seed = serde_json::to_value(rules::Seed::from_number(seed)).expect("plain data");
        plan.insert("seed".to_owned(), seed);
    }
    Ok(plan.into())
}
