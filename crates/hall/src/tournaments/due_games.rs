//! A tournament's games: their tables, their players, their results.

use std::sync::Arc;

use rules::{Dice, Exit, Game, Seat, Seed};
use tournament::{DueGame, EntrantId, Fact, PairingId, Plan};

use super::record::TournamentRecord;
use super::{CLOSED_KEPT, GameKey};
use crate::Hall;
use crate::joining::Greeting;
use crate::lists::Listing;
use crate::naming;
use crate::opening::Purpose;
use crate::organiser::NewTable;
use crate::speech::{Decided, Event, Paired};
use table::{
    Closing, ConnId, Dismissal, GameRef, Name, Phase, Policy, Start, Table, TableNo, TableRecord,
    Terms, TokenHash, TournamentNo,
};

/// A pairing whose games come to nothing so often is decided by lot, if the game's own code is to
/// blame.
const FAULTS: usize = 3;

impl<G: Game> Hall<G> {
    /// A withdrawal, an adjudication or a cancellation leaves tables behind that decide nothing.
    pub(super) fn close_tables_not_due(&mut self, no: TournamentNo) {
        let live_tournament = self.live_tournament(no);
        let tournament = &live_tournament.state.tournament;
        let is_idle = |(pairing, attempt): GameKey| {
            tournament.open_game(pairing).is_none_or(|due| due.attempt != attempt)
        };
        let tables = live_tournament.tables.iter().map(|(game, table)| (*game, *table));
        let idle: Vec<_> = tables.filter(|(game, _)| is_idle(*game)).collect();
        for (game, table) in idle {
            self.live_tournament_mut(no).tables.remove(&game);
            self.close(table, Closing::Void("the tournament goes on without it".to_owned()));
        }
    }

    pub(super) fn open_tables_due(&mut self, no: TournamentNo) {
        let live_tournament = self.live_tournament(no);
        let is_new = |due: &&DueGame| !live_tournament.tables.contains_key(&key(due));
        let room = match live_tournament.state.convened.plan.concurrency as usize {
            0 => usize::MAX,
            most => most.saturating_sub(live_tournament.tables.len()),
        };
        let due = live_tournament.state.tournament.due().filter(is_new).take(room);
        let due: Vec<DueGame> = due.cloned().collect();
        for due in due {
            if self.open_bout(no, &due).is_none() {
                self.tournaments.crowded.insert(no);
                return;
            }
        }
    }

    /// Opens the table of a game that is due and brings everybody there who is here. None: there
    /// is no room for it now.
    fn open_bout(&mut self, no: TournamentNo, due: &DueGame) -> Option<()> {
        let state = &self.live_tournament(no).state;
        let convened = &state.convened;
        let game_ref = GameRef {
            tournament: no,
            pairing: due.pairing.0,
            attempt: due.attempt,
            rated: convened.plan.rated,
        };
        let entrants = state.tournament.entrants();
        let seats: Vec<_> = due.seats.iter().map(|id| entrants[id.index()].clone()).collect();
        let names: Vec<Name> = seats.iter().map(|e| state.table_name(&e.name)).collect();
        let new = NewTable {
            terms: bout_terms(&convened.terms, seats.len()),
            id: None,
            reserved: names.clone(),
            seed: Some(deal(&convened.plan, due)),
            bots_at_once: false,
        };
        let no_show = self.now + convened.no_show_ms;
        let table = self.open(new, Purpose::GameRef(game_ref)).ok()?;
        self.live_tournament_mut(no).tables.insert(key(due), table);
        self.live_mut(table).clocks.no_show = Some(no_show);
        for (seat, (entrant, name)) in Seat::all(names.len()).zip(seats.iter().zip(&names)) {
            // Who withdrew while there was no room for the table does not sit down to it.
            if let Some(bot) = entrant.bot.as_ref().filter(|_| !entrant.withdrawn) {
                self.enter_bot(name.clone(), table, seat);
                let (name, bot) = (name.clone(), Some(Name::from(&**bot)));
                let (token, joined_via, person, version) = (None, None, false, None);
                let seated =
                    TableRecord::Seated { seat, name, token, bot, joined_via, person, version };
                self.record(table, seated);
            }
        }
        for (seat, name) in Seat::all(names.len()).zip(&names) {
            if self.tournaments.names.get(name) != Some(&no) {
                // It waits for a table of another tournament, or has a token here.
                continue;
            }
            if let Some(waiting) = self.remove_waiting(name) {
                self.visitors.entry(waiting.conn).or_default().awaits = None;
                let (conn, joined_via) = (waiting.conn, waiting.joined_via);
                self.sit(conn, table, seat, name.clone(), joined_via, Greeting::Event);
            }
        }
        for entrant in &seats {
            if let Some(conn) = self.live_tournament(no).present.get(&*entrant.name).copied() {
                self.tell_game(conn, no, &entrant.name, due);
            }
        }
        if self.live(table).phase() == Phase::Gathering {
            self.consider_start(table);
        }
        Some(())
    }

