//! Coming back to a seat, and to a game that is over.

use rules::{Game, Seat, Viewer};

use crate::Hall;
use crate::joining::Greeting;
use crate::speech::{Credential, Event};
use table::{Change, ConnId, Dismissal, Joined, Phase, Refusal, TableNo, TableRecord, TokenHash};

impl<G: Game> Hall<G> {
    pub(crate) fn resume(&mut self, conn: ConnId, credential: Credential) {
        let token = match credential {
            Credential::Token(token) => TokenHash::of(&token),
            Credential::Name(name) => return self.resume_person(conn, name),
        };
        let Some(&(no, seat)) = self.tokens.get(&token) else {
            return match self.claim(&token) {
                Some((tournament, entrant)) => self.come_back(conn, tournament, entrant),
                None => self.refuse(conn, Refusal::UnknownCredential),
            };
        };
        if self.live(no).phase() == Phase::Closed {
            return match self.place_in_tournament(no, seat) {
                Some((tournament, entrant)) => self.come_back(conn, tournament, entrant),
                None if self.live(no).untold.contains(seat) => self.tell_the_end(conn, no, seat),
                None => {
                    let game_ref = self.live(no).table.opened().game_ref.as_ref();
                    let tournament = game_ref.map(|game_ref| game_ref.tournament);
                    self.refuse(conn, Refusal::AlreadyOver);
                    if let Some(tournament) = tournament {
                        self.tell_if_decided(conn, tournament);
                    }
                }
            };
        }
        let elsewhere = self.seat_of(conn).filter(|here| *here != (no, seat));
        if elsewhere.is_some_and(|(other, _)| self.live(other).phase() != Phase::Closed) {
            return self.refuse(conn, Refusal::AlreadySeated);
        }
        self.take_back(conn, no, seat, Greeting::Answer);
        if let Some((tournament, entrant)) = self.place_in_tournament(no, seat) {
            self.take_place(conn, tournament, entrant);
        }
    }

    /// Tells somebody once how a game ended that was over before a restart.
    fn tell_the_end(&mut self, conn: ConnId, no: TableNo, seat: Seat) {
        self.live_mut(no).untold.remove(seat);
        self.unbind(conn);
        self.bind(conn, no, seat);
        let company = self.live(no).company.clone();
        let joined = Joined { company, seat: Some(seat), token: None, resumed: true };
        self.greet(conn, joined, Greeting::Answer);
        if let Some(over) = self.over_event(no) {
            self.tell(conn, over);
        }
    }

    /// Gives a seat back to its player, and takes it from an older connection.
    pub(crate) fn take_back(&mut self, conn: ConnId, no: TableNo, seat: Seat, greeting: Greeting) {
        if let Some(older) = self.live(no).present[seat.index()].filter(|older| *older != conn) {
            self.unbind(older);
            self.tell(older, Event::Dismissed(Dismissal::Replaced));
        }
        self.person_is_back(conn, no, seat);
        if self.live(no).bot(seat).is_some() {
            self.record(no, TableRecord::Deputed { seat, bot: None });
            self.live_mut(no).bots.remove(&seat);
        }
        self.unbind(conn);
        self.bind(conn, no, seat);
        let company = self.live(no).company.clone();
        let joined =
            Joined { company: company.clone(), seat: Some(seat), token: None, resumed: true };
        self.greet(conn, joined, greeting);
        self.tell_others(no, Some(conn), &Event::Company(company, Change::Back(seat)));
        self.end_grace(no);
        self.mind_turn_clock(no);
        self.catch_up(conn, no, Viewer::Seat(seat));
        self.mind_desertion(no);
    }
}
