//! Going: leaving for good, being away, tables nobody comes to.

use rules::{Exit, Game, Seat};

use crate::live_table::LiveTable;
use crate::speech::{Answer, Event};
use crate::{At, Hall, clocks};
use table::{
    AfterEnd, AwayInPlay, Chair, Change, Closing, ConnId, Names, Phase, Refusal, TableNo,
    TableRecord, WayBack,
};

impl<G: Game> Hall<G> {
    pub(crate) fn leave(&mut self, conn: ConnId) {
        match self.visitors.get(&conn).and_then(|visitor| visitor.at) {
            None if self.stop_waiting(conn) || self.withdraw_before_start(conn) => {
                self.answer(conn, Answer::Accepted);
            }
            None => self.refuse(conn, Refusal::NotSeated),
            Some(At::Watching(_)) => {
                self.unbind(conn);
                self.answer(conn, Answer::Accepted);
            }
            Some(At::Seat(no, seat)) => {
                self.unbind(conn);
                self.stand_up(conn);
                self.answer(conn, Answer::Accepted);
                match self.phase(no) {
                    Some(Phase::Gathering) => self.free_seat(no, seat),
                    Some(Phase::Playing) => self.retire(no, vec![(seat, Exit::Left)]),
                    Some(Phase::Closed) | None => {}
                }
            }
        }
    }

    /// The session says that its player is gone; the socket may stay.
    pub(crate) fn part(&mut self, conn: ConnId, exit: Exit) {
        self.answer(conn, Answer::Accepted);
        if !self.shutting_down {
            self.stop_waiting(conn);
            self.away(conn, exit);
        }
    }

    pub(crate) fn gone(&mut self, conn: ConnId) {
        if self.shutting_down {
            return;
        }
        self.stop_waiting(conn);
        self.give_up_place(conn);
        self.away(conn, Exit::Lost);
        self.visitors.remove(&conn);
    }

    /// A player is no longer here: what becomes of its seat is policy.
    fn away(&mut self, conn: ConnId, exit: Exit) {
        let at = self.visitors.get(&conn).and_then(|visitor| visitor.at);
        let person = self.person_away(conn);
        self.unbind(conn);
        let Some(At::Seat(no, seat)) = at else { return };
        match self.phase(no) {
            Some(Phase::Gathering) => {
                let hold = self.live(no).policy().hold_waiting_ms;
                if hold == 0 && !person {
                    self.free_seat(no, seat);
                } else {
                    self.hold_seat(no, seat, exit, (!person).then_some(hold));
                }
            }
            Some(Phase::Playing) => match self.live(no).policy().away_in_play {
                AwayInPlay::Hold => self.hold_seat(no, seat, exit, None),
                AwayInPlay::Retire => self.retire(no, vec![(seat, exit)]),
                AwayInPlay::RetireAfterMove if self.live(no).table.has_moved(seat) => {}
                AwayInPlay::RetireAfterMove => self.retire(no, vec![(seat, exit)]),
                AwayInPlay::RetireAfter { ms } | AwayInPlay::BotAfter { ms } => {
                    self.hold_seat(no, seat, exit, (!person).then_some(ms));
                }
            },
            Some(Phase::Closed) | None => {}
        }
    }

    fn hold_seat(&mut self, no: TableNo, seat: Seat, exit: Exit, ms: Option<u64>) {
        let until = ms.map(|ms| self.now + ms);
        self.live_mut(no).clocks.away[seat.index()] = until;
        self.mind_turn_clock(no);
        let company = self.live(no).company.clone();
        self.tell_others(no, None, &Event::Company(company, Change::Away(seat, exit)));
        self.mind_desertion(no);
    }

    /// A running game without a clock, whose players have all gone, would stay for ever. Where
    /// players are known by name, their windows end it.
    pub(crate) fn mind_desertion(&mut self, no: TableNo) {
        let now = self.now;
        let live = self.live_mut(no);
        if live.phase() == Phase::Playing {
            live.clocks.expire = None;
            let deserted = live.present.iter().all(Option::is_none)
                && live.clocks.next().is_none()
                && live.policy().names != Names::UniqueInHall;
            let ms = live.policy().waiting_expire_ms;
            live.clocks.expire = deserted.then(|| now + ms);
        }
    }

    /// Frees a seat of a table that has not begun.
    pub(crate) fn free_seat(&mut self, no: TableNo, seat: Seat) {
        let Some(name) = self.live(no).table.chair(seat).map(|chair| chair.name.clone()) else {
            return;
        };
        self.forget_token(no, seat);
        self.record(no, TableRecord::Left { seat });
        self.live_mut(no).clocks.away[seat.index()] = None;
        self.watch_over_waiting(no);
        let company = self.live(no).company.clone();
        self.tell_others(no, None, &Event::Company(company, Change::Left(seat, name)));
        if self.is_left_for_the_lobby(no) {
            return self.close(no, Closing::Void("everybody has left".to_owned()));
        }
        let agreed = self.live(no).clocks.start;
        self.consider_start(no);
        // Only a newcomer puts the start off.
        let start = &mut self.live_mut(no).clocks.start;
        *start = start.map(|time| agreed.map_or(time, |agreed| time.min(agreed)));
    }

