//! Going: leaving for good, being away, programs that have ended.

use rules::{Exit, Game, Seat};
use table::{ConnId, Name, Names, Phase, Refusal, TableInput, TableNo, Time};

use super::Lobby;
use crate::Answer;
use crate::desk::Desk;

impl<G: Game> Lobby<G> {
    /// Somebody gives up its seat or stops watching. False: it is nowhere.
    pub fn leave(&mut self, desk: &mut Desk<G>, conn: ConnId) -> bool {
        let Some(no) = self.at(conn) else { return false };
        let plays = self.seat_of(conn).is_some();
        self.let_go(conn);
        if plays && let Some(name) = self.visitors.get(&conn).and_then(|v| v.person.as_ref()) {
            self.people.stand_up(name);
        }
        desk.answer(conn, Answer::Accepted);
        self.run(desk, no, TableInput::Left(conn));
        self.tables.forget_if_outdated(desk, no);
        true
    }

    pub fn gone(&mut self, desk: &mut Desk<G>, conn: ConnId) {
        self.stop_waiting(desk, conn);
        self.away(desk, conn, Exit::Lost);
        self.visitors.remove(&conn);
    }

    /// A player is no longer here: what becomes of its seat is its table's affair.
    pub fn away(&mut self, desk: &mut Desk<G>, conn: ConnId, exit: Exit) {
        self.stop_waiting(desk, conn);
        let at = self.at(conn);
        // Who has introduced itself comes back by the token of its seat, never by name alone.
        let by_token = self.introduction(conn).is_some();
        let person = self.visitors.get_mut(&conn).and_then(|visitor| visitor.person.take());
        let counted = person.is_some();
        if let Some(name) = person {
            let window_ms = self.window_of(&name);
            self.people.leave(name.clone(), desk.now, window_ms);
            if by_token {
                self.people.forget_absent(&name);
            }
        }
        self.let_go(conn);
        if let Some(no) = at {
            self.run(desk, no, TableInput::Away { conn, exit, counted });
            self.tables.forget_if_outdated(desk, no);
        }
    }

    /// How long a person is waited for, at its table or in the lobby.
    fn window_of(&self, name: &Name) -> Option<u64> {
        let live = self.people.get(name)?.table.map(|no| self.tables.live(no));
        let seat = live.and_then(|live| Some((live, live.table().seat_of(name)?)));
        match seat {
            Some((live, seat)) => live.hold(seat).window_ms(),
            None => Some(self.terms.policy.window_ms()),
        }
    }

    /// A person's window is over: so is its seat. Others at its table whose windows are over too go
    /// in the same turn, so that nobody wins by the order of names.
    pub(super) fn person_due(&mut self, desk: &mut Desk<G>, name: &Name) {
        let Some(no) = self.people.expire(name) else { return };
        let table = self.tables.live(no).table();
        let playing = table.phase() == Phase::Playing;
        let is_due = |other: &Name| {
            let at = self.people.get(other).and_then(|person| person.table);
            playing && at == Some(no) && self.people.is_due(other, desk.now)
        };
        let seated = table.seated();
        let lost = seated.filter(|(_, chair)| chair.name == *name || is_due(&chair.name));
        let lost: Vec<Seat> = lost.map(|(seat, _)| seat).collect();
        self.run(desk, no, TableInput::Lost(lost));
    }

    /// The program of a player has ended, says the tool that started it.
    pub fn crashed(&mut self, desk: &mut Desk<G>, no: TableNo, seat: Seat) -> Result<(), Refusal> {
        self.check_crashed(no, seat)?;
        let chair = self.tables.live(no).table().chair(seat);
        if let Some(name) = chair.map(|chair| chair.name.clone()) {
            self.people.unseat(&name, no);
            self.people.forget_absent(&name);
        }
        self.run(desk, no, TableInput::Crashed(seat));
        Ok(())
    }

    fn check_crashed(&self, no: TableNo, seat: Seat) -> Result<(), Refusal> {
        let table = self.tables.live(no).table();
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
            None if table.opened().game_ref.is_none() => bad(format!("nobody sits in seat {seat}")),
            _ => Ok(()),
        }
    }

    /// Somebody is taken out by a tournament it has withdrawn from.
    pub fn take_out(&mut self, desk: &mut Desk<G>, no: TableNo, seat: Seat, reason: &str) {
        let table = self.tables.live(no).table();
        if table.phase() == Phase::Gathering
            && let Some(chair) = table.chair(seat)
        {
            self.people.unseat(&chair.name, no);
        }
        self.run(desk, no, TableInput::TakenOut { seat, reason: reason.to_owned() });
    }

    /// After a restart, where names are unique in the hall, whoever sits at an open table is known
    /// there.
    pub fn remember_people(&mut self, desk: &Desk<G>, no: TableNo, last_written: Time) {
        let live = self.tables.live(no);
        let policy = live.policy();
        if policy.names != Names::UniqueInHall {
            return;
        }
        for (seat, chair) in live.table().seated() {
            if chair.bot.is_some() {
                self.people.enter_bot(chair.name.clone(), no);
            } else if !chair.retired {
                let left = |ms| live.hold(seat).left_after_restart(ms, last_written);
                let until = live.hold(seat).window_ms().map(|ms| desk.now + left(ms));
                self.people.remember(chair.name.clone(), no, until);
            }
        }
    }
}
