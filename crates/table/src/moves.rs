//! The moves that led to an update: whose they were, and how they came about.

use rules::{Exit, Seat};

use crate::Time;
use crate::made_move::{How, MadeMove};
use crate::record::TableRecord;
use crate::table::Table;

/// The moves since the last update, from the records alone.
#[derive(Debug, Default)]
pub(crate) struct MovesMade {
    /// When the running turn began.
    pub began: Time,
    pub moves: Vec<MadeMove>,
    /// Moves of the running turn that were refused, seat by seat.
    refused: Vec<Seat>,
}

impl MovesMade {
    /// A seat's move was refused.
    pub fn refused(&mut self, seat: Seat) {
        self.refused.push(seat);
    }

    /// The seats whose moves were refused in this turn.
    pub fn refused_seats(&self) -> &[Seat] {
        &self.refused
    }

    /// Continues a turn that began under another owner.
    pub fn resume(&mut self, began: Time, refused: Vec<Seat>) {
        (self.began, self.refused) = (began, refused);
    }

    /// How many of a seat's moves were refused in this turn.
    pub fn refusals(&self, seat: Seat) -> u32 {
        count(&self.refused, seat)
    }

    /// The moves that a record makes at a table as it was before.
    pub fn note(&mut self, record: &TableRecord, at: Time, table: &Table) {
        let ms = at.0.saturating_sub(self.began.0);
        let refused = &self.refused;
        let moves = &mut self.moves;
        let mut push = |seat, action, how| {
            let refused = count(refused, seat);
            moves.push(MadeMove { seat, action, ms, how, refused });
        };
        match record {
            TableRecord::Moved { seat, action, ms: thought, refused, how, .. } => {
                // Records of earlier releases do not say who made a move, nor how fast.
                let bot = table.chair(*seat).is_some_and(|chair| chair.bot.is_some());
                let how = if bot { How::Bot } else { *how };
                let (seat, action) = (*seat, Some(action.clone()));
                let (ms, refused) = (thought.unwrap_or(ms), *refused);
                moves.push(MadeMove { seat, action, ms, how, refused });
            }
            TableRecord::Expired { .. } => {
                let game = table.game();
                for seat in table.owed().iter() {
                    push(seat, game.and_then(|game| game.default_action(seat)), How::Clock);
                }
            }
            TableRecord::Retired { seats } => {
                for (seat, exit) in seats {
                    let how = if *exit == Exit::TimedOut { How::Clock } else { How::Left };
                    push(*seat, None, how);
                }
            }
            _ => {}
        }
    }

    /// A new turn begins.
    pub fn begin(&mut self, at: Time) {
        self.began = at;
        self.refused.clear();
    }

    /// Takes the moves for an update.
    pub fn take(&mut self) -> Vec<MadeMove> {
        std::mem::take(&mut self.moves)
    }
}

fn count(refused: &[Seat], seat: Seat) -> u32 {
    refused.iter().filter(|other| **other == seat).count() as u32
}
