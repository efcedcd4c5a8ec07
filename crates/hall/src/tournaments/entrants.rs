//! Entrants: taking a place, coming back to it, sitting down to a game, waiting for one.

use std::sync::Arc;

use rules::{Game, Seat};
use tournament::{Fact, TournamentPhase};

use super::Waiting;
use super::due_games::key;
use super::record::TournamentRecord;
use crate::Hall;
use crate::joining::Greeting;
use crate::lists::Listing;
use crate::naming;
use crate::speech::{Answer, Enrolled, Event};
use table::{
    ConnId, Dismissal, Name, Names, Phase, Refusal, Table, TableNo, TokenHash, TournamentNo,
};

/// An entrant who plays under its name alone, as it comes to the hall.
pub(crate) enum Expected {
    /// Another connection uses the name, and keeps it.
    Here,
    Now((TableNo, Seat)),
    /// When its table is due.
    Later,
}

impl<G: Game> Hall<G> {
    pub(crate) fn enrol(&mut self, conn: ConnId, tournament: &Name, name: Name) {
        match self.may_enrol(conn, tournament, &name) {
            Err(refusal) => self.refuse(conn, refusal),
            Ok((no, known)) => {
                let new = known.is_none();
                if new
                    && let Err(refusal) =
                        self.fact(no, Fact::Entered { name: name.to_string(), bot: None })
                {
                    return self.refuse(conn, refusal);
                }
                let name = known.unwrap_or(name);
                let token = naming::token(&mut self.dice);
                let claim = TokenHash::of(&token);
                self.record_tournament(
                    no,
                    TournamentRecord::Claimed { entrant: name.clone(), token: claim },
                );
                self.take_place(conn, no, name.clone());
                let enrolled = self.enrolled(no, name.clone(), Some(token));
                let entered = Event::Entered(Arc::new(enrolled.entered()));
                self.answer(conn, Answer::Enrolled(Box::new(enrolled)));
                if new {
                    self.tell_entrants(no, conn, &entered);
                }
                self.tell_where_it_stands(conn, no, &name);
                self.start_if_full(no);
            }
        }
    }

    /// The tournament, and the entrant who goes by this name; none: the name is new there.
    fn may_enrol(
        &self,
        conn: ConnId,
        tournament: &Name,
        name: &Name,
    ) -> Result<(TournamentNo, Option<Name>), Refusal> {
        let no = self.tournaments.ids.get(tournament).copied().ok_or(Refusal::NoSuchTable)?;
        if self.terms.policy.names == Names::UniqueInHall {
            // Its name is what a player comes back by here, and nobody else can have it.
            return Err(Refusal::NotEntered);
        }
        let live_tournament = self.live_tournament(no);
        let state = &live_tournament.state;
        let elsewhere = self.visitors.get(&conn).and_then(|visitor| visitor.entrant.as_ref());
        let elsewhere = elsewhere.is_some_and(|(no, entrant)| {
            let state = &self.live_tournament(*no).state;
            !state.closed && state.tournament.find(entrant).is_some()
        });
        let waits = self.visitors.get(&conn).is_some_and(|visitor| visitor.awaits.is_some());
        if self.plays(conn) || waits || elsewhere {
            return Err(Refusal::AlreadySeated);
        }
        if state.is_over() {
            return Err(Refusal::AlreadyOver);
        }
        let entering = state.tournament.phase() == TournamentPhase::Entering;
        if let Some(entrant) = state.entrant_called(name) {
            let own_name = Name::from(&*entrant.name);
            let claimed = state.claims.contains_key(&own_name);
            // Before the start, whoever has lost its token comes back by its name.
            let free = !claimed || entering && !live_tournament.present.contains_key(&own_name);
            // Whoever sits at a table under the name, or waits for one, was first.
            let table_name = state.table_name(&own_name);
            let mut tables = live_tournament.tables.values();
            let free = free
                && !self.tournaments.waiting.contains_key(&table_name)
                && !tables.any(|table| self.is_here(self.live(*table), &table_name));
            return match free && entrant.bot.is_none() && !entrant.withdrawn {
                true => Ok((no, Some(own_name))),
                false if entering => Err(Refusal::NameTaken(name.clone())),
                // Its own player may have lost its connection: what helps it is its token.
                false => Err(Refusal::AlreadyStarted),
            };
        }
        if !entering {
            return Err(Refusal::AlreadyStarted);
        }
        if !state.convened.open {
            return Err(Refusal::NotEntered);
        }
        if state.tournament.entrants().len() >= state.convened.plan.max_entrants {
            return Err(Refusal::TableFull);
        }
        Ok((no, None))
    }

