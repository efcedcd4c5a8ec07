//! Finished games, read through a separate connection: readers never wait for the writer.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use serde_json::value::RawValue;

use super::layout::{self, Kept};
use super::opening::beside;
use super::{
    FILE, JournalLine, PAGES, REGISTER, TOURNAMENTS, column, connect, database_error, of_column,
};
use crate::copying::Source;
use crate::{Archive, Filter, Finished, Kind, Replay, Size, StoreError, StoredRecord, Topic, Used};

/// Reads the games of a folder, whether or not a server writes there.
#[derive(Debug)]
pub struct SqliteArchive {
    /// SQLite's connections serve one thread at a time.
    connection: Mutex<Connection>,
    path: PathBuf,
    /// The columns to read: a folder from an earlier release has fewer.
    columns: String,
    /// The column that says which tournament a game belonged to.
    tournament: &'static str,
}

impl SqliteArchive {
    pub fn open(folder: &Path) -> Result<SqliteArchive, StoreError> {
        let path = folder.join(FILE);
        if !path.exists() {
            let cause = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such file");
            return Err(StoreError::Io { verb: "open", path, cause });
        }
        let connection = connect(&path)
            .and_then(|connection| {
                connection.busy_timeout(std::time::Duration::from_secs(5))?;
                connection.pragma_update(None, "query_only", true)?;
                Ok(connection)
            })
            .map_err(|cause| database_error(&path, cause))?;
        let layout = layout::version(&connection, &path, layout::STEPS.len())?;
        let versions = if layout < layout::WITH_VERSIONS { "NULL" } else { "versions" };
        let tournament = if layout < layout::WITH_TOURNAMENTS { "NULL" } else { "tournament" };
        let columns = format!("{COLUMNS}, {versions}, {tournament}");
        Ok(SqliteArchive { connection: Mutex::new(connection), path, columns, tournament })
    }

    fn with<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let connection = self.connection.lock().expect("no holder of this lock panics");
        query(&connection).map_err(|cause| database_error(&self.path, cause))
    }

    /// Looks at everything that the journal holds, in order.
    fn journal_lines(&self, mut look: impl FnMut(JournalLine<'_>)) -> Result<(), StoreError> {
        self.with(|connection| {
            let mut statement = connection.prepare("SELECT body FROM journal ORDER BY batch")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let body: String = row.get(0)?;
                let lines = body.lines().map(serde_json::from_str);
                // Opening the journal reports damaged rows.
                lines.flatten().for_each(&mut look);
            }
            Ok(())
        })
    }
}

impl SqliteArchive {
    fn replay_of(&self, summary: Finished, records: &str, sum: i64) -> Result<Replay, StoreError> {
        let (game, id) = (&summary.game, &summary.id);
        let place = || self.path.display().to_string();
        let damaged = |what: String| StoreError::Damaged { place: place(), what };
        if sum != layout::sum(records) {
            return Err(damaged(format!("the records of {game} {id} have a wrong checksum")));
        }
        let lines = records.lines().map(StoredRecord::read).collect::<Result<_, _>>();
        let lines = lines.map_err(|error| damaged(format!("a record of {game} {id}: {error}")))?;
        Ok(Replay { summary, lines })
    }
}

impl Source for SqliteArchive {
    fn kept_after(&self, place: u64, limit: usize) -> Result<Vec<(Kind, Replay)>, StoreError> {
        let columns = &self.columns;
        let query = format!(
            "SELECT {columns}, records, records_sum FROM games WHERE place > ?1 ORDER BY place LIMIT ?2"
        );
        let rows: Vec<_> = self.with(|connection| {
            let read = |row: &rusqlite::Row<'_>| {
                let kind = of_column(&row.get::<_, String>(1)?).1;
                Ok((kind, finished(row)?, row.get::<_, String>(14)?, row.get::<_, i64>(15)?))
            };
            let mut statement = connection.prepare_cached(&query)?;
            statement.query_map(rusqlite::params![place, limit], read)?.collect()
        })?;
        let replay = |(kind, summary, records, sum): (Kind, Finished, String, i64)| {
            Ok((kind, self.replay_of(summary, &records, sum)?))
        };
        rows.into_iter().map(replay).collect()
    }
}

const COLUMNS: &str = "place, game, id, finished, rules_version, opened_at, closed_at, names, closing, summary_sum, rated, number";

/// One row of [`COLUMNS`], the versions and the tournament.
fn finished(row: &rusqlite::Row<'_>) -> rusqlite::Result<Finished> {
    let broken = |index: usize, why: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Text, why)
    };
    let (names, closing): (String, String) = (row.get(7)?, row.get(8)?);
    let (game, id): (String, String) = (row.get(1)?, row.get(2)?);
    let versions: Option<String> = row.get(12)?;
    let tournament: Option<String> = row.get(13)?;
    let kept = Kept {
        game: &game,
        id: &id,
        finished: row.get(3)?,
        rules_version: row.get(4)?,
        opened_at: row.get(5)?,
        closed_at: row.get(6)?,
        names: &names,
        closing: &closing,
        rated: row.get(10)?,
        versions: versions.as_deref(),
        tournament: tournament.as_deref(),
    };
    if kept.sum() != row.get::<_, i64>(9)? {
        return Err(broken(9, format!("the checksum of {game} {id} is wrong").into()));
    }
    let players = serde_json::from_str(&names).map_err(|error| broken(7, error.into()))?;
    let versions_of = |text: &String| serde_json::from_str(text);
    let said = versions.as_ref().map(versions_of).transpose();
    let said = said.map_err(|error| broken(12, error.into()))?.unwrap_or_default();
    let status = if kept.finished { "finished" } else { "void" };
    let Kept { rules_version, opened_at, closed_at, rated, .. } = kept;
    let closing = RawValue::from_string(closing).map_err(|error| broken(8, error.into()))?;
    let place = row.get(0)?;
    Ok(Finished {
        place,
        game: of_column(&game).0.to_owned(),
        number: row.get(11)?,
        id,
        status,
        rules_version,
        opened_at,
        closed_at,
        players,
        versions: said,
        closing,
        rated,
        tournament,
    })
}

