//! Coming to a table: sitting down, coming back, watching.

use rules::{Game, Seat, SeatSet};

use crate::host::Host;
use crate::naming::{self, TokenHash};
use crate::policy::{Names, Start, WayBack};
use crate::record::Record;
use crate::speech::{
    Answer, Change, Dismissal, Event, HOUSE_WIRE, Introduction, Joined, Name, Refusal,
};
use crate::table::{Chair, Phase, Table};
use crate::tournaments::Expected;
use crate::{At, Conn, Hall, TableNo};

/// How somebody hears that it is seated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Greeting {
    /// It has asked just now.
    Answer,
    /// Its table is due now.
    Event,
}

impl<G: Game> Hall<G> {
    pub(crate) fn join(
        &mut self,
        conn: Conn,
        table: Option<Name>,
        name: Name,
        manner: Option<Name>,
    ) {
        if let Some((no, seat)) = self.seat_unheard_of(conn) {
            let company = self.host(no).company.clone();
            let joined = Joined { company, seat: Some(seat), token: None, resumed: false };
            return self.greet(conn, joined, Greeting::Answer);
        }
        if let Err(refusal) = self.may_sit(conn) {
            return self.refuse(conn, refusal);
        }
        // A table that somebody has opened is for whom it takes. From everywhere else an entrant
        // is brought to its game, whatever it has asked for.
        let entrant = self.expected(&name);
        let asked = match &entrant {
            Some(_) if self.is_for_anybody(table.as_ref()) => Err(Refusal::NameTaken(name.clone())),
            _ => self.find_table(table, &name).and_then(|no| self.find_seat(no, &name, &manner)),
        };
        let joined = match (asked, entrant) {
            (Ok(found), _) | (Err(_), Some(Expected::Now(found))) => Ok(found),
            (Err(_), Some(Expected::Later)) => return self.wait_for_table(conn, name, manner),
            (Err(refusal), Some(Expected::Here) | None) => Err(refusal),
        };
        let joined = joined.and_then(|(no, seat)| {
            self.host(no).policy().check_patience(manner.as_deref())?;
            Ok((no, seat))
        });
        match joined {
            Ok((no, seat)) if self.host(no).phase() == Phase::Playing => {
                self.take_back(conn, no, seat, Greeting::Answer);
            }
            Ok((no, seat)) => self.sit(conn, no, seat, name, manner, Greeting::Answer),
            Err(refusal) => self.refuse(conn, refusal),
        }
    }

    /// The house's tables are for anybody, and so is an id that no table has: whoever is expected
    /// elsewhere is brought there.
    fn is_for_anybody(&self, table: Option<&Name>) -> bool {
        let named = table.and_then(|id| self.ids.get(id));
        named.is_none_or(|no| self.host(*no).table.opened.house)
    }

    /// Seats somebody who has waited for a tournament that is now over.
    pub(crate) fn seat_anywhere(&mut self, conn: Conn, name: Name, manner: Option<Name>) {
        let found = self.find_table(None, &name);
        match found.and_then(|no| self.find_seat(no, &name, &manner)) {
            Ok((no, seat)) if self.host(no).phase() == Phase::Playing => {
                self.take_back(conn, no, seat, Greeting::Event);
            }
            Ok((no, seat)) => self.sit(conn, no, seat, name, manner, Greeting::Event),
            Err(_) => {
                let reason = "there is no table for you now".to_owned();
                self.tell(conn, Event::Dismissed(Dismissal::TableClosed(reason)));
            }
        }
    }

    pub(crate) fn may_sit(&self, conn: Conn) -> Result<(), Refusal> {
        let person = self.visitors.get(&conn).and_then(|visitor| visitor.person.as_ref());
        if self.terms.policy.names == Names::UniqueInHall && person.is_none() {
            return Err(Refusal::NotEntered);
        }
        let busy = self.plays(conn) || self.visitors.get(&conn).is_some_and(|v| v.awaits.is_some());
        if busy { Err(Refusal::AlreadySeated) } else { Ok(()) }
    }

