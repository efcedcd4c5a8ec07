//! Playing a game again from its records, and judging whether it is what they say.

use std::borrow::Borrow;

use rules::{Seat, SeatSet};

use crate::record::{Closing, TableRecord};
use crate::table::{Table, guarded};

/// Re-runs a table record by record and hands each step to `see`. The error is the first
/// difference between what the records say and what the rules do.
pub fn replay<R: Borrow<TableRecord>>(
    records: &[R],
    mut see: impl FnMut(&TableRecord, &Table),
) -> Result<Table, String> {
    let mut rerun = Rerun::begin(records)?;
    see(records[0].borrow(), &rerun.table);
    while let Some(record) = rerun.next(records) {
        rerun.step(records)?;
        see(record, &rerun.table);
    }
    Ok(rerun.table)
}

/// What a record means for all members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Nothing,
    /// A turn begins.
    Turn,
    /// The running turn continues without a seat.
    Retirement,
}

/// A table on its way through its records, which are the same at every call.
#[derive(Debug)]
pub struct Rerun {
    /// How many records have been played again.
    pub(crate) done: usize,
    pub table: Table,
}

impl Rerun {
    pub fn begin<R: Borrow<TableRecord>>(records: &[R]) -> Result<Rerun, String> {
        let Some(TableRecord::Opened(opened)) = records.first().map(Borrow::borrow) else {
            return Err("the first record does not open a table".to_owned());
        };
        let (begun, known) = (opened.version, opened.terms.config.rules().version());
        if begun != known {
            return Err(format!(
                "played under version {begun} of the rules; this build has version {known}"
            ));
        }
        Ok(Rerun { done: 1, table: Table::new(opened.clone()) })
    }

    /// The next step.
    pub fn next<'a, R: Borrow<TableRecord>>(&self, records: &'a [R]) -> Option<&'a TableRecord> {
        records.get(self.done).map(Borrow::borrow)
    }

    /// Plays the next record again, unless the rules do not agree.
    pub fn step<R: Borrow<TableRecord>>(&mut self, records: &[R]) -> Result<Shown, String> {
        let Some(record) = self.next(records) else { return Ok(Shown::Nothing) };
        let before = self.table.seq();
        self.done += 1;
        let number = self.done;
        examine(&self.table, record).map_err(|why| format!("record {number}: {why}"))?;
        self.table.apply(record);
        match self.table.fault() {
            Some(fault) => Err(format!("record {number}: the rules break down: {fault}")),
            None if matches!(record, TableRecord::Started { .. }) => Ok(Shown::Turn),
            None if self.table.seq() != before => Ok(Shown::Turn),
            None if matches!(record, TableRecord::Retired { .. }) => Ok(Shown::Retirement),
            None => Ok(Shown::Nothing),
        }
    }
}

/// Whether the rules agree that this can happen now.
fn examine(table: &Table, record: &TableRecord) -> Result<(), String> {
    if table.closing().is_some() {
        return Err("the table is closed already".to_owned());
    }
    match record {
        TableRecord::Opened(_) => Err("the table is open already".to_owned()),
        TableRecord::Moved { seq, seat, action, .. } => {
            if *seq != table.seq() {
                return Err(format!("a move of turn {seq} in turn {}", table.seq()));
            }
            if !table.owed().contains(*seat) {
                return Err(format!("seat {seat} moves and does not owe a move"));
            }
            let game = table.game().ok_or("a move before the start")?;
            guarded(|| game.check(*seat, action).map_err(|illegal| illegal.to_string()))
                .flatten()
                .map_err(|why| format!("seat {seat} plays {action:?}: {why}"))
        }
        TableRecord::Expired { seq, .. } => {
            if *seq != table.seq() || table.owed().is_empty() {
                return Err(format!("the clock of turn {seq} runs out in turn {}", table.seq()));
            }
            Ok(())
        }
        TableRecord::Closed(Closing::Over(outcome)) => {
            match table.game().and_then(|game| game.outcome()) {
                Some(found) if found == outcome => Ok(()),
                Some(found) => Err(format!("the result was {outcome:?}; the rules say {found:?}")),
                None => Err("a result was recorded; by the rules the game is not over".to_owned()),
            }
        }
        TableRecord::Seated { seat, .. } => {
            let exists = seat.index() < table.seats();
            if exists { Ok(()) } else { Err(format!("there is no seat {seat}")) }
        }
        TableRecord::Ready { seat }
        | TableRecord::Deputed { seat, .. }
        | TableRecord::Away { seat, .. }
        | TableRecord::Back { seat } => taken(table, *seat),
        TableRecord::Crashed { seat } => {
            let exists = seat.index() < table.seats();
            if exists { Ok(()) } else { Err(format!("there is no seat {seat}")) }
        }
        TableRecord::Left { .. } | TableRecord::Started { .. } if table.game().is_some() => {
            Err("the game has begun already".to_owned())
        }
        TableRecord::Left { seat } => taken(table, *seat),
        TableRecord::Started { seed: Some(seed), .. } if *seed != table.opened().seed => {
            Err("dealt from another seed than the table was opened with".to_owned())
        }
        TableRecord::Started { order, .. } => {
            order.iter().try_for_each(|seat| taken(table, *seat))?;
            let once = order.iter().copied().collect::<SeatSet>().len() == order.len();
            if once { Ok(()) } else { Err(format!("a seat is twice among {order:?}")) }
        }
        TableRecord::Retired { .. } if table.game().is_none() => {
            Err("a seat retires before the start".to_owned())
        }
        TableRecord::Retired { seats } => {
            seats.iter().try_for_each(|(seat, _)| taken(table, *seat))
        }
        TableRecord::Closed(Closing::Void(_)) => Ok(()),
    }
}

fn taken(table: &Table, seat: Seat) -> Result<(), String> {
    let taken = table.chair(seat).is_some();
    if taken { Ok(()) } else { Err(format!("no one sits in seat {seat}")) }
}
