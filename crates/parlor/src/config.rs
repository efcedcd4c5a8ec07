//! Configuration: defaults, then a file, then the environment, then flags.

pub mod printed;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::IpAddr;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value as Json;
use server::{HttpOptions, Limits, NamesOptions, NetworkOptions, Port, Settings, UpkeepOptions};
use toml::{Table, Value};
use wire::{Games, merge};

use crate::bots::Destination;
use crate::cli::{Flags, value};
use crate::terminal::Unreadable;
use crate::terminal::output::note;

pub use printed::print;

/// The settings every layer together gives.
pub fn settings(games: &Games, flags: &Flags) -> Result<Settings, Unreadable> {
    layers(games, flags).map_err(|error| Unreadable::new(&error))
}

fn layers(games: &Games, flags: &Flags) -> Result<Settings> {
    let mut layers = Vec::new();
    if let Some(path) = &flags.config {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let table: Table =
            text.parse().with_context(|| format!("{} is not TOML", path.display()))?;
        layers.push((table, format!("in {}", path.display())));
    }
    let variables = environment(std::env::vars_os().collect()).context("in the environment")?;
    layers.push((variables, "in the environment".to_owned()));
    let flags = flag_table(flags)?;
    let mut settings = usual(layers.iter().map(|(table, _)| table).chain([&flags]));
    for (table, place) in layers {
        apply(games, &mut settings, table).context(place)?;
    }
    apply(games, &mut settings, flags)?;
    check_ports(games, &settings)?;
    Ok(settings)
}

/// The defaults. On a server that other machines reach, a connection from this machine may come
/// through a tunnel or an unconfigured proxy, so it has no privileges there.
fn usual<'a>(layers: impl Iterator<Item = &'a Table>) -> Settings {
    let mut settings = Settings::default();
    let bind = layers.filter_map(|table| table.get("bind")?.as_str()).last();
    let bind = bind.and_then(|text| text.parse::<IpAddr>().ok());
    if bind.is_some_and(|bind| !bind.is_loopback()) {
        settings.limits.exempt_loopback = false;
        settings.http.open_create = false;
    }
    settings
}

/// Refuses two ports with the same number; otherwise the second would fail because the first is in
/// use.
fn check_ports(games: &Games, settings: &Settings) -> Result<()> {
    let listening = settings.listening(games);
    for (place, (second, port)) in listening.iter().enumerate() {
        let mut earlier = listening[..place].iter().filter(|(_, port)| *port != 0);
        if let Some((first, _)) = earlier.find(|(_, taken)| taken == port) {
            bail!(
                "{first} and {second} have the same port, {port}; use --port {second}=PORT for \
                 another, 0 for any"
            );
        }
    }
    Ok(())
}

/// The settings of a server that this program starts for itself: a file or the environment are
/// meant for another.
pub fn embedded(games: &Games, flags: &Flags) -> Result<Settings, Unreadable> {
    let mut settings = Settings { limits: Limits::lifted(), ..Settings::default() };
    flag_table(flags)
        .and_then(|table| apply(games, &mut settings, table))
        .map_err(|error| Unreadable::new(&error))?;
    Ok(settings)
}

/// Variables that are settings, and those that other places read.
const SETTINGS: [&str; 11] = [
    "BIND",
    "DATA",
    "DATABASE",
    "EPHEMERAL",
    "HOUSE_BOTS",
    "NODE",
    "ADVERTISE",
    "LEASE_MS",
    "PORT",
    "SET",
    "TRACE",
];
const OTHERS: [&str; 6] = ["CA", "CONFIG", "KEY", "LOG", "TOKEN", "URL"];

/// The `PARLOR_*` variables as a table of settings. One that means nothing may come from elsewhere:
/// Kubernetes sets some for every service of this name. So it is reported, and nothing more.
fn environment(variables: BTreeMap<OsString, OsString>) -> Result<Table> {
    let mut table = Table::new();
    for (name, value) in variables {
        let name = name.to_string_lossy();
        let Some(name) = name.strip_prefix("PARLOR_") else { continue };
        let is_of_a_bot = || Destination::WORDS.contains(&name.to_lowercase().as_str());
        if is_of_kubernetes(name, &value.to_string_lossy()) {
            note(&format!(
                "parlor: PARLOR_PORT={} was set for a Kubernetes service and is ignored; \
                 set ports with PARLOR_SET or --port",
                value.to_string_lossy()
            ));
        } else if SETTINGS.contains(&name) {
            let text = value.into_string().map_err(|_| anyhow!("PARLOR_{name} is not text"))?;
            put_variable(&mut table, name, text)?;
        } else if !OTHERS.contains(&name) && !is_of_a_bot() {
            note(&not_a_setting(name));
        }
    }
    Ok(table)
}

