//! A tournament's games: their tables, their players, their results.

use std::sync::Arc;

use rules::{Game, Seat, SeatSet};
use table::{
    BotSeat, Closing, ConnId, GameRef, Name, Occasion, Policy, Start, TableInput, TableNo, Terms,
    TokenHash, TournamentNo,
};
use tournament::{Deals, DueGame, Fact, PairingId};

use super::ladders::Minding;
use super::{GameKey, TournamentEntry, TournamentInfo, TournamentRecord, TournamentState};
use crate::kept_names::KeptName;
use crate::lobby::NewGame;
use crate::{Hall, Listing, NewTable, Output, Refusal};

/// A pairing whose games come to nothing so often is decided by lot, if the game's own code is to
/// blame.
const FAULTS: usize = 3;

impl<G: Game> Hall<G> {
    /// Lets everything that has happened to tournaments have its consequences.
    pub(crate) fn mind_tournaments(&mut self) {
        self.hear_results();
        // What is left to do is done after the next start.
        if self.desk.premises.is_shutting_down() {
            return;
        }
        while let Some(no) = self.tournaments.stirred.pop_first() {
            self.withdraw_missing(no);
            Minding::of(self, no).into_iter().for_each(Minding::mind);
            self.close_tables_not_due(no);
            self.open_tables_due(no);
            self.start_where_all_have_come(no);
            self.tournaments.tell_byes(&mut self.desk, no);
            self.end_if_over(no);
        }
    }

    /// Writes a record and folds it in: the only way a tournament changes.
    pub(super) fn record_tournament(&mut self, no: TournamentNo, record: TournamentRecord<G>) {
        let live = self.tournaments.live_mut(no);
        live.records += 1;
        // Without an end, tokens that are for nothing any more would pile up.
        let old = match &record {
            TournamentRecord::Claimed { entrant, .. }
                if live.state.tournament.ladder().is_some() =>
            {
                live.state.claims.get(entrant).cloned()
            }
            _ => None,
        };
        let applied = live.state.apply(&record);
        applied.expect("a fact is checked before it is written down");
        if let Some(old) = old {
            self.tournaments.claims.remove(&old);
        }
        match &record {
            TournamentRecord::Claimed { entrant, token } => {
                self.tournaments.claims.insert(token.clone(), (no, entrant.clone()));
            }
            TournamentRecord::Invited { token, .. } => {
                self.tournaments.invitations.insert(token.clone(), no);
            }
            _ => {}
        }
        self.keep_names(no, &record);
        let info = matches!(record, TournamentRecord::Closed);
        let info = info.then(|| self.tournament_info(no)).flatten().map(Box::new);
        self.write_down(no, Arc::new(record), info);
    }

    pub(super) fn write_down(
        &mut self,
        tournament: TournamentNo,
        record: Arc<TournamentRecord<G>>,
        info: Option<Box<TournamentInfo>>,
    ) {
        let entry = TournamentEntry {
            tournament,
            at: self.desk.now,
            cause: self.desk.cause,
            record,
            info: None,
        };
        self.desk.listed.push(Listing::Happened(entry.tournament, entry.record.clone()));
        self.desk.out.push(Output::TournamentRecord(TournamentEntry { info, ..entry }));
    }

    /// Keeps the names at the tables of those entrants who have no token for them.
    fn keep_names(&mut self, no: TournamentNo, record: &TournamentRecord<G>) {
        let names = self.desk.premises.kept_names();
        let state = &self.tournaments.live(no).state;
        match record {
            TournamentRecord::Fact(Fact::Entered { name, .. }) => {
                names.keep(state.table_name(name), kept(state, no, name));
            }
            TournamentRecord::PlaysAs { entrant, .. } => {
                names.release(entrant, no);
                names.keep(state.table_name(entrant), kept(state, no, entrant));
            }
            TournamentRecord::Claimed { entrant, .. } => {
                names.release(&state.table_name(entrant), no);
            }
            TournamentRecord::Fact(Fact::Withdrawn { .. } | Fact::Reinstated { .. })
            | TournamentRecord::Closed => self.keep_all_names(no),
            _ => {}
        }
    }

