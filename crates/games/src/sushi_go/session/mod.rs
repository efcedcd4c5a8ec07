//! The session of Sushi Go's line protocol.
//!
//! ```text
//! nowhere ──WELCOME, REJOINED──▶ lobby ──GAME_START──▶ playing ──GAME_END──▶ ended
//!    ▲                             │                      │                   │
//!    └───────────LEAVE─────────────┴──────────────────────┴───────────────────┘
//! ```
//!
//! Clients take the very next line as the reply to what they sent, so the reply always comes
//! first, and nothing but a HAND asks them to move.

mod notices;
mod place;
mod vigil;

use hall::{
    Answer, Closing, Command, Credential, Dismissal, Event, Joined, Name, Role, Terms, Time,
};
use wire::{Garbage, Session, Speech, Text, UpdateOf};

use super::errors::{self, Wrong, explain, say_wrong, wrong};
use super::lines::{self, Words};
use super::rules::Action;
use super::verb::{self, Verb};

use notices::{Notice, Notices};
use place::Place;
use vigil::Vigil;

/// The wire document's dialect.
pub fn document(_terms: &Terms) -> Box<dyn Session> {
    Box::new(LineSession::new(Words::Document))
}

/// The dialect of the later Python kit.
pub fn kit(_terms: &Terms) -> Box<dyn Session> {
    Box::new(LineSession::new(Words::Kit))
}

/// How the later kit's players join.
pub const KIT: &str = "kit";

struct LineSession {
    words: Words,
    place: Option<Place>,
    /// The command whose answer is awaited.
    asked: Option<Verb>,
    notices: Notices,
    vigil: Vigil,
}

impl LineSession {
    fn new(words: Words) -> LineSession {
        LineSession {
            words,
            place: None,
            asked: None,
            notices: Notices::default(),
            vigil: Vigil::default(),
        }
    }

    /// What a verb means here and now; the checks come in the protocol's order.
    fn command(&mut self, now: Time, verb: &Verb, out: &Speech) -> Result<Command, Wrong> {
        match verb {
            Verb::Join { .. } if self.place.as_ref().is_some_and(|place| !place.ended) => {
                Err(wrong("E001", "You are in a game already. LEAVE it first."))
            }
            Verb::Join { game, name, .. } => Ok(Command::Join {
                table: Some(game.as_str().into()),
                name: name.as_str().into(),
                role: Role::Player,
                joined_via: self.joined_via(),
            }),
            Verb::Rejoin { token } => Ok(Command::Resume(Credential::Token(token.clone()))),
            Verb::Games => Ok(Command::List { only: None }),
            Verb::Ready => self.seated().map(|_| Command::Ready),
            // Also for who waits for its match, or for a tournament to begin.
            Verb::Leave => Ok(Command::Leave),
            Verb::Status => {
                self.seated().map(|place| Command::List { only: Some(place.company.table.clone()) })
            }
            // Negative numbers become huge ones, which no hand has either.
            Verb::Play(index) => self.act(now, Action::Play(*index as usize), out),
            Verb::Chopsticks(first, second) => {
                self.act(now, Action::Chopsticks(*first as usize, *second as usize), out)
            }
            Verb::Tourney { tournament, name, .. } => Ok(Command::Enrol {
                tournament: tournament.as_str().into(),
                name: name.as_str().into(),
            }),
            Verb::TournamentJoin { token } => {
                Ok(Command::Attend { token: token.clone(), joined_via: self.joined_via() })
            }
            Verb::Help => unreachable!("answered without the hall"),
        }
    }

    fn act(&mut self, now: Time, action: Action, out: &Speech) -> Result<Command, Wrong> {
        self.seated()?;
        self.place.as_mut().ok_or_else(errors::not_seated)?.act(now, action, out)
    }

    /// Tables that are too slow for the kit know its players by this.
    fn joined_via(&self) -> Option<Name> {
        (self.words == Words::Kit).then(|| KIT.into())
    }

