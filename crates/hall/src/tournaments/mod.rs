//! Tournaments in the hall.
//!
//! A [`TournamentState`] is to a tournament what a table is to a game: the fold of its records and
//! nothing else. A [`LiveTournament`] surrounds it as a live table surrounds a table: which tables
//! it has, who waits for a game. Who speaks for which entrant is a matter of [`Places`], and which
//! token is for what of [`Tickets`].
//!
//! ```text
//! Convened ──Entered…──▶ Started ──▶ games due ──▶ tables ──Closed──▶ Played ──┐
//!                                        ▲                                     │
//!                                        └─────────────────────────────────────┘
//! ```
//!
//! Whatever happens to a tournament stirs it; when the input is handled, the steward
//! [minds](Steward::mind) it: withdraws who keeps missing, closes tables that are not due
//! any more, opens those that are, starts those that are complete, notifies entrants, and ends it.
//! So a result, a withdrawal and a restart need no code of their own. The [`Steward`] goes between
//! tournaments and the lobby: it asks for tables by a value ([`NewGame`](crate::lobby::NewGame)) and
//! receives results as values ([`Ended`](crate::whereabouts::Ended)).

mod due_games;
mod entrants;
mod guests;
mod keeping;
mod ladders;
mod names;
mod orders;
mod places;
mod showing;
mod steward;
#[cfg(test)]
mod tests;
mod tickets;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use rules::Seat;
use table::{ConnId, Dismissal, Name, Refusal, Table, TableNo, Time, TokenHash, TournamentNo};
use tournament::{DueGame, EntrantId, Fact};

use crate::contest::{
    Convened, EntrantKey, GameKey, NewEntrant, NewTournament, Order, TournamentInfo,
    TournamentRecord, TournamentState,
};
use crate::desk::Desk;
use crate::{Decided, Enrolled, Event, Listing, Paired, naming};

use guests::Guests;
use places::Places;
use tickets::Tickets;

pub(crate) use keeping::keep_all_names;
pub(crate) use steward::Steward;

/// Number of finished tournaments to keep.
const CLOSED_KEPT: usize = 100;

#[derive(Debug)]
pub(crate) struct LiveTournament {
    pub state: TournamentState,
    /// The table of each game that is due.
    pub tables: BTreeMap<GameKey, TableNo>,
    /// The last round whose byes were announced.
    pub byes_told: u32,
    /// A ladder's entrants who wait for a game, and since when.
    pub queue: BTreeMap<EntrantId, Time>,
    /// A ladder is looked at again then.
    pub look_again: Option<Time>,
    /// How many records it has in the journal.
    pub records: usize,
}

impl LiveTournament {
    fn new(state: TournamentState) -> LiveTournament {
        LiveTournament {
            state,
            tables: BTreeMap::new(),
            byes_told: 0,
            queue: BTreeMap::new(),
            look_again: None,
            records: 0,
        }
    }

    /// The table of an entrant's game that is due.
    fn table_of(&self, entrant: &str) -> Option<TableNo> {
        let tournament = &self.state.tournament;
        let due = tournament.open_game_of(tournament.find(entrant)?)?;
        self.tables.get(&due_games::key(due)).copied()
    }
}

/// All tournaments of a hall, and the ways to find them.
#[derive(Debug)]
pub(crate) struct Tournaments {
    live: BTreeMap<TournamentNo, LiveTournament>,
    ids: BTreeMap<Name, TournamentNo>,
    tickets: Tickets,
    places: Places,
    guests: Guests,
    /// Something has happened to these.
    stirred: BTreeSet<TournamentNo>,
    /// These could not open a table: the hall was full, or nothing new was to begin.
    crowded: BTreeSet<TournamentNo>,
    /// Over and still remembered, the oldest first.
    closed: VecDeque<TournamentNo>,
    pub next: u64,
}

impl Default for Tournaments {
    fn default() -> Tournaments {
        Tournaments {
            live: BTreeMap::new(),
            ids: BTreeMap::new(),
            tickets: Tickets::default(),
            places: Places::default(),
            guests: Guests::default(),
            stirred: BTreeSet::new(),
            crowded: BTreeSet::new(),
            closed: VecDeque::new(),
            next: 1,
        }
    }
}

impl Tournaments {
    pub fn insert(&mut self, no: TournamentNo, state: TournamentState) {
        self.next = self.next.max(no.0 + 1);
        // A cancelled tournament's id may have gone to a later one.
        let holder = self.ids.entry(state.convened.id.clone()).or_insert(no);
        *holder = no.max(*holder);
        self.tickets.take_up(no, &state);
        match state.closed {
            true => self.closed.push_back(no),
            false => _ = self.stirred.insert(no),
        }
        self.live.insert(no, LiveTournament::new(state));
    }

