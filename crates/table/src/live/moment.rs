//! A table while something happens to it. What can happen at any time is a method of [`Moment`]; what
//! belongs to one phase is one of [`Gathering`] and of [`Play`].

use std::sync::Arc;

use rules::Seat;

use super::clocks::Deadline;
use super::outputs::Outputs;
use super::{GameHooks, Gathering, LiveTable, Play};
use crate::{Chair, ConnId, Introduction, Phase, Role, TableEvent, TableRecord, Time};

/// A table, the time, and where its outputs go.
pub(super) struct Moment<'a> {
    pub live: &'a mut LiveTable,
    pub hooks: &'a GameHooks,
    pub now: Time,
    pub out: Outputs<'a>,
}

impl<'a> Moment<'a> {
    /// What can happen to a table that has not begun.
    pub fn gathering(&mut self) -> Gathering<'_, 'a> {
        Gathering::of(self)
    }

    /// What can happen in a running game.
    pub fn play(&mut self) -> Play<'_, 'a> {
        Play::of(self)
    }

    /// Writes a record and folds it in: the only way a table changes.
    pub fn record(&mut self, record: TableRecord) {
        let record = Arc::new(record);
        let live = &mut *self.live;
        let is_told = live.audience.watchers(Role::Organiser).next().is_some()
            || live.table.seated().any(|(_, chair)| chair.is_via_house());
        live.progress.note(&record, self.now, &live.table, is_told);
        live.table.apply(&record);
        if let TableRecord::Started { order, .. } = &*record {
            self.live.audience.renumber(order);
            self.live.clocks.renumber(order);
            self.live.bots.clear();
        }
        if !matches!(*record, TableRecord::Moved { .. } | TableRecord::Ready { .. }) {
            self.live.refresh_company();
        }
        self.out.record(record);
    }

    /// Does what is due.
    pub fn tick(&mut self) {
        let now = self.now;
        if self.live.clocks.is_due(Deadline::Start, now) {
            self.gathering().start();
        }
        if self.live.clocks.is_due(Deadline::NoShow, now) {
            self.gathering().start_without_absent();
        }
        if self.live.clocks.is_due(Deadline::Fill, now) {
            return self.out.want_bots();
        }
        let absent = self.live.clocks.absences_due(now);
        if !absent.is_empty() {
            self.end_absences(absent);
        }
        if self.live.clocks.is_due(Deadline::Pace, now) {
            self.play().go_on();
            self.mind_desertion();
        }
        if self.live.clocks.is_due(Deadline::Thought, now) {
            self.play().represent_all();
        }
        if self.live.clocks.is_due(Deadline::Turn, now) {
            self.play().expire_turn();
        }
        if self.live.clocks.is_due(Deadline::Game, now) {
            self.play().end_overtime();
        }
        if self.live.clocks.is_due(Deadline::Bots, now) {
            self.play().ask_bots();
        }
        if self.live.clocks.is_due(Deadline::Expire, now) {
            self.give_up();
        }
    }

    /// The token of a seat, if it has one, opens it no more.
    pub fn forget_token(&mut self, seat: Seat) {
        let token = self.live.table.chair(seat).and_then(|chair| chair.token.clone());
        if let Some(token) = token {
            self.out.forget(token);
        }
    }

    /// A player's connection is at the table.
    pub fn attach(&mut self, conn: ConnId, seat: Seat, introduction: Option<Introduction>) {
        let was_away = |chair: &Chair| chair.away_since.is_some();
        let is_open = self.live.phase() != Phase::Closed;
        if is_open && self.live.table.chair(seat).is_some_and(was_away) {
            self.record(TableRecord::Back { seat });
        }
        self.live.audience.attach(seat, conn, introduction);
        self.live.clocks.count_absence(seat, None);
        self.live.refresh_company();
    }

    /// Takes a conn from the table. The table itself does not change.
    pub fn detach(&mut self, conn: ConnId) {
        if self.live.audience.detach(conn) {
            self.live.refresh_company();
        }
    }

    /// The same, and the conn did not ask for it.
    pub fn unbind(&mut self, conn: ConnId) {
        self.detach(conn);
        self.out.unbind(conn);
    }

    /// Sends an event to all members but one.
    pub fn tell_others(&mut self, not: Option<ConnId>, event: &TableEvent) {
        let audience = &self.live.audience;
        let is_other = |conn: &ConnId| Some(*conn) != not;
        for (_, attached) in audience.players().filter(|(_, attached)| is_other(&attached.conn)) {
            self.out.tell(attached.conn, event.clone());
        }
        let public = match not {
            None => audience.public().clone(),
            Some(_) => audience.public().iter().copied().filter(is_other).collect(),
        };
        self.out.show(public, event.clone());
        for conn in audience.watchers(Role::Organiser).filter(is_other) {
            self.out.tell(conn, event.clone());
        }
    }
}
