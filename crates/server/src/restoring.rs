//! What an earlier server has left open, and what has lately ended, as a hall takes it up.

use anyhow::{Context, Result};
use hall::{Hall, Output, TableNo, TableRecord, TournamentNo, TournamentRecord};
use store::{Filter, Finished, Kind, Loaded, StoredRecord, Topic};
use wire::Playable;

use crate::{Opening, clock};

/// So long after its end a table or a tournament is remembered over a restart.
const LATELY_MS: u64 = 60 * 60 * 1000;

impl Opening {
    /// Takes up what was open when the server last ended.
    pub(super) fn restore<G: Playable>(
        &mut self,
        hall: &mut Hall<G>,
        loaded: Loaded,
    ) -> Result<Vec<Output<G>>> {
        let Loaded { open, next_table, next_tournament, .. } = loaded;
        let mut tables = Vec::new();
        let lately_over = self.lately_over::<G, TableRecord<G>>(Kind::Table)?;
        let lately_over = lately_over.into_iter().map(|(no, records)| (TableNo(no), records));
        let lately_over = lately_over.collect();
        let over = self.lately_over::<G, TournamentRecord<G>>(Kind::Tournament)?;
        let mut tournaments: Vec<_> =
            over.into_iter().map(|(no, records)| (TournamentNo(no), records)).collect();
        let over = tournaments.len();
        for (topic, lines) in open {
            match topic {
                Topic::Table(no) => tables.push((TableNo(no), read::<G, _>(topic, &lines)?)),
                Topic::Tournament(no) => {
                    tournaments.push((TournamentNo(no), read::<G, _>(topic, &lines)?));
                }
            }
        }
        let (open_tables, open_tournaments) = (tables.len(), tournaments.len() - over);
        let unfinished =
            hall::Unfinished { tables, lately_over, tournaments, next_table, next_tournament };
        let mut outputs = Vec::new();
        hall.restore(clock::now(), unfinished, &mut outputs).with_context(|| G::NAME.to_owned())?;
        if open_tables + open_tournaments > 0 {
            let (tables, tournaments) = (open_tables, open_tournaments);
            tracing::info!(game = G::NAME, tables, tournaments, "what was open is taken up again");
        }
        Ok(outputs)
    }

    /// Tables or tournaments whose end not everybody may have heard, the oldest first.
    fn lately_over<G: Playable, R: serde::de::DeserializeOwned>(
        &self,
        kind: Kind,
    ) -> Result<Vec<(u64, Vec<R>)>> {
        let since = Some(clock::now().0.saturating_sub(LATELY_MS));
        let game = Some(G::NAME.to_owned());
        let over = self.archive.finished(&Filter {
            kind,
            game,
            since,
            limit: 100,
            ..Filter::default()
        })?;
        let mut found = Vec::new();
        for Finished { id, number, rules_version, .. } in over.into_iter().rev() {
            let Some(replay) = self.archive.replay(kind, G::NAME, &id)?.filter(|replay| {
                // Of several with one id the last alone can be found.
                replay.summary.number == number && rules_version == G::VERSION
            }) else {
                continue;
            };
            found.push((number, read::<G, _>(Topic::new(kind, number), &replay.lines)?));
        }
        Ok(found)
    }
}

/// The records of one topic, read from their text.
fn read<G: Playable, R: serde::de::DeserializeOwned>(
    topic: Topic,
    lines: &[StoredRecord],
) -> Result<Vec<R>> {
    let read = lines.iter().map(|line| serde_json::from_str(&line.record));
    let records = read.collect::<Result<_, _>>();
    records.with_context(|| format!("cannot read the records of {} {topic:?}", G::NAME))
}
