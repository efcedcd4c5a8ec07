//! Coming: taking a name, finding a table and a seat there, coming back, waiting for one's game.

use std::sync::Arc;

use rules::{Game, Seat};
use table::{
    Chair, Company, ConnId, Dismissal, Joined, LiveTable, Name, Names, Newcomer, Phase, Refusal,
    Table, TableInput, TableNo, WayBack, is_via_house,
};

use super::Lobby;
use super::people::Waiting;
use crate::desk::Desk;
use crate::{Answer, Event, Listing};

/// An entrant who plays under its name alone, as it comes to the hall.
pub(crate) enum Expected {
    /// Another connection uses the name, and keeps it.
    Here,
    Now((TableNo, Seat)),
    /// When its table is due.
    Later,
}

impl<G: Game> Lobby<G> {
    /// Takes a name in the hall, where names are unique there. An entrant whose connection is gone
    /// and who sits nowhere may come in anew: many bots are started for each game.
    pub fn enter(&mut self, desk: &mut Desk<G>, conn: ConnId, name: Name) {
        if !self.are_names_unique() {
            return desk.refuse(conn, Refusal::NotEntered);
        }
        if self.visitor(conn).person.is_some() {
            return desk.refuse(conn, Refusal::AlreadySeated);
        }
        let kept = self.people.kept(&name);
        let may_come_anew = kept.is_some() && self.people.forget_absent(&name);
        let taken = self.people.is_known(&name) && !may_come_anew;
        if taken || kept.is_some_and(|kept| kept.bot) {
            return desk.refuse(conn, Refusal::NameTaken(name));
        }
        self.visitor(conn).person = Some(name.clone());
        self.people.enter(name, conn);
        desk.answer(conn, Answer::Entered);
    }

    /// Sits down, or comes back by name, or waits for the table of a tournament.
    pub fn join(
        &mut self,
        desk: &mut Desk<G>,
        conn: ConnId,
        (table, name, joined_via): (Option<Name>, Name, Option<Name>),
        entrant: Option<Expected>,
    ) {
        if let Some((no, seat)) = self.seat_unheard_of(conn) {
            let company = self.tables.live(no).company().clone();
            let joined = Joined { company, seat: Some(seat), token: None, resumed: false };
            return desk.answer(conn, Answer::Joined(Box::new(joined)));
        }
        if let Err(refusal) = self.may_sit(conn) {
            return desk.refuse(conn, refusal);
        }
        // A table that somebody has opened is for whom it takes. From everywhere else an entrant
        // is brought to its game, whatever it has asked for.
        let asked = match &entrant {
            Some(_) if self.is_for_anybody(table.as_ref()) => Err(Refusal::NameTaken(name.clone())),
            _ => self
                .find_table(desk, table, &name)
                .and_then(|no| self.find_seat(no, &name, &joined_via)),
        };
        let found = match (asked, entrant) {
            (Ok(found), _) | (Err(_), Some(Expected::Now(found))) => Ok(found),
            (Err(_), Some(Expected::Later)) => {
                return self.wait_for_table(desk, conn, name, joined_via);
            }
            (Err(refusal), Some(Expected::Here) | None) => Err(refusal),
        };
        let patient = |(no, seat)| {
            self.tables.live(no).policy().check_patience(joined_via.as_deref())?;
            Ok((no, seat))
        };
        match found.and_then(patient) {
            Ok(found) => self.bring(desk, conn, found, name, joined_via, true),
            Err(refusal) => desk.refuse(conn, refusal),
        }
    }

    /// Seats somebody who has waited for a tournament that is now over.
    fn seat_anywhere(&mut self, desk: &mut Desk<G>, conn: ConnId, name: Name, via: Option<Name>) {
        let found = self.find_table(desk, None, &name);
        match found.and_then(|no| self.find_seat(no, &name, &via)) {
            Ok(found) => self.bring(desk, conn, found, name, via, false),
            Err(_) => {
                let reason = "there is no table for you now".to_owned();
                desk.tell(conn, Event::Dismissed(Dismissal::TableClosed(reason)));
            }
        }
    }

