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

use std::sync::Arc;

use hall::{
    Answer, Change, Closing, Command, Company, Credential, Dismissal, Event, Joined, Refusal, Role,
    Terms, Time, Update,
};
use rules::Seat;
use wire::{Garbage, Session, Speech};

use super::lines::{self, Words};
use super::notices::{Notice, Notices};
use super::rules::{Action, Misplay, SushiGo};
use super::verb::{self, Verb};

/// The wire document's dialect.
pub fn document(_terms: &Terms<SushiGo>) -> Box<dyn Session<SushiGo>> {
    Box::new(LineSession::new(Words::Document))
}

/// The dialect of the later Python kit.
pub fn kit(_terms: &Terms<SushiGo>) -> Box<dyn Session<SushiGo>> {
    Box::new(LineSession::new(Words::Kit))
}

struct LineSession {
    words: Words,
    place: Option<Place>,
    /// The command whose answer is awaited.
    asked: Option<Verb>,
    notices: Notices,
}

/// A seat, and what its player has been told.
struct Place {
    company: Arc<Company>,
    seat: Seat,
    /// The last update, once the game has begun.
    update: Option<Arc<Update<SushiGo>>>,
    /// The move of this turn is in.
    submitted: bool,
    ended: bool,
    /// It was closed before it began: the hall knows of no seat, but the client has yet to LEAVE.
    closed: bool,
}

/// An error as the client reads it: code and text.
type Wrong = (&'static str, String);

impl LineSession {
    fn new(words: Words) -> LineSession {
        LineSession { words, place: None, asked: None, notices: Notices::default() }
    }

    /// What a verb means here and now; the checks come in the protocol's order.
    fn command(&self, verb: &Verb) -> Result<Command<SushiGo>, Wrong> {
        match verb {
            Verb::Join { .. } if self.place.as_ref().is_some_and(|place| !place.ended) => {
                Err(wrong("E001", "You are in a game already: LEAVE it first"))
            }
            Verb::Join { game, name } => Ok(Command::Join {
                table: Some(game.as_str().into()),
                name: name.as_str().into(),
                role: Role::Player,
                manner: None,
            }),
            Verb::Rejoin { token } => Ok(Command::Resume(Credential::Token(token.clone()))),
            Verb::Games => Ok(Command::List { only: None }),
            Verb::Ready => self.seated().map(|_| Command::Ready),
            Verb::Leave => self.seated().map(|_| Command::Leave),
            Verb::Status => {
                self.seated().map(|place| Command::List { only: Some(place.company.table.clone()) })
            }
            // Negative numbers become huge ones, which no hand has either.
            Verb::Play(index) => self.seated()?.act(Action::Play(*index as usize)),
            Verb::Chopsticks(first, second) => {
                self.seated()?.act(Action::Chopsticks(*first as usize, *second as usize))
            }
            Verb::Tourney { tournament, name } => Ok(Command::Enrol {
                tournament: tournament.as_str().into(),
                name: name.as_str().into(),
            }),
            Verb::TournamentJoin { token } => Ok(Command::Attend { token: token.clone() }),
            Verb::Help => unreachable!("answered without the hall"),
        }
    }

    fn seated(&self) -> Result<&Place, Wrong> {
        let place = self.place.as_ref().filter(|place| !place.closed);
        place.ok_or_else(|| wrong("E005", "You are not in a game: JOIN one first"))
    }

    fn is_closed(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.closed)
    }

    fn sit_down(&mut self, joined: &Joined) -> String {
        let seat = joined.seat.expect("players have seats");
        let company = joined.company.clone();
        self.place = Some(Place {
            company,
            seat,
            update: None,
            submitted: false,
            ended: false,
            closed: false,
        });
        match &joined.token {
            Some(token) => lines::welcome(&joined.company, seat, token),
            None => lines::rejoined(&joined.company, seat),
        }
    }

    /// Bound to nothing any more: what was held back may be said.
    fn stand_up(&mut self, out: &mut Speech<SushiGo>) {
        self.place = None;
        self.notices.stand_up().into_iter().for_each(|line| out.text(line));
    }

    fn notify(&mut self, notice: Notice, out: &mut Speech<SushiGo>) {
        if let Some(line) = self.notices.add(notice) {
            out.text(line);
        }
    }

    fn accepted(&mut self, verb: &Verb, answer: Answer) -> Result<String, Wrong> {
        match (verb, answer) {
            (_, Answer::Refused(refusal)) => Err(explain(verb, &refusal)),
            (Verb::TournamentJoin { .. }, Answer::Joined(joined)) => {
                self.notices.go_on();
                Ok(self.sit_down(&joined))
            }
            (_, Answer::Joined(joined)) => {
                self.notices.sit_down();
                Ok(self.sit_down(&joined))
            }
            (_, Answer::Enrolled(enrolled)) => Ok(match &enrolled.token {
                Some(token) => lines::tournament_welcome(&enrolled, token),
                None => lines::tournament_rejoined(&enrolled),
            }),
            (Verb::Status, Answer::Listed(tables)) => {
                let place = self.seated()?;
                Ok(lines::status(&tables[0], place.seat, place.update.as_deref()))
            }
            (_, Answer::Listed(tables)) => Ok(lines::games(&tables)),
            (Verb::Play(_) | Verb::Chopsticks(..), _) => {
                if let Some(place) = &mut self.place {
                    place.submitted = true;
                }
                Ok("OK".to_owned())
            }
            _ => Ok("OK".to_owned()),
        }
    }
}

