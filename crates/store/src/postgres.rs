//! The journal in PostgreSQL, for servers that share one database.
//!
//! An append is one statement. It raises the number of the stream's last batch, under the epoch
//! that loading returned, and writes everything else only if that worked. So a replaced server
//! writes nothing, however late its statement arrives, and a batch whose reply was lost is looked
//! up and sent again without being written twice. If the database is away, the journal waits for
//! it, up to the limit given when it was opened. Every reply has a deadline: a silent connection is
//! dropped and replaced.

mod append;
mod archive;
mod connecting;
mod copying;
mod database;
mod durability;
mod layout;
mod leases;
mod lines;
mod snapshot;
mod transactions;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::timeout;
use tokio_postgres::Error;

use crate::open_records::OpenRecords;
use crate::{Batch, Journal, Kind, Loaded, StoreError, StoredRecord, Topic, VERSION, chain};
use append::{Append, Held, Session};
use database::{ANSWER_WITHIN, Fault, READ_WITHIN};

pub use archive::PostgresArchive;
pub use copying::NewDatabase;
pub use database::Database;
pub use durability::Durability;
pub use leases::PostgresLeases;
pub use snapshot::{SnapshotGames, SnapshotStreams};
pub use transactions::OpenTransaction;

/// Time limit for loading a stream. The caller can try again, and other work waits behind it.
const LOADING: Duration = Duration::from_secs(5);

/// When patience is at an end, an append that is under way has at least this long.
const LAST_TRY: Duration = Duration::from_secs(1);

/// Between two attempts to reach the database.
const PAUSE: Duration = Duration::from_millis(50);

/// How often it is said that the database does not do what it is asked.
const COMPLAINS_EVERY: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub struct PostgresJournal {
    database: Database,
    /// None until it is needed, and after it has failed.
    session: Option<Arc<Session>>,
    /// Drives this writer thread's own connection, so no other thread has to wake for it. `None`:
    /// the database's thread drives it.
    own: Option<Runtime>,
    /// The node that streams are loaded for; `None` outside a fleet.
    node: Option<u64>,
    /// How long to wait for the database.
    patience: Duration,
    open: OpenRecords,
    /// The loaded streams.
    streams: BTreeMap<String, Held>,
    /// When it was last said that the database does not do what it is asked.
    complained: Option<Instant>,
}

impl PostgresJournal {
    /// A journal that waits up to `patience` for its database. For a [node](crate::leases) it loads
    /// streams in that node's name, and never from another living node.
    pub fn new(database: Database, node: Option<u64>, patience: Duration) -> PostgresJournal {
        PostgresJournal {
            database,
            session: None,
            own: None,
            node,
            patience,
            open: OpenRecords::default(),
            streams: BTreeMap::new(),
            complained: None,
        }
    }

    /// Retries until there is a reply or the time is up. Each reply has its own limit as well.
    fn ask_until<T, F>(
        &mut self,
        until: Instant,
        within: Duration,
        question: impl Fn(Arc<Session>) -> F,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        loop {
            match self.ask_once(within, &question) {
                Ok(answer) => return Ok(answer),
                Err(fault) => self.hold_on(fault, until)?,
            }
        }
    }

