//! The front desk: who may come in, who waits for its game, which table gathers.
//!
//! The lobby decides *where* somebody goes. From then on it is at a table, and what it says goes
//! there: see [`Whereabouts`].

mod opening;
mod search;
mod seating;
mod waiting_room;

use std::sync::Arc;

use rules::{Exit, Game};
use table::{Company, ConnId, GameHooks, Joined, Name, Refusal, Role, TableNo};

use crate::desk::Desk;
use crate::whereabouts::Whereabouts;
use crate::{Answer, Attendance};

use waiting_room::{Waiting, WaitingRoom};

pub(crate) use opening::{NewGame, check_bot};

#[derive(Debug)]
pub(crate) struct Lobby<G: Game> {
    pub whereabouts: Whereabouts<G>,
    /// Whoever waits is nowhere else.
    waiting: WaitingRoom,
    /// The table of the house that anybody could join when last looked for.
    joinable: Option<TableNo>,
}

impl<G: Game> Lobby<G> {
    pub fn new(hooks: GameHooks<G>) -> Lobby<G> {
        let (whereabouts, waiting) = (Whereabouts::new(hooks), WaitingRoom::default());
        Lobby { whereabouts, waiting, joinable: None }
    }

    pub fn waiting(&self) -> &WaitingRoom {
        &self.waiting
    }

    /// Takes a name in the hall, where names are unique there. An entrant whose connection is gone
    /// and who sits nowhere may come in anew: many bots are started for each game.
    pub fn enter(&mut self, desk: &mut Desk<G>, conn: ConnId, name: Name) {
        if !desk.premises.are_names_unique() {
            return desk.refuse(conn, Refusal::NotEntered);
        }
        let visitors = &mut self.whereabouts.visitors;
        if visitors.name_of(conn).is_some() {
            return desk.refuse(conn, Refusal::AlreadySeated);
        }
        let kept = desk.premises.kept(&name);
        if kept.is_some() {
            visitors.people_mut().forget_absent(&name);
        }
        if visitors.people().is_known(&name) || kept.is_some_and(|kept| kept.bot) {
            return desk.refuse(conn, Refusal::NameTaken(name));
        }
        visitors.enter(conn, name);
        desk.answer(conn, Answer::Entered);
    }

    /// A person comes back: to its seat, or to the lobby if that is where it was.
    pub fn resume_person(&mut self, desk: &mut Desk<G>, conn: ConnId, name: &Name) {
        match self.whereabouts.resume(desk, conn, name) {
            None => desk.refuse(conn, Refusal::UnknownCredential),
            Some(Some(seat)) => self.take_back(desk, conn, seat, true),
            Some(None) => {
                self.whereabouts.unbind(desk, conn);
                let company = Arc::new(Company::default());
                let joined = Joined { company, seat: None, token: None, resumed: true };
                desk.answer(conn, Answer::Joined(Box::new(joined)));
            }
        }
    }

    pub fn watch(&mut self, desk: &mut Desk<G>, conn: ConnId, table: Option<Name>, role: Role) {
        self.waiting.leave(desk, conn);
        match role {
            Role::Follower => self.whereabouts.follow(desk, conn, table),
            _ => self.whereabouts.watch(desk, conn, table, role),
        }
    }

    /// Whether the conn was waiting for its table.
    pub fn stop_waiting(&mut self, desk: &mut Desk<G>, conn: ConnId) -> bool {
        self.waiting.leave(desk, conn)
    }

    /// A player is no longer here, although its connection may be.
    pub fn away(&mut self, desk: &mut Desk<G>, conn: ConnId, exit: Exit) {
        self.waiting.leave(desk, conn);
        self.whereabouts.away(desk, conn, exit);
    }

    pub fn gone(&mut self, desk: &mut Desk<G>, conn: ConnId) {
        self.away(desk, conn, Exit::Lost);
        self.whereabouts.visitors.forget(conn);
    }

    pub fn attendance(&self, conn: ConnId) -> Attendance {
        Attendance { awaits: self.waiting.awaits(conn), ..self.whereabouts.attendance(conn) }
    }

    /// Whether that is still what the lobby knows of a connection.
    pub fn attends_as(&self, conn: ConnId, known: &Attendance) -> bool {
        self.whereabouts.post_of(conn) == known.at
            && self.waiting.awaits(conn) == known.awaits
            && self.whereabouts.visitors.attends_as(conn, known)
    }

    /// A connection is where it was with an earlier owner.
    pub fn take_up(&mut self, conn: ConnId, known: &Attendance) {
        if let Some((name, joined_via)) = known.awaits.clone() {
            self.waiting.admit(name, Waiting { conn, joined_via });
        }
        self.whereabouts.take_up(conn, known);
    }
}