    /// Who has entered a tournament that has not begun goes out of it again. False: nobody has.
    pub(crate) fn withdraw_before_start(&mut self, conn: ConnId) -> bool {
        let place = self.visitors.get(&conn).and_then(|visitor| visitor.entrant.clone());
        let Some((no, entrant)) = place else { return false };
        if self.live_tournament(no).state.tournament.phase() != TournamentPhase::Entering {
            return false;
        }
        // The organiser may have struck it off before.
        let withdrawn = Fact::Withdrawn { name: entrant.to_string(), why: None };
        let withdrawn = self.fact(no, withdrawn).is_ok();
        if withdrawn {
            self.give_up_place(conn);
        }
        withdrawn
    }

    pub(super) fn start_if_full(&mut self, no: TournamentNo) {
        let state = &self.live_tournament(no).state;
        let full = state.tournament.entrants().len() >= state.convened.plan.max_entrants;
        if full
            && state.convened.starts_when_full
            && state.tournament.phase() == TournamentPhase::Entering
        {
            // A full tournament can start.
            let told = self.fact(no, Fact::Started);
            debug_assert_eq!(told, Ok(()));
        }
    }

    fn enrolled(&self, no: TournamentNo, name: Name, token: Option<String>) -> Enrolled {
        let state = &self.live_tournament(no).state;
        Enrolled {
            tournament: state.convened.id.clone(),
            name,
            entrants: state.tournament.entrants().len(),
            max_entrants: state.convened.plan.max_entrants,
            token,
        }
    }

    pub(super) fn tell_entrants(&mut self, no: TournamentNo, not: ConnId, event: &Event<G>) {
        let present: Vec<ConnId> = self.live_tournament(no).present.values().copied().collect();
        for conn in present.into_iter().filter(|conn| *conn != not) {
            self.tell(conn, event.clone());
        }
    }

    /// The conn speaks for the entrant from now on.
    pub(crate) fn take_place(&mut self, conn: ConnId, no: TournamentNo, entrant: Name) {
        self.give_up_place(conn);
        let older = self.live_tournament_mut(no).present.insert(entrant.clone(), conn);
        self.listed.push(Listing::Attends(no, entrant.clone(), true));
        self.visitors.entry(conn).or_default().entrant = Some((no, entrant));
        if let Some(older) = older.filter(|older| *older != conn) {
            self.visitors.entry(older).or_default().entrant = None;
            self.tell(older, Event::Dismissed(Dismissal::Replaced));
        }
    }

    /// Whose place this token is for; an entrant's older tokens are for none.
    pub(crate) fn claim(&self, token: &TokenHash) -> Option<(TournamentNo, Name)> {
        let (no, entrant) = self.tournaments.claims.get(token)?;
        let valid = self.live_tournament(*no).state.claims.get(entrant) == Some(token);
        valid.then(|| (*no, entrant.clone()))
    }

    pub(crate) fn give_up_place(&mut self, conn: ConnId) {
        let place = self.visitors.get_mut(&conn).and_then(|visitor| visitor.entrant.take());
        let Some((no, entrant)) = place else { return };
        if let Some(live_tournament) = self.tournaments.live.get_mut(&no)
            && live_tournament.present.get(&entrant) == Some(&conn)
        {
            live_tournament.present.remove(&entrant);
            self.listed.push(Listing::Attends(no, entrant, false));
        }
    }

    /// An entrant is back with its token: to its place, and to its seat if it has one.
    pub(crate) fn come_back(&mut self, conn: ConnId, no: TournamentNo, entrant: Name) {
        if self.plays(conn) {
            return self.refuse(conn, Refusal::AlreadySeated);
        }
        self.take_place(conn, no, entrant.clone());
        let enrolled = self.enrolled(no, entrant.clone(), None);
        self.answer(conn, Answer::Enrolled(Box::new(enrolled)));
        self.tell_where_it_stands(conn, no, &entrant);
    }

