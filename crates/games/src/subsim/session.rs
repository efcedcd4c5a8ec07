//! The session of SubSim's protocol.
//!
//! ```text
//!            J              J|name            the game begins        all are placed
//! greeted ──────▶ joining ──────────▶ waiting ────────────▶ placing ───────────────▶ playing
//!    │               │                   │                     │        I, B|1          │
//!    │ error text    │ error text        │                     │                        │ F, P
//!    ▼               ▼                   ▼                     ▼        Part            ▼
//!  closed ◀────────────────────────── leaving ◀────────────────┴───────────────────── closed
//!                      error text
//! ```
//!
//! No command is ever acknowledged, and whatever is wrong ends the connection with one line of
//! text. What a player has ordered is a draft until every active submarine has its order; then
//! the whole of it is one move.

use std::sync::Arc;

use hall::{
    Answer, Closing, Command, Dismissal, Event, Name, Over, Refusal, Role, TableInfo, Terms, Time,
};
use rules::{Exit, Illegal, Seat};
use wire::{Garbage, Session, Speech, UpdateOf};

use super::lines::{self, Status};
use super::rules::{Action, Chart, Order, Phase, Square, SubSim, check_placing};
use super::verb::{self, Mistake, Verb};

pub fn session(terms: &Terms) -> Box<dyn Session> {
    Box::new(LineSession { state: State::Greeted(Box::new(terms.clone())) })
}

struct LineSession {
    state: State,
}

enum State {
    /// The settings are announced; J is awaited.
    Greeted(Box<Terms>),
    /// The hall is asked for a seat.
    Joining { said: String, squares: Vec<Square> },
    /// The squares are wrong. A name in use would be said first, so the hall is asked who is there.
    Doubting { name: Name, why: String },
    /// Waiting, placing or playing.
    Seated(Place),
    /// The hall is told that the player goes; then the client is told why.
    Leaving { why: String },
}

/// A player at a table, and what it has been told.
struct Place {
    /// The start squares it chose.
    squares: Vec<Square>,
    /// The last update, once the game has begun.
    update: Option<UpdateOf<SubSim>>,
    /// The orders of this turn.
    draft: Vec<Order>,
    /// The draft is complete and with the hall.
    submitted: bool,
}

impl LineSession {
    /// Whatever is wrong, the client hears one line and is gone; from a table it is gone first.
    fn dismiss(&mut self, why: impl Into<String>, exit: fn(String) -> Exit, out: &mut Says) {
        let why = why.into();
        match self.state {
            State::Seated(_) => {
                out.ask(Command::Part(exit(why.clone())));
                self.state = State::Leaving { why };
            }
            _ => {
                out.text(why.as_str());
                out.hangup(why);
            }
        }
    }

    fn disqualify(&mut self, why: impl Into<String>, out: &mut Says) {
        self.dismiss(why, Exit::Disqualified, out);
    }

    fn join(&mut self, join: verb::Join, out: &mut Says) {
        let State::Greeted(terms) = &self.state else { return };
        let chart = Chart::new(&terms.config.of_or_default::<SubSim>())
            .expect("terms are made of good settings");
        let name: Name = out.take_key(&join.said).into();
        self.state = match placing(&chart, &join.coordinates) {
            Ok(squares) => {
                let role = Role::Player;
                out.ask(Command::Join { table: None, name, role, joined_via: None });
                State::Joining { said: join.said, squares }
            }
            Err(Illegal(why)) => {
                out.ask(Command::List { only: None });
                State::Doubting { name, why }
            }
        };
    }

    fn order(&mut self, order: verb::Order, out: &mut Says) {
        let State::Seated(place) = &mut self.state else { return };
        match place.order(order) {
            Ok(None) => {}
            Ok(Some(command)) => out.ask(command),
            Err(why) => self.disqualify(why.to_string(), out),
        }
    }
}

type Says = Speech;

/// The squares of a J, checked in the protocol's order.
fn placing(chart: &Chart, coordinates: &[Option<u32>]) -> Result<Vec<Square>, Illegal> {
    let pairs = coordinates.chunks_exact(2);
    let left_over = pairs.remainder().len();
    // What is no number is off every map; where a start is pre-set nobody looks.
    let off_the_map = Square::new(0, 0);
    let square = |pair: &[Option<u32>]| verb::square(pair[0], pair[1]).unwrap_or(off_the_map);
    let squares: Vec<Square> = pairs.map(square).collect();
    check_placing(chart, &squares)?;
    if left_over > 0 {
        return Err(Illegal::new("Incorrect number of submarine coordinate values"));
    }
    Ok(squares)
}

/// Whether somebody at the table a newcomer would be brought to has this name.
fn is_in_use(name: &str, tables: &[Arc<TableInfo>]) -> bool {
    let Some(gathering) = tables.iter().find(|table| table.house) else { return false };
    let members = gathering.company.seats.iter().flatten();
    members.into_iter().any(|member| member.name.eq_ignore_ascii_case(name))
}