    pub(crate) fn keep_all_names(&mut self, no: TournamentNo) {
        let names = self.desk.premises.kept_names();
        let state = &self.tournaments.live(no).state;
        names.release_all(no);
        for entrant in state.tournament.entrants() {
            let by_name = !entrant.withdrawn && !state.claims.contains_key(&*entrant.name);
            if by_name && !state.closed {
                let kept = kept(state, no, &entrant.name);
                names.keep(state.table_name(&entrant.name), kept);
            }
        }
    }

    /// Something happens to a tournament, if it can.
    pub(super) fn fact(&mut self, no: TournamentNo, fact: Fact) -> Result<(), Refusal> {
        self.tournaments.check(no, &fact)?;
        self.record_tournament(no, TournamentRecord::Fact(fact));
        self.tournaments.stirred.insert(no);
        Ok(())
    }

    /// Closes a table that decides nothing.
    fn close_table(&mut self, table: TableNo, reason: &str) {
        self.lobby.whereabouts.run(&mut self.desk, table, TableInput::Closed(reason.to_owned()));
        self.hear_results();
    }

    /// A withdrawal, an adjudication or a cancellation leaves tables behind that decide nothing.
    fn close_tables_not_due(&mut self, no: TournamentNo) {
        let live = self.tournaments.live_mut(no);
        let tournament = &live.state.tournament;
        let is_idle = |(pairing, attempt): GameKey| {
            tournament.open_game(pairing).is_none_or(|due| due.attempt != attempt)
        };
        let idle: Vec<_> = live.tables.extract_if(.., |game, _| is_idle(*game)).collect();
        for (_, table) in idle {
            self.close_table(table, "the tournament goes on without it");
        }
    }

    fn open_tables_due(&mut self, no: TournamentNo) {
        let live = self.tournaments.live(no);
        let is_new = |due: &&DueGame| !live.tables.contains_key(&key(due));
        let room = match live.state.convened.plan.concurrency as usize {
            0 => usize::MAX,
            most => most.saturating_sub(live.tables.len()),
        };
        let due = live.state.tournament.due().filter(is_new).take(room);
        let due: Vec<DueGame> = due.cloned().collect();
        for due in due {
            if self.open_table_of(no, &due).is_err() {
                self.tournaments.crowded.insert(no);
                return;
            }
        }
    }

    /// Opens the table of a game that is due and brings everybody there who is here, unless there
    /// is no room for it now.
    fn open_table_of(&mut self, no: TournamentNo, due: &DueGame) -> Result<(), Refusal> {
        let game = new_game(&self.tournaments.live(no).state, no, due);
        let table = self.lobby.open_game(&mut self.desk, game)?;
        self.tournaments.live_mut(no).tables.insert(key(due), table);
        let (pairing, attempt) = key(due);
        let id = self.lobby.whereabouts.tables.live(table).table().opened().id.clone();
        self.record_tournament(no, TournamentRecord::Opened { pairing, attempt, table: id });
        let live = self.tournaments.live(no);
        let entrants = due.seats.iter().map(|id| &live.state.tournament.entrant(*id).name);
        let present = entrants.filter_map(|name| Some((name.clone(), *live.present.get(&**name)?)));
        for (entrant, conn) in present.collect::<Vec<_>>() {
            self.invite(conn, no, &entrant, due);
        }
        self.lobby.whereabouts.run(&mut self.desk, table, TableInput::Gathered);
        self.hear_results();
        Ok(())
    }

    /// A table that an earlier hall opened for a tournament, which may know it.
    pub(crate) fn take_up_game(&mut self, table: TableNo, game: &GameRef) -> Option<Occasion> {
        let live = self.tournaments.live.get_mut(&game.tournament)?;
        let pairing = PairingId(game.pairing);
        live.tables.insert((pairing, game.attempt), table);
        Some(occasion(&live.state, live.state.tournament.open_game(pairing)?))
    }

