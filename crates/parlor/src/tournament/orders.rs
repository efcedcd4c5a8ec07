//! What an organiser asks of a server that runs.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use wire::Games;

use super::held::{self, Held};
use super::report;
use crate::cli::{CreateArgs, RemoteArgs, TournamentCommand, TournamentName, read_key};
use crate::terminal::output;

pub fn run(games: &Games, command: &TournamentCommand) -> Result<()> {
    let held = |which| Held::find(games, which);
    let head = |tournament: &Value| output::line(&report::head(tournament));
    let post = |which, what: &str, body: Option<Value>| {
        head(&Held::find(games, which)?.post(what, body.as_ref())?)
    };
    match command {
        TournamentCommand::Run(_) => unreachable!("played here"),
        TournamentCommand::Create(args) => create(args),
        TournamentCommand::List { game, remote } => list(game.as_deref(), remote),
        TournamentCommand::Show { which, json, csv } => show(games, which, *json, *csv),
        TournamentCommand::Watch(which) => watch(games, which),
        TournamentCommand::Start(which) => post(which, "start", None),
        TournamentCommand::Pause(which) => post(which, "pause", None),
        TournamentCommand::Resume(which) => post(which, "resume", None),
        TournamentCommand::Cancel(which) => post(which, "cancel", None),
        TournamentCommand::Enter { which, entrant: text, key, key_file, display, version } => {
            let more = [("display", display), ("version", version)];
            // A wrong key file is reported whether or not a server is running.
            let key = read_key(key.as_deref(), key_file.as_deref())?;
            let entered = held(which)?.enter(text, more, key)?;
            head(&entered.tournament)?;
            entered.show_keys(None)
        }
        TournamentCommand::Withdraw { which, name } => head(&held(which)?.withdraw(name)?),
        TournamentCommand::Reinstate { which, name } => {
            head(&held(which)?.post_of(name, "reinstate")?)
        }
        TournamentCommand::Key { which, name } => {
            let made = held(which)?.post_of(name, "key")?;
            output::line(made["key"].as_str().context("the server gives no key")?)?;
            output::note("This key is not shown again: give it to its player.");
            Ok(())
        }
        TournamentCommand::Adjudicate { which, pairing, places } => {
            let path = format!("pairings/{pairing}/adjudicate");
            post(which, &path, Some(json!({"places": places})))
        }
    }
}

fn create(args: &CreateArgs) -> Result<()> {
    let created = held::create(args)?;
    output::line(&report::head(&created.tournament))?;
    if args.open_names {
        output::note(
            "Names are open: anyone who joins under an entrant's name plays for that entrant and can take the seat.",
        );
    }
    created.show_keys(args.keys.as_deref())
}

fn list(game: Option<&str>, remote: &RemoteArgs) -> Result<()> {
    let tournaments = held::all(game, remote)?;
    if tournaments.is_empty() {
        return output::line("no tournaments");
    }
    for tournament in &tournaments {
        output::line(&report::head(tournament))?;
    }
    Ok(())
}

fn show(games: &Games, which: &TournamentName, json: bool, csv: bool) -> Result<()> {
    let held = Held::find(games, which)?;
    if csv {
        return output::text(&held.get_text("standings.csv")?);
    }
    let tournament = held.get()?;
    if json {
        return output::line(&tournament.to_string());
    }
    output::line(&report::head(&tournament))?;
    output::line(&report::standings(&tournament, &held.ratings()?))?;
    output::line(&report::pairings(&tournament))
}

fn watch(games: &Games, which: &TournamentName) -> Result<()> {
    let held = Held::find(games, which)?;
    let mut decided = report::Decided::default();
    loop {
        let tournament = held.get()?;
        for line in decided.news(&tournament) {
            output::line(&line)?;
        }
        match tournament["phase"].as_str() {
            Some("over" | "cancelled") => {
                output::line(&report::head(&tournament))?;
                return output::line(&report::standings(&tournament, &held.ratings()?));
            }
            Some(_) => std::thread::sleep(Duration::from_millis(500)),
            None => bail!("the server did not send the tournament"),
        }
    }
}
