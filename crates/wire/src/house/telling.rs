//! What a client receives about the table it plays at or watches. The observer is this and nothing
//! else.

use std::sync::Arc;

use hall::{Company, Dismissal, Event, Frame, OverFrame, TableFrame, Time, Update, UpdateFrame};
use rules::SeatSet;
use serde_json::Value;

use super::hear::Wants;
use super::pacing::Pacing;
use super::say::{History, Say, text};
use crate::{AnyGame, Speech, words};

/// What was sent last, and what the receiver wants.
pub(crate) struct Telling {
    game: &'static dyn AnyGame,
    /// A spectator may get less than every update.
    watches: bool,
    all: bool,
    words: bool,
    table: Option<TableFrame>,
    last: Option<Arc<Update>>,
    pacing: Pacing,
    /// The history that comes next answers this.
    history: Option<Value>,
}

impl Telling {
    pub fn new(game: &'static dyn AnyGame) -> Telling {
        Telling {
            game,
            watches: false,
            all: false,
            words: false,
            table: None,
            last: None,
            pacing: Pacing::default(),
            history: None,
        }
    }
}

// Inputs.
impl Telling {
    /// From now on the receiver is a player.
    pub fn sit(&mut self) {
        (self.watches, self.last, self.pacing) = (false, None, Pacing::default());
    }

    /// From now on the receiver is a spectator; `all`: of every update.
    pub fn watch(&mut self, all: bool) {
        (self.watches, self.all) = (true, all);
        (self.last, self.pacing) = (None, Pacing::default());
    }

    pub fn set(&mut self, wants: Wants) {
        self.words = wants.words.unwrap_or(false);
    }

    pub fn awaits_history(&mut self, id: Option<Value>) {
        self.history = id;
    }

    /// There is no table yet.
    pub fn nowhere(&mut self, id: Option<&Value>, out: &mut Speech) {
        self.table(&Company::default(), id, out);
    }

    pub fn table(&mut self, company: &Company, id: Option<&Value>, out: &mut Speech) {
        let frame = Frame::Table(TableFrame::of(company));
        out.text(text(&frame, id));
        let Frame::Table(table) = frame else { return };
        self.table = Some(table);
    }

    pub fn update(&mut self, now: Time, update: &Arc<Update>, out: &mut Speech) {
        self.last = Some(update.clone());
        if !self.watches || self.all {
            return self.tell(now, update, 0, out);
        }
        if let Some((update, skipped)) = self.pacing.take(now, update) {
            self.tell(now, &update, skipped, out);
        }
    }

    /// Everything else that happens at a table.
    pub fn event(&mut self, now: Time, event: &Event, out: &mut Speech) {
        match event {
            Event::Company(company, _) => self.table(company, None, out),
            Event::Update(update) => self.update(now, update, out),
            Event::Waiting(owed) => self.waiting(*owed, out),
            Event::Over(over) => {
                self.flush(now, out);
                let over = OverFrame::new(&over.closing, &over.company.names());
                out.text(text(&Frame::Over(over), None));
            }
            Event::Dismissed(Dismissal::TableClosed(reason)) => {
                let over = OverFrame::Void { void: reason.clone() };
                out.text(text(&Frame::Over(over), None));
            }
            Event::History(page) => {
                let id = self.history.take();
                out.text(text(&History::of(page), id.as_ref()));
            }
            // The rest is not about a table, or for others.
            Event::Dismissed(Dismissal::Replaced)
            | Event::Seated(_)
            | Event::Rematch(_)
            | Event::Reacted(..)
            | Event::Doubted(_)
            | Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_) => {}
        }
    }

    /// The current update once more, or the table if it has not begun. False if there is neither.
    pub fn look(&mut self, now: Time, wants: Wants, id: Option<&Value>, out: &mut Speech) -> bool {
        let words = wants.words.unwrap_or(self.words);
        match (&self.last, &self.table) {
            (Some(update), _) => {
                let mut frame = self.frame(update, now, words, 0);
                if wants.legal == Some(false) {
                    frame.legal = None;
                }
                out.text(text(&Frame::Update(Box::new(frame)), id));
            }
            (None, Some(table)) => out.text(text(&Tagged { r#type: "table", table }, id)),
            (None, None) => return false,
        }
        true
    }

    pub fn tick(&mut self, now: Time, out: &mut Speech) {
        self.flush(now, out);
    }
}

// Queries.
impl Telling {
    pub fn deadline(&self) -> Option<Time> {
        self.pacing.deadline()
    }

    /// The number of the last update.
    pub fn seq(&self) -> Option<u64> {
        self.last.as_ref().map(|update| update.seq)
    }
}

impl Telling {
    fn flush(&mut self, now: Time, out: &mut Speech) {
        if let Some((update, skipped)) = self.pacing.release(now) {
            self.tell(now, &update, skipped, out);
        }
    }

    fn tell(&mut self, now: Time, update: &Arc<Update>, skipped: u64, out: &mut Speech) {
        // The start puts players in their seats, and who follows goes from table to table.
        if self.table.as_ref() != Some(&TableFrame::of(&update.company)) {
            self.table(&update.company, None, out);
        }
        let written =
            || text(&Frame::Update(Box::new(self.frame(update, now, self.words, skipped))), None);
        if self.watches && !self.words && skipped == 0 {
            out.text(update.render("house", written));
        } else {
            out.text(written());
        }
    }

    /// An update as it is sent: a mere formality isn't shown as a move.
    fn frame<'a>(
        &self,
        update: &'a Update,
        now: Time,
        with_words: bool,
        skipped: u64,
    ) -> UpdateFrame<'a> {
        let mut frame = UpdateFrame::of(update, now);
        frame.skipped = skipped;
        if frame.your_move && self.game.formality(&update.view).is_some() {
            (frame.your_move, frame.legal) = (false, None);
        }
        if with_words {
            frame.words = Some(words::update(self.game.rules(), &frame));
        }
        frame
    }

    fn waiting(&self, to_move: SeatSet, out: &mut Speech) {
        // Before a turn is sent, its pending seats aren't sent either.
        if let Some(seq) = self.seq().filter(|_| self.pacing.deadline().is_none()) {
            out.text(text(&Say::Waiting { seq, to_move }, None));
        }
    }
}

#[derive(serde::Serialize)]
struct Tagged<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    table: &'a TableFrame,
}
