//! The records of one table, with the times at which they were written.

use std::sync::Arc;

use rules::any::{AnyRules, AnyView};
use rules::{Seat, Seed, Viewer};

use crate::Time;
use crate::made_move::How;
use crate::moves::MovesMade;
use crate::record::TableRecord;
use crate::replay::{Rerun, replay};

/// The error of verifying and replaying an unfinished game.
pub(crate) const UNFINISHED: &str = "the records end before the game does";

/// The records of one table with the times at which they were written. A copy shares the records.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    records: Vec<Arc<TableRecord>>,
    times: Vec<Time>,
}

impl Recorded {
    /// Reads records of a table of this game from their texts.
    pub fn read<'a>(
        rules: &'static dyn AnyRules,
        lines: impl Iterator<Item = (Time, &'a str)>,
    ) -> Result<Recorded, String> {
        let mut recorded = Recorded::default();
        for (number, (at, text)) in lines.enumerate() {
            let record = rules.reading(|| serde_json::from_str(text)).map(Arc::new);
            let record =
                record.map_err(|error| format!("record {} cannot be read: {error}", number + 1))?;
            recorded.records.push(record);
            recorded.times.push(at);
        }
        Ok(recorded)
    }

    /// One more record.
    pub fn push(&mut self, record: Arc<TableRecord>, at: Time) {
        self.records.push(record);
        self.times.push(at);
    }

    /// Every record, in order, to be shared.
    pub fn shared(&self) -> &[Arc<TableRecord>] {
        &self.records
    }

    /// Every record, in order.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = &TableRecord> {
        self.records.iter().map(|record| &**record)
    }

    /// Whether the last one closes the table.
    pub fn is_over(&self) -> bool {
        matches!(self.records().next_back(), Some(TableRecord::Closed(_)))
    }

    /// Every move with its seat.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (Seat, &Arc<TableRecord>)> {
        self.records.iter().filter_map(|record| match **record {
            TableRecord::Moved { seat, .. } => Some((seat, record)),
            _ => None,
        })
    }

    /// When a record was written, by its place.
    pub(crate) fn time(&self, place: usize) -> Time {
        self.times.get(place).copied().unwrap_or_default()
    }

    /// The table's way through its records, with the time of each but the first.
    pub(crate) fn rerun(&self) -> Result<(Rerun, impl Iterator<Item = Time>), String> {
        Ok((Rerun::begin(&self.records)?, self.times.iter().skip(1).copied()))
    }

    /// The chance of the table.
    pub fn seed(&self) -> Option<Seed> {
        match &**self.records.first()? {
            TableRecord::Opened(opened) => Some(opened.seed),
            _ => None,
        }
    }

    /// The views a seat's house bot was asked about, turn by turn, since it took the seat.
    pub fn views_of_bot(&self, seat: Seat) -> Vec<(u64, AnyView)> {
        let mut views = Vec::new();
        let Ok(mut rerun) = Rerun::begin(&self.records) else { return views };
        while let Some(record) = rerun.next(&self.records) {
            match (record, rerun.table.game()) {
                (TableRecord::Moved { seq, seat: mover, how: How::Bot, .. }, Some(game))
                    if *mover == seat =>
                {
                    views.push((*seq, game.view(Viewer::Seat(seat))));
                }
                (TableRecord::Deputed { seat: other, .. }, _) if *other == seat => views.clear(),
                _ => {}
            }
            if rerun.step(&self.records).is_err() {
                break;
            }
        }
        views
    }

    /// The moves made since a turn was sent.
    pub(crate) fn moves_since(&self, told: u64) -> MovesMade {
        let mut made = MovesMade::default();
        let Ok((mut rerun, mut times)) = self.rerun() else { return made };
        while let Some(record) = rerun.next(&self.records) {
            made.note(record, times.next().unwrap_or_default(), &rerun.table);
            let before = rerun.table.seq();
            if rerun.step(&self.records).is_err() {
                break;
            }
            let seq = rerun.table.seq();
            let is_told = seq != before
                || matches!(record, TableRecord::Started { .. } | TableRecord::Retired { .. });
            if is_told && seq <= told {
                made.take();
            }
        }
        made
    }

    /// Records without individual times.
    pub fn written_at(at: Time, records: Vec<TableRecord>) -> Recorded {
        let times = vec![at; records.len()];
        Recorded { records: records.into_iter().map(Arc::new).collect(), times }
    }

    /// Plays the game again. The error is the first difference between what the records say and
    /// what the rules do.
    pub fn verify(&self) -> Result<(), String> {
        let table = replay(&self.records, |_, _| ())?;
        let opened = table.opened();
        match (table.closing(), &opened.promise) {
            (None, _) => Err(UNFINISHED.to_owned()),
            (_, Some(promise))
                if !promise.is_kept(
                    opened.terms.config.rules().name(),
                    &opened.id,
                    &opened.seed,
                ) =>
            {
                Err("the deal is not the one that was promised when the table was opened"
                    .to_owned())
            }
            (Some(_), _) => Ok(()),
        }
    }
}
