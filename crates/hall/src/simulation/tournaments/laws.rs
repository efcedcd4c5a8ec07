//! What must hold after every step, and what in the end.

use std::collections::BTreeSet;

use rules::{Game, Seat};
use tournament::Phase as Stage;

use super::{Fire, MAX_TABLES};
use crate::host::Host;
use crate::{Name, Phase, Register, Start, TournamentNo};

impl<G: Game> Fire<G> {
    pub(super) fn check_laws(&self) {
        self.journal.check(&self.hall);
        assert!(self.hall.open_tables() <= MAX_TABLES, "more tables than allowed");
        let mut seated: BTreeSet<(TournamentNo, &Name)> = BTreeSet::new();
        let mut played = BTreeSet::new();
        for (no, host) in self.hall.hosts.iter() {
            let table = &host.table;
            let Some(bout) = table.opened.bout.as_ref().filter(|_| host.phase() != Phase::Closed)
            else {
                continue;
            };
            let register = &self.journal.registers[&bout.tournament];
            let game = register.tournament.open_game(bout.pairing);
            let attempt = game.map(|due| due.attempt);
            assert_eq!(attempt, Some(bout.attempt), "table {no:?} is for a game long decided");
            played.insert((bout.tournament, bout.pairing));
            for name in &table.opened.reserved {
                let news = seated.insert((bout.tournament, name));
                assert!(news, "{name} has two tables in {}", register.convened.id);
            }
            if let (Phase::Gathering, Start::WhenFull { .. }) = (host.phase(), host.policy().start)
            {
                let come = table.seated().count() + self.hall.seats_given_up(no).len();
                let waits = come < table.chairs.len() || host.clocks.start.is_some();
                assert!(waits, "{} waits for nobody", table.opened.id);
            }
            for seat in Seat::all(table.chairs.len()) {
                self.check_seat(host, seat, register);
            }
        }
        for (no, register) in self.hall.tournaments() {
            let lingers = register.is_over() != register.closed && !self.hall.shutting_down;
            assert!(!lingers, "{} lingers", register.convened.id);
            let most = register.convened.plan.concurrency as usize;
            let running = played.iter().filter(|(of, _)| *of == no).count();
            assert!(most == 0 || running <= most, "{} has {running} games", register.convened.id);
            for due in register.tournament.due() {
                let on_table = played.contains(&(no, due.pairing));
                let full = self.hall.open_tables() >= MAX_TABLES || most != 0 && running == most;
                // Those that the end of the server has closed are played after its next start.
                let ending = self.hall.shutting_down;
                assert!(
                    on_table || full || ending,
                    "{} has no table for {due:?}",
                    register.convened.id
                );
            }
        }
        for (name, waiting) in &self.hall.tournaments.waiting {
            let caller = self.callers.get(&waiting.conn).expect("somebody who is gone waits");
            assert!(self.hall.tournaments.names.contains_key(name), "{name} waits in vain");
            assert!(!self.hall.plays(waiting.conn), "{name} waits and plays at once");
            assert!(caller.waits, "{name} does not know that it waits");
        }
    }

    fn check_seat(&self, host: &Host<G>, seat: Seat, register: &Register<G>) {
        let table = &host.table;
        let Some(chair) = table.chair(seat) else { return };
        let (id, event) = (&table.opened.id, &register.convened.id);
        assert_eq!(table.opened.reserved[seat.index()], chair.name, "a stranger's name at {id}");
        let (_, entrant) = self.kept_for(id, seat).expect("seats are kept for entrants");
        let known = register.tournament.find(&entrant).expect("an entrant");
        let bot = register.tournament.entrant(known).bot.as_deref();
        if chair.house {
            assert_eq!(chair.bot.as_deref(), bot, "{entrant} of {event} is played by another");
            return;
        }
        // One that was withdrawn before the game is out of it, like anybody who does not come.
        let out = bot.is_none() || chair.retired;
        assert!(out, "somebody plays for the house bot {entrant} of {event}");
        let Some(conn) = host.present[seat.index()] else { return };
        let caller = self.callers.get(&conn).expect("somebody who is gone has a seat");
        if register.claims.contains_key(&entrant) {
            let owner = self.owners.get(&(event.clone(), entrant.clone()));
            let told = "a stranger sits in the seat of";
            assert_eq!(owner, Some(&caller.guest), "{told} {entrant} of {event}");
        }
    }

    /// In the end everything that began is decided, as its notes alone say.
    pub(super) fn check_brackets(&self) {
        for (no, register) in &self.journal.registers {
            let id = &register.convened.id;
            assert!(register.closed, "{id} never ends: {:?}", register.tournament);
            let folded = self.journal.fold(*no);
            assert_eq!(&folded, register, "{id} is not the fold of its notes");
            if register.tournament.phase() == Stage::Over {
                assert!(register.tournament.winner().is_some(), "{id} is over and has no winner");
                let undecided = |pairing: &tournament::Pairing| pairing.decision.is_none();
                assert!(!register.tournament.pairings().iter().any(undecided), "{id} is not over");
            }
            if let Some(info) = self.hall.tournament_info(*no) {
                let winner = register.tournament.winner();
                let winner = winner.map(|winner| &*register.tournament.entrant(winner).name);
                assert_eq!(info.winner.as_deref(), winner);
                let shown = info.pairings.iter().map(|pairing| (pairing.id, &pairing.decision));
                let pairings = register.tournament.pairings().iter();
                let decided = pairings.map(|pairing| (pairing.id, &pairing.decision));
                assert!(shown.eq(decided), "{id} is shown otherwise");
            }
        }
    }
}
