//! The keys of a tournament's entrants, as their organiser hands them out.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::servers::Remote;
use crate::terminal::output;

/// Shows the keys that an answer brings, or writes them to a file that only its owner can read.
pub fn show(remote: &Remote, tournament: &Value, file: Option<&Path>) -> Result<()> {
    let keys = tournament["keys"].as_array().map_or(&[][..], Vec::as_slice);
    if keys.is_empty() {
        return Ok(());
    }
    let Some(file) = file else {
        keys.iter().try_for_each(|entrant| output::line(&line(entrant)))?;
        output::note("These keys are not shown again: give each player their own.");
        return Ok(());
    };
    let addresses = addresses(remote, &tournament["game"])? + &pages(remote);
    let title = format!("{} {}", text(&tournament["game"]), text(&tournament["id"]));
    let slips: Vec<String> = keys.iter().map(|entrant| slip(entrant, &title, &addresses)).collect();
    let written = store::private::create(file)
        .and_then(|mut written| written.write_all(slips.join("\n").as_bytes()));
    written.with_context(|| format!("cannot write {}", file.display()))?;
    output::note(&format!("{} keys are in {}.", keys.len(), file.display()));
    if is_of_this_machine(&remote.address.host) {
        output::note(&format!(
            "The slips say {}, which other machines cannot reach. Put the address that \
             'parlor serve --bind 0.0.0.0' prints in its place before you hand them out.",
            remote.address.host
        ));
    }
    Ok(())
}

/// One entrant on one line.
fn line(entrant: &Value) -> String {
    match entrant["key"].as_str() {
        Some(key) => format!("{:<24} {key}", text(&entrant["name"])),
        None => format!("{:<24} has the key of its claimed name", text(&entrant["name"])),
    }
}

/// One entrant on a slip of paper.
fn slip(entrant: &Value, title: &str, addresses: &str) -> String {
    let name = text(&entrant["name"]);
    let (key, joins) = match entrant["key"].as_str() {
        Some(key) => (key.to_owned(), format!("{name}:{key}")),
        None => ("the one of your claimed name".to_owned(), format!("{name}:KEY")),
    };
    format!(
        "{name}, {title}\n  key      {key}\n  join as  {joins}\n{addresses}  \
         or unchanged, through: parlor connect SERVER --key-file FILE\n"
    )
}

/// Where the game's protocols listen.
fn addresses(remote: &Remote, game: &Value) -> Result<String> {
    let games = remote.get("/api/v1/games")?;
    let host = &remote.address.host;
    let games = games.as_array().or_else(|| games["games"].as_array());
    let known = games.into_iter().flatten().find(|known| known["name"] == *game);
    let ports = known.and_then(|known| known["ports"].as_object()).into_iter().flatten();
    Ok(ports.map(|(protocol, port)| format!("  {protocol:<8} {host}:{port}\n")).collect())
}

/// Where a team finds a bot to start from, and everything it has to know.
fn pages(remote: &Remote) -> String {
    let (starters, docs) = (remote.address.url("/starters"), remote.address.url("/docs"));
    format!("  starters {starters}\n  docs     {docs}\n")
}

fn is_of_this_machine(host: &str) -> bool {
    host == "localhost" || host.trim_matches(['[', ']']) == "::1" || host.starts_with("127.")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_is_known_as_such() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"] {
            assert!(is_of_this_machine(host), "{host}");
        }
        for host in ["192.168.1.20", "games.example", "10.0.0.127"] {
            assert!(!is_of_this_machine(host), "{host}");
        }
    }
}
