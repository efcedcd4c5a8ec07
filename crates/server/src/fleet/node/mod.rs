//! This server as a node of a fleet on PostgreSQL: how it joins, and what it needs to be one.

mod addresses;
mod entering;
mod keeper;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use store::folder::Folder;
use store::leases::Division;
use store::postgres::{Database, Durability, PostgresArchive, PostgresJournal};
use store::{AUDIT, HOUSE};
use tokio::net::TcpListener;

use super::{Fleet, Journals, Membership, Secret, SharedJournal};
use crate::house::{Settings, clock};
use crate::journal::{SharedHouse, Storage};

use entering::{Entered, Entrance};
use keeper::BEATS;

pub use keeper::Keeper;

/// A game that was given away stays given away for so long.
const CALM_MS: u64 = 30_000;

/// A game waits so long for a database that is away, if nobody takes it over meanwhile.
const AWAY: Duration = Duration::from_secs(30);

/// Removing old games may wait so long for the database.
const PATIENCE: Duration = Duration::from_secs(600);

/// A server that has joined its fleet.
pub struct Joined {
    pub storage: Storage,
    pub membership: Membership,
    pub keeper: Keeper,
}

/// Joins the fleet that shares a database.
pub async fn join(settings: &Settings, url: &str, games: &[&'static str]) -> Result<Joined> {
    let options = &settings.fleet;
    let time_to_live = Duration::from_millis(options.lease_ms);
    // What commands find this server by is in its folder, even if its games are not.
    let folder = settings.data.as_deref().map(Folder::take).transpose()?;
    let (links, address) = listen(settings).await?;
    let (url, name) = (url.to_owned(), options.name());
    let entrance = Entrance { url, name: name.clone(), address: address.clone(), time_to_live };
    let Entered { database, durability, time, leases, secret, admin_token } =
        entrance.enter().await?;
    tell(&database, &durability);
    // Whoever takes a game over goes on with its clocks: no two nodes may differ by more than a moment.
    clock::begin_at(time);
    let secret = Secret::new(secret.as_bytes());
    let node = leases.number() as u32;
    let look_ms = (time_to_live / BEATS).as_millis() as u64;
    let division =
        Division::new(games.iter().map(|game| (*game).to_owned()), CALM_MS).looking_every(look_ms);
    let keeper = Keeper::start(leases, division, games, time_to_live, folder)
        .context("cannot start the thread that keeps the lease")?;
    let standing = keeper.standing.clone();
    let (shared, whose, waits) = (database.clone(), standing.clone(), time_to_live.max(AWAY));
    let journals = Journals::new(move || {
        // Of the incarnation that the node has now; one that has ended takes nothing.
        let journal = PostgresJournal::new(shared.clone(), Some(whose.incarnation()), waits);
        Ok(SharedJournal::Durable(Box::new(journal)))
    });
    let shared = database.clone();
    let house = SharedHouse {
        journal: Arc::new(move || {
            Box::new(PostgresJournal::new(shared.clone(), None, time_to_live))
        }),
        register: standing.changes(HOUSE),
        audit: standing.changes(AUDIT),
        admin_token,
        database: Some(database.clone()),
    };
    let journal = Box::new(PostgresJournal::new(database.clone(), None, PATIENCE));
    let archive = Arc::new(PostgresArchive::new(database));
    let storage = Storage { journal, archive, memory: None, house: Some(house) };
    let fleet = Fleet { name: "parlor".into(), secret, owners: standing };
    tracing::info!(node = name, address, "this server has joined the fleet");
    let membership = Membership { fleet, node, links, journals };
    Ok(Joined { storage, membership, keeper })
}

/// What the database's promises are worth.
fn tell(database: &Database, durability: &Durability) {
    let (place, version, promise) = (database.place(), &durability.version, durability.promise());
    if durability.is_sound() {
        tracing::info!(database = place, version, "PostgreSQL: {promise}");
    } else {
        tracing::warn!(database = place, version, "PostgreSQL: {promise}");
    }
    if !database.is_encrypted() {
        tracing::info!(
            database = place,
            "the connection to the database is not encrypted; sslmode=verify-full in its address turns \
             encryption on"
        );
    }
}

/// Where other nodes come in, and what they are told.
async fn listen(settings: &Settings) -> Result<(TcpListener, String)> {
    let advertised = settings.fleet.advertise.as_deref();
    let port = match advertised {
        None => 0,
        Some(address) => address
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok())
            .with_context(|| format!("--advertise {address} is not HOST:PORT"))?,
    };
    let wanted = SocketAddr::new(settings.bind, port);
    let links = TcpListener::bind(wanted)
        .await
        .with_context(|| format!("cannot listen for other nodes on {wanted}"))?;
    let bound = links.local_addr()?;
    let address = match advertised {
        Some(address) => address.to_owned(),
        None if bound.ip().is_unspecified() => {
            bail!(
                "--bind {} names no address: pass --advertise HOST:PORT, where other nodes reach this one",
                bound.ip()
            )
        }
        None => bound.to_string(),
    };
    Ok((links, address))
}
