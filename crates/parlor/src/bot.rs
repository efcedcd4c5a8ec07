//! `parlor bot`: a house strategy as a client of any server of the game.

use std::io::IsTerminal;
use std::time::Instant;

use anyhow::{Result, anyhow};
use rules::{Dice, Seed};
use tokio::task::JoinSet;
use wire::{AnyDialect, Client, Ending, Games};

use crate::bots::{Errand, News};
use crate::cli::{BotArgs, read_key};
use crate::connect;
use crate::terminal::{Unreadable, output, unless_interrupted};

pub fn run(games: &Games, args: &BotArgs) -> Result<()> {
    let wire = games.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
    let strategy = args.strategy.as_deref().unwrap_or(wire.strategies[0].name);
    let seed = match args.seed {
        Some(number) => Seed::from_number(number),
        None => entropy()?,
    };
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| format!("{strategy}{}", Dice::new(&seed, "name", 0).below(1000)));
    if !(wire.is_name)(&name) {
        let why = format!("'{name}' cannot be a player's name in {}: {}", wire.game, wire.names);
        return Err(Unreadable(why).into());
    }
    let client = wire.client(strategy, &name, seed).map_err(Unreadable)?;
    let key = read_key(args.key.key.as_deref(), args.key.key_file.as_deref())?;
    let is_url = |address: &String| address.contains("://");
    if args.connect.iter().any(is_url) {
        if let Some(port) = args.connect.iter().find(|address| !is_url(address)) {
            let why = format!("--connect {port}: write http:// before it, as for the others");
            return Err(Unreadable(why).into());
        }
        let read = |url: &String| {
            let wire = games.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?;
            Ok((wire, connect::Server::read(url, key.clone(), args.ca.as_deref())?))
        };
        let servers = args.connect.iter().map(read).collect::<Result<_>>()?;
        return play(args, wire, &name, client, Place::Behind(servers));
    }
    if key.is_some() {
        let why = "a key needs the address of the server's pages: pass it with --connect, as in \
                   http://127.0.0.1:7800";
        return Err(Unreadable(why.to_owned()).into());
    }
    let port = wire.default_port;
    let mut addresses = args.connect.clone();
    if addresses.is_empty() {
        addresses.push(format!("127.0.0.1:{port}"));
    }
    if let Some(address) = addresses.iter().find(|address| !address.contains(':')) {
        let why = format!("--connect {address}: write HOST:PORT, as in {address}:{port}");
        return Err(Unreadable(why).into());
    }
    play(args, wire, &name, client, Place::Ports(addresses))
}

/// Where the game is played.
enum Place {
    /// At the protocol's own port of any of these servers.
    Ports(Vec<String>),
    /// Over the port of their pages.
    Behind(Vec<(AnyDialect, connect::Server)>),
}

fn play(
    args: &BotArgs,
    wire: AnyDialect,
    name: &str,
    client: Box<dyn Client>,
    place: Place,
) -> Result<()> {
    let begin = Instant::now();
    let report = |news: News<'_>| report(begin, args.trace, name, news);
    let (framing, path) = (wire.framing, wire.path);
    let errand = |addresses: Vec<String>| {
        let (games, table) = (args.games, args.table.clone());
        let addresses = addresses.into_iter().map(|address| address + &path).collect();
        Errand { addresses, framing, games, table, comes_back: true }
    };
    tokio::runtime::Runtime::new()?.block_on(unless_interrupted(async {
        match place {
            Place::Ports(addresses) => errand(addresses).run(client, report).await,
            Place::Behind(servers) => {
                let (mut here, mut ways) = (Vec::new(), JoinSet::new());
                for (wire, server) in servers {
                    let (address, carried) = connect::way(wire, server).await?;
                    here.push(address.to_string());
                    ways.spawn(carried);
                }
                let errand = errand(here);
                tokio::select! {
                    played = errand.run(client, report) => played,
                    _ = ways.join_next() => Err(anyhow!("the connection to the server is lost")),
                }
            }
        }
    }))
}

/// A random seed.
pub fn entropy() -> Result<Seed> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| anyhow!("the system gives no random numbers: {e}"))?;
    Ok(Seed(bytes))
}

/// Prints progress: the results on standard output, everything else on standard error.
fn report(begin: Instant, trace: bool, name: &str, news: News<'_>) -> Result<()> {
    let seconds = begin.elapsed().as_secs_f64();
    let mark = |mark: &str, text: &str| {
        let (on, off) =
            if std::io::stderr().is_terminal() { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        output::remark(&format!("{on}{seconds:>9.3} {mark}{off}"), text);
    };
    match news {
        News::Sent(text) if trace => mark(">", text),
        News::Received(text) if trace => mark("<", text),
        News::Connected if trace => mark("-", "connected"),
        News::Sent(_) | News::Received(_) | News::Connected => {}
        News::Lost(why) => mark("!", &format!("the connection was lost: {why}; trying again")),
        News::Quiet(None) => mark("-", "connected; waiting for the server"),
        News::Quiet(Some(words)) => mark("-", &format!("waiting; the server's last: {words}")),
        News::Refused(text) => mark("!", &format!("{name} was refused: {text}")),
        News::Over(number, ending) => {
            return output::line(&format!("game {number}: {}", describe(ending)));
        }
    }
    Ok(())
}

fn describe(ending: &Ending) -> String {
    let mut text = match ending.won {
        Some(true) => "won",
        Some(false) => "lost",
        None => "no result",
    }
    .to_owned();
    if let Some(points) = ending.points {
        text += &format!(", {}", output::count(points, "point"));
    }
    text + &format!(" ({})", ending.words)
}
