//! `parlor serve`.

pub mod lan;
mod qr;
mod screen;

use std::io::{IsTerminal, stderr, stdout};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context, Result};
use server::{Counts, Server, Settings};
use store::StoreError;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use wire::Games;

use crate::cli::Flags;
use crate::config;
use crate::system::DrainRequests;
use crate::terminal::{Advice, Unreadable, interrupt, output};

use screen::Screen;

pub fn run(roster: &Games, flags: &Flags) -> Result<()> {
    let settings = config::settings(roster, flags)?;
    let screen = Screen::default();
    start_logging(&screen)?;
    // More connections than usual need more descriptors than usual.
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    let ended = runtime.block_on(serve(roster, settings, &screen));
    // A task that still waits for a database must not keep the server from ending.
    runtime.shutdown_background();
    ended
}

/// `PARLOR_LOG` says what is logged: a level, or levels of parts, as in `warn,server=debug`.
fn start_logging(screen: &Screen) -> Result<()> {
    // Agents' requests are as unremarkable as all others.
    let usual = || "info,rmcp=warn".to_owned();
    let wanted = std::env::var("PARLOR_LOG").unwrap_or_else(|_| usual());
    let is_known = |part: &str| part.contains('=') || part.parse::<LevelFilter>().is_ok();
    let filter: Option<Targets> = wanted.parse().ok().filter(|_| wanted.split(',').all(is_known));
    let filter = filter.ok_or_else(|| {
        Unreadable(format!(
            "PARLOR_LOG={wanted}: use off, error, warn, info, debug or trace, or PART=LEVEL, \
             with commas between"
        ))
    })?;
    let logs = tracing_subscriber::registry().with(filter);
    let lines = tracing_subscriber::fmt::layer().with_writer(screen.clone());
    if stderr().is_terminal() {
        logs.with(lines.with_target(false)).init();
    } else {
        logs.with(lines.json()).init();
    }
    Ok(())
}

async fn serve(roster: &Games, settings: Settings, screen: &Screen) -> Result<()> {
    // Signals are caught before anything listens, so that none is lost.
    let mut interrupt = pin!(interrupt()?);
    let mut asked_to_drain = DrainRequests::new()?;
    let token_place = settings.data.as_ref().map(|data| data.join("admin-token"));
    // A server that waits for its database can be stopped, too.
    let started = tokio::select! {
        interrupt = &mut interrupt => {
            tracing::info!(why = interrupt.signal(), "stopped before it was ready");
            return Ok(());
        }
        started = Server::start(roster, settings) => started,
    };
    let mut server = started.map_err(|error| match error.downcast_ref() {
        Some(StoreError::InUse(_)) => {
            let advice = "Pass --data DIR for a second one, or --ephemeral.";
            error.context(Advice(advice.to_owned()))
        }
        _ => error,
    })?;
    if stdout().is_terminal() {
        output::line(&welcome(roster, &server, token_place.as_deref()))?;
    } else {
        let addresses: serde_json::Map<_, _> = server
            .addresses
            .iter()
            .map(|(name, address)| (name.clone(), address.to_string().into()))
            .collect();
        output::line(&format!("ready {}", serde_json::Value::Object(addresses)))?;
    }
    match &token_place {
        _ if stdout().is_terminal() => {}
        Some(place) => {
            tracing::info!(place = %place.display(), "the admin token is kept in this file");
        }
        // Logs are kept, and read by others.
        None if stderr().is_terminal() => {
            output::note(&format!("The admin token of this run is {}.", server.admin_token));
        }
        None => tracing::info!(
            "the admin token of this run is shown on a terminal only; start the server with --data \
             to have it in a file"
        ),
    }
    let mut glances = tokio::time::interval(Duration::from_secs(1));
    let mut drained = pin!(server.drained());
    let why = loop {
        tokio::select! {
            interrupt = &mut interrupt => break interrupt.signal(),
            () = asked_to_drain.next() => server.drain().await,
            () = &mut drained => break "drained",
            // Nothing is said from here on: what is not in the journal has not happened.
            failure = server.failed() => {
                screen.show("");
                return Err(failure);
            }
            _ = glances.tick(), if Screen::is_watched() => screen.show(&status(server.counts())),
        }
    };
    screen.show("");
    tracing::info!(why, "shutting down");
    server.shutdown().await?;
    tracing::info!("bye");
    Ok(())
}

/// One line, short enough for any terminal.
fn status(counts: Counts) -> String {
    let Counts { connections, tables, games_finished } = counts;
    format!(
        "{}, {}, {} finished",
        output::count(connections, "connection"),
        output::count(tables, "open table"),
        output::count(games_finished, "game")
    )
}

/// What listens where, and a line to try.
fn welcome(games: &Games, server: &Server, token_place: Option<&std::path::Path>) -> String {
    let page = page(server);
    let opening = page.as_ref().map(|page| format!(" Open {page} in a browser."));
    let mut text = format!("Parlor is open.{}\n\n", opening.unwrap_or_default());
    for (name, address) in &server.addresses {
        text += &format!("  {name:<18}{address:<22}{}\n", server.hints[name]);
    }
    text += "\n";
    if let Some(page) = page {
        text += &format!("Starter bots: {page}/starters. Documentation: {page}/docs.\n");
    }
    if let Some(text_for_others) = from_elsewhere(games, server) {
        text += &text_for_others;
    }
    if let Some(address) = page_elsewhere(server) {
        text += &format!("Phones and other machines on this network open {address}");
        text += &qr::picture(&address).map_or("\n".to_owned(), |picture| format!("\n{picture}\n"));
        text += "\n";
    }
    text += &match token_place {
        Some(place) => format!("The admin token is in {}.", place.display()),
        None => format!("The admin token of this run is {}.", server.admin_token),
    };
    text + " Ctrl-C ends it."
}

/// Where a browser finds it.
fn page(server: &Server) -> Option<String> {
    let address = server.addresses.get("http")?;
    let host = match address.ip() {
        ip if ip.is_unspecified() => "127.0.0.1".to_owned(),
        ip if ip.is_ipv6() => format!("[{ip}]"),
        ip => ip.to_string(),
    };
    Some(format!("http://{host}:{}", address.port()))
}

/// Where other machines find it, if they can reach it.
fn ip_elsewhere(address: &SocketAddr) -> Option<IpAddr> {
    match address.ip() {
        ip if ip.is_loopback() => None,
        ip if ip.is_unspecified() => lan::address(),
        ip => Some(ip),
    }
}

/// Where browsers on other machines find it, if they can reach it.
fn page_elsewhere(server: &Server) -> Option<String> {
    let address = server.addresses.get("http")?;
    let place = SocketAddr::new(ip_elsewhere(address)?, address.port());
    Some(format!("http://{place}/"))
}

/// How to connect from another machine, unless only this one can.
fn from_elsewhere(games: &Games, server: &Server) -> Option<String> {
    let is_game = |name: &str| games.find(name).is_ok();
    let (name, address) = server.addresses.iter().find(|(name, _)| is_game(name))?;
    if address.ip().is_loopback() {
        return None;
    }
    let Some(ip) = ip_elsewhere(address) else {
        return Some(
            "From another machine, put this one's address in place of 127.0.0.1 ('ip addr' shows \
             it).\n"
                .to_owned(),
        );
    };
    let place = SocketAddr::new(ip, address.port());
    let example = format!("parlor bot {name} --connect {place}");
    Some(format!("From another machine on this network the host is {ip}, such as\n  {example}\n\n"))
}
