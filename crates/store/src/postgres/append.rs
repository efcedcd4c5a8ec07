//! The statements of one connection that writes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Statement};

use super::connecting::Connection;
use super::database::{ANSWER_WITHIN, Fault};
use super::{Database, lines, number_of, storable};
use crate::open_records::OpenRecords;
use crate::query::versions_text;
use crate::{Batch, Kind, Mark, Row, StoredRecord, Topic};

/// A connection with its statements prepared.
pub struct Session {
    client: Connection,
    moves: Statement,
    closing: Statement,
}

/// A stream that was taken, and what was [written](super::lines) there.
pub struct Taken {
    pub epoch: u64,
    pub batch: u64,
    pub next_table: u64,
    pub next_tournament: u64,
    pub text: String,
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
        INSERT INTO journal (stream, batch, part, lines)
        SELECT l.* FROM may, unnest($6::text[], $7::int8[], $8::int4[], $9::text[]) AS l
        WHERE may.write
    )";

/// The part of an append that keeps finished games or rewrites the open records.
const CLOSING: &str = ", dropped AS (
        DELETE FROM journal AS j USING may, unnest($10::text[], $11::int8[]) AS d (stream, batch)
        WHERE may.write AND j.stream = d.stream AND j.batch < d.batch
    ), kept AS (
        INSERT INTO games (stream, kind, number, id, finished, rules_version, opened_at, closed_at,
                           names, closing, rated, records, versions, tournament)
        SELECT g.stream, g.kind, g.number, g.id, g.finished, g.rules_version, g.opened_at, g.closed_at,
               g.names, g.closing, g.rated, g.records, g.versions, g.tournament
        FROM may, unnest($12::text[], $13::int2[], $14::int8[], $15::text[], $16::bool[], $17::int8[],
                         $18::int8[], $19::int8[], $20::text[], $21::text[], $22::bool[], $23::text[],
                         $24::text[], $29::text[])
             WITH ORDINALITY AS g (stream, kind, number, id, finished, rules_version, opened_at,
                                   closed_at, names, closing, rated, records, versions, tournament, nth)
        WHERE may.write
        ORDER BY g.nth
        RETURNING stream, kind, number, place
    ), named AS (
        INSERT INTO players (name, place)
        SELECT DISTINCT p.name, kept.place
        FROM unnest($25::text[], $26::int2[], $27::int8[], $28::text[]) AS p (stream, kind, number, name)
        JOIN kept ON kept.stream = p.stream AND kept.kind = p.kind AND kept.number = p.number
    )";

