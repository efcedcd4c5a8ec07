//! A database that is filled with what another store holds.

use std::sync::Arc;

use tokio_postgres::Error;

use super::connecting::Connection;
use super::database::COPY_WITHIN;
use super::{Database, lines, number_of, storable};
use crate::copying::Destination;
use crate::query::versions_text;
use crate::{Kind, Loaded, Replay, StoreError};

/// A database that had nothing in it. One transaction fills it.
pub struct NewDatabase {
    database: Database,
    client: Arc<Connection>,
}

impl NewDatabase {
    /// Begins to fill a database, unless something is in it.
    pub fn begin(database: Database) -> Result<NewDatabase, StoreError> {
        let asked = database.clone();
        let (client, is_used) = database
            .ask(COPY_WITHIN, async move {
                let client = asked.connect().await?;
                // One transaction, without a time limit: it may take long.
                client.batch_execute("BEGIN; SET LOCAL statement_timeout = 0").await?;
                client.batch_execute("LOCK TABLE streams, games IN EXCLUSIVE MODE").await?;
                let used = "SELECT EXISTS (SELECT FROM streams) OR EXISTS (SELECT FROM games)";
                let is_used: bool = client.query_one(used, &[]).await?.get(0);
                Ok((client, is_used))
            })
            .map_err(|cause| database.failed(cause))?;
        if is_used {
            let what = "it holds games already; name an empty one".to_owned();
            return Err(StoreError::Unsuitable { place: database.place().to_owned(), what });
        }
        Ok(NewDatabase { database, client: Arc::new(client) })
    }

    fn put(
        &self,
        puts: impl Future<Output = Result<(), Error>> + Send + 'static,
    ) -> Result<(), StoreError> {
        self.database.ask(COPY_WITHIN, puts).map_err(|cause| self.database.failed(cause))
    }
}

impl Destination for NewDatabase {
    fn put_stream(&mut self, stream: &str, loaded: &Loaded) -> Result<(), StoreError> {
        let (client, stream, loaded) = (self.client.clone(), stream.to_owned(), loaded.clone());
        self.put(async move {
            let put = "INSERT INTO streams (stream, epoch, batch, next_table, next_tournament)
                       VALUES ($1, $2, 1, $3, $4)";
            let numbers = [loaded.epoch, loaded.next_table, loaded.next_tournament];
            let [epoch, table, tournament] = numbers.map(|number| number as i64);
            client.execute(put, &[&stream, &epoch, &table, &tournament]).await?;
            let mut text = String::new();
            for (topic, records) in &loaded.open {
                records.iter().for_each(|record| lines::write(&mut text, *topic, Some(record)));
            }
            let put = "INSERT INTO journal (stream, batch, part, lines) VALUES ($1, 1, $2, $3)";
            for (piece, part) in lines::pieces(&text).zip(0i32..) {
                client.execute(put, &[&stream, &part, &piece]).await?;
            }
            Ok(())
        })
    }

    fn put_kept(&mut self, kept: &[(Kind, Replay)]) -> Result<(), StoreError> {
        let (client, kept) = (self.client.clone(), kept.to_vec());
        self.put(async move {
            let put = "INSERT INTO games (place, stream, kind, number, id, finished, rules_version,
                                          opened_at, closed_at, names, closing, rated, records,
                                          versions, tournament)
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
            let put = client.prepare(put).await?;
            let name = "INSERT INTO players (name, place) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            let name = client.prepare(name).await?;
            for (kind, replay) in &kept {
                let (game, summary) = (&replay.summary, replay.kept());
                let numbers = [game.place, game.number, game.opened_at, game.closed_at];
                let [place, number, opened, closed] = numbers.map(|number| number as i64);
                let names = serde_json::to_string(&summary.names).expect("names are text");
                let (id, rules) = (storable(&game.id), i64::from(game.rules_version));
                client
                    .execute(
                        &put,
                        &[
                            &place,
                            &game.game,
                            &number_of(*kind),
                            &number,
                            &id,
                            &summary.finished,
                            &rules,
                            &opened,
                            &closed,
                            &names,
                            &summary.closing,
                            &summary.rated,
                            &replay.records(),
                            &versions_text(&summary.versions),
                            &summary.tournament.as_deref().map(storable),
                        ],
                    )
                    .await?;
                for player in &summary.names {
                    client.execute(&name, &[&storable(player), &place]).await?;
                }
            }
            Ok(())
        })
    }

    fn finish(self) -> Result<(), StoreError> {
        let client = self.client.clone();
        let is_there = self.database.ask(COPY_WITHIN, async move {
            // Positions continue from here.
            let next = "SELECT setval(pg_get_serial_sequence('games', 'place'),
                                      (SELECT coalesce(max(place), 0) + 1 FROM games), false)";
            client.execute(next, &[]).await?;
            client.batch_execute("COMMIT").await?;
            // A commit that the database has turned into a rollback reads like one that was made.
            let row = client.query_one("SELECT EXISTS (SELECT FROM streams)", &[]).await?;
            Ok::<bool, Error>(row.get(0))
        });
        match is_there.map_err(|cause| self.database.failed(cause))? {
            true => Ok(()),
            false => Err(self.database.damaged("nothing was written".to_owned())),
        }
    }
}

impl std::fmt::Debug for NewDatabase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("NewDatabase").field(&self.database).finish()
    }
}