    /// Tells an entrant of its next game, with a fresh token to sit down with.
    pub(super) fn invite(&mut self, conn: ConnId, no: TournamentNo, entrant: &str, due: &DueGame) {
        let token = self.desk.token();
        let (pairing, attempt) = key(due);
        let invited = TournamentRecord::Invited {
            entrant: entrant.into(),
            pairing,
            attempt,
            token: TokenHash::of(&token),
        };
        self.record_tournament(no, invited);
        self.tournaments.tell_game(&mut self.desk, conn, no, entrant, (due, token));
    }

    /// Tables have closed: a game's result is a fact, or the game is played again.
    pub(super) fn hear_results(&mut self) {
        for ended in self.lobby.whereabouts.take_ended() {
            self.tournaments.try_again();
            let Some(GameRef { tournament: no, pairing, attempt, .. }) = ended.game else {
                continue;
            };
            let pairing = PairingId(pairing);
            let broken = ended.broken && self.games_void(no, pairing) + 1 >= FAULTS;
            let fact = match ended.closing {
                Closing::Over(outcome) => Fact::Played { pairing, attempt, outcome },
                Closing::Void(_) => match ended.nobody_came {
                    Some(exits) => Fact::Forfeited { pairing, broken, exits },
                    None if broken => Fact::Forfeited { pairing, broken, exits: Vec::new() },
                    None => Fact::Void { pairing, attempt },
                },
            };
            let live = self.tournaments.live.get_mut(&no);
            if live.is_some_and(|live| live.tables.remove(&(pairing, attempt)).is_some()) {
                // A game on a table is due, and one that is due may end in any way.
                let told = self.fact(no, fact);
                debug_assert_eq!(told, Ok(()));
            }
        }
    }

    /// How many games of a pairing have come to nothing.
    fn games_void(&self, no: TournamentNo, pairing: PairingId) -> usize {
        let live = self.tournaments.get(no);
        let pairing = live.and_then(|live| live.state.tournament.find_pairing(pairing));
        let games = pairing.map_or(&[][..], |pairing| &pairing.games);
        games.iter().filter(|game| game.outcome.is_none()).count()
    }

    /// Whoever is to withdraw leaves its game first, as if by itself: its opponents hear of having
    /// won, or play on.
    pub(super) fn take_from_table(&mut self, no: TournamentNo, entrant: &str) {
        let live = self.tournaments.live(no);
        let tournament = &live.state.tournament;
        let due = tournament.find(entrant).and_then(|id| tournament.open_game_of(id));
        let table = due.and_then(|due| live.tables.get(&key(due)).copied());
        let name = live.state.table_name(entrant);
        if let Some(table) = table
            && let Some(seat) = self.lobby.whereabouts.tables.live(table).table().own_seat(&name)
        {
            let reason = "you have withdrawn from the tournament";
            self.lobby.whereabouts.take_out(&mut self.desk, table, seat, reason);
            self.hear_results();
        }
    }

    /// Whoever waits for nobody but those who have withdrawn waits no more.
    fn start_where_all_have_come(&mut self, no: TournamentNo) {
        let live = self.tournaments.live(no);
        let open = |((pairing, _), table): (&GameKey, &TableNo)| {
            let due = live.state.tournament.open_game(*pairing)?;
            Some((*table, withdrawn(&live.state, due)))
        };
        let tables: Vec<(TableNo, SeatSet)> = live.tables.iter().filter_map(open).collect();
        for (table, seats) in tables {
            let whereabouts = &mut self.lobby.whereabouts;
            whereabouts.run(&mut self.desk, table, TableInput::Withdrawn(seats));
            if !seats.is_empty() {
                whereabouts.run(&mut self.desk, table, TableInput::Gathered);
            }
            self.hear_results();
        }
    }