    fn ask_once<T, F>(
        &mut self,
        within: Duration,
        question: impl Fn(Arc<Session>) -> F,
    ) -> Result<T, Fault>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let session = self.session()?;
        self.wait(within, question(session))
    }

    /// Waits a moment after a fault that may pass; otherwise it is the journal's. A connection that has
    /// failed, or was silent, is given up: the next question goes over another.
    fn hold_on(&mut self, fault: Fault, until: Instant) -> Result<(), StoreError> {
        self.session = None;
        if !fault.is_passing() || Instant::now() >= until {
            return Err(self.database.failed(fault));
        }
        self.complain(fault);
        std::thread::sleep(PAUSE);
        Ok(())
    }

    /// Says why the game waits: at once, and then once a minute.
    fn complain(&mut self, fault: Fault) {
        if self.complained.is_none_or(|last| last.elapsed() >= COMPLAINS_EVERY) {
            self.complained = Some(Instant::now());
            let streams: Vec<&str> = self.streams.keys().map(String::as_str).collect();
            let (streams, error) = (streams.join(", "), self.database.failed(fault));
            tracing::warn!(streams, %error, "the database takes no moves at the moment; the games wait");
        }
    }

    fn session(&mut self) -> Result<Arc<Session>, Fault> {
        if let Some(session) = self.session.as_ref().filter(|session| !session.is_closed()) {
            return Ok(session.clone());
        }
        let database = self.database.clone();
        let begun = self.wait(ANSWER_WITHIN, async move { Session::begin(&database).await });
        let session = Arc::new(begun?);
        self.session = Some(session.clone());
        Ok(session)
    }

    fn wait<T: Send + 'static>(
        &self,
        within: Duration,
        answer: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Fault> {
        match &self.own {
            Some(own) => {
                let answer = own.block_on(async { timeout(within, answer).await });
                answer.map_err(|_| Fault::Silence(within))?.map_err(Fault::Error)
            }
            None => self.database.ask(within, answer),
        }
    }

    /// Decides who drives the connection: a thread that drives nothing else drives its own.
    fn settle_on_thread(&mut self) {
        let may_drive = Handle::try_current().is_err();
        if may_drive == self.own.is_some() {
            return;
        }
        self.end_session();
        if may_drive {
            // If this fails, the database's thread keeps driving it.
            self.own = Builder::new_current_thread().enable_all().build().ok();
        }
    }

    fn end_session(&mut self) {
        self.session = None;
        if let Some(own) = self.own.take() {
            // Waiting for it may not be allowed here.
            own.shutdown_background();
        }
    }

    /// Whether an append that may have been made was made. Waits for a statement that is still under
    /// way on a connection that was lost.
    fn was_made(&mut self, append: &Append, until: Instant) -> Result<bool, StoreError> {
        let streams = append.streams();
        let ask = |session: Arc<Session>| session.positions(streams.clone());
        let found = self.ask_until(until, ANSWER_WITHIN, ask)?;
        for (stream, Held { epoch, batch, .. }) in append.held() {
            let stream = stream.to_owned();
            match found.get(&stream) {
                Some((current, at)) if *current == epoch => {
                    // The database would refuse it every time.
                    if *at + 1 < batch {
                        self.streams.remove(&stream);
                        return Err(StoreError::Rewound { stream, saved: batch - 1, found: *at });
                    }
                }
                _ => {
                    self.streams.remove(&stream);
                    return Err(StoreError::Superseded { stream, epoch });
                }
            }
        }
        let mut made = append.held().map(|(stream, held)| found[stream].1 >= held.batch);
        let first = made.next().unwrap_or(true);
        match made.all(|other| other == first) {
            true => Ok(first),
            false => Err(self.database.damaged("an append is there in part".to_owned())),
        }
    }
}

type Open = BTreeMap<Topic, Vec<StoredRecord>>;

/// The open topics of a stream, from everything written there.
fn read_open(database: &Database, stream: &str, text: &str) -> Result<Open, StoreError> {
    let damaged = |why: String| database.damaged(format!("{stream}: {why}"));
    let open = lines::read(text).map_err(damaged)?;
    if let Some(found) = open.values().flatten().map(|line| line.by).find(|by| *by > VERSION) {
        let (place, known) = (database.place().to_owned(), VERSION);
        return Err(StoreError::NewerRecords { place, found, known });
    }
    for (topic, lines) in &open {
        chain::verify(stream, lines).map_err(|why| damaged(format!("{topic:?}: {why}")))?;
    }
    Ok(open)
}