    /// What an entrant who has just come must know: its seat, its next game, or the end.
    fn tell_where_it_stands(&mut self, conn: ConnId, no: TournamentNo, entrant: &Name) {
        let state = &self.live_tournament(no).state;
        if state.closed {
            let decided = self.decided(no);
            return self.tell(conn, decided);
        }
        let tournament = &state.tournament;
        let Some(id) = tournament.find(entrant) else { return };
        if let Some(due) = tournament.open_game_of(id).cloned() {
            // A game that has no table yet is told when it gets one.
            let table = self.live_tournament(no).tables.get(&key(&due)).copied();
            let Some(table) = table else { return };
            match self.own_chair(table, no, entrant) {
                Some(seat) => self.take_back(conn, table, seat, Greeting::Event),
                None => self.tell_game(conn, no, entrant, &due),
            }
            return;
        }
        let round = tournament.round();
        if tournament.byes(round).contains(&id) {
            self.tell_bye(conn, no, round);
        }
    }

    /// The seat an entrant has taken at its table and not lost.
    fn own_chair(&self, table: TableNo, no: TournamentNo, entrant: &Name) -> Option<Seat> {
        let name = self.live_tournament(no).state.table_name(entrant);
        let table = &self.live(table).table;
        let seat = table.own_seat(&name)?;
        table.chair(seat).filter(|chair| !chair.retired).map(|_| seat)
    }

    /// Sits down to the game the token is for; or takes the seat back, if it has been taken.
    pub(crate) fn attend(&mut self, conn: ConnId, token: &str, joined_via: Option<Name>) {
        let token = TokenHash::of(token);
        let known = self.tournaments.invitations.get(&token).copied();
        let invitation = known.and_then(|no| {
            let invitation = self.live_tournament(no).state.invitations.get(&token)?;
            Some((no, invitation.clone()))
        });
        let Some((no, invitation)) = invitation else {
            return self.refuse(conn, Refusal::UnknownCredential);
        };
        let Some(table) = self.live_tournament(no).tables.get(&invitation.game).copied() else {
            self.refuse(conn, Refusal::AlreadyOver);
            return self.tell_if_decided(conn, no);
        };
        if self.plays(conn) {
            return self.refuse(conn, Refusal::AlreadySeated);
        }
        let entrant = invitation.entrant;
        if self.has_withdrawn(no, &entrant) {
            return self.refuse(conn, Refusal::AlreadyOver);
        }
        if let Err(refusal) = self.live(table).policy().check_patience(joined_via.as_deref()) {
            return self.refuse(conn, refusal);
        }
        self.take_place(conn, no, entrant.clone());
        let name = self.live_tournament(no).state.table_name(&entrant);
        let live = self.live(table);
        if live.table.own_seat(&name).is_some_and(|seat| live.crashed.contains(seat)) {
            return self.refuse(conn, Refusal::AlreadyStarted);
        }
        match (self.live(table).phase(), self.own_chair(table, no, &entrant)) {
            // Whoever has sat here before gets a new token with its old seat.
            (Phase::Gathering, _) => {
                let seat =
                    self.live(table).table.own_seat(&name).expect("seats are kept for names");
                let older = self.live(table).present[seat.index()];
                if let Some(older) = older.filter(|older| *older != conn) {
                    self.unbind(older);
                    self.tell(older, Event::Dismissed(Dismissal::Replaced));
                }
                self.sit(conn, table, seat, name, joined_via, Greeting::Answer);
            }
            (_, Some(seat)) => self.take_back(conn, table, seat, Greeting::Answer),
            // The clock has taken it out of its game.
            (_, None) => self.refuse(conn, Refusal::AlreadyStarted),
        }
    }

    /// Whoever holds a token of a tournament that is over hears of its end.
    pub(crate) fn tell_if_decided(&mut self, conn: ConnId, no: TournamentNo) {
        if self.tournament(no).is_some_and(|state| state.closed) {
            let decided = self.decided(no);
            self.tell(conn, decided);
        }
    }

    /// The place in an unfinished tournament that goes with a seat.
    pub(crate) fn place_in_tournament(
        &self,
        table: TableNo,
        seat: Seat,
    ) -> Option<(TournamentNo, Name)> {
        let table = &self.live(table).table;
        let no = table.opened().game_ref.as_ref()?.tournament;
        let state = self.tournament(no).filter(|state| !state.closed)?;
        let name = &table.chair(seat)?.name;
        let entrants = state.tournament.entrants();
        let mut claimed = entrants.iter().filter(|e| state.claims.contains_key(&*e.name));
        let found = claimed.find(|e| state.table_name(&e.name) == *name);
        found.map(|e| (no, Name::from(&*e.name)))
    }

