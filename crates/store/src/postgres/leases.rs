//! The nodes of a fleet and what belongs to them, in the database, by its clock.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_postgres::Error;
use tokio_postgres::types::ToSql;

use super::Database;
use super::connecting::Connection;
use crate::StoreError;
use crate::leases::{Fleet, Holding, Lease, Leases, Node};

/// A connection has this part of a lease to answer, and a new one what is left of it.
const PART: u32 = 3;
/// Interval at which a server checks whether another server with its name is alive.
const NAMESAKE: Duration = Duration::from_millis(50);

/// One node's standing.
#[derive(Debug)]
pub struct PostgresLeases {
    database: Database,
    name: String,
    address: String,
    time_to_live: Duration,
    incarnation: u64,
    /// The first incarnation.
    number: Option<u64>,
    client: Option<Arc<Connection>>,
    /// Each node's last beat, and when this node first saw it.
    said: BTreeMap<u64, (String, Instant)>,
}

impl PostgresLeases {
    /// Joins the fleet under a name. While another server is alive under it, that is refused. Whether one that
    /// was killed is alive is known when its lease is over, and so is waited for. A server at the same address
    /// is this one before a restart, and has ended by that.
    pub fn join(
        database: Database,
        name: &str,
        address: &str,
        time_to_live: Duration,
    ) -> Result<PostgresLeases, StoreError> {
        let (name, address) = (name.to_owned(), address.to_owned());
        let mut leases = PostgresLeases {
            database,
            name,
            address,
            time_to_live,
            incarnation: 0,
            number: None,
            client: None,
            said: BTreeMap::new(),
        };
        leases.wait_for_namesake()?;
        leases.rejoin()?;
        Ok(leases)
    }

    /// Waits until no other server is alive under this name.
    fn wait_for_namesake(&mut self) -> Result<(), StoreError> {
        let mut first = None;
        while let Some((address, expires)) = self.namesake()? {
            if *first.get_or_insert(expires) < expires {
                // It has said since that it is alive.
                return Err(StoreError::NameInUse { name: self.name.clone(), address });
            }
            std::thread::sleep(NAMESAKE);
        }
        Ok(())
    }

    /// Another server that is believed to be alive under this name: its address, and until when.
    fn namesake(&mut self) -> Result<Option<(String, f64)>, StoreError> {
        let (name, address) = (self.name.clone(), self.address.clone());
        self.ask(move |client: Arc<Connection>| {
            let (name, address) = (name.clone(), address.clone());
            async move {
                let namesake = "SELECT address, extract(epoch FROM expires)::float8 FROM nodes
                                WHERE name = $1 AND address <> $2 AND NOT ended
                                      AND expires > clock_timestamp()
                                ORDER BY incarnation DESC LIMIT 1";
                let found = client.query_opt(namesake, &[&name, &address]).await?;
                Ok(found.map(|row| (row.get(0), row.get(1))))
            }
        })
    }

    /// The number of this process among the nodes: that of its first incarnation.
    pub fn number(&self) -> u64 {
        self.number.unwrap_or(self.incarnation)
    }

    /// A secret that only the fleet's servers know, by name: `link` or `admin-token`.
    pub fn secret(&mut self, name: &'static str) -> Result<String, StoreError> {
        self.ask(move |client: Arc<Connection>| async move {
            let query = "SELECT value FROM secrets WHERE name = $1";
            Ok(client.query_one(query, &[&name]).await?.get(0))
        })
    }

