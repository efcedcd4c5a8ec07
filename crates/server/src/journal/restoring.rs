//! What an earlier server left open, and what ended recently, as a hall restores it.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use hall::{
    Cause, Closing, Hall, OpenRecords, Output, Recorded, Standing, Summary, TableEntry, TableNo,
    TableRecord, Time, TournamentNo, TournamentRecord,
};
use store::{Archive, Filter, Finished, Kind, Loaded, StoredRecord, Topic};
use wire::Playable;

use crate::house::clock;

/// How long after its end a table or a tournament survives a restart.
const LATELY_MS: u64 = 60 * 60 * 1000;

/// Takes up what was open when the server last ended; or, with what others know of it, when a node
/// of the fleet was lost.
pub fn restore<G: Playable>(
    archive: &dyn Archive,
    hall: &mut Hall<G>,
    loaded: Loaded,
    standing: Option<Standing>,
) -> Result<(OpenRecords<G>, Vec<Output<G>>)> {
    let Loaded { open, next_table, next_tournament, .. } = loaded;
    let (mut tables, mut outputs) = (Vec::new(), Vec::new());
    let mut records = OpenRecords::default();
    let lately_over = find_lately_over::<G, TableRecord<G>>(archive, Kind::Table)?;
    let lately_over = lately_over.into_iter().map(|(no, records)| (TableNo(no), records));
    let lately_over = lately_over.collect();
    let over = find_lately_over::<G, TournamentRecord<G>>(archive, Kind::Tournament)?;
    let mut tournaments: Vec<_> =
        over.into_iter().map(|(no, records)| (TournamentNo(no), records)).collect();
    let over = tournaments.len();
    let written = open.values().flatten().map(|line| line.at).max();
    let last_written = Time(written.unwrap_or(0));
    for (topic, lines) in open {
        match topic {
            Topic::Table(no) => {
                let texts = lines.iter().map(|line| (Time(line.at), &*line.record));
                match Recorded::read(texts) {
                    Ok(recorded) => {
                        records.take_up(TableNo(no), recorded.clone());
                        tables.push((TableNo(no), recorded));
                    }
                    Err(error) => outputs.push(given_up(TableNo(no), &lines, &error)),
                }
            }
            Topic::Tournament(no) => {
                tournaments.push((TournamentNo(no), read::<G, _>(topic, &lines)?));
            }
            // Messages to other nodes aren't part of the hall.
            Topic::Page(_) => {}
            Topic::Register => {
                bail!("the journal of {} has a register of names", G::NAME)
            }
        }
    }
    let (open_tables, open_tournaments) = (tables.len(), tournaments.len() - over);
    let unfinished = hall::Unfinished {
        tables,
        lately_over,
        tournaments,
        next_table,
        next_tournament,
        last_written,
        standing,
    };
    hall.restore(clock::now(), unfinished, &mut outputs).with_context(|| G::NAME.to_owned())?;
    if open_tables + open_tournaments > 0 {
        let (tables, tournaments) = (open_tables, open_tournaments);
        tracing::info!(game = G::NAME, tables, tournaments, "what was open is taken up again");
    }
    Ok((records, outputs))
}

/// Tables or tournaments whose end may not be known to all, oldest first.
fn find_lately_over<G: Playable, R: serde::de::DeserializeOwned>(
    archive: &dyn Archive,
    kind: Kind,
) -> Result<Vec<(u64, Vec<R>)>> {
    let since = Some(clock::now().0.saturating_sub(LATELY_MS));
    let game = Some(G::NAME.to_owned());
    let over = archive.finished(&Filter { kind, game, since, limit: 100, ..Filter::default() })?;
    let mut found = Vec::new();
    for Finished { id, number, rules_version, .. } in over.into_iter().rev() {
        let Some(replay) = archive.replay(kind, G::NAME, &id)?.filter(|replay| {
            // Of several with one id the last alone can be found.
            replay.summary.number == number && rules_version == G::VERSION
        }) else {
            continue;
        };
        // An unreadable one isn't announced again; it stays listed.
        if let Ok(records) = read::<G, _>(Topic::new(kind, number), &replay.lines) {
            found.push((number, records));
        }
    }
    Ok(found)
}

/// Closes a table of another release whose records this one can't read: no one can continue it, and
/// it must not stop the others.
fn given_up<G: Playable>(table: TableNo, lines: &[StoredRecord], error: &str) -> Output<G> {
    let why = format!("this release cannot read its records: {error}");
    tracing::warn!(game = G::NAME, table = table.0, why, "a table is closed without a result");
    let closing = Closing::Void(why);
    let summary = Summary::outlined(lines.iter().map(|line| &*line.record), closing.clone());
    Output::TableRecord(TableEntry {
        table,
        at: clock::now(),
        cause: Cause::Begun,
        record: Arc::new(TableRecord::Closed(closing)),
        summary: summary.map(Box::new),
    })
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
