//! The tables of the database, their versions, and the statements that fill them.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, Transaction, params};

use super::{column, database_error, of_column, old_sum};
use crate::query::versions_text;
use crate::{Kind, Row, StoreError, StoredRecord, Summary, Topic};

/// Marks the file as ours: "PRLR".
const APPLICATION: i64 = 0x5052_4c52;

/// Each step brings a database from its number to the next. Never change one that was released.
pub const STEPS: &[&str] = &[
    "
    CREATE TABLE journal (
        batch INTEGER PRIMARY KEY,
        body TEXT NOT NULL,
        sum INTEGER NOT NULL
    );
    CREATE TABLE counters (
        game TEXT PRIMARY KEY,
        next_table INTEGER NOT NULL,
        sum INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE games (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        game TEXT NOT NULL,
        number INTEGER NOT NULL,
        id TEXT NOT NULL,
        finished INTEGER NOT NULL,
        rules_version INTEGER NOT NULL,
        opened_at INTEGER NOT NULL,
        closed_at INTEGER NOT NULL,
        names TEXT NOT NULL,
        closing TEXT NOT NULL,
        summary_sum INTEGER NOT NULL,
        records TEXT NOT NULL,
        records_sum INTEGER NOT NULL
    );
    CREATE INDEX games_by_id ON games (game, id);
    CREATE INDEX games_by_time ON games (closed_at);
    CREATE TABLE players (
        name TEXT NOT NULL,
        place INTEGER NOT NULL,
        PRIMARY KEY (name, place)
    ) WITHOUT ROWID;
    CREATE INDEX players_by_place ON players (place);
",
    "
    ALTER TABLE games ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX games_rated ON games (game, place) WHERE rated;
",
    // This step recomputes every checksum with another algorithm.
    "
    CREATE TABLE streams (
        stream TEXT PRIMARY KEY,
        epoch INTEGER NOT NULL
    ) WITHOUT ROWID;
",
    // Which version of a program sat in each seat; none in games before.
    "
    ALTER TABLE games ADD COLUMN versions TEXT;
",
    // The id of the tournament of each game; none in games before.
    "
    ALTER TABLE games ADD COLUMN tournament TEXT;
",
];

/// The first layout whose games have versions.
pub const WITH_VERSIONS: usize = 4;

/// The first layout whose games have the ids of their tournaments.
pub const WITH_TOURNAMENTS: usize = 5;

/// The layout whose checksums are CRC-32; those before have [`old_sum`]'s.
const WITH_CRC: usize = 3;

/// The number of a database's layout; refuses what is not ours or too new.
pub fn version(connection: &Connection, path: &Path, known: usize) -> Result<usize, StoreError> {
    let number = |pragma: &str| {
        let read = connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
        read.map_err(|source| database_error(path, source))
    };
    if number("application_id")? != APPLICATION {
        return Err(StoreError::Foreign(path.display().to_string()));
    }
    let found = number("user_version")?;
    match usize::try_from(found) {
        Ok(version) if (1..=known).contains(&version) => Ok(version),
        Ok(version) if version > known => {
            let place = path.display().to_string();
            Err(StoreError::Newer { place, found, known: known as i64 })
        }
        _ => {
            let what = format!("there is no layout {found}");
            Err(StoreError::Damaged { place: path.display().to_string(), what })
        }
    }
}

/// Refuses what is not ours, too new or damaged; changes nothing.
pub fn examine(connection: &Connection, path: &Path, steps: &[&str]) -> Result<usize, StoreError> {
    let failed = |source| database_error(path, source);
    let damaged = |what| Err(StoreError::Damaged { place: path.display().to_string(), what });
    let version = version(connection, path, steps.len())?;
    // Not only the quick check: an index that misses an entry would hide a game.
    let verdict = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let verdict = connection.query_row("PRAGMA integrity_check(1)", [], verdict).map_err(failed)?;
    if verdict != "ok" {
        return damaged(verdict);
    }
    let found = schema(connection).map_err(failed)?;
    let missing =
        |(name, _): &(String, String)| format!("'{name}' is not as layout {version} has it");
    match expected(&steps[..version]).map_err(failed)?.iter().find(|item| !found.contains(item)) {
        Some(item) => damaged(missing(item)),
        None => Ok(version),
    }
}

/// The name and the text of every table and index.
fn schema(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let query =
        "SELECT name, type || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema";
    connection.prepare(query)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The same for a database that was just made.
fn expected(steps: &[&str]) -> rusqlite::Result<Vec<(String, String)>> {
    let model = Connection::open_in_memory()?;
    steps.iter().try_for_each(|statements| model.execute_batch(statements))?;
    schema(&model)
}

/// Brings what is old up to date.
pub fn migrate(
    transaction: &Transaction<'_>,
    path: &Path,
    steps: &[&str],
    from: usize,
) -> Result<(), StoreError> {
    let failed = |cause| database_error(path, cause);
    run_steps(transaction, steps, from).map_err(failed)?;
    if from < WITH_CRC && steps.len() >= WITH_CRC {
        let damaged = |what| StoreError::Damaged { place: path.display().to_string(), what };
        old_sum::replace(transaction).map_err(failed)?.map_err(damaged)?;
    }
    Ok(())
}

/// Makes the tables of a new database.
pub fn begin(transaction: &Transaction<'_>, steps: &[&str]) -> rusqlite::Result<()> {
    run_steps(transaction, steps, 0)
}

fn run_steps(transaction: &Transaction<'_>, steps: &[&str], from: usize) -> rusqlite::Result<()> {
    for (step, statements) in steps.iter().enumerate().skip(from) {
        transaction.execute_batch(statements)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", step as i64 + 1)?;
    }
    Ok(())
}

pub fn insert_batch(transaction: &Connection, batch: i64, body: &str) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT INTO journal (batch, body, sum) VALUES (?1, ?2, ?3)")?
        .execute(params![batch, body, batch_sum(batch, body)])?;
    Ok(())
}

pub fn set_next(transaction: &Connection, column: &str, next: u64) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("REPLACE INTO counters (game, next_table, sum) VALUES (?1, ?2, ?3)")?
        .execute(params![column, next, counter_sum(column, next)])?;
    Ok(())
}

