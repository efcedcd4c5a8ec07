//! The rim: sockets, WebSocket, HTTP, metrics, and the only clock. It decides nothing.
//!
//! The life of a move:
//!
//! 1. a connection's task fetches bytes, and `tcp` or `websocket` cuts them into messages;
//! 2. its `connection` lets the session hear one, and the session asks the hall something;
//! 3. `hosting` takes what the `connections` have kept for the hall, in the one task that owns it;
//! 4. what the hall records is made durable;
//! 5. answers and events go to the sessions of those who hear them;
//! 6. which turn them into text, and all of it leaves in one write.
//!
//! A hall and its connections share one thread.

mod clock;
mod connection;
mod connections;
mod directory;
mod hosted_game;
mod hosting;
mod http;
pub mod journal_writer;
mod lag;
mod listen;
mod metrics;
mod outbox;
pub mod ratings;
mod requests;
mod restoring;
mod roster;
mod settings;
mod tcp;
mod trace;
mod websocket;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow};
use hall::Hall;
use rules::{Dice, Seed};
use store::folder::Folder;
use store::memory::Memory;
use store::sqlite::{SqliteArchive, SqliteJournal};
use store::{Archive, Journal, Loaded, StoreError};
use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};
use wire::{Dialect, Framing, GameOf, HTTP_PORT, Playable, overlay};

use hosted_game::{AnyHostedGame, HostedGame};
use hosting::{HallHandle, HallMessage, Hosting, Listening, Owners};
use http::{AdminToken, AppState, HttpThreads};
use journal_writer::{JournalWriter, PendingBatches};
use listen::Gate;
use metrics::Metrics;
use tcp::HttpPort;

pub use metrics::Counts;
pub use roster::Roster;
pub use settings::{HttpOptions, Limits, Port, Settings};

/// A server that listens.
pub struct Server {
    /// Where each protocol listens, by port name.
    pub addresses: BTreeMap<String, SocketAddr>,
    /// A line to try for each, with its place filled in.
    pub hints: BTreeMap<String, String>,
    pub admin_token: String,
    games: Vec<&'static str>,
    halls: Vec<Box<dyn HallControl>>,
    owners: Owners,
    writer: JournalWriter,
    writer_thread: JoinHandle<()>,
    writer_failed: oneshot::Receiver<StoreError>,
    /// Cancelled to stop accepting.
    stop: CancellationToken,
    /// Cancelled to end connections.
    closing: CancellationToken,
    /// Ends the halls' threads if nobody shuts the server down.
    _abandoned: DropGuard,
    metrics: Arc<Metrics>,
}

/// Where records go and where finished games are read.
#[derive(Debug)]
pub struct Storage {
    pub journal: Box<dyn Journal>,
    pub archive: Arc<dyn Archive>,
    /// The journal, if it is memory: nothing waits for it.
    pub memory: Option<Memory>,
}

impl Storage {
    /// What the settings ask for: a folder, or memory.
    pub fn open(settings: &Settings) -> Result<Storage> {
        match &settings.data {
            None => {
                let memory = Memory::default();
                let archive = Arc::new(memory.clone());
                Ok(Storage { journal: Box::new(memory.clone()), archive, memory: Some(memory) })
            }
            Some(data) => {
                let journal = SqliteJournal::open(Folder::take(data)?)?;
                if let Some(copy) = journal.copy() {
                    tracing::info!(
                        data = %data.display(),
                        copy = %copy.display(),
                        "the data folder is of an earlier release: it was brought up to date, and copied first"
                    );
                }
                let archive = Arc::new(SqliteArchive::open(data)?);
                Ok(Storage { journal: Box::new(journal), archive, memory: None })
            }
        }
    }
}

