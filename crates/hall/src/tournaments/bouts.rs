//! A tournament's games: their tables, their players, their results.

use std::sync::Arc;

use rules::{Dice, Exit, Game, Seat, Seed};
use tournament::{Due, EntrantId, Fact, PairingId, Plan};

use super::{CLOSED_KEPT, GameKey};
use crate::joining::Greeting;
use crate::naming::{self, TokenHash};
use crate::opening::Purpose;
use crate::organiser::NewTable;
use crate::policy::{Policy, Start, Terms};
use crate::record::{Bout, Closing, Note, Record};
use crate::speech::{Decided, Dismissal, Event, Name, Paired};
use crate::table::{Phase, Table};
use crate::{Conn, Hall, TableNo, TournamentNo};

/// A pairing whose games come to nothing so often is decided by lot, if the game's own code is to
/// blame.
const FAULTS: usize = 3;

impl<G: Game> Hall<G> {
    /// A withdrawal, an adjudication or a cancellation leaves tables behind that decide nothing.
    pub(super) fn close_tables_not_due(&mut self, no: TournamentNo) {
        let steward = self.steward(no);
        let tournament = &steward.register.tournament;
        let is_idle = |(pairing, attempt): GameKey| {
            tournament.open_game(pairing).is_none_or(|due| due.attempt != attempt)
        };
        let tables = steward.tables.iter().map(|(game, table)| (*game, *table));
        let idle: Vec<_> = tables.filter(|(game, _)| is_idle(*game)).collect();
        for (game, table) in idle {
            self.steward_mut(no).tables.remove(&game);
            self.close(table, Closing::Void("the tournament goes on without it".to_owned()));
        }
    }

    pub(super) fn open_tables_due(&mut self, no: TournamentNo) {
        let steward = self.steward(no);
        let is_new = |due: &&Due| !steward.tables.contains_key(&key(due));
        let room = match steward.register.convened.plan.concurrency as usize {
            0 => usize::MAX,
            most => most.saturating_sub(steward.tables.len()),
        };
        let due = steward.register.tournament.due().filter(is_new).take(room);
        let due: Vec<Due> = due.cloned().collect();
        for due in due {
            if self.open_bout(no, &due).is_none() {
                self.tournaments.crowded.insert(no);
                return;
            }
        }
    }

    /// Opens the table of a game that is due and brings everybody there who is here. None: there
    /// is no room for it now.
    fn open_bout(&mut self, no: TournamentNo, due: &Due) -> Option<()> {
        let register = &self.steward(no).register;
        let convened = &register.convened;
        let bout = Bout {
            tournament: no,
            pairing: due.pairing,
            attempt: due.attempt,
            rated: convened.plan.rated,
        };
        let entrants = register.tournament.entrants();
        let seats: Vec<_> = due.seats.iter().map(|id| entrants[id.index()].clone()).collect();
        let names: Vec<Name> = seats.iter().map(|e| register.table_name(&e.name)).collect();
        let new = NewTable {
            terms: bout_terms(&convened.terms, seats.len()),
            id: None,
            reserved: names.clone(),
            seed: Some(deal(&convened.plan, due)),
            bots_at_once: false,
        };
        let no_show = self.now + convened.no_show_ms;
        let table = self.open(new, Purpose::Bout(bout)).ok()?;
        self.steward_mut(no).tables.insert(key(due), table);
        self.host_mut(table).clocks.no_show = Some(no_show);
        for (seat, (entrant, name)) in Seat::all(names.len()).zip(seats.iter().zip(&names)) {
            // Who withdrew while there was no room for the table does not sit down to it.
            if let Some(bot) = entrant.bot.as_ref().filter(|_| !entrant.withdrawn) {
                self.enter_bot(name.clone(), table, seat);
                let (name, bot) = (name.clone(), Some(Name::from(&**bot)));
                let (token, manner, person, version) = (None, None, false, None);
                let seated = Record::Seated { seat, name, token, bot, manner, person, version };
                self.record(table, seated);
            }
        }
        for (seat, name) in Seat::all(names.len()).zip(&names) {
            if self.tournaments.names.get(name) != Some(&no) {
                // It waits for a table of another tournament, or has a token here.
                continue;
            }
            if let Some(waiting) = self.tournaments.waiting.remove(name) {
                self.visitors.entry(waiting.conn).or_default().awaits = None;
                let (conn, manner) = (waiting.conn, waiting.manner);
                self.sit(conn, table, seat, name.clone(), manner, Greeting::Event);
            }
        }
        for entrant in &seats {
            if let Some(conn) = self.steward(no).present.get(&*entrant.name).copied() {
                self.tell_game(conn, no, &entrant.name, due);
            }
        }
        if self.host(table).phase() == Phase::Gathering {
            self.consider_start(table);
        }
        Some(())
    }