pub fn set_epoch(connection: &Connection, stream: &str, epoch: u64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("REPLACE INTO streams (stream, epoch) VALUES (?1, ?2)")?
        .execute(params![stream, epoch])?;
    Ok(())
}

pub fn epochs(connection: &Connection) -> rusqlite::Result<BTreeMap<String, u64>> {
    let mut statement = connection.prepare("SELECT stream, epoch FROM streams")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// The number after the greatest ever used, by stream.
type Counters = BTreeMap<(String, Kind), u64>;

/// The counters; the inner error says which is damaged.
pub fn next(connection: &Connection) -> rusqlite::Result<Result<Counters, String>> {
    let mut statement = connection.prepare("SELECT game, next_table, sum FROM counters")?;
    let mut rows = statement.query([])?;
    let mut counters = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (column, next): (String, u64) = (row.get(0)?, row.get(1)?);
        if row.get::<_, i64>(2)? != counter_sum(&column, next) {
            return Ok(Err(format!("the table counter of '{column}' has a wrong checksum")));
        }
        let (stream, kind) = of_column(&column);
        counters.insert((stream.to_owned(), kind), next);
    }
    Ok(Ok(counters))
}

pub fn insert_game(
    transaction: &Transaction<'_>,
    stream: &str,
    row: &Row<StoredRecord>,
    summary: &Summary,
    records: &str,
) -> rusqlite::Result<()> {
    let (topic, closed_at) = (row.topic, row.at);
    insert_kept(transaction, stream, &Closed { topic, closed_at, summary, records, place: None })
}

/// A game that is over.
pub struct Closed<'a> {
    pub topic: Topic,
    pub closed_at: u64,
    pub summary: &'a Summary,
    pub records: &'a str,
    /// The next one, unless it has one.
    pub place: Option<u64>,
}

