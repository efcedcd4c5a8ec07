//! The rim: sockets, WebSocket, HTTP, metrics, and the only clock. It decides nothing.
//!
//! The life of a move:
//!
//! 1. `tcp` or `websocket` reads bytes and cuts them into messages;
//! 2. the `caller` lets its session hear one, and the session asks the hall something;
//! 3. `hosting` hands the command to the hall, in the one task that owns it;
//! 4. what the hall records is made durable;
//! 5. answers and events go to each connection's mailbox, one piece a batch;
//! 6. the session turns them into text, and all of it leaves in one write.

mod caller;
mod clock;
mod hosting;
mod http;
mod listen;
mod metrics;
mod room;
mod settings;
mod tcp;
mod trace;
mod websocket;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result};
use games::roster::{self, Visitor};
use hall::Hall;
use rules::{Dice, Seed};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wire::{Dialect, Framing, Playable, overlay};

use hosting::{Door, Knock};
use http::{AdminToken, House};
use listen::Gate;
use metrics::Metrics;
use room::{AnyRoom, Room};

pub use settings::{HttpOptions, Limits, Port, Settings};

/// A server that listens.
pub struct Server {
    /// Where each protocol listens, by port name.
    pub addresses: BTreeMap<String, SocketAddr>,
    /// A line to try for each, with its place filled in.
    pub hints: BTreeMap<String, String>,
    pub admin_token: String,
    halls: Vec<Box<dyn HallControl>>,
    /// Cancelled to stop accepting.
    stop: CancellationToken,
    /// Cancelled to end connections.
    closing: CancellationToken,
    tasks: TaskTracker,
}

impl Server {
    /// Binds every port and starts every game.
    pub async fn start(settings: Settings) -> Result<Server> {
        let mut entropy = [0; 32];
        getrandom::fill(&mut entropy)
            .map_err(|e| anyhow::anyhow!("the system gives no random numbers: {e}"))?;
        let mut dice = Dice::new(&Seed(entropy), "server", 0);
        let fresh_token: String = dice.seed().to_string()[..32].to_owned();
        let admin = match &settings.data {
            None => AdminToken::new(&fresh_token),
            Some(data) => {
                std::fs::create_dir_all(data)
                    .with_context(|| format!("cannot create {}", data.display()))?;
                AdminToken::load(&data.join("admin-token"), &fresh_token)?
            }
        };
        let metrics = Metrics::new();
        let mut opening = Opening {
            gate: Gate::new(settings.limits.clone(), metrics.clone()),
            settings,
            dice,
            metrics: metrics.clone(),
            stop: CancellationToken::new(),
            closing: CancellationToken::new(),
            tasks: TaskTracker::new(),
            rooms: BTreeMap::new(),
            halls: Vec::new(),
            listeners: Vec::new(),
            failure: None,
        };
        roster::each(&mut opening);
        if let Some(failure) = opening.failure {
            return Err(failure);
        }
        let house = House {
            rooms: Arc::new(opening.rooms.clone()),
            metrics,
            admin: admin.clone(),
            options: opening.settings.http.clone(),
            closing: opening.stop.clone(),
        };
        opening.listen(http::router(house), admin).await
    }

    /// Stops accepting, lets the halls finish what they are doing, and ends every connection.
    pub async fn shutdown(self) {
        self.stop.cancel();
        for hall in &self.halls {
            hall.shutting_down().await;
        }
        self.closing.cancel();
        for hall in &self.halls {
            hall.stop().await;
        }
        self.tasks.close();
        self.tasks.wait().await;
    }
}

type Future<'a> = std::pin::Pin<Box<dyn std::future::Future<Output = ()> + Send + 'a>>;

/// A hall's task, whatever its game.
trait HallControl: Send + Sync {
    fn shutting_down(&self) -> Future<'_>;
    fn stop(&self) -> Future<'_>;
}

impl<G: Playable> HallControl for Door<G> {
    fn shutting_down(&self) -> Future<'_> {
        Box::pin(self.send(Knock::ShuttingDown))
    }

    fn stop(&self) -> Future<'_> {
        Box::pin(self.send(Knock::Stop))
    }
}

/// A protocol that wants a port.
struct Listener {
    name: &'static str,
    default_port: u16,
    try_it: &'static str,
    /// Starts accepting.
    open: Box<dyn FnOnce(TcpListener, axum::Router) + Send>,
}

/// A server on its way up.
struct Opening {
    settings: Settings,
    dice: Dice,
    metrics: Arc<Metrics>,
    gate: Arc<Gate>,
    stop: CancellationToken,
    closing: CancellationToken,
    tasks: TaskTracker,
    rooms: BTreeMap<&'static str, Arc<dyn AnyRoom>>,
    halls: Vec<Box<dyn HallControl>>,
    listeners: Vec<Listener>,
    failure: Option<anyhow::Error>,
}

