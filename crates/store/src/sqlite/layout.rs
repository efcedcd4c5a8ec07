//! The tables of the database, their versions, and the statements that fill them.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, Transaction, params};

use super::database_error;
use crate::{Row, StoreError, Summary};

/// Marks the file as ours: "PRLR".
const APPLICATION: i64 = 0x5052_4c52;

/// Each step brings a database from its number to the next. Never change one that was released.
const STEPS: &[&str] = &["
    CREATE TABLE journal (
        batch INTEGER PRIMARY KEY,
        body TEXT NOT NULL,
        sum INTEGER NOT NULL
    );
    CREATE TABLE counters (game TEXT PRIMARY KEY, next_table INTEGER NOT NULL) WITHOUT ROWID;
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
        records TEXT NOT NULL,
        sum INTEGER NOT NULL
    );
    CREATE INDEX games_by_id ON games (game, id);
    CREATE INDEX games_by_time ON games (closed_at);
    CREATE TABLE players (
        name TEXT NOT NULL,
        place INTEGER NOT NULL,
        PRIMARY KEY (name, place)
    ) WITHOUT ROWID;
    CREATE INDEX players_by_place ON players (place);
"];

/// The newest layout this build knows.
pub const VERSION: i64 = STEPS.len() as i64;

/// Refuses what is not ours, damaged or too new; brings what is old up to date.
pub fn prepare(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| database_error(path, source);
    let number =
        |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let application = number("application_id").map_err(failed)?;
    let version = number("user_version").map_err(failed)?;
    let tables = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = connection.query_row(tables, [], |row| row.get(0)).map_err(failed)?;
    let fresh = application == 0 && version == 0 && tables == 0;
    if !fresh && application != APPLICATION {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    if version > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found: version, known: VERSION });
    }
    let verdict = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
    let verdict = connection.query_row("PRAGMA quick_check(1)", [], verdict).map_err(failed)?;
    if verdict != "ok" {
        return Err(StoreError::Damaged { path: path.to_owned(), what: verdict });
    }
    migrate(connection, version).map_err(failed)
}

fn migrate(connection: &mut Connection, from: i64) -> rusqlite::Result<()> {
    for (step, statements) in STEPS.iter().enumerate().skip(from as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(statements)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", step as i64 + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

pub fn next_tables(connection: &Connection) -> rusqlite::Result<BTreeMap<String, u64>> {
    let mut statement = connection.prepare("SELECT game, next_table FROM counters")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

pub fn insert_game(
    transaction: &Transaction<'_>,
    row: &Row,
    summary: &Summary,
    records: &str,
) -> rusqlite::Result<()> {
    let names = serde_json::to_string(&summary.names).expect("names are text");
    transaction
        .prepare_cached(
            "INSERT INTO games (game, number, id, finished, rules_version, opened_at, closed_at, names,
                                closing, records, sum)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            row.game,
            row.table,
            summary.id,
            summary.finished,
            summary.rules_version,
            summary.opened_at,
            row.at,
            names,
            summary.closing,
            records,
            sum(records),
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
    let transaction = connection.transaction()?;
    let chosen = "SELECT place FROM games WHERE closed_at < ?1 ORDER BY closed_at LIMIT ?2";
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

/// A checksum (FNV-1a): SQLite checks its pages' structure, not what they say.
pub fn sum(text: &str) -> i64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash as i64
}