pub fn insert_kept(
    transaction: &Connection,
    stream: &str,
    closed: &Closed<'_>,
) -> rusqlite::Result<()> {
    let Closed { topic, closed_at, summary, records, place } = *closed;
    let names = serde_json::to_string(&summary.names).expect("names are text");
    let versions = versions_text(&summary.versions);
    let column = column(stream, topic.kind());
    let kept = Kept {
        game: &column,
        id: &summary.id,
        finished: summary.finished,
        rules_version: summary.rules_version,
        opened_at: summary.opened_at,
        closed_at,
        names: &names,
        closing: &summary.closing,
        rated: summary.rated,
        versions: versions.as_deref(),
        tournament: summary.tournament.as_deref(),
    };
    transaction
        .prepare_cached(
            "INSERT INTO games (game, number, id, finished, rules_version, opened_at, closed_at, names,
                                closing, summary_sum, records, records_sum, rated, place, versions,
                                tournament)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
                     ?16)",
        )?
        .execute(params![
            kept.game,
            topic.number(),
            kept.id,
            kept.finished,
            kept.rules_version,
            kept.opened_at,
            kept.closed_at,
            kept.names,
            kept.closing,
            kept.sum(),
            records,
            sum(records),
            kept.rated,
            place,
            kept.versions,
            kept.tournament,
        ])?;
    let place = transaction.last_insert_rowid();
    let mut insert = transaction
        .prepare_cached("INSERT OR IGNORE INTO players (name, place) VALUES (?1, ?2)")?;
    for name in &summary.names {
        insert.execute(params![name, place])?;
    }
    Ok(())
}

pub fn prune(
    connection: &mut Connection,
    closed_before: u64,
    at_most: usize,
) -> rusqlite::Result<usize> {
    let closed_before = i64::try_from(closed_before).unwrap_or(i64::MAX);
    let transaction = connection.transaction()?;
    let chosen = "SELECT place FROM games WHERE closed_at < ?1 AND NOT rated
                  AND game NOT LIKE '%/tournaments' ORDER BY closed_at LIMIT ?2";
    let mut statement = transaction.prepare(chosen)?;
    let places: Vec<i64> = statement
        .query_map(params![closed_before, at_most], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    drop(statement);
    for place in &places {
        transaction.prepare_cached("DELETE FROM players WHERE place = ?1")?.execute([place])?;
        transaction.prepare_cached("DELETE FROM games WHERE place = ?1")?.execute([place])?;
    }
    transaction.commit()?;
    Ok(places.len())
}

/// What is kept of a game in addition to its records.
pub struct Kept<'a> {
    pub game: &'a str,
    pub id: &'a str,
    pub finished: bool,
    pub rules_version: u32,
    pub opened_at: u64,
    pub closed_at: u64,
    pub names: &'a str,
    pub closing: &'a str,
    pub rated: bool,
    pub versions: Option<&'a str>,
    pub tournament: Option<&'a str>,
}

impl Kept<'_> {
    pub fn sum(&self) -> i64 {
        sum(&self.text())
    }

    pub fn text(&self) -> String {
        let Kept { game, id, finished, rules_version, opened_at, closed_at, .. } = self;
        let Kept { names, closing, rated, versions, tournament, .. } = self;
        // Games from before there were ratings have the sum of an unrated one.
        let rated = if *rated { "\nrated" } else { "" };
        let versions = versions.map(|versions| format!("\n{versions}")).unwrap_or_default();
        let tournament = tournament.map(|id| format!("\ntournament {id}")).unwrap_or_default();
        format!(
            "{game}\n{id}\n{finished}\n{rules_version}\n{opened_at}\n{closed_at}\n{names}\n{closing}{rated}{versions}{tournament}"
        )
    }
}

pub fn batch_sum(batch: i64, body: &str) -> i64 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&batch.to_le_bytes());
    crc.update(body.as_bytes());
    crc.finalize().into()
}

pub fn counter_sum(column: &str, next: u64) -> i64 {
    sum(&format!("{column} {next}"))
}

/// A checksum: SQLite checks its pages' structure, not what they say.
pub fn sum(text: &str) -> i64 {
    crc32fast::hash(text.as_bytes()).into()
}
