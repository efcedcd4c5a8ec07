//! The members of a table: the connections of its players and its spectators.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rules::Seat;

use crate::{ConnId, Introduction, Role};

#[derive(Debug)]
pub(super) struct Audience {
    /// The connections of each seat's player, while it is here.
    seats: Vec<Vec<Attached>>,
    watchers: BTreeMap<ConnId, Role>,
    /// Those of them who see what is public, in order; made when it is asked for.
    public: OnceCell<Arc<[ConnId]>>,
    /// Connections that came after the turn was resolved and before it is sent.
    late: BTreeSet<ConnId>,
}

/// A player's connection, and what it wants to receive.
#[derive(Debug)]
pub(super) struct Attached {
    pub conn: ConnId,
    pub introduction: Option<Introduction>,
}

impl Audience {
    pub fn of(seats: usize) -> Audience {
        Audience {
            seats: std::iter::repeat_with(Vec::new).take(seats).collect(),
            watchers: BTreeMap::new(),
            public: OnceCell::new(),
            late: BTreeSet::new(),
        }
    }

    pub fn attach(&mut self, seat: Seat, conn: ConnId, introduction: Option<Introduction>) {
        self.seats[seat.index()].push(Attached { conn, introduction });
    }

    pub fn watch(&mut self, conn: ConnId, role: Role) {
        self.watchers.insert(conn, role);
        self.public.take();
    }

    /// Whether it was a player's.
    pub fn detach(&mut self, conn: ConnId) -> bool {
        self.late.remove(&conn);
        if self.watchers.remove(&conn).is_some() {
            self.public.take();
            return false;
        }
        let Some(seat) = self.seat_of(conn) else { return false };
        self.seats[seat.index()].retain(|attached| attached.conn != conn);
        true
    }

    /// A connection came after the turn was resolved and before it is sent.
    pub fn come_late(&mut self, conn: ConnId) {
        self.late.insert(conn);
    }

    /// Takes the latecomers, who are served now.
    pub fn take_late(&mut self) -> BTreeSet<ConnId> {
        std::mem::take(&mut self.late)
    }

    pub fn is_late(&self, conn: ConnId) -> bool {
        self.late.contains(&conn)
    }

    pub fn introduce(&mut self, conn: ConnId, introduction: Introduction) {
        let mut attached = self.seats.iter_mut().flatten();
        if let Some(attached) = attached.find(|attached| attached.conn == conn) {
            attached.introduction = Some(introduction);
        }
    }

    /// The start puts the players in order: the player in `order[i]` is now in seat i.
    pub fn renumber(&mut self, order: &[Seat]) {
        self.seats = order.iter().map(|old| std::mem::take(&mut self.seats[old.index()])).collect();
    }

    pub fn seat_of(&self, conn: ConnId) -> Option<Seat> {
        self.players().find(|(_, attached)| attached.conn == conn).map(|(seat, _)| seat)
    }

    pub fn introduction(&self, conn: ConnId) -> Option<&Introduction> {
        let mut players = self.seats.iter().flatten();
        players.find(|attached| attached.conn == conn)?.introduction.as_ref()
    }

    pub fn role_of(&self, conn: ConnId) -> Option<Role> {
        self.watchers.get(&conn).copied()
    }

    pub fn is_present(&self, seat: Seat) -> bool {
        self.seats.get(seat.index()).is_some_and(|attached| !attached.is_empty())
    }

    /// Whether no player is here.
    pub fn is_without_players(&self) -> bool {
        self.seats.iter().all(Vec::is_empty)
    }

    pub fn is_empty(&self) -> bool {
        self.watchers.is_empty() && self.is_without_players()
    }

    /// How many watch.
    pub fn spectators(&self) -> usize {
        self.watchers.len()
    }

    pub fn players(&self) -> impl Iterator<Item = (Seat, &Attached)> {
        let seats = Seat::all(self.seats.len()).zip(&self.seats);
        seats.flat_map(|(seat, attached)| attached.iter().map(move |attached| (seat, attached)))
    }

    /// The connections of one player.
    pub fn conns_of(&self, seat: Seat) -> Vec<ConnId> {
        self.seats[seat.index()].iter().map(|attached| attached.conn).collect()
    }

    pub fn watchers(&self, role: Role) -> impl Iterator<Item = ConnId> {
        self.watchers.iter().filter(move |(_, known)| **known == role).map(|(conn, _)| *conn)
    }

    /// Those who see what is public.
    pub fn public(&self) -> &Arc<[ConnId]> {
        let is_public = |(_, role): &(&ConnId, &Role)| **role != Role::Organiser;
        let public = || self.watchers.iter().filter(is_public).map(|(conn, _)| *conn).collect();
        self.public.get_or_init(public)
    }

    /// All members: players, then spectators, then organisers.
    pub fn all(&self) -> Vec<ConnId> {
        let players = self.players().map(|(_, attached)| attached.conn);
        players.chain(self.public().iter().copied()).chain(self.watchers(Role::Organiser)).collect()
    }
}
