//! The rim: sockets, WebSocket, HTTP, metrics, and the only clock. It decides nothing.
//!
//! The life of a move:
//!
//! 1. a connection's task fetches bytes, and its `transport` cuts them into messages;
//! 2. its `Connection` lets the session hear one, and the session asks the hall something;
//! 3. `hosting` takes what the connections have kept for the hall, in the one task that owns it;
//! 4. what the hall records is made durable;
//! 5. answers and events go to the sessions of those who hear them;
//! 6. which turn them into text, and all of it leaves in one write.
//!
//! A hall and its connections share one thread.

mod doors;
mod fleet;
mod gate;
mod hosting;
mod house;
mod http;
mod journal;
mod opening;
mod reading;
mod system;
mod transcript;
mod transport;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use rules::{Dice, Seed};
use store::folder::Folder;
use store::{AUDIT, HOUSE, StoreError};
use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};
use wire::Games;

use doors::{Doors, Drain, Leaving, Upkeep};
use gate::{Gate, Sockets};
use hosting::{HallHandle, Owners, Thinkers};
use house::{AuditKeeper, AuditLog, Health, Lapsing, Metrics, Pen, RegisterKeeper};
use http::{Access, AdminToken, AppState, Guard};
use opening::Opening;
use reading::{Replays, Reviews};
use transcript::Wires;
use transport::Tls;

pub use doors::UpkeepOptions;
pub use fleet::{Fleet, Journals, Membership, Owner, Ownership, Secret, SharedJournal, Sight};
pub use gate::{ForwardingHeader, Limit, Limits, Network, Peer};
pub use house::clock::utc;
pub use house::descriptors::room_for_connections;
pub use house::{
    Counts, FleetOptions, HttpOptions, NamesOptions, NetworkOptions, Port, Settings, fresh_key,
    register,
};
pub use journal::{JournalWriter, PendingBatches, Storage, kept_of};
pub use system::{OperatorLink, connect as connect_operator, free_bytes, thread_cpu};

/// A node of a fleet ends within this time of being told to, whatever its database does.
const END_WITHIN: Duration = Duration::from_secs(20);

/// A server that listens.
pub struct Server {
    /// Where each protocol listens, by port name.
    pub addresses: BTreeMap<String, SocketAddr>,
    /// A line to try for each, with its place filled in.
    pub hints: BTreeMap<String, String>,
    pub admin_token: String,
    games: Vec<&'static str>,
    halls: Vec<HallHandle>,
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
    node: Option<fleet::Keeper>,
}

/// What checks each request before it is answered.
fn guard(settings: &Settings, access: &Access, audit: &AuditLog) -> Arc<Guard> {
    let (public_hosts, read_origins) =
        (&settings.network.public_hosts, &settings.http.read_origins);
    Guard::new(public_hosts, read_origins, access.clone(), audit.clone())
}

/// Starts the thread that reviews finished games; what it finds is kept in the data folder.
fn start_reviews(opening: &Opening) -> Result<Reviews> {
    let shelf = opening.settings.data.as_ref().map(|data| data.join("reviews"));
    Reviews::start(opening.metrics.clone(), shelf).context("cannot start the thread of reviews")
}

