//! A journal in memory, for servers that keep nothing: the last games, and no more.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::value::RawValue;

use crate::{
    Archive, Filter, Finished, Journal, Line, Mark, Replay, Row, Size, StoreError, Summary,
    TOURNAMENTS, Writing,
};

/// So many games are remembered.
const GAMES_KEPT: usize = 1000;

/// So many records a game usually has.
const USUAL_RECORDS: usize = 32;

/// A journal and its archive: clones share what they hold. The lock is held for look-ups only.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    /// Numbers first: they are quicker to tell apart.
    open: BTreeMap<(u64, Cow<'static, str>), Records>,
    games: VecDeque<(Finished, Records)>,
    place: u64,
}

/// A table's records and their times. Few are ever read, so none is written out before.
type Records = Vec<(u64, Arc<dyn Writing>)>;

impl Memory {
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

impl Journal for Memory {
    fn append(&mut self, rows: Vec<Row>) -> Result<(), StoreError> {
        let mut contents = self.contents();
        for row in rows {
            let key = (row.table, row.game);
            let records = contents.open.entry(key.clone());
            let records = records.or_insert_with(|| Vec::with_capacity(USUAL_RECORDS));
            records.push((row.at, row.record));
            if let Mark::Closes(summary) = row.mark {
                let records = contents.open.remove(&key).unwrap_or_default();
                if let Some(summary) = summary {
                    contents.place += 1;
                    let summary = finished(key, *summary, row.at, contents.place);
                    contents.games.push_back((summary, records));
                }
            }
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
        contents.games.retain(|(summary, _)| {
            let stays = summary.rated || summary.game.ends_with(TOURNAMENTS);
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

fn finished(
    (number, game): (u64, Cow<'static, str>),
    summary: Summary,
    closed_at: u64,
    place: u64,
) -> Finished {
    Finished {
        game: game.into_owned(),
        number,
        id: summary.id,
        status: if summary.finished { "finished" } else { "void" },
        players: summary.names,
        opened_at: summary.opened_at,
        closed_at,
        rules_version: summary.rules_version,
        closing: RawValue::from_string(summary.closing).expect("a closing is JSON"),
        rated: summary.rated,
        place,
    }
}

impl Archive for Memory {
    fn finished(&self, filter: &Filter) -> Result<Vec<Finished>, StoreError> {
        let fits = |game: &&Finished| {
            let shelf = !game.game.ends_with(TOURNAMENTS);
            filter.game.as_ref().map_or(shelf, |name| game.game == *name)
                && filter.player.as_ref().is_none_or(|name| game.players.contains(name))
                && filter.finished.is_none_or(|finished| (game.status == "finished") == finished)
                && filter.since.is_none_or(|since| game.closed_at >= since)
                && filter.until.is_none_or(|until| game.closed_at < until)
                && filter.after.is_none_or(|after| game.place < after)
        };
        let contents = self.contents();
        let games = contents.games.iter().rev().map(|(summary, _)| summary);
        Ok(games.filter(fits).take(filter.limit).cloned().collect())
    }

    fn rated(&self, game: &str, after: u64, limit: usize) -> Result<Vec<Finished>, StoreError> {
        let contents = self.contents();
        let games = contents.games.iter().map(|(summary, _)| summary);
        let fits = |one: &&Finished| {
            one.rated && one.game == game && one.status == "finished" && one.place > after
        };
        Ok(games.filter(fits).take(limit).cloned().collect())
    }

    fn replay(&self, game: &str, id: &str) -> Result<Option<Replay>, StoreError> {
        let is_it = |(summary, _): &&(Finished, Records)| summary.game == game && summary.id == id;
        let found = self.contents().games.iter().rev().find(is_it).cloned();
        Ok(found.map(|(summary, records)| {
            let line =
                |(at, record): (u64, Arc<dyn Writing>)| Line { at, record: record.to_json() };
            Replay { summary, lines: records.into_iter().map(line).collect() }
        }))
    }

    fn size(&self) -> Result<Size, StoreError> {
        let contents = self.contents();
        let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for (summary, _) in &contents.games {
            let count = counts.entry(&summary.game).or_default();
            match summary.status {
                "finished" => count.0 += 1,
                _ => count.1 += 1,
            }
        }
        let kept =
            counts.into_iter().map(|(game, (finished, void))| (game.to_owned(), finished, void));
        Ok(Size::count(contents.open.keys().map(|(_, game)| &**game), kept))
    }
}
