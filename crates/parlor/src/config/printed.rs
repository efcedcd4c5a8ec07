//! `parlor config`: what holds, as a file for `--config`.

use anyhow::Result;
use serde_json::Value as Json;
use server::{
    FleetOptions, HttpOptions, Limits, NamesOptions, NetworkOptions, Port, Settings, UpkeepOptions,
};
use toml::Value;
use wire::{Games, HTTP_PORT};

use super::FROM_FILE;
use crate::cli::Flags;
use crate::terminal::output;

/// `parlor config`.
pub fn print(games: &Games, flags: &Flags) -> Result<()> {
    let settings = super::settings(games, flags)?;
    output::line(&text(games, &settings)?)
}

/// These settings as a file, with what each means.
pub fn text(games: &Games, settings: &Settings) -> Result<String> {
    let mut text =
        String::from("# Every setting and its value. Delete the lines that you don't change.\n\n");
    text += &format!("bind = \"{}\"\n", settings.bind);
    match &settings.data {
        Some(data) => {
            let data = Value::from(data.to_string_lossy().into_owned());
            text += &format!("data = {data}\nephemeral = false\n");
        }
        None => text += "ephemeral = true\n",
    }
    let FleetOptions { database, node, advertise, lease_ms } = &settings.fleet;
    for (key, value, help) in [
        ("database", database, "postgres://HOST/NAME\"   # share games with other servers"),
        ("node", node, "NAME\"   # this server's name in the fleet"),
        ("advertise", advertise, "HOST:PORT\"   # where the other servers reach this one"),
    ] {
        text += &match value {
            Some(value) => format!("{key} = {}\n", Value::from(value.clone())),
            None => format!("# {key} = \"{help}\n"),
        };
    }
    text += &format!(
        "lease_ms = {lease_ms}   # after this silence other servers take over its games\n"
    );
    match &settings.trace {
        Some(trace) => {
            text += &format!("trace = {}\n", Value::from(trace.to_string_lossy().into_owned()));
        }
        None => text += "# trace = \"DIR\"   # log what each connection sends and receives\n",
    }
    text +=
        "# fill empty seats with each game's best bot, unless the game's own house_bots is set\n";
    text += &format!("house_bots = {}\n", settings.house_bots);
    text += "\n# A number, 0 for any free port, or \"off\".\n[port]\n";
    let own = games.iter().flat_map(|game| game.wires()).filter(|wire| !wire.is_house());
    for (name, usual) in own.map(|wire| (wire.port, wire.default_port)).chain([HTTP_PORT]) {
        text += &port_line(settings, name, usual);
    }
    text += &section_text(
        "limits",
        &serde_json::to_value(&settings.limits)?,
        Limits::HELP.iter().copied(),
    );
    text += &section_text(
        "http",
        &serde_json::to_value(&settings.http)?,
        HttpOptions::HELP.into_iter(),
    );
    text += &section_text(
        "network",
        &serde_json::to_value(&settings.network)?,
        NetworkOptions::HELP.into_iter(),
    );
    text += &section_text(
        "names",
        &serde_json::to_value(&settings.names)?,
        NamesOptions::HELP.into_iter(),
    );
    text += &section_text(
        "upkeep",
        &serde_json::to_value(&settings.upkeep)?,
        UpkeepOptions::HELP.into_iter(),
    );
    for game in games.iter() {
        let options = game.options(&settings.changes(game)).map_err(anyhow::Error::msg)?;
        text += &section_text(game.name(), &options, game.option_help().into_iter());
    }
    Ok(text.trim_end().to_owned())
}

fn port_line(settings: &Settings, name: &str, default: u16) -> String {
    match settings.ports.get(name) {
        Some(Port::Off) => format!("{name} = \"off\"\n"),
        Some(Port::Number(port)) => format!("{name} = {port}\n"),
        None => format!("{name} = {default}\n"),
    }
}

fn section_text<'a>(
    name: &str,
    values: &Json,
    help: impl Iterator<Item = (&'a str, &'a str)>,
) -> String {
    let mut text = format!("\n[{name}]\n");
    for (key, meaning) in help {
        text += &comment(meaning);
        text += &match &values[key] {
            Json::Null => format!("# {key} =\n"),
            value => match Value::try_from(value) {
                Ok(value) => format!("{key} = {value}\n"),
                // TOML cannot say it, so a file has to.
                Err(_) => format!("# {key}{FROM_FILE} = \"FILE\" with {value}\n"),
            },
        };
    }
    text
}

/// A comment's lines are no longer than this.
const COLUMNS: usize = 100;

fn comment(meaning: &str) -> String {
    let (mut text, mut line) = (String::new(), "#".to_owned());
    for word in meaning.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > COLUMNS {
            text += &format!("{line}\n");
            line = "#".to_owned();
        }
        line += &format!(" {word}");
    }
    text + &format!("{line}\n")
}