    /// Asks over the connection there is, and then over a new one until an answer would be too late.
    /// The first has a part of that time alone: a connection that is silent must not use it up.
    fn ask<T, F>(
        &mut self,
        question: impl Fn(Arc<Connection>) -> F + Clone + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let until = Instant::now() + self.time_to_live;
        loop {
            let (database, question) = (self.database.clone(), question.clone());
            let client = self.client.take().filter(|client| !client.is_closed());
            let is_new = client.is_none();
            let within = match is_new {
                true => until.saturating_duration_since(Instant::now()),
                false => self.time_to_live / PART,
            };
            let answer = self.database.ask(within, async move {
                let client = match client {
                    Some(client) => client,
                    None => Arc::new(database.connect().await?),
                };
                let answer = question(client.clone()).await?;
                Ok((answer, client))
            });
            match answer {
                Ok((answer, client)) => {
                    self.client = Some(client);
                    return Ok(answer);
                }
                Err(fault) if is_new || !fault.is_passing() => {
                    return Err(self.database.failed(fault));
                }
                Err(_) => {}
            }
        }
    }

    /// How long each node has said nothing, by the clock of this one. The database's may have been set back;
    /// then a node that has ended is alive there until it has caught up.
    fn silences(&mut self, nodes: &[tokio_postgres::Row]) -> BTreeMap<u64, Duration> {
        let (now, before) = (Instant::now(), std::mem::take(&mut self.said));
        for row in nodes {
            let (node, said) = (row.get::<_, i64>(0).unsigned_abs(), row.get::<_, String>(7));
            let same = before.get(&node).filter(|(known, _)| *known == said);
            let since = same.map_or(now, |(_, since)| *since);
            self.said.insert(node, (said, since));
        }
        self.said.iter().map(|(node, (_, since))| (*node, now - *since)).collect()
    }

    /// Marks nodes that have been silent for too long as ended.
    fn end_silent(&mut self, silences: &BTreeMap<u64, Duration>) -> Result<(), StoreError> {
        let limit = self.time_to_live * 3 / 2;
        let is_silent = |node: &u64| *node != self.incarnation && silences[node] > limit;
        let silent: Vec<(i64, String)> = silences
            .keys()
            .filter(|node| is_silent(node))
            .map(|node| (*node as i64, self.said[node].0.clone()))
            .collect();
        for (node, said) in silent {
            self.ask(move |client: Arc<Connection>| {
                let said = said.clone();
                async move {
                    // Unless it has said something meanwhile.
                    let end = "UPDATE nodes SET ended = true
                               WHERE incarnation = $1 AND NOT ended AND expires::text = $2";
                    client.execute(end, &[&node, &said]).await
                }
            })?;
        }
        Ok(())
    }

    fn me(&self) -> i64 {
        self.incarnation as i64
    }
}

impl Leases for PostgresLeases {
    fn incarnation(&self) -> u64 {
        self.incarnation
    }

