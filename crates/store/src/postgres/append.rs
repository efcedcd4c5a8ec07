//! The statements of one connection that writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Statement};

use super::{Database, number_of, storable};
use crate::open_records::OpenRecords;
use crate::query::versions_text;
use crate::{Batch, Kind, Mark, StoredRecord, Topic};

/// A connection with its statements prepared.
pub struct Session {
    client: Client,
    moves: Statement,
    closing: Statement,
}

/// A stream that was taken, and the lines of what is open there.
pub struct Taken {
    pub epoch: u64,
    pub batch: u64,
    pub next_table: u64,
    pub next_tournament: u64,
    pub rows: Vec<(i16, i64, String)>,
}

/// Raises the number of each stream's last batch; a stream that has another epoch or batch is left out,
/// and then nothing else is done: the division at the end takes everything back.
const FENCE: &str = "
    WITH fence AS (
        UPDATE streams AS s
        SET batch = w.batch,
            next_table = greatest(s.next_table, w.next_table),
            next_tournament = greatest(s.next_tournament, w.next_tournament)
        FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::int8[])
             AS w (stream, epoch, batch, next_table, next_tournament)
        WHERE s.stream = w.stream AND s.epoch = w.epoch AND s.batch = w.batch - 1
        RETURNING 1
    ), may AS (
        SELECT count(*) = cardinality($1::text[]) AS write FROM fence
    ), written AS (
        INSERT INTO journal (stream, kind, number, batch, lines)
        SELECT l.* FROM may, unnest($6::text[], $7::int2[], $8::int8[], $9::int8[], $10::text[]) AS l
        WHERE may.write
    )";

/// What a batch does that closes something.
const CLOSING: &str = ", closed AS (
        DELETE FROM journal AS j
        USING may, unnest($11::text[], $12::int2[], $13::int8[]) AS c (stream, kind, number)
        WHERE may.write AND j.stream = c.stream AND j.kind = c.kind AND j.number = c.number
    ), kept AS (
        INSERT INTO games (stream, kind, number, id, finished, rules_version, opened_at, closed_at,
                           names, closing, rated, records, versions)
        SELECT g.stream, g.kind, g.number, g.id, g.finished, g.rules_version, g.opened_at, g.closed_at,
               g.names, g.closing, g.rated, g.records, g.versions
        FROM may, unnest($14::text[], $15::int2[], $16::int8[], $17::text[], $18::bool[], $19::int8[],
                         $20::int8[], $21::int8[], $22::text[], $23::text[], $24::bool[], $25::text[],
                         $26::text[])
             WITH ORDINALITY AS g (stream, kind, number, id, finished, rules_version, opened_at,
                                   closed_at, names, closing, rated, records, versions, nth)
        WHERE may.write
        ORDER BY g.nth
        RETURNING stream, kind, number, place
    ), named AS (
        INSERT INTO players (name, place)
        SELECT DISTINCT p.name, kept.place
        FROM unnest($27::text[], $28::int2[], $29::int8[], $30::text[]) AS p (stream, kind, number, name)
        JOIN kept ON kept.stream = p.stream AND kept.kind = p.kind AND kept.number = p.number
    )";

const END: &str = " SELECT 1 / (may.write)::int FROM may";

impl Session {
    pub async fn begin(database: &Database) -> Result<Session, Error> {
        let client = database.connect().await?;
        let moves = client.prepare(&format!("{FENCE}{END}")).await?;
        let closing = client.prepare(&format!("{FENCE}{CLOSING}{END}")).await?;
        Ok(Session { client, moves, closing })
    }

    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    pub async fn append(self: Arc<Session>, append: Arc<Append>) -> Result<(), Error> {
        let statement = if append.closed.stream.is_empty() { &self.moves } else { &self.closing };
        let parameters = append.parameters();
        let used = &parameters[..statement.params().len()];
        self.client.query_one(statement, used).await.map(drop)
    }

    /// The epoch and the last batch of streams, once nothing is under way there.
    pub async fn positions(self: Arc<Session>, streams: Vec<String>) -> Result<Positions, Error> {
        let query = "SELECT stream, epoch, batch FROM streams WHERE stream = ANY ($1)
                     ORDER BY stream FOR UPDATE";
        let rows = self.client.query(query, &[&streams]).await?;
        let position =
            |row: &tokio_postgres::Row| (row.get(0), (unsigned(row, 1), unsigned(row, 2)));
        Ok(rows.iter().map(position).collect())
    }