    pub fn get(&self, no: TournamentNo) -> Option<&LiveTournament> {
        self.live.get(&no)
    }

    pub fn live(&self, no: TournamentNo) -> &LiveTournament {
        self.live.get(&no).expect("a number in use names a tournament")
    }

    fn live_mut(&mut self, no: TournamentNo) -> &mut LiveTournament {
        self.live.get_mut(&no).expect("a number in use names a tournament")
    }

    /// The tournament of this id.
    pub fn called(&self, id: &str) -> Option<TournamentNo> {
        self.ids.get(id).copied()
    }

    /// The tables of the games that are due.
    pub fn tables_of(&self, no: TournamentNo) -> impl Iterator<Item = TableNo> {
        self.live(no).tables.values().copied()
    }

    /// Folds a record in. Everything that may happen was checked before.
    fn fold_in(&mut self, no: TournamentNo, record: &TournamentRecord) {
        let live = self.live.get_mut(&no).expect("a number in use names a tournament");
        live.records += 1;
        // Without an end, tokens that are for nothing any more would pile up.
        if let TournamentRecord::Claimed { entrant, .. } = record
            && live.state.tournament.ladder().is_some()
            && let Some(old) = live.state.claims.get(entrant)
        {
            self.tickets.void_claim(old);
        }
        let applied = live.state.apply(record);
        applied.expect("a fact is checked before it is written down");
        self.tickets.note(no, record);
    }

    fn check(&self, no: TournamentNo, fact: &Fact) -> Result<(), Refusal> {
        let tournament = &self.live(no).state.tournament;
        tournament.check(fact).map_err(|why| Refusal::BadTable(why.to_string()))
    }

    /// Such as `spicy-salmon`.
    fn make_title(&self, desk: &mut Desk) -> Name {
        loop {
            for make in [naming::title, naming::words] {
                let title: Name = make(&mut desk.dice).into();
                if !self.ids.contains_key(&title) {
                    return title;
                }
            }
        }
    }

    /// The place this token is for; an entrant's older tokens are void.
    pub fn claim(&self, token: &TokenHash) -> Option<(TournamentNo, Name)> {
        let (no, entrant) = self.tickets.place(token)?;
        let valid = self.live(*no).state.claims.get(entrant) == Some(token);
        valid.then(|| (*no, entrant.clone()))
    }

    /// The place in an unfinished tournament that goes with a seat.
    pub fn place_of(&self, table: &Table, seat: Seat) -> Option<(TournamentNo, Name)> {
        let no = table.opened().game_ref.as_ref()?.tournament;
        let state = self.get(no).map(|live| &live.state).filter(|state| !state.closed)?;
        let name = &table.chair(seat)?.name;
        let mut claimed = state.claims.keys().filter(|name| state.tournament.find(name).is_some());
        let entrant = claimed.find(|entrant| state.table_name(entrant) == *name)?;
        Some((no, entrant.clone()))
    }

    /// The conn speaks for the entrant from now on.
    pub fn take_place(&mut self, desk: &mut Desk, conn: ConnId, no: TournamentNo, entrant: Name) {
        self.give_up_place(desk, conn);
        desk.listed.push(Listing::Attends(no, entrant.clone(), true));
        let older = self.places.take(conn, no, entrant);
        self.stir_ladder(no);
        if let Some(older) = older {
            desk.tell(older, Event::Dismissed(Dismissal::Replaced));
        }
    }

    /// Whether a connection speaks for an entrant.
    pub fn attends(&self, no: TournamentNo, entrant: &str) -> bool {
        self.places.conn_of(no, entrant).is_some()
    }

    /// The place that a conn has.
    pub fn place(&self, conn: ConnId) -> Option<&(TournamentNo, Name)> {
        self.places.of(conn)
    }

    /// A conn has the place that it had with an earlier owner. False: there is none.
    pub fn take_up_place(&mut self, conn: ConnId, no: TournamentNo, entrant: &Name) -> bool {
        let known = self.live.contains_key(&no);
        if known {
            self.places.take(conn, no, entrant.clone());
        }
        known
    }

    /// An earlier owner has announced the byes of the running rounds.
    pub fn take_up_byes(&mut self) {
        for live in self.live.values_mut() {
            live.byes_told = live.state.tournament.round();
        }
    }

