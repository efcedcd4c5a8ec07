//! A seat as its player knows it: what was said of the game, and which hand waits for a card.

use std::sync::Arc;

use hall::{Change, Command, Company, TableInfo, Time};
use rules::Seat;
use wire::{Mark, Speech, Unanswered, UpdateOf};

use super::super::errors::{self, Wrong, wrong};
use super::super::lines::{self, Words};
use super::super::rules::{Action, Misplay, SushiGo};

/// A seat, and what its player has been told.
pub struct Place {
    pub company: Arc<Company>,
    pub seat: Seat,
    /// The last update, once the game has begun.
    pub update: Option<UpdateOf<SushiGo>>,
    /// Where its HAND was said.
    hand: Mark,
    /// Hands that no PLAY has answered yet.
    unanswered: Unanswered,
    /// The move of this turn is in.
    pub submitted: bool,
    pub ended: bool,
    /// It was closed before it began: the hall knows of no seat, but the client has yet to LEAVE.
    pub closed: bool,
    /// What was last said of it, while it still holds.
    status: Option<StatusLine>,
}

/// A STATUS, and what it was made of.
struct StatusLine {
    table: Arc<TableInfo>,
    update: Option<UpdateOf<SushiGo>>,
    text: Arc<str>,
}

impl Place {
    pub fn new(company: Arc<Company>, seat: Seat) -> Place {
        Place {
            company,
            seat,
            update: None,
            hand: Mark::default(),
            unanswered: Unanswered::default(),
            submitted: false,
            ended: false,
            closed: false,
            status: None,
        }
    }

    /// Made again only when the table, or what its player was told, has changed.
    pub fn status(&mut self, table: &Arc<TableInfo>) -> Arc<str> {
        let holds = |line: &&StatusLine| {
            let same_update = match (&line.update, &self.update) {
                (Some(then), Some(now)) => then.is_same(now),
                (then, now) => then.is_none() && now.is_none(),
            };
            same_update && Arc::ptr_eq(&line.table, table)
        };
        if let Some(line) = self.status.as_ref().filter(holds) {
            return line.text.clone();
        }
        let text: Arc<str> = lines::status(table, self.seat, self.update.as_ref()).into();
        let (table, update) = (table.clone(), self.update.clone());
        self.status = Some(StatusLine { table, update, text: text.clone() });
        text
    }

    pub fn act(&mut self, now: Time, action: Action, out: &Speech) -> Result<Command, Wrong> {
        let is_late = self.unanswered.is_late(now);
        if self.ended {
            return Err(errors::ended());
        }
        let update = self.update.as_ref().ok_or_else(errors::not_started)?;
        if self.submitted || !update.owed.contains(self.seat) {
            return Err(errors::already_moved());
        }
        if is_late || !out.had_sent(self.hand) {
            return Err(errors::too_late());
        }
        let hand = update.view().hand.as_ref().map_or(0, Vec::len);
        match action.check(hand, update.view().has_chopsticks()) {
            Ok(()) => Ok(Command::act::<SushiGo>(update.seq, action)),
            Err(Misplay::SameCardTwice) => Err(wrong("E009", "The two cards must differ.")),
            Err(Misplay::NoChopsticks) => {
                Err(wrong("E007", "You have no Chopsticks on the table. Use PLAY <card_index>."))
            }
            Err(Misplay::NoSuchCard) => {
                Err(wrong("E006", format!("Your hand has cards 0 to {}.", hand - 1)))
            }
        }
    }

    /// Someone has come or gone.
    pub fn changed(&mut self, company: &Arc<Company>, change: &Change, out: &mut Speech) {
        self.company = company.clone();
        match change {
            Change::Joined(seat) => out.text(lines::joined(company, *seat)),
            Change::Left(_, name) => out.text(lines::left(name)),
            // Others get no line about drops and returns.
            Change::Away(..) | Change::Back(_) => {}
        }
    }

    /// Everything an update brings, line by line.
    pub fn tell(&mut self, now: Time, update: &UpdateOf<SushiGo>, words: Words, out: &mut Speech) {
        let former = self.update.replace(update.clone());
        self.company = update.company.clone();
        let view = update.view();
        let begins = former.is_none() && !update.catch_up;
        let resolved = former.as_ref().is_some_and(|former| former.seq != update.seq);
        if begins {
            out.text(lines::game_start(words, view.seats.len(), update.turn_ms));
            if view.player_order {
                out.text(lines::player_order(&self.company));
            }
        }
        if let Some(news) = view.news.as_ref().filter(|_| resolved) {
            out.text(lines::played(words, &self.company, news));
            if let Some(end) = &news.round_end {
                out.text(lines::round_end(words, &self.company, news.round, end));
            }
        }
        // A departure changes the table in the middle of a turn: nobody is to move again.
        if view.outcome.is_some() || !(begins || resolved || update.catch_up) {
            return;
        }
        self.submitted = !update.owed.contains(self.seat);
        if view.turn == 1 && !update.catch_up {
            out.text(lines::round_start(view.round));
        }
        if let Some(hand) = view.hand.as_ref().filter(|_| !self.submitted) {
            out.text(lines::hand(hand));
            self.hand = out.mark();
            self.unanswered.ask(now, update.seq);
        }
    }
}