    /// A conn plays at one table at a time; a table that is over does not count.
    pub(crate) fn plays(&self, conn: Conn) -> bool {
        self.seat_of(conn).is_some_and(|(no, _)| self.host(no).phase() != Phase::Closed)
    }

    fn find_table(&mut self, table: Option<Name>, name: &Name) -> Result<TableNo, Refusal> {
        let tables = || self.gathering.iter().copied();
        let expects = |table: &Table<G>| table.awaits(name) && !self.is_closed_to(table, name);
        let reserved = || tables().find(|no| expects(&self.host(*no).table));
        if let Some(id) = table {
            let no = self.ids.get(&id).copied().ok_or(Refusal::NoSuchTable)?;
            return Ok(reserved().filter(|_| self.is_for_anybody(Some(&id))).unwrap_or(no));
        }
        if let Some(no) = self.table_of_absent(name) {
            return Ok(no);
        }
        if let Some(no) = reserved() {
            return Ok(no);
        }
        let suits = |no: &TableNo| self.suits_newcomer(*no);
        match tables().find(suits) {
            Some(no) => Ok(no),
            None if self.has_its_single_table() => Err(Refusal::TableFull),
            None => self.open_house_table(),
        }
    }

    /// Where names bring players back, the table on which this one's seat is empty.
    fn table_of_absent(&self, name: &Name) -> Option<TableNo> {
        let policy = &self.terms.policy;
        if policy.way_back != WayBack::Name || policy.names == Names::UniqueInHall {
            return None;
        }
        let mut open = self.hosts.iter().filter(|(_, host)| host.phase() != Phase::Closed);
        let returns = |host: &Host<G>| {
            absent_seat(host, name).is_some() && !self.is_closed_to(&host.table, name)
        };
        open.find(|(_, host)| returns(host)).map(|(no, _)| no)
    }

    /// Newcomers are brought together with somebody who is there, not with an empty chair.
    fn suits_newcomer(&self, no: TableNo) -> bool {
        let host = self.host(no);
        let table = &host.table;
        let all_here = table
            .seated()
            .all(|(seat, chair)| chair.bot.is_some() || host.present[seat.index()].is_some());
        table.opened.house && table.open_seats() > 0 && all_here
    }

    fn find_seat(
        &self,
        no: TableNo,
        name: &Name,
        manner: &Option<Name>,
    ) -> Result<(TableNo, Seat), Refusal> {
        let host = self.host(no);
        let table = &host.table;
        match host.phase() {
            Phase::Closed => return Err(Refusal::AlreadyOver),
            Phase::Playing => {
                let returns =
                    host.policy().way_back == WayBack::Name && host.policy().names == Names::Free;
                let by_name = returns && !self.is_closed_to(table, name);
                let seat = absent_seat(host, name).filter(|_| by_name);
                return seat.map(|seat| (no, seat)).ok_or(Refusal::AlreadyStarted);
            }
            Phase::Gathering => {}
        }
        if self.is_closed_to(table, name) {
            return Err(Refusal::TableFull);
        }
        if table.own_seat(name).is_some_and(|seat| host.crashed.contains(seat)) {
            return Err(Refusal::AlreadyStarted);
        }
        // Bot authors restart constantly: a player takes its own empty chair over.
        if let Some(seat) = absent_seat(host, name) {
            return Ok((no, seat));
        }
        if table.is_full() || (table.open_seats() == 0 && !table.awaits(name)) {
            return Err(Refusal::TableFull);
        }
        let names = host.policy().names;
        let rivals = |chair: &Chair| {
            names != Names::UniqueByManner || (manner.is_some() && chair.manner == *manner)
        };
        let via_house = manner.as_deref() == Some(HOUSE_WIRE);
        let same = |chair: &Chair| {
            rivals(chair) && names.clash(&chair.name, name)
                || (via_house || chair.is_via_house()) && chair.name == *name
        };
        if table.seated().any(|(_, chair)| same(chair)) {
            return Err(Refusal::NameTaken(name.clone()));
        }
        let seat = table.own_seat(name).or_else(|| table.free_seat());
        Ok((no, seat.expect("the table is not full")))
    }

