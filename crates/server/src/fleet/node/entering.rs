//! How a node comes into its fleet: by the database, for which it waits if that is not there yet. After a
//! power cut all machines start together, and a database takes longer than a server.

use std::time::{Duration, Instant};

use anyhow::Result;
use store::StoreError;
use store::postgres::{Database, Durability, PostgresLeases};
use tokio::task::spawn_blocking;

/// A database that is not there is looked for this often, and this often it is said.
const LOOKS_EVERY: Duration = Duration::from_millis(500);
const SAYS_EVERY: Duration = Duration::from_secs(5);

/// What a node has been told by its database.
pub struct Entered {
    pub database: Database,
    pub durability: Durability,
    /// What time it is there.
    pub time: u64,
    pub leases: PostgresLeases,
    /// What links are encrypted with.
    pub secret: String,
    pub admin_token: String,
}

/// Who comes in.
#[derive(Clone)]
pub struct Entrance {
    pub url: String,
    pub name: String,
    /// Where other nodes reach it.
    pub address: String,
    pub time_to_live: Duration,
}

impl Entrance {
    /// Comes in as soon as the database answers. One that refuses, as by a wrong password or tables of a
    /// later release, is not waited for.
    pub async fn enter(self) -> Result<Entered> {
        let (begin, mut said) = (Instant::now(), None::<Instant>);
        loop {
            let entrance = self.clone();
            match spawn_blocking(move || entrance.try_to_enter()).await? {
                Err(error @ StoreError::Away { .. }) => {
                    if said.is_none_or(|at| at.elapsed() >= SAYS_EVERY) {
                        let seconds = begin.elapsed().as_secs();
                        tracing::warn!(%error, seconds, "waiting for the database");
                        said = Some(Instant::now());
                    }
                }
                entered => return Ok(entered?),
            }
            tokio::time::sleep(LOOKS_EVERY).await;
        }
    }

    fn try_to_enter(self) -> Result<Entered, StoreError> {
        let Entrance { url, name, address, time_to_live } = self;
        let (database, durability) = Database::open(&url)?;
        let time = database.time()?;
        let mut leases = PostgresLeases::join(database.clone(), &name, &address, time_to_live)?;
        let secret = leases.secret("link")?;
        let admin_token = leases.secret("admin-token")?;
        Ok(Entered { database, durability, time, leases, secret, admin_token })
    }
}
