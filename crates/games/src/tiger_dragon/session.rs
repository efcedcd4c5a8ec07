//! The session of the WebSocket protocol.
//!
//! ```text
//! connected ──join (spectator)──▶ watching ⟲ join (spectator)
//!     │                              │
//!     └────────join (player)─────────┴──▶ seated ──game_over──▶ seated, match over
//!                                                                │
//!              another table, or watching ◀──────────join────────┘
//! ```
//!
//! Whoever has no seat follows the hall, joined or not: broadcasts go to every socket. But only
//! who joins is told where a running match stands; who is merely connected hears what happens
//! next.

use std::sync::Arc;

use hall::{
    Answer, Closing, Command, Company, Dismissal, Event, Joined, Name, Over, Refusal, Role, Terms,
    Time, Update,
};
use rules::Seat;
use wire::{Garbage, Session, Speech};

use super::rules::{Action, TigerDragon, View};
use super::verb::{self, Join, Verb, Wrong};
use super::{FIRST_ROOM, lines};

pub fn session(terms: &Terms<TigerDragon>) -> Box<dyn Session<TigerDragon>> {
    Box::new(TableSession {
        seats: terms.policy.seats,
        stance: Stance::Connected,
        current: Match::default(),
        asked: None,
        awaiting: None,
    })
}

struct TableSession {
    /// The size of the next table, for who is at none.
    seats: usize,
    stance: Stance,
    current: Match,
    /// The command whose answer is awaited.
    asked: Option<Asked>,
    /// A join that is acknowledged when its table is due.
    awaiting: Option<Join>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    Connected,
    Watching,
    Seated(Seat),
}

/// The match that is played or watched, as far as it is known.
#[derive(Default)]
struct Match {
    /// None while there is no table at all.
    company: Option<Arc<Company>>,
    /// The last update, once the match has begun.
    update: Option<Arc<Update<TigerDragon>>>,
    over: bool,
}

enum Asked {
    /// To follow the hall, for who has not joined.
    Broadcasts,
    Join(Join),
    Act,
}

impl TableSession {
    fn join(&mut self, join: Join, out: &mut Speech<TigerDragon>) {
        // Whoever plays has joined: a second join is only told again, whatever it asks for.
        if let (Stance::Seated(seat), false) = (self.stance, self.current.over) {
            self.acknowledge(&join, Some(seat), out);
            return self.current.tell_state(out);
        }
        // Whoever waits for its table goes on waiting.
        if self.awaiting.is_some() && !join.spectator {
            self.awaiting = Some(join);
            return;
        }
        let name: Name = out.take_key(&join.player_id).into();
        out.ask(if join.spectator {
            follow(Some(join.room_id.as_str().into()))
        } else {
            // Seats are given where players gather; the room a client names selects nothing.
            Command::Join { table: None, name, role: Role::Player, joined_via: None }
        });
        self.asked = Some(Asked::Join(join));
    }

    fn joined(&mut self, join: Option<Join>, joined: &Joined, out: &mut Speech<TigerDragon>) {
        self.current = Match::default();
        // At no table the company is empty.
        if !joined.company.seats.is_empty() {
            self.current.go_to(&joined.company);
        }
        if let Some(join) = join {
            self.stance = joined.seat.map_or(Stance::Watching, Stance::Seated);
            self.acknowledge(&join, joined.seat, out);
        }
    }

    fn acknowledge(&self, join: &Join, seat: Option<Seat>, out: &mut Speech<TigerDragon>) {
        out.text(lines::join_ack(&join.room_id, &join.player_id, seat, self.players()));
    }

    /// What a choice means here and now; the checks come in the protocol's order.
    fn act(&self, choice: Result<Action, Wrong>) -> Result<Command<TigerDragon>, Wrong> {
        let update = self.current.update.as_ref().ok_or(Wrong::GameNotStarted)?;
        if self.current.over {
            return Err(Wrong::MatchOver);
        }
        let Stance::Seated(seat) = self.stance else { return Err(Wrong::SpectatorCannotAct) };
        if seat != update.view.current {
            return Err(Wrong::NotYourTurn);
        }
        let action = choice?;
        update.view.check(action).map_err(|_| Wrong::IllegalAction)?;
        Ok(Command::Act { seq: update.seq, action })
    }

    fn discards(&self) -> String {
        let view = self.current.update.as_ref().map(|update| &update.view);
        lines::discards(self.current.room_id(), self.players(), view)
    }

    /// The seats of the table, taken or not.
    fn players(&self) -> usize {
        self.current.company.as_ref().map_or(self.seats, |company| company.seats.len())
    }

    fn updated(&mut self, update: &Arc<Update<TigerDragon>>, out: &mut Speech<TigerDragon>) {
        self.current.go_to(&update.company);
        let former = self.current.update.replace(update.clone());
        if update.catch_up {
            if self.stance != Stance::Connected {
                self.current.tell_state(out);
            }
            return;
        }
        // A seat that is given up in another's turn changes nothing here: one state an act.
        if former.is_some_and(|former| progress(&former) == progress(update)) {
            return;
        }
        if let Some(result) = update.view.round_result() {
            let line = || lines::round_result(result);
            out.text(update.render_for_all("tiger-dragon result", line));
        }
        if update.view.outcome.is_none() {
            self.current.tell_state(out);
        }
    }

