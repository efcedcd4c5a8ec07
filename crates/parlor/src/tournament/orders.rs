//! What an organiser asks of a server that runs.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use wire::Games;

use super::{entrant, keys, report};
use crate::cli::{CreateArgs, EntryName, TournamentCommand, Which};
use crate::config;
use crate::connect::read_key;
use crate::output;
use crate::remote::{Refused, Remote};

pub fn run(games: &Games, command: &TournamentCommand) -> Result<()> {
    let found = |which: &Which, answer| found(games, which, answer);
    let post = |which: &Which, what: &str, body| post(games, which, what, body);
    match command {
        TournamentCommand::Run(_) => unreachable!("played here"),
        TournamentCommand::Create(args) => create(args),
        TournamentCommand::List { game, remote } => list(game.as_deref(), &Remote::find(remote)?),
        TournamentCommand::Show { which, json, csv } => show(games, which, *json, *csv),
        TournamentCommand::Watch(which) => watch(games, which),
        TournamentCommand::Start(which) => post(which, "start", None),
        TournamentCommand::Pause(which) => post(which, "pause", None),
        TournamentCommand::Resume(which) => post(which, "resume", None),
        TournamentCommand::Cancel(which) => post(which, "cancel", None),
        TournamentCommand::Enter { which, entrant: text, key, key_file, display, version } => {
            let more = [("display", display), ("version", version)];
            if let Some(key) = read_key(key.as_deref(), key_file.as_deref())? {
                let entered = enter(which, text, more, key);
                return output::line(&report::head(&found(which, entered)?));
            }
            let tournament = found(which, Remote::find(&which.remote)?.get(&place(which)))?;
            let count = tournament["entrants"].as_array().map_or(0, Vec::len);
            let remote = Remote::find(&which.remote)?;
            let path = format!("{}/entrants", place(which));
            let mut entrant = entrant::parse(text, count + 1);
            for (key, text) in more {
                if let Some(text) = text {
                    entrant[key] = text.as_str().into();
                }
            }
            let tournament = found(which, remote.post_json(&path, &entrant))?;
            output::line(&report::head(&tournament))?;
            keys::show(&remote, &tournament, None)
        }
        TournamentCommand::Withdraw { which, name } => {
            let path = format!("{}/entrants/{}", place(which), escaped(name));
            let tournament = found(which, Remote::find(&which.remote)?.delete(&path))?;
            output::line(&report::head(&tournament))
        }
        TournamentCommand::Reinstate { which, name } => {
            post(which, &format!("entrants/{}/reinstate", escaped(name)), None)
        }
        TournamentCommand::Key { which, name } => {
            let path = format!("{}/entrants/{}/key", place(which), escaped(name));
            let made = found(which, Remote::find(&which.remote)?.post(&path))?;
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

/// Enters an open tournament under a name of one's own.
pub fn enter(
    which: &Which,
    entrant: &str,
    more: [(&str, &Option<String>); 2],
    key: String,
) -> Result<Value> {
    let mut remote = Remote::find(&which.remote)?;
    remote.token = Some(key);
    let (name, plays_as) = match entrant.split_once('=') {
        Some((name, plays_as)) => (name, Some(plays_as)),
        None => (entrant, None),
    };
    let mut body = json!({ "name": name, "plays_as": plays_as });
    for (key, text) in more {
        body[key] = json!(text);
    }
    remote.post_json(&format!("{}/entry", place(which)), &body)
}

fn create(args: &CreateArgs) -> Result<()> {
    let remote = Remote::find(&args.remote)?;
    let mut entrants: Vec<Value> =
        (1..).zip(&args.entrant).map(|(n, e)| entrant::parse(e, n)).collect();
    if let Some(file) = &args.entrants {
        entrants.extend(entrant::Row::read(file)?.iter().map(entrant::Row::json));
    }
    let most = args.max.unwrap_or(if entrants.is_empty() { 4 } else { entrants.len().max(2) });
    let mut body = json!({
        "game": args.game,
        "plan": super::plan(&args.plan, most)?,
        "entrants": entrants,
        "no_show_s": args.plan.no_show,
        "options": config::options(&args.set)?,
    });
    if args.open {
        body["open"] = true.into();
    }
    body["open_names"] = args.open_names.into();
    if args.entry == EntryName::Claimed {
        body["entry"] = "claimed".into();
    }
    if let Some(id) = &args.id {
        body["id"] = id.as_str().into();
    }
    let tournament = remote.post_json("/api/v1/tournaments", &body)?;
    output::line(&report::head(&tournament))?;
    if args.open_names {
        output::note(
            "Names are open: whoever says an entrant's name plays in its place, and can take its seat.",
        );
    }
    keys::show(&remote, &tournament, args.keys.as_deref())
}

fn list(game: Option<&str>, remote: &Remote) -> Result<()> {
    let query = game.map(|game| format!("?game={}", escaped(game))).unwrap_or_default();
    let tournaments = remote.get_all(&format!("/api/v1/tournaments{query}"), "tournaments")?;
    if tournaments.is_empty() {
        return output::line("no tournaments");
    }
    for tournament in &tournaments {
        output::line(&report::head(tournament))?;
    }
    Ok(())
}

fn show(games: &Games, which: &Which, json: bool, csv: bool) -> Result<()> {
    let remote = Remote::find(&which.remote)?;
    if csv {
        let standings = remote.get_text(&format!("{}/standings.csv", place(which)));
        return output::text(&found(games, which, standings)?);
    }
    let tournament = found(games, which, remote.get(&place(which)))?;
    if json {
        return output::line(&tournament.to_string());
    }
    output::line(&report::head(&tournament))?;
    let ratings = ratings(&remote, &which.game)?;
    output::line(&report::standings(&tournament, &ratings))?;
    output::line(&report::pairings(&tournament))
}

/// What the server knows of everybody's strength.
pub fn ratings(remote: &Remote, game: &str) -> Result<Vec<Value>> {
    let ratings = remote.get(&format!("/api/v1/ratings/{}", escaped(game)))?;
    ratings.as_array().cloned().context("the server does not list its ratings")
}

fn watch(games: &Games, which: &Which) -> Result<()> {
    let remote = Remote::find(&which.remote)?;
    let mut decided = report::Decided::default();
    loop {
        let tournament = found(games, which, remote.get(&place(which)))?;
        for line in decided.news(&tournament) {
            output::line(&line)?;
        }
        match tournament["phase"].as_str() {
            Some("over" | "cancelled") => {
                output::line(&report::head(&tournament))?;
                let ratings = ratings(&remote, &which.game)?;
                return output::line(&report::standings(&tournament, &ratings));
            }
            Some(_) => std::thread::sleep(Duration::from_millis(500)),
            None => bail!("the server does not say how the tournament stands"),
        }
    }
}

fn post(games: &Games, which: &Which, what: &str, body: Option<Value>) -> Result<()> {
    let remote = Remote::find(&which.remote)?;
    let path = format!("{}/{what}", place(which));
    let answer = match body {
        Some(body) => remote.post_json(&path, &body),
        None => remote.post(&path),
    };
    output::line(&report::head(&found(games, which, answer)?))
}

/// An answer about a tournament. If there is none of that name, it says where the names are.
pub fn found<T>(games: &Games, which: &Which, answer: Result<T>) -> Result<T> {
    match answer {
        // A game that does not exist has no list either, and the server names those that do.
        Err(error) if Refused::is_missing(&error) && games.find(&which.game).is_ok() => {
            bail!("{error}; 'parlor tournament list' lists them")
        }
        answer => answer,
    }
}

pub fn place(which: &Which) -> String {
    format!("/api/v1/tournaments/{}/{}", escaped(&which.game), escaped(&which.id))
}

/// A word as a part of a path.
pub fn escaped(text: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    text.bytes()
        .map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
