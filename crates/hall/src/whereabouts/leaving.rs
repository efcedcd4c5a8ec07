//! Going: leaving for good, being away, programs that have ended.

use rules::{Exit, Seat};
use table::{ConnId, Name, Phase, Refusal, Table, TableInput, TableNo};

use super::Whereabouts;
use crate::Answer;
use crate::desk::Desk;

impl Whereabouts {
    /// Gives up a seat or stops watching. Returns false if the connection is nowhere.
    pub fn leave(&mut self, desk: &mut Desk, conn: ConnId) -> bool {
        let Some(no) = self.visitors.at(conn) else { return false };
        let plays = self.seat_of(conn).is_some();
        self.visitors.let_go(conn);
        if plays {
            self.visitors.stand_up(conn);
            self.visitors.release(conn);
        }
        desk.answer(conn, Answer::Accepted);
        self.run(desk, no, TableInput::Left(conn));
        self.tables.forget_if_outdated(desk, no);
        true
    }

    /// A player is no longer here: the table decides what happens to the seat.
    pub fn away(&mut self, desk: &mut Desk, conn: ConnId, exit: Exit) {
        let at = self.visitors.at(conn);
        let window_ms = self.visitors.name_of(conn).and_then(|name| self.window_of(desk, name));
        let counted = self.visitors.part(conn, desk.now, window_ms);
        self.visitors.let_go(conn);
        if let Some(no) = at {
            self.run(desk, no, TableInput::Away { conn, exit, counted });
            self.tables.forget_if_outdated(desk, no);
        }
    }

    /// How long a person is waited for, at its table or in the lobby.
    fn window_of(&self, desk: &Desk, name: &Name) -> Option<u64> {
        let live = self.visitors.people().get(name)?.table.map(|no| self.tables.live(no));
        let seat = live.and_then(|live| Some((live, live.table().seat_of(name)?)));
        match seat {
            Some((live, seat)) => live.hold(seat).window_ms(),
            None => Some(desk.premises.policy().window_ms()),
        }
    }

    /// A player's reconnect window is over, and so is the seat. Others at the table whose windows
    /// are over leave in the same turn, so that no one wins by name order.
    pub(super) fn person_due(&mut self, desk: &mut Desk, name: &Name) {
        let Some(no) = self.visitors.people_mut().expire(name) else { return };
        let people = self.visitors.people();
        let table = self.tables.live(no).table();
        let playing = table.phase() == Phase::Playing;
        let is_due = |other: &Name| {
            let at = people.get(other).and_then(|person| person.table);
            playing && at == Some(no) && people.is_due(other, desk.now)
        };
        let seated = table.seated();
        let lost = seated.filter(|(_, chair)| chair.name == *name || is_due(&chair.name));
        let lost: Vec<Seat> = lost.map(|(seat, _)| seat).collect();
        self.run(desk, no, TableInput::Lost(lost));
    }

    /// The program of a player has ended, says the tool that started it.
    pub fn crashed(&mut self, desk: &mut Desk, no: TableNo, seat: Seat) -> Result<(), Refusal> {
        let table = self.tables.live(no).table();
        check_crashed(table, seat)?;
        if let Some(chair) = table.chair(seat) {
            let people = self.visitors.people_mut();
            people.unseat(&chair.name, no);
            people.forget_absent(&chair.name);
        }
        self.run(desk, no, TableInput::Crashed(seat));
        Ok(())
    }

    /// A tournament removes a withdrawn entrant.
    pub fn take_out(&mut self, desk: &mut Desk, no: TableNo, seat: Seat, reason: &str) {
        let table = self.tables.live(no).table();
        if table.phase() == Phase::Gathering
            && let Some(chair) = table.chair(seat)
        {
            self.visitors.people_mut().unseat(&chair.name, no);
        }
        self.run(desk, no, TableInput::TakenOut { seat, reason: reason.to_owned() });
    }
}

/// Whether a program plays in this seat, or is to, so that it could have ended.
fn check_crashed(table: &Table, seat: Seat) -> Result<(), Refusal> {
    let bad = |why: String| Err(Refusal::BadTable(why));
    if table.phase() == Phase::Closed {
        return Err(Refusal::AlreadyOver);
    }
    if seat.index() >= table.seats() {
        let last = table.seats().saturating_sub(1);
        return bad(format!("there is no seat {seat}; seats are 0 to {last}"));
    }
    match table.chair(seat) {
        Some(chair) if chair.house => {
            bad(format!("seat {seat} is played by the server's bot '{}'", chair.name))
        }
        None if table.opened().game_ref.is_none() => bad(format!("no one sits in seat {seat}")),
        _ => Ok(()),
    }
}