    /// A table that an earlier hall opened for a tournament.
    pub(crate) fn take_up_bout(&mut self, no: TableNo, table: &Table<G>) {
        if let Some(bout) = &table.opened.bout
            && let Some(steward) = self.tournaments.stewards.get_mut(&bout.tournament)
        {
            steward.tables.insert((bout.pairing, bout.attempt), no);
        }
    }

    /// After a restart, whoever is to come to a game has its time anew.
    pub(crate) fn restart_no_show(&mut self, no: TableNo, grace_ms: u64) {
        let Some(bout) = &self.host(no).table.opened.bout else { return };
        let given = self.tournament(bout.tournament).map(|register| register.convened.no_show_ms);
        let until = given.map(|ms| self.now + ms.max(grace_ms));
        self.host_mut(no).clocks.no_show = until;
    }

    /// Tells an entrant of its next game, with a fresh token to sit down with.
    pub(super) fn tell_game(&mut self, conn: Conn, no: TournamentNo, entrant: &str, due: &Due) {
        let token = naming::token(&mut self.dice);
        let (pairing, attempt) = key(due);
        self.note(
            no,
            Note::Invited {
                entrant: entrant.into(),
                pairing,
                attempt,
                token: TokenHash::of(&token),
            },
        );
        let register = &self.steward(no).register;
        let tournament = &register.tournament;
        let others = due.seats.iter().map(|id| &*tournament.entrant(*id).name);
        let others = others.filter(|name| *name != entrant);
        let others: Vec<Name> = others.map(|name| register.table_name(name)).collect();
        let paired = Paired {
            tournament: register.convened.id.clone(),
            round: tournament.pairings()[due.pairing.index()].round,
            game: Some((others, token)),
        };
        self.tell(conn, Event::Paired(Arc::new(paired)));
    }

    /// Tells those who have nobody to meet in the new round.
    pub(super) fn tell_byes(&mut self, no: TournamentNo) {
        let steward = self.steward_mut(no);
        let round = steward.register.tournament.round();
        if steward.register.closed || steward.byes_told >= round {
            return;
        }
        steward.byes_told = round;
        let steward = self.steward(no);
        let tournament = &steward.register.tournament;
        let byes = tournament.byes(round);
        let told = byes
            .into_iter()
            .filter_map(|entrant| steward.present.get(&*tournament.entrant(entrant).name).copied());
        let told: Vec<Conn> = told.collect();
        for conn in told {
            self.tell_bye(conn, no, round);
        }
    }

    pub(super) fn tell_bye(&mut self, conn: Conn, no: TournamentNo, round: u32) {
        let tournament = self.steward(no).register.convened.id.clone();
        self.tell(conn, Event::Paired(Arc::new(Paired { tournament, round, game: None })));
    }

    /// The table of a game has closed: this is the result, or the game is played again.
    pub(crate) fn bout_ended(&mut self, table: TableNo) {
        self.tournaments.stirred.append(&mut self.tournaments.crowded);
        let played = &self.host(table).table;
        let Some(bout) = &played.opened.bout else { return };
        let (no, pairing) = (bout.tournament, bout.pairing);
        let attempt = bout.attempt;
        let broken = self.host(table).broken && self.games_void(no, pairing) + 1 >= FAULTS;
        let fact = match &played.closing {
            Some(Closing::Over(outcome)) => {
                Fact::Played { pairing, attempt, outcome: outcome.clone() }
            }
            _ if broken => Fact::Forfeited { pairing, broken },
            _ => Fact::Void { pairing, attempt },
        };
        let game = (pairing, attempt);
        let steward = self.tournaments.stewards.get_mut(&no);
        if steward.is_some_and(|steward| steward.tables.remove(&game).is_some()) {
            // A game on a table is due, and one that is due may end in any way.
            let told = self.fact(no, fact);
            debug_assert_eq!(told, Ok(()));
        }
    }

