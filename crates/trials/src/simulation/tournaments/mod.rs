//! Tournaments under fire: entrants of every kind, who come late or never, drop, return, leave in
//! the middle of a game, lie about who they are; organisers who change their minds; a server that
//! dies and begins again. Any game can be put through it; every failure names its seed.
//!
//! What is asserted after each step, beside what every hall must keep:
//! - a tournament is the fold of its records, and a hall restored from them has the same;
//! - a table of a tournament is for a game that is to be played now, and a game that is due has a
//!   table, unless the hall is full;
//! - nobody waits at a table for entrants who have withdrawn;
//! - nobody sits at two open tables of a tournament;
//! - in a seat that is kept for an entrant with a token sits nobody but who was given the token;
//! - nobody waits for a table under a name that is not kept, or while it plays;
//! - news of a tournament reach nobody but those who have a place in it, and all of those hear
//!   its end, once.
//!
//! In the end the clocks run on, and every tournament that was started is over and has a winner,
//! or was called off.

mod guests;
mod laws;
mod organisers;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rules::{Dice, Game, Seat, Seed};
use tournament::{Fact, How, TournamentPhase, Why};

use super::check_answer;
use super::journal::{Digest, Journal};
use crate::failure;
use guests::{Caller, Guest};
use hall::{
    AfterEnd, Answer, Command, ConnId, Credential, Event, GameHooks, Hall, Input, Name, Output,
    TableNo, TableRecord, Terms, Time, TournamentNo, TournamentRecord,
};

/// What happened, so that a test can tell that it was enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Tournaments that were played to their end, and that were called off.
    pub over: usize,
    pub cancelled: usize,
    pub games: u64,
    pub restarts: usize,
    pub byes: usize,
    /// Pairings that somebody gave away, that lots decided, that organisers decided, that withdrawals did.
    pub forfeits: usize,
    pub lots: usize,
    pub adjudicated: usize,
    pub withdrawn: usize,
    /// Entrants who were withdrawn for missing too much, and who were brought back.
    pub missed: usize,
    pub returned: usize,
    /// Pairings of several games, elsewhere than in a knockout.
    pub series: usize,
    /// The same seed, the same digest.
    pub digest: u64,
}

/// Lets tournaments be played for so many random steps, and then to their end.
pub fn run<G: Game>(
    terms: &Terms<G>,
    hooks: impl Into<GameHooks<G>>,
    seed: u64,
    steps: usize,
) -> Coverage {
    let hooks = hooks.into();
    failure::named(format!("{} seed {seed}", G::NAME), || {
        let mut fire = Fire::new(terms, hooks, seed);
        for _ in 0..steps {
            fire.step();
        }
        fire.finish()
    })
}

struct Fire<G: Game> {
    hall: Hall<G>,
    terms: Terms<G>,
    hooks: GameHooks<G>,
    dice: Dice,
    now: Time,
    journal: Journal<G>,
    guests: Vec<Guest>,
    callers: BTreeMap<ConnId, Caller>,
    next_conn: u64,
    /// Who was given the token of an entrant.
    owners: BTreeMap<EntrantId, usize>,
    restarts: usize,
    digest: Digest,
}

/// A tournament's id, and an entrant of it.
type EntrantId = (Name, Name);

/// Few enough to have tournaments wait for a table.
const MAX_TABLES: usize = 9;

impl<G: Game> Fire<G> {
    fn new(terms: &Terms<G>, hooks: GameHooks<G>, seed: u64) -> Fire<G> {
        let seed = Seed::from_number(seed);
        let mut dice = Dice::new(&seed, "tournaments", 0);
        Fire {
            hall: Hall::new(terms.clone(), hooks.clone(), MAX_TABLES, seed),
            terms: terms.clone(),
            hooks,
            guests: (0..12).map(|number| Guest::new(number, &terms.policy, &mut dice)).collect(),
            dice,
            now: Time(1_000_000),
            journal: Journal::default(),
            callers: BTreeMap::new(),
            next_conn: 1,
            owners: BTreeMap::new(),
            restarts: 0,
            digest: Digest::default(),
        }
    }

    fn step(&mut self) {
        match self.dice.below(60) {
            0..=2 => self.pass_time(),
            3..=5 => self.organise(),
            6 if self.dice.one_in(8) => self.restart(),
            _ => {
                let guest = self.dice.below(self.guests.len());
                self.attend_to(guest);
            }
        }
    }

