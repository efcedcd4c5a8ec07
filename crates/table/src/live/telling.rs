//! What is told, and to whom. Everything anybody hears of a game passes here, as views.

use std::sync::Arc;

use rules::{Game, Seat, Viewer};

use super::{LiveTable, Step, TableOutput};
use crate::update::MOST_LISTED;
use crate::{
    Broadcast, ConnId, Eyes, Joined, Refusal, Role, TableEvent, TableRecord, Time, Update, guarded,
};

/// An update, unless there is none, or why it cannot be made.
type Told<G> = Result<Option<Arc<Update<G>>>, String>;

impl<G: Game> LiveTable<G> {
    /// A record that is about to be folded in.
    pub(super) fn note(&mut self, record: &Arc<TableRecord<G>>, at: Time) {
        let told = self.audience.watchers(Role::Organiser).next().is_some()
            || self.table.seated().any(|(_, chair)| chair.is_via_house());
        if told {
            self.made.note(record, at, &self.table);
        }
        if let TableRecord::Moved { seat, .. } = **record {
            self.last_moves[seat.index()] = Some(record.clone());
        }
        if let Some(past) = &mut self.past {
            past.push(record.clone(), at);
        }
    }

    /// Knows the moves again that are told with the next update: those since the last.
    pub(super) fn remember_moves(&mut self, (told, at): (u64, Time), refused: Vec<Seat>) {
        self.made = self.past.as_ref().map(|past| past.moves_since(told)).unwrap_or_default();
        self.made.resume(at, refused);
    }

    pub(super) fn refresh_company(&mut self) {
        self.company = Arc::new(self.table.company(|seat| !self.is_away(seat)));
    }

    /// Whether those who watch are shown nothing yet: everything is shown once the game is over.
    fn is_withheld(&self) -> bool {
        self.policy().broadcast == Broadcast::Delayed && self.table.closing().is_none()
    }

    /// Those who see what is public, as long as they are to see anything.
    fn public(&self) -> impl Iterator<Item = ConnId> {
        self.audience.public().filter(|_| !self.is_withheld())
    }

    /// The state of play as `viewer` may know it, with what else is to be said; none before the
    /// start.
    fn update(&self, viewer: Viewer, more: impl FnOnce(&mut Update<G>)) -> Told<G> {
        let Some(game) = self.table.game() else { return Ok(None) };
        // It is made where it stays: views are large.
        let update = guarded(|| {
            let mut update = Update::new(self.table.seq(), game.view(viewer), self.company.clone());
            update.viewer = viewer;
            update.owed = self.table.owed_as_seen(viewer);
            update.owes = viewer.seat().is_some_and(|seat| update.owed.contains(seat));
            update.deadline = self.clocks.turn.filter(|_| !self.table.owed().is_empty());
            update.turn_ms = self.policy().turn_ms;
            more(&mut update);
            Arc::new(update)
        });
        update.map(Some)
    }

    /// What is told besides to a seat that wants to hear everything.
    fn tell_more(&self, seat: Seat, legal: bool, update: &mut Update<G>) {
        let own = self.made.moves.iter().filter(|made| made.seat == seat);
        update.moves = own.cloned().collect();
        let legal = legal && !self.policy().hides_legal;
        let game = self.table.game().filter(|_| legal && update.owes);
        let few = |game: &&G| game.legal_at_most(seat).is_some_and(|count| count <= MOST_LISTED);
        update.legal = game.filter(few).and_then(|game| game.legal(seat));
    }

    /// The public's view and every seat's.
    fn full_update(&self, catch_up: bool) -> Told<G> {
        let seat_views = self.seat_views()?;
        self.update(Viewer::Public, |update| {
            update.seat_views = seat_views;
            update.owed = self.table.owed();
            update.moves.clone_from(&self.made.moves);
            update.catch_up = catch_up;
        })
    }

    /// What each seat sees; nothing before the start.
    pub(super) fn seat_views(&self) -> Result<Vec<G::View>, String> {
        let Some(game) = self.table.game() else { return Ok(Vec::new()) };
        let seats = Seat::all(self.table.seats());
        guarded(|| seats.map(|seat| game.view(Viewer::Seat(seat))).collect())
    }
}