/// All that was written to a stream and not dropped.
pub const READ: &str = "SELECT lines FROM journal WHERE stream = $1 ORDER BY batch, part";

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
        let moves = append.games.id.is_empty() && append.dropped.stream.is_empty();
        let statement = if moves { &self.moves } else { &self.closing };
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

    /// Takes a stream, for a node or outside a fleet, and reads it. An error names the living node
    /// that owns it.
    pub async fn take(
        self: Arc<Session>,
        stream: String,
        node: Option<i64>,
    ) -> Result<Result<Taken, String>, Error> {
        // Waits for an append in progress. Earlier owners can't write after this.
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
        let rows = self.client.query(READ, &[&stream]).await?;
        Ok(Ok(Taken {
            epoch: unsigned(&taken, 0),
            batch: unsigned(&taken, 1),
            next_table: unsigned(&taken, 2),
            next_tournament: unsigned(&taken, 3),
            text: rows.iter().map(|row| row.get::<_, &str>(0)).collect(),
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

/// Whether the fence stopped an append: another node owns the stream, or the batch was already
/// written.
pub fn is_refused(fault: &Fault) -> bool {
    matches!(fault, Fault::Error(error) if error.code() == Some(&SqlState::DIVISION_BY_ZERO))
}

/// What a journal knows about a stream it has loaded.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub epoch: u64,
    /// The number of the last batch.
    pub batch: u64,
    /// Bytes written since the open records were last rewritten.
    pub bytes: usize,
}

/// Once this many bytes, and four times the open records, have been written to a stream, the open
/// records are rewritten and everything before them is dropped.
const REWRITE_AFTER: usize = 4 << 20;

/// At least this many bytes of an append are written in a second.
const SENT_PER_SECOND: u64 = 1 << 20;

/// One append's writes to one stream.
struct Writes {
    /// How the stream is held then.
    held: Held,
    drops: bool,
    text: String,
    next_table: u64,
    next_tournament: u64,
}

impl Writes {
    fn begin(stream: &str, held: Held, open: &OpenRecords) -> Writes {
        let drops = held.bytes > REWRITE_AFTER.max(4 * open.bytes());
        let held =
            Held { batch: held.batch + 1, bytes: if drops { 0 } else { held.bytes }, ..held };
        let (next_table, next_tournament) = (0, 0);
        let mut writes = Writes { held, drops, text: String::new(), next_table, next_tournament };
        if drops {
            let open = open.iter().filter(|(of, ..)| *of == stream);
            for (_, topic, records) in open {
                records.iter().for_each(|record| writes.write(topic, Some(record)));
            }
        }
        writes
    }

    fn add(&mut self, row: &Row<StoredRecord>) {
        let next = row.topic.number().saturating_add(1);
        match (&row.mark, row.topic.kind()) {
            (Mark::Opens, Kind::Table) => self.next_table = self.next_table.max(next),
            (Mark::Opens, Kind::Tournament) => {
                self.next_tournament = self.next_tournament.max(next);
            }
            _ => {}
        }
        let closes = matches!(row.mark, Mark::Closes(_));
        self.write(row.topic, (!closes).then_some(&row.record));
    }

    fn write(&mut self, topic: Topic, record: Option<&StoredRecord>) {
        let before = self.text.len();
        lines::write(&mut self.text, topic, record);
        self.held.bytes += self.text.len() - before;
    }
}

/// One append, in columns.
#[derive(Default)]
pub struct Append {
    fence: Fences,
    lines: Lines,
    dropped: Dropped,
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
    bytes: Vec<usize>,
}

#[derive(Default)]
struct Lines {
    stream: Vec<String>,
    batch: Vec<i64>,
    part: Vec<i32>,
    text: Vec<String>,
}

/// Streams in which nothing before a batch is needed any more.
#[derive(Default)]
struct Dropped {
    stream: Vec<String>,
    before: Vec<i64>,
}

#[derive(Default)]
struct Topics {
    stream: Vec<String>,
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
    tournament: Vec<Option<String>>,
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
    /// The changes these batches make, given the open records and each stream's last batch.
    pub fn of(
        batches: &[Batch<StoredRecord>],
        open: &OpenRecords,
        streams: &BTreeMap<String, Held>,
    ) -> Append {
        let mut append = Append::default();
        let mut writes: BTreeMap<&str, Writes> = BTreeMap::new();
        for batch in batches.iter().filter(|batch| !batch.rows.is_empty()) {
            let begin = || Writes::begin(&batch.stream, streams[&*batch.stream], open);
            let writes = writes.entry(&batch.stream).or_insert_with(begin);
            batch.rows.iter().for_each(|row| writes.add(row));
        }
        for (stream, writes) in writes {
            append.push(stream, &writes);
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
            games.tournament.push(summary.tournament.as_deref().map(storable));
            for name in &summary.names {
                append.players.topics.push(closed.stream, topic);
                append.players.name.push(storable(name));
            }
        }
        append
    }

    fn push(&mut self, stream: &str, writes: &Writes) {
        let (Append { fence, lines, dropped, .. }, batch) = (self, signed(writes.held.batch));
        fence.stream.push(stream.to_owned());
        fence.epoch.push(signed(writes.held.epoch));
        fence.batch.push(batch);
        fence.next_table.push(signed(writes.next_table));
        fence.next_tournament.push(signed(writes.next_tournament));
        fence.bytes.push(writes.held.bytes);
        for (piece, part) in lines::pieces(&writes.text).zip(0..) {
            lines.stream.push(stream.to_owned());
            lines.batch.push(batch);
            lines.part.push(part);
            lines.text.push(piece.to_owned());
        }
        if writes.drops {
            dropped.stream.push(stream.to_owned());
            dropped.before.push(batch);
        }
    }

    /// The database has this long to make it. What is large takes longer.
    pub fn within(&self) -> Duration {
        let lines = self.lines.text.iter().chain(&self.games.records);
        let bytes: usize = lines.map(String::len).sum();
        ANSWER_WITHIN + Duration::from_secs(bytes as u64 / SENT_PER_SECOND)
    }

    pub fn streams(&self) -> Vec<String> {
        self.fence.stream.clone()
    }

    /// Each stream as it is after this.
    pub fn held(&self) -> impl Iterator<Item = (&str, Held)> {
        let Fences { stream, epoch, batch, bytes, .. } = &self.fence;
        let numbers = epoch.iter().zip(batch).zip(bytes);
        stream.iter().zip(numbers).map(|(stream, ((epoch, batch), bytes))| {
            let (epoch, batch) = (*epoch as u64, *batch as u64);
            (stream.as_str(), Held { epoch, batch, bytes: *bytes })
        })
    }

    /// In the order of the statement's numbers.
    fn parameters(&self) -> [&(dyn ToSql + Sync); 29] {
        let Append { fence, lines, dropped, games, players } = self;
        [
            &fence.stream,
            &fence.epoch,
            &fence.batch,
            &fence.next_table,
            &fence.next_tournament,
            &lines.stream,
            &lines.batch,
            &lines.part,
            &lines.text,
            &dropped.stream,
            &dropped.before,
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
            &games.tournament,
        ]
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(row: &tokio_postgres::Row, index: usize) -> u64 {
    row.get::<_, i64>(index).unsigned_abs()
}
