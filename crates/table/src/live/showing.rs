//! What may be shown of a game: everything that leaves it is made here, from views.

use std::sync::Arc;

use rules::any::{AnyState, AnyView};
use rules::{Seat, Viewer};

use crate::update::MOST_LISTED;
use crate::{Closing, Company, Eyes, MadeMove, Over, Table, TableEvent, Time, Update, guarded};

/// An update, unless there is none, or why it cannot be made.
pub(super) type Shown = Result<Option<Arc<Update>>, String>;

/// A table as it may be shown now.
pub(super) struct Showing<'a> {
    table: &'a Table,
    company: &'a Arc<Company>,
    /// The moves that led here.
    moves: &'a [MadeMove],
    /// When the turn expires, if any move is pending.
    deadline: Option<Time>,
}

impl<'a> Showing<'a> {
    pub fn new(
        table: &'a Table,
        company: &'a Arc<Company>,
        moves: &'a [MadeMove],
        deadline: Option<Time>,
    ) -> Showing<'a> {
        Showing { table, company, moves, deadline }
    }

    /// Whether those who watch are shown nothing yet.
    pub fn is_withheld(&self) -> bool {
        !self.table.shown().allows(Eyes::Public)
    }

    /// The state of play as the public may know it.
    pub fn public(&self, catch_up: bool) -> Shown {
        self.update(Viewer::Public, |update| update.catch_up = catch_up)
    }

    /// The state of play as a seat may know it. A seat that wants everything also gets its own
    /// moves and, on request, its legal ones.
    pub fn seat(&self, seat: Seat, legal: Option<bool>, more: impl FnOnce(&mut Update)) -> Shown {
        self.update(Viewer::Seat(seat), |update| {
            more(update);
            if let Some(legal) = legal {
                self.tell_more(seat, legal, update);
            }
        })
    }

    /// The public's view and every seat's.
    pub fn full(&self, catch_up: bool) -> Shown {
        let seat_views = self.seat_views()?;
        self.update(Viewer::Public, |update| {
            update.seat_views = seat_views;
            update.owed = self.table.owed();
            update.moves = self.moves.to_vec();
            update.catch_up = catch_up;
        })
    }

    /// The message about the end, once there is one.
    pub fn over(&self) -> Option<TableEvent> {
        let closing = self.table.closing().cloned()?;
        let last_views = match closing {
            // A view that cannot be made may be why the table is closed.
            Closing::Void(_) => self.seat_views().unwrap_or_default(),
            Closing::Over(_) => Vec::new(),
        };
        let company = self.company.clone();
        Some(TableEvent::Over(Arc::new(Over { company, closing, last_views })))
    }

    /// The state of play as `viewer` may know it, with what else is to be said; none before the
    /// start.
    fn update(&self, viewer: Viewer, more: impl FnOnce(&mut Update)) -> Shown {
        let Some(game) = self.table.game() else { return Ok(None) };
        // It is made where it stays: views are large.
        let update = guarded(|| {
            let mut update = Update::new(self.table.seq(), game.view(viewer), self.company.clone());
            update.viewer = viewer;
            update.owed = self.table.owed_as_seen(viewer);
            update.owes = viewer.seat().is_some_and(|seat| update.owed.contains(seat));
            update.deadline = self.deadline.filter(|_| !self.table.owed().is_empty());
            update.turn_ms = self.table.policy().turn_ms;
            more(&mut update);
            Arc::new(update)
        });
        update.map(Some)
    }

    /// Extra information for a seat that wants everything.
    fn tell_more(&self, seat: Seat, legal: bool, update: &mut Update) {
        let own = self.moves.iter().filter(|made| made.seat == seat);
        update.moves = own.cloned().collect();
        let legal = legal && !self.table.policy().hides_legal;
        let game = self.table.game().filter(|_| legal && update.owes);
        let few =
            |game: &&AnyState| game.legal_at_most(seat).is_some_and(|count| count <= MOST_LISTED);
        update.legal = game.filter(few).and_then(|game| game.legal(seat));
    }

    /// Each seat's view; empty before the start.
    fn seat_views(&self) -> Result<Vec<AnyView>, String> {
        let Some(game) = self.table.game() else { return Ok(Vec::new()) };
        let seats = Seat::all(self.table.seats());
        guarded(|| seats.map(|seat| game.view(Viewer::Seat(seat))).collect())
    }
}