    /// Takes a stream, for a node or for whoever asks, and reads it. An error says which living node
    /// has it.
    pub async fn take(
        self: Arc<Session>,
        stream: String,
        node: Option<i64>,
    ) -> Result<Result<Taken, String>, Error> {
        // Waits for an append that is under way. Nobody who was here before writes after it.
        let take = "INSERT INTO streams AS s (stream, epoch, owner) VALUES ($1, 1, $2)
                    ON CONFLICT (stream) DO UPDATE
                    SET epoch = s.epoch + 1, owner = excluded.owner, since = clock_timestamp()
                    WHERE s.owner IS NULL OR s.owner IS NOT DISTINCT FROM excluded.owner
                       OR NOT EXISTS (SELECT FROM nodes AS n
                                      WHERE n.incarnation = s.owner AND NOT n.ended)
                    RETURNING epoch, batch, next_table, next_tournament";
        let Some(taken) = self.client.query_opt(take, &[&stream, &node]).await? else {
            let by = "SELECT n.name FROM streams AS s JOIN nodes AS n ON n.incarnation = s.owner
                      WHERE s.stream = $1";
            let by = self.client.query_opt(by, &[&stream]).await?;
            return Ok(Err(by.map_or_else(String::new, |row| row.get(0))));
        };
        let lines = "SELECT kind, number, lines FROM journal WHERE stream = $1
                     ORDER BY kind, number, batch";
        let rows = self.client.query(lines, &[&stream]).await?;
        Ok(Ok(Taken {
            epoch: unsigned(&taken, 0),
            batch: unsigned(&taken, 1),
            next_table: unsigned(&taken, 2),
            next_tournament: unsigned(&taken, 3),
            rows: rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect(),
        }))
    }

    pub async fn prune(self: Arc<Session>, before: i64, at_most: i64) -> Result<u64, Error> {
        let prune = "WITH chosen AS (
                         SELECT place FROM games WHERE closed_at < $1 AND NOT rated AND kind = 0
                         ORDER BY closed_at, place LIMIT $2
                     ), forgotten AS (
                         DELETE FROM players USING chosen WHERE players.place = chosen.place
                     )
                     DELETE FROM games USING chosen WHERE games.place = chosen.place";
        self.client.execute(prune, &[&before, &at_most]).await
    }
}

/// The epoch and the last batch, by stream.
pub type Positions = BTreeMap<String, (u64, u64)>;

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("is_closed", &self.is_closed()).finish_non_exhaustive()
    }
}

/// Whether the fence has stopped an append: somebody else writes there, or it was written already.
pub fn is_refused(error: &Error) -> bool {
    error.code() == Some(&SqlState::DIVISION_BY_ZERO)
}

/// One append, in columns.
#[derive(Default)]
pub struct Append {
    fence: Fences,
    lines: Lines,
    pub closed: Topics,
    games: Games,
    players: Players,
}

#[derive(Default)]
struct Fences {
    stream: Vec<String>,
    epoch: Vec<i64>,
    batch: Vec<i64>,
    next_table: Vec<i64>,
    next_tournament: Vec<i64>,
}

#[derive(Default)]
struct Lines {
    topics: Topics,
    batch: Vec<i64>,
    text: Vec<String>,
}

#[derive(Default)]
pub struct Topics {
    pub stream: Vec<String>,
    kind: Vec<i16>,
    number: Vec<i64>,
}

#[derive(Default)]
struct Games {
    topics: Topics,
    id: Vec<String>,
    finished: Vec<bool>,
    rules_version: Vec<i64>,
    opened_at: Vec<i64>,
    closed_at: Vec<i64>,
    names: Vec<String>,
    closing: Vec<String>,
    rated: Vec<bool>,
    records: Vec<String>,
    versions: Vec<Option<String>>,
}

#[derive(Default)]
struct Players {
    topics: Topics,
    name: Vec<String>,
}

impl Topics {
    fn push(&mut self, stream: &str, topic: Topic) {
        self.stream.push(stream.to_owned());
        self.kind.push(number_of(topic.kind()));
        self.number.push(signed(topic.number()));
    }
}

