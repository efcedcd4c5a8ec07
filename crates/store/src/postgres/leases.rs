//! The nodes of a fleet and what belongs to them, in the database, by its clock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error};

use super::{Database, database};
use crate::StoreError;
use crate::leases::{Fleet, Holding, Lease, Leases, Node};

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
    client: Option<Arc<Client>>,
}

impl PostgresLeases {
    /// Joins the fleet under a name. A server that had the name before has ended by that: it is either
    /// gone already, or is told so at its next beat.
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
        };
        leases.rejoin()?;
        Ok(leases)
    }

    /// The number of this process among the nodes: that of its first incarnation.
    pub fn number(&self) -> u64 {
        self.number.unwrap_or(self.incarnation)
    }

    /// What only the fleet's servers know, by its name: `link` or `admin-token`.
    pub fn secret(&mut self, name: &'static str) -> Result<String, StoreError> {
        self.ask(move |client: Arc<Client>| async move {
            let query = "SELECT value FROM secrets WHERE name = $1";
            Ok(client.query_one(query, &[&name]).await?.get(0))
        })
    }

    /// Asks once, and once more over a new connection: who says that it is alive has no time to wait.
    fn ask<T, F>(
        &mut self,
        question: impl Fn(Arc<Client>) -> F + Clone + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send,
    {
        let mut is_second = false;
        loop {
            let (database, client) = (self.database.clone(), self.client.take());
            let (question, limit) = (question.clone(), self.time_to_live);
            let asked = async move {
                let client = match client.filter(|client| !client.is_closed()) {
                    Some(client) => client,
                    None => Arc::new(database.connect().await?),
                };
                let answer = question(client.clone()).await?;
                Ok::<_, Error>((answer, client))
            };
            // An answer after that is of no use.
            let answer =
                self.database.wait(async move { tokio::time::timeout(limit, asked).await });
            match answer {
                Ok(Ok((answer, client))) => {
                    self.client = Some(client);
                    return Ok(answer);
                }
                Ok(Err(error)) if !is_second && database::is_passing(&error) => is_second = true,
                Ok(Err(error)) => return Err(self.database.failed(error)),
                Err(_) => {
                    let cause = "it does not answer".into();
                    return Err(StoreError::Failed {
                        place: self.database.place().to_owned(),
                        cause,
                    });
                }
            }
        }
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
        let (beaten, nodes, streams) = self.ask(move |client: Arc<Client>| async move {
            // Whoever is marked as ended cannot beat any more, and whoever has just beaten cannot be
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
                                coalesce(number, incarnation), leaving
                         FROM nodes WHERE NOT ended ORDER BY incarnation";
            let nodes = client.query(nodes, &[&ttl]).await?;
            let streams = "SELECT stream, n.incarnation, epoch, batch,
                                  extract(epoch FROM clock_timestamp() - since)::float8 * 1000
                           FROM streams LEFT JOIN nodes AS n
                                ON n.incarnation = owner AND NOT n.ended
                           ORDER BY stream";
            Ok((beaten, nodes, client.query(streams, &[]).await?))
        })?;
        let number = |row: &tokio_postgres::Row, index| row.get::<_, i64>(index).unsigned_abs();
        let ms = |row: &tokio_postgres::Row, index| row.get::<_, f64>(index).max(0.0) as u64;
        let node = |row| Node {
            incarnation: number(row, 0),
            name: row.get(1),
            address: row.get(2),
            age_ms: ms(row, 3),
            silent_ms: ms(row, 4),
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
        // Its own process had them, and nobody has loaded them since: whoever does is their owner.
        let before = self.me();
        let incarnation: i64 = self.ask(move |client: Arc<Client>| {
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
        let changed = self.ask(move |client: Arc<Client>| {
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
        let said = self.ask(move |client: Arc<Client>| async move {
            client.execute("UPDATE nodes SET leaving = true WHERE incarnation = $1", &[&me]).await
        });
        said.map(drop)
    }

    fn leave(&mut self) -> Result<(), StoreError> {
        let me = self.me();
        let ended = self.ask(move |client: Arc<Client>| async move {
            client.execute("UPDATE nodes SET ended = true WHERE incarnation = $1", &[&me]).await
        });
        ended.map(drop)
    }
}
