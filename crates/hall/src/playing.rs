//! The game itself: starting, moving, the clock, the bots, the end.

use std::sync::Arc;

use rules::{Dice, Exit, Game, Seat, SeatSet, Viewer};

use crate::lists::Listing;
use crate::speech::{Answer, Event};
use crate::{CLOSED_KEPT, Hall, Output};
use table::{
    AfterEnd, AwayInPlay, Chair, Closing, ConnId, Dismissal, Over, Phase, Refusal, Start,
    TableEntry, TableNo, TableRecord, Update, guarded,
};

impl<G: Game> Hall<G> {
    pub(crate) fn start(&mut self, no: TableNo) {
        let given_up = self.seats_given_up(no).into_iter().map(|(seat, _)| seat).collect();
        let absent = self.take_out(no, given_up);
        self.start_without(no, absent);
    }

    /// Starts a game that some are out of from the beginning. They go before anybody is told of
    /// the start: a game that is decided by it never asks for a move.
    pub(crate) fn start_without(&mut self, no: TableNo, absent: Vec<(Seat, Exit)>) {
        let live = self.live(no);
        if live.phase() != Phase::Gathering {
            return;
        }
        let mut order: Vec<Seat> = live.table.seated().map(|(seat, _)| seat).collect();
        let by_arrival =
            matches!(live.policy().start, Start::WhenGathered { .. } | Start::OnCall { .. });
        if by_arrival && !live.table.is_all_reserved() {
            order.sort_by_key(|seat| live.table.chair(*seat).map(|chair| chair.arrival));
        }
        self.gathering.remove(&no);
        let clocks = &mut self.live_mut(no).clocks;
        (clocks.start, clocks.no_show, clocks.fill, clocks.expire) = (None, None, None, None);
        match self.settle(no, &order) {
            Ok(settled) => self.record_start(no, &order, settled),
            Err(fault) => return self.break_down(no, fault),
        }
        if !absent.is_empty() && self.live(no).table.fault().is_none() {
            self.record(no, TableRecord::Retired { seats: absent });
        }
        self.live_mut(no).told = (0, self.now);
        self.begin_turn(no);
        self.after_step(no);
        if self.live(no).phase() == Phase::Playing {
            self.mind_absences(no, 0);
        }
    }

    /// Lets the game make something of who sits down. What it makes is written down, so that a
    /// replay needs neither the sessions nor the game's mind of that day.
    fn settle(&self, no: TableNo, order: &[Seat]) -> Result<Option<Box<G::Config>>, String> {
        let (settle, table) = (self.settle, &self.live(no).table);
        let opened = &table.opened().terms.config;
        let chairs: Vec<Chair> =
            order.iter().filter_map(|seat| table.chair(*seat).cloned()).collect();
        let settled = guarded(|| settle(opened, &chairs))?;
        Ok((settled != *opened).then(|| Box::new(settled)))
    }

    fn record_start(&mut self, no: TableNo, order: &[Seat], settled: Option<Box<G::Config>>) {
        let record = Arc::new(TableRecord::Started { order: order.to_vec(), settled });
        let at = self.now;
        let live = self.live_mut(no);
        live.note(&record, at);
        live.table.apply(&record);
        self.renumber(no, order);
        self.out.push(Output::TableRecord(TableEntry { table: no, at, record }));
    }

    pub(crate) fn act(&mut self, conn: ConnId, seq: u64, action: G::Action) {
        match self.may_act(conn, seq, &action) {
            Err(_) if self.is_said_again(conn, seq, &action) => {
                self.answer(conn, Answer::Accepted);
            }
            Err(refusal) => {
                self.note_refusal(conn, &refusal);
                self.refuse(conn, refusal);
            }
            Ok((no, seat)) => {
                self.record(no, TableRecord::Moved { seq, seat, action });
                self.renew_window(conn);
                self.answer(conn, Answer::Accepted);
                let table = &self.live(no).table;
                if table.seq() == seq && table.fault().is_none() {
                    let owed = table.owed();
                    if !self.live(no).policy().hides_owed {
                        self.tell(conn, Event::Waiting(owed));
                    }
                    self.tell_who_is_waited_for(no, Some(conn));
                } else {
                    self.go_on(no);
                }
            }
        }
    }

