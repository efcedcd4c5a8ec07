//! How fast the journal writer is, against a bare loop of SQLite commits with the same batches.
//!
//! `cargo run --release -p server --example group_commit [SECONDS]`
//!
//! Clients in a closed loop hand one event each to a hall, which hands all that wait to the
//! writer, as the server does; each is acknowledged once its batch is durable. The bare loop
//! then commits batches of the same sizes, one insert an event. Both take turns, so that they
//! meet the same weather.

use std::io::{Write, stdout};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use server::{JournalWriter, PendingBatches};
use store::folder::Folder;
use store::sqlite::SqliteJournal;
use store::{Batch, Cause, Journal, Loaded, Mark, Row, StoreError, Summary, Topic};
use tokio::sync::{mpsc, oneshot};

const ROUNDS: usize = 4;

/// Moves in a game.
const MOVES: u64 = 60;

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(8.0);
    let round = Duration::from_secs_f64(seconds / ROUNDS as f64);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let head = "waiting  batch   events/s  ack p50  ack p99  |  bare ev/s  p50  p99 (ms)  |  speed  ack p50  ack p99";
    say(&format!("{head} against bare"));
    for clients in [1, 64, 256] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut ours = Figures::default();
        let mut bare = Figures::default();
        for number in 0..ROUNDS {
            let data = folder.path().join(format!("writer-{number}"));
            let batches = runtime.block_on(through_the_writer(&data, clients, round, &mut ours));
            let file = folder.path().join(format!("bare-{number}.db"));
            bare_loop(&file, &batches, &mut bare);
            ours.batches += batches.len();
        }
        ours.latencies.sort_unstable();
        bare.latencies.sort_unstable();
        say(&format!(
            "{clients:>7}  {:>5.1}  {:>9.0}  {:>7.2}  {:>7.2}  |  {:>9.0}  {:>4.2} {:>4.2}      |  {:>4.0}%  {:>6.2}x  {:>6.2}x",
            ours.events as f64 / ours.batches as f64,
            ours.speed(),
            ours.milliseconds(50),
            ours.milliseconds(99),
            bare.speed(),
            bare.milliseconds(50),
            bare.milliseconds(99),
            100.0 * ours.speed() / bare.speed(),
            ours.milliseconds(50) / bare.milliseconds(50),
            ours.milliseconds(99) / bare.milliseconds(99),
        ));
    }
}

fn say(line: &str) {
    // A closed pipe is no error.
    let _ = writeln!(stdout(), "{line}");
}

#[derive(Default)]
struct Figures {
    events: usize,
    batches: usize,
    time: Duration,
    /// Of acknowledgements, or of commits; sorted at the end.
    latencies: Vec<Duration>,
}

impl Figures {
    fn speed(&self) -> f64 {
        self.events as f64 / self.time.as_secs_f64()
    }

    fn milliseconds(&self, percent: usize) -> f64 {
        let index = (self.latencies.len() - 1) * percent / 100;
        self.latencies[index].as_secs_f64() * 1000.0
    }
}

/// The journal, with the size of every batch noted.
#[derive(Debug)]
struct TournamentEntry(SqliteJournal, Arc<Mutex<Vec<usize>>>);

impl Journal for TournamentEntry {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        self.0.streams()
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        self.0.load(stream)
    }

    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError> {
        let rows: usize = batches.iter().map(|batch| batch.rows.len()).sum();
        if rows > 0 {
            self.1.lock().expect("no holder panics").push(rows);
        }
        self.0.append(batches)
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        self.0.prune(closed_before, at_most)
    }

    fn close(&mut self) -> Result<(), StoreError> {
        self.0.close()
    }
}

const STREAM: &str = "sushi-go";

type Request = (Row, oneshot::Sender<()>);

/// Runs clients for a while; the sizes of the batches that were committed.
async fn through_the_writer(
    data: &Path,
    clients: usize,
    round: Duration,
    figures: &mut Figures,
) -> Vec<usize> {
    let mut journal =
        SqliteJournal::open(Folder::take(data).expect("a folder")).expect("a journal");
    let epoch = journal.load(STREAM).expect("a stream").epoch;
    let sizes = Arc::new(Mutex::new(Vec::new()));
    let journal = TournamentEntry(journal, sizes.clone());
    let (writer, thread, _failed) = JournalWriter::start(Box::new(journal)).expect("a thread");
    let (requests, waiting) = mpsc::channel(4096);
    let hall =
        tokio::spawn(hall(PendingBatches::new(writer.clone(), None, STREAM, epoch), waiting));
    let begin = Instant::now();
    let tasks: Vec<_> = (0..clients as u64)
        .map(|number| tokio::spawn(client(number, requests.clone(), begin + round)))
        .collect();
    drop(requests);
    for task in tasks {
        let latencies = task.await.expect("a client");
        figures.events += latencies.len();
        figures.latencies.extend(latencies);
    }
    figures.time += begin.elapsed();
    hall.await.expect("the hall");
    writer.stop().await;
    thread.join().expect("the writer");
    std::mem::take(&mut *sizes.lock().expect("no holder panics"))
}

