//! How far a game has been told, and what was done since.

use std::sync::Arc;

use rules::{Game, Seat};

use crate::{MadeMove, MovesMade, Recorded, Table, TableRecord, Time};

/// What a table remembers of its records besides what the fold makes of them.
pub(super) struct Progress<G: Game> {
    /// The turn that was told last, and when: the next one is told in its pace.
    told: (u64, Time),
    /// The moves since the last update, where somebody is told of them.
    made: MovesMade<G>,
    /// The last move of every seat, for who says it again.
    last_moves: Vec<Option<Arc<TableRecord<G>>>>,
    /// Everything that was recorded, if an earlier server has begun the game: bots must be shown what
    /// they saw there.
    past: Option<Recorded<G>>,
}

impl<G: Game> Progress<G> {
    /// Nothing has happened yet at a table of so many seats.
    pub fn of(seats: usize) -> Progress<G> {
        Progress {
            told: (0, Time(0)),
            made: MovesMade::default(),
            last_moves: vec![None; seats],
            past: None,
        }
    }

    /// An earlier server has recorded all this.
    pub fn remember(&mut self, past: Recorded<G>) {
        for (seat, record) in past.moves() {
            self.last_moves[seat.index()] = Some(record.clone());
        }
        self.past = Some(past);
    }

    /// Goes on where an earlier owner was, so much later: with the turn that it had told, and the
    /// moves of it that were refused. The moves since are told with the next update.
    pub fn resume(&mut self, (told, at): (u64, Time), refused: Vec<Seat>, gap_ms: u64) {
        self.told = (told, at + gap_ms);
        self.made = self.past.as_ref().map(|past| past.moves_since(told)).unwrap_or_default();
        self.made.resume(at, refused);
    }

    /// A record is about to be folded in; `is_told`: somebody is told of moves.
    pub fn note(
        &mut self,
        record: &Arc<TableRecord<G>>,
        at: Time,
        table: &Table<G>,
        is_told: bool,
    ) {
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

    /// A turn begins, and is told now.
    pub fn begin_turn(&mut self, seq: u64, now: Time) {
        self.made.begin(now);
        self.told = (seq, now);
    }

    /// The running turn was told later than it began.
    pub fn told_late(&mut self, now: Time) {
        self.told.1 = now;
    }

    /// A seat's move was refused.
    pub fn refuse(&mut self, seat: Seat) {
        self.made.refused(seat);
    }

    /// An update has told the moves that led to it.
    pub fn forget_moves(&mut self) {
        self.made.moves.clear();
    }

    /// Nobody will have to be shown what happened.
    pub fn forget_past(&mut self) {
        self.past = None;
    }

    /// The turn that was told last, and when.
    pub fn told(&self) -> (u64, Time) {
        self.told
    }

    /// How long somebody has thought who moves now.
    pub fn thought_ms(&self, now: Time) -> u64 {
        now.0.saturating_sub(self.told.1.0)
    }

    /// The moves that the next update tells.
    pub fn moves(&self) -> &[MadeMove<G::Action>] {
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
    pub fn is_last_move(&self, seat: Seat, seq: u64, action: &G::Action) -> bool {
        let last = self.last_moves[seat.index()].as_deref();
        matches!(last, Some(TableRecord::Moved { seq: made, action: same, .. })
            if (*made, same) == (seq, action))
    }

    pub fn past(&self) -> Option<&Recorded<G>> {
        self.past.as_ref()
    }
}