impl Place {
    fn new(squares: Vec<Square>) -> Place {
        Place { squares, update: None, draft: Vec::new(), submitted: false }
    }

    /// Takes one order into the draft. The move, once the draft is complete.
    fn order(&mut self, order: verb::Order) -> Result<Option<Command>, Mistake> {
        let update = self.update.as_ref().ok_or(Mistake::NotStarted)?;
        let view = update.view();
        let open = view.open_turn().ok_or(Mistake::NotStarted)?;
        if order.turn != open {
            return Err(Mistake::Turn(order.turn.to_string()));
        }
        let sub = u8::try_from(order.sub).map_err(|_| Mistake::Sub(order.sub.to_string()))?;
        if self.draft.iter().any(|earlier| earlier.sub == sub) {
            return Err(Mistake::Repeated(sub));
        }
        let order = Order { sub, command: order.command };
        view.fleet().check_order(&order)?;
        self.draft.push(order);
        if self.draft.len() < view.fleet().active().count() {
            return Ok(None);
        }
        self.submitted = true;
        let mut orders = self.draft.clone();
        orders.sort_by_key(|order| order.sub);
        Ok(Some(Command::act::<SubSim>(update.seq, Action::Orders(orders))))
    }

    /// Says what an update brings, or why the player has to go.
    fn tell(&mut self, update: &UpdateOf<SubSim>, out: &mut Says) -> Result<(), Removal> {
        let former = self.update.replace(update.clone());
        let view = update.view();
        if view.phase == Phase::Placing {
            if former.is_none() {
                let action = Action::Place(self.squares.clone());
                // A table made by an organiser may have settings that were not announced here.
                view.check(&action).map_err(|illegal| Removal::Disqualified(illegal.0))?;
                out.ask(Command::act::<SubSim>(update.seq, action));
            }
            return Ok(());
        }
        // Somebody has left in the middle of the turn: nobody is told.
        if former.as_ref().is_some_and(|former| former.seq == update.seq) {
            return Ok(());
        }
        // "Remove every player with a missing command."
        let owed = |former: &UpdateOf<SubSim>| former.view().fleet().active().next().is_some();
        if former.as_ref().is_some_and(owed) && !self.submitted {
            return Err(Removal::TimedOut);
        }
        self.draft.clear();
        self.submitted = false;
        // Turns in which nobody could act have run by themselves. They are told like any other,
        // because to a client "B rises by 1".
        let ended = (view.phase == Phase::Over).then_some(view.executed);
        for report in &view.news {
            lines::report(view, report, |line| out.text(line));
            if ended != Some(report.turn) {
                out.text(lines::begin_turn(report.turn + 1));
            }
        }
        Ok(())
    }

    fn tell_end(&self, over: &Over, out: &mut Says) {
        let turns = self.update.as_ref().map_or(0, |update| update.view().executed);
        let seats = || Seat::all(over.company.seats.len());
        let name = |seat| over.company.name(seat);
        let (status, results): (_, Vec<_>) = match &over.closing {
            // Who did not stay to the end is not in the result.
            Closing::Over(outcome) => {
                let standings = seats().zip(&outcome.standings);
                let stayed = standings.filter(|(_, standing)| standing.exit.is_none());
                let result =
                    |(seat, standing): (Seat, &rules::Standing)| (name(seat), standing.points);
                (Status::Finished, stayed.map(result).collect())
            }
            Closing::Void(_) => {
                let member = |seat: &Seat| over.company.seats[seat.index()].as_ref();
                let stayed =
                    seats().filter(|seat| member(seat).is_some_and(|member| member.present));
                let last = |seat: Seat| over.last_views.get(seat.index())?.of::<SubSim>();
                let score = |seat: Seat| last(seat).map_or(0, |view| view.score);
                let result = |seat: Seat| (name(seat), i64::from(score(seat)));
                (Status::Aborted, stayed.map(result).collect())
            }
        };
        for line in lines::game_finished(status, turns, &results) {
            out.text(line);
        }
    }
}

/// Why a player has to go although it said nothing wrong.
enum Removal {
    TimedOut,
    Disqualified(String),
}

impl Session for LineSession {
    fn open(&mut self, _now: Time, out: &mut Says) {
        if let State::Greeted(terms) = &self.state {
            lines::greeting(terms).into_iter().for_each(|line| out.text(line));
        }
    }

