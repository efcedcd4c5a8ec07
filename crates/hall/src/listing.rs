//! Lists: what has changed in them is told, and who looks for a table gets those to choose from.

use std::sync::Arc;

use rules::Game;

use crate::lists::Listing;
use crate::speech::Answer;
use crate::{Hall, Output};
use table::{ConnId, Name, Refusal, Status, TableInfo, TableList, TableNo};

/// So many tables are listed for whoever looks for one.
const LISTED: usize = 100;

impl<G: Game> Hall<G> {
    /// Tells what the input has changed in the lists.
    pub(crate) fn tell_lists(&mut self) {
        for touched in 0..self.touched.len() {
            let no = self.touched[touched];
            let Some(live) = self.live.get_mut(no) else { continue };
            let info = live.info();
            if live.card.as_deref() == Some(&info) {
                continue;
            }
            let gathers = info.status == Status::Waiting;
            let card = Arc::new(info);
            let before = live.card.replace(card.clone());
            if gathers || before.is_none_or(|before| before.status == Status::Waiting) {
                self.joinable_list = None;
            }
            self.listed.push(Listing::Table(no, card));
        }
        self.out.extend(self.listed.drain(..).map(Output::Listed));
    }

    /// What lists show of a table.
    fn card(&self, no: TableNo) -> Arc<TableInfo> {
        let live = self.live(no);
        live.card.clone().unwrap_or_else(|| Arc::new(live.info()))
    }

    pub(crate) fn list(&mut self, conn: ConnId, only: Option<Name>) {
        let list = match only {
            Some(id) => match self.ids.get(&id) {
                Some(no) => Arc::new(vec![self.card(*no)].into()),
                None => return self.refuse(conn, Refusal::NoSuchTable),
            },
            None => match &self.joinable_list {
                Some(list) => list.clone(),
                None => self.joinable_list.insert(Arc::new(self.joinable())).clone(),
            },
        };
        self.answer(conn, Answer::Listed(list));
    }

    /// Tables a stranger can sit down at: the house's own first, then in order of opening. The
    /// list is for choosing from, so it does not grow with the hall.
    fn joinable(&self) -> TableList {
        let open = |house: bool| {
            let live = self.gathering.iter().map(|no| (*no, self.live(*no)));
            live.filter(move |(_, live)| {
                live.table.opened().house == house && live.table.open_seats() > 0
            })
        };
        let tables = open(true).chain(open(false)).take(LISTED).map(|(no, _)| self.card(no));
        tables.collect::<Vec<_>>().into()
    }

    pub(crate) fn list_by_status(
        &mut self,
        conn: ConnId,
        status: Option<Status>,
        after: Option<Name>,
        limit: usize,
    ) {
        let first = match after.map(|id| self.ids.get(&id).copied()) {
            Some(None) => return self.refuse(conn, Refusal::NoSuchTable),
            Some(Some(no)) => no.0 + 1,
            None => 0,
        };
        let wanted = |of: Status| match status {
            Some(status) => of == status,
            None => matches!(of, Status::Waiting | Status::Playing),
        };
        let live = self.live.from(TableNo(first));
        let live = live.filter(|(_, live)| wanted(live.table.status()));
        let tables = live.take(limit.min(LISTED)).map(|(no, _)| self.card(no));
        let tables: Vec<Arc<TableInfo>> = tables.collect();
        self.answer(conn, Answer::Listed(Arc::new(tables.into())));
    }
}
