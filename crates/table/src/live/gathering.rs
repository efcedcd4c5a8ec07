//! Before the game: sitting down, being ready, freeing a seat, beginning.

use rules::{Exit, Seat, SeatSet};

use super::{BotSeat, LiveTable, Moment, Newcomer};
use crate::{
    AfterEnd, Chair, Change, Closing, ConnId, Introduction, Joined, Name, Names, Phase, Refusal,
    Start, TableEvent, TableRecord, Time, TokenHash,
};

/// A table that has not begun, while something happens to it.
pub(super) struct Gathering<'s, 'a> {
    moment: &'s mut Moment<'a>,
}

impl<'s, 'a> Gathering<'s, 'a> {
    pub fn of(moment: &'s mut Moment<'a>) -> Gathering<'s, 'a> {
        Gathering { moment }
    }
}

impl LiveTable {
    /// Sets the clocks of a table that has not begun: when bots come, when it is given up.
    pub(super) fn mind_waiting(&mut self, now: Time) {
        let policy = self.table.policy();
        let somebody = self.table.seated().any(|(_, chair)| chair.bot.is_none());
        let opened = self.table.opened();
        // An empty house table waits for as long as it likes; a tournament's has its own clock.
        let lasting = opened.house && !somebody || opened.game_ref.is_some();
        let expire = (!lasting).then(|| now + policy.waiting_expire_ms);
        let fills = somebody && !policy.house_bots.is_empty() && !self.seats_for_bots().is_empty();
        let fill = fills.then(|| now + policy.house_bots_after_ms);
        self.clocks.wait(expire, fill);
    }

    /// Until when a seated program has to pause between games. A person waits for no pause.
    fn rests_until(&self) -> Option<Time> {
        let person = self.table.seated().any(|(_, chair)| chair.person);
        self.rests.iter().flatten().max().copied().filter(|_| !person)
    }

    /// Seats of a tournament's game that no player can take any more, and why: their entrants have
    /// withdrawn, or their programs have ended.
    pub fn given_up(&self) -> Vec<(Seat, Exit)> {
        if self.phase() != Phase::Gathering || self.table.opened().game_ref.is_none() {
            return Vec::new();
        }
        let occasion = self.occasion.as_ref();
        let withdrawn = occasion.map_or(SeatSet::EMPTY, |occasion| occasion.withdrawn);
        let why = |seat: Seat| match withdrawn.contains(seat) {
            true => Some((seat, Exit::Left)),
            false => self.table.crashed().contains(seat).then_some((seat, Exit::Crashed)),
        };
        Seat::all(self.table.seats()).filter_map(why).collect()
    }
}

impl Gathering<'_, '_> {
    pub fn sit(&mut self, conn: ConnId, seat: Seat, newcomer: Newcomer, asked: bool) {
        let Newcomer { name, token, joined_via, introduction, version: claimed, rests_until } =
            newcomer;
        self.moment.live.rests[seat.index()] = rests_until;
        let retaken = self.moment.live.table.chair(seat).is_some();
        self.moment.replace(seat, conn);
        self.moment.forget_token(seat);
        let Introduction { person, version, .. } = introduction.clone().unwrap_or_default();
        // If the protocol can't carry it, it was given when the name was entered or claimed.
        let entered =
            self.moment.live.occasion.as_ref().and_then(|occasion| occasion.version_of(seat));
        let version = version.or_else(|| entered.or(claimed).filter(|_| !person));
        let hash = token.as_deref().map(TokenHash::of);
        let (token_hash, bot) = (hash, None);
        self.moment.record(TableRecord::Seated {
            seat,
            name,
            token: token_hash,
            bot,
            joined_via,
            person,
            version,
        });
        self.moment.attach(conn, seat, introduction);
        self.moment.live.mind_waiting(self.moment.now);
        let company = self.moment.live.company.clone();
        let joined = Joined { company: company.clone(), seat: Some(seat), token, resumed: false };
        self.moment.out.greet(conn, joined, asked);
        if !retaken {
            self.moment
                .tell_others(Some(conn), &TableEvent::Company(company, Change::Joined(seat)));
        }
        self.consider_start();
    }

    pub fn seat_bot(&mut self, BotSeat { seat, name, strategy }: BotSeat) {
        self.seat_without_player(seat, name, Some(strategy));
        let company = self.moment.live.company.clone();
        self.moment.tell_others(None, &TableEvent::Company(company, Change::Joined(seat)));
    }

    /// Seats a player without a connection.
    fn seat_without_player(&mut self, seat: Seat, name: Name, bot: Option<Name>) {
        let (token, joined_via, person, version) = (None, None, false, None);
        self.moment.record(TableRecord::Seated {
            seat,
            name,
            token,
            bot,
            joined_via,
            person,
            version,
        });
    }

