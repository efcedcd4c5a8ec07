//! `parlor data`: what a folder holds, and removing what is old.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use hall::{Closing, TableRecord, TournamentRecord};
use store::copying::{self, Copied};
use store::folder::Folder;
use store::postgres::{Database, NewDatabase};
use store::sqlite::{FILE, NewFolder, SqliteArchive, SqliteJournal, copy_folder};
use store::{Archive, Batch, Cause, Journal, Mark, Row, Topic, Writing, private};
use wire::Games;

use crate::cli::{DataArgs, DataCommand};
use crate::servers::Remote;
use crate::terminal::output::{self, count};

pub fn run(games: &Games, args: &DataArgs) -> Result<()> {
    match &args.command {
        None => show(&args.data),
        Some(DataCommand::Prune { older_than }) => prune(&args.data, *older_than),
        Some(DataCommand::Abandon) => abandon(games, &args.data),
        Some(DataCommand::Backup { to, database: None }) => backup(&args.data, to),
        Some(DataCommand::Backup { to, database: Some(database) }) => export(games, database, to),
        Some(DataCommand::Restore { from }) => restore(from, &args.data),
        Some(DataCommand::Import { database }) => import(games, &args.data, database),
        Some(DataCommand::Export { database }) => export(games, database, &args.data),
    }
}

fn backup(data: &Path, to: &Path) -> Result<()> {
    demand_journal(data)?;
    copy_folder(data, to)?;
    output::line(&format!("{} holds a complete copy of {}", to.display(), data.display()))
}

fn restore(from: &Path, data: &Path) -> Result<()> {
    demand_journal(from)?;
    if data.join(FILE).exists() {
        bail!("{} holds data already. Move it away first, or pass --data DIR", data.display());
    }
    copy_folder(from, data)?;
    output::line(&format!("{} is restored from {}", data.display(), from.display()))
}

fn import(games: &Games, data: &Path, database: &str) -> Result<()> {
    demand_journal(data)?;
    let mut journal = SqliteJournal::open(Folder::take(data)?)?;
    let (database, _) = Database::open(database)?;
    let place = database.place().to_owned();
    let to = NewDatabase::begin(database)?;
    let copied = copying::copy(&games.names(), &mut journal, &SqliteArchive::open(data)?, to)?;
    journal.close()?;
    tell_copied(&copied, &data.display().to_string(), &place)
}

fn export(games: &Games, database: &str, data: &Path) -> Result<()> {
    if data.join(FILE).exists() {
        bail!("{} holds data already. Move it away first, or pass --data DIR", data.display());
    }
    let (database, _) = Database::open(database)?;
    let place = database.place().to_owned();
    // A consistent copy, taken while the server continues.
    let (mut streams, kept) = database.snapshot()?;
    let to = NewFolder::begin(data)?;
    let copied = copying::copy(&games.names(), &mut streams, &kept, to)?;
    private::close_to_others(data)
        .with_context(|| format!("cannot close {} to others", data.display()))?;
    tell_copied(&copied, &place, &data.display().to_string())
}

fn tell_copied(copied: &Copied, from: &str, to: &str) -> Result<()> {
    let (games, open) = (count(copied.games, "finished game"), copied.open);
    let tournaments = count(copied.tournaments, "finished tournament");
    output::line(&format!(
        "{to} holds what {from} holds: {games}, {tournaments}, and {open} open tables and tournaments"
    ))
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
        bail!(
            "{} is not a data folder: there is no journal in it. The games of servers that share a \
             PostgreSQL are there: `parlor data export URL --data DIR` copies them",
            data.display()
        );
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

/// Closes what is open without knowing any game: a void closing is the same for all.
fn abandon(games: &Games, data: &Path) -> Result<()> {
    demand_journal(data)?;
    let mut journal = SqliteJournal::open(Folder::take(data)?)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    let closing = Closing::Void("abandoned by the organiser".to_owned());
    let closed_table = Arc::new(TableRecord::Closed(closing.clone()));
    let closed_tournament = Arc::new(TournamentRecord::Closed);
    // The server's register, such as who owns which name, stays.
    let streams: Vec<String> = journal
        .streams()?
        .into_iter()
        .filter(|stream| ![store::HOUSE, store::AUDIT].contains(&stream.as_str()))
        .collect();
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
                    let texts = lines.iter().map(|line| &*line.record);
                    let summary = hall::Summary::outlined(texts, closing.clone());
                    (closed_table.clone(), summary.as_ref().map(server::kept_of))
                }
                Topic::Tournament(_) => {
                    tournaments += 1;
                    (closed_tournament.clone(), None)
                }
                Topic::Register | Topic::Page(_) => continue,
            };
            let mark = Mark::Closes(summary.map(Box::new));
            let cause = Cause::default();
            rows.push(Row { topic: *topic, at: now, cause, record, mark });
        }
        batches.push(Batch { stream: stream.into(), epoch: loaded.epoch, rows });
    }
    journal.append(batches)?;
    journal.close()?;
    let (tables, tournaments) = (count(tables, "open table"), count(tournaments, "tournament"));
    output::line(&format!("{tables} and {tournaments} closed"))
}
