//! A session for those who only watch: the house wire's messages about one table, or the same in
//! words for people.

use std::sync::Arc;

use hall::{Answer, Command, Dismissal, Event, Name, OverFrame, Refusal, Role, TableFrame, Time};
use hall::{Company, Update, UpdateFrame};
use serde_json::json;

use crate::house::Telling;
use crate::{AnyGame, Garbage, Session, Speech, words};

/// What an observer watches, and what it wants to receive.
#[derive(Clone, Debug)]
pub struct Watch {
    pub table: Name,
    /// A spectator, or an organiser, who also gets what each seat sees.
    pub role: Role,
    /// In words for people instead of JSON.
    pub in_words: bool,
    /// Every update, however fast they come.
    pub all: bool,
}

pub struct Observer {
    game: &'static dyn AnyGame,
    watch: Watch,
    telling: Telling,
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observer").field("watch", &self.watch).finish_non_exhaustive()
    }
}

impl Observer {
    pub fn new(game: &'static dyn AnyGame, watch: Watch) -> Observer {
        let mut telling = Telling::new(game);
        telling.watch(watch.all);
        Observer { game, watch, telling }
    }

    fn company(&mut self, company: &Company, out: &mut Speech) {
        match self.watch.in_words {
            true => out.text(words::table(&TableFrame::of(company))),
            false => self.telling.table(company, None, out),
        }
    }

    fn tell_in_words(&self, now: Time, event: &Event, out: &mut Speech) {
        match event {
            Event::Company(company, _) => out.text(words::table(&TableFrame::of(company))),
            Event::Update(update) => {
                let text: Arc<str> = update.render("words", || in_words(self.game, update, now));
                out.text(text);
            }
            Event::Over(over) => {
                let over = OverFrame::new(&over.closing, &over.company.names());
                out.text(words::over(&over));
                out.hangup(words::THE_END);
            }
            Event::Dismissed(Dismissal::TableClosed(reason)) => {
                out.text(format!("closed: {reason}"));
                out.hangup("the table is closed");
            }
            // The rest is for players.
            _ => {}
        }
    }
}

fn in_words(game: &'static dyn AnyGame, update: &Update, now: Time) -> String {
    let frame = UpdateFrame::of(update, now);
    words::update(game.rules(), &frame)
}

impl Session for Observer {
    fn open(&mut self, _now: Time, out: &mut Speech) {
        let (table, role) = (Some(self.watch.table.clone()), self.watch.role);
        out.ask(Command::Join { table, name: "".into(), role, joined_via: None });
    }

    fn on_text(&mut self, _now: Time, _text: &str, _out: &mut Speech) {}

    fn on_garbage(&mut self, _now: Time, _garbage: Garbage, _out: &mut Speech) {}

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech) {
        match answer {
            Answer::Joined(joined) => self.company(&joined.company, out),
            Answer::Refused(Refusal::NoSuchTable) => {
                let message = format!("no table '{}'", self.watch.table);
                out.text(match self.watch.in_words {
                    true => message,
                    false => json!({"type": "refused", "code": "not-found", "message": message,
                        "hint": "GET /api/v1/tables lists those there are"})
                    .to_string(),
                });
                out.hangup("no such table");
            }
            _ => out.hangup("cannot watch"),
        }
    }

    fn on_event(&mut self, now: Time, event: &Event, out: &mut Speech) {
        match (self.watch.in_words, event) {
            (true, event) => self.tell_in_words(now, event, out),
            (false, event) => {
                self.telling.event(now, event, out);
                if let Event::Dismissed(Dismissal::TableClosed(_)) = event {
                    out.hangup("the table is closed");
                }
            }
        }
    }

    fn on_tick(&mut self, now: Time, out: &mut Speech) {
        self.telling.tick(now, out);
    }

    fn deadline(&self) -> Option<Time> {
        self.telling.deadline()
    }
}
