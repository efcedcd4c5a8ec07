//! A server of this program's own: one game, on free ports, in a folder or in memory.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use server::{Server, Storage};
use store::Archive;
use wire::{AnyDialect, Games, HTTP_PORT};

use super::address::Address;
use super::remote::Remote;
use crate::cli::{Flags, with_game};
use crate::config;

pub struct Embedded {
    pub server: Server,
    pub archive: Arc<dyn Archive>,
    /// Where the wire is spoken.
    pub address: String,
    /// Where HTTP is.
    pub http: String,
}

/// Where finished games are.
enum Place {
    /// In a folder, or in memory.
    Kept(Option<PathBuf>),
    Shown(Arc<dyn Archive>),
}

impl Embedded {
    /// `set`: options as for `parlor serve`. Without a folder, everything is kept in memory.
    pub async fn start(
        roster: &Games,
        wire: &AnyDialect,
        set: &[String],
        data: Option<PathBuf>,
    ) -> Result<Embedded> {
        Embedded::with(roster, wire, set, Place::Kept(data)).await
    }

    /// A server that shows what an archive holds, and keeps nothing.
    pub async fn showing(
        roster: &Games,
        wire: &AnyDialect,
        archive: Arc<dyn Archive>,
    ) -> Result<Embedded> {
        Embedded::with(roster, wire, &[], Place::Shown(archive)).await
    }

    async fn with(
        roster: &Games,
        wire: &AnyDialect,
        set: &[String],
        place: Place,
    ) -> Result<Embedded> {
        let (data, shown) = match place {
            Place::Kept(data) => (data, None),
            Place::Shown(archive) => (None, Some(archive)),
        };
        let port = |name: &str| {
            let used = [wire.port, wire.game, HTTP_PORT.0].contains(&name);
            format!("{name}={}", if used { "0" } else { "off" })
        };
        let flags = Flags {
            ephemeral: data.is_none(),
            data,
            port: roster.ports().into_iter().map(port).collect(),
            set: with_game(set, wire.game),
            ..Flags::default()
        };
        let settings = config::embedded(roster, &flags)?;
        let mut storage = Storage::open(&settings)?;
        storage.archive = shown.unwrap_or(storage.archive);
        let archive = storage.archive.clone();
        let server = Server::start_with(roster, settings, storage).await?;
        let address = |name: &str| {
            let address = server.addresses.get(name).map(ToString::to_string);
            address.with_context(|| format!("nothing listens for {name}"))
        };
        let (address, http) = (address(wire.port)? + &wire.path, address(HTTP_PORT.0)?);
        Ok(Embedded { server, archive, address, http })
    }

    /// The way to it over HTTP, with every right.
    pub fn remote(&self) -> Remote {
        self.remote_as(self.server.admin_token.clone())
    }

    /// The same with this token or key.
    pub fn remote_as(&self, bearer: String) -> Remote {
        let address = Address::read(&self.http, None).expect("an address of its own");
        Remote::at(address, Some(bearer))
    }

    pub async fn shutdown(self) -> Result<()> {
        self.server.shutdown().await
    }
}
