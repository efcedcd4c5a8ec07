//! What must hold after every step, and at the end.

use std::collections::BTreeSet;

use rules::Seat;
use tournament::TournamentPhase;

use super::{Fire, MAX_TABLES};
use hall::{Name, Phase, Start, TableNo, TournamentNo, TournamentState};

impl Fire {
    pub(super) fn check_laws(&mut self) {
        self.journal.check(&self.hall);
        assert!(self.hall.open_tables() <= MAX_TABLES, "more tables than allowed");
        let mut seated: BTreeSet<(TournamentNo, &Name)> = BTreeSet::new();
        let mut played = BTreeSet::new();
        for (no, table) in self.hall.tables() {
            let Some(game_ref) =
                table.opened().game_ref.as_ref().filter(|_| table.phase() != Phase::Closed)
            else {
                continue;
            };
            let state = &self.journal.states[&game_ref.tournament];
            let game = state.tournament.open_game(tournament::PairingId(game_ref.pairing));
            let attempt = game.map(|due| due.attempt);
            assert_eq!(attempt, Some(game_ref.attempt), "table {no:?} is for a game long decided");
            played.insert((game_ref.tournament, game_ref.pairing));
            for name in &table.opened().reserved {
                let news = seated.insert((game_ref.tournament, name));
                assert!(news, "{name} has two tables in {}", state.convened.id);
            }
            if let (Phase::Gathering, Start::WhenFull { .. }) =
                (table.phase(), table.opened().terms.policy.start)
            {
                let come = table.seated().count() + self.hall.inspection().seats_given_up(no);
                let waits = come < table.seats() || self.hall.inspection().is_about_to_start(no);
                assert!(waits, "{} waits for nobody", table.opened().id);
            }
            for seat in Seat::all(table.seats()) {
                self.check_seat(no, seat, state);
            }
        }
        for (no, state) in self.hall.tournaments() {
            let lingers =
                state.is_over() != state.closed && !self.hall.inspection().is_shutting_down();
            assert!(!lingers, "{} lingers", state.convened.id);
            let most = state.convened.plan.concurrency as usize;
            let running = played.iter().filter(|(of, _)| *of == no).count();
            assert!(most == 0 || running <= most, "{} has {running} games", state.convened.id);
            for due in state.tournament.due() {
                let on_table = played.contains(&(no, due.pairing.0));
                let full = self.hall.open_tables() >= MAX_TABLES || most != 0 && running == most;
                // Those that the end of the server has closed are played after its next start.
                let ending = self.hall.inspection().is_shutting_down();
                assert!(
                    on_table || full || ending,
                    "{} has no table for {due:?}",
                    state.convened.id
                );
            }
        }
        for (name, conn) in self.hall.inspection().waiting() {
            let caller = self.callers.get(&conn).expect("somebody who is gone waits");
            assert!(self.hall.inspection().keeps_name(name), "{name} waits in vain");
            assert!(!self.hall.inspection().plays(conn), "{name} waits and plays at once");
            assert!(caller.waits, "{name} does not know that it waits");
        }
    }

    fn check_seat(&self, no: TableNo, seat: Seat, state: &TournamentState) {
        let table = self.hall.table(no).expect("it was found there");
        let Some(chair) = table.chair(seat) else { return };
        let (id, event) = (&table.opened().id, &state.convened.id);
        assert_eq!(table.opened().reserved[seat.index()], chair.name, "a stranger's name at {id}");
        let (_, entrant) = self.kept_for(id, seat).expect("seats are kept for entrants");
        let known = state.tournament.find(&entrant).expect("an entrant");
        let bot = state.tournament.entrant(known).bot.as_deref();
        if chair.house {
            assert_eq!(chair.bot.as_deref(), bot, "{entrant} of {event} is played by another");
            return;
        }
        // An entrant withdrawn before the game is out of it, like one who never connects.
        let out = bot.is_none() || chair.retired;
        assert!(out, "somebody plays for the house bot {entrant} of {event}");
        let conns = self.hall.inspection().conns_of(no, seat);
        let [conn] = conns[..] else {
            return assert!(conns.is_empty(), "{conns:?} share a seat at {id}");
        };
        let caller = self.callers.get(&conn).expect("somebody who is gone has a seat");
        if state.claims.contains_key(&entrant) {
            let owner = self.owners.get(&(event.clone(), entrant.clone()));
            let told = "a stranger sits in the seat of";
            assert_eq!(owner, Some(&caller.guest), "{told} {entrant} of {event}");
        }
    }

    /// In the end everything that began is decided, as its records alone say.
    pub(super) fn check_brackets(&self) {
        for (no, state) in &self.journal.states {
            let id = &state.convened.id;
            assert!(state.closed, "{id} never ends: {:?}", state.tournament);
            let folded = self.journal.fold(*no);
            assert_eq!(&folded, state, "{id} is not the fold of its records");
            if state.tournament.phase() == TournamentPhase::Over {
                assert!(state.tournament.winner().is_some(), "{id} is over and has no winner");
                let undecided = |pairing: &tournament::Pairing| pairing.decision.is_none();
                assert!(!state.tournament.pairings().iter().any(undecided), "{id} is not over");
            }
            if let Some(info) = self.hall.tournament_info(*no) {
                let winner = state.tournament.winner();
                let winner = winner.map(|winner| &*state.tournament.entrant(winner).name);
                assert_eq!(info.winner.as_deref(), winner);
                let shown = info.pairings.iter().map(|pairing| (pairing.id, &pairing.decision));
                let pairings = state.tournament.pairings().iter();
                let decided = pairings.map(|pairing| (pairing.id, &pairing.decision));
                assert!(shown.eq(decided), "{id} is shown otherwise");
            }
        }
    }
}