    fn may_act(
        &self,
        conn: ConnId,
        seq: u64,
        action: &G::Action,
    ) -> Result<(TableNo, Seat), Refusal> {
        let (no, seat) = self.seat_of(conn).ok_or(Refusal::NotSeated)?;
        let live = self.live(no);
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
            Ok(Ok(())) => Ok((no, seat)),
            Ok(Err(illegal)) => Err(Refusal::Illegal(illegal.0)),
            Err(panic) => Err(Refusal::Illegal(panic)),
        }
    }

    /// Takes seats out of a running game. One that is out already stays as it went: a player whom
    /// the clock has removed has not left by hanging up afterwards.
    pub(crate) fn retire(&mut self, no: TableNo, mut seats: Vec<(Seat, Exit)>) {
        let table = &self.live(no).table;
        seats.retain(|(seat, _)| table.chair(*seat).is_some_and(|chair| !chair.retired));
        if seats.is_empty() {
            return;
        }
        let before = self.live(no).table.seq();
        for (seat, _) in &seats {
            self.forget_token(no, *seat);
        }
        self.record(no, TableRecord::Retired { seats });
        // Somebody goes in the middle of a turn, whose clock runs on; or in between two.
        match self.live(no).table.seq() == before && !self.live(no).is_held() {
            true => {
                self.mind_turn_clock(no);
                self.after_step(no);
            }
            false => self.go_on(no),
        }
    }

    pub(crate) fn expire_turn(&mut self, no: TableNo) {
        let table = &self.live(no).table;
        if table.phase() != Phase::Playing || table.owed().is_empty() {
            return;
        }
        let (seq, silent) = (table.seq(), table.owed());
        let spared = match self.live(no).policy().away_in_play {
            AwayInPlay::Hold => SeatSet::EMPTY,
            _ => silent.iter().filter(|seat| self.live(no).is_away(*seat)).collect(),
        };
        self.strike_out(no, silent.without(spared));
        // That may have completed the turn, or ended the game.
        let table = &self.live(no).table;
        if table.seq() == seq && !table.owed().is_empty() {
            self.record(no, TableRecord::Expired { seq, spared });
        }
        self.go_on(no);
    }

    /// Whoever is silent too often in a row plays no more. It goes with the turn that runs out, so
    /// that nobody is asked for a move in a game that is decided by it.
    fn strike_out(&mut self, no: TableNo, silent: SeatSet) {
        let live = self.live(no);
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
            out.iter().for_each(|(seat, _)| self.forget_token(no, *seat));
            self.record(no, TableRecord::Retired { seats: out });
        }
    }

    /// One turn of the bots a tick, so that a table of bots never keeps others waiting.
    pub(crate) fn move_bots(&mut self, no: TableNo) {
        let owed = self.owed_bots(no);
        let before = self.live(no).table.seq();
        for seat in owed.iter() {
            if self.live(no).table.seq() != before || self.live(no).table.fault().is_some() {
                break;
            }
            match self.choose(no, seat) {
                Ok(action) => self.record(no, TableRecord::Moved { seq: before, seat, action }),
                Err(fault) => return self.break_down(no, fault),
            }
        }
        if self.live(no).table.seq() != before || self.live(no).table.fault().is_some() {
            self.go_on(no);
        } else if !owed.is_empty() {
            self.tell_who_is_waited_for(no, None);
        }
    }

    /// After a turn was resolved: the next one begins and is told, in the table's pace.
    pub(crate) fn go_on(&mut self, no: TableNo) {
        let now = self.now;
        let live = self.live_mut(no);
        let (told, at) = live.told;
        let next = at + live.policy().pace_ms;
        if next > now && live.table.seq() != told && live.table.fault().is_none() {
            let clocks = &mut live.clocks;
            (clocks.turn, clocks.turn_left, clocks.bots) = (None, None, None);
            clocks.pace = Some(next);
            return;
        }
        live.clocks.pace = None;
        self.begin_turn(no);
        self.after_step(no);
    }

    fn choose(&mut self, no: TableNo, seat: Seat) -> Result<G::Action, String> {
        let kinds = self.bots;
        let live = self.live_mut(no);
        let strategy = live.bot(seat).cloned().unwrap_or_else(|| "".into());
        let kind = kinds.iter().find(|kind| *kind.name == *strategy);
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

    /// Sets the clocks of a new turn.
    pub(crate) fn begin_turn(&mut self, no: TableNo) {
        let (now, limit) = (self.now, self.turn_limit_ms);
        let live = self.live_mut(no);
        let limit = live.table.game().and_then(|game| guarded(|| limit(game)).ok()?);
        let owed = live.table.owed();
        let running = !owed.is_empty();
        let bots = owed.iter().any(|seat| live.bot(seat).is_some());
        live.made.begin(now);
        let stands = live.policy().away_stops_clock && owed.iter().any(|seat| live.is_away(seat));
        let turn_ms = [live.policy().turn_ms, limit].into_iter().flatten().min();
        let turn_ms = turn_ms.filter(|_| running);
        live.clocks.turn = turn_ms.filter(|_| !stands).map(|ms| now + ms);
        live.clocks.turn_left = turn_ms.filter(|_| stands);
        live.clocks.bots = bots.then_some(now);
        live.told = (live.table.seq(), now);
    }

    /// Where absence stops the clock, it stands while somebody who is to move is away.
    pub(crate) fn mind_turn_clock(&mut self, no: TableNo) {
        let now = self.now;
        let live = self.live_mut(no);
        if !live.policy().away_stops_clock {
            return;
        }
        let stands = live.table.owed().iter().any(|seat| live.is_away(seat));
        let clocks = &mut live.clocks;
        if stands && let Some(until) = clocks.turn.take() {
            clocks.turn_left = Some(until.0.saturating_sub(now.0));
        } else if !stands && let Some(ms) = clocks.turn_left.take() {
            clocks.turn = Some(now + ms);
        }
    }

    /// After anything that moved the game: tell everybody, and close the table if it is over.
    pub(crate) fn after_step(&mut self, no: TableNo) {
        let table = &self.live(no).table;
        if let Some(fault) = table.fault().map(str::to_owned) {
            return self.break_down(no, fault);
        }
        let outcome = table.game().and_then(|game| game.outcome().cloned());
        let closing = outcome.map(Closing::Over);
        if let Some(closing) = &closing {
            self.record(no, TableRecord::Closed(closing.clone()));
        }
        if let Err(fault) = self.tell_update(no)
            && closing.is_none()
        {
            return self.break_down(no, fault);
        }
        match closing {
            Some(_) => self.conclude(no),
            None => self.retire_absent(no),
        }
    }

    fn tell_update(&mut self, no: TableNo) -> Result<(), String> {
        let live = self.live.get(no).expect("a table number in use names a table");
        let late = live.late.clone();
        let mut tell = |conn, update| {
            if !late.contains(&conn) {
                self.out.push(Output::Tell(conn, Event::Update(update)));
            }
        };
        let mut first: Option<Arc<Update<G>>> = None;
        for (seat, conn) in Seat::all(live.present.len()).zip(&live.present) {
            let Some(conn) = *conn else { continue };
            let introduction = self.visitors.get(&conn).and_then(|v| v.introduction.as_ref());
            let told = live.update(Viewer::Seat(seat), |update| {
                update.first.clone_from(&first);
                if let Some(introduction) = introduction {
                    live.tell_more(seat, introduction.legal, update);
                }
            });
            if let Some(update) = told? {
                first.get_or_insert_with(|| update.clone());
                tell(conn, update);
            }
        }
        if !live.watchers.is_empty()
            && let Some(update) = live.update(Viewer::Public, |_| ())?
        {
            live.watchers.iter().for_each(|conn| tell(*conn, update.clone()));
        }
        if !live.organisers.is_empty()
            && let Some(update) = live.full_update(false)?
        {
            live.organisers.iter().for_each(|conn| tell(*conn, update.clone()));
        }
        self.live_mut(no).made.moves.clear();
        for conn in std::mem::take(&mut self.live_mut(no).late) {
            let viewer = self.seat_of(conn).map_or(Viewer::Public, |(_, seat)| Viewer::Seat(seat));
            self.tell_position(conn, no, viewer);
        }
        Ok(())
    }

    /// The game's own code has failed.
    fn break_down(&mut self, no: TableNo, fault: String) {
        self.live_mut(no).broken = true;
        self.close(no, Closing::Void(fault));
    }

    /// Closes a table before its end. There is exactly one closing record.
    pub(crate) fn close(&mut self, no: TableNo, closing: Closing) {
        if self.live(no).phase() == Phase::Closed {
            return;
        }
        let begun = self.live(no).table.game().is_some();
        let reason = match &closing {
            Closing::Void(reason) => reason.clone(),
            Closing::Over(_) => String::new(),
        };
        self.record(no, TableRecord::Closed(closing));
        if !begun {
            let mut audience = self.live(no).audience();
            audience.retain(|conn| !self.follows(*conn));
            for conn in audience {
                self.tell(conn, Event::Dismissed(Dismissal::TableClosed(reason.clone())));
                self.unbind(conn);
            }
        }
        self.conclude(no);
    }

    /// Says that it is over and lets go of what only a running table needs.
    fn conclude(&mut self, no: TableNo) {
        if let Some(over) = self.over_event(no).filter(|_| self.live(no).table.game().is_some()) {
            self.tell_others(no, None, &over);
        }
        self.gathering.remove(&no);
        self.send_followers_on(no);
        let live = self.live_mut(no);
        live.late.clear();
        let away = vec![None; live.clocks.away.len()];
        live.clocks = crate::clocks::Clocks { away, ..Default::default() };
        live.bots.clear();
        live.recorded.keep_last_moves();
        if live.policy().after_end == AfterEnd::Lobby {
            for conn in live.present.clone().into_iter().flatten() {
                self.unbind(conn);
            }
        }
        self.unseat_people(no);
        self.bout_ended(no);
        self.closed.push_back(no);
        if self.closed.len() > CLOSED_KEPT {
            let oldest = self.closed.pop_front().expect("just pushed");
            self.live_mut(oldest).outdated = true;
            self.forget_if_outdated(oldest);
        }
    }

    pub(crate) fn over_event(&self, no: TableNo) -> Option<Event<G>> {
        let live = self.live(no);
        let closing = live.table.closing().cloned()?;
        let last_views = match closing {
            // A view that cannot be made may be why the table is closed.
            Closing::Void(_) => live.seat_views().unwrap_or_default(),
            Closing::Over(_) => Vec::new(),
        };
        Some(Event::Over(Arc::new(Over { company: live.company.clone(), closing, last_views })))
    }

    /// Drops a closed table that nobody looks at any more.
    pub(crate) fn forget_if_outdated(&mut self, no: TableNo) {
        let live = self.live(no);
        if !live.outdated || !live.is_deserted() {
            return;
        }
        for seat in Seat::all(live.table.seats()) {
            self.forget_token(no, seat);
        }
        if let Some(live) = self.live.remove(no) {
            self.ids.remove(&live.table.opened().id);
            self.listed.push(Listing::TableForgotten(no));
            if let Some(time) = live.armed {
                self.alarms.remove(&(time, crate::Alarm::Table(no)));
            }
        }
    }
}
