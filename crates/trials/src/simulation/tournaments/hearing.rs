//! What guests of tournaments receive, and what they make of it. It must be meant for them.

use hall::{
    AfterEnd, Answer, Command, ConnId, Credential, Event, Name, Output, TableNo, TableRecord,
    TournamentNo, TournamentRecord,
};
use rules::Seat;

use super::guests::Caller;
use super::{EntrantId, Fire};

const ALREADY_STARTED: Answer = Answer::Refused(hall::Refusal::AlreadyStarted);

impl Fire {
    /// `endings`: the tournaments that have just ended, and the guests who don't know yet.
    pub fn take_in(
        &mut self,
        output: &Output,
        said: Option<&(ConnId, Command)>,
        endings: &mut Vec<(Name, Vec<ConnId>)>,
    ) {
        if let Some((conn, answer)) = output.answer() {
            let (_, command) = said.expect("only commands are answered");
            self.hear_answer(conn, command, &answer);
        }
        for (conn, event) in output.events() {
            self.hear_event(conn, &event, said, endings);
        }
        match output {
            Output::TableRecord(entry) => {
                if let TableRecord::Started { order, .. } = &*entry.record {
                    self.renumber(entry.table, order);
                }
            }
            Output::TournamentRecord(entry) => {
                if matches!(*entry.record, TournamentRecord::Closed) {
                    let id = self.journal.states[&entry.tournament].convened.id.clone();
                    let here = self.callers.iter().filter(|(_, caller)| caller.is_in(&id));
                    endings.push((id.clone(), here.map(|(conn, _)| *conn).collect()));
                }
            }
            _ => {}
        }
    }

    fn hear_event(
        &mut self,
        conn: ConnId,
        event: &Event,
        said: Option<&(ConnId, Command)>,
        endings: &mut [(Name, Vec<ConnId>)],
    ) {
        let Event::Decided(decided) = event else {
            return self.hear(conn, event, said.map(|(asker, _)| *asker));
        };
        let ending = endings.iter_mut().find(|(id, _)| *id == decided.tournament);
        match ending {
            Some((id, left)) => {
                let at = left.iter().position(|other| *other == conn);
                left.remove(at.unwrap_or_else(|| panic!("{conn:?} hears of {id}")));
            }
            None => {
                let asker = said.filter(|(asker, command)| {
                    *asker == conn
                        && matches!(
                            command,
                            Command::Resume(Credential::Token(_)) | Command::Attend { .. }
                        )
                });
                assert!(asker.is_some(), "{conn:?} hears again: {decided:?}");
                // Any token of a finished tournament leads to its result.
                if !self.callers[&conn].is_in(&decided.tournament) {
                    return;
                }
            }
        }
        self.hear_decided(conn, decided);
    }

    /// The start has put the players in order.
    fn renumber(&mut self, no: TableNo, order: &[Seat]) {
        let Some(table) = self.journal.tables.get(&no) else { return };
        for caller in self.callers.values_mut() {
            if let Some((id, seat)) = &mut caller.seat
                && *id == table.opened().id
            {
                let mut numbers = Seat::all(order.len()).zip(order);
                let (new, _) = numbers.find(|(_, old)| seat == *old).expect("a seat taken");
                *seat = new;
            }
        }
    }

    /// The tournament and the entrant a seat is kept for.
    pub fn kept_for(&self, table: &str, seat: Seat) -> Option<(TournamentNo, Name)> {
        let mut tables = self.hall.tables().map(|(_, table)| table);
        let table = tables.find(|known| *known.opened().id == *table)?;
        let no = table.opened().game_ref.as_ref()?.tournament;
        let state = &self.journal.states[&no];
        let name = table.opened().reserved.get(seat.index())?;
        let mut entrants = state.tournament.entrants().iter();
        let entrant = entrants.find(|entrant| state.table_name(&entrant.name) == *name)?;
        Some((no, Name::from(&*entrant.name)))
    }

    /// The place that goes with a seat, if its entrant has a token.
    pub fn place_of(&self, table: &str, seat: Seat) -> Option<EntrantId> {
        let (no, entrant) = self.kept_for(table, seat)?;
        let state = &self.journal.states[&no];
        let claimed = state.claims.contains_key(&entrant) && !state.closed;
        claimed.then(|| (state.convened.id.clone(), entrant))
    }

    /// From now on this conn, and no other, speaks for an entrant.
    fn take_place(&mut self, conn: ConnId, place: Option<EntrantId>) {
        let Some(place) = place else { return };
        for caller in
            self.callers.values_mut().filter(|caller| caller.place.as_ref() == Some(&place))
        {
            caller.place = None;
        }
        if let Some(caller) = self.callers.get_mut(&conn) {
            caller.place = Some(place);
        }
    }

