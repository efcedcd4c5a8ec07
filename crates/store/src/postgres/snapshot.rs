//! The contents of a database at one moment, read while servers write to it.
//!
//! One statement reads the streams and sees one moment. Games are read afterwards, up to the last
//! one of that moment; they never change. A game that was about to end at that moment is still open
//! in its stream, so it is left out of the finished ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::database::COPY_WITHIN;
use super::{Database, PostgresArchive, read_open};
use crate::copying::Source;
use crate::{Batch, Journal, Kind, Loaded, Replay, StoreError, Topic};

/// The streams of that moment, as a journal that can be read alone.
#[derive(Clone, Debug)]
pub struct SnapshotStreams {
    place: String,
    streams: Arc<BTreeMap<String, Loaded>>,
}

/// The games that were over at that moment.
#[derive(Debug)]
pub struct SnapshotGames {
    archive: PostgresArchive,
    open: SnapshotStreams,
    /// The last of them.
    last: u64,
}

impl Database {
    /// The contents now, while others write.
    pub fn snapshot(&self) -> Result<(SnapshotStreams, SnapshotGames), StoreError> {
        let query = "SELECT s.stream, s.epoch, s.next_table, s.next_tournament,
                            coalesce((SELECT string_agg(j.lines, '' ORDER BY j.batch, j.part)
                                      FROM journal AS j WHERE j.stream = s.stream), ''),
                            (SELECT coalesce(max(place), 0) FROM games)
                     FROM streams AS s ORDER BY s.stream";
        let asked = self.clone();
        let rows = self.ask(COPY_WITHIN, async move {
            let client = asked.connect().await?;
            client.batch_execute("SET statement_timeout = 0").await?;
            client.query(query, &[]).await
        });
        let rows = rows.map_err(|fault| self.failed(fault))?;
        let (mut streams, mut last) = (BTreeMap::new(), 0);
        for row in &rows {
            let number = |index| row.get::<_, i64>(index).unsigned_abs();
            let stream: String = row.get(0);
            let loaded = Loaded {
                epoch: number(1),
                next_table: number(2),
                next_tournament: number(3),
                open: read_open(self, &stream, row.get(4))?,
            };
            streams.insert(stream, loaded);
            last = number(5);
        }
        let (place, streams) = (self.place().to_owned(), Arc::new(streams));
        let open = SnapshotStreams { place, streams };
        let archive = PostgresArchive::new(self.clone());
        Ok((open.clone(), SnapshotGames { archive, open, last }))
    }
}

impl SnapshotStreams {
    fn has(&self, kind: Kind, replay: &Replay) -> bool {
        let topic = Topic::new(kind, replay.summary.number);
        let stream = self.streams.get(&replay.summary.game);
        stream.is_some_and(|stream| stream.open.contains_key(&topic))
    }

    fn read_only<T>(&self) -> Result<T, StoreError> {
        let what = "a copy of it is only read".to_owned();
        Err(StoreError::Unsuitable { place: self.place.clone(), what })
    }
}

impl Source for SnapshotGames {
    fn kept_after(&self, mut place: u64, limit: usize) -> Result<Vec<(Kind, Replay)>, StoreError> {
        loop {
            let mut kept = self.archive.kept_after(place, limit)?;
            let Some((_, last)) = kept.last() else { return Ok(kept) };
            place = last.summary.place;
            kept.retain(|(kind, replay)| {
                replay.summary.place <= self.last && !self.open.has(*kind, replay)
            });
            if !kept.is_empty() || place >= self.last {
                return Ok(kept);
            }
        }
    }
}

impl Journal for SnapshotStreams {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        let open = self.streams.iter().filter(|(_, loaded)| !loaded.open.is_empty());
        Ok(open.map(|(stream, _)| stream.clone()).collect())
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        let fresh =
            || Loaded { epoch: 1, open: BTreeMap::new(), next_table: 1, next_tournament: 1 };
        Ok(self.streams.get(stream).cloned().unwrap_or_else(fresh))
    }

    fn append(&mut self, _: Vec<Batch>) -> Result<(), StoreError> {
        self.read_only()
    }

    fn prune(&mut self, _: u64, _: usize) -> Result<usize, StoreError> {
        self.read_only()
    }

    fn close(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}
