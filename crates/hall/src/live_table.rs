//! What surrounds a table and is not part of it: who is present, who watches, the clocks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use rules::{Bot, Game, Seat, SeatSet, Viewer};

use crate::Hall;
use crate::clocks::Clocks;
use crate::speech::Event;
use table::{
    Company, ConnId, Member, MovesMade, Name, Phase, Policy, Recorded, Rendering, Start, Table,
    TableInfo, TableNo, TableRecord, Time, Update, guarded,
};

/// A seat with more legal actions than this is not told them.
const MOST_LISTED: usize = 4096;

/// An update, unless there is none, or why it cannot be made.
type Told<G> = Result<Option<Arc<Update<G>>>, String>;

pub(crate) struct LiveTable<G: Game> {
    pub table: Table<G>,
    /// The connection of each seat's player, while it is here.
    pub present: Vec<Option<ConnId>>,
    pub watchers: BTreeSet<ConnId>,
    pub organisers: BTreeSet<ConnId>,
    pub clocks: Clocks,
    /// The turn that was told last, and when: the next one is told in its pace.
    pub told: (u64, Time),
    /// Those who came after the turn was resolved and before it is told.
    pub late: BTreeSet<ConnId>,
    /// The deadline under which the hall's index knows this table.
    pub armed: Option<Time>,
    pub company: Arc<Company>,
    pub bots: BTreeMap<Seat, Box<dyn Bot<G>>>,
    /// Everything that was recorded, for who asks what happened before.
    pub recorded: Recorded<G>,
    /// The moves since the last update, where somebody is told of them.
    pub made: MovesMade<G>,
    /// Seats of a game of a tournament whose players' programs ended before it began: nobody waits
    /// for them. After a restart they have the time that everybody has to come.
    pub crashed: SeatSet,
    /// Something of the game's own code failed, and the table is closed for it.
    pub broken: bool,
    /// Closed and forgotten by the hall, once the last conn has gone.
    pub outdated: bool,
    /// Seats whose players may not have heard the end: the table was over before a restart.
    pub untold: SeatSet,
    /// What lists show of it, as it was after the last input.
    pub card: Option<Arc<TableInfo>>,
}

impl<G: Game> LiveTable<G> {
    pub fn new(table: Table<G>) -> LiveTable<G> {
        let seats = table.seats();
        let company = Company::default();
        let mut live = LiveTable {
            table,
            present: vec![None; seats],
            watchers: BTreeSet::new(),
            organisers: BTreeSet::new(),
            clocks: Clocks { away: vec![None; seats], ..Clocks::default() },
            told: (0, Time(0)),
            late: BTreeSet::new(),
            armed: None,
            company: Arc::new(company),
            bots: BTreeMap::new(),
            recorded: Recorded::default(),
            made: MovesMade::default(),
            crashed: SeatSet::EMPTY,
            broken: false,
            outdated: false,
            untold: SeatSet::EMPTY,
            card: None,
        };
        live.refresh_company();
        live
    }

    pub fn policy(&self) -> &Policy {
        &self.table.opened().terms.policy
    }

    pub fn phase(&self) -> Phase {
        self.table.phase()
    }

    pub fn changes_company(record: &TableRecord<G>) -> bool {
        !matches!(record, TableRecord::Moved { .. } | TableRecord::Ready { .. })
    }

    pub fn refresh_company(&mut self) {
        let member = |seat: Seat| {
            let chair = self.table.chair(seat)?;
            let present = chair.bot.is_some() || self.present[seat.index()].is_some();
            Some(Member { present, ..Member::of(chair) })
        };
        let seats = Seat::all(self.table.seats()).map(member).collect();
        let (table, facts) = (self.table.opened().id.clone(), self.table.facts());
        self.company = Arc::new(Company { table, seats, facts });
    }

    /// Everybody here: seated players and those who watch.
    pub fn audience(&self) -> Vec<ConnId> {
        let seated = self.present.iter().flatten();
        seated.chain(&self.watchers).chain(&self.organisers).copied().collect()
    }

    pub fn is_deserted(&self) -> bool {
        self.present.iter().all(Option::is_none)
            && self.watchers.is_empty()
            && self.organisers.is_empty()
    }