    /// How many games of a pairing have come to nothing.
    fn games_void(&self, no: TournamentNo, pairing: PairingId) -> usize {
        let pairings = self.tournament(no).map_or(&[][..], |r| r.tournament.pairings());
        let games = pairings.get(pairing.index()).map_or(&[][..], |pairing| &pairing.games);
        games.iter().filter(|game| game.outcome.is_none()).count()
    }

    /// Whoever is to withdraw leaves its game first, as if by itself: its opponents hear of having
    /// won, or play on.
    pub(super) fn take_from_table(&mut self, no: TournamentNo, entrant: &str) {
        let steward = self.steward(no);
        let tournament = &steward.register.tournament;
        let due = tournament.find(entrant).and_then(|id| tournament.open_game_of(id));
        let table = due.and_then(|due| steward.tables.get(&key(due)).copied());
        let name = steward.register.table_name(entrant);
        let Some(table) = table else { return };
        let Some(seat) = self.host(table).table.own_seat(&name) else { return };
        match self.host(table).phase() {
            Phase::Playing => self.retire(table, vec![(seat, Exit::Left)]),
            Phase::Gathering => {
                if let Some(conn) = self.host(table).present[seat.index()] {
                    self.unbind(conn);
                    let reason = "you have withdrawn from the tournament".to_owned();
                    self.tell(conn, Event::Dismissed(Dismissal::TableClosed(reason)));
                }
                self.unseat_person(&name, table);
                self.free_seat(table, seat);
            }
            Phase::Closed => {}
        }
    }

    /// The time to come has run out: the game begins, and whoever is not there is out of it.
    pub(crate) fn start_without_absent(&mut self, table: TableNo) {
        let host = self.host(table);
        let Some(bout) = host.table.opened.bout.clone() else { return };
        if host.phase() != Phase::Gathering {
            return;
        }
        let is_here = |seat: Seat| host.bot(seat).is_some() || host.present[seat.index()].is_some();
        let absent: Vec<Seat> =
            Seat::all(host.table.chairs.len()).filter(|seat| !is_here(*seat)).collect();
        if absent.len() == host.table.chairs.len() {
            self.steward_mut(bout.tournament).tables.remove(&(bout.pairing, bout.attempt));
            let told = self
                .fact(bout.tournament, Fact::Forfeited { pairing: bout.pairing, broken: false });
            debug_assert_eq!(told, Ok(()));
            return self.close(table, Closing::Void("nobody came".to_owned()));
        }
        let absent = self.take_out(table, absent);
        self.start_without(table, absent);
    }

    /// Everybody has a reserved seat, so the start leaves them where they are; whoever is not there
    /// sits only to be out of the game.
    pub(crate) fn take_out(&mut self, table: TableNo, absent: Vec<Seat>) -> Vec<(Seat, Exit)> {
        let given_up = self.seats_given_up(table);
        let host = self.host(table);
        let why = |seat: Seat| match given_up.iter().find(|(other, _)| *other == seat) {
            Some((_, exit)) => exit.clone(),
            None if host.table.chair(seat).is_some() => Exit::Lost,
            None => Exit::NeverCame,
        };
        let out: Vec<_> = absent.into_iter().map(|seat| (seat, why(seat))).collect();
        for (seat, _) in &out {
            let host = self.host(table);
            if host.table.chair(*seat).is_none() {
                let name = host.table.opened.reserved[seat.index()].clone();
                let (seat, person) = (*seat, false);
                let (token, bot, manner, version) = (None, None, None, None);
                let seated = Record::Seated { seat, name, token, bot, manner, person, version };
                self.record(table, seated);
            }
            self.forget_token(table, *seat);
        }
        out
    }

