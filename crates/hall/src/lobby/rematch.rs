//! After a game: its players may stay, and when all of them want to, they play again at a new
//! table, each one seat further on.
//!
//! Nothing of this is recorded. After a restart no player has stayed, and requests are refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::Seat;
use table::{
    BotSeat, Chair, ConnId, HOUSE_WIRE, Introduction, Name, Phase, Refusal, TableInput, TableNo,
    TokenHash,
};

use super::Lobby;
use super::opening::{Purpose, check_table};
use crate::desk::Desk;
use crate::organiser::NewTable;
use crate::{Answer, Event, Rematch, RematchSeat};

/// Those who have stayed, by the table at which they played.
#[derive(Debug, Default)]
pub(super) struct Rematches {
    tables: BTreeMap<TableNo, BTreeMap<Seat, Stayed>>,
    conns: BTreeMap<ConnId, (TableNo, Seat)>,
}

#[derive(Clone, Copy, Debug)]
struct Stayed {
    conn: ConnId,
    wants: bool,
}

impl Rematches {
    /// A player's newest connection counts.
    fn stay(&mut self, (no, seat): (TableNo, Seat), stayed: Stayed) {
        let before = self.tables.entry(no).or_default().insert(seat, stayed);
        if let Some(older) = before.filter(|older| older.conn != stayed.conn) {
            self.conns.remove(&older.conn);
        }
        self.conns.insert(stayed.conn, (no, seat));
    }

    /// The table at which a connection had stayed.
    fn leave(&mut self, conn: ConnId) -> Option<TableNo> {
        let (no, seat) = self.conns.remove(&conn)?;
        let stayed = self.tables.get_mut(&no)?;
        stayed.remove(&seat);
        if stayed.is_empty() {
            self.tables.remove(&no);
        }
        Some(no)
    }

    fn get(&self, no: TableNo, seat: Seat) -> Option<Stayed> {
        self.tables.get(&no)?.get(&seat).copied()
    }

    /// Where a connection has stayed.
    pub fn place_of(&self, conn: ConnId) -> Option<(TableNo, Seat)> {
        self.conns.get(&conn).copied()
    }

    /// The connections that have stayed at a table.
    pub fn stayed(&self, no: TableNo) -> impl Iterator<Item = ConnId> {
        self.tables.get(&no).into_iter().flat_map(|stayed| stayed.values().map(|each| each.conn))
    }

    fn take(&mut self, no: TableNo) {
        for stayed in self.tables.remove(&no).unwrap_or_default().into_values() {
            self.conns.remove(&stayed.conn);
        }
    }
}

/// All players of the game, and the connections that play again.
struct Again {
    /// By seat of the game that is over.
    chairs: Vec<Chair>,
    /// None: a house bot.
    conns: Vec<Option<ConnId>>,
}

impl Again {
    fn people(&self) -> impl Iterator<Item = (ConnId, &Name)> {
        let both = self.conns.iter().zip(&self.chairs);
        both.filter_map(|(conn, chair)| Some(((*conn)?, &chair.name)))
    }

    /// Each sits one seat further on: who was second begins.
    fn seats(&self) -> impl Iterator<Item = (Seat, Option<ConnId>, &Chair)> {
        let many = self.chairs.len();
        Seat::all(many).map(move |seat| {
            let old = (seat.index() + 1) % many;
            (seat, self.conns[old], &self.chairs[old])
        })
    }
}

impl Lobby {
    /// The player of a seat has stayed after its game, and wants to play it again or not yet.
    pub fn rematch(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        (table, token): (&Name, &str),
        wants: bool,
    ) {
        let (no, seat) = match self.may_stay(conn, table, &TokenHash::of(token)) {
            Ok(place) => place,
            Err(refusal) => return desk.refuse(conn, refusal),
        };
        if self.rematches.conns.get(&conn) != Some(&(no, seat)) {
            self.leave_rematch(desk, conn);
        }
        self.introduce_again(conn, (no, seat));
        let stayed = Stayed { conn, wants };
        let agreed = self.agreed((no, seat), stayed);
        let opened = agreed.map(|again| self.open_again(desk, no, &again).map(|new| (new, again)));
        match opened {
            Some(Err(refusal)) => desk.refuse(conn, refusal),
            Some(Ok((new, again))) => {
                desk.answer(conn, Answer::Accepted);
                self.rematches.take(no);
                self.seat_again(desk, new, &again);
            }
            None => {
                desk.answer(conn, Answer::Accepted);
                self.rematches.stay((no, seat), stayed);
                self.tell_rematch(desk, no);
            }
        }
    }

    /// A connection stops waiting; the others are notified. Returns whether it was waiting.
    pub fn leave_rematch(&mut self, desk: &mut Desk, conn: ConnId) -> bool {
        let left = self.rematches.leave(conn);
        if let Some(no) = left {
            self.tell_rematch(desk, no);
        }
        left.is_some()
    }

