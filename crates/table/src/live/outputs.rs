//! Collects a table's outputs in order.

use std::sync::Arc;

use super::{TableAnswer, TableOutput, TableSaid, Thinking, Turn};
use crate::{ConnId, Eyes, Joined, Refusal, TableEvent, TableRecord, TokenHash};

pub(super) struct Outputs<'a>(&'a mut Vec<TableOutput>);

impl<'a> Outputs<'a> {
    /// Outputs that are pushed to `out`.
    pub fn to(out: &'a mut Vec<TableOutput>) -> Outputs<'a> {
        Outputs(out)
    }

    pub fn record(&mut self, record: Arc<TableRecord>) {
        self.0.push(TableOutput::Record(record));
    }

    pub fn accept(&mut self, conn: ConnId) {
        self.say(TableSaid::Answer(conn, TableAnswer::Accepted));
    }

    pub fn refuse(&mut self, conn: ConnId, refusal: Refusal) {
        self.say(TableSaid::Answer(conn, TableAnswer::Refused(refusal)));
    }

    /// A connection is at the table now, whether it `asked` or was moved there.
    pub fn greet(&mut self, conn: ConnId, joined: Joined, asked: bool) {
        let joined = Box::new(joined);
        self.say(match asked {
            true => TableSaid::Answer(conn, TableAnswer::Joined(joined)),
            false => TableSaid::Tell(conn, TableEvent::Seated(joined)),
        });
    }

    pub fn tell(&mut self, conn: ConnId, event: TableEvent) {
        self.say(TableSaid::Tell(conn, event));
    }

    /// Sends all spectators the same event, as one output.
    pub fn show(&mut self, watchers: Arc<[ConnId]>, event: TableEvent) {
        if !watchers.is_empty() {
            self.say(TableSaid::Show(watchers, event));
        }
    }

    /// Tells the players of a turn.
    pub fn begin_turn(&mut self, turn: Turn) {
        if !turn.updates.is_empty() {
            self.say(TableSaid::Turn(turn));
        }
    }

    fn say(&mut self, said: TableSaid) {
        self.0.push(TableOutput::Said(said));
    }

    /// The table has let go of a conn.
    pub fn unbind(&mut self, conn: ConnId) {
        self.0.push(TableOutput::Unbound(conn));
    }

    /// A token leads nowhere any more.
    pub fn forget(&mut self, token: TokenHash) {
        self.0.push(TableOutput::Forgotten(token));
    }

    pub fn want_bots(&mut self) {
        self.0.push(TableOutput::WantsBots);
    }

    /// House bots are to think.
    pub fn think(&mut self, thinking: Thinking) {
        self.0.push(TableOutput::Think(Box::new(thinking)));
    }

    /// A connection is to receive what happened from one turn to another.
    pub fn recall(&mut self, conn: ConnId, eyes: Eyes, from: u64, until: u64) {
        self.0.push(TableOutput::Recall { conn, eyes, from, until });
    }
}