    /// Seats of a game that has not begun to which nobody can come any more, and why: their
    /// entrants have withdrawn, or their programs have ended.
    pub(crate) fn seats_given_up(&self, table: TableNo) -> Vec<(Seat, Exit)> {
        let host = self.host(table);
        let bout = host.table.opened.bout.as_ref().filter(|_| host.phase() == Phase::Gathering);
        let tournament = bout.and_then(|bout| Some(&self.tournament(bout.tournament)?.tournament));
        let (Some(bout), Some(tournament)) = (bout, tournament) else { return Vec::new() };
        let Some(due) = tournament.open_game(bout.pairing) else { return Vec::new() };
        let seats = Seat::all(due.seats.len()).zip(&due.seats);
        let why = |(seat, id): (Seat, &EntrantId)| match tournament.entrant(*id).withdrawn {
            true => Some((seat, Exit::Left)),
            false => host.crashed.contains(seat).then_some((seat, Exit::Crashed)),
        };
        seats.filter_map(why).collect()
    }

    /// Whoever waits for nobody but those who have withdrawn waits no more.
    pub(super) fn start_where_all_have_come(&mut self, no: TournamentNo) {
        let tables: Vec<TableNo> = self.steward(no).tables.values().copied().collect();
        for table in tables {
            if !self.seats_given_up(table).is_empty() {
                self.consider_start(table);
            }
        }
    }

    /// Ends a tournament that is decided or called off.
    pub(super) fn end_if_over(&mut self, no: TournamentNo) {
        let steward = self.steward(no);
        if steward.register.closed || !steward.register.is_over() {
            return;
        }
        let present: Vec<Conn> = steward.present.values().copied().collect();
        let decided = self.decided(no);
        self.note(no, Note::Closed);
        for conn in present {
            self.tell(conn, decided.clone());
        }
        self.let_go_of_waiting();
        self.tournaments.closed.push_back(no);
        if self.tournaments.closed.len() > CLOSED_KEPT {
            let oldest = self.tournaments.closed.pop_front().expect("just pushed");
            self.forget_tournament(oldest);
        }
    }

    pub(super) fn decided(&self, no: TournamentNo) -> Event<G> {
        let register = &self.steward(no).register;
        let winner = register.tournament.winner();
        let winner =
            winner.map(|id: EntrantId| register.table_name(&register.tournament.entrant(id).name));
        let tournament = register.convened.id.clone();
        Event::Decided(Arc::new(Decided { tournament, winner }))
    }

    fn forget_tournament(&mut self, no: TournamentNo) {
        let Some(steward) = self.tournaments.stewards.remove(&no) else { return };
        let id = &steward.register.convened.id;
        if self.tournaments.ids.get(id) == Some(&no) {
            self.tournaments.ids.remove(id);
        }
        self.tournaments.claims.retain(|_, (owner, _)| *owner != no);
        self.tournaments.invitations.retain(|_, owner| *owner != no);
        self.tournaments.crowded.remove(&no);
        for conn in steward.present.into_values() {
            self.visitors.entry(conn).or_default().entrant = None;
        }
    }
}

pub(super) fn key(due: &Due) -> GameKey {
    (due.pairing, due.attempt)
}

/// The chance of a game: the same plan deals the same cards to the same game. Nobody who knows the
/// deal of one game can tell that of another.
fn deal(plan: &Plan, due: &Due) -> Seed {
    let game = u64::from(due.pairing.0) << 32 | u64::from(due.attempt);
    Dice::new(&plan.seed.unwrap_or(Seed([0; 32])), "deal", game).seed()
}

/// A game of a tournament waits for its players alone, and for all of them.
pub(super) fn bout_terms<G: Game>(terms: &Terms<G>, seats: usize) -> Terms<G> {
    let start = match terms.policy.start {
        Start::WhenGathered { .. } => Start::WhenFull { ready_grace_ms: 0 },
        Start::OnCall { .. } => Start::OnCall { min: seats },
        start => start,
    };
    let policy = Policy { seats, start, house_bots: Vec::new(), ..terms.policy.clone() };
    Terms { config: terms.config.clone(), policy }
}