    fn hear_answer(&mut self, conn: ConnId, command: &Command, answer: &Answer) {
        let Some(caller) = self.callers.get_mut(&conn) else { return };
        let guest = caller.guest;
        match (command, answer) {
            (Command::Enter { name }, Answer::Entered) => caller.entered = Some(name.clone()),
            (_, Answer::Awaited) => {
                (caller.waits, caller.seat, caller.watches) = (true, None, false);
            }
            (_, Answer::Enrolled(enrolled)) => {
                let place = (enrolled.tournament.clone(), enrolled.name.clone());
                if let Some(token) = &enrolled.token {
                    self.guests[guest].claim = Some(token.clone());
                    self.guests[guest].tokens.push(token.clone());
                    self.owners.insert(place.clone(), guest);
                }
                self.take_place(conn, Some(place));
            }
            (_, Answer::Joined(joined)) => {
                if let Command::Resume(Credential::Name(name)) = command {
                    caller.entered = Some(name.clone());
                    if joined.company.seats.is_empty() {
                        return;
                    }
                }
                let table = joined.company.table.clone();
                caller.seat = joined.seat.map(|seat| (table.clone(), seat));
                // A seated or watching guest no longer waits.
                (caller.waits, caller.over) = (false, false);
                caller.watches = joined.seat.is_none();
                self.guests[guest].tokens.extend(joined.token.clone());
                if let Some(seat) = joined.seat
                    && matches!(command, Command::Attend { .. } | Command::Resume(_))
                {
                    self.take_place(conn, self.place_of(&table, seat));
                }
            }
            (Command::Leave, Answer::Accepted) if caller.is_nowhere() => {
                // Out of its tournament, before that has begun.
                caller.place = None;
                let guest = &mut self.guests[guest];
                (guest.claim, guest.invitation) = (None, None);
            }
            (Command::Leave, Answer::Accepted) => caller.go(),
            (Command::Part(_), Answer::Accepted) => {
                *caller = Caller { guest, place: caller.place.take(), ..Caller::default() };
            }
            (Command::Resume(Credential::Token(token)), Answer::Refused(_))
                if self.guests[guest].claim.as_ref() == Some(token) && caller.seat.is_none() =>
            {
                // A tournament long over: there is nothing to rejoin.
                self.guests[guest].claim = None;
            }
            (Command::Attend { token, .. }, Answer::Refused(_)) => {
                let invitation = &mut self.guests[guest].invitation;
                let used = invitation.take_if(|(known, _)| known == token);
                if let Some((_, place)) = used.filter(|_| *answer == ALREADY_STARTED) {
                    // The game continues without the guest, the tournament doesn't.
                    self.take_place(conn, Some(place));
                }
            }
            _ => {}
        }
    }

    fn hear(&mut self, conn: ConnId, event: &Event, asker: Option<ConnId>) {
        let caller = self.callers.get_mut(&conn).expect("somebody who is gone was told something");
        let guest = caller.guest;
        match event {
            Event::Seated(joined) => {
                let table = joined.company.table.clone();
                caller.seat = joined.seat.map(|seat| (table, seat));
                (caller.waits, caller.over, caller.watches) = (false, false, false);
                self.guests[guest].tokens.extend(joined.token.clone());
            }
            // A spectator of a lobby's table stays there, as in every other game.
            Event::Over(_) if self.terms.policy.after_end == AfterEnd::Lobby && !caller.watches => {
                caller.seat = None;
            }
            Event::Over(_) => caller.over = true,
            Event::Dismissed(hall::Dismissal::TableClosed(_)) => caller.go(),
            Event::Dismissed(hall::Dismissal::Replaced) => {
                // Without an asker its newer connection has waited until this one counted as dead.
                let mut newer = self.callers.iter().filter(|(newer, _)| match asker {
                    Some(asker) => **newer == asker,
                    None => **newer != conn,
                });
                let is_its_own = newer.any(|(_, caller)| caller.guest == guest);
                assert!(is_its_own, "a stranger has taken {conn:?}'s seat");
                let caller = self.callers.get_mut(&conn).expect("just heard");
                (caller.seat, caller.replaced) = (None, true);
            }
            Event::Entered(entered) => self.check_place(conn, &entered.tournament),
            Event::Paired(paired) => {
                self.check_place(conn, &paired.tournament);
                let place = self.callers[&conn].place.clone().expect("just checked");
                let token = paired.game.as_ref().map(|(_, token)| token.clone());
                self.guests[guest].invitation = token.map(|token| (token, place));
            }
            Event::Company(..) | Event::Waiting(_) | Event::Update(_) => {}
            Event::History(_) | Event::Doubted(_) => {}
            Event::Decided(_) => unreachable!("heard elsewhere"),
            Event::Rematch(_) | Event::Reacted(..) => unreachable!("nobody asks for it here"),
        }
    }

    fn hear_decided(&mut self, conn: ConnId, decided: &hall::Decided) {
        self.check_place(conn, &decided.tournament);
        let guest = &mut self.guests[self.callers[&conn].guest];
        (guest.claim, guest.invitation) = (None, None);
    }

    fn check_place(&self, conn: ConnId, tournament: &Name) {
        let caller = self.callers.get(&conn).expect("somebody who is gone was told something");
        assert!(caller.is_in(tournament), "{conn:?} has no place in {tournament} and hears of it");
    }
}