    fn bring(
        &mut self,
        desk: &mut Desk<G>,
        conn: ConnId,
        (no, seat): (TableNo, Seat),
        name: Name,
        joined_via: Option<Name>,
        asked: bool,
    ) {
        match self.tables.live(no).phase() {
            Phase::Playing => self.take_back(desk, conn, no, seat, asked),
            _ => self.sit(desk, conn, (no, seat), (name, joined_via), asked),
        }
    }

    pub fn may_sit(&self, conn: ConnId) -> Result<(), Refusal> {
        let visitor = self.visitors.get(&conn);
        if self.are_names_unique() && visitor.is_none_or(|visitor| visitor.person.is_none()) {
            return Err(Refusal::NotEntered);
        }
        let busy = self.plays(conn) || self.is_waiting(conn);
        if busy { Err(Refusal::AlreadySeated) } else { Ok(()) }
    }

    /// Where a person waits who was seated before a restart, and has asked for a seat now: it was
    /// cut off before it heard of that one.
    fn seat_unheard_of(&mut self, conn: ConnId) -> Option<(TableNo, Seat)> {
        let name = self.visitors.get(&conn)?.person.clone()?;
        let no = self.people.take_unheard(&name)?;
        let table = self.tables.live(no).table();
        let seat = table.seat_of(&name).filter(|_| table.phase() == Phase::Gathering)?;
        Some((no, seat))
    }

    /// The house's tables are for anybody, and so is an id that no table has: whoever is expected
    /// elsewhere is brought there.
    fn is_for_anybody(&self, table: Option<&Name>) -> bool {
        let named = table.and_then(|id| self.tables.named(id));
        named.is_none_or(|no| self.tables.live(no).table().opened().house)
    }

    /// Whether a seat is kept for this name, and the name alone does not open it: its entrant has a
    /// token, or plays no more.
    fn is_closed_to(&self, table: &Table<G>, name: &str) -> bool {
        let kept = self.people.kept(name).map(|kept| kept.tournament);
        let game = table.opened().game_ref.as_ref();
        game.is_some_and(|game| table.own_seat(name).is_some() && kept != Some(game.tournament))
    }

    fn find_table(
        &mut self,
        desk: &mut Desk<G>,
        table: Option<Name>,
        name: &Name,
    ) -> Result<TableNo, Refusal> {
        let expects = |live: &LiveTable<G>| {
            live.table().awaits(name) && !self.is_closed_to(live.table(), name)
        };
        let reserved = || self.tables.gathering().find(|(_, live)| expects(live));
        let reserved = || reserved().map(|(no, _)| no);
        if let Some(id) = table {
            let no = self.tables.named(&id).ok_or(Refusal::NoSuchTable)?;
            return Ok(reserved().filter(|_| self.is_for_anybody(Some(&id))).unwrap_or(no));
        }
        if let Some(no) = self.table_of_absent(name).or_else(reserved) {
            return Ok(no);
        }
        let suitable = self.tables.gathering().find(|(_, live)| suits_newcomer(live));
        match suitable.map(|(no, _)| no) {
            Some(no) => Ok(no),
            None if self.has_its_single_table() => Err(Refusal::TableFull),
            None => self.open_house_table(desk),
        }
    }

    /// Where names bring players back, the table on which this one's seat is empty.
    fn table_of_absent(&self, name: &Name) -> Option<TableNo> {
        if self.terms.policy.way_back != WayBack::Name || self.are_names_unique() {
            return None;
        }
        let returns = |live: &LiveTable<G>| {
            live.phase() != Phase::Closed
                && live.absent_seat(name).is_some_and(|seat| live.hold(seat).opens_by_name())
                && !self.is_closed_to(live.table(), name)
        };
        self.tables.iter().find(|(_, live)| returns(live)).map(|(no, _)| no)
    }