impl Server {
    /// Binds every port and starts every game. One that cannot listen makes no folder.
    pub async fn start(roster: &Games, settings: Settings) -> Result<Server> {
        // A second server is told of the folder first: other ports alone would not help it.
        if let Some(data) = settings.data.as_ref().filter(|data| Folder::is_taken(data)) {
            return Err(StoreError::InUse(data.clone()).into());
        }
        let sockets = gate::bind(&settings, roster).await?;
        if let Some(trace) = &settings.trace {
            std::fs::create_dir_all(trace)
                .with_context(|| format!("cannot keep traces in {}", trace.display()))?;
        }
        if let Some(database) = settings.fleet.database.clone() {
            let joined = fleet::join(&settings, &database, &roster.names()).await?;
            let fleet::Joined { storage, membership, keeper } = joined;
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
        roster: &Games,
        settings: Settings,
        storage: Storage,
    ) -> Result<Server> {
        let sockets = gate::bind(&settings, roster).await?;
        Server::open(roster, settings, storage, None, sockets).await
    }

    /// The same as a node of a fleet: the halls are where the fleet has them, and the storage has
    /// everything but them.
    pub async fn start_in_fleet(
        roster: &Games,
        settings: Settings,
        storage: Storage,
        membership: Membership,
    ) -> Result<Server> {
        let sockets = gate::bind(&settings, roster).await?;
        Server::open(roster, settings, storage, Some(membership), sockets).await
    }

    async fn open(
        roster: &Games,
        mut settings: Settings,
        storage: Storage,
        membership: Option<Membership>,
        sockets: Sockets,
    ) -> Result<Server> {
        house::descriptors::fit(&mut settings);
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
        let known = journal.load(HOUSE)?;
        let acts = journal.load(AUDIT)?;
        let register = house::register::restore(&known)?;
        let (writer, writer_thread, mut writer_failed) =
            JournalWriter::start(journal).context("cannot start the journal's writer")?;
        let metrics = Metrics::new();
        let owners = Owners::default();
        let pen = |stream, epoch| match &shared {
            Some(shared) => Pen::Shared(shared.stream(stream)),
            None => Pen::Own(PendingBatches::new(writer.clone(), memory.clone(), stream, epoch)),
        };
        let (keeper, register) = RegisterKeeper::new(register, pen(HOUSE, known.epoch));
        let (auditor, audit) = AuditKeeper::restore(&acts, pen(AUDIT, acts.epoch))?;
        let abandoned = owners.abandoned.clone().drop_guard();
        let mut opening = Opening {
            gate: Gate::new(&settings, metrics.clone(), Some(register.clone())),
            tls: Tls::load(&settings.network)?,
            replays: Replays::new(settings.limits.replays, metrics.clone()),
            settings,
            node,
            membership,
            thinkers: Thinkers::start().context("cannot start the threads of house bots")?,
            dice,
            metrics: metrics.clone(),
            loaded,
            register: register.clone(),
            tickets: Arc::default(),
            wires: Arc::new(Wires::new(Some(register.clone()))),
            archive: archive.clone(),
            writer: writer.clone(),
            memory,
            stop: CancellationToken::new(),
            closing: CancellationToken::new(),
            owners,
            hosted: BTreeMap::new(),
            halls: Vec::new(),
            doors: Vec::new(),
            up: Vec::new(),
            listeners: Vec::new(),
        };
        for game in roster.iter() {
            opening.host(game)?;
        }
        let tickets = opening.tickets.clone();
        let access = Access::new(&admin, register.clone(), tickets.clone());
        let guard = guard(&opening.settings, &access, &audit);
        let keeping = keeper.keep(opening.halls.clone(), opening.closing.clone());
        opening.owners.tasks.spawn(keeping);
        opening.owners.tasks.spawn(auditor.keep(opening.closing.clone()));
        let hosted = Arc::new(opening.hosted.clone());
        let doors = Arc::new(Doors::new(opening.halls.clone()));
        let owners = opening.membership.as_ref().map(|member| member.fleet.owners.clone());
        let leaving = owners.clone().map(|fleet| Leaving { fleet, doors: opening.doors.clone() });
        let drain = Drain::new(doors.clone(), hosted.clone(), leaving);
        let lapsing = Lapsing {
            expire_days: opening.settings.names.expire_days,
            register: register.clone(),
            archive: archive.clone(),
            hosted: hosted.clone(),
        };
        let lease = Duration::from_millis(opening.settings.fleet.lease_ms);
        let health = Arc::new(Health::new(metrics.clone(), owners.clone(), roster.names(), lease));
        let reviews = start_reviews(&opening)?;
        let house = AppState {
            hosted: hosted.clone(),
            drain: drain.clone(),
            fleet: owners,
            health: health.clone(),
            metrics: metrics.clone(),
            access,
            audit,
            halls: Arc::new(opening.halls.clone()),
            archive: archive.clone(),
            writer: writer.clone(),
            options: opening.settings.http.clone(),
            limits: opening.settings.limits.clone(),
            ports: Arc::new(sockets.ports()?),
            ladders: http::Ladders::default(),
            replays: opening.replays.clone(),
            reviews,
            room: http::Room::new(opening.settings.limits.answer_mb),
            register,
            tickets: tickets.clone(),
            wires: opening.wires.clone(),
            assets: http::Assets::new(hosted.clone()),
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
        tasks.spawn(lapsing.keep(closing.clone()));
        if opening.membership.is_some() {
            let database = shared.and_then(|shared| shared.database);
            tasks.spawn(health.watch(database, closing.clone()));
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

    /// Stops accepting, writes down and says what is under way, and ends every connection. A node of a
    /// fleet does not wait without end for a database that is away.
    pub async fn shutdown(self) -> Result<()> {
        if self.node.is_none() {
            return self.end().await;
        }
        match tokio::time::timeout(END_WITHIN, self.end()).await {
            Ok(ended) => ended,
            Err(_) => {
                tracing::warn!(
                    "the database does not answer: this server ends without handing its games over; \
                     others take them when its lease is over"
                );
                Ok(())
            }
        }
    }

    async fn end(mut self) -> Result<()> {
        self.stop.cancel();
        if let Some(node) = self.node.as_ref().filter(|node| node.is_believed()) {
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
        if let Some(node) = &self.node {
            node.part();
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

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}
