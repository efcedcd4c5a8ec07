//! Sitting down, and coming back to a seat.

use rules::Seat;
use table::{ConnId, Name, Newcomer, TableInput, TableNo};

use super::Whereabouts;
use crate::desk::Desk;

impl Whereabouts {
    pub fn sit(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        (no, seat): (TableNo, Seat),
        (name, joined_via): (Name, Option<Name>),
        asked: bool,
    ) {
        let has_token = self.tables.live(no).policy().gives_token(joined_via.as_deref());
        let token = has_token.then(|| desk.token());
        self.bind(desk, conn, no);
        self.take_followers_along(desk, no);
        let introduction = self.visitors.introduction(conn);
        let known = self.tables.live(no).entrant(seat).unwrap_or(&name);
        let version = desk.premises.claimed(known).and_then(|claimed| claimed.version.clone());
        let open = self.tables.live(no).table().opened().game_ref.is_none();
        let rests_until = desk.premises.pace.rests_until(&name, desk.now).filter(|_| open);
        let newcomer = Newcomer { name, token, joined_via, introduction, version, rests_until };
        self.run(desk, no, TableInput::Sat { conn, seat, newcomer, asked });
    }

    /// Gives a seat back to its player, with its name, where names are unique in the hall.
    pub fn take_back(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        (no, seat): (TableNo, Seat),
        asked: bool,
    ) {
        let chair = self.tables.live(no).table().chair(seat);
        if desk.premises.are_names_unique()
            && let Some(chair) = chair
        {
            self.visitors.take_back(conn, &chair.name);
        }
        self.bind(desk, conn, no);
        let introduction = self.visitors.introduction(conn);
        self.run(desk, no, TableInput::Returned { conn, seat, introduction, asked });
    }

    /// A player reconnects by name, to their seat if there is one. `None` if the name is unknown.
    pub fn resume(
        &mut self,
        desk: &Desk,
        conn: ConnId,
        name: &Name,
    ) -> Option<Option<(TableNo, Seat)>> {
        let table = self.visitors.people().get(name).and_then(|person| person.table);
        let by_token = table.is_some_and(|no| {
            let live = self.tables.live(no);
            live.table().seat_of(name).is_some_and(|seat| !live.hold(seat).opens_by_name())
        });
        if by_token || self.visitors.name_of(conn).is_some() {
            return None;
        }
        let table = self.visitors.resume(conn, name, desk.now)?;
        Some(table.and_then(|no| Some((no, self.tables.live(no).table().seat_of(name)?))))
    }

    /// A conn is at a table from now on.
    fn bind(&mut self, desk: &mut Desk, conn: ConnId, no: TableNo) {
        self.unbind(desk, conn);
        self.visitors.sit(conn, no);
    }
}