    /// Mostly until the next clock, and never past one.
    fn pass_time(&mut self) {
        let ms = *self.dice.pick(&[1, 50, 250, 1000, 6000]);
        let then = self.now + ms as u64;
        let due = self.hall.deadline().filter(|due| *due <= then || self.dice.one_in(2));
        self.now = self.now.max(due.unwrap_or(then));
        self.input(Input::Tick);
    }

    /// The server dies, or goes down in order, and begins again from its journal.
    fn restart(&mut self) {
        if self.dice.one_in(2) {
            self.input(Input::ShuttingDown);
            let mut outputs = Vec::new();
            for conn in self.callers.keys() {
                self.hall.handle(self.now, Input::Gone(*conn), &mut outputs);
            }
            outputs.retain(|output| !matches!(output, Output::Listed(_)));
            assert!(outputs.is_empty(), "a deploy removes nobody: {outputs:?}");
        }
        self.restarts += 1;
        let seed = self.dice.seed();
        let mut hall = Hall::new(self.terms.clone(), self.hooks.clone(), MAX_TABLES, seed);
        let mut outputs = Vec::new();
        let unfinished = self.journal.unfinished();
        hall.restore(self.now, unfinished, &mut outputs).expect("a journal reads back");
        for (no, state) in self.hall.tournaments().filter(|(_, state)| !state.closed) {
            assert!(hall.tournament(no).is_some(), "{} is forgotten", state.convened.id);
        }
        self.hall = hall;
        self.callers.clear();
        self.guests.iter_mut().for_each(|guest| guest.conn = None);
        self.digest.add(&outputs);
        self.journal.forget_lists();
        for output in &outputs {
            let told = matches!(output, Output::Answer(..) | Output::Tell(..) | Output::Reply(..));
            assert!(!told, "nobody is there, and yet was told {output:?}");
            self.journal.keep(output);
        }
        self.check_laws();
    }

    /// Nothing is paused any more, nobody enters any more, and the clocks run on: with the guests
    /// playing, or sitting there in silence.
    fn finish(mut self) -> Coverage {
        self.call_the_last_games();
        let silent = self.dice.one_in(2);
        for _ in 0..200_000 {
            if self.journal.states.values().all(|state| state.closed) {
                break;
            }
            if !silent && !self.dice.one_in(4) {
                let guest = self.dice.below(self.guests.len());
                self.attend_to(guest);
                self.call_the_last_games();
                continue;
            }
            self.now = self.now.max(self.hall.deadline().expect("something is to come"));
            self.input(Input::Tick);
        }
        self.check_brackets();
        self.tally()
    }

    fn tally(&self) -> Coverage {
        let mut tally = Coverage {
            games: self.journal.finished,
            restarts: self.restarts,
            digest: self.digest.0,
            ..Coverage::default()
        };
        for record in self.journal.tournament_records() {
            match record {
                TournamentRecord::Fact(Fact::Withdrawn { why: Some(Why::Missed), .. }) => {
                    tally.missed += 1;
                }
                TournamentRecord::Fact(Fact::Reinstated { .. }) => tally.returned += 1,
                _ => {}
            }
        }
        for state in self.journal.states.values() {
            match state.tournament.phase() {
                TournamentPhase::Over => tally.over += 1,
                TournamentPhase::Cancelled => tally.cancelled += 1,
                phase => panic!("{} is {phase:?} in the end", state.convened.id),
            }
            if state.tournament.plan().format != tournament::Format::Knockout {
                let counted = |game: &&tournament::Played| game.outcome.is_some();
                let series = |pairing: &&tournament::Pairing| {
                    pairing.games.iter().filter(counted).nth(1).is_some()
                };
                tally.series += state.tournament.pairings().iter().filter(series).count();
            }
            let pairings = state.tournament.pairings().iter();
            for decision in pairings.filter_map(|pairing| pairing.decision.as_ref()) {
                match decision.how {
                    // The rules of a simulation never break.
                    How::Played | How::Void => {}
                    How::Bye => tally.byes += 1,
                    How::Forfeit => tally.forfeits += 1,
                    How::Lot => tally.lots += 1,
                    How::Adjudicated => tally.adjudicated += 1,
                    How::Withdrawn => tally.withdrawn += 1,
                }
            }
        }
        tally
    }

