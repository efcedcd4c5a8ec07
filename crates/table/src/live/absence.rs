//! Going: leaving for good, being away, being taken out.

use rules::{Exit, Grade, Seat, Viewer};

use super::hold::Hold;
use super::house_bots::{owed, strategy};
use super::{LiveTable, Moment, Play};
use crate::{
    AwayInPlay, Chair, Change, ConnId, Dismissal, Introduction, Joined, Names, Phase, TableEvent,
    TableRecord, WayBack,
};

impl LiveTable {
    /// How a seat is held for its player.
    pub fn hold(&self, seat: Seat) -> Hold<'_> {
        let in_tournament = self.table.opened().game_ref.is_some();
        Hold::new(self.policy(), self.table.chair(seat), self.phase(), in_tournament)
    }

    /// Whether any player could reconnect to the table after a restart.
    pub fn survives_restart(&self) -> bool {
        let returns = |chair: &Chair| chair.is_via_house() && !chair.retired;
        self.policy().way_back != WayBack::None
            || self.table.seated().any(|(_, chair)| returns(chair))
    }

    /// Whether who is lost from this seat plays no more, without being waited for.
    pub fn goes_at_once(&self, seat: Seat) -> bool {
        self.phase() == Phase::Playing
            && match self.hold(seat).in_play() {
                AwayInPlay::Retire => true,
                AwayInPlay::RetireAfterMove => !self.table.has_moved(seat),
                _ => false,
            }
    }

    /// Whether the player of a seat is neither here nor represented by a house bot.
    pub fn is_away(&self, seat: Seat) -> bool {
        let held = |chair: &Chair| chair.bot.is_some() || chair.is_via_calls();
        !self.audience.is_present(seat) && !self.table.chair(seat).is_some_and(held)
    }

    /// The seats whose players are away.
    pub(super) fn absent_seats(&self) -> Vec<Seat> {
        self.table.seated().map(|(seat, _)| seat).filter(|seat| self.is_away(*seat)).collect()
    }

    /// Whether a player's absence is a silence like any other: its clock runs, and it counts.
    pub(super) fn is_silence(&self, seat: Seat) -> bool {
        !self.is_away(seat) || self.hold(seat).is_silence()
    }
}