    pub(crate) fn sit(
        &mut self,
        conn: Conn,
        no: TableNo,
        seat: Seat,
        name: Name,
        manner: Option<Name>,
        greeting: Greeting,
    ) {
        let retaken = self.host(no).table.chair(seat).is_some();
        let via_house = manner.as_deref() == Some(HOUSE_WIRE);
        let token = match self.host(no).policy().way_back {
            WayBack::Token => Some(naming::token(&mut self.dice)),
            WayBack::Name | WayBack::None => via_house.then(|| naming::token(&mut self.dice)),
        };
        let hash = token.as_deref().map(TokenHash::of);
        self.forget_token(no, seat);
        if let Some(hash) = &hash {
            self.tokens.insert(hash.clone(), (no, seat));
        }
        let Introduction { person, version, .. } = self.introduction(conn);
        let seated = Record::Seated { seat, name, token: hash, bot: None, manner, person, version };
        self.record(no, seated);
        self.unbind(conn);
        self.bind(conn, no, seat);
        self.watch_over_waiting(no);
        self.take_followers_along(no);
        let company = self.host(no).company.clone();
        let joined = Joined { company: company.clone(), seat: Some(seat), token, resumed: false };
        self.greet(conn, joined, greeting);
        if !retaken {
            self.tell_others(no, Some(conn), &Event::Company(company, Change::Joined(seat)));
        }
        self.consider_start(no);
    }

    pub(crate) fn greet(&mut self, conn: Conn, joined: Joined, greeting: Greeting) {
        match greeting {
            Greeting::Answer => self.answer(conn, Answer::Joined(Box::new(joined))),
            Greeting::Event => self.tell(conn, Event::Seated(Box::new(joined))),
        }
    }

    /// Begins the game, or decides when it will.
    pub(crate) fn consider_start(&mut self, no: TableNo) {
        let now = self.now;
        let given_up = self.seats_given_up(no).len();
        let host = self.host_mut(no);
        let full = host.table.seated().count() + given_up == host.table.chairs.len();
        let all_ready = host.table.seated().all(|(_, chair)| chair.ready);
        let count = host.table.seated().count();
        let begin = match host.policy().start {
            Start::WhenFull { ready_grace_ms } if full => {
                let time = host.clocks.start.unwrap_or(now + ready_grace_ms);
                Some(if all_ready { now } else { time })
            }
            Start::WhenGathered { .. } if full => Some(now),
            Start::WhenGathered { min, quiet_ms } if count >= min => Some(now + quiet_ms),
            // Whoever is alone has nobody to call for, and bots do not call.
            Start::OnCall { .. } if full && given_up > 0 && count < 2 => Some(now),
            // A full table is called for by whoever came over the house wire.
            Start::OnCall { .. } if full && host.table.seated().any(|(_, c)| c.is_via_house()) => {
                Some(now)
            }
            Start::OnCall { .. } if full && host.table.seated().all(|(_, c)| c.house) => Some(now),
            _ => None,
        };
        host.clocks.start = begin.filter(|time| *time > now);
        if begin.is_some_and(|time| time <= now) {
            self.start(no);
        }
    }

    pub(crate) fn ready(&mut self, conn: Conn) {
        let Some((no, seat)) = self.seat_of(conn) else {
            return self.refuse(conn, Refusal::NotSeated);
        };
        let table = &self.host(no).table;
        let news = table.phase() == Phase::Gathering
            && table.chair(seat).is_some_and(|chair| !chair.ready);
        if news {
            self.record(no, Record::Ready { seat });
        }
        self.answer(conn, Answer::Accepted);
        if news {
            self.consider_start(no);
        }
    }

