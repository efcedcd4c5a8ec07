//! A gateway follows the tables at which its connections are: it is told who sits there once, and of what
//! happens the records, which are short. What somebody sees of it, which is long, it makes itself.

use std::collections::HashMap;
use std::sync::Arc;

use hall::{
    Company, ConnId, Event, MadeMove, Over, Table, TableNo, TableRecord, Time, Update, guarded,
};
use rules::any::{AnyActions, AnyView};
use rules::{Seat, Viewer};
use serde::{Deserialize, Serialize};

use super::companies::Companies;

/// An update without what whoever follows the table knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BareUpdate {
    viewer: Viewer,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deadline: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    legal: Option<AnyActions>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MadeMove>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    catch_up: bool,
}

/// Who plays at a table, and where.
pub type Players = Vec<(ConnId, Seat)>;

impl BareUpdate {
    /// Of a player whom nothing is told but a new turn.
    pub fn of_turn(seat: Seat, deadline: Option<Time>) -> BareUpdate {
        let (viewer, legal, moves) = (Viewer::Seat(seat), None, Vec::new());
        BareUpdate { viewer, deadline, legal, moves, catch_up: false }
    }

    /// Whose update it is, if it is [`of_turn`](BareUpdate::of_turn).
    pub fn is_of_turn(update: &Update) -> Option<Seat> {
        let is_more = update.legal.is_some()
            || update.catch_up
            || !(update.moves.is_empty() && update.seat_views.is_empty());
        update.viewer.seat().filter(|_| !is_more)
    }

    /// None: it shows more than one view.
    pub fn of(update: &Update) -> Option<BareUpdate> {
        update.seat_views.is_empty().then(|| BareUpdate {
            viewer: update.viewer,
            deadline: update.deadline,
            legal: update.legal.clone(),
            moves: update.moves.clone(),
            catch_up: update.catch_up,
        })
    }

    /// The update, of a table as it stands now.
    fn at(self, table: &Table, view: AnyView, company: Arc<Company>) -> Update {
        let mut update = Update::new(table.seq(), view, company);
        update.viewer = self.viewer;
        update.owed = table.owed_as_seen(self.viewer);
        update.owes = self.viewer.seat().is_some_and(|seat| update.owed.contains(seat));
        update.turn_ms = table.policy().turn_ms;
        update.deadline = self.deadline;
        (update.legal, update.moves) = (self.legal, self.moves);
        update.catch_up = self.catch_up;
        update
    }
}

/// The tables that a gateway follows.
pub struct Following {
    tables: HashMap<TableNo, Table>,
    /// The connections that play at them.
    players: HashMap<TableNo, Players>,
    /// Those that are over since the last frame.
    over: Vec<TableNo>,
    companies: Companies,
    /// The first that was told a player since something has happened, and where.
    first: Option<(TableNo, Arc<Update>)>,
    /// Clocks were put off by this much since what is told now was said.
    late_ms: u64,
}

impl Default for Following {
    fn default() -> Following {
        let (tables, players, over) = (HashMap::new(), HashMap::new(), Vec::new());
        let companies = Companies::default();
        Following { tables, players, over, companies, first: None, late_ms: 0 }
    }
}

impl Following {
    /// Another owner tells everything afresh.
    pub fn clear(&mut self) {
        *self = Following { late_ms: self.late_ms, ..Following::default() };
    }

    /// What is told from now on was said by an owner that was lost, and clocks were put off since.
    pub fn put_off(&mut self, late_ms: u64) {
        self.late_ms = late_ms;
    }

    pub fn meet(&mut self, company: &Arc<Company>) {
        self.companies.learn(company);
    }

    /// Follows a table from now on, by all that has happened there.
    pub fn begin(&mut self, no: TableNo, records: &[Arc<TableRecord>]) {
        let Some((TableRecord::Opened(opened), later)) =
            records.split_first().map(|(first, later)| (&**first, later))
        else {
            return;
        };
        self.tables.insert(no, Table::new(opened.clone()));
        later.iter().for_each(|record| self.apply(no, record));
    }

    /// Something has happened at a table.
    pub fn apply(&mut self, no: TableNo, record: &TableRecord) {
        self.first = None;
        if let Some(table) = self.tables.get_mut(&no) {
            table.apply(record);
            self.over.extend(table.closing().map(|_| no));
        }
    }

    /// All of a frame was heard: what is over is followed no more.
    pub fn end_frame(&mut self) {
        for no in self.over.drain(..) {
            self.tables.remove(&no);
            self.players.remove(&no);
        }
    }

    /// These play at a table.
    pub fn play(&mut self, no: TableNo, players: Players) {
        self.players.insert(no, players);
    }

    /// What all who play at a table see of it now that a turn has begun. None: it is not followed.
    pub fn turn(
        &mut self,
        no: TableNo,
        deadline: Option<Time>,
    ) -> Vec<(ConnId, Option<Arc<Update>>)> {
        let players = self.players.get(&no).cloned().unwrap_or_default();
        let see = |(conn, seat)| (conn, self.see(no, BareUpdate::of_turn(seat, deadline)));
        players.into_iter().map(see).collect()
    }

    /// What somebody sees of a table as it is now. None: it is not followed.
    pub fn see(&mut self, no: TableNo, mut bare: BareUpdate) -> Option<Arc<Update>> {
        bare.deadline = bare.deadline.map(|deadline| deadline + self.late_ms);
        let table = self.tables.get(&no)?;
        let company = self.companies.get(&table.opened().id)?.clone();
        let game = table.game()?;
        // The owner has made it without a fault.
        let view = guarded(|| game.view(bare.viewer)).ok()?;
        let is_turn = bare.viewer != Viewer::Public && !bare.catch_up;
        let mut update = bare.at(table, view, company);
        if let Some((_, first)) = self.first.as_ref().filter(|(of, _)| is_turn && *of == no) {
            update.first = Some(first.clone());
        }
        let update = Arc::new(update);
        if is_turn && update.first.is_none() {
            self.first = Some((no, update.clone()));
        }
        Some(update)
    }

    /// The end of the game at a table that is over since the last frame. None: it is not followed.
    pub fn over(&self, no: TableNo) -> Option<Event> {
        let table = self.tables.get(&no)?;
        let company = self.companies.get(&table.opened().id)?.clone();
        let (closing, last_views) = (table.closing()?.clone(), Vec::new());
        Some(Event::Over(Arc::new(Over { company, closing, last_views })))
    }

    /// An event that has come without the company, with it. None: nobody knows it any more.
    pub fn complete(&self, event: Event) -> Option<Event> {
        let mut event = self.companies.complete(event)?;
        // It has just come, so nobody else has it.
        if let Event::Update(update) = &mut event
            && let Some(update) = Arc::get_mut(update)
        {
            update.deadline = update.deadline.map(|deadline| deadline + self.late_ms);
        }
        Some(event)
    }
}
