//! What a finished game says of each seat: its records are played again, with a stopwatch.

use hall::{Closing, TableRecord};
use rules::{Game, Standing};

/// One game, seat by seat.
#[derive(Clone, Debug)]
pub struct Account {
    pub seats: Vec<SeatAccount>,
    /// Why there is no result.
    pub void: Option<String>,
}

#[derive(Clone, Debug)]
pub struct SeatAccount {
    pub name: String,
    /// None without a result.
    pub standing: Option<Standing>,
    pub moves: u64,
    /// From the beginning of a turn to the seat's move in it, all turns together.
    pub thought_ms: u64,
    /// Turns the clock has played.
    pub timeouts: u32,
}

impl Account {
    /// Of records with their times, in milliseconds.
    pub(crate) fn of<G: Game>(records: &[(u64, &str)]) -> Result<Account, String> {
        let read = |(_, text): &(u64, &str)| serde_json::from_str::<TableRecord<G>>(text);
        let mut times = records.iter().map(|(at, _)| *at);
        let records = records.iter().map(read).collect::<Result<Vec<_>, _>>();
        let records = records.map_err(|why| format!("a record does not read: {why}"))?;
        let mut spent: Vec<(u64, u64)> = Vec::new();
        // The running turn, and since when.
        let mut turn = (None, 0);
        let table = hall::replay(&records, |record, table| {
            let at = times.next().unwrap_or(0);
            if let TableRecord::Moved { seat, .. } = record {
                spent.resize(spent.len().max(seat.index() + 1), (0, 0));
                let (moves, ms) = &mut spent[seat.index()];
                *moves += 1;
                *ms += at.saturating_sub(turn.1);
            }
            if turn.0 != Some(table.seq()) && table.game().is_some() {
                turn = (Some(table.seq()), at);
            }
        });
        let table =
            table.map_err(|difference| format!("the game does not replay: {difference}"))?;
        let (outcome, void) = match table.closing() {
            Some(Closing::Over(outcome)) => (Some(outcome), None),
            Some(Closing::Void(why)) => (None, Some(why.clone())),
            None => (None, Some("the records end before the game does".to_owned())),
        };
        let seats = table.seated().map(|(seat, chair)| {
            let (moves, thought_ms) = spent.get(seat.index()).copied().unwrap_or_default();
            SeatAccount {
                name: chair.name.to_string(),
                standing: outcome.and_then(|outcome| outcome.standings.get(seat.index()).cloned()),
                moves,
                thought_ms,
                timeouts: chair.timeouts,
            }
        });
        Ok(Account { seats: seats.collect(), void })
    }
}