impl Moment<'_> {
    /// A member leaves on request.
    pub fn leave(&mut self, conn: ConnId) {
        let seat = self.live.seat_of(conn);
        self.detach(conn);
        match (seat, self.live.phase()) {
            (Some(seat), Phase::Gathering) => self.gathering().free_seat(seat),
            (Some(seat), Phase::Playing) => self.play().retire(vec![(seat, Exit::Left)]),
            (_, Phase::Closed) | (None, _) => {}
        }
    }

    /// A player is no longer connected: the policy decides what happens to the seat.
    pub fn away(&mut self, conn: ConnId, exit: Exit, counted: bool) {
        let seat = self.live.seat_of(conn);
        self.detach(conn);
        let Some(seat) = seat else { return };
        let for_ms = |ms: u64| (!counted).then_some(ms);
        match self.live.phase() {
            _ if !self.live.is_away(seat) => {}
            Phase::Gathering => match self.live.hold(seat).before_start_ms() {
                0 if !counted => self.gathering().free_seat(seat),
                ms => self.hold_seat(seat, exit, for_ms(ms)),
            },
            Phase::Playing => match self.live.hold(seat).in_play() {
                AwayInPlay::Hold => self.hold_seat(seat, exit, None),
                AwayInPlay::RetireAfterMove if self.live.table.has_moved(seat) => {
                    self.note_absence(seat);
                }
                AwayInPlay::Retire | AwayInPlay::RetireAfterMove => {
                    self.play().retire(vec![(seat, exit)]);
                }
                AwayInPlay::RetireAfter { ms } | AwayInPlay::BotAfter { ms } => {
                    self.hold_seat(seat, exit, for_ms(ms));
                }
            },
            Phase::Closed => {}
        }
    }

    /// Writes down since when a player is away.
    pub fn note_absence(&mut self, seat: Seat) {
        if self.live.table.chair(seat).is_some_and(|chair| !chair.retired) {
            self.record(TableRecord::Away { seat, at: self.now });
        }
    }

    fn hold_seat(&mut self, seat: Seat, exit: Exit, ms: Option<u64>) {
        self.note_absence(seat);
        self.live.clocks.count_absence(seat, ms.map(|ms| self.now + ms));
        self.play().mind_turn_clock();
        let company = self.live.company.clone();
        self.tell_others(None, &TableEvent::Company(company, Change::Away(seat, exit)));
        self.mind_desertion();
    }

    /// Gives a seat back to its player, and takes it from an older connection.
    pub fn take_back(
        &mut self,
        conn: ConnId,
        seat: Seat,
        introduction: Option<Introduction>,
        asked: bool,
    ) {
        self.replace(seat, conn);
        if self.live.phase() == Phase::Closed {
            return self.tell_the_end(conn, seat, introduction, asked);
        }
        if strategy(&self.live.table, seat).is_some() {
            self.play().dismiss_bot(seat);
        }
        self.attach(conn, seat, introduction);
        let company = self.live.company.clone();
        let joined =
            Joined { company: company.clone(), seat: Some(seat), token: None, resumed: true };
        self.out.greet(conn, joined, asked);
        self.tell_others(Some(conn), &TableEvent::Company(company, Change::Back(seat)));
        self.play().end_grace();
        self.play().mind_turn_clock();
        self.catch_up(conn, Viewer::Seat(seat));
        self.mind_desertion();
    }

    /// Sends a player, once, the end of a game that was over before a restart.
    fn tell_the_end(
        &mut self,
        conn: ConnId,
        seat: Seat,
        introduction: Option<Introduction>,
        asked: bool,
    ) {
        self.live.aftermath.tell(seat);
        self.attach(conn, seat, introduction);
        let company = self.live.company.clone();
        let joined = Joined { company, seat: Some(seat), token: None, resumed: true };
        self.out.greet(conn, joined, asked);
        if let Some(over) = self.live.showing().over() {
            self.out.tell(conn, over);
        }
    }

    /// Another connection takes a seat from the one it has, unless calls share it.
    pub fn replace(&mut self, seat: Seat, conn: ConnId) {
        if self.live.table.chair(seat).is_some_and(|chair| chair.is_via_calls()) {
            return;
        }
        for older in self.live.audience.conns_of(seat) {
            if older != conn {
                self.unbind(older);
                self.out.tell(older, TableEvent::Dismissed(Dismissal::Replaced));
            }
        }
    }

    /// The players whose reconnect window ended.
    pub fn lose(&mut self, seats: Vec<Seat>) {
        match self.live.phase() {
            Phase::Gathering => seats.into_iter().for_each(|seat| self.gathering().free_seat(seat)),
            Phase::Playing => {
                self.play().retire(seats.into_iter().map(|seat| (seat, Exit::Lost)).collect());
            }
            Phase::Closed => {}
        }
    }

    /// Removes a player as if they had left: the opponents win, or play on.
    pub fn take_out(&mut self, seat: Seat, reason: String) {
        match self.live.phase() {
            Phase::Playing => self.play().retire(vec![(seat, Exit::Left)]),
            Phase::Gathering => {
                for conn in self.live.audience.conns_of(seat) {
                    self.unbind(conn);
                    let closed = Dismissal::TableClosed(reason.clone());
                    self.out.tell(conn, TableEvent::Dismissed(closed));
                }
                self.gathering().free_seat(seat);
            }
            Phase::Closed => {}
        }
    }

    /// The game no longer waits for a player whose program has ended.
    pub fn crash(&mut self, seat: Seat) {
        for conn in self.live.audience.conns_of(seat) {
            self.unbind(conn);
        }
        if self.live.phase() == Phase::Playing {
            if strategy(&self.live.table, seat).is_some() {
                self.play().dismiss_bot(seat);
            }
            self.live.clocks.count_absence(seat, None);
            return self.play().retire(vec![(seat, Exit::Crashed)]);
        }
        let is_kept = self.live.table.opened().game_ref.is_some();
        if is_kept && !self.live.table.crashed().contains(seat) {
            self.record(TableRecord::Crashed { seat });
        }
        self.gathering().free_seat(seat);
        if is_kept && self.live.phase() == Phase::Gathering {
            self.gathering().start_if_given_up();
        }
    }

    /// Absences that have lasted too long.
    pub fn end_absences(&mut self, seats: Vec<Seat>) {
        let playing = self.live.phase() == Phase::Playing;
        let has_deputy = |seat: &Seat| {
            playing && matches!(self.live.hold(*seat).in_play(), AwayInPlay::BotAfter { .. })
        };
        let (deputed, lost): (Vec<Seat>, Vec<Seat>) = seats.into_iter().partition(has_deputy);
        self.play().depute(deputed);
        self.lose(lost);
    }

    /// A running game without a clock and without players would last forever. Where players are
    /// known by name, their reconnect windows end it.
    pub fn mind_desertion(&mut self) {
        let live = &mut *self.live;
        if live.phase() == Phase::Playing {
            live.clocks.expire_at(None);
            if !live.audience.is_without_players() {
                return;
            }
            let counted = live.policy().names == Names::UniqueInHall
                && live.table.seated().any(|(seat, chair)| live.is_away(seat) && !chair.retired);
            let deserted =
                live.audience.is_without_players() && live.clocks.next().is_none() && !counted;
            let ms = live.policy().waiting_expire_ms;
            live.clocks.expire_at(deserted.then(|| self.now + ms));
        }
    }
}