/// For a service called `parlor` Kubernetes sets `PARLOR_PORT=tcp://ADDRESS:PORT`, which is no list of ports.
fn is_of_kubernetes(name: &str, value: &str) -> bool {
    name == "PORT" && value.contains("://")
}

fn not_a_setting(name: &str) -> String {
    let ignored = format!("parlor: PARLOR_{name} is not a setting and is ignored");
    match closest(name) {
        Some(closest) => format!("{ignored}; did you mean PARLOR_{closest}?"),
        None => ignored,
    }
}

/// The setting that was probably meant: at most a quarter of its letters are wrong.
fn closest(name: &str) -> Option<&'static str> {
    let known = SETTINGS.into_iter().map(|known| (changes(name, known), known));
    let (changes, closest) = known.min_by_key(|(changes, _)| *changes)?;
    (changes <= closest.len().div_ceil(4)).then_some(closest)
}

/// How many letters must be changed, added, left out or exchanged with the next to make one word of the
/// other.
fn changes(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (at, letter) in one.iter().enumerate() {
        let mut row = vec![at + 1];
        for (column, like) in other.iter().enumerate() {
            let changed = rows[at][column] + usize::from(letter != like);
            let mut fewest = changed.min(rows[at][column + 1] + 1).min(row[column] + 1);
            if at > 0 && column > 0 && *letter == other[column - 1] && one[at - 1] == *like {
                fewest = fewest.min(rows[at - 1][column - 1] + 1);
            }
            row.push(fewest);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

fn put_variable(table: &mut Table, name: &str, text: String) -> Result<()> {
    let parts = |separators: &[char]| {
        let parts = text.split(separators).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    match name {
        "PORT" => parts(&[',']).iter().try_for_each(|port| put_port(table, &["port"], port))?,
        "SET" => parts(&[';', '\n']).iter().try_for_each(|set| put_option(table, set))?,
        "EPHEMERAL" | "HOUSE_BOTS" => {
            let value = match text.as_str() {
                "1" | "true" => true,
                "" | "0" | "false" => false,
                other => bail!("PARLOR_{name} = '{other}' is neither true nor false"),
            };
            table.insert(name.to_lowercase(), Value::Boolean(value));
        }
        _ => _ = table.insert(name.to_lowercase(), Value::String(text)),
    }
    Ok(())
}

fn flag_table(flags: &Flags) -> Result<Table> {
    let mut table = Table::new();
    let path = |path: &std::path::PathBuf| Value::String(path.to_string_lossy().into_owned());
    table.extend(flags.data.as_ref().map(|data| ("data".to_owned(), path(data))));
    table.extend(flags.trace.as_ref().map(|trace| ("trace".to_owned(), path(trace))));
    let fleet =
        [("database", &flags.database), ("node", &flags.node), ("advertise", &flags.advertise)];
    for (key, text) in fleet {
        table.extend(text.as_ref().map(|text| (key.to_owned(), Value::String(text.clone()))));
    }
    // Beyond what fits it is refused as a number that is none.
    let lease = |ms: u64| ("lease_ms".to_owned(), Value::Integer(ms.try_into().unwrap_or(-1)));
    table.extend(flags.lease_ms.map(lease));
    table.extend(flags.bind.as_ref().map(|bind| ("bind".to_owned(), Value::String(bind.clone()))));
    for (key, is_set) in [("ephemeral", flags.ephemeral), ("house_bots", flags.house_bots)] {
        if is_set {
            table.insert(key.to_owned(), Value::Boolean(true));
        }
    }
    for (key, words) in [("public_hosts", &flags.public_host), ("proxies", &flags.proxy)] {
        if !words.is_empty() {
            put(&mut table, &["network", key], Value::from(words.clone()));
        }
    }
    for (key, file) in [("tls_cert", &flags.tls_cert), ("tls_key", &flags.tls_key)] {
        if let Some(file) = file {
            put(&mut table, &["network", key], path(file));
        }
    }
    for (key, number) in [
        ("drain_seconds", flags.drain_seconds),
        ("keep_days", flags.keep_days),
        ("keep_games", flags.keep_games),
        ("disk_quota_mb", flags.disk_quota),
    ] {
        if let Some(number) = number {
            let number = i64::try_from(number).with_context(|| format!("{number} is too large"))?;
            put(&mut table, &["upkeep", key], Value::Integer(number));
        }
    }
    for port in &flags.tls_port {
        put_port(&mut table, &["network", "tls_ports"], port)?;
    }
    for port in &flags.port {
        put_port(&mut table, &["port"], port)?;
    }
    for set in &flags.set {
        put_option(&mut table, set)?;
    }
    Ok(table)
}

/// `NAME=PORT` as `NAME = PORT` in a section, such as `port`.
fn put_port(table: &mut Table, section: &[&str], text: &str) -> Result<()> {
    let (name, port) =
        text.split_once('=').ok_or_else(|| anyhow!("port {text} has no '='. Write NAME=PORT"))?;
    put(table, &[section, &[name.trim()]].concat(), value(port.trim()));
    Ok(())
}

/// `GAME.KEY=VALUE`, where KEY may go deeper, with dots.
fn put_option(table: &mut Table, text: &str) -> Result<()> {
    let wrong = || anyhow!("option {text} is not GAME.KEY=VALUE");
    let (path, text) = text.split_once('=').ok_or_else(wrong)?;
    let keys: Vec<&str> = path.trim().split('.').collect();
    if keys.len() < 2 || keys.iter().any(|key| key.is_empty()) {
        return Err(wrong());
    }
    put(table, &keys, value(text.trim()));
    Ok(())
}

fn put(table: &mut Table, keys: &[&str], value: Value) {
    match keys {
        [] => {}
        [last] => _ = table.insert((*last).to_owned(), value),
        [first, rest @ ..] => {
            let inner = table.entry(*first).or_insert_with(|| Value::Table(Table::new()));
            if !inner.is_table() {
                *inner = Value::Table(Table::new());
            }
            if let Value::Table(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

/// Lays one layer over the settings.
fn apply(games: &Games, settings: &mut Settings, table: Table) -> Result<()> {
    let ephemeral = table.get("ephemeral").cloned();
    for (key, value) in table {
        match key.as_str() {
            "bind" => {
                let text = string(&key, &value)?;
                settings.bind =
                    text.parse().map_err(|_| anyhow!("bind = '{text}' is not an IP address"))?;
            }
            "data" => settings.data = Some(string(&key, &value)?.into()),
            "database" => settings.fleet.database = Some(string(&key, &value)?),
            "node" => settings.fleet.node = Some(string(&key, &value)?),
            "advertise" => settings.fleet.advertise = Some(string(&key, &value)?),
            "lease_ms" => settings.fleet.lease_ms = lease(&value)?,
            "trace" => settings.trace = Some(string(&key, &value)?.into()),
            "ephemeral" => {}
            "house_bots" => settings.house_bots = boolean(&key, &value)?,
            "port" => apply_ports(games, settings, &inner(&key, value)?)?,
            "limits" => {
                settings.limits =
                    section(&key, &settings.limits, inner(&key, value)?, Limits::HELP)?;
            }
            "http" => {
                settings.http =
                    section(&key, &settings.http, inner(&key, value)?, &HttpOptions::HELP)?;
            }
            "network" => {
                let changed =
                    section(&key, &settings.network, inner(&key, value)?, &NetworkOptions::HELP)?;
                let plain = |name: &String| name.trim_end_matches("-tls").to_owned();
                let introduced: Vec<String> = changed.proxy_protocol.iter().map(plain).collect();
                check_port_names(games, "network.proxy_protocol", &introduced)?;
                let secured: Vec<String> = changed.tls_ports.keys().cloned().collect();
                check_port_names(games, "network.tls_ports", &secured)?;
                settings.network = changed;
            }
            "names" => {
                settings.names =
                    section(&key, &settings.names, inner(&key, value)?, &NamesOptions::HELP)?;
            }
            "upkeep" => {
                settings.upkeep =
                    section(&key, &settings.upkeep, inner(&key, value)?, &UpkeepOptions::HELP)?;
            }
            game if games.find(game).is_ok() => {
                apply_game(games, settings, game, inner(game, value)?)?;
            }
            other => bail!(
                "no setting '{other}'; there are bind, data, ephemeral, database, \
                 node, advertise, lease_ms, house_bots, trace, port, limits, http, \
                 network, names, upkeep, {}",
                games.names().join(", ")
            ),
        }
    }
    if let Some(value) = ephemeral
        && boolean("ephemeral", &value)?
    {
        settings.data = None;
    }
    Ok(())
}

/// Shorter ones would be over before a slow database has answered.
const SHORTEST_LEASE_MS: u64 = 200;

fn lease(value: &Value) -> Result<u64> {
    let ms = value.as_integer().and_then(|ms| u64::try_from(ms).ok());
    let ms = ms.or_else(|| value.as_str()?.parse().ok()).filter(|ms| *ms >= SHORTEST_LEASE_MS);
    ms.ok_or_else(|| anyhow!("lease_ms = {value} is not a number of at least {SHORTEST_LEASE_MS}"))
}

fn boolean(key: &str, value: &Value) -> Result<bool> {
    value.as_bool().ok_or_else(|| anyhow!("{key} = {value} is neither true nor false"))
}

fn string(key: &str, value: &Value) -> Result<String> {
    value.as_str().map(str::to_owned).ok_or_else(|| anyhow!("{key} = {value} is not a string"))
}

fn inner(key: &str, value: Value) -> Result<Table> {
    match value {
        Value::Table(table) => Ok(table),
        other => bail!("{key} = {other} is not a table of settings"),
    }
}

fn check_port_names(games: &Games, key: &str, names: &[String]) -> Result<()> {
    let known = games.ports();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => bail!("{key}: no port '{name}'; there are {}", known.join(", ")),
        None => Ok(()),
    }
}

fn apply_ports(games: &Games, settings: &mut Settings, table: &Table) -> Result<()> {
    let known = games.ports();
    for (name, value) in table {
        if !known.contains(&name.as_str()) {
            bail!("no port '{name}'; there are {}", known.join(", "));
        }
        let port = match value {
            Value::String(text) if text == "off" => Port::Off,
            Value::Integer(number) => u16::try_from(*number).map(Port::Number).map_err(|_| {
                anyhow!("port.{name} = {number} is not a port. Use 0 to 65535, or off")
            })?,
            other => bail!("port.{name} = {other} is not a port. Use 0 to 65535, or off"),
        };
        settings.ports.insert(name.clone(), port);
    }
    Ok(())
}

/// Changes some keys of a section; the error names the key and what is allowed.
fn section<S>(name: &str, current: &S, changes: Table, help: &[(&str, &str)]) -> Result<S>
where
    S: Clone + serde::Serialize + serde::de::DeserializeOwned,
{
    let mut whole = serde_json::to_value(current)?;
    let mut changed = current.clone();
    for (key, value) in changes {
        let Some((_, meaning)) = help.iter().find(|(known, _)| *known == key) else {
            let keys: Vec<&str> = help.iter().map(|(known, _)| *known).collect();
            bail!("{name} has no setting '{key}'; there are {}", keys.join(", "));
        };
        whole[&key] = serde_json::to_value(&value)?;
        changed = serde_json::from_value(whole.clone())
            .map_err(|error| anyhow!("{name}.{key} = {value}: {error} ({meaning})"))?;
    }
    Ok(changed)
}

fn apply_game(games: &Games, settings: &mut Settings, game: &str, changes: Table) -> Result<()> {
    let changes = match serde_json::to_value(changes)? {
        Json::Object(changes) => changes,
        other => bail!("{game}: {other} is not a table of options"),
    };
    let options = settings.games.entry(game.to_owned()).or_default();
    let mut files = Vec::new();
    for (key, value) in changes {
        match key.strip_suffix(FROM_FILE) {
            Some(option) => {
                let path = value
                    .as_str()
                    .ok_or_else(|| anyhow!("{game}.{key} is not the name of a file"))?;
                let read = read_json(path).with_context(|| format!("{game}.{key}"))?;
                options.insert(option.to_owned(), read);
                files.push(path.to_owned());
            }
            None => merge(options.entry(key).or_insert(Json::Null), value),
        }
    }
    // The game itself says whether they are good.
    let checked = games.find(game).and_then(|game| game.options(options));
    match checked.map_err(|failure| anyhow!(failure)) {
        Ok(_) => Ok(()),
        Err(failure) if files.is_empty() => Err(failure),
        Err(failure) => Err(failure.context(format!("with {}", files.join(", ")))),
    }
}

/// `KEY_file` in place of KEY names a JSON file with its value. There are values TOML cannot say,
/// such as a null within.
const FROM_FILE: &str = "_file";

fn read_json(path: &str) -> Result<Json> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    serde_json::from_str(&text).with_context(|| format!("{path} is not JSON"))
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
