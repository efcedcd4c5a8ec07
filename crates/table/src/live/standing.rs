//! The state around a table that no record holds, as a value: a successor continues with it
//! unnoticed.

use std::sync::Arc;

use rules::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

use super::clocks::Clocks;
use super::{LiveTable, Moment, house_bots};
use crate::{Chair, ConnId, Introduction, Name, Names, Phase, Role, Time};

/// A connection's role at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Post {
    Seat(Seat),
    Watches(Role),
    /// The same, but it came after the turn was resolved and before that is sent.
    SeatLate(Seat),
    WatchesLate(Role),
}

/// A table's clocks, and how much of its game has been sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableStanding {
    clocks: Clocks,
    /// The turn sent last, and when.
    told: (u64, Time),
    /// Moves of the running turn that were refused, seat by seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    refused: Vec<Seat>,
    /// Silent turns in a row as last sent, if they have changed since.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    strikes: Vec<(Seat, u32)>,
    /// Seats whose players may not know the end.
    #[serde(default)]
    untold: SeatSet,
}

impl TableStanding {
    /// Of a table at which a turn has begun, and nothing else is to be known.
    pub fn of_turn(told: (u64, Time), deadline: Option<Time>) -> TableStanding {
        let clocks = Clocks::of_turn(deadline);
        let (refused, strikes, untold) = (Vec::new(), Vec::new(), SeatSet::default());
        TableStanding { clocks, told, refused, strikes, untold }
    }

    /// The turn sent last, and when: of two, the greater is later.
    pub fn told(&self) -> (u64, Time) {
        self.told
    }
}

impl LiveTable {
    pub fn standing(&self) -> TableStanding {
        let refused = self.progress.refused_seats().to_vec();
        let (clocks, untold) = (self.clocks.trimmed(), self.aftermath.untold());
        let shown = |(seat, chair): (Seat, &Chair)| {
            let shown = self.company.seats.get(seat.index())?.as_ref()?.strikes;
            (shown != chair.strikes).then_some((seat, shown))
        };
        let strikes = self.table.seated().filter_map(shown).collect();
        TableStanding { clocks, told: self.progress.told(), refused, strikes, untold }
    }

    /// A connection's role here.
    pub fn post_of(&self, conn: ConnId) -> Option<Post> {
        let late = self.audience.is_late(conn);
        match (self.audience.seat_of(conn), self.audience.role_of(conn)) {
            (Some(seat), _) if late => Some(Post::SeatLate(seat)),
            (Some(seat), _) => Some(Post::Seat(seat)),
            (None, Some(role)) if late => Some(Post::WatchesLate(role)),
            (None, role) => role.map(Post::Watches),
        }
    }

    /// A connection is where it was.
    pub fn take_up(&mut self, conn: ConnId, post: Post, introduction: Option<Introduction>) {
        match post {
            Post::Seat(seat) | Post::SeatLate(seat) if seat.index() < self.table.seats() => {
                self.aftermath.tell(seat);
                self.audience.attach(seat, conn, introduction);
            }
            Post::Seat(_) | Post::SeatLate(_) => {}
            Post::Watches(role) | Post::WatchesLate(role) => self.audience.watch(conn, role),
        }
        if matches!(post, Post::SeatLate(_) | Post::WatchesLate(_)) {
            self.audience.come_late(conn);
        }
        self.refresh_company();
    }

    /// Players who are not here, although nothing says that they went.
    pub fn missing(&self) -> impl Iterator<Item = (Seat, Name)> {
        let is_missing = |(seat, chair): &(Seat, &Chair)| {
            self.is_away(*seat) && chair.away_since.is_none() && !chair.retired
        };
        let open = self.phase() != Phase::Closed;
        let missing = self.table.seated().filter(is_missing).filter(move |_| open);
        missing.map(|(seat, chair)| (seat, chair.name.clone()))
    }
}

impl Moment<'_> {
    /// Continues as an earlier owner would have, `gap_ms` later. What no node remembers starts
    /// over.
    pub fn take_over(&mut self, standing: Option<TableStanding>, gap_ms: u64) {
        let Some(TableStanding { mut clocks, told, refused, strikes, untold }) = standing else {
            return self.go_on_unknown(gap_ms);
        };
        clocks.put_off(gap_ms);
        clocks.fit(self.live.table.seats());
        let live = &mut *self.live;
        live.progress.resume(told, refused, gap_ms);
        live.clocks = clocks;
        live.aftermath.leave_untold(untold);
        live.refresh_company();
        let company = Arc::make_mut(&mut live.company);
        for (seat, shown) in strikes {
            if let Some(Some(member)) = company.seats.get_mut(seat.index()) {
                member.strikes = shown;
            }
        }
        self.count_known_absences(gap_ms);
        let live = &mut *self.live;
        // No remaining connection received the last resolved turn.
        if live.phase() == Phase::Playing && live.table.seq() != told.0 {
            live.clocks.tell_at_last(self.now);
        }
        // Bots that were thinking are asked again.
        if live.phase() == Phase::Playing
            && !live.is_held()
            && !house_bots::owed(&live.table).is_empty()
        {
            live.clocks.ask_bots_again(self.now);
        }
    }

    /// No remaining node knows the table's state. Its clocks restart, except those of players who
    /// were away before.
    fn go_on_unknown(&mut self, gap_ms: u64) {
        match self.live.phase() {
            Phase::Gathering => {
                let live = &mut *self.live;
                live.mind_waiting(self.now);
                let no_show_ms = live.occasion.as_ref().map(|occasion| occasion.no_show_ms);
                live.clocks.await_players(no_show_ms.map(|ms| self.now + ms));
                self.count_known_absences(gap_ms);
                self.gathering().consider_start();
            }
            Phase::Playing => {
                self.play().begin_game_clock();
                self.play().begin_turn();
                self.count_known_absences(gap_ms);
                // Its end was not sent yet.
                let table = &self.live.table;
                let over = table.game().is_some_and(|game| game.outcome().is_some());
                if over || table.fault().is_some() {
                    self.play().after_step();
                }
            }
            Phase::Closed => {}
        }
    }

    /// Continues recorded absences that no remaining node counts, without the time in which
    /// reconnecting was impossible.
    fn count_known_absences(&mut self, gap_ms: u64) {
        let now = self.now;
        for seat in self.live.known_away() {
            let since = self.live.table.chair(seat).and_then(|chair| chair.away_since);
            let gone = since.map_or(0, |since| now.0.saturating_sub(since.0 + gap_ms));
            if self.live.clocks.counts_absence(seat) {
                continue;
            }
            let live = &mut *self.live;
            match live.phase() {
                Phase::Playing => {
                    self.play().count_absence(seat, |_, ms| ms.saturating_sub(gone));
                }
                // Where players are known by name, the hall counts.
                Phase::Gathering if live.policy().names != Names::UniqueInHall => {
                    let ms = live.hold(seat).before_start_ms().saturating_sub(gone);
                    live.clocks.count_absence(seat, Some(now + ms));
                }
                Phase::Gathering | Phase::Closed => {}
            }
        }
    }
}

impl LiveTable {
    /// Players who are away according to the records.
    fn known_away(&self) -> Vec<Seat> {
        let is_away = |(seat, chair): &(Seat, &Chair)| {
            chair.away_since.is_some() && !chair.retired && self.is_away(*seat)
        };
        self.table.seated().filter(is_away).map(|(seat, _)| seat).collect()
    }
}