    pub fn ready(&mut self, conn: ConnId) {
        let Some(seat) = self.moment.live.seat_of(conn) else {
            return self.moment.out.refuse(conn, Refusal::NotSeated);
        };
        let waits = |chair: &Chair| !chair.ready;
        let news = self.moment.live.phase() == Phase::Gathering
            && self.moment.live.table.chair(seat).is_some_and(waits);
        if news {
            self.moment.record(TableRecord::Ready { seat });
        }
        self.moment.out.accept(conn);
        if news {
            self.consider_start();
        }
    }

    pub fn start_on_call(&mut self, conn: ConnId) {
        if self.moment.live.seat_of(conn).is_none() {
            return self.moment.out.refuse(conn, Refusal::NotSeated);
        }
        let count = self.moment.live.table.seated().count() + self.moment.live.given_up().len();
        let refusal = match (self.moment.live.phase(), self.moment.live.policy().start) {
            (Phase::Closed, _) => Some(Refusal::AlreadyOver),
            (Phase::Playing, _) => Some(Refusal::AlreadyStarted),
            (Phase::Gathering, Start::OnCall { min }) if count >= min => None,
            (Phase::Gathering, _) => Some(Refusal::TooFewPlayers),
        };
        match refusal {
            Some(refusal) => self.moment.out.refuse(conn, refusal),
            None => {
                self.moment.out.accept(conn);
                match self.moment.live.rests_until() {
                    Some(until) if until > self.moment.now => {
                        self.moment.live.clocks.start_at(Some(until));
                    }
                    _ => self.start(),
                }
            }
        }
    }

    /// Begins the game, or decides when it will.
    pub fn consider_start(&mut self) {
        if self.moment.live.phase() != Phase::Gathering {
            return;
        }
        let now = self.moment.now;
        let begin = self.begins_at().max(self.begins_at().and(self.moment.live.rests_until()));
        self.moment.live.clocks.start_at(begin.filter(|time| *time > now));
        if begin.is_some_and(|time| time <= now) {
            self.start();
        }
    }

    /// When the game begins if nothing else happens; none: not yet.
    fn begins_at(&self) -> Option<Time> {
        let (now, live) = (self.moment.now, &*self.moment.live);
        let (table, given_up) = (&live.table, live.given_up().len());
        let count = table.seated().count();
        let full = count + given_up == table.seats();
        match live.policy().start {
            Start::WhenFull { ready_grace_ms } if full => {
                let time = live.clocks.start().unwrap_or(now + ready_grace_ms);
                Some(if table.seated().all(|(_, chair)| chair.ready) { now } else { time })
            }
            Start::WhenGathered { .. } if full => Some(now),
            Start::WhenGathered { min, quiet_ms } if count >= min => Some(now + quiet_ms),
            // A lone player has no one to call, and bots don't call.
            Start::OnCall { .. } if full && given_up > 0 && count < 2 => Some(now),
            // A player who joined over the JSON protocol calls the start of a full table.
            Start::OnCall { .. } if full && table.seated().any(|(_, c)| c.is_via_house()) => {
                Some(now)
            }
            Start::OnCall { .. } if full && table.seated().all(|(_, c)| c.house) => Some(now),
            // The start was called, but a program still has to pause.
            Start::OnCall { min } if count >= min => live.clocks.start(),
            _ => None,
        }
    }

    /// Frees a seat of a table that has not begun.
    pub fn free_seat(&mut self, seat: Seat) {
        let Some(name) = self.moment.live.table.chair(seat).map(|chair| chair.name.clone()) else {
            return;
        };
        self.moment.forget_token(seat);
        self.moment.live.rests[seat.index()] = None;
        self.moment.record(TableRecord::Left { seat });
        self.moment.live.clocks.count_absence(seat, None);
        self.moment.live.mind_waiting(self.moment.now);
        let company = self.moment.live.company.clone();
        self.moment.tell_others(None, &TableEvent::Company(company, Change::Left(seat, name)));
        if self.is_left_for_the_lobby() {
            return self.moment.close(Closing::Void("everybody has left".to_owned()));
        }
        let agreed = self.moment.live.clocks.start();
        self.consider_start();
        // Only a newcomer puts the start off.
        let start = self.moment.live.clocks.start();
        let sooner = start.map(|time| agreed.map_or(time, |agreed| time.min(agreed)));
        self.moment.live.clocks.start_at(sooner);
    }

    pub fn start(&mut self) {
        let given_up = self.moment.live.given_up().into_iter().map(|(seat, _)| seat).collect();
        let absent = self.seat_absent(given_up);
        self.start_without(absent);
    }