    fn input(&mut self, input: Input<G>) {
        let said = match &input {
            Input::Said(conn, command) => Some((*conn, command.clone())),
            _ => None,
        };
        let asked = matches!(input, Input::Asked(..));
        if let Input::Gone(conn) = &input
            && let Some(caller) = self.callers.remove(conn)
        {
            self.guests[caller.guest].conn = None;
        }
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.digest.add(&outputs);
        if let Some((conn, command)) = &said {
            check_answer(*conn, command, &outputs);
        }
        let replies = outputs.iter().filter(|output| matches!(output, Output::Reply(..))).count();
        assert_eq!(replies, usize::from(asked), "replies to an organiser");
        let mut endings = Vec::new();
        for output in &outputs {
            self.journal.keep(output);
            self.take_in(output, said.as_ref(), &mut endings);
        }
        for (tournament, left) in endings {
            assert!(left.is_empty(), "{left:?} did not hear that {tournament} is over");
        }
        self.check_laws();
    }

    /// `endings`: the tournaments that have just ended, and who has not heard it yet.
    fn take_in(
        &mut self,
        output: &Output<G>,
        said: Option<&(ConnId, Command<G>)>,
        endings: &mut Vec<(Name, Vec<ConnId>)>,
    ) {
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
            Output::Answer(conn, answer) => {
                let (_, command) = said.expect("only commands are answered");
                self.hear_answer(*conn, command, answer);
            }
            Output::Tell(conn, Event::Decided(decided)) => {
                let ending = endings.iter_mut().find(|(id, _)| *id == decided.tournament);
                match ending {
                    Some((id, left)) => {
                        let at = left.iter().position(|other| other == conn);
                        left.remove(at.unwrap_or_else(|| panic!("{conn:?} hears of {id}")));
                    }
                    None => {
                        let asker = said.filter(|(asker, command)| {
                            asker == conn
                                && matches!(
                                    command,
                                    Command::Resume(Credential::Token(_)) | Command::Attend { .. }
                                )
                        });
                        assert!(asker.is_some(), "{conn:?} hears again: {decided:?}");
                        // Any token of a tournament that is over tells of its end.
                        if !self.callers[conn].is_in(&decided.tournament) {
                            return;
                        }
                    }
                }
                self.hear_decided(*conn, decided);
            }
            Output::Tell(conn, event) => self.hear(*conn, event, said.map(|(asker, _)| *asker)),
            Output::Reply(..) | Output::Recall(_) | Output::Think(..) | Output::Listed(_) => {}
        }
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
    fn kept_for(&self, table: &str, seat: Seat) -> Option<(TournamentNo, Name)> {
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
    fn place_of(&self, table: &str, seat: Seat) -> Option<EntrantId> {
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

    fn hear_answer(&mut self, conn: ConnId, command: &Command<G>, answer: &Answer) {
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
                // Who sits or watches waits no more.
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
                // A tournament long over: there is nothing to come back to.
                self.guests[guest].claim = None;
            }
            (Command::Attend { token, .. }, Answer::Refused(_)) => {
                let invitation = &mut self.guests[guest].invitation;
                let used = invitation.take_if(|(known, _)| known == token);
                if let Some((_, place)) = used.filter(|_| *answer == ALREADY_STARTED) {
                    // The game goes on without it, the tournament does not.
                    self.take_place(conn, Some(place));
                }
            }
            _ => {}
        }
    }

    fn hear(&mut self, conn: ConnId, event: &Event<G>, asker: Option<ConnId>) {
        let caller = self.callers.get_mut(&conn).expect("somebody who is gone was told something");
        let guest = caller.guest;
        match event {
            Event::Seated(joined) => {
                let table = joined.company.table.clone();
                caller.seat = joined.seat.map(|seat| (table, seat));
                (caller.waits, caller.over, caller.watches) = (false, false, false);
                self.guests[guest].tokens.extend(joined.token.clone());
            }
            // Whoever watches a table of a lobby stays there, as everybody does elsewhere.
            Event::Over(_) if self.terms.policy.after_end == AfterEnd::Lobby && !caller.watches => {
                caller.seat = None;
            }
            Event::Over(_) => caller.over = true,
            Event::Dismissed(hall::Dismissal::TableClosed(_)) => caller.go(),
            Event::Dismissed(hall::Dismissal::Replaced) => {
                let newer = asker.and_then(|asker| self.callers.get(&asker));
                let newer = newer.map(|caller| caller.guest);
                assert_eq!(newer, Some(guest), "a stranger has taken {conn:?}'s seat");
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
            Event::Company(..) | Event::Waiting(_) | Event::Update(_) | Event::History(_) => {}
            Event::Decided(_) => unreachable!("heard elsewhere"),
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

const ALREADY_STARTED: Answer = Answer::Refused(hall::Refusal::AlreadyStarted);