    /// A table that an earlier hall opened for a tournament.
    pub(crate) fn take_up_bout(&mut self, no: TableNo, table: &Table<G>) {
        if let Some(game_ref) = &table.opened().game_ref
            && let Some(live_tournament) = self.tournaments.live.get_mut(&game_ref.tournament)
        {
            live_tournament.tables.insert((PairingId(game_ref.pairing), game_ref.attempt), no);
        }
    }

    /// After a restart, whoever is to come to a game has its time anew.
    pub(crate) fn restart_no_show(&mut self, no: TableNo, grace_ms: u64) {
        let Some(game_ref) = &self.live(no).table.opened().game_ref else { return };
        let given = self.tournament(game_ref.tournament).map(|state| state.convened.no_show_ms);
        let until = given.map(|ms| self.now + ms.max(grace_ms));
        self.live_mut(no).clocks.no_show = until;
    }

    /// Tells an entrant of its next game, with a fresh token to sit down with.
    pub(super) fn tell_game(
        &mut self,
        conn: ConnId,
        no: TournamentNo,
        entrant: &str,
        due: &DueGame,
    ) {
        let token = naming::token(&mut self.dice);
        let (pairing, attempt) = key(due);
        self.record_tournament(
            no,
            TournamentRecord::Invited {
                entrant: entrant.into(),
                pairing,
                attempt,
                token: TokenHash::of(&token),
            },
        );
        let state = &self.live_tournament(no).state;
        let tournament = &state.tournament;
        let others = due.seats.iter().map(|id| &*tournament.entrant(*id).name);
        let others = others.filter(|name| *name != entrant);
        let others: Vec<Name> = others.map(|name| state.table_name(name)).collect();
        let paired = Paired {
            tournament: state.convened.id.clone(),
            round: tournament.pairings()[due.pairing.index()].round,
            game: Some((others, token)),
        };
        self.tell(conn, Event::Paired(Arc::new(paired)));
    }

    /// Tells those who have nobody to meet in the new round.
    pub(super) fn tell_byes(&mut self, no: TournamentNo) {
        let live_tournament = self.live_tournament_mut(no);
        let round = live_tournament.state.tournament.round();
        if live_tournament.state.closed || live_tournament.byes_told >= round {
            return;
        }
        live_tournament.byes_told = round;
        let live_tournament = self.live_tournament(no);
        let tournament = &live_tournament.state.tournament;
        let byes = tournament.byes(round);
        let told = byes.into_iter().filter_map(|entrant| {
            live_tournament.present.get(&*tournament.entrant(entrant).name).copied()
        });
        let told: Vec<ConnId> = told.collect();
        for conn in told {
            self.tell_bye(conn, no, round);
        }
    }

    pub(super) fn tell_bye(&mut self, conn: ConnId, no: TournamentNo, round: u32) {
        let tournament = self.live_tournament(no).state.convened.id.clone();
        self.tell(conn, Event::Paired(Arc::new(Paired { tournament, round, game: None })));
    }

