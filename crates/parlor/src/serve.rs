//! `parlor serve`.

use std::io::{IsTerminal, stderr, stdout};

use anyhow::{Context, Result};
use server::{Server, Settings};
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use crate::cli::Flags;
use crate::{config, output};

pub fn run(flags: &Flags) -> Result<()> {
    let settings = config::settings(flags)?;
    start_logging();
    // More connections than usual need more descriptors than usual.
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(serve(settings))
}

fn start_logging() {
    let filter = EnvFilter::try_from_env("PARLOR_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    if stderr().is_terminal() {
        logs.with_target(false).init();
    } else {
        logs.json().init();
    }
}

async fn serve(settings: Settings) -> Result<()> {
    // Signals are caught before anything listens, so that none is lost.
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let token_place = settings.data.as_ref().map(|data| data.join("admin-token"));
    let mut server = Server::start(settings).await?;
    if stdout().is_terminal() {
        output::line(&welcome(&server, token_place.as_deref()))?;
    } else {
        let addresses: serde_json::Map<_, _> = server
            .addresses
            .iter()
            .map(|(name, address)| (name.clone(), address.to_string().into()))
            .collect();
        output::line(&format!("ready {}", serde_json::Value::Object(addresses)))?;
    }
    match &token_place {
        Some(place) => {
            tracing::info!(place = %place.display(), "the admin token is kept in this file");
        }
        None => tracing::info!(token = server.admin_token, "the admin token of this run"),
    }
    let name = tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = interrupt.recv() => "SIGINT",
        // Nothing is said from here on: what is not in the journal has not happened.
        failure = server.failed() => return Err(failure),
    };
    tracing::info!(signal = name, "shutting down");
    server.shutdown().await?;
    tracing::info!("bye");
    Ok(())
}

/// What listens where, and a line to try.
fn welcome(server: &Server, token_place: Option<&std::path::Path>) -> String {
    let mut text = String::from("Parlor is open.\n\n");
    for (name, address) in &server.addresses {
        text += &format!("  {name:<18}{address:<22}{}\n", server.hints[name]);
    }
    text += "\n";
    text += &match token_place {
        Some(place) => format!("The admin token is in {}.", place.display()),
        None => format!("The admin token of this run is {}.", server.admin_token),
    };
    text + " Ctrl-C ends it."
}
