//! The moves of a game: made by players, by the clock and by house bots.

use rules::{Dice, Exit, Game, Seat, SeatSet, Viewer};

use super::{Step, TableAnswer};
use crate::{ConnId, Phase, Refusal, TableRecord, guarded};

impl<G: Game> Step<'_, G> {
    pub fn act(&mut self, conn: ConnId, seq: u64, action: G::Action) {
        let seat = match self.may_act(conn, seq, &action) {
            Ok(seat) => seat,
            Err(_) if self.is_said_again(conn, seq, &action) => {
                return self.answer(conn, TableAnswer::Accepted);
            }
            Err(refusal) => {
                if let (Some(seat), Refusal::Illegal(_)) = (self.live.seat_of(conn), &refusal) {
                    self.live.made.refused(seat);
                }
                return self.refuse(conn, refusal);
            }
        };
        self.record(TableRecord::Moved { seq, seat, action });
        self.answer(conn, TableAnswer::Accepted);
        match self.live.table.seq() == seq && self.live.table.fault().is_none() {
            true => self.tell_who_is_waited_for(Some(conn)),
            false => self.go_on(),
        }
    }

    fn may_act(&self, conn: ConnId, seq: u64, action: &G::Action) -> Result<Seat, Refusal> {
        let live = &*self.live;
        let seat = live.seat_of(conn).ok_or(Refusal::NotSeated)?;
        let table = &live.table;
        let game = match (table.phase(), table.game()) {
            (Phase::Closed, _) => return Err(Refusal::AlreadyOver),
            (Phase::Playing, Some(game)) => game,
            _ => return Err(Refusal::NotStarted),
        };
        if live.is_held() && seq == live.told.0 {
            return Err(Refusal::AlreadyMoved);
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

    /// Whether a move is the last one that this seat has made, said once more: who does not know
    /// whether it was heard may say it again.
    fn is_said_again(&self, conn: ConnId, seq: u64, action: &G::Action) -> bool {
        let live = &*self.live;
        let Some(seat) = live.seat_of(conn) else { return false };
        live.is_via_house(seat) && live.recorded.last_move(seat) == Some((seq, action))
    }

    pub fn expire_turn(&mut self) {
        let live = &*self.live;
        if live.phase() != Phase::Playing || live.table.owed().is_empty() {
            return;
        }
        let (seq, silent) = (live.table.seq(), live.table.owed());
        let spared = silent.iter().filter(|seat| !live.is_silence(*seat)).collect();
        self.strike_out(silent.without(spared));
        // That may have completed the turn, or ended the game.
        let table = &self.live.table;
        if table.seq() == seq && !table.owed().is_empty() {
            self.record(TableRecord::Expired { seq, spared });
        }
        self.go_on();
    }

    /// Whoever is silent too often in a row plays no more. It goes with the turn that runs out, so
    /// that nobody is asked for a move in a game that is decided by it.
    fn strike_out(&mut self, silent: SeatSet) {
        let live = &*self.live;
        let (most, table) = (live.policy().strikes, &live.table);
        let is_out = |seat: &Seat| {
            let strikes = table.chair(*seat).map_or(0, |chair| chair.strikes + 1);
            // Where silence has no default action, the first one is the last.
            let default = table.game().map(|game| guarded(|| game.default_action(*seat)));
            most > 0 && strikes >= most && matches!(default, Some(Ok(Some(_))))
        };
        let exit = |seat| if live.is_away(seat) { Exit::Lost } else { Exit::TimedOut };
        let out: Vec<_> = silent.iter().filter(is_out).map(|seat| (seat, exit(seat))).collect();
        if !out.is_empty() {
            out.iter().for_each(|(seat, _)| self.forget_token(*seat));
            self.record(TableRecord::Retired { seats: out });
        }
    }

    /// One turn of the bots a tick, so that a table of bots never keeps others waiting.
    pub fn move_bots(&mut self) {
        let owed = self.owed_bots();
        let before = self.live.table.seq();
        let is_over = |table: &crate::Table<G>| table.seq() != before || table.fault().is_some();
        for seat in owed.iter() {
            if is_over(&self.live.table) {
                break;
            }
            match self.choose(seat) {
                Ok(action) => self.record(TableRecord::Moved { seq: before, seat, action }),
                Err(fault) => return self.break_down(fault),
            }
        }
        if is_over(&self.live.table) {
            self.go_on();
        } else if !owed.is_empty() {
            self.tell_who_is_waited_for(None);
        }
    }

    pub fn owed_bots(&self) -> SeatSet {
        let live = &*self.live;
        live.table.owed().iter().filter(|seat| live.bot(*seat).is_some()).collect()
    }

    fn choose(&mut self, seat: Seat) -> Result<G::Action, String> {
        let live = &mut *self.live;
        let strategy = live.bot(seat).cloned().unwrap_or_else(|| "".into());
        let kind = self.hooks.bots.iter().find(|kind| *kind.name == *strategy);
        let kind = kind.ok_or_else(|| format!("no house bot is called '{strategy}'"))?;
        let seq = live.table.seq();
        let mut dice =
            Dice::new(&live.table.opened().seed, "house bots", seq << 8 | u64::from(seat.0));
        let game = live.table.game().expect("a bot owes a move");
        let bot = live.bots.entry(seat).or_insert_with(|| (kind.make)());
        let action = guarded(|| {
            let action = bot.choose(&game.view(Viewer::Seat(seat)), &mut dice);
            // A bot that errs plays like anybody who does not know better.
            if game.check(seat, &action).is_ok() { action } else { game.sample(seat, &mut dice) }
        });
        action.map_err(|panic| format!("house bot {strategy}: {panic}"))
    }
}