impl Server {
    /// Binds every port and starts every game. One that cannot listen makes no folder.
    pub async fn start(roster: &Roster, settings: Settings) -> Result<Server> {
        // A second server is told of the folder first: other ports alone would not help it.
        if let Some(data) = settings.data.as_ref().filter(|data| Folder::is_taken(data)) {
            return Err(StoreError::InUse(data.clone()).into());
        }
        let sockets = listen::bind(&settings, roster).await?;
        if let Some(trace) = &settings.trace {
            std::fs::create_dir_all(trace)
                .with_context(|| format!("cannot keep traces in {}", trace.display()))?;
        }
        let storage = Storage::open(&settings)?;
        Server::open(roster, settings, storage, sockets).await
    }

    /// As [`start`](Server::start), with a storage of the caller's.
    pub async fn start_with(
        roster: &Roster,
        settings: Settings,
        storage: Storage,
    ) -> Result<Server> {
        let sockets = listen::bind(&settings, roster).await?;
        Server::open(roster, settings, storage, sockets).await
    }

    async fn open(
        roster: &Roster,
        settings: Settings,
        storage: Storage,
        sockets: listen::Sockets,
    ) -> Result<Server> {
        let mut entropy = [0; 32];
        getrandom::fill(&mut entropy)
            .map_err(|e| anyhow!("the system gives no random numbers: {e}"))?;
        let mut dice = Dice::new(&Seed(entropy), "server", 0);
        let fresh_token: String = dice.seed().to_string()[..32].to_owned();
        let admin = match &settings.data {
            None => AdminToken::new(&fresh_token),
            Some(data) => AdminToken::load(&data.join("admin-token"), &fresh_token)?,
        };
        let Storage { mut journal, archive, memory } = storage;
        let mut loaded = BTreeMap::new();
        for game in roster.names() {
            loaded.insert(game, journal.load(game)?);
        }
        let (writer, writer_thread, mut writer_failed) =
            JournalWriter::start(journal).context("cannot start the journal's writer")?;
        let metrics = Metrics::new();
        let owners = Owners::default();
        let abandoned = owners.abandoned.clone().drop_guard();
        let mut opening = Opening {
            gate: Gate::new(settings.limits.clone(), metrics.clone()),
            settings,
            dice,
            metrics: metrics.clone(),
            loaded,
            archive: archive.clone(),
            writer: writer.clone(),
            memory,
            stop: CancellationToken::new(),
            closing: CancellationToken::new(),
            owners,
            hosted: BTreeMap::new(),
            halls: Vec::new(),
            up: Vec::new(),
            listeners: Vec::new(),
        };
        for game in roster.hostable() {
            game.host(&mut opening)?;
        }
        let house = AppState {
            hosted: Arc::new(opening.hosted.clone()),
            metrics: metrics.clone(),
            admin: admin.clone(),
            archive,
            writer: writer.clone(),
            options: opening.settings.http.clone(),
            limits: opening.settings.limits.clone(),
            ports: Arc::new(listen::ports(&sockets)?),
            ladders: http::Ladders::default(),
            stopping: opening.stop.clone(),
        };
        // Whoever comes finds everything that was there before.
        for up in std::mem::take(&mut opening.up) {
            tokio::select! {
                up = up => up.context("a game's thread ended as it began")?,
                failure = failure(&mut writer_failed) => return Err(failure),
            }
        }
        let (addresses, hints) = opening.listen(sockets, http::router(house)).await?;
        Ok(Server {
            addresses,
            hints,
            admin_token: admin.as_str().to_owned(),
            games: roster.names(),
            halls: opening.halls,
            owners: opening.owners,
            writer,
            writer_thread,
            writer_failed,
            stop: opening.stop,
            closing: opening.closing,
            _abandoned: abandoned,
            metrics,
        })
    }

    /// What goes on at the moment.
    pub fn counts(&self) -> Counts {
        self.metrics.counts(&self.games)
    }

    /// Waits until the journal fails, which ends the server.
    pub async fn failed(&mut self) -> anyhow::Error {
        failure(&mut self.writer_failed).await
    }

