//! A journal in memory, for servers without a data folder. It keeps the most recent games.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::value::RawValue;

use crate::{
    Archive, Batch, Cause, Filter, Finished, Journal, Kind, Loaded, Mark, Replay, Size, StoreError,
    StoredRecord, Summary, Topic, Writing, chain,
};

/// Number of finished games to keep.
const GAMES_KEPT: usize = 1000;

/// Typical number of records per game.
const USUAL_RECORDS: usize = 32;

/// A journal and its archive: clones share what they hold. The lock is held for look-ups only.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    streams: BTreeMap<Cow<'static, str>, Stream>,
    games: VecDeque<(Kind, Finished, Records)>,
    place: u64,
}

#[derive(Debug, Default)]
struct Stream {
    epoch: u64,
    open: BTreeMap<Topic, Records>,
    /// The numbers after the greatest ever used.
    next_table: u64,
    next_tournament: u64,
}

/// A table's records and their times. Few are ever read, so none is written out before.
type Records = Vec<(u64, Cause, Arc<dyn Writing>)>;

impl Memory {
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

impl Journal for Memory {
    fn streams(&self) -> Result<Vec<String>, StoreError> {
        let contents = self.contents();
        let open = contents.streams.iter().filter(|(_, stream)| !stream.open.is_empty());
        Ok(open.map(|(name, _)| name.to_string()).collect())
    }

    fn load(&mut self, stream: &str) -> Result<Loaded, StoreError> {
        let mut contents = self.contents();
        let name = stream;
        let stream = contents.streams.entry(name.to_owned().into()).or_default();
        stream.epoch += 1;
        let open = stream.open.iter().map(|(topic, records)| (*topic, lines(name, records)));
        Ok(Loaded {
            epoch: stream.epoch,
            open: open.collect(),
            next_table: stream.next_table.max(1),
            next_tournament: stream.next_tournament.max(1),
        })
    }

    fn append(&mut self, batches: Vec<Batch>) -> Result<(), StoreError> {
        let mut contents = self.contents();
        for Batch { stream, epoch, .. } in &batches {
            if contents.streams.get(stream).is_none_or(|known| known.epoch != *epoch) {
                let stream = stream.to_string();
                return Err(StoreError::Superseded { stream, epoch: *epoch });
            }
        }
        for batch in batches {
            contents.take(batch);
        }
        while contents.games.len() > GAMES_KEPT {
            contents.games.pop_front();
        }
        Ok(())
    }

    fn prune(&mut self, closed_before: u64, at_most: usize) -> Result<usize, StoreError> {
        let mut contents = self.contents();
        let before = contents.games.len();
        let mut left = at_most;
        contents.games.retain(|(kind, summary, _)| {
            let stays = summary.rated || *kind == Kind::Tournament;
            let goes = left > 0 && !stays && summary.closed_at < closed_before;
            left -= usize::from(goes);
            !goes
        });
        Ok(before - contents.games.len())
    }

