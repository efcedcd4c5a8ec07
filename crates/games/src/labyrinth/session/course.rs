//! The session of the course's wire: the server calls, the player answers.
//!
//! ```text
//! signing up ─Name─▶ waiting ─setup─▶ called ◀─setup, take-turn─▶ listening ─win─▶ called ─▶ hung up
//!                                        │                           │
//!                                        │ a wrong answer or none    │ a word out of place
//!                                        ▼                           ▼
//!                                      removed ─────────────────▶ hung up
//! ```
//!
//! There is at most one call at a time; whatever else is due waits for its answer.

use hall::{Answer, Closing, Command, Dismissal, Event, Role, Terms, Time};
use rules::{Exit, Seat};
use wire::{Garbage, Session, Speech, UpdateOf};

use super::super::board::Coordinate;
use super::super::rules::{Action, Labyrinth, Phase};
use super::super::verb::{self, Reply, is_name};
use super::super::{CALL_MS, lines};
use super::offence;

/// A turn may be shorter than a call, then so is every call.
pub fn course(terms: &Terms) -> Box<dyn Session> {
    let call_ms = terms.policy.turn_ms.map_or(CALL_MS, |turn_ms| turn_ms.min(CALL_MS));
    Box::new(CourseSession { call_ms, stage: Progress::SigningUp, asked: None })
}

struct CourseSession {
    /// How long a call may stay unanswered.
    call_ms: u64,
    stage: Progress,
    /// What the hall has been asked and has not answered.
    asked: Option<Asked>,
}

enum Progress {
    SigningUp,
    Waiting,
    Playing(Place),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Asked {
    Join,
    Move,
    Acknowledge,
    /// Removed, for this reason.
    Part(String),
}

/// A seat in play, and what its player has been told.
struct Place {
    seat: Seat,
    update: UpdateOf<Labyrinth>,
    /// The call that waits for its answer, and until when.
    call: Option<(Call, Time)>,
    /// The `setup` call that is due.
    setup: Option<Setup>,
    /// Of which turn the player has been told that it is its own.
    turn_called: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Setup,
    TakeTurn,
    Win,
}

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Call::Setup => "setup",
            Call::TakeTurn => "take-turn",
            Call::Win => "win",
        })
    }
}

enum Setup {
    /// The state and the first goal.
    First,
    Next(Coordinate),
}

impl CourseSession {
    fn ask(&mut self, asked: Asked, command: Command, out: &mut Speech) {
        self.asked = Some(asked);
        out.ask(command);
    }

    /// "Anything else than exactly "void" / a valid Choice, or no answer in time, removes the
    /// player and its connection is closed."
    fn remove(&mut self, exit: Exit, why: String, out: &mut Speech) {
        match &mut self.stage {
            Progress::SigningUp | Progress::Waiting => out.hangup(why),
            Progress::Playing(place) => {
                place.call = None;
                self.ask(Asked::Part(why), Command::Part(exit), out);
            }
        }
    }

    fn disqualify(&mut self, why: String, out: &mut Speech) {
        self.remove(Exit::Disqualified(why.clone()), why, out);
    }

    fn sign_up(&mut self, said: &str, out: &mut Speech) {
        let name = out.take_key(said);
        if !is_name(name) {
            return out.hangup("no Name");
        }
        let (table, name, role) = (None, name.into(), Role::Player);
        self.ask(Asked::Join, Command::Join { table, name, role, joined_via: None }, out);
    }

    fn answered(&mut self, now: Time, reply: &Reply, out: &mut Speech) {
        let Progress::Playing(place) = &mut self.stage else {
            return out.hangup("spoke before it was called");
        };
        let seq = place.update.seq;
        match (place.call.take().map(|(call, _)| call), reply) {
            (Some(Call::Setup), Reply::Word(word)) if word == "void" => {
                place.call_next(now + self.call_ms, out);
            }
            (Some(Call::Win), Reply::Word(word)) if word == "void" => {
                let action = Action::Acknowledge;
                self.ask(Asked::Acknowledge, Command::act::<Labyrinth>(seq, action), out);
            }
            (Some(Call::TakeTurn), Reply::Word(word)) if word == "PASS" => {
                self.ask(Asked::Move, Command::act::<Labyrinth>(seq, Action::Pass), out);
            }
            // Whether it is legal, the rules say.
            (Some(Call::TakeTurn), Reply::Choice(choice)) => {
                let action = Action::Play(*choice);
                self.ask(Asked::Move, Command::act::<Labyrinth>(seq, action), out);
            }
            (Some(call), _) => self.disqualify(format!("a wrong answer to {call}"), out),
            (None, _) => self.disqualify("spoke without being called".to_owned(), out),
        }
    }

