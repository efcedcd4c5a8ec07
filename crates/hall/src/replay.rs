//! Playing a game again from its records, and judging whether it is what they say.

use rules::{Game, Scene, Seat, SeatSet, Viewer};

use crate::record::{Closing, Record};
use crate::table::{Table, guarded};

/// Re-runs a table record by record and hands each step to `see`. The error is the first
/// difference between what the records say and what the rules do.
pub fn replay<G: Game>(
    records: &[Record<G>],
    mut see: impl FnMut(&Record<G>, &Table<G>),
) -> Result<Table<G>, String> {
    let Some(Record::Opened(opened)) = records.first() else {
        return Err("the first record does not open a table".to_owned());
    };
    if opened.version != G::VERSION {
        let (begun, known) = (opened.version, G::VERSION);
        return Err(format!(
            "played under version {begun} of the rules; this build has version {known}"
        ));
    }
    let mut table = Table::new(opened.clone());
    see(&records[0], &table);
    for (number, record) in records.iter().enumerate().skip(1) {
        examine(&table, record).map_err(|why| format!("record {}: {why}", number + 1))?;
        table.apply(record);
        if let Some(fault) = &table.fault {
            return Err(format!("record {}: the rules break down: {fault}", number + 1));
        }
        see(record, &table);
    }
    Ok(table)
}

/// Whether the rules agree that this can happen now.
fn examine<G: Game>(table: &Table<G>, record: &Record<G>) -> Result<(), String> {
    if table.closing.is_some() {
        return Err("the table is closed already".to_owned());
    }
    match record {
        Record::Opened(_) => Err("the table is open already".to_owned()),
        Record::Moved { seq, seat, action } => {
            if *seq != table.seq {
                return Err(format!("a move of turn {seq} in turn {}", table.seq));
            }
            if !table.owed().contains(*seat) {
                return Err(format!("seat {seat} moves and does not owe a move"));
            }
            let game = table.game.as_ref().ok_or("a move before the start")?;
            guarded(|| game.check(*seat, action).map_err(|illegal| illegal.to_string()))
                .flatten()
                .map_err(|why| format!("seat {seat} plays {action:?}: {why}"))
        }
        Record::Expired { seq } => {
            if *seq != table.seq || table.owed().is_empty() {
                return Err(format!("the clock of turn {seq} runs out in turn {}", table.seq));
            }
            Ok(())
        }
        Record::Closed(Closing::Over(outcome)) => {
            match table.game.as_ref().and_then(|game| game.outcome()) {
                Some(found) if found == outcome => Ok(()),
                Some(found) => Err(format!("the result was {outcome:?}; the rules say {found:?}")),
                None => Err("a result was recorded; by the rules the game is not over".to_owned()),
            }
        }
        Record::Seated { seat, .. } => {
            let exists = seat.index() < table.chairs.len();
            if exists { Ok(()) } else { Err(format!("there is no seat {seat}")) }
        }
        Record::Ready { seat } | Record::Deputed { seat, .. } => taken(table, *seat),
        Record::Left { .. } | Record::Started { .. } if table.game.is_some() => {
            Err("the game has begun already".to_owned())
        }
        Record::Left { seat } => taken(table, *seat),
        Record::Started { order, .. } => {
            order.iter().try_for_each(|seat| taken(table, *seat))?;
            let once = order.iter().copied().collect::<SeatSet>().len() == order.len();
            if once { Ok(()) } else { Err(format!("a seat is twice among {order:?}")) }
        }
        Record::Retired { .. } if table.game.is_none() => {
            Err("somebody retires before the start".to_owned())
        }
        Record::Retired { seats } => seats.iter().try_for_each(|(seat, _)| taken(table, *seat)),
        Record::Closed(Closing::Void(_)) => Ok(()),
    }
}

fn taken<G: Game>(table: &Table<G>, seat: Seat) -> Result<(), String> {
    let taken = table.chairs.get(seat.index()).is_some_and(Option::is_some);
    if taken { Ok(()) } else { Err(format!("nobody sits in seat {seat}")) }
}

/// The public's picture of a table, if its game has begun.
pub fn picture<G: Game>(table: &Table<G>) -> Option<String> {
    let names: Vec<&str> =
        table.chairs.iter().map(|chair| chair.as_ref().map_or("", |chair| &chair.name)).collect();
    let view = table.game.as_ref()?.view(Viewer::Public);
    Some(G::picture(&Scene::of(&view, &names)))
}