impl Place {
    fn act(&self, action: Action) -> Result<Command<SushiGo>, Wrong> {
        if self.ended {
            return Err(wrong("E004", "The game has ended"));
        }
        let update =
            self.update.as_ref().ok_or_else(|| wrong("E002", "The game has not started"))?;
        if self.submitted || !update.owed.contains(self.seat) {
            return Err(wrong("E008", "You have already moved this turn"));
        }
        let hand = update.view.hand.as_ref().map_or(0, Vec::len);
        match action.check(hand, update.view.has_chopsticks()) {
            Ok(()) => Ok(Command::Act { seq: update.seq, action }),
            Err(Misplay::SameCardTwice) => Err(wrong("E009", "The two cards must differ")),
            Err(Misplay::NoChopsticks) => Err(wrong("E007", "You have no chopsticks on the table")),
            Err(Misplay::NoSuchCard) => {
                Err(wrong("E006", format!("Your hand has cards 0 to {}", hand - 1)))
            }
        }
    }

    /// Everything an update brings, line by line.
    fn tell(&mut self, update: &Arc<Update<SushiGo>>, words: Words, out: &mut Speech<SushiGo>) {
        let former = self.update.replace(update.clone());
        self.company = update.company.clone();
        let view = &update.view;
        let begins = former.is_none() && !update.catch_up;
        let resolved = former.as_ref().is_some_and(|former| former.seq != update.seq);
        if begins {
            out.text(lines::game_start(words, view.seats.len(), update.turn_ms));
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
        }
    }
}

