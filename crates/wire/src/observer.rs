//! The observer: a session for those who watch, the same for every game.
//!
//! In JSON, each message is an object with a `type`: `table` (who sits there), `update` (the state
//! of play), `over`, `closed`, or `error`. In words, each is a few lines for people, and the
//! observer goes when the game is over.

use std::sync::Arc;

use hall::{Answer, Command, Company, Dismissal, Event, Name, Refusal, Role, Time, Update};
use rules::Game;
use serde::Serialize;
use serde_json::json;

use crate::{Garbage, Session, Speech, words};

#[derive(Debug)]
pub struct Observer {
    table: Name,
    role: Role,
    in_words: bool,
}

impl Observer {
    /// Watches one table. An organiser's observer also gets what each seat sees.
    pub fn new(table: Name, role: Role) -> Observer {
        Observer { table, role, in_words: false }
    }

    /// The same, for people.
    #[must_use]
    pub fn in_words(self) -> Observer {
        Observer { in_words: true, ..self }
    }

    fn company(&self, company: &Company) -> String {
        if self.in_words { words::company(company) } else { Plain::Table { company }.text() }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Message<'a, V: Serialize> {
    Table {
        #[serde(flatten)]
        company: &'a Company,
    },
    Update {
        table: &'a str,
        seq: u64,
        view: &'a V,
        #[serde(skip_serializing_if = "<[V]>::is_empty")]
        seat_views: &'a [V],
        owed: rules::SeatSet,
        deadline: Option<Time>,
        names: Vec<&'a str>,
    },
    Over {
        table: &'a str,
        closing: &'a hall::Closing,
        names: Vec<&'a str>,
    },
}

/// A message without a view.
type Plain<'a> = Message<'a, ()>;

impl<V: Serialize> Message<'_, V> {
    fn text(&self) -> String {
        serde_json::to_string(self).expect("views serialise: the conformance kit has tried")
    }
}

fn update_text<G: Game>(update: &Update<G>) -> String {
    Message::Update {
        table: &update.company.table,
        seq: update.seq,
        view: &update.view,
        seat_views: &update.seat_views,
        owed: update.owed,
        deadline: update.deadline,
        names: update.company.names(),
    }
    .text()
}

impl<G: Game> Session<G> for Observer {
    fn open(&mut self, _now: Time, out: &mut Speech<G>) {
        out.ask(Command::Join {
            table: Some(self.table.clone()),
            name: "".into(),
            role: self.role,
            manner: None,
        });
    }

    fn on_text(&mut self, _now: Time, _text: &str, _out: &mut Speech<G>) {}

    fn on_garbage(&mut self, _now: Time, _garbage: Garbage, _out: &mut Speech<G>) {}

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech<G>) {
        match answer {
            Answer::Joined(joined) => out.text(self.company(&joined.company)),
            Answer::Refused(Refusal::NoSuchTable) => {
                let message = format!("no table '{}'", self.table);
                out.text(match self.in_words {
                    true => message,
                    false => json!({"type": "error", "message": message}).to_string(),
                });
                out.hangup("no such table");
            }
            _ => out.hangup("cannot watch"),
        }
    }

    fn on_event(&mut self, _now: Time, event: &Event<G>, out: &mut Speech<G>) {
        match event {
            Event::Company(company, _) => out.text(self.company(company)),
            Event::Update(update) => {
                let text: Arc<str> = match self.in_words {
                    true => update.render("observer in words", || words::update(update)),
                    false => update.render("observer", || update_text(update)),
                };
                out.text(text);
            }
            Event::Over(over) if self.in_words => {
                out.text(words::over(over));
                out.hangup(words::THE_END);
            }
            Event::Over(over) => {
                let (table, closing) = (&*over.company.table, &over.closing);
                out.text(Plain::Over { table, closing, names: over.company.names() }.text());
            }
            Event::Dismissed(Dismissal::TableClosed(reason)) => {
                out.text(match self.in_words {
                    true => format!("closed: {reason}"),
                    false => json!({"type": "closed", "reason": reason}).to_string(),
                });
                out.hangup("the table is closed");
            }
            // The rest is for players.
            Event::Dismissed(Dismissal::Replaced)
            | Event::Waiting(_)
            | Event::Seated(_)
            | Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_) => {}
        }
    }
}