    fn ended(&mut self, over: &Over<TigerDragon>, out: &mut Speech<TigerDragon>) {
        self.current.over = true;
        let Some(update) = &self.current.update else { return };
        match &over.closing {
            // Who comes after the end is shown the last state and told nothing more.
            Closing::Over(_) if update.catch_up => {}
            Closing::Void(_) if update.catch_up && self.stance == Stance::Connected => {}
            Closing::Over(outcome) => {
                let winner = outcome.winners().iter().next();
                let line = || lines::game_over(winner, &update.view);
                out.text(update.render_for_all("tiger-dragon over", line));
            }
            // Clients stop at a game_over, so they get one although nobody has won.
            Closing::Void(reason) => {
                out.text(lines::error(reason));
                out.text(lines::game_over(None, &update.view));
            }
        }
    }
}

impl Match {
    /// Forgets the former match when the hall speaks of another.
    fn go_to(&mut self, company: &Arc<Company>) {
        if self.company.as_ref().is_none_or(|former| former.table != company.table) {
            *self = Match::default();
        }
        self.company = Some(company.clone());
    }

    fn room_id(&self) -> &str {
        self.company.as_ref().map_or(FIRST_ROOM, |company| &company.table)
    }

    fn tell_state(&self, out: &mut Speech<TigerDragon>) {
        if let Some(update) = &self.update {
            let line = || lines::state(&update.company.table, &update.view);
            out.text(update.render("tiger-dragon", line));
        }
    }
}

/// What differs between any two acts of a match.
fn progress(update: &Update<TigerDragon>) -> (u32, u32, bool) {
    let View { round, turn, outcome, .. } = &update.view;
    (*round, *turn, outcome.is_some())
}

fn follow(table: Option<Name>) -> Command<TigerDragon> {
    Command::Join { table, name: "".into(), role: Role::Follower, joined_via: None }
}

impl Session<TigerDragon> for TableSession {
    fn open(&mut self, _now: Time, out: &mut Speech<TigerDragon>) {
        self.asked = Some(Asked::Broadcasts);
        out.ask(follow(None));
    }

    fn on_text(&mut self, _now: Time, text: &str, out: &mut Speech<TigerDragon>) {
        match verb::parse(text) {
            Ok(Verb::Join(join)) => self.join(join, out),
            Ok(Verb::Action(choice)) => match self.act(choice) {
                Ok(command) => {
                    self.asked = Some(Asked::Act);
                    out.ask(command);
                }
                Err(wrong) => out.text(lines::error(wrong.message())),
            },
            Ok(Verb::DiscardsRequest) => out.text(self.discards()),
            Err(wrong) => out.text(lines::error(wrong.message())),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech<TigerDragon>) {
        match garbage {
            // Binary frames are answered in text, like any text without a type.
            Garbage::Binary | Garbage::NotJson => {
                out.text(lines::error(Wrong::MissingType.message()));
            }
            // WebSocket itself prescribes to close here.
            Garbage::NotUtf8 => out.hangup("not UTF-8"),
            Garbage::TooLong => out.hangup("message too long"),
        }
    }

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech<TigerDragon>) {
        let asked = self.asked.take().expect("every answer has its question");
        match (asked, answer) {
            (asked, Answer::Joined(joined)) => {
                let join = match asked {
                    Asked::Join(join) => Some(join),
                    Asked::Broadcasts | Asked::Act => None,
                };
                self.awaiting = None;
                self.joined(join, &joined, out);
            }
            (Asked::Join(join), Answer::Awaited) => self.awaiting = Some(join),
            (Asked::Join(_) | Asked::Act, Answer::Refused(refusal)) => {
                out.text(lines::error(explain(&refusal).message()));
            }
            // An accepted act is answered by its state, which everybody gets.
            (_, _) => {}
        }
    }

    fn on_event(&mut self, now: Time, event: &Event<TigerDragon>, out: &mut Speech<TigerDragon>) {
        match event {
            Event::Company(company, _) => self.current.go_to(company),
            Event::Update(update) => self.updated(update, out),
            Event::Over(over) => self.ended(over, out),
            Event::Dismissed(Dismissal::TableClosed(reason)) => {
                out.text(lines::error(reason));
                self.stance = Stance::Connected;
                self.awaiting = None;
                self.current = Match::default();
                self.open(now, out);
            }
            Event::Dismissed(Dismissal::Replaced) => {
                out.hangup("the seat was taken by a newer connection");
            }
            Event::Seated(joined) => {
                let join = self.awaiting.take();
                self.joined(join, joined, out);
            }
            Event::Waiting(_) | Event::History(_) => {}
            // The protocol does not speak of tournaments.
            Event::Entered(_) | Event::Paired(_) | Event::Decided(_) => {}
        }
    }
}

/// Every refusal in the words of this protocol.
fn explain(refusal: &Refusal) -> Wrong {
    match refusal {
        Refusal::NeedsKey(_) => Wrong::NeedsKey,
        Refusal::BannedName(_) => Wrong::BannedName,
        Refusal::BannedKey => Wrong::BannedKey,
        Refusal::TableFull
        | Refusal::HallFull
        | Refusal::Draining
        | Refusal::DiskFull
        | Refusal::TooMany
        | Refusal::AlreadyStarted
        | Refusal::AlreadySeated
        | Refusal::NoSuchTable
        | Refusal::NameTaken(_)
        | Refusal::IdTaken
        | Refusal::BadTable(_) => Wrong::RoomFull,
        Refusal::NotStarted | Refusal::NotOver | Refusal::TooFewPlayers => Wrong::GameNotStarted,
        Refusal::AlreadyOver => Wrong::MatchOver,
        Refusal::NotSeated | Refusal::NotEntered | Refusal::UnknownCredential => {
            Wrong::SpectatorCannotAct
        }
        // The clock was faster and has played for this seat.
        Refusal::Stale | Refusal::NotYourTurn | Refusal::AlreadyMoved => Wrong::NotYourTurn,
        Refusal::Illegal(_) => Wrong::IllegalAction,
    }
}
