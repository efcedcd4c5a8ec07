//! Decides what is sent, and to whom. Everything a member receives about a game passes here.

use std::sync::Arc;

use rules::Viewer;

use super::showing::Showing;
use super::{LiveTable, Moment, Play, Turn};
use crate::{Chair, ConnId, Eyes, Joined, Refusal, Role, TableEvent, Update};

impl LiveTable {
    pub(super) fn refresh_company(&mut self) {
        self.company = Arc::new(self.table.company(|seat| !self.is_away(seat)));
    }

    /// What may be shown of the game now.
    pub(super) fn showing(&self) -> Showing<'_> {
        let (moves, deadline) = (self.progress.moves(), self.clocks.turn());
        Showing::new(&self.table, &self.company, moves, deadline)
    }
}

impl Moment<'_> {
    /// Sends a latecomer the current state, and the end if the game is over. While the last turn is
    /// held back, the latecomer gets it with all others.
    pub fn catch_up(&mut self, conn: ConnId, viewer: Viewer) {
        if self.live.is_held() {
            self.live.audience.come_late(conn);
            return;
        }
        self.tell_position(conn, viewer);
        if let Some(over) = self.live.showing().over() {
            self.out.tell(conn, over);
        }
    }

    fn tell_position(&mut self, conn: ConnId, viewer: Viewer) {
        let (audience, showing) = (&self.live.audience, self.live.showing());
        let update = match viewer {
            Viewer::Public if audience.role_of(conn) == Some(Role::Organiser) => showing.full(true),
            Viewer::Public if showing.is_withheld() => return,
            Viewer::Public => showing.public(true),
            Viewer::Seat(seat) => {
                let legal = audience.introduction(conn).map(|introduction| introduction.legal);
                showing.seat(seat, legal, |update| update.catch_up = true)
            }
        };
        // A view that can't be made closes its table when the next turn is sent.
        if let Ok(Some(update)) = update {
            self.out.tell(conn, TableEvent::Update(update));
        }
    }

    pub fn watch(&mut self, conn: ConnId, role: Role, asked: bool) {
        self.live.audience.watch(conn, role);
        if asked {
            let company = self.live.company.clone();
            let joined = Joined { company, seat: None, token: None, resumed: false };
            self.out.greet(conn, joined, true);
        }
        self.catch_up(conn, Viewer::Public);
    }

    /// A member asks for earlier turns. They may see again what was sent to them, and the records
    /// have it: the keeper of the records answers.
    pub fn recall(&mut self, conn: ConnId, from: u64) {
        let live = &*self.live;
        let eyes = match (live.seat_of(conn), live.audience.role_of(conn)) {
            (Some(seat), _) => Eyes::Seat(seat),
            (None, Some(Role::Organiser)) => Eyes::All,
            (None, _) => Eyes::Public,
        };
        if live.table.game().is_none() {
            return self.out.refuse(conn, Refusal::NotStarted);
        }
        if live.table.closing().is_some() {
            return self.out.refuse(conn, Refusal::AlreadyOver);
        }
        if eyes == Eyes::Public && live.showing().is_withheld() {
            return self.out.refuse(conn, Refusal::NotOver);
        }
        let until = live.shown_turn().seq;
        self.out.recall(conn, eyes, from, until);
    }
}

impl Play<'_, '_> {
    /// Sends all members the state of play, each as they may know it.
    pub fn tell_update(&mut self) -> Result<(), String> {
        let (live, showing) = (&*self.moment.live, self.moment.live.showing());
        let mut told: Vec<(ConnId, Arc<Update>)> = Vec::new();
        let mut first: Option<Arc<Update>> = None;
        for (seat, attached) in live.audience.players() {
            let legal = attached.introduction.as_ref().map(|introduction| introduction.legal);
            let update = showing.seat(seat, legal, |update| update.first.clone_from(&first))?;
            if let Some(update) = update {
                first.get_or_insert_with(|| update.clone());
                told.push((attached.conn, update));
            }
        }
        let public = live.audience.public().clone();
        let shown = match showing.is_withheld() || public.is_empty() {
            true => None,
            false => showing.public(false)?,
        };
        let mut organisers = Vec::new();
        if live.audience.watchers(Role::Organiser).next().is_some()
            && let Some(update) = showing.full(false)?
        {
            let watchers = live.audience.watchers(Role::Organiser);
            organisers.extend(watchers.map(|conn| (conn, update.clone())));
        }
        let (deadline, (_, at)) = (live.clocks.turn(), live.progress.told());
        let (seq, is_over) = (live.table.seq(), live.table.closing().is_some());
        let late = self.moment.live.audience.take_late();
        let tell = |moment: &mut Moment<'_>, told: Vec<(ConnId, Arc<Update>)>| {
            for (conn, update) in told.into_iter().filter(|(conn, _)| !late.contains(conn)) {
                moment.out.tell(conn, TableEvent::Update(update));
            }
        };
        if is_over {
            tell(self.moment, told);
        } else {
            told.retain(|(conn, _)| !late.contains(conn));
            self.moment.out.begin_turn(Turn { seq, at, deadline, updates: told });
        }
        if let Some(update) = shown {
            let in_time = match late.is_empty() {
                true => public,
                false => public.iter().filter(|conn| !late.contains(conn)).copied().collect(),
            };
            self.moment.out.show(in_time, TableEvent::Update(update));
        }
        tell(self.moment, organisers);
        self.moment.live.progress.forget_moves();
        for conn in late {
            let seat = self.moment.live.seat_of(conn);
            self.moment.tell_position(conn, seat.map_or(Viewer::Public, Viewer::Seat));
        }
        Ok(())
    }

    /// Sends the mover, the spectators and listening players the pending seats of the turn, unless
    /// those are secret.
    pub fn tell_who_is_waited_for(&mut self, mover: Option<ConnId>) {
        let live = &*self.moment.live;
        let owed = live.table.owed_as_seen(Viewer::Public);
        if owed.is_empty() {
            return;
        }
        let listens = |seat| live.table.chair(seat).is_some_and(Chair::is_via_house);
        let players = live.audience.players().filter(|(seat, _)| listens(*seat));
        let players = players.map(|(_, attached)| attached.conn);
        let players = players.filter(|conn| Some(*conn) != mover);
        let players: Vec<ConnId> = mover.into_iter().chain(players).collect();
        let public = match live.showing().is_withheld() {
            true => Arc::default(),
            false => live.audience.public().clone(),
        };
        let organisers: Vec<ConnId> = live.audience.watchers(Role::Organiser).collect();
        let out = &mut self.moment.out;
        players.into_iter().for_each(|conn| out.tell(conn, TableEvent::Waiting(owed)));
        out.show(public, TableEvent::Waiting(owed));
        organisers.into_iter().for_each(|conn| out.tell(conn, TableEvent::Waiting(owed)));
    }
}