/// Hands on what waits, and acknowledges what is durable: what the server's halls do.
async fn hall(mut pending: PendingBatches, mut waiting: mpsc::Receiver<Request>) {
    let mut held = std::collections::VecDeque::new();
    let mut open = true;
    while open || !held.is_empty() {
        tokio::select! {
            biased;
            changed = pending.committed.changed(), if !held.is_empty() => {
                changed.expect("the pending holds the sender");
            }
            request = waiting.recv(), if open => match request {
                None => open = false,
                Some((row, done)) => {
                    let (mut rows, mut dones) = (vec![row], vec![done]);
                    while let Ok((row, done)) = waiting.try_recv() {
                        rows.push(row);
                        dones.push(done);
                    }
                    held.push_back((pending.write(hall::Time(0), rows, false).await, dones));
                }
            }
        }
        while held.front().is_some_and(|(number, _)| *number <= pending.durable_up_to()) {
            let (_, dones) = held.pop_front().expect("just seen");
            dones.into_iter().for_each(|done: oneshot::Sender<()>| _ = done.send(()));
        }
    }
}

/// Plays game after game, one event at a time.
async fn client(number: u64, requests: mpsc::Sender<Request>, until: Instant) -> Vec<Duration> {
    let mut latencies = Vec::new();
    for event in 0.. {
        if Instant::now() > until {
            break;
        }
        let begin = Instant::now();
        let (done, acknowledged) = oneshot::channel();
        requests.send((row(number, event), done)).await.expect("the hall listens");
        acknowledged.await.expect("the hall answers");
        latencies.push(begin.elapsed());
    }
    latencies
}

/// A client's events: a table opens, is played, and closes.
fn row(client: u64, event: u64) -> Row {
    let (game, turn) = (event / (MOVES + 2), event % (MOVES + 2));
    let table = game << 16 | client;
    let at = 1_763_000_000_000 + event;
    let (record, mark) = match turn {
        0 => (opened(table), Mark::Opens),
        turn if turn <= MOVES => (moved(turn), Mark::Continues),
        _ => (closing(), Mark::Closes(Some(Box::new(summary(table, at))))),
    };
    let record = Arc::new(RawValue::from_string(record).expect("JSON"));
    let cause = Cause::Said { node: 7, conn: client, number: event };
    Row { topic: Topic::Table(table), at, cause, record, mark }
}

fn opened(table: u64) -> String {
    let seed = "5a".repeat(32);
    format!(
        r#"{{"opened":{{"id":"tasty-tuna-{table:08x}","version":1,"terms":{{"config":{{"pass_direction":"left"}},"policy":{{"seats":2,"turn_ms":12000,"hold_waiting_ms":5000,"waiting_expire_ms":3600000}}}},"seed":"{seed}","reserved":[],"house":true,"at":1763000000000}}}}"#
    )
}

fn moved(turn: u64) -> String {
    format!(r#"{{"moved":{{"seq":{turn},"seat":{},"action":{{"play":{}}}}}}}"#, turn % 2, turn % 10)
}

fn closing() -> String {
    r#"{"closed":{"over":[{"points":41,"place":1,"exit":null},{"points":24,"place":2,"exit":null}]}}"#.to_owned()
}

fn summary(table: u64, at: u64) -> Summary {
    Summary {
        id: format!("tasty-tuna-{table:08x}"),
        finished: true,
        rules_version: 1,
        opened_at: at,
        names: vec!["Ada".to_owned(), "Bob".to_owned()],
        versions: Vec::new(),
        rated: false,
        tournament: None,
        closing: closing(),
    }
}

/// The same batches, bare: one insert an event, one commit a batch.
fn bare_loop(file: &Path, batches: &[usize], figures: &mut Figures) {
    let mut connection = rusqlite::Connection::open(file).expect("a database");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             CREATE TABLE events (number INTEGER PRIMARY KEY, game TEXT, at INTEGER, record TEXT);",
        )
        .expect("a table");
    let mut event = 0;
    let begin = Instant::now();
    for size in batches {
        let rows: Vec<Row> = (event..event + *size as u64).map(|event| row(0, event)).collect();
        let begin = Instant::now();
        let transaction = connection.transaction().expect("begins");
        for row in rows {
            transaction
                .prepare_cached("INSERT INTO events (game, at, record) VALUES (?1, ?2, ?3)")
                .and_then(|mut insert| insert.execute((STREAM, row.at, row.record.to_json())))
                .expect("inserts");
        }
        transaction.commit().expect("commits");
        figures.latencies.push(begin.elapsed());
        event += *size as u64;
    }
    figures.time += begin.elapsed();
    figures.events += event as usize;
}