    /// Ends a tournament that is decided or called off.
    fn end_if_over(&mut self, no: TournamentNo) {
        let live = self.tournaments.live(no);
        if live.state.closed || !live.state.is_over() {
            return;
        }
        let present: Vec<ConnId> = live.present.values().copied().collect();
        let decided = self.tournaments.decided(no);
        self.record_tournament(no, TournamentRecord::Closed);
        for conn in present {
            self.desk.tell(conn, decided.clone());
        }
        self.lobby.let_go_of_waiting(&mut self.desk);
        self.tournaments.retire(&mut self.desk, no);
    }
}

pub(super) fn key(due: &DueGame) -> GameKey {
    (due.pairing, due.attempt)
}

fn kept<G: Game>(state: &TournamentState<G>, tournament: TournamentNo, entrant: &str) -> KeptName {
    let found = state.tournament.find(entrant).map(|id| state.tournament.entrant(id));
    KeptName { tournament, bot: found.is_some_and(|entrant| entrant.bot.is_some()) }
}

/// The seats of a game whose entrants have withdrawn.
fn withdrawn<G: Game>(state: &TournamentState<G>, due: &DueGame) -> SeatSet {
    let seats = Seat::all(due.seats.len()).zip(&due.seats);
    let gone = seats.filter(|(_, id)| state.tournament.entrant(**id).withdrawn);
    gone.map(|(seat, _)| seat).collect()
}

/// What the table of a game must know of it.
fn occasion<G: Game>(state: &TournamentState<G>, due: &DueGame) -> Occasion {
    let entrants = due.seats.iter().map(|id| Name::from(&*state.tournament.entrant(*id).name));
    let entrants: Vec<Name> = entrants.collect();
    Occasion {
        no_show_ms: state.convened.no_show_ms,
        versions: entrants.iter().map(|name| state.versions.get(name).cloned()).collect(),
        entrants,
        withdrawn: withdrawn(state, due),
    }
}

/// A game that is due, as the lobby is asked for it.
fn new_game<G: Game>(
    state: &TournamentState<G>,
    tournament: TournamentNo,
    due: &DueGame,
) -> NewGame<G> {
    let convened = &state.convened;
    let DueGame { pairing, attempt, seats } = due;
    let (rated, repeats) = (convened.plan.rated, convened.plan.deals == Deals::Repeat);
    let entrants: Vec<_> = seats.iter().map(|id| state.tournament.entrant(*id)).collect();
    let names: Vec<Name> = entrants.iter().map(|e| state.table_name(&e.name)).collect();
    let mut displays: Vec<Option<Name>> =
        entrants.iter().map(|e| state.displays.get(&*e.name).cloned()).collect();
    if displays.iter().all(Option::is_none) {
        displays.clear();
    }
    let seated = Seat::all(names.len()).zip(entrants.iter().zip(&names));
    // Who withdrew while there was no room for the table does not sit down to it.
    let bots = seated.filter(|(_, (entrant, _))| !entrant.withdrawn);
    let bots = bots.filter_map(|(seat, (entrant, name))| {
        let strategy = Name::from(&**entrant.bot.as_ref()?);
        Some(BotSeat { seat, name: name.clone(), strategy })
    });
    NewGame {
        bots: bots.collect(),
        table: NewTable {
            terms: terms_of_game(&convened.terms, seats.len()),
            id: None,
            reserved: names.clone(),
            seed: Some(state.tournament.deal(due)),
            bots_at_once: false,
        },
        game: GameRef {
            tournament,
            pairing: pairing.0,
            attempt: *attempt,
            rated,
            repeats,
            displays,
        },
        occasion: occasion(state, due),
    }
}

/// A game of a tournament waits for its players alone, and for all of them.
pub(super) fn terms_of_game<G: Game>(terms: &Terms<G>, seats: usize) -> Terms<G> {
    let start = match terms.policy.start {
        Start::WhenGathered { .. } => Start::WhenFull { ready_grace_ms: 0 },
        Start::OnCall { .. } => Start::OnCall { min: seats },
        start => start,
    };
    let policy = Policy { seats, start, house_bots: Vec::new(), ..terms.policy.clone() };
    Terms { config: terms.config.clone(), policy }
}