    pub fn give_up_place(&mut self, desk: &mut Desk, conn: ConnId) {
        if let Some((no, entrant)) = self.places.give_up(conn) {
            if self.live(no).state.is_guest(&entrant) {
                self.guests.left(no, entrant.clone(), desk.now + guests::KEPT_MS);
            }
            desk.listed.push(Listing::Attends(no, entrant, false));
        }
    }

    fn enrolled(&self, no: TournamentNo, name: Name, token: Option<String>) -> Enrolled {
        let state = &self.live(no).state;
        Enrolled {
            tournament: state.convened.id.clone(),
            name,
            entrants: state.tournament.entrants().len(),
            max_entrants: state.convened.plan.max_entrants,
            token,
        }
    }

    fn tell_entrants(&self, desk: &mut Desk, no: TournamentNo, not: ConnId, event: &Event) {
        for conn in self.places.conns(no).filter(|conn| *conn != not) {
            desk.tell(conn, event.clone());
        }
    }

    /// Sends an entrant their opponents and the secret to sit down with.
    fn tell_game(
        &self,
        desk: &mut Desk,
        conn: ConnId,
        no: TournamentNo,
        entrant: &str,
        (due, token): (&DueGame, String),
    ) {
        let state = &self.live(no).state;
        let tournament = &state.tournament;
        let others = due.seats.iter().map(|id| &*tournament.entrant(*id).name);
        let others = others.filter(|name| *name != entrant);
        let others: Vec<Name> = others.map(|name| state.table_name(name)).collect();
        let paired = Paired {
            tournament: state.convened.id.clone(),
            round: tournament.find_pairing(due.pairing).map_or(0, |pairing| pairing.round),
            game: Some((others, token)),
        };
        desk.tell(conn, Event::Paired(Arc::new(paired)));
    }

    /// Notifies the entrants with a bye in the new round.
    fn tell_byes(&mut self, desk: &mut Desk, no: TournamentNo) {
        let live = self.live_mut(no);
        let round = live.state.tournament.round();
        if live.state.closed || live.byes_told >= round {
            return;
        }
        live.byes_told = round;
        let live = self.live(no);
        let tournament = &live.state.tournament;
        for entrant in tournament.byes(round) {
            if let Some(conn) = self.places.conn_of(no, &tournament.entrant(entrant).name) {
                self.tell_bye(desk, conn, no, round);
            }
        }
    }

    fn tell_bye(&self, desk: &mut Desk, conn: ConnId, no: TournamentNo, round: u32) {
        let tournament = self.live(no).state.convened.id.clone();
        desk.tell(conn, Event::Paired(Arc::new(Paired { tournament, round, game: None })));
    }

    /// The holder of a token for a finished tournament gets its result.
    pub fn tell_if_decided(&self, desk: &mut Desk, conn: ConnId, no: TournamentNo) {
        if self.get(no).is_some_and(|live| live.state.closed) {
            desk.tell(conn, self.decided(no));
        }
    }

    fn decided(&self, no: TournamentNo) -> Event {
        let state = &self.live(no).state;
        let winner = state.tournament.winner();
        let winner =
            winner.map(|id: EntrantId| state.table_name(&state.tournament.entrant(id).name));
        let tournament = state.convened.id.clone();
        Event::Decided(Arc::new(Decided { tournament, winner }))
    }

    /// A tournament is over, and the oldest that is remembered may be one too many.
    fn retire(&mut self, desk: &mut Desk, no: TournamentNo) {
        self.closed.push_back(no);
        if self.closed.len() > CLOSED_KEPT {
            let oldest = self.closed.pop_front().expect("just pushed");
            self.forget(desk, oldest);
        }
    }

    /// Forgets a tournament that is over before it is the oldest of them.
    fn drop_closed(&mut self, desk: &mut Desk, no: TournamentNo) {
        self.closed.retain(|closed| *closed != no);
        self.forget(desk, no);
    }

    /// There may be room for tables that could not be opened.
    pub fn try_again(&mut self) {
        self.stirred.append(&mut self.crowded);
    }

    fn forget(&mut self, desk: &mut Desk, no: TournamentNo) {
        let Some(live) = self.live.remove(&no) else { return };
        desk.listed.push(Listing::TournamentForgotten(no));
        let id = &live.state.convened.id;
        if self.ids.get(id) == Some(&no) {
            self.ids.remove(id);
        }
        self.crowded.remove(&no);
        self.tickets.forget(no);
        self.places.forget(no);
        self.guests.forget(no);
    }
}
