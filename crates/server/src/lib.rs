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

mod agent_line;
mod allowance;
mod audit;
mod bucket;
mod byte_socket;
mod clock;
mod complaints;
mod connection;
mod connections;
mod descriptors;
mod directory;
mod doors;
mod drain;
mod fleet;
mod gate;
mod hall_control;
mod hall_thread;
mod holdings;
mod hosted_game;
mod hosting;
mod http;
pub mod journal_writer;
pub mod keys;
mod lag;
mod limits;
mod listen;
mod metrics;
mod node;
mod operator;
mod outbox;
mod peer;
mod profile;
mod proxies;
pub mod ratings;
pub mod register;
mod requests;
mod restoring;
mod roster;
mod secured;
mod settings;
mod shared_stream;
mod storage;
mod tcp;
mod thinkers;
mod tls;
mod trace;
mod trail;
mod upkeep;
mod websocket;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow};
use hall::{Hall, Input};
use rules::{Dice, Seed};
use store::folder::Folder;
use store::memory::Memory;
use store::{AUDIT, Archive, HOUSE, Loaded, StoreError};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::{CancellationToken, DropGuard};
use wire::{Dialect, Framing, GameOf, HTTP_PORT, Playable, overlay};

use audit::AuditKeeper;
use doors::Doors;
use drain::Drain;
use gate::Gate;
use hall_control::HallControl;
use hall_thread::Owners;
use hosted_game::{AnyHostedGame, HostedGame};
use hosting::{HallHandle, HallMessage, Hosting, Listening};
use http::{Access, AdminToken, AppState, Guard, HttpThreads};
use journal_writer::{JournalWriter, PendingBatches};
use keys::Tickets;
use listen::Entrance;
use metrics::Metrics;
use operator::OperatorSocket;
use register::{Pen, RegisterHandle, RegisterKeeper};
use secured::Service;
use tcp::HttpPort;
use thinkers::Thinkers;
use tls::Tls;
use upkeep::Upkeep;

