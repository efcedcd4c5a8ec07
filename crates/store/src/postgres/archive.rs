//! Finished games, read through a few separate connections: readers never wait for a writer.

use std::pin::Pin;
use std::sync::Arc;

use deadpool_postgres::{
    Connect, Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use serde_json::value::RawValue;
use tokio::task::JoinHandle;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, Row};

use super::append::READ;
use super::database::{ANSWER_WITHIN, Fault, READ_WITHIN};
use super::{Database, kind_of, lines, number_of, storable};
use crate::copying::Source;
use crate::{Archive, Filter, Finished, Kind, Replay, Size, StoreError, StoredRecord, Topic};

/// Number of concurrent readers.
const READERS: usize = 4;

/// Longest wait for a free reader.
const TURN_WITHIN: std::time::Duration = std::time::Duration::from_secs(10);

/// Reads the games in a database, whichever node writes them.
pub struct PostgresArchive {
    database: Database,
    pool: Pool,
}

impl PostgresArchive {
    pub fn new(database: Database) -> PostgresArchive {
        // Checked on every use: a connection lost meanwhile is replaced.
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Verified };
        let connecting = Connecting(database.clone());
        let manager = Manager::from_connect(database.config(), connecting, recycling);
        let pool = Pool::builder(manager)
            .max_size(READERS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(TURN_WITHIN))
            .create_timeout(Some(ANSWER_WITHIN))
            .recycle_timeout(Some(ANSWER_WITHIN))
            .build()
            .expect("a pool with a runtime may have timeouts");
        PostgresArchive { database, pool }
    }

    fn with<T, F>(
        &self,
        query: impl FnOnce(Arc<Object>) -> F + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let pool = self.pool.clone();
        let away = |cause: String| {
            let place = self.database.place().to_owned();
            StoreError::Away { place, cause: cause.into() }
        };
        let turn = self.database.wait(READ_WITHIN, async move { pool.get().await });
        let client = match turn.map_err(|fault| self.database.failed(fault))? {
            Ok(client) => Arc::new(client),
            Err(PoolError::Backend(error)) => return Err(self.database.failed(error)),
            Err(error) => return Err(away(error.to_string())),
        };
        let asked = client.clone();
        let answer = self.database.ask(READ_WITHIN, async move { query(asked).await });
        if let (Err(Fault::Silence(_)), Some(client)) = (&answer, Arc::into_inner(client)) {
            // The connection must not go back to the pool.
            drop(Object::take(client));
        }
        answer.map_err(|fault| self.database.failed(fault))
    }

    fn list(
        &self,
        query: String,
        values: Vec<Box<dyn ToSql + Sync + Send>>,
    ) -> Result<Vec<Finished>, StoreError> {
        let rows = self.with(async move |client: Arc<Object>| {
            let values: Vec<_> =
                values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
            client.query(&query, &values).await
        })?;
        rows.iter().map(|row| self.finished_of(row)).collect()
    }

    /// Of a row with the records after [`COLUMNS`].
    fn replay_of(&self, row: &Row) -> Result<Replay, StoreError> {
        let summary = self.finished_of(row)?;
        let lines = row.get::<_, &str>(13).lines().map(StoredRecord::read);
        let lines = lines.collect::<Result<_, _>>().map_err(|error| {
            self.database.damaged(format!("a record of {} {}: {error}", summary.game, summary.id))
        })?;
        Ok(Replay { summary, lines })
    }

    fn finished_of(&self, row: &Row) -> Result<Finished, StoreError> {
        let (game, id): (String, String) = (row.get(1), row.get(2));
        let broken =
            |error: serde_json::Error| self.database.damaged(format!("{game} {id}: {error}"));
        let number = |index| row.get::<_, i64>(index).unsigned_abs();
        Ok(Finished {
            place: number(0),
            number: number(10),
            status: if row.get(3) { "finished" } else { "void" },
            rules_version: number(4) as u32,
            opened_at: number(5),
            closed_at: number(6),
            players: serde_json::from_str(row.get(7)).map_err(broken)?,
            versions: match row.get::<_, Option<&str>>(11) {
                Some(text) => serde_json::from_str(text).map_err(broken)?,
                None => Vec::new(),
            },
            closing: RawValue::from_string(row.get(8)).map_err(broken)?,
            rated: row.get(9),
            tournament: row.get(12),
            game,
            id,
        })
    }
}

/// Connects the same way as the writers.
struct Connecting(Database);

impl Connect for Connecting {
    fn connect(
        &self,
        _: &Config,
    ) -> Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), Error>> + Send + '_>> {
        Box::pin(async { Ok(self.0.connect().await?.into_parts()) })
    }
}

impl Source for PostgresArchive {
    fn kept_after(&self, place: u64, limit: usize) -> Result<Vec<(Kind, Replay)>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS}, records, kind FROM games WHERE place > $1 ORDER BY place LIMIT {limit}"
        );
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        let rows =
            self.with(async move |client: Arc<Object>| client.query(&query, &[&place]).await)?;
        let kept = |row: &Row| {
            let kind = kind_of(row.get(14))
                .ok_or_else(|| self.database.damaged("a game of an unknown kind".to_owned()))?;
            Ok((kind, self.replay_of(row)?))
        };
        rows.iter().map(kept).collect()
    }
}

