//! What a finished game says about each seat: its records are replayed with a stopwatch.

use hall::{Closing, Rerun, TableRecord};
use rules::Standing;
use rules::any::AnyRules;

/// One game, seat by seat.
#[derive(Clone, Debug)]
pub struct Account {
    pub seats: Vec<SeatAccount>,
    /// Why there is no result.
    pub void: Option<String>,
    /// How long a move might take; none: as long as it liked.
    pub clock_ms: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct SeatAccount {
    pub name: String,
    /// None without a result.
    pub standing: Option<Standing>,
    /// For each of the seat's moves, the time from the beginning of the turn to the move.
    pub thoughts_ms: Vec<u64>,
    /// Turns the clock has played.
    pub timeouts: u32,
    /// Moves that were refused.
    pub refused: u32,
    /// Which version of a program it was, as it said itself.
    pub version: Option<String>,
}

impl Account {
    /// Of records with their times, in milliseconds, unless `goes_on` ends it early.
    pub(crate) fn of(
        rules: &'static dyn AnyRules,
        records: &[(u64, &str)],
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Account, String> {
        let read =
            |(_, text): &(u64, &str)| rules.reading(|| serde_json::from_str::<TableRecord>(text));
        let mut times = records.iter().map(|(at, _)| *at);
        let records = records.iter().map(read).collect::<Result<Vec<_>, _>>();
        let records = records.map_err(|why| format!("a record does not read: {why}"))?;
        let mut spent: Vec<(Vec<u64>, u32)> = Vec::new();
        // The running turn, and since when.
        let mut turn = (None, 0);
        let differs = |difference| format!("the game does not replay: {difference}");
        let mut rerun = Rerun::begin(&records).map_err(differs)?;
        // The first record has opened the table.
        times.next();
        while let Some(record) = rerun.next(&records) {
            if !goes_on() {
                return Err("the game was not played again to its end".to_owned());
            }
            rerun.step(&records).map_err(differs)?;
            let at = times.next().unwrap_or(0);
            if let TableRecord::Moved { seat, ms: thought, refused, .. } = record {
                spent.resize_with(spent.len().max(seat.index() + 1), Default::default);
                let (thoughts, refusals) = &mut spent[seat.index()];
                thoughts.push(thought.unwrap_or(at.saturating_sub(turn.1)));
                *refusals += refused;
            }
            if turn.0 != Some(rerun.table.seq()) && rerun.table.game().is_some() {
                turn = (Some(rerun.table.seq()), at);
            }
        }
        let table = rerun.table;
        let (outcome, void) = match table.closing() {
            Some(Closing::Over(outcome)) => (Some(outcome), None),
            Some(Closing::Void(why)) => (None, Some(why.clone())),
            None => (None, Some("the records end before the game does".to_owned())),
        };
        let seats = table.seated().map(|(seat, chair)| {
            let spent = spent.get_mut(seat.index()).map(std::mem::take);
            let (thoughts_ms, refused) = spent.unwrap_or_default();
            SeatAccount {
                name: chair.name.to_string(),
                standing: outcome.and_then(|outcome| outcome.standings.get(seat.index()).cloned()),
                thoughts_ms,
                timeouts: chair.timeouts,
                refused,
                version: chair.version.as_deref().map(str::to_owned),
            }
        });
        let clock_ms = table.opened().terms.policy.turn_ms;
        Ok(Account { seats: seats.collect(), void, clock_ms })
    }
}