    /// Whether a seat is kept for this name, and the name alone does not open it: its entrant has a
    /// token, or plays no more.
    pub(crate) fn is_closed_to(&self, table: &Table<G>, name: &str) -> bool {
        let Some(game_ref) = &table.opened().game_ref else { return false };
        let Some(state) = self.tournament(game_ref.tournament) else { return false };
        let entrants = state.tournament.entrants();
        let mut called = entrants.iter().filter(|e| *state.table_name(&e.name) == *name);
        called.any(|e| e.withdrawn || state.claims.contains_key(&*e.name))
    }

    fn has_withdrawn(&self, no: TournamentNo, entrant: &str) -> bool {
        let tournament = &self.live_tournament(no).state.tournament;
        tournament.find(entrant).is_none_or(|id| tournament.entrant(id).withdrawn)
    }

    /// Whether a name at the tables belongs to a house bot that takes part.
    pub(crate) fn is_name_of_bot(&self, name: &Name) -> bool {
        let Some(no) = self.tournaments.names.get(name) else { return false };
        let state = &self.live_tournament(*no).state;
        let entrants = state.tournament.entrants().iter();
        let mut bots = entrants.filter(|entrant| entrant.bot.is_some());
        bots.any(|entrant| state.table_name(&entrant.name) == *name)
    }

    /// Where an entrant without a token is expected, by its name at the tables.
    pub(crate) fn expected(&self, name: &Name) -> Option<Expected> {
        let no = self.tournaments.names.get(name)?;
        if self.tournaments.waiting.contains_key(name) || self.is_name_of_bot(name) {
            return Some(Expected::Here);
        }
        for no in self.live_tournament(*no).tables.values() {
            let live = self.live(*no);
            let Some(seat) = live.table.own_seat(name) else { continue };
            let retired = live.table.chair(seat).is_some_and(|chair| chair.retired)
                || live.crashed.contains(seat);
            return Some(match live.present[seat.index()] {
                Some(_) => Expected::Here,
                None if retired => Expected::Later,
                None => Expected::Now((*no, seat)),
            });
        }
        Some(Expected::Later)
    }

    pub(super) fn is_here(&self, live: &crate::live_table::LiveTable<G>, name: &str) -> bool {
        let mut seated = live.table.seated();
        seated.any(|(seat, chair)| *chair.name == *name && live.present[seat.index()].is_some())
    }

    /// An entrant has come before its table: it is seated when that is due.
    pub(crate) fn wait_for_table(&mut self, conn: ConnId, name: Name, joined_via: Option<Name>) {
        self.unbind(conn);
        self.visitors.entry(conn).or_default().awaits = Some(name.clone());
        self.listed.push(Listing::Waits(name.clone(), true));
        self.tournaments.waiting.insert(name, Waiting { conn, joined_via });
        self.answer(conn, Answer::Awaited);
    }

    /// Whether the conn was waiting for its table.
    pub(crate) fn stop_waiting(&mut self, conn: ConnId) -> bool {
        let awaited = self.visitors.get_mut(&conn).and_then(|visitor| visitor.awaits.take());
        if let Some(name) = &awaited {
            self.remove_waiting(name);
        }
        awaited.is_some()
    }

    pub(super) fn remove_waiting(&mut self, name: &Name) -> Option<Waiting> {
        let waiting = self.tournaments.waiting.remove(name)?;
        self.listed.push(Listing::Waits(name.clone(), false));
        Some(waiting)
    }

    /// Names no tournament keeps any more are like anybody's: whoever waits under one sits down
    /// where there is room.
    pub(super) fn let_go_of_waiting(&mut self) {
        let free = |name: &&Name| !self.tournaments.names.contains_key(*name);
        let names: Vec<Name> = self.tournaments.waiting.keys().filter(free).cloned().collect();
        for name in names {
            let Some(Waiting { conn, joined_via }) = self.remove_waiting(&name) else { continue };
            self.visitors.entry(conn).or_default().awaits = None;
            self.seat_anywhere(conn, name, joined_via);
        }
    }
}
