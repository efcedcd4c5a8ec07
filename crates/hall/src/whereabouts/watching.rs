//! Watching: one table, or whatever is played. Followers go from table to table as long as they
//! stay.

use std::sync::Arc;

use table::{Company, ConnId, Joined, Name, Refusal, Role, TableInput, TableNo};

use super::Whereabouts;
use crate::Answer;
use crate::desk::Desk;

impl Whereabouts {
    pub fn watch(&mut self, desk: &mut Desk, conn: ConnId, table: Option<Name>, role: Role) {
        if self.plays(conn) {
            return desk.refuse(conn, Refusal::AlreadySeated);
        }
        // A table that only this conn still remembered is forgotten here, before it is looked up.
        self.unbind(desk, conn);
        let found = match &table {
            Some(id) => self.tables.named(id),
            None => self.tables.newest_with_company(),
        };
        let Some(no) = found else { return desk.refuse(conn, Refusal::NoSuchTable) };
        self.visitors.watch(conn, no);
        self.run(desk, no, TableInput::Watched { conn, role, asked: true });
    }

    pub fn follow(&mut self, desk: &mut Desk, conn: ConnId, table: Option<Name>) {
        if self.plays(conn) {
            return desk.refuse(conn, Refusal::AlreadySeated);
        }
        self.unbind(desk, conn);
        let named = table.and_then(|id| self.tables.named(&id));
        let found = named.filter(|no| self.tables.is_open(*no));
        let found = found.or_else(|| self.tables.newest_with_company());
        let company = match found {
            Some(no) => self.tables.live(no).company().clone(),
            None => Arc::new(Company::default()),
        };
        let joined = Joined { company, seat: None, token: None, resumed: false };
        desk.answer(conn, Answer::Joined(Box::new(joined)));
        self.go_along(desk, conn, found);
    }

    /// A player sits down: followers without a table watch this one.
    pub(super) fn take_followers_along(&mut self, desk: &mut Desk, no: TableNo) {
        for conn in self.visitors.take_idle() {
            self.unbind(desk, conn);
            self.go_along(desk, conn, Some(no));
        }
    }

    /// A table is over: its followers move to another game, or stay until there is one.
    pub(super) fn send_followers_on(&mut self, desk: &mut Desk, no: TableNo) {
        let followers = self.tables.live(no).followers();
        let next = self.tables.newest_with_company().filter(|next| self.tables.is_open(*next));
        for conn in followers {
            match next {
                Some(next) => {
                    self.unbind(desk, conn);
                    self.go_along(desk, conn, Some(next));
                }
                None => self.visitors.stand_by(conn),
            }
        }
    }

    /// Binds a follower that is bound to nothing.
    fn go_along(&mut self, desk: &mut Desk, conn: ConnId, table: Option<TableNo>) {
        self.visitors.follow(conn, table);
        if !table.is_some_and(|no| self.tables.is_open(no)) {
            self.visitors.stand_by(conn);
        }
        if let Some(no) = table {
            let role = Role::Follower;
            self.run(desk, no, TableInput::Watched { conn, role, asked: false });
        }
    }
}