    fn seated(&self) -> Result<&Place, Wrong> {
        let place = self.place.as_ref().ok_or_else(errors::not_seated)?;
        if place.closed { Err(errors::ended()) } else { Ok(place) }
    }

    fn is_closed(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.closed)
    }

    fn sit_down(&mut self, joined: &Joined) -> String {
        let seat = joined.seat.expect("players have seats");
        self.place = Some(Place::new(joined.company.clone(), seat));
        match &joined.token {
            Some(token) => lines::welcome(&joined.company, seat, token),
            None => lines::rejoined(&joined.company, seat),
        }
    }

    /// Bound to nothing any more: what was held back may be said.
    fn stand_up(&mut self, out: &mut Speech) {
        self.place = None;
        self.notices.stand_up().into_iter().for_each(|line| out.text(line));
    }

    fn notify(&mut self, notice: Notice, out: &mut Speech) {
        if let Some(line) = self.notices.add(notice) {
            out.text(line);
        }
    }

    /// Only the kit's bots give up on a tournament that is silent.
    fn watch_over(&mut self, line: String) {
        if self.words == Words::Kit {
            self.vigil.keep(line);
        }
    }

    fn accepted(&mut self, verb: &Verb, answer: Answer) -> Result<Text, Wrong> {
        match (verb, answer) {
            (_, Answer::Refused(refusal)) => Err(explain(verb, &refusal)),
            (Verb::TournamentJoin { .. }, Answer::Joined(joined)) => {
                self.notices.go_on();
                Ok(self.sit_down(&joined).into())
            }
            (_, Answer::Joined(joined)) => {
                self.notices.sit_down();
                Ok(self.sit_down(&joined).into())
            }
            (_, Answer::Enrolled(enrolled)) => {
                self.watch_over(lines::tournament_joined(&enrolled.entered()));
                Ok(match &enrolled.token {
                    Some(token) => lines::tournament_welcome(&enrolled, token),
                    None => lines::tournament_rejoined(&enrolled),
                }
                .into())
            }
            (Verb::Status, Answer::Listed(list)) => {
                let place = self.place.as_mut().filter(|place| !place.closed);
                let place = place.ok_or_else(errors::not_seated)?;
                Ok(place.status(&list.tables[0]).into())
            }
            (_, Answer::Listed(list)) => {
                Ok(list.rendering.get("sushi-go", || lines::games(&list.tables)).into())
            }
            (Verb::Play(_) | Verb::Chopsticks(..), _) => {
                if let Some(place) = &mut self.place {
                    place.submitted = true;
                }
                Ok("OK".into())
            }
            _ => Ok("OK".into()),
        }
    }
}