impl Play<'_, '_> {
    fn dismiss_bot(&mut self, seat: Seat) {
        self.moment.record(TableRecord::Deputed { seat, bot: None });
        self.moment.live.bots.dismiss(seat);
    }

    /// Takes seats out of a running game. A seat that is already out keeps its reason: a player
    /// removed by the clock hasn't left by hanging up afterwards.
    pub fn retire(&mut self, mut seats: Vec<(Seat, Exit)>) {
        let table = &self.moment.live.table;
        seats.retain(|(seat, _)| table.chair(*seat).is_some_and(|chair| !chair.retired));
        if seats.is_empty() {
            return;
        }
        let before = table.seq();
        seats.iter().for_each(|(seat, _)| self.moment.forget_token(*seat));
        self.moment.record(TableRecord::Retired { seats });
        // A seat leaves in the middle of a turn, whose clock runs on, or between two turns.
        match self.moment.live.table.seq() == before && !self.moment.live.is_held() {
            true => {
                self.mind_turn_clock();
                self.after_step();
            }
            false => self.go_on(),
        }
    }

    /// Lets a decent house bot play for absent players: to be away must not pay.
    fn depute(&mut self, seats: Vec<Seat>) {
        let bots = &self.moment.hooks.bots;
        let decent = bots.iter().rfind(|kind| kind.grade <= Grade::Decent);
        let Some(kind) = decent.or(bots.first()) else { return };
        let any = !seats.is_empty();
        for seat in seats {
            self.moment.record(TableRecord::Deputed { seat, bot: Some(kind.name.into()) });
        }
        if any && !owed(&self.moment.live.table).is_empty() && !self.moment.live.is_held() {
            self.moment.live.clocks.ask_bots(self.moment.now);
        }
    }

    /// At the start, absences that were counted for the lobby are counted for the game.
    pub fn mind_absences(&mut self) {
        for seat in self.moment.live.absent_seats() {
            self.moment.note_absence(seat);
            self.count_absence(seat, |_, ms| ms);
        }
    }

    /// Counts how long a player stays away from a running game. Where players are known by name, the
    /// hall counts.
    pub fn count_absence(&mut self, seat: Seat, left: impl Fn(Hold<'_>, u64) -> u64) {
        let (now, live) = (self.moment.now, &mut *self.moment.live);
        let counted = live.policy().names == Names::UniqueInHall;
        let hold = live.hold(seat);
        let until = match hold.in_play() {
            AwayInPlay::RetireAfter { ms } | AwayInPlay::BotAfter { ms } if !counted => {
                Some(now + left(hold, ms))
            }
            _ => None,
        };
        live.clocks.count_absence(seat, until);
    }
}
