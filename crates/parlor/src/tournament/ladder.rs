//! `parlor ladder`: a league without an end, on a server that runs.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use wire::Games;

use super::held::{self, Held, own_key};
use super::report;
use crate::cli::{LadderCommand, RemoteArgs, TournamentName};
use crate::terminal::output;

pub fn run(games: &Games, command: &LadderCommand) -> Result<()> {
    match command {
        LadderCommand::Create(args) => {
            let created = held::create_ladder(args)?;
            output::line(&head(&created.tournament))?;
            created.show_keys(None)
        }
        LadderCommand::List { game, remote } => list(game.as_deref(), remote),
        LadderCommand::Show { which, json: true } => output::line(&get(games, which)?.to_string()),
        LadderCommand::Show { which, json: false } => {
            output::line(&shown(&get(games, which)?, now()))
        }
        LadderCommand::Watch { which, json } => watch(games, which, *json),
        LadderCommand::Enter { which, entrant, key, display } => {
            let more = [("display", display), ("version", &None)];
            let key = own_key(key)?;
            output::line(&head(&Held::find(games, which)?.enter_own(entrant, more, key)?))
        }
        LadderCommand::Leave { which, name, key } => {
            let key = own_key(key)?;
            output::line(&head(&Held::find(games, which)?.leave(name, key)?))
        }
    }
}

fn list(game: Option<&str>, remote: &RemoteArgs) -> Result<()> {
    let all = held::all(game, remote)?;
    let ladders: Vec<&Value> = all.iter().filter(|one| is_ladder(one)).collect();
    if ladders.is_empty() {
        return output::line("no ladders");
    }
    for ladder in ladders {
        let (entered, withdrawn) = (number(&ladder["entered"]), number(&ladder["withdrawn"]));
        let (game, id, phase) = (&ladder["game"], &ladder["id"], &ladder["phase"]);
        let (game, id, phase) = (report::word(game), report::word(id), report::word(phase));
        output::line(&format!(
            "{game} {id}: {phase}, {}",
            number_of_entrants(entered - withdrawn)
        ))?;
    }
    Ok(())
}

fn number_of_entrants(count: u64) -> String {
    match count {
        1 => "1 entrant".to_owned(),
        count => format!("{count} entrants"),
    }
}

fn is_ladder(tournament: &Value) -> bool {
    tournament["plan"]["format"]["ladder"].is_object()
}

fn get(games: &Games, which: &TournamentName) -> Result<Value> {
    let ladder = Held::find(games, which)?.get()?;
    match is_ladder(&ladder) {
        true => Ok(ladder),
        false => bail!("'{}' is not a ladder; use 'parlor tournament show'", which.id),
    }
}