    /// The time to join is over: the game begins, and absent entrants are out of it.
    pub fn start_without_absent(&mut self) {
        let live = &*self.moment.live;
        if live.phase() != Phase::Gathering || live.table.opened().game_ref.is_none() {
            return;
        }
        let absent: Vec<Seat> =
            Seat::all(live.table.seats()).filter(|seat| live.is_away(*seat)).collect();
        if absent.len() == live.table.seats() {
            let why = absent.iter().map(|seat| self.why_absent(*seat)).collect();
            self.moment.live.aftermath.give_up(why);
            return self.moment.close(Closing::Void("nobody came".to_owned()));
        }
        let absent = self.seat_absent(absent);
        self.start_without(absent);
    }

    /// If no player can come to any free seat, the game doesn't wait.
    pub fn start_if_given_up(&mut self) {
        match self.moment.live.given_up().len() == self.moment.live.table.seats() {
            true => self.start_without_absent(),
            false => self.consider_start(),
        }
    }

    /// All seats are reserved, so the start doesn't move players; an absent one is seated only to
    /// be out of the game.
    fn seat_absent(&mut self, absent: Vec<Seat>) -> Vec<(Seat, Exit)> {
        let out: Vec<_> = absent.into_iter().map(|seat| (seat, self.why_absent(seat))).collect();
        for (seat, _) in &out {
            if self.moment.live.table.chair(*seat).is_none() {
                let name = self.moment.live.table.opened().reserved[seat.index()].clone();
                self.seat_without_player(*seat, name, None);
            }
            self.moment.forget_token(*seat);
        }
        out
    }

    /// Starts a game that some seats are out of from the beginning. They retire before the start is
    /// sent: a game decided by that never asks for a move.
    fn start_without(&mut self, absent: Vec<(Seat, Exit)>) {
        let live = &mut *self.moment.live;
        if live.phase() != Phase::Gathering {
            return;
        }
        let mut order: Vec<Seat> = live.table.seated().map(|(seat, _)| seat).collect();
        let by_arrival =
            matches!(live.policy().start, Start::WhenGathered { .. } | Start::OnCall { .. });
        if by_arrival && !live.table.is_all_reserved() {
            order.sort_by_key(|seat| live.table.chair(*seat).map(|chair| chair.arrival));
        }
        live.clocks.end_waiting();
        match self.moment.hooks.settled(&self.moment.live.table, &order) {
            Ok(settled) => {
                let seed = Some(self.moment.live.table.opened().seed);
                self.moment.record(TableRecord::Started { order, settled, seed });
            }
            Err(fault) => return self.moment.break_down(fault),
        }
        if !absent.is_empty() && self.moment.live.table.fault().is_none() {
            self.moment.record(TableRecord::Retired { seats: absent });
        }
        self.moment.live.progress.begin(self.moment.now);
        self.moment.play().begin_game_clock();
        self.moment.play().begin_turn();
        self.moment.play().after_step();
        if self.moment.live.phase() == Phase::Playing {
            self.moment.play().mind_absences();
        }
    }

    /// Why a seat is empty when the game begins.
    fn why_absent(&self, seat: Seat) -> Exit {
        let live = &*self.moment.live;
        match live.given_up().into_iter().find(|(other, _)| *other == seat) {
            Some((_, exit)) => exit,
            None if live.table.chair(seat).is_some() => Exit::Lost,
            None => Exit::NeverCame,
        }
    }

    /// In games with a lobby, the server's own table lasts only while a player is seated; the next
    /// players get a new one.
    fn is_left_for_the_lobby(&self) -> bool {
        let live = &*self.moment.live;
        live.policy().after_end == AfterEnd::Lobby
            && live.table.opened().house
            && live.table.seated().all(|(_, chair)| chair.bot.is_some())
    }

    /// After a restart, all players are absent.
    pub fn gather_again(&mut self, last_written: Time) {
        let (now, live) = (self.moment.now, &mut *self.moment.live);
        let grace = live.policy().resume_grace_ms;
        live.mind_waiting(now);
        let no_show_ms = live.occasion.as_ref().map(|occasion| occasion.no_show_ms);
        live.clocks.await_players(no_show_ms.map(|ms| now + ms.max(grace)));
        self.moment.lose_cut_off();
        self.consider_start();
        let live = &mut *self.moment.live;
        if live.phase() == Phase::Gathering && live.policy().names != Names::UniqueInHall {
            for seat in live.absent_seats() {
                let hold = live.hold(seat);
                let ms = hold.left_after_restart(hold.before_start_ms(), last_written);
                live.clocks.count_absence(seat, Some(now + ms));
            }
        }
    }
}
