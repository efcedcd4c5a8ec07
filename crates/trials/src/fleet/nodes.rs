//! Nodes of a fleet, as processes. Each has its own cable to the database and one through which the
//! others reach it. With a network, each is on a machine of its own.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use wire::{AnyDialect, Games};

use super::cable::Cable;
use super::cluster::Cluster;
use super::databases::Doubt;
use super::network::{Machine, Network};
use crate::child::ChildServer;
use crate::ports::quiet;

/// The lease: short, so that much happens.
pub const LEASE: Duration = Duration::from_secs(1);

/// How long starting a node is retried during faults.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time in which a new node must have joined completely.
const SETTLES: Duration = Duration::from_secs(15);

/// One node, alive or not.
#[derive(Debug)]
pub struct Node {
    pub name: String,
    arguments: Vec<String>,
    log: std::path::PathBuf,
    folder: std::path::PathBuf,
    server: Mutex<Option<ChildServer>>,
    /// By which others reach it.
    pub links: Cable,
    /// By which it reaches the database.
    pub database: Cable,
    machine: Option<Machine>,
    /// Whether players stay away from it, and how often its players were made to leave.
    is_avoided: AtomicBool,
    departures: AtomicU64,
}

impl Node {
    /// The number-th node, which is not started yet.
    pub fn new(
        games: &Games,
        cluster: &Cluster,
        folder: &Path,
        number: u8,
        network: Option<&Arc<Network>>,
    ) -> Result<Node> {
        let hosts = folder.join("hosts");
        let machine = network.map(|network| Machine::new(network.clone(), number, &hosts));
        let here = network.map_or(Ipv4Addr::LOCALHOST, |network| network.own());
        let database = Cable::new((here, 0).into(), cluster.address)?;
        // It listens on one address, and tells the others that it is reached at another.
        let own = (machine.as_ref().map_or(here, Machine::own), quiet(1));
        let links = match &machine {
            None => Cable::new(([127, 0, 1, number], own.1).into(), own.into())?,
            Some(machine) => machine.with_both_doors(|| cable_at(machine.doors(), own.into()))?,
        };
        if let Some(machine) = &machine {
            machine.switch_on()?;
        }
        let by = match &machine {
            None => links.address.to_string(),
            Some(machine) => format!("{}:{}", machine.name(), own.1),
        };
        let name = format!("node{number}");
        let data = folder.join(&name);
        let mut arguments = vec!["serve".to_owned()];
        let url = cluster.url(database.address);
        let config = folder.join("parlor.toml");
        std::fs::write(&config, format!("lease_ms = {}\n", LEASE.as_millis()))?;
        let (shown, config) = (data.display().to_string(), config.display().to_string());
        let bind = own.0.to_string();
        let flags = [
            ("--data", shown.as_str()),
            ("--database", &url),
            ("--node", &name),
            ("--config", &config),
            ("--bind", &bind),
            ("--advertise", &by),
        ];
        for (flag, value) in flags {
            arguments.extend([flag.to_owned(), value.to_owned()]);
        }
        for name in games.ports() {
            arguments.extend(["--port".to_owned(), format!("{name}=0")]);
        }
        for set in settings(games) {
            arguments.extend(["--set".to_owned(), set]);
        }
        let log = folder.join(format!("{name}.log"));
        Ok(Node {
            name,
            arguments,
            log,
            folder: data,
            server: Mutex::default(),
            links,
            database,
            machine,
            is_avoided: AtomicBool::new(false),
            departures: AtomicU64::new(0),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Option<ChildServer>> {
        self.server.lock().expect("no holder of this lock panics")
    }

    /// Starts it; the database may be away for a while.
    pub fn start(&self) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let log = OpenOptions::new().create(true).append(true).open(&self.log)?;
            let by = self.machine.as_ref().map_or_else(Vec::new, Machine::on_it);
            match ChildServer::start_by(&by, &self.arguments, log) {
                Ok(server) => {
                    *self.lock() = Some(server);
                    return Ok(());
                }
                Err(error) if Instant::now() > deadline => {
                    let said = self.last_words();
                    return Err(error.context(format!("{} does not start: {said}", self.name)));
                }
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// `kill -9`, if it is alive.
    pub fn kill(&self) {
        drop(self.lock().take());
    }

    /// Switches its machine off without a warning.
    pub fn lose_power(&self) -> Result<()> {
        let machine = self.machine.as_ref().context("it has no machine of its own")?;
        machine.cut_off()?;
        self.kill();
        machine.forget()?;
        self.departures.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Switches its machine on again, at the other address if it has moved, and starts it.
    pub fn boot(&self, has_moved: bool) -> Result<()> {
        let machine = self.machine.as_ref().context("it has no machine of its own")?;
        if has_moved {
            machine.change_address();
        }
        machine.switch_on()?;
        // A machine that has started again refuses connections that it doesn't know.
        self.links.cut();
        self.database.cut();
        self.start()
    }

    /// Makes its players leave and stay away, or lets them return.
    pub fn avoid(&self, is_avoided: bool) {
        self.is_avoided.store(is_avoided, Ordering::Relaxed);
        if is_avoided {
            self.departures.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Grows when those who are connected to it should leave.
    pub fn departures(&self) -> u64 {
        self.departures.load(Ordering::Relaxed)
    }

    pub fn signal(&self, name: &str) -> Result<()> {
        self.lock().as_ref().map_or(Ok(()), |server| server.signal(name))
    }

    /// Ends it as an operator would.
    pub fn terminate(&self) -> Result<()> {
        let server = self.lock().take();
        let Some(ended) = server.map(ChildServer::terminate).transpose()? else { return Ok(()) };
        if !ended.success() {
            bail!("{} ended with {ended}: {}", self.name, self.last_words());
        }
        Ok(())
    }

    /// Waits until it hosts or is linked to every game, with a limit: something else may be wrong.
    pub fn settle(&self) {
        let deadline = Instant::now() + SETTLES;
        while !self.is_settled().unwrap_or(false) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn is_settled(&self) -> Option<bool> {
        let said = self.sight()?;
        let mut games = said["games"].as_array()?.iter();
        Some(games.all(|game| {
            let is_linked = game["links"].as_u64().is_some_and(|links| links > 0);
            game["node"].as_str().is_some_and(|host| host == self.name || is_linked)
        }))
    }

    /// The games that it hosts, as far as it knows.
    pub fn hosted(&self) -> Vec<String> {
        let said = self.sight().unwrap_or_default();
        let games = said["games"].as_array().into_iter().flatten();
        let own = games.filter(|game| game["node"].as_str() == Some(&self.name));
        own.filter_map(|game| Some(game["game"].as_str()?.to_owned())).collect()
    }

    /// How much the journals of its games keep for other nodes.
    pub fn journal_bytes(&self) -> u64 {
        let said = self.sight().unwrap_or_default();
        let games = said["games"].as_array().into_iter().flatten();
        games.filter_map(|game| game["journal_bytes"].as_u64()).max().unwrap_or(0)
    }

    /// Its report about the fleet.
    fn sight(&self) -> Option<Value> {
        let url = format!("http://{}/api/v1/fleet", self.addresses()?.get("http")?);
        let config = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(1)));
        let agent = ureq::Agent::new_with_config(config.build());
        agent.get(&url).call().ok()?.body_mut().read_json().ok()
    }

    /// Its addresses, by port name; `None` if it isn't running.
    pub fn addresses(&self) -> Option<BTreeMap<String, String>> {
        self.lock().as_ref().map(|server| server.addresses.clone())
    }

    /// The address of one of its protocols, unless players stay away.
    pub fn address(&self, wire: &AnyDialect) -> Option<String> {
        if self.is_avoided.load(Ordering::Relaxed) {
            return None;
        }
        Some(format!("{}{}", self.addresses()?.get(wire.port)?, wire.path))
    }

    pub fn admin_token(&self) -> Result<String> {
        let path = self.folder.join("admin-token");
        let token = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(token.trim().to_owned())
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn last_words(&self) -> String {
        self.log().lines().last().unwrap_or_default().to_owned()
    }
}

/// The way to a node, from two addresses.
fn cable_at(doors: [Ipv4Addr; 2], own: SocketAddr) -> Result<Cable> {
    let [first, second] = doors.map(|door| SocketAddr::new(door.into(), own.port()));
    let cable = Cable::new(first, own)?;
    cable.also_at(second)?;
    Ok(cable)
}

/// Settings for every game: clocks long enough for reconnecting players, and house bots for empty
/// seats.
fn settings(games: &Games) -> Vec<String> {
    let mut settings = vec!["limits.open_games_per_min=0".to_owned()];
    for game in games.iter() {
        let strategy = game.wires()[0].strategies[0].name;
        let bots = format!("house_bots=['{strategy}']");
        let long = ["turn_timeout_ms=20000", "house_bots_after_ms=500", "waiting_expire_s=20"];
        let windows = ["reconnect_window_s=20", "ping_timeout_s=30", "abandon_after_s=20"];
        let is_long = |set: &&str| {
            let key = set.split('=').next().unwrap_or_default();
            !windows.iter().chain(&long).any(|long| long.split('=').next() == Some(key))
        };
        let known = game.option_help();
        let has = |set: &&str| known.iter().any(|(key, _)| set.starts_with(&format!("{key}=")));
        let hurried = game.trial().hurried.iter().copied().filter(is_long);
        let windows = windows.iter().copied().filter(has);
        for set in long.into_iter().chain(windows).chain(hurried).chain([&*bots]) {
            settings.push(format!("{}.{set}", game.name()));
        }
    }
    settings
}

/// All nodes, and whether what they say now may be undone.
#[derive(Debug)]
pub struct Fleet {
    nodes: Vec<Node>,
    pub doubt: Doubt,
}

impl Fleet {
    pub fn new(nodes: Vec<Node>) -> Fleet {
        Fleet { nodes, doubt: Doubt::default() }
    }
}

impl Deref for Fleet {
    type Target = [Node];

    fn deref(&self) -> &[Node] {
        &self.nodes
    }
}

pub type Nodes = Arc<Fleet>;