fn watch(games: &Games, which: &TournamentName, json: bool) -> Result<()> {
    let mut told: Option<BTreeSet<u64>> = None;
    loop {
        let ladder = get(games, which)?;
        let pairings = ladder["pairings"].as_array().context("the server lists no games")?;
        let decided = pairings.iter().filter(|pairing| !pairing["decision"].is_null());
        let decided: Vec<(u64, &Value)> =
            decided.map(|pairing| (number(&pairing["id"]), pairing)).collect();
        // What was over before is not news.
        if let Some(told) = &told {
            for (_, pairing) in decided.iter().filter(|(id, _)| !told.contains(id)) {
                output::line(&match json {
                    true => pairing.to_string(),
                    false => report::result_line(&ladder, pairing),
                })?;
            }
        }
        told = Some(decided.iter().map(|(id, _)| *id).collect());
        if ladder["phase"] == "cancelled" {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// One line about a ladder.
fn head(ladder: &Value) -> String {
    let entrants = ladder["entrants"].as_array().map_or(&[][..], Vec::as_slice);
    let count = |is: &dyn Fn(&Value) -> bool| entrants.iter().filter(|one| is(one)).count();
    let (game, id) = (report::word(&ladder["game"]), report::word(&ladder["id"]));
    format!(
        "{game} {id}: ladder, {}, {}, {} waiting, {} playing",
        report::word(&ladder["phase"]),
        number_of_entrants(count(&|one| one["withdrawn"] == false) as u64),
        count(&|one| !one["waiting_since"].is_null()),
        running(ladder).flat_map(|one| one["entrants"].as_array()).map(Vec::len).sum::<usize>(),
    )
}

fn running(ladder: &Value) -> impl Iterator<Item = &Value> {
    let pairings = ladder["pairings"].as_array().into_iter().flatten();
    pairings.filter(|pairing| pairing["decision"].is_null())
}

/// All of a ladder, for people.
fn shown(ladder: &Value, now: u64) -> String {
    let columns = ["", "name", "elo", "95 %", "games", "won", "drawn", "lost", ""];
    let mut rows = vec![columns.map(str::to_owned)];
    for standing in ladder["standings"].as_array().into_iter().flatten() {
        let entrant = &ladder["entrants"][number(&standing["entrant"]) as usize];
        let word = |key: &str| report::word(&standing[key]);
        rows.push([
            word("place"),
            report::shown(entrant),
            word("elo"),
            format!("{} to {}", word("low"), word("high")),
            word("played"),
            word("won"),
            word("drawn"),
            word("lost"),
            doing(ladder, standing, entrant, now),
        ]);
    }
    let mut text = format!("{}\n{}", head(ladder), report::aligned(&rows));
    let pairings = ladder["pairings"].as_array().into_iter().flatten().rev();
    let latest = pairings.filter(|pairing| !pairing["decision"].is_null()).take(5);
    let latest: Vec<String> = latest.map(|one| report::result_line(ladder, one)).collect();
    if !latest.is_empty() {
        text += &format!("\nlatest games:\n{}", latest.join("\n"));
    }
    text
}

/// What an entrant is doing now.
fn doing(ladder: &Value, standing: &Value, entrant: &Value, now: u64) -> String {
    let seconds = |ms: u64| ms.div_ceil(1000);
    let sits = |pairing: &Value| {
        let mut all = pairing["entrants"].as_array().into_iter().flatten();
        all.any(|one| one == &standing["entrant"])
    };
    let until = entrant["quarantined_until"].as_u64().filter(|until| *until > now);
    if entrant["withdrawn"] == true {
        "has left".to_owned()
    } else if let Some(until) = until {
        let why = report::word(&entrant["quarantined_because"]);
        format!("in quarantine for {} s: {why}", seconds(until - now))
    } else if running(ladder).any(sits) {
        "plays".to_owned()
    } else if let Some(since) = entrant["waiting_since"].as_u64() {
        format!("waits {} s", seconds(now.saturating_sub(since)))
    } else {
        "away".to_owned()
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as u64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_ladder_reads_well() {
        let ladder = json!({
            "game": "gamba", "id": "bots", "phase": "running",
            "plan": {"format": {"ladder": {"wait_s": 20}}},
            "entrants": [
                {"name": "ann", "withdrawn": false, "waiting_since": 7_500},
                {"name": "bob", "withdrawn": false, "quarantined_until": 70_000,
                 "quarantined_because": "crashed, crashed, crashed"},
                {"name": "cid", "withdrawn": false, "quarantined_until": 9_000},
                {"name": "dot", "withdrawn": true}, {"name": "eve", "withdrawn": false}],
            "pairings": [
                {"id": 7, "entrants": [0, 1], "decision": {"how": "forfeit", "winner": 0},
                 "games": [{"seats": [0, 1], "causes": ["finished", "crashed"]}]},
                {"id": 8, "entrants": [2, 9], "decision": null}],
            "standings": [
                {"place": 1, "entrant": 0, "elo": 1612, "low": 1540, "high": 1684, "played": 83,
                 "won": 61, "drawn": 2, "lost": 20},
                {"place": 2, "entrant": 1, "elo": 1500, "low": 1100, "high": 1900, "played": 3,
                 "won": 0, "drawn": 0, "lost": 3},
                {"place": 3, "entrant": 2}, {"place": 4, "entrant": 3}, {"place": 5, "entrant": 4}],
        });
        let text = shown(&ladder, 10_000);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "gamba bots: ladder, running, 4 entrants, 1 waiting, 2 playing");
        let cells = |at: usize| lines[at].split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(cells(2), "1 ann 1612 1540 to 1684 83 61 2 20 waits 3 s");
        assert!(lines[3].ends_with("in quarantine for 60 s: crashed, crashed, crashed"), "{text}");
        let ends = |at: usize, end: &str| assert!(lines[at].ends_with(end), "{text}");
        ends(4, "plays");
        ends(5, "has left");
        ends(6, "away");
        assert_eq!(lines[8], "ann - bob: ann (forfeit: bob crashed)");
    }
}
