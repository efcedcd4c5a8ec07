//! A journal in memory, for servers that keep nothing: the last games, and no more.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::value::RawValue;

use crate::{
    Archive, Filter, Finished, Journal, Line, Mark, Replay, Row, Size, StoreError, Summary,
    TOURNAMENTS,
};

/// So many games are remembered.
const GAMES_KEPT: usize = 1000;

/// A journal and its archive: clones share what they hold. The lock is held for look-ups only.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    /// Numbers first: they are quicker to tell apart.
    open: BTreeMap<(u64, Cow<'static, str>), Vec<Line>>,
    games: VecDeque<Replay>,
    place: u64,
}

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
            let line = Line { at: row.at, record: row.record };
            match contents.open.get_mut(&key) {
                Some(lines) => lines.push(line),
                None => _ = contents.open.insert(key.clone(), vec![line]),
            }
            if let Mark::Closes(summary) = row.mark {
                let lines = contents.open.remove(&key).unwrap_or_default();
                if let Some(summary) = summary {
                    contents.place += 1;
                    let summary = finished(key, *summary, row.at, contents.place);
                    contents.games.push_back(Replay { summary, lines });
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
        contents.games.retain(|Replay { summary, .. }| {
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
        let games = contents.games.iter().rev().map(|replay| &replay.summary);
        Ok(games.filter(fits).take(filter.limit).cloned().collect())
    }

    fn rated(&self, game: &str, after: u64, limit: usize) -> Result<Vec<Finished>, StoreError> {
        let contents = self.contents();
        let games = contents.games.iter().map(|replay| &replay.summary);
        let fits = |one: &&Finished| {
            one.rated && one.game == game && one.status == "finished" && one.place > after
        };
        Ok(games.filter(fits).take(limit).cloned().collect())
    }

    fn replay(&self, game: &str, id: &str) -> Result<Option<Replay>, StoreError> {
        let contents = self.contents();
        let found = contents
            .games
            .iter()
            .rev()
            .find(|replay| replay.summary.game == game && replay.summary.id == id);
        Ok(found.cloned())
    }

    fn size(&self) -> Result<Size, StoreError> {
        let contents = self.contents();
        let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for replay in &contents.games {
            let count = counts.entry(&replay.summary.game).or_default();
            match replay.summary.status {
                "finished" => count.0 += 1,
                _ => count.1 += 1,
            }
        }
        let kept =
            counts.into_iter().map(|(game, (finished, void))| (game.to_owned(), finished, void));
        Ok(Size::count(contents.open.keys().map(|(_, game)| &**game), kept))
    }
}