    fn may_stay(
        &self,
        conn: ConnId,
        table: &Name,
        token: &TokenHash,
    ) -> Result<(TableNo, Seat), Refusal> {
        let tables = &self.whereabouts.tables;
        let no = tables.named(table).ok_or(Refusal::NoSuchTable)?;
        let table = tables.live(no).table();
        let seat = table.seat_opened_by(token).ok_or(Refusal::UnknownCredential)?;
        if self.whereabouts.plays(conn) || self.waiting.has(conn) {
            return Err(Refusal::AlreadySeated);
        }
        if table.phase() != Phase::Closed {
            return Err(Refusal::NotOver);
        }
        if table.game().is_none() {
            return Err(Refusal::NotStarted);
        }
        if table.opened().game_ref.is_some() {
            let why = "the tournament decides who plays whom again";
            return Err(Refusal::BadTable(why.to_owned()));
        }
        Ok((no, seat))
    }

    /// A player on a new connection keeps the introduction of the old one.
    fn introduce_again(&mut self, conn: ConnId, (no, seat): (TableNo, Seat)) {
        let visitors = &mut self.whereabouts.visitors;
        let chair = self.whereabouts.tables.live(no).table().chair(seat);
        if let Some(chair) = chair.filter(|_| visitors.introduction(conn).is_none()) {
            let (person, version) = (chair.person, chair.version.clone());
            visitors.introduce(conn, Introduction { legal: true, person, version });
        }
    }

    /// All players of the next game, if with this one all have stayed and want to.
    fn agreed(&self, (no, last): (TableNo, Seat), stayed: Stayed) -> Option<Again> {
        let table = self.whereabouts.tables.live(no).table();
        let mut again = Again { chairs: Vec::new(), conns: Vec::new() };
        for (seat, chair) in table.seated() {
            let conn = match chair.house {
                true => None,
                false => {
                    let stayed =
                        if seat == last { Some(stayed) } else { self.rematches.get(no, seat) };
                    Some(stayed.filter(|stayed| stayed.wants)?.conn)
                }
            };
            again.conns.push(conn);
            again.chairs.push(chair.clone());
        }
        Some(again)
    }

    /// Opens a table by the terms of one that is over, with a seat for each who played there.
    fn open_again(
        &mut self,
        desk: &mut Desk,
        no: TableNo,
        again: &Again,
    ) -> Result<TableNo, Refusal> {
        let visitors = &self.whereabouts.visitors;
        let unique = desk.premises.are_names_unique();
        for (conn, name) in again.people() {
            if desk.premises.register().bans.of_name(name, desk.now).is_some() {
                return Err(Refusal::BannedName(name.clone()));
            }
            let own = visitors.name_of(conn);
            let taken =
                unique && own != Some(name) && (own.is_some() || visitors.people().is_known(name));
            if taken || desk.premises.kept(name).is_some() {
                return Err(Refusal::NameTaken(name.clone()));
            }
        }
        let mut terms = self.whereabouts.tables.live(no).table().opened().terms.clone();
        terms.policy.seats = again.chairs.len();
        let (id, reserved, seed) = (None, Vec::new(), None);
        let new = NewTable { terms, id, reserved, seed, bots_at_once: false };
        check_table(self.whereabouts.tables.hooks(), &new)?;
        self.open(desk, new, Purpose::Stranger)
    }

    fn seat_again(&mut self, desk: &mut Desk, no: TableNo, again: &Again) {
        let mut bots: Vec<BotSeat> = Vec::new();
        for (seat, conn, chair) in again.seats() {
            let Some(conn) = conn else {
                let Some(strategy) = chair.bot.clone() else { continue };
                let name = |number| self.whereabouts.name_bot(desk, no, (&strategy, number), &bots);
                let name = (1..).find_map(name);
                bots.extend(name.map(|name| BotSeat { seat, name, strategy }));
                continue;
            };
            let visitors = &mut self.whereabouts.visitors;
            if desk.premises.are_names_unique() && visitors.name_of(conn).is_none() {
                visitors.enter(conn, chair.name.clone());
            }
            let named = (chair.name.clone(), Some(HOUSE_WIRE.into()));
            self.sit(desk, conn, (no, seat), named, false);
        }
        if !bots.is_empty() {
            self.whereabouts.seat_bots(desk, no, bots);
            self.whereabouts.run(desk, no, TableInput::Gathered);
        }
    }

    fn tell_rematch(&self, desk: &mut Desk, no: TableNo) {
        let (Some(live), Some(stayed)) =
            (self.whereabouts.tables.get(no), self.rematches.tables.get(&no))
        else {
            return;
        };
        let seats = live.table().seated().map(|(seat, chair)| {
            let stayed = stayed.get(&seat);
            RematchSeat {
                name: chair.name.clone(),
                here: chair.house || stayed.is_some(),
                wants: chair.house || stayed.is_some_and(|stayed| stayed.wants),
            }
        });
        let table = live.table().opened().id.clone();
        let rematch = Arc::new(Rematch { table, seats: seats.collect() });
        for Stayed { conn, .. } in stayed.values() {
            desk.tell(*conn, Event::Rematch(rematch.clone()));
        }
    }
}
