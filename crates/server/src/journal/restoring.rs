//! What an earlier server left open, and what ended recently, as a hall restores it.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use hall::{
    Cause, Closing, Hall, OpenRecords, Output, Recorded, Standing, Summary, TableEntry, TableNo,
    TableRecord, Time, TournamentNo, TournamentRecord,
};
use rules::any::AnyRules;
use store::{Archive, Filter, Finished, Kind, Loaded, StoredRecord, Topic};

use crate::house::clock;

/// How long after its end a table or a tournament survives a restart.
const LATELY_MS: u64 = 60 * 60 * 1000;

/// Takes up what was open when the server last ended; or, with what others know of it, when a node
/// of the fleet was lost.
pub fn restore(
    rules: &'static dyn AnyRules,
    archive: &dyn Archive,
    hall: &mut Hall,
    loaded: Loaded,
    standing: Option<Standing>,
) -> Result<(OpenRecords, Vec<Output>)> {
    let Loaded { open, next_table, next_tournament, .. } = loaded;
    let (mut tables, mut outputs) = (Vec::new(), Vec::new());
    let mut records = OpenRecords::default();
    let lately_over = find_lately_over::<TableRecord>(rules, archive, Kind::Table)?;
    let lately_over = lately_over.into_iter().map(|(no, records)| (TableNo(no), records));
    let lately_over = lately_over.collect();
    let over = find_lately_over::<TournamentRecord>(rules, archive, Kind::Tournament)?;
    let mut tournaments: Vec<_> =
        over.into_iter().map(|(no, records)| (TournamentNo(no), records)).collect();
    let over = tournaments.len();
    let written = open.values().flatten().map(|line| line.at).max();
    let last_written = Time(written.unwrap_or(0));
    for (topic, lines) in open {
        match topic {
            Topic::Table(no) => {
                let texts = lines.iter().map(|line| (Time(line.at), &*line.record));
                match Recorded::read(rules, texts) {
                    Ok(recorded) => {
                        records.take_up(TableNo(no), recorded.clone());
                        tables.push((TableNo(no), recorded));
                    }
                    Err(error) => outputs.push(given_up(rules, TableNo(no), &lines, &error)),
                }
            }
            Topic::Tournament(no) => {
                tournaments.push((TournamentNo(no), read(rules, topic, &lines)?));
            }
            // Messages to other nodes aren't part of the hall.
            Topic::Page(_) => {}
            Topic::Register => {
                bail!("the journal of {} has a register of names", rules.name())
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
    hall.restore(clock::now(), unfinished, &mut outputs)
        .with_context(|| rules.name().to_owned())?;
    if open_tables + open_tournaments > 0 {
        let (tables, tournaments) = (open_tables, open_tournaments);
        tracing::info!(game = rules.name(), tables, tournaments, "what was open is taken up again");
    }
    Ok((records, outputs))
}

/// Tables or tournaments whose end may not be known to all, oldest first.
fn find_lately_over<R: serde::de::DeserializeOwned>(
    rules: &'static dyn AnyRules,
    archive: &dyn Archive,
    kind: Kind,
) -> Result<Vec<(u64, Vec<R>)>> {
    let since = Some(clock::now().0.saturating_sub(LATELY_MS));
    let game = Some(rules.name().to_owned());
    let over = archive.finished(&Filter { kind, game, since, limit: 100, ..Filter::default() })?;
    let mut found = Vec::new();
    for Finished { id, number, rules_version, .. } in over.into_iter().rev() {
        let Some(replay) = archive.replay(kind, rules.name(), &id)?.filter(|replay| {
            // Of several with one id the last alone can be found.
            replay.summary.number == number && rules_version == rules.version()
        }) else {
            continue;
        };
        // An unreadable one isn't announced again; it stays listed.
        if let Ok(records) = read(rules, Topic::new(kind, number), &replay.lines) {
            found.push((number, records));
        }
    }
    Ok(found)
}

/// Closes a table of another release whose records this one can't read: no one can continue it, and
/// it must not stop the others.
fn given_up(rules: &dyn AnyRules, table: TableNo, lines: &[StoredRecord], error: &str) -> Output {
    let why = format!("this release cannot read its records: {error}");
    tracing::warn!(game = rules.name(), table = table.0, why, "a table is closed without a result");
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
fn read<R: serde::de::DeserializeOwned>(
    rules: &'static dyn AnyRules,
    topic: Topic,
    lines: &[StoredRecord],
) -> Result<Vec<R>> {
    let read = lines.iter().map(|line| serde_json::from_str(&line.record));
    let records = rules.reading(|| read.collect::<Result<_, _>>());
    records.with_context(|| format!("cannot read the records of {} {topic:?}", rules.name()))
}
