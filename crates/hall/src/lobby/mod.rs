//! The front desk: who may come in, who waits for a game, which table gathers.
//!
//! The lobby decides *where* a player goes. From then on the player is at a table, and their
//! commands go there: see [`Whereabouts`].

mod doubts;
mod opening;
mod reactions;
mod rematch;
mod search;
mod seating;
mod waiting_room;

use std::sync::Arc;

use rules::Exit;
use table::{Company, ConnId, GameHooks, Joined, Name, Refusal, Role, TableNo, Time};

use crate::desk::Desk;
use crate::whereabouts::Whereabouts;
use crate::{Answer, Attendance};

use doubts::Doubts;
pub(crate) use doubts::Newcomer;
use reactions::Reactions;
use rematch::Rematches;
use waiting_room::{Waiting, WaitingRoom};

pub(crate) use opening::{NewGame, check_bot};

#[derive(Debug)]
pub(crate) struct Lobby {
    pub whereabouts: Whereabouts,
    /// A waiting player is nowhere else.
    waiting: WaitingRoom,
    rematches: Rematches,
    reactions: Reactions,
    pub doubts: Doubts,
    /// The server's own table that any player could join, as of the last search.
    joinable: Option<TableNo>,
}

impl Lobby {
    pub fn new(hooks: GameHooks) -> Lobby {
        let (whereabouts, waiting) = (Whereabouts::new(hooks), WaitingRoom::default());
        let (rematches, doubts) = (Rematches::default(), Doubts::default());
        let reactions = Reactions::default();
        Lobby { whereabouts, waiting, rematches, reactions, doubts, joinable: None }
    }

    pub fn waiting(&self) -> &WaitingRoom {
        &self.waiting
    }

    /// Takes a name in the hall, where names are unique. An entrant whose connection is gone and
    /// who has no seat may enter again: many bots are started for each game.
    pub fn enter(&mut self, desk: &mut Desk, conn: ConnId, name: Name) {
        if !desk.premises.are_names_unique() {
            return desk.refuse(conn, Refusal::NotEntered);
        }
        let plays = self.whereabouts.plays(conn);
        let visitors = &mut self.whereabouts.visitors;
        if !plays {
            visitors.release(conn);
        }
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

    /// A player reconnects by name: to their seat, or to the lobby if that is where they were.
    pub fn resume_person(&mut self, desk: &mut Desk, conn: ConnId, name: &Name) {
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

    pub fn watch(&mut self, desk: &mut Desk, conn: ConnId, table: Option<Name>, role: Role) {
        self.stop_waiting(desk, conn);
        match role {
            Role::Follower => self.whereabouts.follow(desk, conn, table),
            _ => self.whereabouts.watch(desk, conn, table, role),
        }
    }

    /// Whether the conn was waiting for its table.
    pub fn stop_waiting(&mut self, desk: &mut Desk, conn: ConnId) -> bool {
        self.leave_rematch(desk, conn);
        self.waiting.leave(desk, conn) || self.doubts.leave(conn)
    }

    /// A player is no longer here, although the connection may be.
    pub fn away(&mut self, desk: &mut Desk, conn: ConnId, exit: Exit) {
        self.stop_waiting(desk, conn);
        self.whereabouts.away(desk, conn, exit);
    }

    pub fn gone(&mut self, desk: &mut Desk, conn: ConnId) {
        self.away(desk, conn, Exit::Lost);
        self.whereabouts.visitors.forget(conn);
    }

    pub fn attendance(&self, conn: ConnId) -> Attendance {
        let (awaits, doubts) = (self.awaits(conn), self.doubts.has(conn));
        Attendance { awaits, doubts, ..self.whereabouts.attendance(conn) }
    }

    /// The name under which a conn waits for a seat, and how it will have joined.
    fn awaits(&self, conn: ConnId) -> Option<(Name, Option<Name>)> {
        self.waiting.awaits(conn).or_else(|| self.doubts.awaits(conn))
    }

    pub fn deadline(&self) -> Option<Time> {
        [self.whereabouts.deadline(), self.doubts.deadline()].into_iter().flatten().min()
    }

    /// Moves every deadline.
    pub fn give_back(&mut self, ms: u64) {
        self.whereabouts.give_back(ms);
        self.doubts.give_back(ms);
    }

    /// Whether that is still what the lobby knows of a connection.
    pub fn attends_as(&self, conn: ConnId, known: &Attendance) -> bool {
        self.whereabouts.post_of(conn) == known.at
            && self.awaits(conn) == known.awaits
            && self.doubts.has(conn) == known.doubts
            && self.whereabouts.visitors.attends_as(conn, known)
    }

    /// A connection is where it was with an earlier owner.
    pub fn take_up(&mut self, desk: &Desk, conn: ConnId, known: &Attendance) {
        match known.awaits.clone() {
            Some(named) if known.doubts => {
                let entrant = desk.premises.kept(&named.0).is_some();
                self.doubts.take_up(desk.now, Newcomer { conn, named, entrant });
            }
            Some((name, joined_via)) => self.waiting.admit(name, Waiting { conn, joined_via }),
            None => {}
        }
        self.whereabouts.take_up(conn, known);
    }
}