impl Session<SushiGo> for LineSession {
    fn on_text(&mut self, _now: Time, text: &str, out: &mut Speech<SushiGo>) {
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
            Ok(verb) => match self.command(&verb) {
                Ok(command) => {
                    self.asked = Some(verb);
                    out.ask(command);
                }
                Err(error) => say_wrong(&error, out),
            },
            Err(why) => say_wrong(&("E001", why), out),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech<SushiGo>) {
        let why = match garbage {
            Garbage::TooLong => "Line too long: 1024 bytes at most",
            Garbage::NotUtf8 => "Not UTF-8",
            Garbage::NotJson | Garbage::Binary => "Not a line of text",
        };
        say_wrong(&wrong("E001", why), out);
    }

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech<SushiGo>) {
        let verb = self.asked.take().expect("every answer has its question");
        // The WELCOME comes when the table is due.
        if answer == Answer::Awaited {
            return;
        }
        match self.accepted(&verb, answer) {
            Ok(line) => {
                out.text(line);
                if verb == Verb::Leave {
                    self.stand_up(out);
                }
            }
            Err(error) => say_wrong(&error, out),
        }
    }

    fn on_event(&mut self, now: Time, event: &Event<SushiGo>, out: &mut Speech<SushiGo>) {
        let words = self.words;
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
                return self.notify(Notice::News(lines::tournament_joined(entered)), out);
            }
            Event::Paired(paired) => {
                return self.notify(Notice::Call(lines::tournament_match(words, paired)), out);
            }
            Event::Decided(decided) => {
                return self.notify(Notice::Call(lines::tournament_complete(decided)), out);
            }
            _ => {}
        }
        let Some(place) = &mut self.place else { return };
        match event {
            Event::Company(company, change) => {
                place.company = company.clone();
                match change {
                    Change::Joined(seat) => out.text(lines::joined(company, *seat)),
                    Change::Left(_, name) => out.text(lines::left(name)),
                    // Others are not told of drops and returns.
                    Change::Away(..) | Change::Back(_) => {}
                }
            }
            Event::Waiting(owed) => {
                if !owed.is_empty() {
                    out.text(lines::waiting(&place.company, *owed));
                }
            }
            Event::Update(update) => place.tell(update, words, out),
            Event::Over(over) => {
                place.ended = true;
                self.notices.match_ended(now);
                let view = place.update.as_ref().map(|update| &update.view);
                out.text(match &over.closing {
                    Closing::Over(outcome) => lines::game_end(words, &over.company, outcome),
                    Closing::Void(_) => lines::game_aborted(words, &over.company, view),
                });
            }
            Event::Dismissed(_)
            | Event::Seated(_)
            | Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_) => unreachable!("handled above"),
        }
    }

    fn deadline(&self) -> Option<Time> {
        self.notices.deadline()
    }

    fn on_tick(&mut self, _now: Time, out: &mut Speech<SushiGo>) {
        self.notices.release().into_iter().for_each(|line| out.text(line));
    }
}

/// Every refusal as this protocol's error codes have it.
fn explain(verb: &Verb, refusal: &Refusal) -> Wrong {
    let what = match verb {
        Verb::Tourney { .. } => "tournament",
        Verb::TournamentJoin { .. } => "match",
        _ => "game",
    };
    match refusal {
        Refusal::NoSuchTable => match verb {
            Verb::Join { game, .. } => {
                wrong("E005", format!("Game not found: {}", verb::shown(game)))
            }
            Verb::Tourney { tournament, .. } => {
                wrong("E005", format!("Tournament not found: {}", verb::shown(tournament)))
            }
            _ => wrong("E005", "Game not found"),
        },
        Refusal::UnknownCredential if matches!(verb, Verb::TournamentJoin { .. }) => {
            wrong("E005", "Unknown match token")
        }
        Refusal::UnknownCredential => wrong("E005", "Unknown rejoin token"),
        Refusal::NotSeated | Refusal::NotEntered => {
            wrong("E005", "You are not in a game: JOIN one first")
        }
        Refusal::AlreadySeated if matches!(verb, Verb::Tourney { .. }) => {
            wrong("E001", "You are in a game or a tournament already")
        }
        Refusal::AlreadySeated => wrong("E001", "You are in a game already: LEAVE it first"),
        Refusal::NotStarted | Refusal::TooFewPlayers => wrong("E002", "The game has not started"),
        Refusal::NotYourTurn => wrong("E002", "It is not your turn"),
        Refusal::AlreadyStarted => wrong("E003", format!("The {what} has already started")),
        Refusal::AlreadyOver => wrong("E004", format!("The {what} has ended")),
        // The clock was faster and has moved for this seat.
        Refusal::Stale => wrong("E008", "Too late: the turn is over"),
        Refusal::AlreadyMoved => wrong("E008", "You have already moved this turn"),
        Refusal::Illegal(why) => wrong("E006", why.as_str()),
        Refusal::NameTaken(_) => wrong("E010", format!("This name is taken in that {what}")),
        Refusal::TableFull => wrong("E011", format!("The {what} is full")),
        Refusal::HallFull => wrong("E011", "The server has no room for another game"),
        Refusal::IdTaken => wrong("E001", "A game with this id exists"),
        Refusal::BadTable(why) => wrong("E001", why.as_str()),
    }
}

fn wrong(code: &'static str, text: impl Into<String>) -> Wrong {
    (code, text.into())
}

fn say_wrong((code, text): &Wrong, out: &mut Speech<SushiGo>) {
    out.text(format!("ERROR {code} {text}"));
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
