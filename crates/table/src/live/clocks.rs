//! The deadlines of a table: a tiny list. What happens when one has come is not decided here.

use rules::Seat;
use serde::{Deserialize, Serialize};

use crate::Time;

/// When something is due at one table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Clocks {
    /// The game begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<Time>,
    /// When entrants who haven't joined a tournament's game are out.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_show: Option<Time>,
    /// House bots take the free seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    fill: Option<Time>,
    /// When the last resolved turn is sent and the next one begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pace: Option<Time>,
    /// The turn expires.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<Time>,
    /// Remaining milliseconds of a turn whose clock is stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_left: Option<u64>,
    /// The game has lasted too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<Time>,
    /// House bots move.
    #[serde(skip_serializing_if = "Option::is_none")]
    bots: Option<Time>,
    /// House bots have thought for too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    thought: Option<Time>,
    /// The table is given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    expire: Option<Time>,
    /// Each seat's absence runs out.
    away: Vec<Option<Time>>,
}

/// Which deadline has come; absences have a question of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deadline {
    Start,
    NoShow,
    Fill,
    Pace,
    Thought,
    Turn,
    Game,
    Bots,
    Expire,
}

impl Clocks {
    pub fn of(seats: usize) -> Clocks {
        Clocks { away: vec![None; seats], ..Clocks::default() }
    }

    pub fn next(&self) -> Option<Time> {
        let play = [self.pace, self.turn, self.bots, self.thought];
        [self.start, self.no_show, self.fill, self.expire, self.game]
            .into_iter()
            .chain(play)
            .chain(self.away.iter().copied())
            .flatten()
            .min()
    }

    /// Takes a deadline that has come.
    pub fn is_due(&mut self, deadline: Deadline, now: Time) -> bool {
        let clock = match deadline {
            Deadline::Start => &mut self.start,
            Deadline::NoShow => &mut self.no_show,
            Deadline::Fill => &mut self.fill,
            Deadline::Pace => &mut self.pace,
            Deadline::Thought => &mut self.thought,
            Deadline::Turn => &mut self.turn,
            Deadline::Game => &mut self.game,
            Deadline::Bots => &mut self.bots,
            Deadline::Expire => &mut self.expire,
        };
        is_due(clock, now)
    }

    /// The absences that are over, which are counted no more.
    pub fn absences_due(&mut self, now: Time) -> Vec<Seat> {
        let seats = Seat::all(self.away.len());
        seats.filter(|seat| is_due(&mut self.away[seat.index()], now)).collect()
    }

    /// Postpones every deadline of a player. House bots and the pace lose nothing and stay.
    pub fn put_off(&mut self, ms: u64) {
        let waiting = [&mut self.start, &mut self.no_show, &mut self.fill, &mut self.expire];
        let playing = [&mut self.turn, &mut self.game];
        for time in waiting.into_iter().chain(playing).chain(&mut self.away).flatten() {
            *time = *time + ms;
        }
    }

    /// Nothing is due but the end of a turn.
    pub fn of_turn(turn: Option<Time>) -> Clocks {
        Clocks { turn, ..Clocks::default() }
    }

    /// The same for a successor, without seats that have nothing set.
    pub fn trimmed(&self) -> Clocks {
        let Clocks { start, no_show, fill, pace, turn, turn_left, .. } = *self;
        let Clocks { game, bots, thought, expire, .. } = *self;
        let last = self.away.iter().rposition(Option::is_some);
        let away = last.map_or_else(Vec::new, |last| self.away[..=last].to_vec());
        Clocks { start, no_show, fill, pace, turn, turn_left, game, bots, thought, expire, away }
    }

    /// Every seat has its place, whatever came from elsewhere.
    pub fn fit(&mut self, seats: usize) {
        self.away.resize(seats, None);
    }

    /// The start puts the players in order.
    pub fn renumber(&mut self, order: &[Seat]) {
        self.away = order.iter().map(|old| self.away[old.index()]).collect();
    }

    /// How long a player may stay away; none: for as long as it likes, or it is here.
    pub fn count_absence(&mut self, seat: Seat, until: Option<Time>) {
        self.away[seat.index()] = until;
    }