    fn on_text(&mut self, _now: Time, text: &str, out: &mut Says) {
        let begun = match &self.state {
            State::Greeted(_) => {
                return match verb::parse(text) {
                    Verb::Join(Ok(join)) => self.join(join, out),
                    Verb::Join(Err(why)) => self.disqualify(why, out),
                    Verb::Order(_) | Verb::Unknown(_) => self.disqualify("protocol error", out),
                };
            }
            State::Seated(place) => {
                place.update.as_ref().is_some_and(|update| update.view().phase != Phase::Placing)
            }
            // No text comes while the hall is asked.
            State::Joining { .. } | State::Doubting { .. } | State::Leaving { .. } => return,
        };
        match verb::parse(text) {
            Verb::Join(_) => self.disqualify("protocol error", out),
            Verb::Order(_) if !begun => self.disqualify("Game has not started", out),
            Verb::Unknown(_) if !begun => self.disqualify("protocol error", out),
            Verb::Order(Ok(order)) => self.order(order, out),
            Verb::Order(Err(why)) | Verb::Unknown(why) => self.disqualify(why.to_string(), out),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Says) {
        let why = match (&self.state, garbage) {
            (State::Greeted(_), _) => "protocol error",
            (_, Garbage::TooLong) => "Message too long: 4095 bytes at most",
            (_, Garbage::NotUtf8 | Garbage::NotJson | Garbage::Binary) => "Not a line of text",
        };
        self.disqualify(why, out);
    }

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Says) {
        match (&mut self.state, answer) {
            (State::Joining { said, squares }, Answer::Joined(_) | Answer::Awaited) => {
                out.text(lines::joined(said));
                self.state = State::Seated(Place::new(std::mem::take(squares)));
            }
            (State::Joining { .. }, Answer::Refused(refusal)) => {
                self.disqualify(explain(&refusal).unwrap_or("protocol error".to_owned()), out);
            }
            (State::Doubting { name, why }, answer) => {
                let in_use =
                    matches!(&answer, Answer::Listed(tables) if is_in_use(name, &tables.tables));
                let why = if in_use { "name in use".to_owned() } else { std::mem::take(why) };
                self.disqualify(why, out);
            }
            (State::Seated(place), Answer::Refused(refusal)) => {
                place.submitted = false;
                if let Some(why) = explain(&refusal) {
                    self.disqualify(why, out);
                }
            }
            (State::Leaving { why }, _) => {
                out.text(why.as_str());
                out.hangup(std::mem::take(why));
            }
            (State::Seated(_), Answer::Accepted) => {}
            (State::Greeted(_) | State::Joining { .. } | State::Seated(_), _) => {
                self.disqualify("protocol error", out);
            }
        }
    }

    /// The protocol acknowledges no order.
    fn is_silent_on(&self, answer: &Answer) -> bool {
        matches!((&self.state, answer), (State::Seated(_), Answer::Accepted))
    }

    /// Players do not hear who comes, who goes and who is still thinking.
    fn is_silent_at(&self, event: &Event) -> bool {
        matches!(event, Event::Company(..) | Event::Waiting(_))
    }

    fn on_event(&mut self, _now: Time, event: &Event, out: &mut Says) {
        let State::Seated(place) = &mut self.state else { return };
        match event {
            Event::Update(update) => match UpdateOf::open(update, out)
                .map_or(Ok(()), |update| place.tell(&update, out))
            {
                Ok(()) => {}
                Err(Removal::TimedOut) => self.dismiss("Turn timed out", |_| Exit::TimedOut, out),
                Err(Removal::Disqualified(why)) => self.disqualify(why, out),
            },
            Event::Over(over) => {
                place.tell_end(over, out);
                out.hangup("the game is over");
            }
            Event::Dismissed(Dismissal::TableClosed(reason)) => {
                let plain = |c: &char| *c == ' ' || c.is_ascii_graphic();
                let reason: String = reason.chars().filter(plain).collect();
                out.text(format!("Game closed: {reason}"));
                out.hangup("the table is closed");
            }
            Event::Dismissed(Dismissal::Replaced) => out.hangup("replaced"),
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
}

/// Every refusal as this protocol has it. None: an event is on its way that says more.
fn explain(refusal: &Refusal) -> Option<String> {
    let why = match refusal {
        // The clock or the organiser was faster.
        Refusal::Stale
        | Refusal::NoTurnYet(_)
        | Refusal::NotYourTurn
        | Refusal::AlreadyMoved
        | Refusal::AlreadyOver => return None,
        Refusal::HallFull | Refusal::TableFull | Refusal::TooMany | Refusal::TooSoon => "game full",
        Refusal::Draining => {
            "game full: the server is about to restart, try again in a few minutes"
        }
        Refusal::DiskFull => "game full: the server's disk is nearly full, try again later",
        Refusal::NameTaken(_) | Refusal::NameEntered { .. } => "name in use",
        Refusal::WrongKey(_) => "wrong key: it is not the key of this name",
        Refusal::NeedsKey(_) => "name in use: it belongs to whoever has its key",
        Refusal::KeyRequired(_) => {
            "key needed: claim your name on the server's page /connect, then join as NAME:KEY"
        }
        Refusal::BannedName(_) => "name banned: nobody may join under it here",
        Refusal::BannedKey => "key banned: it opens nothing here",
        Refusal::NotStarted => "Game has not started",
        Refusal::Illegal(why) | Refusal::BadTable(why) => why,
        Refusal::NoSuchTable
        | Refusal::UnknownCredential
        | Refusal::NotSeated
        | Refusal::AlreadySeated
        | Refusal::AlreadyStarted
        | Refusal::NotOver
        | Refusal::IdTaken
        | Refusal::NotEntered
        | Refusal::TooFewPlayers => "protocol error",
    };
    Some(why.to_owned())
}