    /// The table of a game has closed: this is the result, or the game is played again.
    pub(crate) fn bout_ended(&mut self, table: TableNo) {
        self.tournaments.stirred.append(&mut self.tournaments.crowded);
        let played = &self.live(table).table;
        let Some(game_ref) = &played.opened().game_ref else { return };
        let (no, pairing) = (game_ref.tournament, PairingId(game_ref.pairing));
        let attempt = game_ref.attempt;
        let broken = self.live(table).broken && self.games_void(no, pairing) + 1 >= FAULTS;
        let fact = match played.closing() {
            Some(Closing::Over(outcome)) => {
                Fact::Played { pairing, attempt, outcome: outcome.clone() }
            }
            _ if broken => Fact::Forfeited { pairing, broken },
            _ => Fact::Void { pairing, attempt },
        };
        let game = (pairing, attempt);
        let live_tournament = self.tournaments.live.get_mut(&no);
        if live_tournament
            .is_some_and(|live_tournament| live_tournament.tables.remove(&game).is_some())
        {
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
        let live_tournament = self.live_tournament(no);
        let tournament = &live_tournament.state.tournament;
        let due = tournament.find(entrant).and_then(|id| tournament.open_game_of(id));
        let table = due.and_then(|due| live_tournament.tables.get(&key(due)).copied());
        let name = live_tournament.state.table_name(entrant);
        let Some(table) = table else { return };
        let Some(seat) = self.live(table).table.own_seat(&name) else { return };
        match self.live(table).phase() {
            Phase::Playing => self.retire(table, vec![(seat, Exit::Left)]),
            Phase::Gathering => {
                if let Some(conn) = self.live(table).present[seat.index()] {
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
        let live = self.live(table);
        let Some(game_ref) = live.table.opened().game_ref.clone() else { return };
        if live.phase() != Phase::Gathering {
            return;
        }
        let is_here = |seat: Seat| live.bot(seat).is_some() || live.present[seat.index()].is_some();
        let absent: Vec<Seat> =
            Seat::all(live.table.seats()).filter(|seat| !is_here(*seat)).collect();
        if absent.len() == live.table.seats() {
            self.live_tournament_mut(game_ref.tournament)
                .tables
                .remove(&(PairingId(game_ref.pairing), game_ref.attempt));
            let told = self.fact(
                game_ref.tournament,
                Fact::Forfeited { pairing: PairingId(game_ref.pairing), broken: false },
            );
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
        let live = self.live(table);
        let why = |seat: Seat| match given_up.iter().find(|(other, _)| *other == seat) {
            Some((_, exit)) => exit.clone(),
            None if live.table.chair(seat).is_some() => Exit::Lost,
            None => Exit::NeverCame,
        };
        let out: Vec<_> = absent.into_iter().map(|seat| (seat, why(seat))).collect();
        for (seat, _) in &out {
            let live = self.live(table);
            if live.table.chair(*seat).is_none() {
                let name = live.table.opened().reserved[seat.index()].clone();
                let (seat, person) = (*seat, false);
                let (token, bot, joined_via, version) = (None, None, None, None);
                let seated =
                    TableRecord::Seated { seat, name, token, bot, joined_via, person, version };
                self.record(table, seated);
            }
            self.forget_token(table, *seat);
        }
        out
    }

    /// Seats of a game that has not begun to which nobody can come any more, and why: their
    /// entrants have withdrawn, or their programs have ended.
    #[doc(hidden)]
    pub fn seats_given_up(&self, table: TableNo) -> Vec<(Seat, Exit)> {
        let live = self.live(table);
        let game_ref =
            live.table.opened().game_ref.as_ref().filter(|_| live.phase() == Phase::Gathering);
        let tournament =
            game_ref.and_then(|game_ref| Some(&self.tournament(game_ref.tournament)?.tournament));
        let (Some(game_ref), Some(tournament)) = (game_ref, tournament) else { return Vec::new() };
        let Some(due) = tournament.open_game(PairingId(game_ref.pairing)) else {
            return Vec::new();
        };
        let seats = Seat::all(due.seats.len()).zip(&due.seats);
        let why = |(seat, id): (Seat, &EntrantId)| match tournament.entrant(*id).withdrawn {
            true => Some((seat, Exit::Left)),
            false => live.crashed.contains(seat).then_some((seat, Exit::Crashed)),
        };
        seats.filter_map(why).collect()
    }

    /// Whoever waits for nobody but those who have withdrawn waits no more.
    pub(super) fn start_where_all_have_come(&mut self, no: TournamentNo) {
        let tables: Vec<TableNo> = self.live_tournament(no).tables.values().copied().collect();
        for table in tables {
            if !self.seats_given_up(table).is_empty() {
                self.consider_start(table);
            }
        }
    }

    /// Ends a tournament that is decided or called off.
    pub(super) fn end_if_over(&mut self, no: TournamentNo) {
        let live_tournament = self.live_tournament(no);
        if live_tournament.state.closed || !live_tournament.state.is_over() {
            return;
        }
        let present: Vec<ConnId> = live_tournament.present.values().copied().collect();
        let decided = self.decided(no);
        self.record_tournament(no, TournamentRecord::Closed);
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
        let state = &self.live_tournament(no).state;
        let winner = state.tournament.winner();
        let winner =
            winner.map(|id: EntrantId| state.table_name(&state.tournament.entrant(id).name));
        let tournament = state.convened.id.clone();
        Event::Decided(Arc::new(Decided { tournament, winner }))
    }

    fn forget_tournament(&mut self, no: TournamentNo) {
        let Some(live_tournament) = self.tournaments.live.remove(&no) else { return };
        self.listed.push(Listing::TournamentForgotten(no));
        let id = &live_tournament.state.convened.id;
        if self.tournaments.ids.get(id) == Some(&no) {
            self.tournaments.ids.remove(id);
        }
        self.tournaments.claims.retain(|_, (owner, _)| *owner != no);
        self.tournaments.invitations.retain(|_, owner| *owner != no);
        self.tournaments.crowded.remove(&no);
        for conn in live_tournament.present.into_values() {
            self.visitors.entry(conn).or_default().entrant = None;
        }
    }
}

pub(super) fn key(due: &DueGame) -> GameKey {
    (due.pairing, due.attempt)
}

/// The chance of a game: the same plan deals the same cards to the same game. Nobody who knows the
/// deal of one game can tell that of another.
fn deal(plan: &Plan, due: &DueGame) -> Seed {
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
