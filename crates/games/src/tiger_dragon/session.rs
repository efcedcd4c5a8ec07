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
//! A socket that has not joined is sent nothing about any match: clients take the first `state` or
//! `game_over` that they read for their own.

use std::sync::Arc;

use hall::{
    Answer, Closing, Command, Company, Dismissal, Event, Joined, Name, Over, Refusal, Role, Terms,
    Time,
};
use rules::Seat;
use wire::{Garbage, Mark, Session, Speech, Unanswered, UpdateOf};

use super::rules::{Action, TigerDragon, View};
use super::verb::{self, Join, Verb, Wrong};
use super::{FIRST_ROOM, lines};

pub fn session(terms: &Terms) -> Box<dyn Session> {
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
    update: Option<UpdateOf<TigerDragon>>,
    /// Where its state was said.
    state: Mark,
    /// The own turns that no choice has answered yet.
    unanswered: Unanswered,
    over: bool,
}

enum Asked {
    Join(Join),
    Act,
}

impl TableSession {
    fn join(&mut self, join: Join, out: &mut Speech) {
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
            let table = Some(join.room_id.as_str().into());
            Command::Join { table, name: "".into(), role: Role::Follower, joined_via: None }
        } else {
            // Seats are given where players gather; the room a client names selects nothing.
            Command::Join { table: None, name, role: Role::Player, joined_via: None }
        });
        self.asked = Some(Asked::Join(join));
    }

    fn joined(&mut self, join: &Join, joined: &Joined, out: &mut Speech) {
        self.current = Match::default();
        // At no table the company is empty.
        if !joined.company.seats.is_empty() {
            self.current.go_to(&joined.company);
        }
        self.stance = joined.seat.map_or(Stance::Watching, Stance::Seated);
        self.acknowledge(join, joined.seat, out);
    }

    /// Whether this is said of a match that a player had watched before it got its seat at another
    /// table. Such an event waits for the answer to the join, and comes after it.
    fn is_elsewhere(&self, company: &Company) -> bool {
        let own = self.current.company.as_ref().map(|own| &own.table);
        matches!(self.stance, Stance::Seated(_)) && own.is_some_and(|own| *own != company.table)
    }

    fn acknowledge(&self, join: &Join, seat: Option<Seat>, out: &mut Speech) {
        out.text(lines::join_ack(&join.room_id, &join.player_id, seat, self.players()));
    }

    /// What a choice means here and now; the checks come in the protocol's order.
    fn act(
        &mut self,
        now: Time,
        choice: Result<Action, Wrong>,
        out: &Speech,
    ) -> Result<Command, Wrong> {
        let is_late = self.current.unanswered.is_late(now);
        if self.stance == Stance::Connected && self.awaiting.is_none() {
            return Err(Wrong::SpectatorCannotAct);
        }
        let update = self.current.update.as_ref().ok_or(Wrong::GameNotStarted)?;
        if self.current.over {
            return Err(Wrong::MatchOver);
        }
        let Stance::Seated(seat) = self.stance else { return Err(Wrong::SpectatorCannotAct) };
        // A choice that was meant for an earlier state is none of this turn.
        if seat != update.view().current || is_late || !out.had_sent(self.current.state) {
            return Err(Wrong::NotYourTurn);
        }
        let action = choice?;
        update.view().check(action).map_err(|_| Wrong::IllegalAction)?;
        Ok(Command::act::<TigerDragon>(update.seq, action))
    }

    fn discards(&self) -> String {
        let view = self.current.update.as_ref().map(|update| update.view());
        lines::discards(self.current.room_id(), self.players(), view)
    }

    /// The seats of the table, taken or not.
    fn players(&self) -> usize {
        self.current.company.as_ref().map_or(self.seats, |company| company.seats.len())
    }

    fn updated(&mut self, now: Time, update: &UpdateOf<TigerDragon>, out: &mut Speech) {
        self.current.go_to(&update.company);
        let former = self.current.update.replace(update.clone());
        if let Stance::Seated(seat) = self.stance
            && update.owed.contains(seat)
        {
            self.current.unanswered.ask(now, update.seq);
        }
        if update.catch_up {
            return self.current.tell_state(out);
        }
        // A seat that is given up in another's turn changes nothing here: one state an act.
        if former.is_some_and(|former| progress(&former) == progress(update)) {
            return;
        }
        if let Some(result) = update.view().round_result() {
            let line = || lines::round_result(result);
            out.text(update.render_for_all("tiger-dragon result", line));
        }
        if update.view().outcome.is_none() {
            self.current.tell_state(out);
        }
    }

    fn ended(&mut self, over: &Over, out: &mut Speech) {
        self.current.over = true;
        let Some(update) = &self.current.update else { return };
        match &over.closing {
            // Who comes after the end is shown the last state and told nothing more.
            Closing::Over(_) if update.catch_up => {}
            Closing::Over(outcome) => {
                let winner = outcome.winners().iter().next();
                let line = || lines::game_over(winner, update.view());
                out.text(update.render_for_all("tiger-dragon over", line));
            }
            // Clients stop at a game_over, so they get one although nobody has won.
            Closing::Void(reason) => {
                out.text(lines::error(reason));
                out.text(lines::game_over(None, update.view()));
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

    fn tell_state(&mut self, out: &mut Speech) {
        if let Some(update) = &self.update {
            let line = || lines::state(&update.company.table, update.view());
            out.text(update.render("tiger-dragon", line));
            self.state = out.mark();
        }
    }
}

/// What differs between any two acts of a match.
fn progress(update: &UpdateOf<TigerDragon>) -> (u32, u32, bool) {
    let View { round, turn, outcome, .. } = update.view();
    (*round, *turn, outcome.is_some())
}

impl Session for TableSession {
    fn on_text(&mut self, now: Time, text: &str, out: &mut Speech) {
        match verb::parse(text) {
            Ok(Verb::Join(join)) => self.join(join, out),
            Ok(Verb::Action(choice)) => match self.act(now, choice, out) {
                Ok(command) => {
                    self.asked = Some(Asked::Act);
                    out.ask(command);
                }
                Err(wrong) => {
                    if wrong == Wrong::IllegalAction
                        && let (Some(update), Ok(action)) = (&self.current.update, choice)
                        && let Err(why) = update.view().check(action)
                    {
                        out.because(why.0);
                    }
                    out.text(lines::error(wrong.message()));
                }
            },
            Ok(Verb::DiscardsRequest) => out.text(self.discards()),
            Err(wrong) => out.text(lines::error(wrong.message())),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech) {
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

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech) {
        let asked = self.asked.take().expect("every answer has its question");
        match (asked, answer) {
            (Asked::Join(join), Answer::Joined(joined)) => {
                self.awaiting = None;
                self.joined(&join, &joined, out);
            }
            (Asked::Join(join), Answer::Awaited) => self.awaiting = Some(join),
            (Asked::Join(_) | Asked::Act, Answer::Refused(refusal)) => {
                out.text(lines::error(explain(&refusal).message()));
            }
            // An accepted act is answered by its state, which everybody gets.
            (_, _) => {}
        }
    }

    fn on_event(&mut self, now: Time, event: &Event, out: &mut Speech) {
        match event {
            Event::Company(company, _) if self.is_elsewhere(company) => {}
            Event::Update(update) if self.is_elsewhere(&update.company) => {}
            Event::Over(over) if self.is_elsewhere(&over.company) => {}
            Event::Company(company, _) => self.current.go_to(company),
            Event::Update(update) => {
                let Some(update) = UpdateOf::open(update, out) else { return };
                self.updated(now, &update, out);
            }
            Event::Over(over) => self.ended(over, out),
            Event::Dismissed(Dismissal::TableClosed(reason)) => {
                // A client knows of no way to go on after this but a new connection.
                out.text(lines::error(reason));
                out.hangup(reason);
            }
            Event::Dismissed(Dismissal::Replaced) => {
                out.hangup("the seat was taken by a newer connection");
            }
            Event::Seated(joined) => {
                if let Some(join) = self.awaiting.take() {
                    self.joined(&join, joined, out);
                }
            }
            Event::Waiting(_) | Event::History(_) | Event::Doubted(_) => {}
            // The protocol does not speak of tournaments.
            Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_)
            | Event::Rematch(_)
            | Event::Reacted(..) => {}
        }
    }
}

/// Every refusal in the words of this protocol.
fn explain(refusal: &Refusal) -> Wrong {
    match refusal {
        Refusal::NeedsKey(_) => Wrong::NeedsKey,
        Refusal::KeyRequired(_) => Wrong::KeyRequired,
        Refusal::WrongKey(_) => Wrong::OtherKey,
        Refusal::BannedName(_) => Wrong::BannedName,
        Refusal::BannedKey => Wrong::BannedKey,
        Refusal::NameTaken(_) | Refusal::NameEntered { .. } => Wrong::NameInUse,
        Refusal::TableFull
        | Refusal::HallFull
        | Refusal::Draining
        | Refusal::DiskFull
        | Refusal::TooMany
        | Refusal::TooSoon
        | Refusal::AlreadyStarted
        | Refusal::AlreadySeated
        | Refusal::NoSuchTable
        | Refusal::IdTaken
        | Refusal::BadTable(_) => Wrong::RoomFull,
        Refusal::NotStarted | Refusal::NotOver | Refusal::TooFewPlayers => Wrong::GameNotStarted,
        Refusal::AlreadyOver => Wrong::MatchOver,
        Refusal::NotSeated | Refusal::NotEntered | Refusal::UnknownCredential => {
            Wrong::SpectatorCannotAct
        }
        // The clock was faster and has played for this seat.
        Refusal::Stale | Refusal::NoTurnYet(_) | Refusal::NotYourTurn | Refusal::AlreadyMoved => {
            Wrong::NotYourTurn
        }
        Refusal::Illegal(_) => Wrong::IllegalAction,
    }
}
