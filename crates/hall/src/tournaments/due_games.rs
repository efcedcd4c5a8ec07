//! A tournament's games: their tables, their players, their results.

use rules::{Seat, SeatSet};
use table::{
    BotSeat, Closing, ConnId, GameRef, Name, Occasion, Policy, Refusal, Start, TableInput, TableNo,
    Terms, TokenHash, TournamentNo,
};
use tournament::{Deals, DueGame, Fact, PairingId};

use super::{GameKey, Steward, TournamentRecord, TournamentState, Tournaments};
use crate::NewTable;
use crate::lobby::NewGame;

/// Number of failed games after which a pairing is decided by lot, if the game's own code is to
/// blame.
const FAULTS: usize = 3;

impl Tournaments {
    /// A table that an earlier hall opened for a tournament, which may know it.
    pub fn take_up_game(&mut self, table: TableNo, game: &GameRef) -> Option<Occasion> {
        let live = self.live.get_mut(&game.tournament)?;
        let pairing = PairingId(game.pairing);
        live.tables.insert((pairing, game.attempt), table);
        Some(occasion(&live.state, live.state.tournament.open_game(pairing)?))
    }
}

impl Steward<'_> {
    /// Closes a table that decides nothing.
    fn close_table(&mut self, table: TableNo, reason: &str) {
        self.lobby.whereabouts.run(self.desk, table, TableInput::Closed(reason.to_owned()));
        self.hear_results();
    }

    /// A withdrawal, an adjudication or a cancellation leaves tables behind that decide nothing.
    pub(super) fn close_tables_not_due(&mut self, no: TournamentNo) {
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

    pub(super) fn open_tables_due(&mut self, no: TournamentNo) {
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

    /// Opens the table of a due game and seats all present entrants, unless there is no room for it
    /// now.
    fn open_table_of(&mut self, no: TournamentNo, due: &DueGame) -> Result<(), Refusal> {
        let game = new_game(&self.tournaments.live(no).state, no, due);
        let table = self.lobby.open_game(self.desk, game)?;
        self.tournaments.live_mut(no).tables.insert(key(due), table);
        let (pairing, attempt) = key(due);
        let id = self.lobby.whereabouts.tables.live(table).table().opened().id.clone();
        self.record(no, TournamentRecord::Opened { pairing, attempt, table: id });
        let live = self.tournaments.live(no);
        let entrants = due.seats.iter().map(|id| &live.state.tournament.entrant(*id).name);
        let places = &self.tournaments.places;
        let present = entrants.filter_map(|name| Some((name.clone(), places.conn_of(no, name)?)));
        for (entrant, conn) in present.collect::<Vec<_>>() {
            self.invite(conn, no, &entrant, due);
        }
        self.lobby.whereabouts.run(self.desk, table, TableInput::Gathered);
        self.hear_results();
        Ok(())
    }

    /// Notifies an entrant of their next game, with a fresh token to sit down with.
    pub(super) fn invite(&mut self, conn: ConnId, no: TournamentNo, entrant: &str, due: &DueGame) {
        let token = self.desk.token();
        let (pairing, attempt) = key(due);
        let invited = TournamentRecord::Invited {
            entrant: entrant.into(),
            pairing,
            attempt,
            token: TokenHash::of(&token),
        };
        self.record(no, invited);
        self.tournaments.tell_game(self.desk, conn, no, entrant, (due, token));
    }

    /// Tables have closed: a game's result is a fact, or the game is played again.
    pub(super) fn hear_results(&mut self) {
        for ended in self.lobby.whereabouts.take_ended() {
            self.tournaments.try_again();
            let Some(GameRef { tournament: no, pairing, attempt, .. }) = ended.game else {
                continue;
            };
            let pairing = PairingId(pairing);
            let voided = self.tournaments.get(no).map_or(0, |live| live.state.games_void(pairing));
            let broken = ended.broken && voided + 1 >= FAULTS;
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

    /// An entrant about to withdraw leaves their game first, as if by choice: the opponents win, or
    /// play on.
    pub(super) fn take_from_table(&mut self, no: TournamentNo, entrant: &str) {
        let live = self.tournaments.live(no);
        let name = live.state.table_name(entrant);
        if let Some(table) = live.table_of(entrant)
            && let Some(seat) = self.lobby.whereabouts.tables.live(table).table().own_seat(&name)
        {
            let reason = "you have withdrawn from the tournament";
            self.lobby.whereabouts.take_out(self.desk, table, seat, reason);
            self.hear_results();
        }
    }

    /// A game that waits only for withdrawn entrants starts.
    pub(super) fn start_where_all_have_come(&mut self, no: TournamentNo) {
        let live = self.tournaments.live(no);
        let open = |((pairing, _), table): (&GameKey, &TableNo)| {
            let due = live.state.tournament.open_game(*pairing)?;
            Some((*table, withdrawn(&live.state, due)))
        };
        let tables: Vec<(TableNo, SeatSet)> = live.tables.iter().filter_map(open).collect();
        for (table, seats) in tables {
            let whereabouts = &mut self.lobby.whereabouts;
            whereabouts.run(self.desk, table, TableInput::Withdrawn(seats));
            if !seats.is_empty() {
                whereabouts.run(self.desk, table, TableInput::Gathered);
            }
            self.hear_results();
        }
    }

    /// Ends a tournament that is decided or called off.
    pub(super) fn end_if_over(&mut self, no: TournamentNo) {
        let live = self.tournaments.live(no);
        if live.state.closed || !live.state.is_over() {
            return;
        }
        let present: Vec<ConnId> = self.tournaments.places.conns(no).collect();
        let decided = self.tournaments.decided(no);
        self.record(no, TournamentRecord::Closed);
        for conn in present {
            self.desk.tell(conn, decided.clone());
        }
        self.lobby.let_go_of_waiting(self.desk);
        self.tournaments.retire(self.desk, no);
    }
}

pub(super) fn key(due: &DueGame) -> GameKey {
    (due.pairing, due.attempt)
}

/// The seats of a game whose entrants have withdrawn.
fn withdrawn(state: &TournamentState, due: &DueGame) -> SeatSet {
    let seats = Seat::all(due.seats.len()).zip(&due.seats);
    let gone = seats.filter(|(_, id)| state.tournament.entrant(**id).withdrawn);
    gone.map(|(seat, _)| seat).collect()
}

/// What the table of a tournament's game must know.
fn occasion(state: &TournamentState, due: &DueGame) -> Occasion {
    let entrants = due.seats.iter().map(|id| Name::from(&*state.tournament.entrant(*id).name));
    let entrants: Vec<Name> = entrants.collect();
    Occasion {
        tournament: state.convened.id.clone(),
        no_show_ms: state.convened.no_show_ms,
        versions: entrants.iter().map(|name| state.versions.get(name).cloned()).collect(),
        entrants,
        withdrawn: withdrawn(state, due),
    }
}

/// A game that is due, as the lobby is asked for it.
fn new_game(state: &TournamentState, tournament: TournamentNo, due: &DueGame) -> NewGame {
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
    // An entrant who withdrew while there was no room for the table isn't seated.
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
pub(super) fn terms_of_game(terms: &Terms, seats: usize) -> Terms {
    let start = match terms.policy.start {
        Start::WhenGathered { .. } => Start::WhenFull { ready_grace_ms: 0 },
        Start::OnCall { .. } => Start::OnCall { min: seats },
        start => start,
    };
    let policy = Policy { seats, start, house_bots: Vec::new(), ..terms.policy.clone() };
    Terms { config: terms.config.clone(), policy }
}