    fn find_seat(
        &self,
        no: TableNo,
        name: &Name,
        joined_via: &Option<Name>,
    ) -> Result<(TableNo, Seat), Refusal> {
        let live = self.tables.live(no);
        let table = live.table();
        match live.phase() {
            Phase::Closed => return Err(Refusal::AlreadyOver),
            Phase::Playing => {
                let returns =
                    live.policy().way_back == WayBack::Name && live.policy().names == Names::Free;
                let by_name = returns && !self.is_closed_to(table, name);
                let seat = live
                    .absent_seat(name)
                    .filter(|seat| by_name && live.hold(*seat).opens_by_name());
                return seat.map(|seat| (no, seat)).ok_or(Refusal::AlreadyStarted);
            }
            Phase::Gathering => {}
        }
        if self.is_closed_to(table, name) {
            return Err(Refusal::TableFull);
        }
        if table.own_seat(name).is_some_and(|seat| table.crashed().contains(seat)) {
            return Err(Refusal::AlreadyStarted);
        }
        // Bot authors restart constantly: a player takes its own empty chair over.
        if let Some(seat) = live.absent_seat(name) {
            return Ok((no, seat));
        }
        if let Some(why) = self.barred.as_ref().filter(|_| !table.awaits(name)) {
            return Err(why.clone());
        }
        if table.is_full() || (table.open_seats() == 0 && !table.awaits(name)) {
            return Err(Refusal::TableFull);
        }
        if table.seated().any(|(_, chair)| is_rival(live, chair, name, joined_via)) {
            return Err(Refusal::NameTaken(name.clone()));
        }
        let seat = table.own_seat(name).or_else(|| table.free_seats().next());
        Ok((no, seat.expect("the table is not full")))
    }

    pub fn sit(
        &mut self,
        desk: &mut Desk<G>,
        conn: ConnId,
        (no, seat): (TableNo, Seat),
        (name, joined_via): (Name, Option<Name>),
        asked: bool,
    ) {
        let has_token = self.tables.live(no).policy().gives_token(joined_via.as_deref());
        let token = has_token.then(|| desk.token());
        self.bind(desk, conn, no);
        self.take_followers_along(desk, no);
        let introduction = self.introduction(conn);
        let known = self.tables.live(no).entrant(seat).unwrap_or(&name);
        let version = self.register.claimed(known).and_then(|claimed| claimed.version.clone());
        let newcomer = Newcomer { name, token, joined_via, introduction, version };
        self.run(desk, no, TableInput::Sat { conn, seat, newcomer, asked });
    }

    /// Gives a seat back to its player, with its name, where names are unique in the hall.
    pub fn take_back(
        &mut self,
        desk: &mut Desk<G>,
        conn: ConnId,
        no: TableNo,
        seat: Seat,
        asked: bool,
    ) {
        let chair = self.tables.live(no).table().chair(seat);
        if self.are_names_unique()
            && let Some(name) = chair.map(|chair| chair.name.clone())
            && self.people.is_known(&name)
        {
            let older = self.people.take_back(&name, conn);
            if let Some(visitor) = older.and_then(|older| self.visitors.get_mut(&older)) {
                visitor.person = None;
            }
            // Whoever had another name in the lobby has this one now.
            let other = self.visitor(conn).person.replace(name.clone());
            if let Some(other) = other.filter(|other| *other != name) {
                self.people.expire(&other);
            }
        }
        self.bind(desk, conn, no);
        let introduction = self.introduction(conn);
        self.run(desk, no, TableInput::Returned { conn, seat, introduction, asked });
    }

    /// A person comes back: to its seat, or to the lobby if that is where it was.
    pub fn resume_person(&mut self, desk: &mut Desk<G>, conn: ConnId, name: Name) {
        let here = self.visitor(conn).person.is_some();
        let table = self.people.get(&name).and_then(|person| person.table);
        let by_token = table.is_some_and(|no| {
            let live = self.tables.live(no);
            live.table().seat_of(&name).is_some_and(|seat| !live.hold(seat).opens_by_name())
        });
        let resumed =
            if here || by_token { None } else { self.people.resume(&name, conn, desk.now) };
        let Some(table) = resumed else {
            return desk.refuse(conn, Refusal::UnknownCredential);
        };
        self.visitor(conn).person = Some(name.clone());
        let seat = table.and_then(|no| Some((no, self.tables.live(no).table().seat_of(&name)?)));
        match seat {
            Some((no, seat)) => self.take_back(desk, conn, no, seat, true),
            None => {
                self.unbind(desk, conn);
                let company = Arc::new(Company::default());
                let joined = Joined { company, seat: None, token: None, resumed: true };
                desk.answer(conn, Answer::Joined(Box::new(joined)));
            }
        }
    }

