//! The journal in PostgreSQL, for servers that share one database.
//!
//! An append is one statement: it raises the number of the stream's last batch, under the epoch that
//! loading the stream has given, and writes everything else only if that was possible. So a server that
//! was replaced writes nothing, however late its statement arrives, and a batch whose answer was lost
//! is looked up and sent again without being written twice. A database that is away for a while is
//! waited for; how long, whoever opens the journal says.

mod append;
mod archive;
mod copying;
mod database;
mod durability;
mod layout;
mod leases;
mod lines;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio_postgres::Error;

use crate::open_records::OpenRecords;
use crate::{Batch, Journal, Kind, Loaded, StoreError, StoredRecord, Topic, VERSION, chain};
use append::{Append, Held, Session};

pub use archive::PostgresArchive;
pub use copying::NewDatabase;
pub use database::Database;
pub use durability::Durability;
pub use leases::PostgresLeases;

/// Whoever loads a stream can try again, and has others who wait: it waits no longer.
const LOADING: Duration = Duration::from_secs(5);

/// Between two attempts to reach the database.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct PostgresJournal {
    database: Database,
    /// None until it is needed, and after it has failed.
    session: Option<Arc<Session>>,
    /// What drives the connection of a thread that writes, so that no other has to wake for it; none: the
    /// database's thread does.
    own: Option<Runtime>,
    /// For whom streams are taken, if not for whoever comes.
    node: Option<u64>,
    /// So long the database is waited for.
    patience: Duration,
    open: OpenRecords,
    /// What was loaded.
    streams: BTreeMap<String, Held>,
}

impl PostgresJournal {
    /// A journal that waits so long for its database. Of a [node](crate::leases) it takes streams for
    /// that one, and never from another that is alive.
    pub fn new(database: Database, node: Option<u64>, patience: Duration) -> PostgresJournal {
        PostgresJournal {
            database,
            session: None,
            own: None,
            node,
            patience,
            open: OpenRecords::default(),
            streams: BTreeMap::new(),
        }
    }

    /// Asks until there is an answer, or the patience is at an end.
    fn ask<T, F>(&mut self, question: impl Fn(Arc<Session>) -> F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        self.ask_until(Instant::now() + self.patience, question)
    }

    fn ask_until<T, F>(
        &mut self,
        until: Instant,
        question: impl Fn(Arc<Session>) -> F,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        loop {
            match self.session().and_then(|session| self.wait(question(session))) {
                Ok(answer) => return Ok(answer),
                Err(error) => self.hold_on(error, until)?,
            }
        }
    }

    /// Waits a moment after an error that may pass; otherwise it is the journal's.
    fn hold_on(&mut self, error: Error, until: Instant) -> Result<(), StoreError> {
        if !database::is_passing(&error) || Instant::now() >= until {
            return Err(self.database.failed(error));
        }
        self.session = None;
        std::thread::sleep(PAUSE);
        Ok(())
    }

    fn session(&mut self) -> Result<Arc<Session>, Error> {
        if let Some(session) = self.session.as_ref().filter(|session| !session.is_closed()) {
            return Ok(session.clone());
        }
        let database = self.database.clone();
        let session = Arc::new(self.wait(async move { Session::begin(&database).await })?);
        self.session = Some(session.clone());
        Ok(session)
    }

    fn wait<T: Send + 'static>(&self, answer: impl Future<Output = T> + Send + 'static) -> T {
        match &self.own {
            Some(own) => own.block_on(answer),
            None => self.database.wait(answer),
        }
    }

    /// Decides who drives the connection: a thread on which nothing else is driven does it by itself.
    fn settle_on_thread(&mut self) {
        let may_drive = Handle::try_current().is_err();
        if may_drive == self.own.is_some() {
            return;
        }
        self.end_session();
        if may_drive {
            // Without one it goes on as before.
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
    fn was_made(&mut self, append: &Arc<Append>) -> Result<bool, StoreError> {
        let streams = append.streams();
        let found = self.ask(move |session| session.positions(streams.clone()))?;
        for (stream, Held { epoch, .. }) in append.held() {
            if found.get(stream).is_none_or(|(current, _)| *current != epoch) {
                self.streams.remove(stream);
                return Err(StoreError::Superseded { stream: stream.to_owned(), epoch });
            }
        }
        let mut made = append.held().map(|(stream, held)| found[stream].1 >= held.batch);
        let first = made.next().unwrap_or(true);
        match made.all(|other| other == first) {
            true => Ok(first),
            false => Err(self.database.damaged("an append is there in part".to_owned())),
        }
    }

    fn read(&self, stream: &str, text: &str) -> Result<Open, StoreError> {
        let damaged = |why: String| self.database.damaged(format!("{stream}: {why}"));
        let open = lines::read(text).map_err(damaged)?;
        if let Some(found) = open.values().flatten().map(|line| line.by).find(|by| *by > VERSION) {
            let (place, known) = (self.database.place().to_owned(), VERSION);
            return Err(StoreError::NewerRecords { place, found, known });
        }
        for (topic, lines) in &open {
            chain::verify(stream, lines).map_err(|why| damaged(format!("{topic:?}: {why}")))?;
        }
        Ok(open)
    }
}

type Open = BTreeMap<Topic, Vec<StoredRecord>>;

impl Journal for PostgresJournal {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        let database = self.database.clone();
        let query = "SELECT stream, string_agg(lines, '' ORDER BY batch, part) FROM journal
                     GROUP BY stream ORDER BY stream";
        let rows =
            self.database.wait(async move { database.connect().await?.query(query, &[]).await });
        let rows = rows.map_err(|cause| self.database.failed(cause))?;
        let mut streams = Vec::new();
        for row in &rows {
            let stream: String = row.get(0);
            if !self.read(&stream, row.get(1))?.is_empty() {
                streams.push(stream);
            }
        }
        Ok(streams)
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        self.settle_on_thread();
        let (name, node) = (stream.to_owned(), self.node.map(|node| node as i64));
        let until = Instant::now() + self.patience.min(LOADING);
        let taken = self.ask_until(until, move |session| session.take(name.clone(), node))?;
        let taken = taken.map_err(|by| StoreError::Held { stream: stream.to_owned(), by })?;
        let open = self.read(stream, &taken.text)?;
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
            let sent = append.clone();
            let answer = self.session().and_then(|session| self.wait(session.append(sent)));
            match answer {
                Ok(()) => break,
                Err(error) => {
                    if !append::is_refused(&error) {
                        self.hold_on(error, until)?;
                    }
                    if self.was_made(&append)? {
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
        let removed = self.ask(move |session| session.prune(before, at_most))?;
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

/// PostgreSQL's text has no zero bytes; names that somebody has sent might.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}
