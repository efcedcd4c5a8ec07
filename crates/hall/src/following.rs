//! Watching whatever is played: followers go from table to table as long as they stay.

use std::sync::Arc;

use rules::{Game, Viewer};

use crate::live_table::LiveTable;
use crate::speech::Answer;
use crate::{At, Hall};
use table::{Company, ConnId, Joined, Name, Phase, Refusal, TableNo};

impl<G: Game> Hall<G> {
    pub(crate) fn follow(&mut self, conn: ConnId, table: Option<Name>) {
        if self.plays(conn) {
            return self.refuse(conn, Refusal::AlreadySeated);
        }
        self.stop_waiting(conn);
        self.unbind(conn);
        let named = table.and_then(|id| self.ids.get(&id).copied());
        let found = named.filter(|no| self.is_open(*no)).or_else(|| self.newest_with_company());
        let company = match found {
            Some(no) => self.live(no).company.clone(),
            None => Arc::new(Company::default()),
        };
        let joined = Joined { company, seat: None, token: None, resumed: false };
        self.answer(conn, Answer::Joined(Box::new(joined)));
        self.go_along(conn, found);
    }

    /// Somebody has sat down: followers who had nothing to watch watch this table.
    pub(crate) fn take_followers_along(&mut self, no: TableNo) {
        for conn in std::mem::take(&mut self.idle) {
            self.unbind(conn);
            self.go_along(conn, Some(no));
        }
    }

    /// A table is over: its followers go where others play, or stay until somebody does.
    pub(crate) fn send_followers_on(&mut self, no: TableNo) {
        let watchers = self.live(no).watchers.iter().copied();
        let followers: Vec<ConnId> = watchers.filter(|conn| self.follows(*conn)).collect();
        let next = self.newest_with_company().filter(|next| self.is_open(*next));
        for conn in followers {
            match next {
                Some(next) => {
                    self.unbind(conn);
                    self.go_along(conn, Some(next));
                }
                None => {
                    self.idle.insert(conn);
                }
            }
        }
    }

    pub(crate) fn follows(&self, conn: ConnId) -> bool {
        self.visitors.get(&conn).is_some_and(|visitor| visitor.follows)
    }

    /// Binds a follower that is bound to nothing.
    fn go_along(&mut self, conn: ConnId, table: Option<TableNo>) {
        let visitor = self.visitors.entry(conn).or_default();
        visitor.follows = true;
        visitor.at = table.map(At::Watching);
        if !table.is_some_and(|no| self.is_open(no)) {
            self.idle.insert(conn);
        }
        if let Some(no) = table {
            self.live_mut(no).watchers.insert(conn);
            self.catch_up(conn, no, Viewer::Public);
        }
    }

    /// The newest table at which anybody sits, or has sat to its end if there is no other.
    pub(crate) fn newest_with_company(&self) -> Option<TableNo> {
        let newest = |wanted: fn(&LiveTable<G>) -> bool| {
            self.live.iter().rev().find(|(_, live)| wanted(live)).map(|(no, _)| no)
        };
        newest(|live| live.phase() != Phase::Closed && live.table.seated().next().is_some())
            .or_else(|| newest(|live| live.phase() == Phase::Closed && live.table.game().is_some()))
    }

    fn is_open(&self, no: TableNo) -> bool {
        self.live(no).phase() != Phase::Closed
    }
}
