//! `parlor connect`: bots of this machine at a server elsewhere. Listens on the games' own ports here
//! and carries each connection there over a WebSocket, with the key.

mod bridge;
mod server;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use wire::{AnyDialect, Games};

use crate::cli::{ConnectArgs, read_key};
use crate::terminal::{Unreadable, output, unless_interrupted};

use bridge::Bridge;
pub use server::Server;

pub fn run(games: &Games, args: &ConnectArgs) -> Result<()> {
    let wires = wires(games, args)?;
    let key = read_key(args.key.as_deref(), args.key_file.as_deref())?;
    let server = Arc::new(Server::read(&args.server, key, args.ca.as_deref())?);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(unless_interrupted(listen(args, wires, server)))
}

/// The protocols to listen for, each with its port here.
fn wires(games: &Games, args: &ConnectArgs) -> Result<Vec<(AnyDialect, u16)>> {
    let mut ports = BTreeMap::new();
    for port in &args.port {
        let read = port.split_once('=').and_then(|(name, number)| match number {
            "off" => Some((name, None)),
            number => Some((name, Some(number.parse::<u16>().ok()?))),
        });
        let wrong = || Unreadable(format!("--port {port}: write NAME=PORT, as in sushi-go=9000"));
        let (name, number) = read.ok_or_else(wrong)?;
        if !games.ports().contains(&name) {
            let known = games.ports().join(", ");
            return Err(Unreadable(format!("--port {port}: there are {known}")).into());
        }
        ports.insert(name, number);
    }
    for game in &args.game {
        games.find(game).map_err(Unreadable)?;
    }
    let wanted = |wire: &AnyDialect| {
        !wire.is_house() && (args.game.is_empty() || args.game.iter().any(|game| wire.game == game))
    };
    let wires = games.iter().flat_map(|game| game.wires()).filter(wanted);
    Ok(wires
        .filter_map(|wire| {
            let port = ports.get(wire.port).copied().unwrap_or(Some(wire.default_port))?;
            Some((wire, port))
        })
        .collect())
}

/// Carries whatever connects here to the server, until nothing can any more.
async fn carry_all(bridge: Bridge, listener: TcpListener) {
    let bridge = Arc::new(bridge);
    let mut connections = JoinSet::new();
    while let Ok((bot, _)) = listener.accept().await {
        connections.spawn(bridge.clone().carry(bot));
        while connections.try_join_next().is_some() {}
    }
}

/// A separate way for one client of this process: where it is to connect, and what carries it from
/// there to the server while it is awaited.
pub async fn way(
    wire: AnyDialect,
    server: Server,
) -> Result<(SocketAddr, impl Future<Output = ()>)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let bridge = Bridge { wire, server: Arc::new(server), trace: false };
    Ok((address, carry_all(bridge, listener)))
}

async fn listen(
    args: &ConnectArgs,
    wires: Vec<(AnyDialect, u16)>,
    server: Arc<Server>,
) -> Result<()> {
    let mut tasks = JoinSet::new();
    for (wire, port) in wires {
        let listener = TcpListener::bind((args.bind, port)).await.with_context(|| {
            format!(
                "cannot listen on {}:{port} for {}; pass --port {}=PORT for another, or off",
                args.bind, wire.name, wire.port
            )
        })?;
        output::line(&format!("{} on {}", wire.name, listener.local_addr()?))?;
        let bridge = Bridge { wire, server: server.clone(), trace: args.trace };
        tasks.spawn(carry_all(bridge, listener));
    }
    let shown = if server.has_key() { "with a key" } else { "without a key" };
    output::line(&format!("ready: to {server}, {shown}"))?;
    while tasks.join_next().await.is_some() {}
    Err(anyhow!("there is no port to listen on"))
}
