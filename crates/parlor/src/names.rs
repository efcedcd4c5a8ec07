//! `parlor names`: names that have a key, on a server that runs or in a data folder.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use hall::{HouseRecord, KeyHash, Register, Time};
use serde_json::json;
use server::{fresh_key, register};
use store::folder::Folder;
use store::sqlite::{FILE, SqliteJournal};
use store::{Batch, HOUSE, Journal};

use crate::cli::{ClaimArgs, NameArgs, NamesArgs, NamesCommand, RemoteArgs, VersionArgs};
use crate::operate::time;
use crate::servers::Remote;
use crate::terminal::output;

pub fn run(args: &NamesArgs) -> Result<()> {
    match &args.command {
        NamesCommand::Claim(args) => claim(args),
        NamesCommand::Show(args) => show(args),
        NamesCommand::Rotate(args) => rotate(args),
        NamesCommand::Revoke(args) => revoke(args),
        NamesCommand::Version(args) => version(args),
        NamesCommand::List { remote } => list(remote),
    }
}

/// A register that can be asked: the folder's own, if no server has it, or a server's.
enum Place {
    Folder(Box<Opened>),
    Server(Remote),
}

fn place(remote: &RemoteArgs, key: Option<&str>) -> Result<Place> {
    let at_rest =
        remote.url.is_none() && remote.data.join(FILE).exists() && !Folder::is_taken(&remote.data);
    if at_rest {
        return Ok(Place::Folder(Box::new(Opened::new(&remote.data)?)));
    }
    let mut found = Remote::find(remote)?;
    if let Some(key) = key {
        found.token = Some(key.to_owned());
    }
    Ok(Place::Server(found))
}

fn claim(ClaimArgs { name: args, version }: &ClaimArgs) -> Result<()> {
    let name = &*args.name;
    let key = match place(&args.remote, None)? {
        Place::Server(remote) => {
            let body = json!({ "name": name, "version": version });
            let made = remote.post_json("/api/v1/names", &body)?;
            made["key"].as_str().context("the server gives no key")?.to_owned()
        }
        Place::Folder(mut opened) => {
            hall::check_claim(name).map_err(|why| anyhow!(why))?;
            if let Some(known) = opened.register.claimed(name) {
                bail!("the name '{}' is claimed already", known.name);
            }
            let version = version.as_deref().map(readable).transpose()?;
            let key = opened.give_key(name)?;
            if version.is_some() {
                opened.write(HouseRecord::Versioned { name: name.into(), version })?;
            }
            key
        }
    };
    show_key(name, &key)
}

fn show(args: &NameArgs) -> Result<()> {
    let name = &*args.name;
    let key = args.key()?;
    let (known, yours) = match place(&args.remote, key.as_deref())? {
        Place::Server(remote) => {
            let known = remote.get(&format!("/api/v1/names/{name}"))?;
            let yours = known["yours"] == true;
            (known, yours)
        }
        Place::Folder(opened) => {
            let known = opened.register.claimed(name);
            let known = known.with_context(|| format!("the name '{name}' is not claimed"))?;
            let yours = key.as_ref().is_some_and(|key| KeyHash::of(key) == known.key);
            let hall::ClaimedName { name, since, version, .. } = known;
            (json!({ "name": name, "since": since, "version": version }), yours)
        }
    };
    let name = known["name"].as_str().unwrap_or(name);
    if key.is_some() && !yours {
        bail!("this is not the key of {name}");
    }
    let version = known["version"].as_str().map(|version| format!(", version {version}"));
    output::line(&format!(
        "{name} is claimed since {}{}{}",
        time(&known["since"]),
        version.unwrap_or_default(),
        if yours { ", and this is its key" } else { "" }
    ))
}

fn version(VersionArgs { name: args, version }: &VersionArgs) -> Result<()> {
    let name = &*args.name;
    match place(&args.remote, args.key()?.as_deref())? {
        Place::Server(remote) => {
            let path = format!("/api/v1/names/{name}/version");
            _ = remote.put_json(&path, &json!({ "version": version }))?;
        }
        Place::Folder(mut opened) => {
            let name = opened.known(name)?.into();
            let version = version.as_deref().map(readable).transpose()?;
            opened.write(HouseRecord::Versioned { name, version })?;
        }
    }
    output::line(&match version {
        Some(version) => format!("{name} plays as version {version} from now on"),
        None => format!("no version is recorded for {name} from now on"),
    })
}

fn readable(version: &str) -> Result<hall::Name> {
    let wrong = |right| anyhow!("{version:?} is not a version: use {right}");
    hall::check_version(version).map_err(wrong)?;
    Ok(version.into())
}

fn rotate(args: &NameArgs) -> Result<()> {
    let name = &*args.name;
    let key = match place(&args.remote, args.key()?.as_deref())? {
        Place::Server(remote) => {
            let made = remote.post(&format!("/api/v1/names/{name}/key"))?;
            made["key"].as_str().context("the server gives no key")?.to_owned()
        }
        Place::Folder(mut opened) => {
            let known = opened.known(name)?;
            opened.give_key(&known)?
        }
    };
    show_key(name, &key)
}

fn revoke(args: &NameArgs) -> Result<()> {
    let name = &*args.name;
    match place(&args.remote, args.key()?.as_deref())? {
        Place::Server(remote) => _ = remote.delete(&format!("/api/v1/names/{name}"))?,
        Place::Folder(mut opened) => {
            let name = opened.known(name)?.into();
            opened.write(HouseRecord::Released { name })?;
        }
    }
    output::line(&format!("{name} is released: anyone can use it"))
}

fn list(remote: &RemoteArgs) -> Result<()> {
    let names: Vec<String> = match place(remote, None)? {
        Place::Folder(opened) => {
            opened.register.names().map(|known| known.name.to_string()).collect()
        }
        Place::Server(remote) => {
            let listed = remote.get("/api/v1/names")?;
            let names = listed["names"].as_array().context("the server gives no list")?;
            names.iter().filter_map(|known| known["name"].as_str().map(str::to_owned)).collect()
        }
    };
    match names.is_empty() {
        true => output::line("no names are claimed"),
        false => names.iter().try_for_each(|name| output::line(name)),
    }
}

fn show_key(name: &str, key: &str) -> Result<()> {
    output::line(key)?;
    output::note(&format!(
        "This is the key of {name}. It is not shown again: keep it where only {name} can read it."
    ));
    Ok(())
}

/// The register of a folder that no server has.
struct Opened {
    journal: SqliteJournal,
    epoch: u64,
    register: Register,
}

impl Opened {
    fn new(data: &Path) -> Result<Opened> {
        let mut journal = SqliteJournal::open(Folder::take(data)?)?;
        let loaded = journal.load(HOUSE)?;
        let register = register::restore(&loaded)?;
        Ok(Opened { journal, epoch: loaded.epoch, register })
    }

    fn known(&self, name: &str) -> Result<String> {
        let known = self.register.claimed(name);
        known
            .map(|known| known.name.to_string())
            .ok_or_else(|| anyhow!("the name '{name}' is not claimed"))
    }

    fn give_key(&mut self, name: &str) -> Result<String> {
        let key = fresh_key()?;
        self.write(HouseRecord::Claimed { name: name.into(), key: KeyHash::of(&key) })?;
        Ok(key)
    }

    fn write(&mut self, record: HouseRecord) -> Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Time(now.as_millis() as u64);
        let rows = vec![register::row(now, record)];
        let batch = Batch { stream: HOUSE.into(), epoch: self.epoch, rows };
        self.journal.append(vec![batch])?;
        Ok(self.journal.close()?)
    }
}