    pub(crate) fn start_on_call(&mut self, conn: Conn) {
        let Some((no, _)) = self.seat_of(conn) else {
            return self.refuse(conn, Refusal::NotSeated);
        };
        let host = self.host(no);
        let count = host.table.seated().count() + self.seats_given_up(no).len();
        let refusal = match (host.phase(), host.policy().start) {
            (Phase::Closed, _) => Some(Refusal::AlreadyOver),
            (Phase::Playing, _) => Some(Refusal::AlreadyStarted),
            (Phase::Gathering, Start::OnCall { min }) if count >= min => None,
            (Phase::Gathering, _) => Some(Refusal::TooFewPlayers),
        };
        match refusal {
            Some(refusal) => self.refuse(conn, refusal),
            None => {
                self.answer(conn, Answer::Accepted);
                self.start(no);
            }
        }
    }

    pub(crate) fn bind(&mut self, conn: Conn, no: TableNo, seat: Seat) {
        self.stop_waiting(conn);
        let visitor = self.visitors.entry(conn).or_default();
        visitor.at = Some(At::Seat(no, seat));
        let person = visitor.person.as_ref().and_then(|name| self.people.get_mut(name));
        if let Some(person) = person
            && person.seat.replace((no, seat)) != Some((no, seat))
        {
            person.window_left = None;
        }
        let host = self.host_mut(no);
        host.present[seat.index()] = Some(conn);
        host.clocks.away[seat.index()] = None;
        host.refresh_company();
    }

    /// Renumbers everything that points to seats of a table, when the start puts the players in
    /// order: whoever was in `order[i]` is now in seat i.
    pub(crate) fn renumber(&mut self, no: TableNo, order: &[Seat]) {
        let host = self.host_mut(no);
        host.present = order.iter().map(|old| host.present[old.index()]).collect();
        host.clocks.away = order.iter().map(|old| host.clocks.away[old.index()]).collect();
        host.bots.clear();
        host.refresh_company();
        let host = self.host(no);
        let present = host.present.clone();
        let tokens: Vec<_> = host
            .table
            .seated()
            .filter_map(|(seat, chair)| Some((chair.token.clone()?, seat)))
            .collect();
        for (seat, conn) in Seat::all(present.len()).zip(present) {
            if let Some(visitor) = conn.and_then(|conn| self.visitors.get_mut(&conn)) {
                visitor.at = Some(At::Seat(no, seat));
            }
        }
        for (token, seat) in tokens {
            self.tokens.insert(token, (no, seat));
        }
        self.renumber_people(no, order);
    }

    pub(crate) fn forget_token(&mut self, no: TableNo, seat: Seat) {
        if let Some(token) = self.host(no).table.chair(seat).and_then(|chair| chair.token.clone()) {
            self.tokens.remove(&token);
        }
    }

    pub(crate) fn list(&mut self, conn: Conn, only: Option<Name>) {
        let tables = match only {
            Some(id) => match self.ids.get(&id) {
                Some(no) => vec![self.host(*no).info()],
                None => return self.refuse(conn, Refusal::NoSuchTable),
            },
            None => self.joinable(),
        };
        self.answer(conn, Answer::Listed(tables));
    }

    /// Tables a stranger can sit down at: the house's own first, then in order of opening. The
    /// list is for choosing from, so it does not grow with the hall.
    fn joinable(&self) -> Vec<crate::TableInfo> {
        let open = |house: bool| {
            let hosts = self.gathering.iter().map(|no| self.host(*no));
            hosts
                .filter(move |host| host.table.opened.house == house && host.table.open_seats() > 0)
        };
        open(true).chain(open(false)).take(LISTED).map(Host::info).collect()
    }

    pub(crate) fn owed_bots(&self, no: TableNo) -> SeatSet {
        let host = self.host(no);
        host.table.owed().iter().filter(|seat| host.bot(*seat).is_some()).collect()
    }
}

/// So many tables are listed for whoever looks for one.
const LISTED: usize = 100;

/// The seat that bears this name while its player is away.
fn absent_seat<G: Game>(host: &Host<G>, name: &Name) -> Option<Seat> {
    let absent = |seat: Seat| host.present[seat.index()].is_none();
    host.table
        .seated()
        .find(|(seat, c)| c.name == *name && absent(*seat) && !c.retired && !c.house)
        .map(|(seat, _)| seat)
}