impl Journal for PostgresJournal {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        let database = self.database.clone();
        let query = "SELECT stream, string_agg(lines, '' ORDER BY batch, part) FROM journal
                     GROUP BY stream ORDER BY stream";
        let read = async move { database.connect().await?.query(query, &[]).await };
        let rows = self.database.ask(READ_WITHIN, read);
        let rows = rows.map_err(|fault| self.database.failed(fault))?;
        let mut streams = Vec::new();
        for row in &rows {
            let stream: String = row.get(0);
            if !read_open(&self.database, &stream, row.get(1))?.is_empty() {
                streams.push(stream);
            }
        }
        Ok(streams)
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        self.settle_on_thread();
        let (name, node) = (stream.to_owned(), self.node.map(|node| node as i64));
        let until = Instant::now() + self.patience.min(LOADING);
        let take = |session: Arc<Session>| session.take(name.clone(), node);
        let taken = self.ask_until(until, READ_WITHIN, take)?;
        let taken = taken.map_err(|by| StoreError::Held { stream: stream.to_owned(), by })?;
        let open = read_open(&self.database, stream, &taken.text)?;
        let held = Held { epoch: taken.epoch, batch: taken.batch, bytes: taken.text.len() };
        self.streams.insert(stream.to_owned(), held);
        self.open.replace(stream, open.clone());
        Ok(Loaded {
            epoch: taken.epoch,
            open,
            next_table: taken.next_table,
            next_tournament: taken.next_tournament,
        })
    }

    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError> {
        for Batch { stream, epoch, .. } in &batches {
            if self.streams.get(&**stream).is_none_or(|held| held.epoch != *epoch) {
                let stream = stream.to_string();
                return Err(StoreError::Superseded { stream, epoch: *epoch });
            }
        }
        let batches = self.open.written(batches);
        if batches.iter().all(|batch| batch.rows.is_empty()) {
            return Ok(());
        }
        let append = Arc::new(Append::of(&batches, &self.open, &self.streams));
        self.settle_on_thread();
        let until = Instant::now() + self.patience;
        loop {
            // Players do not wait for longer than was promised.
            let left = until.saturating_duration_since(Instant::now());
            let within = append.within().min(left.max(LAST_TRY));
            match self.ask_once(within, |session| session.append(append.clone())) {
                Ok(()) => break,
                // An earlier attempt may have succeeded with its reply lost.
                Err(fault) if append::is_refused(&fault) => {
                    if self.was_made(&append, until)? {
                        break;
                    }
                    if Instant::now() >= until {
                        return Err(self.database.failed(fault));
                    }
                    std::thread::sleep(PAUSE);
                }
                Err(fault) => {
                    self.hold_on(fault, until)?;
                    if self.was_made(&append, until)? {
                        break;
                    }
                }
            }
        }
        for (stream, held) in append.held() {
            self.streams.insert(stream.to_owned(), held);
        }
        batches.into_iter().for_each(|batch| self.open.remember(batch));
        Ok(())
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        let before = i64::try_from(closed_before).unwrap_or(i64::MAX);
        let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
        self.settle_on_thread();
        let until = Instant::now() + self.patience;
        let prune = |session: Arc<Session>| session.prune(before, at_most);
        let removed = self.ask_until(until, READ_WITHIN, prune)?;
        Ok(removed as usize)
    }

    fn close(&mut self) -> Result<(), StoreError> {
        self.end_session();
        Ok(())
    }
}

impl Drop for PostgresJournal {
    fn drop(&mut self) {
        self.end_session();
    }
}

fn number_of(kind: Kind) -> i16 {
    match kind {
        Kind::Table => 0,
        Kind::Tournament => 1,
        Kind::Register => 2,
        Kind::Page => 3,
    }
}

fn kind_of(number: i16) -> Option<Kind> {
    let kinds = [Kind::Table, Kind::Tournament, Kind::Register, Kind::Page];
    kinds.into_iter().find(|kind| number_of(*kind) == number)
}

/// PostgreSQL's text type has no zero bytes, but a client can send a name that has one.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}