const COLUMNS: &str = "place, stream, id, finished, rules_version, opened_at, closed_at, names, closing, rated, number, versions, tournament";

impl Archive for PostgresArchive {
    fn finished(&self, filter: &Filter) -> Result<Vec<Finished>, StoreError> {
        let mut conditions = vec!["kind = $1".to_owned()];
        let mut values: Vec<Box<dyn ToSql + Sync + Send>> = vec![Box::new(number_of(filter.kind))];
        let mut demand = |condition: &str, value: Box<dyn ToSql + Sync + Send>| {
            values.push(value);
            conditions.push(condition.replace('?', &format!("${}", values.len())));
        };
        if let Some(game) = &filter.game {
            demand("stream = ?", Box::new(storable(game)));
        }
        if let Some(player) = &filter.player {
            demand(
                "place IN (SELECT place FROM players WHERE name = ?)",
                Box::new(storable(player)),
            );
        }
        if let Some(finished) = filter.finished {
            demand("finished = ?", Box::new(finished));
        }
        if let Some(of_one) = filter.tournament {
            demand("(tournament IS NOT NULL OR rated) = ?", Box::new(of_one));
        }
        for (condition, time) in [
            ("closed_at >= ?", filter.since),
            ("closed_at < ?", filter.until),
            ("place < ?", filter.after),
        ] {
            if let Some(time) = time {
                demand(condition, Box::new(i64::try_from(time).unwrap_or(i64::MAX)));
            }
        }
        let (conditions, limit) = (conditions.join(" AND "), filter.limit);
        let query = format!(
            "SELECT {COLUMNS} FROM games WHERE {conditions} ORDER BY place DESC LIMIT {limit}"
        );
        self.list(query, values)
    }

    fn rated(&self, game: &str, after: u64, limit: usize) -> Result<Vec<Finished>, StoreError> {
        // One server writes a stream's games one after the other, so a reader that has seen a
        // position has missed none before it.
        let query = format!(
            "SELECT {COLUMNS} FROM games
             WHERE rated AND finished AND kind = 0 AND stream = $1 AND place > $2
             ORDER BY place LIMIT {limit}"
        );
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        self.list(query, vec![Box::new(storable(game)), Box::new(after)])
    }

    fn replay(&self, kind: Kind, game: &str, id: &str) -> Result<Option<Replay>, StoreError> {
        let query = format!(
            "SELECT {COLUMNS}, records FROM games WHERE stream = $1 AND kind = $2 AND id = $3
             ORDER BY place DESC LIMIT 1"
        );
        let (stream, key) = (storable(game), storable(id));
        let found = self.with(async move |client: Arc<Object>| {
            client.query_opt(&query, &[&stream, &number_of(kind), &key]).await
        })?;
        found.as_ref().map(|row| self.replay_of(row)).transpose()
    }

    fn so_far(&self, stream: &str, topic: Topic) -> Result<Vec<StoredRecord>, StoreError> {
        let name = storable(stream);
        let rows =
            self.with(async move |client: Arc<Object>| client.query(READ, &[&name]).await)?;
        let text: String = rows.iter().map(|row| row.get::<_, &str>(0)).collect();
        let found = lines::read_topic(&text, topic);
        found.map_err(|why| self.database.damaged(format!("{stream}: {why}")))
    }

    fn size(&self) -> Result<Size, StoreError> {
        let (bytes, open, kept) = self.with(async |client: Arc<Object>| {
            let bytes =
                "SELECT (pg_total_relation_size('journal') + pg_total_relation_size('games')
                                 + pg_total_relation_size('players'))::int8";
            let bytes: i64 = client.query_one(bytes, &[]).await?.get(0);
            let open = "SELECT string_agg(lines, '' ORDER BY batch, part) FROM journal
                        GROUP BY stream";
            let open = client.query(open, &[]).await?;
            let kept = "SELECT kind, stream, count(*) FILTER (WHERE finished),
                               count(*) FILTER (WHERE NOT finished)
                        FROM games GROUP BY kind, stream ORDER BY stream";
            Ok((bytes, open, client.query(kept, &[]).await?))
        })?;
        let mut topics = Vec::new();
        for row in &open {
            let found = lines::open(row.get(0)).map_err(|why| self.database.damaged(why))?;
            topics.extend(found.into_keys());
        }
        let open = topics.into_iter().map(Topic::kind);
        let kept = kept.iter().filter_map(|row| {
            let number = |index| row.get::<_, i64>(index).unsigned_abs();
            Some((kind_of(row.get(0))?, row.get(1), number(2), number(3)))
        });
        Ok(Size { bytes: bytes.unsigned_abs(), ..Size::count(open, kept) })
    }
}

impl std::fmt::Debug for PostgresArchive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PostgresArchive").field(&self.database).finish()
    }
}
