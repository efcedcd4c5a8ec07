//! The moves that led to an update: whose they were, and how they came about.

use rules::{Exit, Game, Seat};

use crate::Time;
use crate::frames::{How, MadeMove};
use crate::record::TableRecord;
use crate::table::Table;

/// What was done since the last update, by the records alone.
#[derive(Debug)]
pub(crate) struct MovesMade<G: Game> {
    /// When the running turn began.
    pub began: Time,
    pub moves: Vec<MadeMove<G::Action>>,
    /// Moves of the running turn that were refused, seat by seat.
    refused: Vec<Seat>,
}

impl<G: Game> Default for MovesMade<G> {
    fn default() -> MovesMade<G> {
        MovesMade { began: Time(0), moves: Vec::new(), refused: Vec::new() }
    }
}

impl<G: Game> MovesMade<G> {
    /// A seat's move was refused.
    pub fn refused(&mut self, seat: Seat) {
        self.refused.push(seat);
    }

    /// The moves that a record makes at a table as it was before.
    pub fn note(&mut self, record: &TableRecord<G>, at: Time, table: &Table<G>) {
        let ms = at.0.saturating_sub(self.began.0);
        let refusals = |seat| self.refused.iter().filter(|other| **other == seat).count() as u32;
        let mut push = |seat, action, how| {
            let refused = refusals(seat);
            self.moves.push(MadeMove { seat, action, ms, how, refused });
        };
        match record {
            TableRecord::Moved { seat, action, .. } => {
                let bot = table.chair(*seat).is_some_and(|chair| chair.bot.is_some());
                let how = if bot { How::Bot } else { How::Made };
                push(*seat, Some(action.clone()), how);
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

    /// An update tells them.
    pub fn take(&mut self) -> Vec<MadeMove<G::Action>> {
        std::mem::take(&mut self.moves)
    }
}
