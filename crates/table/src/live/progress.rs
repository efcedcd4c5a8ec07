//! How far a game has been sent, and what was done since.

use std::sync::Arc;

use rules::Seat;
use rules::any::AnyAction;

use crate::{MadeMove, MovesMade, Recorded, Table, TableRecord, Time};

/// What a table remembers about its records besides the fold.
pub(super) struct Progress {
    /// The turn sent last, and when, for the pace.
    told: (u64, Time),
    /// The moves since the last update, if any member receives them.
    made: MovesMade,
    /// The last move of every seat, to recognise repeats.
    last_moves: Vec<Option<Arc<TableRecord>>>,
    /// Everything that was recorded, if an earlier server has begun the game: bots must be shown what
    /// they saw there.
    past: Option<Recorded>,
}

impl Progress {
    /// A fresh table with this number of seats.
    pub fn of(seats: usize) -> Progress {
        Progress {
            told: (0, Time(0)),
            made: MovesMade::default(),
            last_moves: vec![None; seats],
            past: None,
        }
    }

    /// An earlier server has recorded all this.
    pub fn remember(&mut self, past: Recorded) {
        for (seat, record) in past.moves() {
            self.last_moves[seat.index()] = Some(record.clone());
        }
        self.past = Some(past);
    }

    /// Continues where an earlier owner was, `gap_ms` later: with the turn it had sent, and the
    /// refused moves of that turn. The moves since then go out with the next update.
    pub fn resume(&mut self, (told, at): (u64, Time), refused: Vec<Seat>, gap_ms: u64) {
        self.told = (told, at + gap_ms);
        self.made = self.past.as_ref().map(|past| past.moves_since(told)).unwrap_or_default();
        self.made.resume(at, refused);
    }

    /// A record is about to be folded in; `is_told`: some member receives moves.
    pub fn note(&mut self, record: &Arc<TableRecord>, at: Time, table: &Table, is_told: bool) {
        if is_told {
            self.made.note(record, at, table);
        }
        if let TableRecord::Moved { seat, .. } = **record {
            self.last_moves[seat.index()] = Some(record.clone());
        }
        if let Some(past) = &mut self.past {
            past.push(record.clone(), at);
        }
    }

    /// The game begins.
    pub fn begin(&mut self, now: Time) {
        self.told = (0, now);
    }

    /// A turn begins, and is sent now.
    pub fn begin_turn(&mut self, seq: u64, now: Time) {
        self.made.begin(now);
        self.told = (seq, now);
    }

    /// The running turn was sent later than it began.
    pub fn told_late(&mut self, now: Time) {
        self.told.1 = now;
    }

    /// A seat's move was refused.
    pub fn refuse(&mut self, seat: Seat) {
        self.made.refused(seat);
    }

    /// The moves went out with an update.
    pub fn forget_moves(&mut self) {
        self.made.moves.clear();
    }

    /// No one will need to be shown the past.
    pub fn forget_past(&mut self) {
        self.past = None;
    }

    /// The turn sent last, and when.
    pub fn told(&self) -> (u64, Time) {
        self.told
    }

    /// How long a player who moves now has thought.
    pub fn thought_ms(&self, now: Time) -> u64 {
        now.0.saturating_sub(self.told.1.0)
    }

    /// The moves for the next update.
    pub fn moves(&self) -> &[MadeMove] {
        &self.made.moves
    }

    /// How many of a seat's moves were refused in this turn.
    pub fn refusals(&self, seat: Seat) -> u32 {
        self.made.refusals(seat)
    }

    /// The seats whose moves were refused in this turn.
    pub fn refused_seats(&self) -> &[Seat] {
        self.made.refused_seats()
    }

    /// Whether a move is the last one that this seat has made.
    pub fn is_last_move(&self, seat: Seat, seq: u64, action: &AnyAction) -> bool {
        let last = self.last_moves[seat.index()].as_deref();
        matches!(last, Some(TableRecord::Moved { seq: made, action: same, .. })
            if (*made, same) == (seq, action))
    }

    pub fn past(&self) -> Option<&Recorded> {
        self.past.as_ref()
    }
}
