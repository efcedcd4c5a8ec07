//! Watching a table, and being told where its game stands.

use rules::{Game, Viewer};

use crate::speech::{Answer, Event};
use crate::{At, Hall};
use table::{ConnId, Joined, Name, Refusal, Role, TableNo};

impl<G: Game> Hall<G> {
    pub(crate) fn watch(&mut self, conn: ConnId, table: Option<Name>, role: Role) {
        if self.plays(conn) {
            return self.refuse(conn, Refusal::AlreadySeated);
        }
        self.stop_waiting(conn);
        // A table that only this conn still remembered is forgotten here, before it is looked up.
        self.unbind(conn);
        let found = match &table {
            Some(id) => self.ids.get(id).copied(),
            None => self.newest_with_company(),
        };
        let Some(no) = found else { return self.refuse(conn, Refusal::NoSuchTable) };
        self.visitors.entry(conn).or_default().at = Some(At::Watching(no));
        let live = self.live_mut(no);
        match role {
            Role::Organiser => live.organisers.insert(conn),
            Role::Player | Role::Spectator | Role::Follower => live.watchers.insert(conn),
        };
        let joined =
            Joined { company: live.company.clone(), seat: None, token: None, resumed: false };
        self.answer(conn, Answer::Joined(Box::new(joined)));
        self.catch_up(conn, no, Viewer::Public);
    }

    /// Tells a latecomer where the game stands, and its end if it is over. While the last turn is
    /// held back it hears of it with all others.
    pub(crate) fn catch_up(&mut self, conn: ConnId, no: TableNo, viewer: Viewer) {
        if self.live(no).is_held() {
            self.live_mut(no).late.insert(conn);
            return;
        }
        self.tell_position(conn, no, viewer);
        if let Some(over) = self.over_event(no) {
            self.tell(conn, over);
        }
    }

    pub(crate) fn tell_position(&mut self, conn: ConnId, no: TableNo, viewer: Viewer) {
        let live = self.live(no);
        let introduction = self.visitors.get(&conn).and_then(|v| v.introduction.as_ref());
        let update = match viewer {
            Viewer::Public if live.organisers.contains(&conn) => live.full_update(true),
            viewer => live.update(viewer, |update| {
                update.catch_up = true;
                if let (Some(introduction), Some(seat)) = (introduction, viewer.seat()) {
                    live.tell_more(seat, introduction.legal, update);
                }
            }),
        };
        // A view that cannot be made closes its table when the next turn is told.
        if let Ok(Some(update)) = update {
            self.tell(conn, Event::Update(update));
        }
    }
}
