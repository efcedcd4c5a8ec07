//! A server's settings. Everything has a default.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wire::{AnyGame, Games, HTTP_PORT};

use crate::doors::UpkeepOptions;
use crate::gate::{ForwardingHeader, Limits, Network, Proxies};
use crate::system;

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub bind: IpAddr,
    /// The folder for the journal and the admin token; `None`: memory only.
    pub data: Option<PathBuf>,
    /// Ports other than the usual ones, by name.
    pub ports: BTreeMap<String, Port>,
    pub limits: Limits,
    pub http: HttpOptions,
    pub network: NetworkOptions,
    pub upkeep: UpkeepOptions,
    pub names: NamesOptions,
    pub fleet: FleetOptions,
    /// Whether each game's best strategy fills empty seats, where its options do not say who does.
    pub house_bots: bool,
    /// Options other than the usual ones, by game.
    pub games: BTreeMap<String, Map<String, Value>>,
    /// A folder to write down in what goes over each connection.
    pub trace: Option<PathBuf>,
}

impl Settings {
    /// The options of a game that are not the usual ones.
    pub fn changes(&self, game: &'static dyn AnyGame) -> Map<String, Value> {
        let mut changes = self.games.get(game.name()).cloned().unwrap_or_default();
        let strategies = game.wires().swap_remove(0).strategies;
        if let Some(best) = strategies.last().filter(|_| self.house_bots) {
            changes.entry("house_bots").or_insert_with(|| vec![best.name].into());
        }
        changes
    }

    /// Every protocol that is to listen, with its port.
    pub fn listening(&self, games: &Games) -> Vec<(&'static str, u16)> {
        let port = |(name, usual)| match self.ports.get(name) {
            Some(Port::Off) => None,
            Some(Port::Number(port)) => Some((name, *port)),
            None => Some((name, usual)),
        };
        Settings::usual_ports(games).into_iter().filter_map(port).collect()
    }

    /// Every protocol with the port that it has where nothing else is said.
    pub fn usual_ports(games: &Games) -> Vec<(&'static str, u16)> {
        let own = games.iter().flat_map(|game| game.own_wires());
        own.map(|wire| (wire.port, wire.default_port)).chain([HTTP_PORT]).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    Off,
    /// 0 picks a free one.
    Number(u16),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpOptions {
    pub open_create: bool,
    pub read_origins: Vec<String>,
}

impl HttpOptions {
    pub const HELP: [(&'static str, &'static str); 2] = [
        (
            "open_create",
            "whether programs on this machine may create Sushi Go games without the admin token; \
             clients behind a proxy never may",
        ),
        (
            "read_origins",
            "other sites whose pages may read the public lists and feeds of this server, such as \
             [\"https://club.example.org\"]; [\"*\"] means any site",
        ),
    ];
}

impl Default for HttpOptions {
    fn default() -> HttpOptions {
        HttpOptions { open_create: true, read_origins: Vec::new() }
    }
}

/// Settings for names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NamesOptions {
    pub require_key: bool,
    pub expire_days: u64,
}

impl NamesOptions {
    pub const HELP: [(&'static str, &'static str); 2] = [
        (
            "require_key",
            "whether every player needs a key: that of a claimed name, or a tournament key",
        ),
        (
            "expire_days",
            "days after which a claimed name is released if no game was finished under it; 0 means \
             never",
        ),
    ];
}

impl Default for NamesOptions {
    fn default() -> NamesOptions {
        NamesOptions { require_key: false, expire_days: 30 }
    }
}

/// Which other servers this one shares its games with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetOptions {
    /// The PostgreSQL database that they share; none: this server is alone.
    pub database: Option<String>,
    /// This server's name in the fleet; `None`: the machine's name.
    pub node: Option<String>,
    /// The address at which the others reach it, as HOST:PORT.
    pub advertise: Option<String>,
    /// Silence after which a server counts as gone.
    pub lease_ms: u64,
}

impl FleetOptions {
    pub fn name(&self) -> String {
        self.node.clone().or_else(system::machine_name).unwrap_or_else(|| "node".to_owned())
    }
}

impl Default for FleetOptions {
    fn default() -> FleetOptions {
        FleetOptions { database: None, node: None, advertise: None, lease_ms: 5000 }
    }
}

/// What is between this server and its clients.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkOptions {
    pub public_hosts: Vec<String>,
    pub proxies: Vec<Network>,
    pub forwarding_header: ForwardingHeader,
    pub proxy_protocol: Vec<String>,
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    pub tls_ports: BTreeMap<String, u16>,
}

impl NetworkOptions {
    pub const HELP: [(&'static str, &'static str); 7] = [
        (
            "public_hosts",
            "host names under which browsers reach this server, such as [\"games.example.org\"]; IP \
             addresses and localhost always work",
        ),
        (
            "proxies",
            "addresses of the proxies in front of this server, such as [\"127.0.0.1\"] or \
             [\"10.0.0.0/8\"]; forwarded client addresses are accepted from these only",
        ),
        (
            "forwarding_header",
            "the HTTP header in which these proxies write the client's address: \
             \"x-forwarded-for\" or \"forwarded\"",
        ),
        (
            "proxy_protocol",
            "names of the ports on which these proxies must send a PROXY protocol header (version \
             2) first, such as [\"sushi-go\"]",
        ),
        (
            "tls_cert",
            "file with the TLS certificate and its chain, in PEM form; the server reads it again when \
             it changes",
        ),
        ("tls_key", "file with the certificate's private key, in PEM form"),
        (
            "tls_ports",
            "additional ports that use TLS, such as { http = 7843, sushi-go = \
             7844 }; 0 means any free port",
        ),
    ];

    pub fn proxies(&self) -> Proxies {
        Proxies { named: self.proxies.clone(), header: self.forwarding_header }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            data: Some("./parlor-data".into()),
            ports: BTreeMap::new(),
            limits: Limits::default(),
            http: HttpOptions::default(),
            network: NetworkOptions::default(),
            upkeep: UpkeepOptions::default(),
            names: NamesOptions::default(),
            fleet: FleetOptions::default(),
            house_bots: false,
            games: BTreeMap::new(),
            trace: None,
        }
    }
}
