//! `parlor self-check`: what would keep a server with these settings from working on this machine.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde_json::json;
use server::{Settings, free_bytes, room_for_connections, utc};
use store::folder::Folder;
use wire::Games;

use crate::cli::SelfCheckArgs;
use crate::config;
use crate::serve::lan;
use crate::system::firewall;
use crate::terminal::output;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Ok,
    Warning,
    Fails,
}

/// What was found out about one thing.
#[derive(Debug)]
struct Finding {
    about: String,
    verdict: Verdict,
    text: String,
}

pub fn run(games: &Games, args: &SelfCheckArgs) -> Result<ExitCode> {
    let settings = config::settings(games, &args.flags)?;
    let findings = findings(games, &settings);
    for Finding { about, verdict, text } in &findings {
        let word = match verdict {
            Verdict::Ok => "ok",
            Verdict::Warning => "warning",
            Verdict::Fails => "FAILS",
        };
        output::line(&match args.json {
            true => {
                json!({"about": about, "verdict": word.to_lowercase(), "text": text}).to_string()
            }
            false => format!("{word:<8} {about:<18} {text}"),
        })?;
    }
    let fails = findings.iter().any(|finding| finding.verdict == Verdict::Fails);
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn findings(games: &Games, settings: &Settings) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |about: &str, (verdict, text): (Verdict, String)| {
        findings.push(Finding { about: about.to_owned(), verdict, text });
    };
    add("version", (Verdict::Ok, crate::cli::VERSION.to_owned()));
    for (name, port) in settings.listening(games) {
        add(&format!("port {name}"), try_port(settings.bind, name, port));
    }
    add(
        "data",
        match &settings.data {
            Some(data) => look_at_data(data),
            None => (
                Verdict::Ok,
                "everything is kept in memory and lost when the server stops".to_owned(),
            ),
        },
    );
    if let Some(data) = &settings.data {
        add("disk", look_at_disk(data, settings.upkeep.free_disk_mb));
    }
    add("open files", look_at_files(settings));
    add("clock", look_at_clock(SystemTime::now(), written()));
    if !settings.bind.is_loopback() {
        add("network", look_at_network(settings.bind));
        add("firewall", (Verdict::Warning, firewall()));
    }
    findings
}

fn try_port(bind: IpAddr, name: &str, port: u16) -> (Verdict, String) {
    let place = SocketAddr::new(bind, port);
    match TcpListener::bind(place) {
        Ok(_) if port == 0 => (Verdict::Ok, "any free port".to_owned()),
        Ok(_) => (Verdict::Ok, format!("{place} is free")),
        Err(error) => (
            Verdict::Fails,
            format!(
                "{place} cannot be used: {error}. Stop the program that uses it, or choose another with \
                 --port {name}=PORT"
            ),
        ),
    }
}

/// The nearest folder that is there already, on the way up from one that may not be.
fn present(data: &Path) -> &Path {
    let there = data.ancestors().find(|folder| folder.is_dir());
    there.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn look_at_data(data: &Path) -> (Verdict, String) {
    let shown = data.display();
    if Folder::is_taken(data) {
        let text = format!("{shown} is used by a running server. Choose another with --data DIR");
        return (Verdict::Fails, text);
    }
    match tempfile::tempfile_in(present(data)) {
        Ok(_) => (Verdict::Ok, format!("{shown} can be written")),
        Err(error) => {
            let text =
                format!("{shown} cannot be written: {error}. Choose another with --data DIR");
            (Verdict::Fails, text)
        }
    }
}

const MEGABYTE: u64 = 1_000_000;

fn look_at_disk(data: &Path, margin_mb: u64) -> (Verdict, String) {
    match free_bytes(present(data)).map(|free| free / MEGABYTE) {
        None => (Verdict::Warning, "the system does not say how much is free".to_owned()),
        Some(free) if free < margin_mb => (
            Verdict::Fails,
            format!(
                "{free} MB are free, and no game starts below {margin_mb} MB. Make room, or set \
                 upkeep.free_disk_mb"
            ),
        ),
        Some(free) => (Verdict::Ok, format!("{free} MB are free")),
    }
}

fn look_at_files(settings: &Settings) -> (Verdict, String) {
    // As a server does at its start.
    let raised = rlimit::increase_nofile_limit(u64::MAX);
    let wanted = settings.limits.connections;
    match room_for_connections(settings) {
        Some(room) if room < wanted => (
            Verdict::Warning,
            format!(
                "the system allows {room} connections, and limits.connections is {wanted}. Raise the \
                 limit of open files{}",
                raised.err().map_or_else(String::new, |error| format!(" ({error})"))
            ),
        ),
        _ => (Verdict::Ok, format!("enough for {wanted} connections")),
    }
}

/// When this program was written to the disk.
fn written() -> Option<SystemTime> {
    std::env::current_exe().ok()?.metadata().ok()?.modified().ok()
}

/// A clock that was never set is years behind.
fn look_at_clock(now: SystemTime, written: Option<SystemTime>) -> (Verdict, String) {
    let since_1970 = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    let shown = utc(since_1970.as_millis() as u64);
    let day = Duration::from_secs(24 * 60 * 60);
    match written.and_then(|written| written.duration_since(now).ok()) {
        Some(behind) if behind > day => (
            Verdict::Warning,
            format!(
                "{shown} is before this program was installed: set the clock, or results and \
                 certificates have wrong times"
            ),
        ),
        _ => (Verdict::Ok, shown),
    }
}

fn look_at_network(bind: IpAddr) -> (Verdict, String) {
    let ip = if bind.is_unspecified() { lan::address() } else { Some(bind) };
    match ip {
        Some(ip) => (Verdict::Ok, format!("other machines reach this one as {ip}")),
        None => (Verdict::Warning, "this machine has no address on a network".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_and_a_folder_of_another_server_fail_with_advice() {
        let held = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = held.local_addr().unwrap();
        let (verdict, text) = try_port(place.ip(), "gamba", place.port());
        assert_eq!(verdict, Verdict::Fails);
        assert!(text.contains("--port gamba=PORT"), "{text}");
        assert_eq!(try_port(place.ip(), "gamba", 0).0, Verdict::Ok);
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        assert_eq!(look_at_data(&data).0, Verdict::Ok);
        let taken = Folder::take(&data).unwrap();
        assert_eq!(look_at_data(&data).0, Verdict::Fails);
        drop(taken);
        assert_eq!(look_at_data(&data).0, Verdict::Ok);
    }

    #[test]
    fn a_full_disk_and_a_clock_that_was_never_set_are_noticed() {
        assert_eq!(look_at_disk(Path::new("not/there/yet"), u64::MAX).0, Verdict::Fails);
        assert_eq!(look_at_disk(Path::new("."), 0).0, Verdict::Ok);
        let now = SystemTime::now();
        assert_eq!(look_at_clock(UNIX_EPOCH, Some(now)).0, Verdict::Warning);
        assert_eq!(look_at_clock(now, Some(now)).0, Verdict::Ok);
    }
}