pub use fleet::{Fleet, Journals, Membership, Owner, Ownership, Secret, SharedJournal};
pub use limits::{Limit, Limits};
pub use metrics::Counts;
pub use operator::SOCKET as OPERATOR_SOCKET;
pub use peer::{Network, Peer};
pub use proxies::ForwardingHeader;
pub use roster::Roster;
pub use settings::{FleetOptions, HttpOptions, NetworkOptions, Port, Settings};
pub use storage::Storage;
pub use upkeep::UpkeepOptions;

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
    drain: Drain,
    metrics: Arc<Metrics>,
    /// Its standing in a fleet.
    node: Option<node::Keeper>,
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
        if let Some(database) = settings.fleet.database.clone() {
            let joined = node::join(&settings, &database, &roster.names()).await?;
            let node::Joined { storage, membership, keeper } = joined;
            let started = Server::open(roster, settings, storage, Some(membership), sockets).await;
            let mut server = started?;
            keeper.standing.count_in(server.metrics.clone());
            server.node = Some(keeper);
            return Ok(server);
        }
        let storage = Storage::open(&settings)?;
        Server::open(roster, settings, storage, None, sockets).await
    }

    /// As [`start`](Server::start), with a storage of the caller's.
    pub async fn start_with(
        roster: &Roster,
        settings: Settings,
        storage: Storage,
    ) -> Result<Server> {
        let sockets = listen::bind(&settings, roster).await?;
        Server::open(roster, settings, storage, None, sockets).await
    }

    /// The same as a node of a fleet: the halls are where the fleet has them, and the storage has
    /// everything but them.
    pub async fn start_in_fleet(
        roster: &Roster,
        settings: Settings,
        storage: Storage,
        membership: Membership,
    ) -> Result<Server> {
        let sockets = listen::bind(&settings, roster).await?;
        Server::open(roster, settings, storage, Some(membership), sockets).await
    }

    async fn open(
        roster: &Roster,
        mut settings: Settings,
        storage: Storage,
        membership: Option<Membership>,
        sockets: listen::Sockets,
    ) -> Result<Server> {
        descriptors::fit(&mut settings);
        let mut entropy = [0; 32];
        getrandom::fill(&mut entropy)
            .map_err(|e| anyhow!("the system gives no random numbers: {e}"))?;
        let mut dice = Dice::new(&Seed(entropy), "server", 0);
        // Chance of its own: nothing else can be told from it.
        let node = Dice::new(&Seed(entropy), "node", 0).below(u32::MAX as usize) as u32;
        let node = membership.as_ref().map_or(node, |membership| membership.node);
        let Storage { mut journal, archive, memory, house: shared } = storage;
        let fresh_token: String = dice.seed().to_string()[..32].to_owned();
        let token_place = settings.data.as_ref().map(|data| data.join("admin-token"));
        let admin = match (&shared, &token_place) {
            (Some(shared), place) => AdminToken::of_fleet(&shared.admin_token, place.as_deref())?,
            (None, None) => AdminToken::new(&fresh_token),
            (None, Some(place)) => AdminToken::load(place, &fresh_token)?,
        };
        let mut loaded = BTreeMap::new();
        let own = roster.names().into_iter().filter(|_| membership.is_none());
        for game in own {
            loaded.insert(game, journal.load(game)?);
        }
        let house = journal.load(HOUSE)?;
        let acts = journal.load(AUDIT)?;
        let register = register::restore(&house)?;
        let (writer, writer_thread, mut writer_failed) =
            JournalWriter::start(journal).context("cannot start the journal's writer")?;
        let metrics = Metrics::new();
        let owners = Owners::default();
        let pen = |stream, epoch| match &shared {
            Some(shared) => Pen::Shared(shared.stream(stream)),
            None => Pen::Own(PendingBatches::new(writer.clone(), memory.clone(), stream, epoch)),
        };
        let (keeper, register) = RegisterKeeper::new(register, pen(HOUSE, house.epoch));
        let (auditor, audit) = AuditKeeper::restore(&acts, pen(AUDIT, acts.epoch))?;
        let abandoned = owners.abandoned.clone().drop_guard();
        let mut opening = Opening {
            gate: Gate::new(&settings, metrics.clone(), Some(register.clone())),
            tls: Tls::load(&settings.network)?,
            settings,
            node,
            membership,
            thinkers: Thinkers::start().context("cannot start the threads of house bots")?,
            dice,
            metrics: metrics.clone(),
            loaded,
            register: register.clone(),
            tickets: Arc::default(),
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
        let tickets = opening.tickets.clone();
        let access = Access::new(&admin, register.clone(), tickets.clone());
        let public_hosts = &opening.settings.network.public_hosts;
        let read_origins = &opening.settings.http.read_origins;
        let guard = Guard::new(public_hosts, read_origins, access.clone(), audit.clone());
        let halls = || opening.halls.iter().map(|hall| hall.another()).collect();
        opening.owners.tasks.spawn(keeper.keep(halls(), opening.closing.clone()));
        opening.owners.tasks.spawn(auditor.keep(opening.closing.clone()));
        let hosted = Arc::new(opening.hosted.clone());
        let doors = Arc::new(Doors::new(halls()));
        let drain = Drain::new(doors.clone(), hosted.clone());
        let house = AppState {
            hosted: hosted.clone(),
            drain: drain.clone(),
            metrics: metrics.clone(),
            access,
            audit,
            halls: Arc::new(halls()),
            archive: archive.clone(),
            writer: writer.clone(),
            options: opening.settings.http.clone(),
            limits: opening.settings.limits.clone(),
            ports: Arc::new(sockets.ports()?),
            ladders: http::Ladders::default(),
            register,
            tickets: tickets.clone(),
            stopping: opening.stop.clone(),
        };
        // Whoever comes finds everything that was there before.
        for up in std::mem::take(&mut opening.up) {
            tokio::select! {
                up = up => up.context("a game's thread ended as it began")?,
                failure = failure(&mut writer_failed) => return Err(failure),
            }
        }
        let options = opening.settings.upkeep.clone();
        let (closing, tasks) = (&opening.closing, &opening.owners.tasks);
        tasks.spawn(drain.clone().watch(options.drain_seconds, closing.clone()));
        if let Some(data) = opening.settings.data.clone() {
            let upkeep = Upkeep { options, data, archive, hosted, writer: writer.clone(), doors };
            tasks.spawn(upkeep.keep(closing.clone()));
        }
        opening.let_nodes_in();
        let (addresses, hints) = opening.listen(sockets, http::router(house, guard)).await?;
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
            drain,
            metrics,
            node: None,
        })
    }

    /// What goes on at the moment.
    pub fn counts(&self) -> Counts {
        self.metrics.counts(&self.games)
    }

    /// Lets nothing new begin; [`drained`](Server::drained) waits until what has begun is over.
    pub async fn drain(&self) {
        self.drain.begin().await;
    }

    /// Waits until somebody has had the server drained and nothing is played any more.
    pub fn drained(&self) -> impl std::future::Future<Output = ()> + use<> {
        let drain = self.drain.clone();
        async move { drain.done().await }
    }

    /// Waits until the journal fails, which ends the server.
    pub async fn failed(&mut self) -> anyhow::Error {
        let expelled = async {
            match self.node.as_mut() {
                Some(node) => node.expelled().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            failure = failure(&mut self.writer_failed) => failure,
            error = expelled => error.into(),
        }
    }

    /// Stops accepting, writes down and says what is under way, and ends every connection.
    pub async fn shutdown(mut self) -> Result<()> {
        self.stop.cancel();
        if let Some(node) = &self.node {
            node.retire().await;
        }
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
        if let Some(node) = self.node.take() {
            node.leave().await;
        }
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
    /// Which start of which server this is.
    node: u32,
    /// Where halls are, unless all of them are here.
    membership: Option<Membership>,
    thinkers: Thinkers,
    dice: Dice,
    metrics: Arc<Metrics>,
    /// The streams of the journal.
    loaded: BTreeMap<&'static str, Loaded>,
    register: RegisterHandle,
    tickets: Arc<Tickets>,
    archive: Arc<dyn Archive>,
    writer: JournalWriter,
    memory: Option<Memory>,
    gate: Arc<Gate>,
    tls: Option<Tls>,
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
        let metrics = self.metrics.of_game(G::NAME);
        let (handle, messages) = HallHandle::new();
        let hosted = Arc::new(HostedGame {
            handle: handle.clone(),
            options,
            terms,
            node: self.node,
            limits: self.settings.limits.clone(),
            metrics,
            closing: self.closing.clone(),
            trace_folder: self.settings.trace.clone(),
            directory: Arc::default(),
        });
        let started = match self.membership.is_some() {
            true => self.host_in_fleet(hosted.clone(), messages),
            false => self.host_here(hosted.clone(), messages)?,
        };
        started.with_context(|| format!("cannot start the hall of {}", G::NAME))?;
        self.owners.tasks.spawn(hosted.directory.clone().keep(self.closing.clone()));
        self.halls.push(Box::new(handle));
        self.hosted.insert(G::NAME, hosted.clone());
        for dialect in G::dialects() {
            self.listeners.push(self.listener(hosted.clone(), dialect));
        }
        Ok(())
    }

    /// The hall is here, and nowhere else.
    fn host_here<G: Playable>(
        &mut self,
        hosted: Arc<HostedGame<G>>,
        messages: mpsc::Receiver<HallMessage<G>>,
    ) -> Result<std::io::Result<()>> {
        let tables = self.settings.limits.tables;
        let mut hall = Hall::new(hosted.terms.clone(), G::hooks(), tables, self.dice.seed());
        hall.think_elsewhere();
        let loaded = self.loaded.remove(G::NAME).context("a game is loaded once")?;
        let epoch = loaded.epoch;
        let (records, mut outputs) = restoring::restore(&*self.archive, &mut hall, loaded, None)?;
        hosted.directory.replace(Vec::new(), records);
        hall.handle(clock::now(), Input::Registered(self.register.read()), &mut outputs);
        let pending = PendingBatches::new(self.writer.clone(), self.memory.clone(), G::NAME, epoch);
        let (is_up, up) = oneshot::channel();
        self.up.push(up);
        let (thinkers, is_up) = (self.thinkers.clone(), Some(is_up));
        let hosting =
            Hosting { hall, outputs, hosted, messages, pending, thinkers, owner: None, is_up };
        Ok(hosting.start(self.owners.clone()))
    }

    fn listener<G: Playable>(
        &self,
        hosted: Arc<HostedGame<G>>,
        dialect: &'static Dialect<G>,
    ) -> Listener {
        let entrance = self.entrance(dialect.name);
        let open = move |listener, threads: HttpThreads| -> Future<'static> {
            let http = match dialect.framing {
                Framing::WebSocket { .. } => {
                    HttpPort::Own(http::play_anywhere(hosted.clone(), dialect.name))
                }
                _ if dialect.yields_to_http => HttpPort::Elsewhere(threads),
                _ => HttpPort::None,
            };
            let listening = Listening { listener, dialect, entrance, http };
            Box::pin(async move { hosted.handle.send(HallMessage::Listen(listening)).await })
        };
        let Dialect { name, try_it, .. } = *dialect;
        Listener { name, try_it, open: Box::new(open) }
    }

    /// How connections come in at a port.
    fn entrance(&self, port: &str) -> Entrance {
        let introduced = &self.settings.network.proxy_protocol;
        Entrance {
            gate: self.gate.clone(),
            proxies_introduce: introduced.iter().any(|name| name == port),
            stop: self.stop.clone(),
        }
    }

    fn http_listener(&self) -> Listener {
        let entrance = self.entrance(HTTP_PORT.0);
        let open = move |listener, threads: HttpThreads| -> Future<'static> {
            let tasks = threads.tasks.clone();
            let serve = move |socket, admission| threads.serve(Vec::new(), socket, admission);
            tasks.spawn(entrance.accept(listener, serve));
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
            let Some(socket) = sockets.plain.remove(listener.name) else { continue };
            let address = socket.local_addr()?;
            addresses.insert(listener.name.to_owned(), address);
            hints.insert(listener.name.to_owned(), hint(listener.try_it, address));
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
        if let Some(socket) = self.settings.data.as_deref().and_then(OperatorSocket::bind) {
            let serving = socket.serve(self.gate.clone(), threads.clone(), self.stop.clone());
            self.owners.tasks.spawn(serving);
        }
        // Nobody is served before everything listens.
        for (open, socket) in bound {
            open(socket, threads.clone()).await;
        }
        if let Some(tls) = self.tls.clone() {
            for (name, socket) in sockets.tls {
                let port = format!("{name}-tls");
                let service = match self.hosted.values().find(|g| g.dialects().contains(&name)) {
                    Some(hosted) => Service::of(hosted, name),
                    None => Service::Http(threads.router.clone()),
                };
                let address = socket.local_addr()?;
                hints.insert(port.clone(), hint(service.try_it(name == HTTP_PORT.0), address));
                let entrance = self.entrance(&port);
                secured::open(tls.clone(), service, socket.into_std()?, entrance, &threads);
                addresses.insert(port, address);
            }
            self.owners.tasks.spawn(tls.renew(self.closing.clone()));
        }
        Ok((addresses, hints))
    }
}

/// A line to try, with its place filled in.
fn hint(try_it: &str, address: SocketAddr) -> String {
    // "Any address" is no address to connect to.
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip.to_string(),
        ip if ip.is_ipv4() => Ipv4Addr::LOCALHOST.to_string(),
        _ => Ipv6Addr::LOCALHOST.to_string(),
    };
    try_it.replace("{host}", &host).replace("{port}", &address.port().to_string())
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}
