//! `parlor data`: what a folder holds, and removing what is old.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use hall::{Closing, TableRecord, TournamentRecord};
use serde_json::Value;
use store::folder::Folder;
use store::sqlite::{FILE, SqliteArchive, SqliteJournal};
use store::{Archive, Batch, Journal, Mark, Row, StoredRecord, Summary, Topic, Writing};
use wire::Games;

use crate::cli::{DataArgs, DataCommand};
use crate::output::{self, count};
use crate::remote::Remote;

pub fn run(games: &Games, args: &DataArgs) -> Result<()> {
    match &args.command {
        None => show(&args.data),
        Some(DataCommand::Prune { older_than }) => prune(&args.data, *older_than),
        Some(DataCommand::Abandon) => abandon(games, &args.data),
    }
}

fn show(data: &Path) -> Result<()> {
    let size = SqliteArchive::open(data)?.size()?;
    let in_use = if Folder::is_taken(data) { ", in use by a server" } else { "" };
    output::line(&format!(
        "{}: {:.1} MiB{in_use}",
        data.display(),
        size.bytes as f64 / f64::from(1 << 20)
    ))?;
    output::line(&format!("open tables: {}", size.open_tables))?;
    output::line(&format!("open tournaments: {}", size.open_tournaments))?;
    for (game, finished, void) in size.games {
        output::line(&format!("{game}: {}, {void} void", count(finished, "finished game")))?;
    }
    for (game, finished, cancelled) in size.tournaments {
        let finished = count(finished, "finished tournament");
        output::line(&format!("{game}: {finished}, {cancelled} cancelled"))?;
    }
    Ok(())
}

fn prune(data: &Path, older_than: Duration) -> Result<()> {
    demand_journal(data)?;
    let removed = match Folder::take(data) {
        Ok(folder) => {
            let mut journal = SqliteJournal::open(folder)?;
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let before = now.saturating_sub(older_than).as_millis() as u64;
            let mut removed = 0;
            loop {
                match journal.prune(before, 1000)? {
                    0 => break,
                    count => removed += count,
                }
            }
            journal.close()?;
            removed as u64
        }
        Err(store::StoreError::InUse(_)) => ask_server(data, older_than)?,
        Err(error) => return Err(error.into()),
    };
    output::line(&format!("{} removed", count(removed, "game")))
}

/// These commands are about a journal that is there; a mistyped folder must not begin one.
fn demand_journal(data: &Path) -> Result<()> {
    if !data.join(FILE).exists() {
        bail!("{} is not a data folder: there is no journal in it", data.display());
    }
    Ok(())
}

/// The server that has the folder removes the games itself.
fn ask_server(data: &Path, older_than: Duration) -> Result<u64> {
    let remote = Remote::of_folder(data).context("a server uses this folder")?;
    let seconds = older_than.as_secs();
    let body = remote.post(&format!("/api/v1/results/prune?older_than_s={seconds}"))?;
    body["removed"].as_u64().with_context(|| format!("the server answered {body}"))
}

/// What is kept of a table that was begun, read from its records' text.
fn summary(lines: &[StoredRecord], closing: &Closing) -> Result<Option<Summary>> {
    let records = lines.iter().map(|line| serde_json::from_str(&line.record));
    let records = records.collect::<Result<Vec<Value>, _>>()?;
    let find = |key: &str| records.iter().map(|record| &record[key]).find(|value| !value.is_null());
    let (Some(opened), Some(started)) = (find("opened"), find("started")) else { return Ok(None) };
    let mut seats = BTreeMap::new();
    for record in &records {
        if let (Some(seat), Some(name)) =
            (record["seated"]["seat"].as_u64(), record["seated"]["name"].as_str())
        {
            seats.insert(seat, name);
        } else if let Some(seat) = record["left"]["seat"].as_u64() {
            seats.remove(&seat);
        }
    }
    let order = started["order"].as_array().into_iter().flatten().filter_map(Value::as_u64);
    let seated = order.filter_map(|seat| seats.get(&seat).copied());
    Ok(Some(Summary {
        id: opened["id"].as_str().unwrap_or_default().to_owned(),
        finished: false,
        rules_version: opened["version"].as_u64().unwrap_or(0) as u32,
        opened_at: opened["at"].as_u64().unwrap_or(0),
        names: seated.map(str::to_owned).collect(),
        closing: serde_json::to_string(closing)?,
        rated: false,
    }))
}

/// Closes what is open without knowing any game: a void closing is the same for all.
fn abandon(games: &Games, data: &Path) -> Result<()> {
    demand_journal(data)?;
    let mut journal = SqliteJournal::open(Folder::take(data)?)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    // Any game's record would do: the text of this one names none.
    let closing = Closing::Void("abandoned by the organiser".to_owned());
    let closed_table = Arc::new(TableRecord::<games::sushi_go::SushiGo>::Closed(closing.clone()));
    let closed_tournament = Arc::new(TournamentRecord::<games::sushi_go::SushiGo>::Closed);
    let streams = journal.streams()?;
    if let Some(game) = streams.iter().find(|game| games.find(game).is_err()) {
        bail!("the journal has tables of '{game}', which this build does not know");
    }
    let (mut tables, mut tournaments) = (0, 0);
    let mut batches = Vec::new();
    for stream in streams {
        let loaded = journal.load(&stream)?;
        let mut rows = Vec::new();
        for (topic, lines) in &loaded.open {
            let (record, summary): (Arc<dyn Writing>, _) = match topic {
                Topic::Table(_) => {
                    tables += 1;
                    (closed_table.clone(), summary(lines, &closing)?)
                }
                Topic::Tournament(_) => {
                    tournaments += 1;
                    (closed_tournament.clone(), None)
                }
            };
            let mark = Mark::Closes(summary.map(Box::new));
            rows.push(Row { topic: *topic, at: now, record, mark });
        }
        batches.push(Batch { stream: stream.into(), epoch: loaded.epoch, rows });
    }
    journal.append(batches)?;
    journal.close()?;
    let (tables, tournaments) = (count(tables, "open table"), count(tournaments, "tournament"));
    output::line(&format!("{tables} and {tournaments} given up"))
}