    fn close(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Contents {
    fn take(&mut self, Batch { stream: game, rows, .. }: Batch) {
        let stream =
            self.streams.get_mut(&game).expect("only a stream that was loaded has an epoch");
        for row in rows {
            if row.mark == Mark::Opens {
                let next = match row.topic {
                    Topic::Table(_) => Some(&mut stream.next_table),
                    Topic::Tournament(_) => Some(&mut stream.next_tournament),
                    Topic::Register | Topic::Page(_) => None,
                };
                if let Some(next) = next {
                    *next = row.topic.number().saturating_add(1).max(*next);
                }
            }
            let records = stream.open.entry(row.topic);
            let records = records.or_insert_with(|| Vec::with_capacity(USUAL_RECORDS));
            records.push((row.at, row.cause, row.record));
            if let Mark::Closes(summary) = row.mark {
                let records = stream.open.remove(&row.topic).unwrap_or_default();
                if let Some(summary) = summary {
                    self.place += 1;
                    let finished = finished(&game, row.topic, *summary, row.at, self.place);
                    self.games.push_back((row.topic.kind(), finished, records));
                }
            }
        }
    }
}

fn lines(stream: &str, records: &Records) -> Vec<StoredRecord> {
    let mut hash = chain::end(stream, &[]);
    let line = |(at, cause, record): &(u64, Cause, Arc<dyn Writing>)| {
        let line = StoredRecord::after(&hash, *at, *cause, record.to_json());
        hash.clone_from(&line.hash);
        line
    };
    records.iter().map(line).collect()
}

fn finished(game: &str, topic: Topic, summary: Summary, closed_at: u64, place: u64) -> Finished {
    Finished {
        game: game.to_owned(),
        number: topic.number(),
        id: summary.id,
        status: if summary.finished { "finished" } else { "void" },
        players: summary.names,
        versions: summary.versions,
        opened_at: summary.opened_at,
        closed_at,
        rules_version: summary.rules_version,
        closing: RawValue::from_string(summary.closing).expect("a closing is JSON"),
        rated: summary.rated,
        tournament: summary.tournament,
        place,
    }
}

impl Archive for Memory {
    fn finished(&self, filter: &Filter) -> Result<Vec<Finished>, StoreError> {
        let fits = |(kind, game, _): &&(Kind, Finished, Records)| {
            *kind == filter.kind
                && filter.game.as_ref().is_none_or(|name| game.game == *name)
                && filter.player.as_ref().is_none_or(|name| game.players.contains(name))
                && filter.finished.is_none_or(|finished| (game.status == "finished") == finished)
                && filter.tournament.is_none_or(|of_one| game.is_of_tournament() == of_one)
                && filter.since.is_none_or(|since| game.closed_at >= since)
                && filter.until.is_none_or(|until| game.closed_at < until)
                && filter.after.is_none_or(|after| game.place < after)
        };
        let contents = self.contents();
        let games = contents.games.iter().rev().filter(fits).map(|(_, game, _)| game.clone());
        Ok(games.take(filter.limit).collect())
    }

    fn rated(&self, game: &str, after: u64, limit: usize) -> Result<Vec<Finished>, StoreError> {
        let contents = self.contents();
        let games = contents.games.iter().map(|(_, summary, _)| summary);
        let fits = |one: &&Finished| {
            one.rated && one.game == game && one.status == "finished" && one.place > after
        };
        Ok(games.filter(fits).take(limit).cloned().collect())
    }

    fn replay(&self, kind: Kind, game: &str, id: &str) -> Result<Option<Replay>, StoreError> {
        let is_it = |(of, summary, _): &&(Kind, Finished, Records)| {
            *of == kind && summary.game == game && summary.id == id
        };
        let found = self.contents().games.iter().rev().find(is_it).cloned();
        Ok(found.map(|(_, summary, records)| Replay { summary, lines: lines(game, &records) }))
    }

    fn so_far(&self, stream: &str, topic: Topic) -> Result<Vec<StoredRecord>, StoreError> {
        let contents = self.contents();
        let open = contents.streams.get(stream).and_then(|known| known.open.get(&topic));
        Ok(open.map_or_else(Vec::new, |records| lines(stream, records)))
    }

    fn size(&self) -> Result<Size, StoreError> {
        let contents = self.contents();
        let mut counts: BTreeMap<(Kind, &str), (u64, u64)> = BTreeMap::new();
        for (kind, summary, _) in &contents.games {
            let count = counts.entry((*kind, &summary.game)).or_default();
            match summary.status {
                "finished" => count.0 += 1,
                _ => count.1 += 1,
            }
        }
        let kept = counts
            .into_iter()
            .map(|((kind, game), (finished, void))| (kind, game.to_owned(), finished, void));
        let open = contents.streams.values().flat_map(|stream| stream.open.keys());
        Ok(Size::count(open.map(|topic| topic.kind()), kept))
    }
}