    /// Stops accepting, writes down and says what is under way, and ends every connection.
    pub async fn shutdown(mut self) -> Result<()> {
        self.stop.cancel();
        for hall in &self.halls {
            hall.shutting_down().await;
            hall.stop().await;
        }
        self.owners.halls.close();
        tokio::select! {
            () = self.owners.halls.wait() => {}
            // What waits for the journal would wait for ever.
            failure = failure(&mut self.writer_failed) => return Err(failure),
        }
        self.closing.cancel();
        self.owners.tasks.close();
        self.owners.tasks.wait().await;
        self.writer.stop().await;
        let joined = tokio::task::spawn_blocking(|| self.writer_thread.join()).await?;
        joined.map_err(|_| anyhow!("the journal's writer panicked"))?;
        match self.writer_failed.await {
            Ok(error) => Err(error.into()),
            Err(_) => Ok(()),
        }
    }
}

/// Waits until the writer ends, which before it is asked to is a failure.
async fn failure(writer_failed: &mut oneshot::Receiver<StoreError>) -> anyhow::Error {
    match writer_failed.await {
        Ok(error) => error.into(),
        Err(_) => anyhow!("the journal's writer panicked"),
    }
}

type Future<'a> = std::pin::Pin<Box<dyn std::future::Future<Output = ()> + Send + 'a>>;

/// A hall's task, whatever its game.
trait HallControl: Send + Sync {
    fn shutting_down(&self) -> Future<'_>;
    fn stop(&self) -> Future<'_>;
}

impl<G: Playable> HallControl for HallHandle<G> {
    fn shutting_down(&self) -> Future<'_> {
        Box::pin(self.send(HallMessage::ShuttingDown))
    }

    fn stop(&self) -> Future<'_> {
        Box::pin(self.send(HallMessage::Stop))
    }
}

/// A protocol that wants a port.
struct Listener {
    name: &'static str,
    try_it: &'static str,
    /// Starts accepting.
    open: Box<dyn FnOnce(TcpListener, HttpThreads) -> Future<'static> + Send>,
}

/// A server on its way up.
struct Opening {
    settings: Settings,
    dice: Dice,
    metrics: Arc<Metrics>,
    /// The streams of the journal.
    loaded: BTreeMap<&'static str, Loaded>,
    archive: Arc<dyn Archive>,
    writer: JournalWriter,
    memory: Option<Memory>,
    gate: Arc<Gate>,
    stop: CancellationToken,
    closing: CancellationToken,
    owners: Owners,
    hosted: BTreeMap<&'static str, Arc<dyn AnyHostedGame>>,
    halls: Vec<Box<dyn HallControl>>,
    /// Each hall says when it can be read.
    up: Vec<oneshot::Receiver<()>>,
    listeners: Vec<Listener>,
}

impl Opening {
    fn host<G: Playable>(&mut self) -> Result<()> {
        let changes = self.settings.changes(&GameOf::<G>::new());
        let options = overlay::<G>(&G::Options::default(), &changes).map_err(anyhow::Error::msg)?;
        let terms = G::terms(&options).map_err(|why| anyhow::anyhow!("{}: {why}", G::NAME))?;
        let tables = self.settings.limits.tables;
        let mut hall = Hall::new(terms.clone(), G::hooks(), tables, self.dice.seed());
        let loaded = self.loaded.remove(G::NAME).context("a game is loaded once")?;
        let epoch = loaded.epoch;
        let outputs = self.restore(&mut hall, loaded)?;
        let metrics = self.metrics.of_game(G::NAME);
        let (handle, messages) = HallHandle::new();
        let pending = PendingBatches::new(self.writer.clone(), self.memory.clone(), G::NAME, epoch);
        let hosted = Arc::new(HostedGame {
            handle: handle.clone(),
            options,
            terms,
            limits: self.settings.limits.clone(),
            metrics,
            closing: self.closing.clone(),
            trace_folder: self.settings.trace.clone(),
            directory: Arc::default(),
        });
        let (is_up, up) = oneshot::channel();
        self.up.push(up);
        Hosting { hall, outputs, hosted: hosted.clone(), messages, pending, is_up: Some(is_up) }
            .start(self.owners.clone())
            .with_context(|| format!("cannot start the hall of {}", G::NAME))?;
        self.owners.tasks.spawn(hosted.directory.clone().keep(self.closing.clone()));
        self.halls.push(Box::new(handle));
        self.hosted.insert(G::NAME, hosted.clone());
        for dialect in G::dialects() {
            self.listeners.push(self.listener(hosted.clone(), dialect));
        }
        Ok(())
    }