impl Visitor for Opening {
    fn visit<G: Playable>(&mut self) {
        if let Err(failure) = self.host::<G>() {
            self.failure.get_or_insert(failure);
        }
    }
}

impl Opening {
    fn host<G: Playable>(&mut self) -> Result<()> {
        let changes = self.settings.games.get(G::NAME).cloned().unwrap_or_default();
        let options = overlay::<G>(&G::Options::default(), &changes).map_err(anyhow::Error::msg)?;
        let terms = G::terms(&options).map_err(|why| anyhow::anyhow!("{}: {why}", G::NAME))?;
        let hall =
            Hall::new(terms.clone(), G::bots(), self.settings.limits.tables, self.dice.seed());
        let metrics = self.metrics.of_game(G::NAME);
        let (door, knocks) = Door::new();
        self.tasks.spawn(hosting::drive(hall, knocks, metrics.clone()));
        let room = Arc::new(Room {
            door: door.clone(),
            options,
            terms,
            limits: self.settings.limits.clone(),
            metrics,
            closing: self.closing.clone(),
            trace_folder: self.settings.trace.clone(),
        });
        self.halls.push(Box::new(door));
        self.rooms.insert(G::NAME, room.clone());
        for dialect in G::dialects() {
            self.listeners.push(self.listener(room.clone(), dialect));
        }
        Ok(())
    }

    fn listener<G: Playable>(&self, room: Arc<Room<G>>, dialect: &'static Dialect<G>) -> Listener {
        let (gate, tasks, stop) = (self.gate.clone(), self.tasks.clone(), self.stop.clone());
        let open = move |listener, router: axum::Router| {
            let serve = move |socket| {
                let (room, router) = (room.clone(), router.clone());
                async move {
                    match dialect.framing {
                        Framing::Lines { .. } => tcp::serve(room, dialect, socket, router).await,
                        Framing::WebSocket { .. } => {
                            http::serve_stream(
                                Vec::new(),
                                socket,
                                http::play_anywhere(room, dialect.name),
                            )
                            .await;
                        }
                    }
                }
            };
            tasks.spawn(listen::accept(listener, gate, tasks.clone(), stop, serve));
        };
        let Dialect { name, default_port, try_it, .. } = *dialect;
        Listener { name, default_port, try_it, open: Box::new(open) }
    }

    fn http_listener(&self) -> Listener {
        let (gate, tasks, stop) = (self.gate.clone(), self.tasks.clone(), self.stop.clone());
        let closing = self.closing.clone();
        let open = move |listener, router: axum::Router| {
            let serve = move |socket| {
                let (router, closing) = (router.clone(), closing.clone());
                async move {
                    tokio::select! {
                        () = http::serve_stream(Vec::new(), socket, router) => {}
                        () = closing.cancelled() => {}
                    }
                }
            };
            tasks.spawn(listen::accept(listener, gate, tasks.clone(), stop, serve));
        };
        let (name, default_port) = HttpOptions::PORT;
        Listener {
            name,
            default_port,
            try_it: "curl http://{host}:{port}/api/v1/tables",
            open: Box::new(open),
        }
    }

    async fn listen(mut self, router: axum::Router, admin: AdminToken) -> Result<Server> {
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.push(self.http_listener());
        let mut bound = Vec::new();
        let mut addresses = BTreeMap::new();
        let mut hints = BTreeMap::new();
        for listener in listeners {
            let port = match self.settings.ports.get(listener.name) {
                Some(Port::Off) => continue,
                Some(Port::Number(port)) => *port,
                None => listener.default_port,
            };
            let address = SocketAddr::new(self.settings.bind, port);
            let socket = listen::bind(address).await.with_context(|| {
                format!(
                    "cannot listen on {address}; use --port {}=PORT for another port, 0 for any",
                    listener.name
                )
            })?;
            let address = socket.local_addr()?;
            let host = address.ip().to_string();
            let hint = listener
                .try_it
                .replace("{host}", &host)
                .replace("{port}", &address.port().to_string());
            addresses.insert(listener.name.to_owned(), address);
            hints.insert(listener.name.to_owned(), hint);
            bound.push((listener.open, socket));
        }
        // Nobody is served before everything listens.
        for (open, socket) in bound {
            open(socket, router.clone());
        }
        Ok(Server {
            addresses,
            hints,
            admin_token: admin.as_str().to_owned(),
            halls: self.halls,
            stop: self.stop,
            closing: self.closing,
            tasks: self.tasks,
        })
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}