    fn beat(&mut self) -> Result<Fleet, StoreError> {
        let (sent, me, ttl) = (Instant::now(), self.me(), self.time_to_live.as_millis() as f64);
        let (beaten, nodes, streams) = self.ask(move |client: Arc<Connection>| async move {
            // A node marked as ended can't beat any more, and a node that has just beaten can't be
            // marked: both change the same row.
            let beat = "WITH ended AS (
                            UPDATE nodes SET ended = true
                            WHERE NOT ended AND expires <= clock_timestamp() AND incarnation <> $1
                        )
                        UPDATE nodes
                        SET expires = clock_timestamp() + $2::float8 * interval '1 millisecond'
                        WHERE incarnation = $1 AND NOT ended AND expires > clock_timestamp()";
            let beaten = client.execute(beat, &[&me, &ttl]).await?;
            let nodes = "SELECT incarnation, name, address,
                                extract(epoch FROM clock_timestamp() - joined)::float8 * 1000,
                                $1::float8 - extract(epoch FROM expires - clock_timestamp())::float8 * 1000,
                                coalesce(number, incarnation), leaving, expires::text
                         FROM nodes WHERE NOT ended ORDER BY incarnation";
            let nodes = client.query(nodes, &[&ttl]).await?;
            let streams = "SELECT stream, n.incarnation, epoch, batch,
                                  extract(epoch FROM clock_timestamp() - since)::float8 * 1000
                           FROM streams LEFT JOIN nodes AS n
                                ON n.incarnation = owner AND NOT n.ended
                           ORDER BY stream";
            Ok((beaten, nodes, client.query(streams, &[]).await?))
        })?;
        let silences = self.silences(&nodes);
        self.end_silent(&silences)?;
        let number = |row: &tokio_postgres::Row, index| row.get::<_, i64>(index).unsigned_abs();
        let ms = |row: &tokio_postgres::Row, index| row.get::<_, f64>(index).max(0.0) as u64;
        let node = |row| Node {
            incarnation: number(row, 0),
            name: row.get(1),
            address: row.get(2),
            age_ms: ms(row, 3),
            silent_ms: ms(row, 4).max(silences[&number(row, 0)].as_millis() as u64),
            number: number(row, 5),
            leaving: row.get(6),
        };
        let holding = |row: &tokio_postgres::Row| Holding {
            stream: row.get(0),
            owner: row.get::<_, Option<i64>>(1).map(i64::unsigned_abs),
            epoch: number(row, 2),
            batch: number(row, 3),
            age_ms: ms(row, 4),
        };
        let nodes: Vec<Node> = nodes.iter().map(node).collect();
        if beaten == 0 {
            let later = |node: &Node| node.name == self.name && node.incarnation > self.incarnation;
            return Err(match nodes.iter().any(later) {
                true => StoreError::Replaced(self.name.clone()),
                false => StoreError::Expired(self.name.clone()),
            });
        }
        let streams = streams.iter().map(holding).collect();
        Ok(Fleet { lease: Lease::from(sent, self.time_to_live), nodes, streams })
    }

    fn rejoin(&mut self) -> Result<u64, StoreError> {
        let (name, address) = (self.name.clone(), self.address.clone());
        let ttl = self.time_to_live.as_millis() as f64;
        let number = self.number.map(|number| number as i64);
        // This process owned them before and no other node has loaded them since; loading makes it
        // the owner.
        let before = self.me();
        let incarnation: i64 = self.ask(move |client: Arc<Connection>| {
            let (name, address) = (name.clone(), address.clone());
            async move {
                let join =
                    "WITH earlier AS (UPDATE nodes SET ended = true WHERE name = $1 AND NOT ended),
                             forgotten AS (DELETE FROM nodes WHERE ended
                             AND (name = $1 OR expires < clock_timestamp() - interval '1 day')),
                        joined AS (
                            INSERT INTO nodes (name, address, number, expires)
                            VALUES ($1, $2, $4,
                                    clock_timestamp() + $3::float8 * interval '1 millisecond')
                            RETURNING incarnation),
                        kept AS (UPDATE streams SET owner = (SELECT incarnation FROM joined)
                                 WHERE owner = $5)
                        SELECT incarnation FROM joined";
                let known: [&(dyn ToSql + Sync); 5] = [&name, &address, &ttl, &number, &before];
                Ok(client.query_one(join, &known).await?.get(0))
            }
        })?;
        self.incarnation = incarnation.unsigned_abs();
        self.number.get_or_insert(self.incarnation);
        Ok(self.incarnation)
    }

    fn resign(&mut self, stream: &str) -> Result<bool, StoreError> {
        let (stream, me) = (stream.to_owned(), self.me());
        let changed = self.ask(move |client: Arc<Connection>| {
            let stream = stream.clone();
            async move {
                let resign = "UPDATE streams SET owner = NULL WHERE stream = $1 AND owner = $2";
                client.execute(resign, &[&stream, &me]).await
            }
        })?;
        Ok(changed > 0)
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        let me = self.me();
        let said = self.ask(move |client: Arc<Connection>| async move {
            client.execute("UPDATE nodes SET leaving = true WHERE incarnation = $1", &[&me]).await
        });
        said.map(drop)
    }

    fn leave(&mut self) -> Result<(), StoreError> {
        let me = self.me();
        let ended = self.ask(move |client: Arc<Connection>| async move {
            client.execute("UPDATE nodes SET ended = true WHERE incarnation = $1", &[&me]).await
        });
        ended.map(drop)
    }
}
