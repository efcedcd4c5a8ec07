//! Coming to a table: sitting down, coming back, watching.

use rules::{Game, Seat, SeatSet};

use crate::live_table::LiveTable;
use crate::naming;
use crate::speech::{Answer, Event, Introduction};
use crate::tournaments::Expected;
use crate::{At, Hall};
use table::{
    Chair, Change, ConnId, Dismissal, HOUSE_WIRE, Joined, Name, Names, Phase, Refusal, Start,
    Table, TableNo, TableRecord, TokenHash, WayBack,
};

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
        conn: ConnId,
        table: Option<Name>,
        name: Name,
        joined_via: Option<Name>,
    ) {
        if let Some((no, seat)) = self.seat_unheard_of(conn) {
            let company = self.live(no).company.clone();
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
            _ => {
                self.find_table(table, &name).and_then(|no| self.find_seat(no, &name, &joined_via))
            }
        };
        let joined = match (asked, entrant) {
            (Ok(found), _) | (Err(_), Some(Expected::Now(found))) => Ok(found),
            (Err(_), Some(Expected::Later)) => return self.wait_for_table(conn, name, joined_via),
            (Err(refusal), Some(Expected::Here) | None) => Err(refusal),
        };
        let joined = joined.and_then(|(no, seat)| {
            self.live(no).policy().check_patience(joined_via.as_deref())?;
            Ok((no, seat))
        });
        match joined {
            Ok((no, seat)) if self.live(no).phase() == Phase::Playing => {
                self.take_back(conn, no, seat, Greeting::Answer);
            }
            Ok((no, seat)) => self.sit(conn, no, seat, name, joined_via, Greeting::Answer),
            Err(refusal) => self.refuse(conn, refusal),
        }
    }

    /// The house's tables are for anybody, and so is an id that no table has: whoever is expected
    /// elsewhere is brought there.
    fn is_for_anybody(&self, table: Option<&Name>) -> bool {
        let named = table.and_then(|id| self.ids.get(id));
        named.is_none_or(|no| self.live(*no).table.opened().house)
    }

    /// Seats somebody who has waited for a tournament that is now over.
    pub(crate) fn seat_anywhere(&mut self, conn: ConnId, name: Name, joined_via: Option<Name>) {
        let found = self.find_table(None, &name);
        match found.and_then(|no| self.find_seat(no, &name, &joined_via)) {
            Ok((no, seat)) if self.live(no).phase() == Phase::Playing => {
                self.take_back(conn, no, seat, Greeting::Event);
            }
            Ok((no, seat)) => self.sit(conn, no, seat, name, joined_via, Greeting::Event),
            Err(_) => {
                let reason = "there is no table for you now".to_owned();
                self.tell(conn, Event::Dismissed(Dismissal::TableClosed(reason)));
            }
        }
    }

    pub(crate) fn may_sit(&self, conn: ConnId) -> Result<(), Refusal> {
        let person = self.visitors.get(&conn).and_then(|visitor| visitor.person.as_ref());
        if self.terms.policy.names == Names::UniqueInHall && person.is_none() {
            return Err(Refusal::NotEntered);
        }
        let busy = self.plays(conn) || self.visitors.get(&conn).is_some_and(|v| v.awaits.is_some());
        if busy { Err(Refusal::AlreadySeated) } else { Ok(()) }
    }

    /// A conn plays at one table at a time; a table that is over does not count.
    #[doc(hidden)]
    pub fn plays(&self, conn: ConnId) -> bool {
        self.seat_of(conn).is_some_and(|(no, _)| self.live(no).phase() != Phase::Closed)
    }

    fn find_table(&mut self, table: Option<Name>, name: &Name) -> Result<TableNo, Refusal> {
        let tables = || self.gathering.iter().copied();
        let expects = |table: &Table<G>| table.awaits(name) && !self.is_closed_to(table, name);
        let reserved = || tables().find(|no| expects(&self.live(*no).table));
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
        let mut open = self.live.iter().filter(|(_, live)| live.phase() != Phase::Closed);
        let returns = |live: &LiveTable<G>| {
            absent_seat(live, name).is_some() && !self.is_closed_to(&live.table, name)
        };
        open.find(|(_, live)| returns(live)).map(|(no, _)| no)
    }

    /// Newcomers are brought together with somebody who is there, not with an empty chair.
    fn suits_newcomer(&self, no: TableNo) -> bool {
        let live = self.live(no);
        let table = &live.table;
        let all_here = table
            .seated()
            .all(|(seat, chair)| chair.bot.is_some() || live.present[seat.index()].is_some());
        table.opened().house && table.open_seats() > 0 && all_here
    }

    fn find_seat(
        &self,
        no: TableNo,
        name: &Name,
        joined_via: &Option<Name>,
    ) -> Result<(TableNo, Seat), Refusal> {
        let live = self.live(no);
        let table = &live.table;
        match live.phase() {
            Phase::Closed => return Err(Refusal::AlreadyOver),
            Phase::Playing => {
                let returns =
                    live.policy().way_back == WayBack::Name && live.policy().names == Names::Free;
                let by_name = returns && !self.is_closed_to(table, name);
                let seat = absent_seat(live, name).filter(|_| by_name);
                return seat.map(|seat| (no, seat)).ok_or(Refusal::AlreadyStarted);
            }
            Phase::Gathering => {}
        }
        if self.is_closed_to(table, name) {
            return Err(Refusal::TableFull);
        }
        if table.own_seat(name).is_some_and(|seat| live.crashed.contains(seat)) {
            return Err(Refusal::AlreadyStarted);
        }
        // Bot authors restart constantly: a player takes its own empty chair over.
        if let Some(seat) = absent_seat(live, name) {
            return Ok((no, seat));
        }
        if table.is_full() || (table.open_seats() == 0 && !table.awaits(name)) {
            return Err(Refusal::TableFull);
        }
        let names = live.policy().names;
        let rivals = |chair: &Chair| {
            names != Names::UniqueByJoining
                || (joined_via.is_some() && chair.joined_via == *joined_via)
        };
        let via_house = joined_via.as_deref() == Some(HOUSE_WIRE);
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
        conn: ConnId,
        no: TableNo,
        seat: Seat,
        name: Name,
        joined_via: Option<Name>,
        greeting: Greeting,
    ) {
        let retaken = self.live(no).table.chair(seat).is_some();
        let via_house = joined_via.as_deref() == Some(HOUSE_WIRE);
        let token = match self.live(no).policy().way_back {
            WayBack::Token => Some(naming::token(&mut self.dice)),
            WayBack::Name | WayBack::None => via_house.then(|| naming::token(&mut self.dice)),
        };
        let hash = token.as_deref().map(TokenHash::of);
        self.forget_token(no, seat);
        if let Some(hash) = &hash {
            self.tokens.insert(hash.clone(), (no, seat));
        }
        let Introduction { person, version, .. } = self.introduction(conn);
        let seated =
            TableRecord::Seated { seat, name, token: hash, bot: None, joined_via, person, version };
        self.record(no, seated);
        self.unbind(conn);
        self.bind(conn, no, seat);
        self.watch_over_waiting(no);
        self.take_followers_along(no);
        let company = self.live(no).company.clone();
        let joined = Joined { company: company.clone(), seat: Some(seat), token, resumed: false };
        self.greet(conn, joined, greeting);
        if !retaken {
            self.tell_others(no, Some(conn), &Event::Company(company, Change::Joined(seat)));
        }
        self.consider_start(no);
    }

    pub(crate) fn greet(&mut self, conn: ConnId, joined: Joined, greeting: Greeting) {
        match greeting {
            Greeting::Answer => self.answer(conn, Answer::Joined(Box::new(joined))),
            Greeting::Event => self.tell(conn, Event::Seated(Box::new(joined))),
        }
    }

    /// Begins the game, or decides when it will.
    pub(crate) fn consider_start(&mut self, no: TableNo) {
        let now = self.now;
        let given_up = self.seats_given_up(no).len();
        let live = self.live_mut(no);
        let full = live.table.seated().count() + given_up == live.table.seats();
        let all_ready = live.table.seated().all(|(_, chair)| chair.ready);
        let count = live.table.seated().count();
        let begin = match live.policy().start {
            Start::WhenFull { ready_grace_ms } if full => {
                let time = live.clocks.start.unwrap_or(now + ready_grace_ms);
                Some(if all_ready { now } else { time })
            }
            Start::WhenGathered { .. } if full => Some(now),
            Start::WhenGathered { min, quiet_ms } if count >= min => Some(now + quiet_ms),
            // Whoever is alone has nobody to call for, and bots do not call.
            Start::OnCall { .. } if full && given_up > 0 && count < 2 => Some(now),
            // A full table is called for by whoever came over the house wire.
            Start::OnCall { .. } if full && live.table.seated().any(|(_, c)| c.is_via_house()) => {
                Some(now)
            }
            Start::OnCall { .. } if full && live.table.seated().all(|(_, c)| c.house) => Some(now),
            _ => None,
        };
        live.clocks.start = begin.filter(|time| *time > now);
        if begin.is_some_and(|time| time <= now) {
            self.start(no);
        }
    }

    pub(crate) fn ready(&mut self, conn: ConnId) {
        let Some((no, seat)) = self.seat_of(conn) else {
            return self.refuse(conn, Refusal::NotSeated);
        };
        let table = &self.live(no).table;
        let news = table.phase() == Phase::Gathering
            && table.chair(seat).is_some_and(|chair| !chair.ready);
        if news {
            self.record(no, TableRecord::Ready { seat });
        }
        self.answer(conn, Answer::Accepted);
        if news {
            self.consider_start(no);
        }
    }

    pub(crate) fn start_on_call(&mut self, conn: ConnId) {
        let Some((no, _)) = self.seat_of(conn) else {
            return self.refuse(conn, Refusal::NotSeated);
        };
        let live = self.live(no);
        let count = live.table.seated().count() + self.seats_given_up(no).len();
        let refusal = match (live.phase(), live.policy().start) {
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

    pub(crate) fn bind(&mut self, conn: ConnId, no: TableNo, seat: Seat) {
        self.stop_waiting(conn);
        let visitor = self.visitors.entry(conn).or_default();
        visitor.at = Some(At::Seat(no, seat));
        let person = visitor.person.as_ref().and_then(|name| self.people.get_mut(name));
        if let Some(person) = person
            && person.seat.replace((no, seat)) != Some((no, seat))
        {
            person.window_left = None;
        }
        let live = self.live_mut(no);
        live.present[seat.index()] = Some(conn);
        live.clocks.away[seat.index()] = None;
        live.refresh_company();
    }

    /// Renumbers everything that points to seats of a table, when the start puts the players in
    /// order: whoever was in `order[i]` is now in seat i.
    pub(crate) fn renumber(&mut self, no: TableNo, order: &[Seat]) {
        let live = self.live_mut(no);
        live.present = order.iter().map(|old| live.present[old.index()]).collect();
        live.clocks.away = order.iter().map(|old| live.clocks.away[old.index()]).collect();
        live.bots.clear();
        live.refresh_company();
        let live = self.live(no);
        let present = live.present.clone();
        let tokens: Vec<_> = live
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
        if let Some(token) = self.live(no).table.chair(seat).and_then(|chair| chair.token.clone()) {
            self.tokens.remove(&token);
        }
    }

    pub(crate) fn owed_bots(&self, no: TableNo) -> SeatSet {
        let live = self.live(no);
        live.table.owed().iter().filter(|seat| live.bot(*seat).is_some()).collect()
    }
}

/// The seat that bears this name while its player is away.
fn absent_seat<G: Game>(live: &LiveTable<G>, name: &Name) -> Option<Seat> {
    let absent = |seat: Seat| live.present[seat.index()].is_none();
    live.table
        .seated()
        .find(|(seat, c)| c.name == *name && absent(*seat) && !c.retired && !c.house)
        .map(|(seat, _)| seat)
}
