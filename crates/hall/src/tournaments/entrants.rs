//! Entrants: taking a place, coming back to it, sitting down to a game.

use std::sync::Arc;

use rules::Seat;
use table::{ConnId, Name, Phase, Refusal, Table, TableNo, TokenHash, TournamentNo};
use tournament::{Fact, TournamentPhase};

use super::due_games::key;
use super::{EntrantKey, Steward, TournamentRecord};
use crate::{Answer, Event};

impl Steward<'_> {
    pub fn enrol(&mut self, conn: ConnId, tournament: &Name, name: Name) {
        let enrolled = self.may_enrol(conn, tournament, &name).and_then(|(no, known)| {
            if known.is_none() {
                self.fact(no, Fact::Entered { name: name.to_string(), bot: None })?;
            }
            Ok((no, known))
        });
        let (no, known) = match enrolled {
            Ok(enrolled) => enrolled,
            Err(refusal) => return self.desk.refuse(conn, refusal),
        };
        let new = known.is_none();
        let name = known.unwrap_or(name);
        if new && self.desk.premises.claimed(&name).is_some() {
            // An entrant who joined with their name's key also reconnects with it.
            let keyed = TournamentRecord::Keyed { entrant: name.clone(), key: EntrantKey::House };
            self.record(no, keyed);
        }
        let token = self.desk.token();
        let claimed =
            TournamentRecord::Claimed { entrant: name.clone(), token: TokenHash::of(&token) };
        self.record(no, claimed);
        self.tournaments.take_place(self.desk, conn, no, name.clone());
        let enrolled = self.tournaments.enrolled(no, name.clone(), Some(token));
        let entered = Event::Entered(Arc::new(enrolled.entered()));
        self.desk.answer(conn, Answer::Enrolled(Box::new(enrolled)));
        if new {
            self.tournaments.tell_entrants(self.desk, no, conn, &entered);
        }
        self.tell_where_it_stands(conn, no, &name);
        self.start_if_full(no);
    }

    /// The tournament, and the entrant who goes by this name; none: the name is new there.
    fn may_enrol(
        &self,
        conn: ConnId,
        tournament: &Name,
        name: &Name,
    ) -> Result<(TournamentNo, Option<Name>), Refusal> {
        let no = self.tournaments.called(tournament).ok_or(Refusal::NoSuchTable)?;
        if self.desk.premises.are_names_unique() {
            // Here players reconnect by name, and no one else can have it.
            return Err(Refusal::NotEntered);
        }
        let state = &self.tournaments.live(no).state;
        let elsewhere = self.tournaments.places.of(conn).is_some_and(|(no, entrant)| {
            let state = &self.tournaments.live(*no).state;
            !state.closed && state.is_playing(entrant)
        });
        if self.lobby.whereabouts.plays(conn) || self.lobby.waiting().has(conn) || elsewhere {
            return Err(Refusal::AlreadySeated);
        }
        if state.is_over() {
            return Err(Refusal::AlreadyOver);
        }
        let entering = state.tournament.phase() == TournamentPhase::Entering;
        if let Some(entrant) = state.entrant_called(name) {
            let own_name = Name::from(&*entrant.name);
            let attends = self.tournaments.places.conn_of(no, &own_name).is_some();
            // A player who sits or waits under the name was first.
            let is_free = state.is_place_free(&own_name, attends)
                && !self.tournaments.is_here(self.lobby, no, &state.table_name(&own_name));
            return match is_free || state.is_keyed(&own_name) {
                true => Ok((no, Some(own_name))),
                false if entering => Err(Refusal::NameTaken(name.clone())),
                // Its own player may have lost its connection: what helps it is its token.
                false => Err(Refusal::AlreadyStarted),
            };
        }
        if !entering && state.tournament.ladder().is_none() {
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

    /// Withdraws an entrant from a tournament that has not begun. Returns false if there is none.
    pub fn withdraw_before_start(&mut self, conn: ConnId) -> bool {
        let Some((no, entrant)) = self.tournaments.place(conn).cloned() else { return false };
        let phase = self.tournaments.live(no).state.tournament.phase();
        // The organiser may have struck it off before.
        let withdrawn = phase == TournamentPhase::Entering
            && self.fact(no, Fact::Withdrawn { name: entrant.to_string(), why: None }).is_ok();
        if withdrawn {
            self.tournaments.give_up_place(self.desk, conn);
        }
        withdrawn
    }

    pub(super) fn start_if_full(&mut self, no: TournamentNo) {
        let state = &self.tournaments.live(no).state;
        let full = state.tournament.entrants().len() >= state.convened.plan.max_entrants;
        let entering = state.tournament.phase() == TournamentPhase::Entering;
        if full && entering && state.convened.starts_when_full {
            // A full tournament can start.
            let told = self.fact(no, Fact::Started);
            debug_assert_eq!(told, Ok(()));
        }
    }

    /// An entrant is back with its token: to its place, and to its seat if it has one.
    pub fn come_back(&mut self, conn: ConnId, no: TournamentNo, entrant: Name) {
        if self.lobby.whereabouts.plays(conn) {
            return self.desk.refuse(conn, Refusal::AlreadySeated);
        }
        self.tournaments.take_place(self.desk, conn, no, entrant.clone());
        let enrolled = self.tournaments.enrolled(no, entrant.clone(), None);
        self.desk.answer(conn, Answer::Enrolled(Box::new(enrolled)));
        self.tell_where_it_stands(conn, no, &entrant);
    }

    /// What an entrant who has just arrived must know: their seat, their next game, or the end.
    fn tell_where_it_stands(&mut self, conn: ConnId, no: TournamentNo, entrant: &Name) {
        let live = self.tournaments.live(no);
        if live.state.closed {
            return self.tournaments.tell_if_decided(self.desk, conn, no);
        }
        let tournament = &live.state.tournament;
        let Some(id) = tournament.find(entrant) else { return };
        if let Some(due) = tournament.open_game_of(id).cloned() {
            // A game without a table is announced when it gets one.
            let Some(table) = live.tables.get(&key(&due)).copied() else { return };
            let name = live.state.table_name(entrant);
            let played = self.lobby.whereabouts.tables.live(table).table();
            return match own_chair(played, &name) {
                Some(seat) => self.lobby.take_back(self.desk, conn, (table, seat), false),
                None => self.invite(conn, no, entrant, &due),
            };
        }
        let round = tournament.round();
        if tournament.byes(round).contains(&id) {
            self.tournaments.tell_bye(self.desk, conn, no, round);
        }
    }

    /// Sits down to the game the token is for; or takes the seat back, if it has been taken.
    pub fn attend(&mut self, conn: ConnId, token: &str, joined_via: Option<Name>) {
        let token = TokenHash::of(token);
        let no = self.tournaments.tickets.invites_to(&token);
        let invitation = no.and_then(|no| {
            let live = self.tournaments.live(no);
            Some((no, live, live.state.invitations.get(&token)?.clone()))
        });
        let Some((no, live, invitation)) = invitation else {
            return self.desk.refuse(conn, Refusal::UnknownCredential);
        };
        let Some(table) = live.tables.get(&invitation.game).copied() else {
            self.desk.refuse(conn, Refusal::AlreadyOver);
            return self.tournaments.tell_if_decided(self.desk, conn, no);
        };
        let entrant = invitation.entrant;
        if let Err(refusal) = self.may_attend(conn, no, &entrant, table, joined_via.as_deref()) {
            return self.desk.refuse(conn, refusal);
        }
        self.tournaments.take_place(self.desk, conn, no, entrant.clone());
        let name = self.tournaments.live(no).state.table_name(&entrant);
        let played = self.lobby.whereabouts.tables.live(table).table();
        match (played.phase(), played.own_seat(&name), own_chair(played, &name)) {
            (_, Some(seat), _) if played.crashed().contains(seat) => {
                self.desk.refuse(conn, Refusal::AlreadyStarted);
            }
            // An entrant who has sat here before gets a new token with the old seat.
            (Phase::Gathering, Some(seat), _) => {
                self.lobby.sit(self.desk, conn, (table, seat), (name, joined_via), true);
            }
            (_, _, Some(seat)) => self.lobby.take_back(self.desk, conn, (table, seat), true),
            // The clock has taken it out of its game.
            (_, _, None) => self.desk.refuse(conn, Refusal::AlreadyStarted),
        }
    }

    fn may_attend(
        &self,
        conn: ConnId,
        no: TournamentNo,
        entrant: &str,
        table: TableNo,
        joined_via: Option<&str>,
    ) -> Result<(), Refusal> {
        if self.lobby.whereabouts.plays(conn) {
            return Err(Refusal::AlreadySeated);
        }
        let tournament = &self.tournaments.live(no).state.tournament;
        if tournament.find(entrant).is_none_or(|id| tournament.entrant(id).withdrawn) {
            return Err(Refusal::AlreadyOver);
        }
        self.lobby.whereabouts.tables.live(table).policy().check_patience(joined_via)
    }
}

/// The seat that a player of this name has taken at a table and not lost.
fn own_chair(table: &Table, name: &str) -> Option<Seat> {
    let seat = table.own_seat(name)?;
    table.chair(seat).filter(|chair| !chair.retired).map(|_| seat)
}
