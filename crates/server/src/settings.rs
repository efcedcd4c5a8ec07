//! What a server is started with. Everything has a default.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wire::{AnyGame, Games, HTTP_PORT};

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub bind: IpAddr,
    /// Where the journal and the admin token are kept; none: in memory alone.
    pub data: Option<PathBuf>,
    /// Ports other than the usual ones, by name.
    pub ports: BTreeMap<String, Port>,
    pub limits: Limits,
    pub http: HttpOptions,
    /// Whether each game's best strategy fills empty seats, where its options do not say who does.
    pub house_bots: bool,
    /// Options other than the usual ones, by game.
    pub games: BTreeMap<String, Map<String, Value>>,
    /// A folder to write down in what goes over each connection.
    pub trace: Option<PathBuf>,
}

impl Settings {
    /// The options of a game that are not the usual ones.
    pub fn changes(&self, game: &dyn AnyGame) -> Map<String, Value> {
        let mut changes = self.games.get(game.name()).cloned().unwrap_or_default();
        let strategies = game.wires().swap_remove(0).strategies;
        if let Some((best, _)) = strategies.last().filter(|_| self.house_bots) {
            changes.entry("house_bots").or_insert_with(|| vec![*best].into());
        }
        changes
    }

    /// Every protocol that is to listen, with its port.
    pub fn listening(&self, games: &Games) -> Vec<(&'static str, u16)> {
        let own = games.iter().flat_map(|game| game.wires()).filter(|wire| !wire.is_house());
        let usual = own.map(|wire| (wire.port, wire.default_port)).chain([HTTP_PORT]);
        let port = |(name, usual)| match self.ports.get(name) {
            Some(Port::Off) => None,
            Some(Port::Number(port)) => Some((name, *port)),
            None => Some((name, usual)),
        };
        usual.filter_map(port).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    Off,
    /// 0 picks a free one.
    Number(u16),
}

/// What one client, or all of them, may take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    pub messages_per_s: u32,
    pub connections_per_address: usize,
    pub exempt_loopback: bool,
    pub connections: usize,
    pub tables: usize,
    pub outbound_bytes: usize,
    pub first_message_ms: u64,
    pub ping_ms: u64,
}

impl Limits {
    pub const HELP: [(&'static str, &'static str); 8] = [
        (
            "messages_per_s",
            "messages a second from one connection; above it the server stops reading for a while",
        ),
        ("connections_per_address", "connections from one address"),
        ("exempt_loopback", "whether addresses of this machine may have any number"),
        ("connections", "connections in all"),
        ("tables", "tables of one game that are not over"),
        (
            "outbound_bytes",
            "bytes waiting for a client that does not read; above it the connection is closed",
        ),
        (
            "first_message_ms",
            "milliseconds a new connection may stay silent, unless its protocol allows less; 0 means no limit",
        ),
        (
            "ping_ms",
            "milliseconds of silence until a WebSocket client is pinged; it is closed when it \
             leaves two pings in a row unanswered. 0 means never",
        ),
    ];
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            messages_per_s: 20_000,
            connections_per_address: 256,
            exempt_loopback: true,
            connections: 15_000,
            tables: 10_000,
            outbound_bytes: 1 << 20,
            first_message_ms: 60_000,
            ping_ms: 20_000,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpOptions {
    pub open_create: bool,
}

impl HttpOptions {
    pub const HELP: [(&'static str, &'static str); 1] = [(
        "open_create",
        "whether clients on this machine may create Sushi Go games without the admin token",
    )];
}

impl Default for HttpOptions {
    fn default() -> HttpOptions {
        HttpOptions { open_create: true }
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
            house_bots: false,
            games: BTreeMap::new(),
            trace: None,
        }
    }
}