    /// Whether it is counted how long a player stays away.
    pub fn counts_absence(&self, seat: Seat) -> bool {
        self.away[seat.index()].is_some()
    }

    /// When the table is given up.
    pub fn expire_at(&mut self, time: Option<Time>) {
        self.expire = time;
    }

    pub fn expires(&self) -> bool {
        self.expire.is_some()
    }
}

// Before the start.
impl Clocks {
    /// When the table is given up, and when house bots come.
    pub fn wait(&mut self, expire: Option<Time>, fill: Option<Time>) {
        (self.expire, self.fill) = (expire, fill);
    }

    /// How long the players of a tournament's game have to come.
    pub fn await_players(&mut self, until: Option<Time>) {
        self.no_show = until;
    }

    pub fn start_at(&mut self, time: Option<Time>) {
        self.start = time;
    }

    pub fn start(&self) -> Option<Time> {
        self.start
    }

    /// The game begins, and the table stops waiting for players.
    pub fn end_waiting(&mut self) {
        (self.start, self.no_show, self.fill, self.expire) = (None, None, None, None);
    }
}

// In play.
impl Clocks {
    /// The resolved turn is sent no earlier than this.
    pub fn hold_back(&mut self, until: Time) {
        (self.turn, self.turn_left) = (None, None);
        (self.bots, self.thought) = (None, None);
        self.pace = Some(until);
    }

    /// The resolved turn is sent now, unless it is held back for longer.
    pub fn tell_at_last(&mut self, now: Time) {
        self.pace.get_or_insert(now);
    }

    /// Nothing is held back any more.
    pub fn let_go(&mut self) {
        self.pace = None;
    }

    /// Whether the last resolved turn is being held back.
    pub fn is_held(&self) -> bool {
        self.pace.is_some()
    }

    /// A turn begins: its duration, whether its clock is stopped, and whether bots are to move.
    pub fn begin_turn(&mut self, now: Time, turn_ms: Option<u64>, stands: bool, bots: bool) {
        self.turn = turn_ms.filter(|_| !stands).map(|ms| now + ms);
        self.turn_left = turn_ms.filter(|_| stands);
        self.bots = bots.then_some(now);
        self.thought = None;
    }

    /// The game may last until then.
    pub fn limit_game(&mut self, until: Option<Time>) {
        self.game = until;
    }

    /// When the turn expires, if its clock runs.
    pub fn turn(&self) -> Option<Time> {
        self.turn
    }

    /// Stops the turn's clock, or lets it run.
    pub fn stop_or_run(&mut self, stands: bool, now: Time) {
        if stands && let Some(until) = self.turn.take() {
            self.turn_left = Some(until.0.saturating_sub(now.0));
        } else if !stands && let Some(ms) = self.turn_left.take() {
            self.turn = Some(now + ms);
        }
    }

    /// If the clock of the turn runs, it does until then.
    pub fn reset_turn(&mut self, until: Option<Time>) {
        self.turn = until.filter(|_| self.turn.is_some());
    }

    /// Extends the turn if its clock runs. Returns whether it does.
    pub fn put_off_turn(&mut self, ms: u64) -> bool {
        self.turn = self.turn.map(|time| time + ms);
        self.turn.is_some()
    }

    pub fn ask_bots(&mut self, now: Time) {
        self.bots = Some(now);
    }

    /// Bots that were thinking are asked once more, if they are not asked anyway.
    pub fn ask_bots_again(&mut self, now: Time) {
        self.thought = None;
        self.bots.get_or_insert(now);
    }

    /// House bots think for this long, but never more than a third of the remaining turn.
    pub fn let_think(&mut self, now: Time, patience_ms: u64) {
        let left = self.turn.map_or(u64::MAX, |turn| turn.0.saturating_sub(now.0));
        self.thought = Some(now + patience_ms.min(left / 3));
    }

    /// House bots have answered.
    pub fn end_thinking(&mut self) {
        self.thought = None;
    }
}

fn is_due(clock: &mut Option<Time>, now: Time) -> bool {
    clock.take_if(|time| *time <= now).is_some()
}