impl Session for LineSession {
    fn on_text(&mut self, now: Time, text: &str, out: &mut Speech) {
        if text.trim().is_empty() {
            return;
        }
        match verb::parse(text) {
            Ok(Verb::Help) if self.words == Words::Kit => {
                out.text(format!("OK {} HELP", verb::KNOWN));
            }
            Ok(Verb::Help) => {
                say_wrong(
                    &wrong("E001", format!("Unknown command: HELP (there are {})", verb::KNOWN)),
                    out,
                );
            }
            Ok(Verb::Leave) if self.is_closed() => {
                out.text("OK");
                self.stand_up(out);
            }
            Ok(mut verb) => match self.command(now, &verb, out) {
                Ok(command) => {
                    if let Some(key) = verb.take_key() {
                        out.show_key(&key);
                    }
                    self.asked = Some(verb);
                    out.ask(command);
                }
                Err(error) => say_wrong(&error, out),
            },
            Err(why) => say_wrong(&("E001", why.to_string()), out),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech) {
        let why = match garbage {
            Garbage::TooLong => "Line too long: 1024 bytes at most",
            Garbage::NotUtf8 => "Not UTF-8",
            Garbage::NotJson | Garbage::Binary => "Not a line of text",
        };
        say_wrong(&wrong("E001", why), out);
    }

    fn on_answer(&mut self, now: Time, answer: Answer, out: &mut Speech) {
        self.vigil.hears(now);
        let verb = self.asked.take().expect("every answer has its question");
        // The WELCOME comes when the table is due.
        if answer == Answer::Awaited {
            return;
        }
        match self.accepted(&verb, answer) {
            Ok(line) => {
                out.text(line);
                if verb == Verb::Leave {
                    // Who sat nowhere has left its tournament.
                    if self.place.is_none() {
                        self.vigil.end();
                    }
                    self.stand_up(out);
                }
            }
            Err(error) => say_wrong(&error, out),
        }
    }

    fn on_event(&mut self, now: Time, event: &Event, out: &mut Speech) {
        let words = self.words;
        self.vigil.hears(now);
        match event {
            Event::Dismissed(Dismissal::Replaced) => {
                return out.hangup("the seat was taken by a newer connection");
            }
            Event::Dismissed(Dismissal::TableClosed(_)) => {
                // An ERROR would be taken for a reply, and silence for a game still to come.
                if let Some(place) = &mut self.place {
                    out.text(lines::game_aborted(words, &place.company, None));
                    (place.ended, place.closed) = (true, true);
                    self.notices.match_ended(now);
                }
                return;
            }
            Event::Seated(joined) => {
                self.notices.go_on();
                let line = self.sit_down(joined);
                return out.text(line);
            }
            Event::Entered(entered) => {
                let line = lines::tournament_joined(entered);
                self.watch_over(line.clone());
                return self.notify(Notice::News(line), out);
            }
            // On the kit's dialect a bye has no line: the kit would answer TJOIN BYE, and die.
            Event::Paired(paired) if paired.game.is_none() && words == Words::Kit => {
                return self.notices.forget_calls();
            }
            Event::Paired(paired) => {
                return self.notify(Notice::Call(lines::tournament_match(paired)), out);
            }
            Event::Decided(decided) => {
                self.vigil.end();
                return self.notify(Notice::Call(lines::tournament_complete(decided)), out);
            }
            _ => {}
        }
        let Some(place) = &mut self.place else { return };
        match event {
            Event::Company(company, change) => place.changed(company, change, out),
            Event::Waiting(owed) => {
                if !owed.is_empty() {
                    out.text(lines::waiting(&place.company, *owed));
                }
            }
            Event::Update(update) => {
                let Some(update) = UpdateOf::open(update, out) else { return };
                place.tell(now, &update, words, out);
            }
            Event::Over(over) => {
                place.ended = true;
                self.notices.match_ended(now);
                let view = place.update.as_ref().map(|update| update.view());
                out.text(match &over.closing {
                    Closing::Over(outcome) => lines::game_end(words, &over.company, outcome),
                    Closing::Void(_) => lines::game_aborted(words, &over.company, view),
                });
            }
            // Nobody asks for it in this protocol.
            Event::History(_) | Event::Rematch(_) | Event::Reacted(..) | Event::Doubted(_) => {}
            Event::Dismissed(_)
            | Event::Seated(_)
            | Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_) => unreachable!("handled above"),
        }
    }

    fn deadline(&self) -> Option<Time> {
        let plays = self.place.as_ref().is_some_and(|place| !place.ended);
        let vigil = self.vigil.deadline().filter(|_| !plays);
        [self.notices.deadline(), vigil].into_iter().flatten().min()
    }

    fn on_tick(&mut self, now: Time, out: &mut Speech) {
        if self.notices.deadline().is_some_and(|deadline| deadline <= now) {
            self.vigil.hears(now);
            self.notices.release().into_iter().for_each(|line| out.text(line));
        }
        if let Some(line) = self.vigil.due(now) {
            out.text(line);
        }
    }
}

#[cfg(test)]
mod tests;