impl Append {
    /// What batches change: after what is open, and after the batches that streams are at.
    pub fn of(
        batches: &[Batch<StoredRecord>],
        open: &OpenRecords,
        streams: &BTreeMap<String, (u64, u64)>,
    ) -> Append {
        let mut append = Append::default();
        let mut fences: BTreeMap<&str, (u64, u64, u64, u64)> = BTreeMap::new();
        let mut lines: BTreeMap<(&str, Topic), String> = BTreeMap::new();
        for batch in batches.iter().filter(|batch| !batch.rows.is_empty()) {
            let (epoch, last) = streams[&*batch.stream];
            let fence = fences.entry(&batch.stream).or_insert((epoch, last + 1, 0, 0));
            for row in &batch.rows {
                let next = row.topic.number().saturating_add(1);
                match (&row.mark, row.topic.kind()) {
                    (Mark::Opens, Kind::Table) => fence.2 = fence.2.max(next),
                    (Mark::Opens, Kind::Tournament) => fence.3 = fence.3.max(next),
                    _ => {}
                }
                if matches!(row.mark, Mark::Closes(_)) {
                    lines.remove(&(&*batch.stream, row.topic));
                    append.closed.push(&batch.stream, row.topic);
                } else {
                    let text = lines.entry((&batch.stream, row.topic)).or_default();
                    row.record.write_replay_line(text);
                }
            }
        }
        for ((stream, topic), text) in lines {
            append.lines.topics.push(stream, topic);
            append.lines.batch.push(signed(fences[stream].1));
            append.lines.text.push(text);
        }
        for (stream, (epoch, batch, next_table, next_tournament)) in fences {
            append.fence.stream.push(stream.to_owned());
            append.fence.epoch.push(signed(epoch));
            append.fence.batch.push(signed(batch));
            append.fence.next_table.push(signed(next_table));
            append.fence.next_tournament.push(signed(next_tournament));
        }
        for closed in open.closed(batches) {
            let (topic, summary, games) = (closed.row.topic, closed.summary, &mut append.games);
            games.topics.push(closed.stream, topic);
            games.id.push(storable(&summary.id));
            games.finished.push(summary.finished);
            games.rules_version.push(summary.rules_version.into());
            games.opened_at.push(signed(summary.opened_at));
            games.closed_at.push(signed(closed.row.at));
            games.names.push(serde_json::to_string(&summary.names).expect("names are text"));
            games.closing.push(summary.closing.clone());
            games.rated.push(summary.rated);
            games.records.push(closed.records);
            games.versions.push(versions_text(&summary.versions));
            for name in &summary.names {
                append.players.topics.push(closed.stream, topic);
                append.players.name.push(storable(name));
            }
        }
        append
    }

    pub fn streams(&self) -> Vec<String> {
        self.fence.stream.clone()
    }

    /// Each stream with its epoch and the number that its batch gets.
    pub fn fences(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        let Fences { stream, epoch, batch, .. } = &self.fence;
        let numbers = epoch.iter().zip(batch);
        stream
            .iter()
            .zip(numbers)
            .map(|(stream, (epoch, batch))| (stream.as_str(), *epoch as u64, *batch as u64))
    }

    /// In the order of the statement's numbers.
    fn parameters(&self) -> [&(dyn ToSql + Sync); 30] {
        let Append { fence, lines, closed, games, players } = self;
        [
            &fence.stream,
            &fence.epoch,
            &fence.batch,
            &fence.next_table,
            &fence.next_tournament,
            &lines.topics.stream,
            &lines.topics.kind,
            &lines.topics.number,
            &lines.batch,
            &lines.text,
            &closed.stream,
            &closed.kind,
            &closed.number,
            &games.topics.stream,
            &games.topics.kind,
            &games.topics.number,
            &games.id,
            &games.finished,
            &games.rules_version,
            &games.opened_at,
            &games.closed_at,
            &games.names,
            &games.closing,
            &games.rated,
            &games.records,
            &games.versions,
            &players.topics.stream,
            &players.topics.kind,
            &players.topics.number,
            &players.name,
        ]
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(row: &tokio_postgres::Row, index: usize) -> u64 {
    row.get::<_, i64>(index).unsigned_abs()
}