impl Archive for SqliteArchive {
    fn finished(&self, filter: &Filter) -> Result<Vec<Finished>, StoreError> {
        let mut conditions = vec!["1".to_owned()];
        let mut values: Vec<Value> = Vec::new();
        let mut demand = |condition: &str, value: Value| {
            values.push(value);
            conditions.push(condition.replace('?', &format!("?{}", values.len())));
        };
        match (&filter.game, filter.kind) {
            (Some(game), kind) => demand("game = ?", column(game, kind).into()),
            (None, Kind::Table) => demand("game NOT LIKE '%' || ?", TOURNAMENTS.to_owned().into()),
            (None, Kind::Tournament) => demand("game LIKE '%' || ?", TOURNAMENTS.to_owned().into()),
            (None, Kind::Page) => demand("game LIKE '%' || ?", PAGES.to_owned().into()),
            (None, Kind::Register) => demand("game LIKE '%' || ?", REGISTER.to_owned().into()),
        }
        if let Some(player) = &filter.player {
            demand("place IN (SELECT place FROM players WHERE name = ?)", player.clone().into());
        }
        if let Some(finished) = filter.finished {
            demand("finished = ?", finished.into());
        }
        if let Some(of_one) = filter.tournament {
            let is_of_one = format!("({} IS NOT NULL OR rated) = ?", self.tournament);
            demand(&is_of_one, of_one.into());
        }
        for (condition, time) in [
            ("closed_at >= ?", filter.since),
            ("closed_at < ?", filter.until),
            ("place < ?", filter.after),
        ] {
            if let Some(time) = time {
                demand(condition, i64::try_from(time).unwrap_or(i64::MAX).into());
            }
        }
        let conditions = conditions.join(" AND ");
        let (columns, limit) = (&self.columns, filter.limit);
        let query = format!(
            "SELECT {columns} FROM games WHERE {conditions} ORDER BY place DESC LIMIT {limit}"
        );
        self.with(|connection| {
            connection.prepare(&query)?.query_map(params_from_iter(values), finished)?.collect()
        })
    }

    fn rated(&self, game: &str, after: u64, limit: usize) -> Result<Vec<Finished>, StoreError> {
        let columns = &self.columns;
        let query = format!(
            "SELECT {columns} FROM games
             WHERE rated AND finished AND game = ?1 AND place > ?2 ORDER BY place LIMIT ?3"
        );
        self.with(|connection| {
            let mut statement = connection.prepare_cached(&query)?;
            statement.query_map(rusqlite::params![game, after, limit], finished)?.collect()
        })
    }

    fn replay(&self, kind: Kind, game: &str, id: &str) -> Result<Option<Replay>, StoreError> {
        let (column, columns) = (column(game, kind), &self.columns);
        let query = format!(
            "SELECT {columns}, records, records_sum FROM games WHERE game = ?1 AND id = ?2 ORDER BY place DESC LIMIT 1"
        );
        let found = self.with(|connection| {
            let read = |row: &rusqlite::Row<'_>| {
                Ok((finished(row)?, row.get::<_, String>(14)?, row.get::<_, i64>(15)?))
            };
            rusqlite::OptionalExtension::optional(connection.query_row(&query, [&column, id], read))
        })?;
        found.map(|(summary, records, sum)| self.replay_of(summary, &records, sum)).transpose()
    }

    fn so_far(&self, stream: &str, topic: Topic) -> Result<Vec<StoredRecord>, StoreError> {
        let mut found = Vec::new();
        self.journal_lines(|line| {
            let ((of, about), closes) = line.about();
            if of == stream && about == topic {
                found.push(line.record());
                if closes {
                    found.clear();
                }
            }
        })?;
        Ok(found)
    }

    fn used(&self) -> Result<Used, StoreError> {
        self.with(|connection| {
            let number =
                |name| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
            let pages = number("page_count")?.saturating_sub(number("freelist_count")?);
            let bytes = pages * number("page_size")?;
            let query =
                "SELECT count(*) FROM games WHERE NOT rated AND game NOT LIKE '%/tournaments'";
            let games = connection.query_row(query, [], |row| row.get(0))?;
            Ok(Used { bytes, games })
        })
    }

    fn size(&self) -> Result<Size, StoreError> {
        let kept = self.with(|connection| {
            let query = "SELECT game, sum(finished), sum(NOT finished) FROM games GROUP BY game ORDER BY game";
            let kept = |row: &rusqlite::Row<'_>| {
                let column: String = row.get(0)?;
                let (game, kind) = of_column(&column);
                Ok((kind, game.to_owned(), row.get(1)?, row.get(2)?))
            };
            let kept: Vec<_> =
                connection.prepare(query)?.query_map([], kept)?.collect::<Result<_, _>>()?;
            Ok(kept)
        })?;
        let mut open = std::collections::BTreeSet::new();
        self.journal_lines(|line| match line.about() {
            (key, true) => _ = open.remove(&key),
            (key, false) => _ = open.insert(key),
        })?;
        let mut size = Size::count(open.iter().map(|(_, topic)| topic.kind()), kept);
        for ending in ["", "-wal"] {
            let file = std::fs::metadata(beside(&self.path, ending));
            size.bytes += file.map_or(0, |file| file.len());
        }
        Ok(size)
    }
}
