//! What a table says while something happens to it, in order.

use std::sync::Arc;

use rules::Game;

use super::{TableAnswer, TableOutput, Thinking};
use crate::{ConnId, Eyes, Joined, Refusal, TableEvent, TableRecord, TokenHash};

pub(super) struct Outputs<'a, G: Game>(&'a mut Vec<TableOutput<G>>);

impl<'a, G: Game> Outputs<'a, G> {
    /// What is said is pushed there.
    pub fn to(out: &'a mut Vec<TableOutput<G>>) -> Outputs<'a, G> {
        Outputs(out)
    }

    pub fn record(&mut self, record: Arc<TableRecord<G>>) {
        self.0.push(TableOutput::Record(record));
    }

    pub fn accept(&mut self, conn: ConnId) {
        self.0.push(TableOutput::Answer(conn, TableAnswer::Accepted));
    }

    pub fn refuse(&mut self, conn: ConnId, refusal: Refusal) {
        self.0.push(TableOutput::Answer(conn, TableAnswer::Refused(refusal)));
    }

    /// Somebody is at the table now, whether it has `asked` or was brought there.
    pub fn greet(&mut self, conn: ConnId, joined: Joined, asked: bool) {
        let joined = Box::new(joined);
        self.0.push(match asked {
            true => TableOutput::Answer(conn, TableAnswer::Joined(joined)),
            false => TableOutput::Tell(conn, TableEvent::Seated(joined)),
        });
    }

    pub fn tell(&mut self, conn: ConnId, event: TableEvent<G>) {
        self.0.push(TableOutput::Tell(conn, event));
    }

    /// Tells all who watch the same; with many of them it is said once.
    pub fn show(&mut self, watchers: Arc<[ConnId]>, event: TableEvent<G>) {
        if !watchers.is_empty() {
            self.0.push(TableOutput::Show(watchers, event));
        }
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
    pub fn think(&mut self, thinking: Thinking<G>) {
        self.0.push(TableOutput::Think(Box::new(thinking)));
    }

    /// Somebody is to hear what has happened from one turn to another.
    pub fn recall(&mut self, conn: ConnId, eyes: Eyes, from: u64, until: u64) {
        self.0.push(TableOutput::Recall { conn, eyes, from, until });
    }
}
