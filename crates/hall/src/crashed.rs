//! Players whose programs have ended, as a tool saw that started them: nobody waits for these.

use rules::{Exit, Game, Seat};

use crate::Hall;
use crate::organiser::Reply;
use table::{Name, Phase, Refusal, TableNo, TableRecord};

impl<G: Game> Hall<G> {
    pub(crate) fn crashed(&mut self, id: &Name, seat: Seat) -> Reply {
        let done = self.ids.get(id).copied().ok_or(Refusal::NoSuchTable).and_then(|no| {
            self.check_crashed(no, seat)?;
            self.take_crashed_out(no, seat);
            Ok(no)
        });
        match done {
            Ok(no) => Reply::Table(Box::new(self.live(no).info())),
            Err(refusal) => Reply::Refused(refusal),
        }
    }

    fn check_crashed(&self, no: TableNo, seat: Seat) -> Result<(), Refusal> {
        let live = self.live(no);
        let bad = |why: String| Err(Refusal::BadTable(why));
        match live.phase() {
            Phase::Closed => return Err(Refusal::AlreadyOver),
            _ if seat.index() >= live.table.seats() => {
                let last = live.table.seats().saturating_sub(1);
                return bad(format!("there is no seat {seat}; seats are 0 to {last}"));
            }
            _ => {}
        }
        match live.table.chair(seat) {
            Some(chair) if chair.house => {
                bad(format!("seat {seat} is played by the server's bot '{}'", chair.name))
            }
            None if live.table.opened().game_ref.is_none() => {
                bad(format!("nobody sits in seat {seat}"))
            }
            _ => Ok(()),
        }
    }

    fn take_crashed_out(&mut self, no: TableNo, seat: Seat) {
        if let Some(name) = self.live(no).table.chair(seat).map(|chair| chair.name.clone()) {
            self.unseat_person(&name, no);
            self.forget_absent(&name);
        }
        if let Some(conn) = self.live(no).present[seat.index()] {
            self.unbind(conn);
        }
        if self.live(no).phase() == Phase::Playing {
            if self.live(no).bot(seat).is_some() {
                self.record(no, TableRecord::Deputed { seat, bot: None });
                self.live_mut(no).bots.remove(&seat);
            }
            self.live_mut(no).clocks.away[seat.index()] = None;
            return self.retire(no, vec![(seat, Exit::Crashed)]);
        }
        let is_bout = self.live(no).table.opened().game_ref.is_some();
        if is_bout {
            self.live_mut(no).crashed.insert(seat);
        }
        self.free_seat(no, seat);
        if !is_bout || self.live(no).phase() != Phase::Gathering {
            return;
        }
        match self.seats_given_up(no).len() == self.live(no).table.seats() {
            true => self.start_without_absent(no),
            false => self.consider_start(no),
        }
    }
}
