//! Coming: finding a table and a seat there, coming back, waiting for one's game.

use rules::Seat;
use table::{ConnId, Dismissal, Joined, Name, Phase, Refusal, TableNo};

use super::Lobby;
use super::search::{Expected, Search};
use super::waiting_room::Waiting;
use crate::desk::Desk;
use crate::{Answer, Event, Listing};

impl Lobby {
    /// Sits down, reconnects by name, or waits for a tournament's table.
    pub fn join(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        (table, name, joined_via): (Option<Name>, Name, Option<Name>),
        entrant: Option<Expected>,
    ) {
        if let Some((no, seat)) = self.seat_unheard_of(conn) {
            let company = self.whereabouts.tables.live(no).company().clone();
            let joined = Joined { company, seat: Some(seat), token: None, resumed: false };
            return desk.answer(conn, Answer::Joined(Box::new(joined)));
        }
        if let Err(refusal) = self.may_sit(desk, conn) {
            return desk.refuse(conn, refusal);
        }
        // A private table is for the players it admits. From everywhere else an entrant is moved to
        // their game, whatever they asked for.
        let is_elsewhere = entrant.is_some() && self.search(desk).is_for_anybody(table.as_ref());
        let asked = match is_elsewhere {
            true => Err(Refusal::NameTaken(name.clone())),
            false => self.find(desk, table, &name, &joined_via),
        };
        let found = match (asked, entrant) {
            (Ok(found), _) | (Err(_), Some(Expected::Now(found))) => Ok(found),
            (Err(_), Some(Expected::Later)) => {
                return self.wait_for_table(desk, conn, name, joined_via);
            }
            (Err(refusal), Some(Expected::Here) | None) => Err(refusal),
        };
        let patient = |(no, seat)| {
            let live = self.whereabouts.tables.live(no);
            live.policy().check_patience(joined_via.as_deref())?;
            Ok((no, seat))
        };
        match found.and_then(patient) {
            Ok(found) => self.bring(desk, conn, found, (name, joined_via), true),
            Err(refusal) => desk.refuse(conn, refusal),
        }
    }

    pub fn search<'a>(&'a self, desk: &'a Desk) -> Search<'a> {
        Search { tables: &self.whereabouts.tables, premises: &desk.premises }
    }

    /// A seat for a name, at a table that is opened if it must be.
    fn find(
        &mut self,
        desk: &mut Desk,
        table: Option<Name>,
        name: &Name,
        joined_via: &Option<Name>,
    ) -> Result<(TableNo, Seat), Refusal> {
        let no = match self.search(desk).table(table, name)? {
            Some(no) => no,
            None => self.open_house_table(desk)?,
        };
        Ok((no, self.search(desk).seat(no, name, joined_via)?))
    }

    /// Seats a player who waited for a tournament that is now over, or to learn whether another
    /// player of that name is alive.
    pub(super) fn seat_anywhere(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        name: Name,
        via: Option<Name>,
    ) {
        match self.find(desk, None, &name, &via) {
            Ok(found) => self.bring(desk, conn, found, (name, via), false),
            Err(_) => {
                let reason = "there is no table for you now".to_owned();
                desk.tell(conn, Event::Dismissed(Dismissal::TableClosed(reason)));
            }
        }
    }

    fn bring(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        (no, seat): (TableNo, Seat),
        named: (Name, Option<Name>),
        asked: bool,
    ) {
        match self.whereabouts.tables.live(no).phase() {
            Phase::Playing => self.take_back(desk, conn, (no, seat), asked),
            _ => self.sit(desk, conn, (no, seat), named, asked),
        }
    }

    pub(super) fn may_sit(&self, desk: &Desk, conn: ConnId) -> Result<(), Refusal> {
        let entered = self.whereabouts.visitors.name_of(conn).is_some();
        if desk.premises.are_names_unique() && !entered {
            return Err(Refusal::NotEntered);
        }
        let waits = self.waiting.has(conn) || self.doubts.has(conn);
        let busy = self.whereabouts.plays(conn) || waits;
        if busy { Err(Refusal::AlreadySeated) } else { Ok(()) }
    }

    /// The seat of a player who was seated before a restart and now asks for a seat: the connection
    /// was cut before the player learned about it.
    fn seat_unheard_of(&mut self, conn: ConnId) -> Option<(TableNo, Seat)> {
        let (no, name) = self.whereabouts.visitors.take_unheard(conn)?;
        let table = self.whereabouts.tables.live(no).table();
        let seat = table.seat_of(name).filter(|_| table.phase() == Phase::Gathering)?;
        Some((no, seat))
    }

    /// A seated player no longer waits.
    pub fn sit(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        seat: (TableNo, Seat),
        named: (Name, Option<Name>),
        asked: bool,
    ) {
        self.stop_waiting(desk, conn);
        self.whereabouts.sit(desk, conn, seat, named, asked);
    }

    /// Gives a seat back to its player, who waits no more.
    pub fn take_back(&mut self, desk: &mut Desk, conn: ConnId, seat: (TableNo, Seat), asked: bool) {
        self.stop_waiting(desk, conn);
        self.whereabouts.take_back(desk, conn, seat, asked);
    }

    /// Where an entrant without a token is expected, by the name used at tables.
    pub fn expected(
        &self,
        desk: &Desk,
        name: &str,
        tables: impl Iterator<Item = TableNo>,
    ) -> Expected {
        let is_bot = desk.premises.kept(name).is_some_and(|kept| kept.bot);
        match is_bot || self.waiting.is_awaited(name) {
            true => Expected::Here,
            false => self.search(desk).expected(name, tables),
        }
    }

    /// An entrant has come before its table: it is seated when that is due.
    fn wait_for_table(&mut self, desk: &mut Desk, conn: ConnId, name: Name, via: Option<Name>) {
        self.whereabouts.unbind(desk, conn);
        desk.listed.push(Listing::Waits(name.clone(), true));
        self.waiting.admit(name, Waiting { conn, joined_via: via });
        desk.answer(conn, Answer::Awaited);
    }

    /// Seats who has waited for this table under this name.
    pub(super) fn seat_waiting(
        &mut self,
        desk: &mut Desk,
        (no, seat): (TableNo, Seat),
        name: &Name,
    ) {
        if let Some(Waiting { conn, joined_via }) = self.waiting.call(desk, name) {
            self.sit(desk, conn, (no, seat), (name.clone(), joined_via), false);
        }
    }

    /// Names that no tournament reserves any more are ordinary: a player who waits under one sits
    /// down where there is room.
    pub fn let_go_of_waiting(&mut self, desk: &mut Desk) {
        let names = self.waiting.iter().map(|(name, _)| name);
        let in_vain = names.filter(|name| desk.premises.kept(name).is_none());
        for name in in_vain.cloned().collect::<Vec<_>>() {
            if let Some(Waiting { conn, joined_via }) = self.waiting.call(desk, &name) {
                self.seat_anywhere(desk, conn, name, joined_via);
            }
        }
    }
}