    /// Where players come from a lobby and go back to it, a table of the house lasts only as long
    /// as somebody is seated there; the next to come get a new one.
    fn is_left_for_the_lobby(&self, no: TableNo) -> bool {
        let live = self.live(no);
        live.policy().after_end == AfterEnd::Lobby
            && live.table.opened().house
            && live.table.seated().all(|(_, chair)| chair.bot.is_some())
    }

    /// Absences that have lasted too long.
    pub(crate) fn absences_due(&mut self, no: TableNo) {
        let now = self.now;
        let clocks = &mut self.live_mut(no).clocks.away;
        let due: Vec<Seat> = Seat::all(clocks.len())
            .filter(|seat| clocks::due(&mut clocks[seat.index()], now))
            .collect();
        if due.is_empty() {
            return;
        }
        match (self.live(no).phase(), self.live(no).policy().away_in_play) {
            (Phase::Gathering, _) => due.into_iter().for_each(|seat| self.free_seat(no, seat)),
            (Phase::Playing, AwayInPlay::BotAfter { .. }) => self.depute(no, due),
            (Phase::Playing, _) => {
                self.retire(no, due.into_iter().map(|seat| (seat, Exit::Lost)).collect());
            }
            (Phase::Closed, _) => {}
        }
    }

    /// Lets the best house bot play for absent players.
    fn depute(&mut self, no: TableNo, seats: Vec<Seat>) {
        let Some(kind) = self.bots.last() else { return };
        for seat in seats {
            self.record(no, TableRecord::Deputed { seat, bot: Some(kind.name.into()) });
        }
        let now = self.now;
        if !self.owed_bots(no).is_empty() && !self.live(no).is_held() {
            self.live_mut(no).clocks.bots = Some(now);
        }
    }

    /// Those who went after their move of the turn that is now resolved.
    pub(crate) fn retire_absent(&mut self, no: TableNo) {
        let live = self.live(no);
        if live.policy().away_in_play != AwayInPlay::RetireAfterMove {
            return;
        }
        let gone = |(seat, chair): &(Seat, &Chair)| {
            let away = live.present[seat.index()].is_none() && chair.bot.is_none();
            away && !chair.retired && !live.table.has_moved(*seat)
        };
        let gone: Vec<_> =
            live.table.seated().filter(gone).map(|(seat, _)| (seat, Exit::Lost)).collect();
        self.retire(no, gone);
    }

    /// At the start, absences that were counted for the lobby are counted for the game, each
    /// for at least so long.
    pub(crate) fn mind_absences(&mut self, no: TableNo, least_ms: u64) {
        let now = self.now;
        let live = self.live_mut(no);
        let away_in_play = live.policy().away_in_play;
        let absent: Vec<Seat> = Seat::all(live.present.len())
            .filter(|seat| live.present[seat.index()].is_none() && live.bot(*seat).is_none())
            .collect();
        for seat in &absent {
            live.clocks.away[seat.index()] = match away_in_play {
                AwayInPlay::RetireAfter { ms } | AwayInPlay::BotAfter { ms } => {
                    Some(now + ms.max(least_ms))
                }
                AwayInPlay::Hold | AwayInPlay::Retire | AwayInPlay::RetireAfterMove => None,
            };
        }
        self.keep_windows_of_people(no, &absent);
    }

    /// The server is going down. Nobody comes back to a table without a way back, so whoever plays
    /// there hears now that it is over.
    pub(crate) fn shut_down(&mut self) {
        self.shutting_down = true;
        let is_lost = |live: &LiveTable<G>| {
            live.policy().way_back == WayBack::None && live.phase() != Phase::Closed
        };
        let lost: Vec<TableNo> =
            self.live.iter().filter(|(_, live)| is_lost(live)).map(|(no, _)| no).collect();
        for no in lost {
            self.close(no, Closing::Void("the server was stopped".to_owned()));
        }
    }

    /// Nobody came, or nobody is left.
    pub(crate) fn give_up(&mut self, no: TableNo) {
        let reason = match self.phase(no) {
            Some(Phase::Gathering) => "the table waited too long for players",
            Some(Phase::Playing) => "all players have gone",
            Some(Phase::Closed) | None => return,
        };
        self.close(no, Closing::Void(reason.to_owned()));
    }

    /// Takes a conn from its table, whatever it did there. The table itself does not change.
    pub(crate) fn unbind(&mut self, conn: ConnId) {
        let Some(visitor) = self.visitors.get_mut(&conn) else { return };
        visitor.follows = false;
        self.idle.remove(&conn);
        let Some(at) = visitor.at.take() else { return };
        let (At::Seat(no, _) | At::Watching(no)) = at;
        let live = self.live_mut(no);
        live.late.remove(&conn);
        match at {
            At::Seat(_, seat) if live.present[seat.index()] == Some(conn) => {
                live.present[seat.index()] = None;
                live.refresh_company();
            }
            At::Seat(..) => {}
            At::Watching(_) => {
                live.watchers.remove(&conn);
                live.organisers.remove(&conn);
            }
        }
        self.forget_if_outdated(no);
    }

    fn phase(&self, no: TableNo) -> Option<Phase> {
        self.live.get(no).map(|live| live.phase())
    }
}
