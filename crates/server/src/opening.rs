//! A server on its way up: its games get their halls, and everything that was restored its port.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use anyhow::{Context, Result};
use hall::{Hall, Input};
use rules::Dice;
use store::memory::Memory;
use store::{Archive, Loaded};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use wire::{Dialect, Framing, GameOf, HTTP_PORT, Playable, overlay};

use crate::door::Door;
use crate::fleet::Membership;
use crate::gate::Gate;
use crate::hall_control::{Future, HallControl};
use crate::hall_thread::Owners;
use crate::hosted_game::{AnyHostedGame, HostedGame};
use crate::hosting::{HallHandle, HallMessage, Hosting, Listening};
use crate::http::{self, HttpThreads};
use crate::journal_writer::{JournalWriter, PendingBatches};
use crate::keys::Tickets;
use crate::listen::{self, Entrance};
use crate::metrics::Metrics;
use crate::operator::OperatorSocket;
use crate::register::RegisterHandle;
use crate::secured::{self, Service};
use crate::settings::Settings;
use crate::tcp::HttpPort;
use crate::thinkers::Thinkers;
use crate::tls::Tls;
use crate::wires::Wires;
use crate::{clock, restoring};

/// A server on its way up.
pub(crate) struct Opening {
    pub settings: Settings,
    /// Which start of which server this is.
    pub node: u32,
    /// Where halls are, unless all of them are here.
    pub membership: Option<Membership>,
    pub thinkers: Thinkers,
    pub dice: Dice,
    pub metrics: Arc<Metrics>,
    /// The streams of the journal.
    pub loaded: BTreeMap<&'static str, Loaded>,
    pub register: RegisterHandle,
    pub tickets: Arc<Tickets>,
    pub wires: Arc<Wires>,
    pub archive: Arc<dyn Archive>,
    pub writer: JournalWriter,
    pub memory: Option<Memory>,
    pub gate: Arc<Gate>,
    pub tls: Option<Tls>,
    pub stop: CancellationToken,
    pub closing: CancellationToken,
    pub owners: Owners,
    pub hosted: BTreeMap<&'static str, Arc<dyn AnyHostedGame>>,
    pub halls: Vec<Box<dyn HallControl>>,
    pub doors: Vec<Arc<Door>>,
    /// Each hall says when it can be read.
    pub up: Vec<oneshot::Receiver<()>>,
    pub listeners: Vec<Listener>,
}

impl Opening {
    pub fn host<G: Playable>(&mut self) -> Result<()> {
        let changes = self.settings.changes(&GameOf::<G>::new());
        let options = overlay::<G>(&G::Options::default(), &changes).map_err(anyhow::Error::msg)?;
        let terms = G::terms(&options).map_err(|why| anyhow::anyhow!("{}: {why}", G::NAME))?;
        let metrics = self.metrics.of_game(G::NAME);
        let (handle, messages) = HallHandle::new();
        let door = Arc::new(Door::new(metrics.playing.clone()));
        self.doors.push(door.clone());
        let hosted = Arc::new(HostedGame {
            handle: handle.clone(),
            options,
            terms,
            node: self.node,
            limits: self.settings.limits.clone(),
            metrics,
            closing: self.closing.clone(),
            trace_folder: self.settings.trace.clone(),
            wires: self.wires.clone(),
            troubles: Arc::default(),
            directory: Arc::default(),
            door,
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
            Hosting { hall, outputs, hosted, messages, pending, thinkers, tenure: None, is_up };
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

    pub async fn listen(
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
            store::private::create(&place)
                .and_then(|mut file| file.write_all(address.to_string().as_bytes()))
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

/// A protocol that wants a port.
pub(crate) struct Listener {
    name: &'static str,
    try_it: &'static str,
    /// Starts accepting.
    open: Box<dyn FnOnce(TcpListener, HttpThreads) -> Future<'static> + Send>,
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
