//! What only the house wire asks for: introductions, tables of one's own, history, and
//! moves that are said again.

use std::sync::Arc;

use rules::{Game, Seat};

use crate::joining::Greeting;
use crate::opening::Purpose;
use crate::organiser::NewTable;
use crate::speech::{Answer, Event, Introduction};
use crate::{At, Hall};
use table::{ConnId, Eyes, Name, Page, Refusal, TableNo};

/// So many updates are told at once of what happened before.
const PAGE: usize = 50;

impl<G: Game> Hall<G> {
    pub(crate) fn introduce(&mut self, conn: ConnId, introduction: Introduction) {
        self.visitors.entry(conn).or_default().introduction = Some(introduction);
        self.answer(conn, Answer::Accepted);
    }

    pub(crate) fn introduction(&self, conn: ConnId) -> Introduction {
        let visitor = self.visitors.get(&conn);
        visitor.and_then(|visitor| visitor.introduction.clone()).unwrap_or_default()
    }

    /// Opens a table that nobody is brought to unasked, and seats its opener and its bots.
    pub(crate) fn open_own(
        &mut self,
        conn: ConnId,
        table: NewTable<G>,
        bots: &[Name],
        name: Name,
        joined_via: Option<Name>,
    ) {
        let opened = self.may_open(conn, &table, bots, &name);
        match opened.and_then(|()| self.open(table, Purpose::Organiser)) {
            Err(refusal) => self.refuse(conn, refusal),
            Ok(no) => {
                self.sit(conn, no, Seat(0), name, joined_via, Greeting::Answer);
                for (place, strategy) in (1..).map(Seat).zip(bots) {
                    // Somebody may be called like a bot; there are numbers enough.
                    (1..).find(|number| self.seat_bot(no, place, strategy, *number));
                }
                self.consider_start(no);
            }
        }
    }

    fn may_open(
        &self,
        conn: ConnId,
        table: &NewTable<G>,
        bots: &[Name],
        name: &Name,
    ) -> Result<(), Refusal> {
        self.may_sit(conn)?;
        if self.expected(name).is_some() {
            return Err(Refusal::NameTaken(name.clone()));
        }
        if bots.len() >= table.terms.policy.seats {
            let (bots, seats) = (bots.len(), table.terms.policy.seats);
            return Err(Refusal::BadTable(format!(
                "{bots} house bots leave you no seat at a table of {seats}"
            )));
        }
        if let Some(strategy) = bots.iter().find(|bot| !self.has_bot(bot)) {
            let known: Vec<_> = self.bots.iter().map(|kind| kind.name).collect();
            let known = known.join(", ");
            return Err(Refusal::BadTable(format!("no house bot '{strategy}'; there are {known}")));
        }
        self.check_table(table)
    }

    fn has_bot(&self, strategy: &str) -> bool {
        self.bots.iter().any(|kind| kind.name == strategy)
    }

    pub(crate) fn tell_history(&mut self, conn: ConnId, from: u64) {
        let at = self.visitors.get(&conn).and_then(|visitor| visitor.at);
        let (no, eyes) = match at {
            None => return self.refuse(conn, Refusal::NotSeated),
            Some(At::Seat(no, seat)) => (no, Eyes::Seat(seat)),
            Some(At::Watching(no)) if self.live(no).organisers.contains(&conn) => (no, Eyes::All),
            Some(At::Watching(no)) => (no, Eyes::Public),
        };
        let live = self.live(no);
        if live.table.game().is_none() {
            return self.refuse(conn, Refusal::NotStarted);
        }
        if live.table.closing().is_some() {
            return self.refuse(conn, Refusal::AlreadyOver);
        }
        match live.recorded.updates(eyes) {
            // What has just been played cannot fail to play again; if it does, nobody may act on it.
            Err(fault) => self.refuse(conn, Refusal::BadTable(fault)),
            Ok(mut updates) => {
                updates.retain(|update| update.seq >= from);
                let next = updates.get(PAGE).map(|update| update.seq);
                // A page ends with a whole turn, or the next would begin in its middle.
                updates.truncate(PAGE);
                if let Some(next) = next.filter(|next| updates[0].seq != *next) {
                    updates.retain(|update| update.seq < next);
                }
                self.answer(conn, Answer::Accepted);
                self.tell(conn, Event::History(Arc::new(Page { updates, next })));
            }
        }
    }

    /// Whether a move is the last one that this seat has made, said once more: who does not know
    /// whether it was heard may say it again.
    pub(crate) fn is_said_again(&self, conn: ConnId, seq: u64, action: &G::Action) -> bool {
        let Some((no, seat)) = self.seat_of(conn) else { return false };
        let live = self.live(no);
        let via_house = live.table.chair(seat).is_some_and(|chair| chair.is_via_house());
        via_house && live.recorded.last_move(seat) == Some((seq, action))
    }

    pub(crate) fn note_refusal(&mut self, conn: ConnId, refusal: &Refusal) {
        if let (Some((no, seat)), Refusal::Illegal(_)) = (self.seat_of(conn), refusal) {
            self.live_mut(no).made.refused(seat);
        }
    }

    /// Tells those who watch, and players who listen for it, who still owes a move of the turn.
    pub(crate) fn tell_who_is_waited_for(&mut self, no: TableNo, not: Option<ConnId>) {
        let live = self.live(no);
        if live.policy().hides_owed {
            return;
        }
        let owed = live.table.owed();
        let players = live.table.seated().filter(|(_, chair)| chair.is_via_house());
        let players = players.filter_map(|(seat, _)| live.present[seat.index()]);
        let audience: Vec<ConnId> =
            players.chain(live.watchers.iter().chain(&live.organisers).copied()).collect();
        for conn in audience.into_iter().filter(|conn| Some(*conn) != not) {
            self.tell(conn, Event::Waiting(owed));
        }
    }
}