    fn listener<G: Playable>(
        &self,
        hosted: Arc<HostedGame<G>>,
        dialect: &'static Dialect<G>,
    ) -> Listener {
        let (gate, stop) = (self.gate.clone(), self.stop.clone());
        let open = move |listener, threads: HttpThreads| -> Future<'static> {
            let http = match dialect.framing {
                Framing::WebSocket { .. } => {
                    HttpPort::Own(http::play_anywhere(hosted.clone(), dialect.name))
                }
                _ if dialect.yields_to_http => HttpPort::Elsewhere(threads),
                _ => HttpPort::None,
            };
            let listening = Listening { listener, dialect, gate, stop, http };
            Box::pin(async move { hosted.handle.send(HallMessage::Listen(listening)).await })
        };
        let Dialect { name, try_it, .. } = *dialect;
        Listener { name, try_it, open: Box::new(open) }
    }

    fn http_listener(&self) -> Listener {
        let (gate, stop) = (self.gate.clone(), self.stop.clone());
        let open = move |listener, threads: HttpThreads| -> Future<'static> {
            let tasks = threads.tasks.clone();
            let serve = move |socket, admission| threads.serve(Vec::new(), socket, admission);
            tasks.spawn(listen::accept(listener, gate, stop, serve));
            Box::pin(std::future::ready(()))
        };
        Listener {
            name: HTTP_PORT.0,
            try_it: "curl http://{host}:{port}/api/v1/tables",
            open: Box::new(open),
        }
    }

    async fn listen(
        &mut self,
        mut sockets: listen::Sockets,
        router: axum::Router,
    ) -> Result<(BTreeMap<String, SocketAddr>, BTreeMap<String, String>)> {
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.push(self.http_listener());
        let mut bound = Vec::new();
        let mut addresses = BTreeMap::new();
        let mut hints = BTreeMap::new();
        for listener in listeners {
            let Some(socket) = sockets.remove(listener.name) else { continue };
            let address = socket.local_addr()?;
            // "Any address" is no address to connect to.
            let host = match address.ip() {
                ip if !ip.is_unspecified() => ip.to_string(),
                ip if ip.is_ipv4() => Ipv4Addr::LOCALHOST.to_string(),
                _ => Ipv6Addr::LOCALHOST.to_string(),
            };
            let hint = listener
                .try_it
                .replace("{host}", &host)
                .replace("{port}", &address.port().to_string());
            addresses.insert(listener.name.to_owned(), address);
            hints.insert(listener.name.to_owned(), hint);
            bound.push((listener.open, socket.into_std()?));
        }
        if let (Some(data), Some(address)) = (&self.settings.data, addresses.get(HTTP_PORT.0)) {
            // For commands that find this server by its folder.
            let place = data.join("http-address");
            std::fs::write(&place, address.to_string())
                .with_context(|| format!("cannot write {}", place.display()))?;
        }
        let threads = HttpThreads {
            runtime: tokio::runtime::Handle::current(),
            tasks: self.owners.tasks.clone(),
            closing: self.closing.clone(),
            router,
        };
        // Nobody is served before everything listens.
        for (open, socket) in bound {
            open(socket, threads.clone()).await;
        }
        Ok((addresses, hints))
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}