impl<G: Game> Step<'_, G> {
    /// Tells everybody at a table but one.
    pub fn tell_others(&mut self, not: Option<ConnId>, event: &TableEvent<G>) {
        for conn in self.live.audience.all() {
            if Some(conn) != not {
                self.tell(conn, event.clone());
            }
        }
    }

    /// Tells everybody of the state of play, each as it may know it.
    pub fn tell_update(&mut self) -> Result<(), String> {
        let live = &*self.live;
        let mut told: Vec<(ConnId, Arc<Update<G>>)> = Vec::new();
        let mut first: Option<Arc<Update<G>>> = None;
        for (seat, attached) in live.audience.players() {
            let update = live.update(Viewer::Seat(seat), |update| {
                update.first.clone_from(&first);
                if let Some(introduction) = &attached.introduction {
                    live.tell_more(seat, introduction.legal, update);
                }
            });
            if let Some(update) = update? {
                first.get_or_insert_with(|| update.clone());
                told.push((attached.conn, update));
            }
        }
        if live.public().next().is_some()
            && let Some(update) = live.update(Viewer::Public, |_| ())?
        {
            told.extend(live.public().map(|conn| (conn, update.clone())));
        }
        if live.audience.watchers(Role::Organiser).next().is_some()
            && let Some(update) = live.full_update(false)?
        {
            let organisers = live.audience.watchers(Role::Organiser);
            told.extend(organisers.map(|conn| (conn, update.clone())));
        }
        let late = std::mem::take(&mut self.live.audience.late);
        for (conn, update) in told {
            if !late.contains(&conn) {
                self.tell(conn, TableEvent::Update(update));
            }
        }
        self.live.made.moves.clear();
        for conn in late {
            let seat = self.live.seat_of(conn);
            self.tell_position(conn, seat.map_or(Viewer::Public, Viewer::Seat));
        }
        Ok(())
    }

    /// Tells a latecomer where the game stands, and its end if it is over. While the last turn is
    /// held back it hears of it with all others.
    pub fn catch_up(&mut self, conn: ConnId, viewer: Viewer) {
        if self.live.is_held() {
            self.live.audience.late.insert(conn);
            return;
        }
        self.tell_position(conn, viewer);
        if let Some(over) = self.live.over_event() {
            self.tell(conn, over);
        }
    }

    fn tell_position(&mut self, conn: ConnId, viewer: Viewer) {
        let live = &*self.live;
        let introduction = live.audience.introduction(conn);
        let update = match viewer {
            Viewer::Public if live.audience.role_of(conn) == Some(Role::Organiser) => {
                live.full_update(true)
            }
            Viewer::Public if live.is_withheld() => return,
            viewer => live.update(viewer, |update| {
                update.catch_up = true;
                if let (Some(introduction), Some(seat)) = (introduction, viewer.seat()) {
                    live.tell_more(seat, introduction.legal, update);
                }
            }),
        };
        // A view that cannot be made closes its table when the next turn is told.
        if let Ok(Some(update)) = update {
            self.tell(conn, TableEvent::Update(update));
        }
    }

    /// Tells who has just moved, those who watch, and players who listen for it, who still owes a
    /// move of the turn, where that is no secret.
    pub fn tell_who_is_waited_for(&mut self, mover: Option<ConnId>) {
        let live = &*self.live;
        let owed = live.table.owed_as_seen(Viewer::Public);
        if owed.is_empty() {
            return;
        }
        let players = live.audience.players().filter(|(seat, _)| live.is_via_house(*seat));
        let players = players.map(|(_, attached)| attached.conn);
        let watchers = live.public().chain(live.audience.watchers(Role::Organiser));
        let others = players.chain(watchers).filter(|conn| Some(*conn) != mover);
        for conn in mover.into_iter().chain(others).collect::<Vec<_>>() {
            self.tell(conn, TableEvent::Waiting(owed));
        }
    }

    pub fn watch(&mut self, conn: ConnId, role: Role, asked: bool) {
        self.live.audience.watch(conn, role);
        if asked {
            let company = self.live.company.clone();
            let joined = Joined { company, seat: None, token: None, resumed: false };
            self.greet(conn, joined, true);
        }
        self.catch_up(conn, Viewer::Public);
    }

    /// Somebody wants to know what has happened before. It may know what it was told already, and
    /// that is in the records: whoever keeps them tells it.
    pub fn recall(&mut self, conn: ConnId, from: u64) {
        let live = &*self.live;
        let eyes = match (live.seat_of(conn), live.audience.role_of(conn)) {
            (Some(seat), _) => Eyes::Seat(seat),
            (None, Some(Role::Organiser)) => Eyes::All,
            (None, _) => Eyes::Public,
        };
        if live.table.game().is_none() {
            return self.refuse(conn, Refusal::NotStarted);
        }
        if live.table.closing().is_some() {
            return self.refuse(conn, Refusal::AlreadyOver);
        }
        if eyes == Eyes::Public && live.is_withheld() {
            return self.refuse(conn, Refusal::NotOver);
        }
        let until = live.shown_turn().seq;
        self.out.push(TableOutput::Recall { conn, eyes, from, until });
    }
}