    /// A conn is at a table from now on.
    fn bind(&mut self, desk: &mut Desk<G>, conn: ConnId, no: TableNo) {
        self.stop_waiting(desk, conn);
        self.unbind(desk, conn);
        let visitor = self.visitors.entry(conn).or_default();
        visitor.at = Some(no);
        if let Some(name) = &visitor.person {
            self.people.sit(name, no);
        }
    }

    /// Where an entrant without a token is expected, by its name at the tables: at one of its
    /// tournament's, or at none yet.
    pub fn expected(&self, name: &str, tables: impl Iterator<Item = TableNo>) -> Expected {
        if self.people.is_waiting(name) || self.people.kept(name).is_some_and(|kept| kept.bot) {
            return Expected::Here;
        }
        for no in tables {
            let live = self.tables.live(no);
            let Some(seat) = live.table().own_seat(name) else { continue };
            let retired = live.table().chair(seat).is_some_and(|chair| chair.retired)
                || live.table().crashed().contains(seat);
            return match live.is_away(seat) {
                false => Expected::Here,
                true if retired => Expected::Later,
                true => Expected::Now((no, seat)),
            };
        }
        Expected::Later
    }

    /// An entrant has come before its table: it is seated when that is due.
    fn wait_for_table(&mut self, desk: &mut Desk<G>, conn: ConnId, name: Name, via: Option<Name>) {
        self.unbind(desk, conn);
        self.visitor(conn).awaits = Some(name.clone());
        desk.listed.push(Listing::Waits(name.clone(), true));
        self.people.wait(name, Waiting { conn, joined_via: via });
        desk.answer(conn, Answer::Awaited);
    }

    pub fn is_waiting(&self, conn: ConnId) -> bool {
        self.visitors.get(&conn).is_some_and(|visitor| visitor.awaits.is_some())
    }

    /// Whether the conn was waiting for its table.
    pub fn stop_waiting(&mut self, desk: &mut Desk<G>, conn: ConnId) -> bool {
        let awaited = self.visitors.get(&conn).and_then(|visitor| visitor.awaits.clone());
        awaited.is_some_and(|name| self.take_waiting(desk, &name).is_some())
    }

    /// Who has waited under this name waits no more.
    fn take_waiting(&mut self, desk: &mut Desk<G>, name: &Name) -> Option<Waiting> {
        let waiting = self.people.stop_waiting(name)?;
        self.visitor(waiting.conn).awaits = None;
        desk.listed.push(Listing::Waits(name.clone(), false));
        Some(waiting)
    }

    /// Seats who has waited for this table under this name.
    pub fn seat_waiting(&mut self, desk: &mut Desk<G>, no: TableNo, seat: Seat, name: &Name) {
        if let Some(Waiting { conn, joined_via }) = self.take_waiting(desk, name) {
            self.sit(desk, conn, (no, seat), (name.clone(), joined_via), false);
        }
    }

    /// Names no tournament keeps any more are like anybody's: whoever waits under one sits down
    /// where there is room.
    pub fn let_go_of_waiting(&mut self, desk: &mut Desk<G>) {
        for name in self.people.waiting_in_vain() {
            if let Some(Waiting { conn, joined_via }) = self.take_waiting(desk, &name) {
                self.seat_anywhere(desk, conn, name, joined_via);
            }
        }
    }
}

/// Newcomers are brought together with somebody who is there, not with an empty chair.
fn suits_newcomer<G: Game>(live: &LiveTable<G>) -> bool {
    let table = live.table();
    let here = |(seat, _): (Seat, &Chair)| !live.is_away(seat);
    table.opened().house && table.open_seats() > 0 && table.seated().all(here)
}

/// Whether somebody at a table keeps another of this name from sitting down there.
fn is_rival<G: Game>(
    live: &LiveTable<G>,
    chair: &Chair,
    name: &Name,
    joined_via: &Option<Name>,
) -> bool {
    let names = live.policy().names;
    let via_house = is_via_house(joined_via.as_deref());
    let compared = names != Names::UniqueByJoining
        || (joined_via.is_some() && chair.joined_via == *joined_via);
    compared && names.clash(&chair.name, name)
        || (via_house || chair.is_via_house()) && chair.name == *name
}
