//! The moves of a game: made by players, by the clock and by house bots.

use rules::any::AnyAction;
use rules::{Exit, Seat, SeatSet};

use super::Moment;
use crate::{Chair, ConnId, How, Phase, Refusal, TableRecord, guarded};

/// A running game, while something happens to it.
pub(super) struct Play<'s, 'a> {
    pub moment: &'s mut Moment<'a>,
}

impl<'s, 'a> Play<'s, 'a> {
    pub fn of(moment: &'s mut Moment<'a>) -> Play<'s, 'a> {
        Play { moment }
    }
}

impl Play<'_, '_> {
    pub fn act(&mut self, conn: ConnId, seq: u64, action: AnyAction) {
        let seat = match self.may_act(conn, seq, &action) {
            Ok(seat) => seat,
            Err(_) if self.is_said_again(conn, seq, &action) => {
                return self.moment.out.accept(conn);
            }
            Err(refusal) => {
                if let (Some(seat), Refusal::Illegal(_)) =
                    (self.moment.live.seat_of(conn), &refusal)
                {
                    self.moment.live.progress.refuse(seat);
                }
                return self.moment.out.refuse(conn, refusal);
            }
        };
        self.record_move(seat, action, How::Made);
        self.moment.out.accept(conn);
        match self.moment.live.table.seq() == seq && self.moment.live.table.fault().is_none() {
            true => self.tell_who_is_waited_for(Some(conn)),
            false => self.go_on(),
        }
    }

    /// Counts a failed attempt of a player whose move is expected.
    pub fn misspeak(&mut self, conn: ConnId) {
        let seat = self.moment.live.seat_of(conn);
        if let Some(seat) = seat.filter(|seat| self.moment.live.table.owed().contains(*seat)) {
            self.moment.live.progress.refuse(seat);
        }
        self.moment.out.accept(conn);
    }

    /// Writes a move down, with what is known of how it came about.
    pub fn record_move(&mut self, seat: Seat, action: AnyAction, how: How) {
        let live = &*self.moment.live;
        let ms = Some(live.progress.thought_ms(self.moment.now));
        let (seq, refused) = (live.table.seq(), live.progress.refusals(seat));
        self.moment.record(TableRecord::Moved { seq, seat, action, ms, refused, how });
    }

    fn may_act(&self, conn: ConnId, seq: u64, action: &AnyAction) -> Result<Seat, Refusal> {
        let live = &*self.moment.live;
        let seat = live.seat_of(conn).ok_or(Refusal::NotSeated)?;
        let table = &live.table;
        let game = match (table.phase(), table.game()) {
            (Phase::Closed, _) => return Err(Refusal::AlreadyOver),
            (Phase::Playing, Some(game)) => game,
            _ => return Err(Refusal::NotStarted),
        };
        if live.is_held() && seq == live.progress.told().0 {
            return Err(Refusal::AlreadyMoved);
        }
        if seq > table.seq() {
            return Err(Refusal::NoTurnYet(seq));
        }
        if seq != table.seq() || live.is_held() {
            return Err(Refusal::Stale);
        }
        if !game.to_act().contains(seat) {
            return Err(Refusal::NotYourTurn);
        }
        if !table.owed().contains(seat) {
            return Err(Refusal::AlreadyMoved);
        }
        match guarded(|| game.check(seat, action)) {
            Ok(Ok(())) => Ok(seat),
            Ok(Err(illegal)) => Err(Refusal::Illegal(illegal.0)),
            Err(panic) => Err(Refusal::Illegal(panic)),
        }
    }

    /// Whether a move repeats this seat's last one: a client that doesn't know whether its move
    /// arrived may send it again.
    fn is_said_again(&self, conn: ConnId, seq: u64, action: &AnyAction) -> bool {
        let live = &*self.moment.live;
        let Some(seat) = live.seat_of(conn) else { return false };
        live.table.chair(seat).is_some_and(Chair::is_via_house)
            && live.progress.is_last_move(seat, seq, action)
    }

    pub fn expire_turn(&mut self) {
        let live = &*self.moment.live;
        if live.phase() != Phase::Playing || live.table.owed().is_empty() {
            return;
        }
        let (seq, silent) = (live.table.seq(), live.table.owed());
        let spared = silent.iter().filter(|seat| !live.is_silence(*seat)).collect();
        self.strike_out(silent.without(spared));
        // That may have completed the turn, or ended the game.
        let table = &self.moment.live.table;
        if table.seq() == seq && !table.owed().is_empty() {
            self.moment.record(TableRecord::Expired { seq, spared });
        }
        self.go_on();
    }

    /// Retires a seat that is silent too often, in a row or in total. It leaves with the turn that
    /// runs out, so a game decided by that never asks for another move.
    fn strike_out(&mut self, silent: SeatSet) {
        let live = &*self.moment.live;
        let (policy, table) = (live.policy(), &live.table);
        let reaches = |strikes: u32, most: u32| most > 0 && strikes >= most;
        let is_out = |seat: &Seat| {
            let struck = table.chair(*seat).is_some_and(|chair| {
                reaches(chair.strikes + 1, policy.strikes)
                    || reaches(chair.used.silent_turns + 1, policy.strikes_in_all)
            });
            // Where silence has no default action, the first silent turn retires.
            let default = table.game().map(|game| guarded(|| game.default_action(*seat)));
            struck && matches!(default, Some(Ok(Some(_))))
        };
        let exit = |seat| if live.is_away(seat) { Exit::Lost } else { Exit::TimedOut };
        let out: Vec<_> = silent.iter().filter(is_out).map(|seat| (seat, exit(seat))).collect();
        if !out.is_empty() {
            out.iter().for_each(|(seat, _)| self.moment.forget_token(*seat));
            self.moment.record(TableRecord::Retired { seats: out });
        }
    }
}