    fn updated(&mut self, now: Time, update: &UpdateOf<Labyrinth>, out: &mut Speech) {
        let until = now + self.call_ms;
        match &mut self.stage {
            Progress::SigningUp => {}
            Progress::Waiting => {
                let Some(mut place) = Place::new(update) else { return };
                place.call_next(until, out);
                self.stage = Progress::Playing(place);
            }
            Progress::Playing(place) => {
                let turn_over = place.update.seq != update.seq;
                place.update = update.clone();
                if !update.view().order.contains(&place.seat) {
                    return out.hangup("removed");
                }
                if turn_over && let Some(goal) = update.view().news.next_target {
                    place.setup = Some(Setup::Next(goal));
                }
                place.call_next(until, out);
            }
        }
    }
}

impl Place {
    /// The place of whoever an update is meant for.
    fn new(update: &UpdateOf<Labyrinth>) -> Option<Place> {
        let seat = update.view().viewer.seat()?;
        let (update, setup) = (update.clone(), Some(Setup::First));
        Some(Place { seat, update, call: None, setup, turn_called: None })
    }

    /// Makes the next call that is due, unless one waits for its answer.
    fn call_next(&mut self, until: Time, out: &mut Speech) {
        if self.call.is_some() {
            return;
        }
        let view = &self.update.view();
        let its_turn = view.is_to_move(self.seat) && self.turn_called != Some(self.update.seq);
        let (call, text) = if let Some(setup) = self.setup.take() {
            (Call::Setup, self.setup_text(&setup))
        } else if view.phase == Phase::Closing {
            (Call::Win, lines::win(view.winners.contains(self.seat)))
        } else if its_turn {
            self.turn_called = Some(self.update.seq);
            (Call::TakeTurn, lines::take_turn(&view.state()))
        } else {
            return;
        };
        self.call = Some((call, until));
        out.text(text);
    }

    fn setup_text(&self, setup: &Setup) -> String {
        let view = &self.update.view();
        match setup {
            Setup::First => {
                let goal = view.target().unwrap_or(view.avatar(self.seat).home);
                lines::setup(&view.state_with_first(self.seat), goal)
            }
            Setup::Next(goal) => lines::setup_again(*goal),
        }
    }
}

impl Session for CourseSession {
    fn on_text(&mut self, now: Time, text: &str, out: &mut Speech) {
        match (&self.stage, verb::parse_reply(text)) {
            (Progress::SigningUp, Ok(Reply::Word(name))) => self.sign_up(&name, out),
            (Progress::SigningUp, _) => out.hangup("no Name"),
            (_, Ok(reply)) => self.answered(now, &reply, out),
            (Progress::Playing(place), Err(why)) => {
                // What would be right depends on what it was asked.
                let why = match place.call {
                    Some((call @ (Call::Setup | Call::Win), _)) => {
                        format!("a wrong answer to {call}: \"void\" was expected")
                    }
                    Some((call @ Call::TakeTurn, _)) => format!("a wrong answer to {call}: {why}"),
                    None => "spoke without being called".to_owned(),
                };
                self.disqualify(why, out);
            }
            (Progress::Waiting, Err(_)) => out.hangup("spoke before it was called"),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech) {
        self.disqualify(format!("no JSON value: {garbage:?}"), out);
    }

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech) {
        let asked = self.asked.take().expect("every answer has its question");
        match (asked, answer) {
            (Asked::Join, Answer::Joined(_) | Answer::Awaited) => self.stage = Progress::Waiting,
            (Asked::Join, Answer::Refused(refusal)) => {
                out.hangup(format!("cannot join: {}", refusal.cause()));
            }
            (Asked::Join, answer) => out.hangup(format!("cannot join: {answer:?}")),
            (Asked::Move, Answer::Refused(refusal)) => {
                if let Some(why) = offence(refusal) {
                    self.disqualify(why, out);
                }
            }
            (Asked::Move, _) => {}
            (Asked::Acknowledge, _) => out.hangup("the game is over"),
            (Asked::Part(why), _) => out.hangup(why),
        }
    }

    fn on_event(&mut self, now: Time, event: &Event, out: &mut Speech) {
        match event {
            Event::Update(update) => {
                let Some(update) = UpdateOf::open(update, out) else { return };
                self.updated(now, &update, out);
            }
            Event::Over(over) => match &over.closing {
                Closing::Over(_) => out.hangup("the game is over"),
                Closing::Void(why) => out.hangup(why.as_str()),
            },
            Event::Dismissed(Dismissal::TableClosed(why)) => out.hangup(why.as_str()),
            Event::Dismissed(Dismissal::Replaced) => out.hangup("the seat was taken"),
            Event::Company(..) | Event::Waiting(_) | Event::Seated(_) => {}
            Event::History(_) | Event::Doubted(_) => {}
            // The protocol does not speak of tournaments.
            Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_)
            | Event::Rematch(_)
            | Event::Reacted(..) => {}
        }
    }

    fn on_tick(&mut self, _now: Time, out: &mut Speech) {
        let why = format!("no answer in {} ms", self.call_ms);
        self.remove(Exit::TimedOut, why, out);
    }

    fn deadline(&self) -> Option<Time> {
        match &self.stage {
            Progress::Playing(place) => place.call.map(|(_, until)| until),
            Progress::SigningUp | Progress::Waiting => None,
        }
    }
}