    pub fn info(&self) -> TableInfo {
        let table = &self.table;
        TableInfo {
            id: table.opened().id.clone(),
            status: table.status(),
            players: self.company.count(),
            seats: table.seats(),
            company: self.company.clone(),
            reserved: table.opened().reserved.clone(),
            seq: if self.is_held() { self.told.0 } else { table.seq() },
            owed: match self.is_held() {
                true => SeatSet::EMPTY,
                false => self.table.owed_as_seen(Viewer::Public),
            },
            spectators: self.watchers.len() + self.organisers.len(),
            opened_at: table.opened().at,
            closing: table.closing().cloned(),
            house: table.opened().house,
            game_ref: table.opened().game_ref.clone(),
            rendering: Rendering::default(),
        }
    }

    /// The state of play as `viewer` may know it, with what else is to be said; none before the
    /// start.
    pub fn update(&self, viewer: Viewer, more: impl FnOnce(&mut Update<G>)) -> Told<G> {
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
    pub fn tell_more(&self, seat: Seat, legal: bool, update: &mut Update<G>) {
        let own = self.made.moves.iter().filter(|made| made.seat == seat);
        update.moves = own.cloned().collect();
        let legal = legal && !self.policy().hides_legal;
        let game = self.table.game().filter(|_| legal && update.owes);
        let few = |game: &&G| game.legal_at_most(seat).is_some_and(|count| count <= MOST_LISTED);
        update.legal = game.filter(few).and_then(|game| game.legal(seat));
    }

    /// A record that is about to be folded in.
    pub fn note(&mut self, record: &Arc<TableRecord<G>>, at: Time) {
        let told = !self.organisers.is_empty()
            || self.table.seated().any(|(_, chair)| chair.is_via_house());
        if told {
            self.made.note(record, at, &self.table);
        }
        self.recorded.push(record.clone(), at);
    }

    /// The public's view and every seat's.
    pub fn full_update(&self, catch_up: bool) -> Told<G> {
        let seat_views = self.seat_views()?;
        self.update(Viewer::Public, |update| {
            update.seat_views = seat_views;
            update.owed = self.table.owed();
            update.moves.clone_from(&self.made.moves);
            update.catch_up = catch_up;
        })
    }

    /// What each seat sees; nothing before the start.
    pub fn seat_views(&self) -> Result<Vec<G::View>, String> {
        let Some(game) = self.table.game() else { return Ok(Vec::new()) };
        let seats = Seat::all(self.table.seats());
        guarded(|| seats.map(|seat| game.view(Viewer::Seat(seat))).collect())
    }

    /// Whether the turn that was resolved last is not to be told yet.
    pub fn is_held(&self) -> bool {
        self.clocks.pace.is_some()
    }

    /// Whether the player of a seat is neither here nor represented by a house bot.
    pub fn is_away(&self, seat: Seat) -> bool {
        self.present[seat.index()].is_none() && self.bot(seat).is_none()
    }

    /// Whether house bots may take a seat. A table with all the seats there can be has no size to
    /// be filled up to: bots come until it can begin.
    pub fn has_room_for_bots(&self) -> bool {
        let boundless = self.table.seats() == Seat::MAX;
        let can_begin = match self.policy().start {
            Start::WhenGathered { min, .. } => self.table.seated().count() >= min,
            Start::WhenFull { .. } | Start::OnCall { .. } => false,
        };
        self.table.open_seats() > 0 && !(boundless && can_begin)
    }

    /// The strategy that plays this seat, if a house bot does.
    pub fn bot(&self, seat: Seat) -> Option<&Name> {
        self.table.chair(seat)?.bot.as_ref()
    }
}

impl<G: Game> fmt::Debug for LiveTable<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveTable")
            .field("table", &self.table)
            .field("present", &self.present)
            .field("clocks", &self.clocks)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Hall<G> {
    /// Tells everybody at a table but one.
    pub(crate) fn tell_others(&mut self, no: TableNo, not: Option<ConnId>, event: &Event<G>) {
        for conn in self.live(no).audience() {
            if Some(conn) != not {
                self.tell(conn, event.clone());
            }
        }
    }
}
