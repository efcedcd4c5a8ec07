//! Organisers' actions on tournaments.

use std::sync::Arc;

use rules::Seed;
use table::{Name, Refusal, Terms, TournamentNo, check_version, is_legible};
use tournament::{Fact, Format, TournamentPhase, Why};

use super::due_games::terms_of_game;
use super::names::{EnteredBy, check_names};
use super::{
    Convened, EntrantKey, NewEntrant, NewTournament, Order, Steward, TournamentRecord,
    TournamentState,
};
use crate::KeyHash;
use crate::lobby::check_bot;

/// Whether tables of this size can be played, and all smaller ones: those are opened where
/// entrants run short. The size that was asked for comes first, so that a refusal is about that.
fn check_tables(terms: &Terms, table_seats: usize) -> Result<(), String> {
    for seats in (2..=table_seats).rev() {
        let terms = terms_of_game(terms, seats);
        if let Err(why) = terms.config.setup(seats, Seed::from_number(0)) {
            return Err(match seats == table_seats {
                true => format!("a table of {seats} cannot be played: {why}"),
                false => format!(
                    "tables of {table_seats} are smaller where entrants run short, and a table of \
                     {seats} cannot be played: {why}"
                ),
            });
        }
    }
    Ok(())
}

/// A tournament that isn't open begins with the entrants it has. A ladder has no start.
fn check_enough(convened: &Convened, entrants: usize) -> Result<(), String> {
    let is_ladder = matches!(convened.plan.format, Format::Ladder { .. });
    match entrants < 2 && !convened.open && !is_ladder {
        true => Err(format!(
            "a tournament that players cannot enter by themselves needs at least 2 entrants, and this \
             one has {entrants}: list more entrants, or make it open"
        )),
        false => Ok(()),
    }
}

/// Display names are for people: any text of one line that they can see, but not a page of it.
fn check_display(display: &str) -> Result<(), String> {
    let chars = display.chars().count();
    if chars > MOST_DISPLAYED || !is_legible(display) {
        return Err(format!(
            "the name {display:?} cannot be shown: use 1 to {MOST_DISPLAYED} characters \
             on one line, none of them invisible"
        ));
    }
    Ok(())
}

const MOST_DISPLAYED: usize = 60;

impl Steward<'_> {
    pub fn convene(&mut self, new: NewTournament) -> Result<Name, Refusal> {
        let NewTournament { id, mut plan, terms, no_show_ms, starts_when_full, .. } = new;
        let NewTournament { open, open_names, entry, entrants, .. } = new;
        plan.seed.get_or_insert_with(|| self.desk.dice.seed());
        let replaced = self.may_have_id(id.as_ref())?;
        let table_seats = plan.table_seats;
        let no = TournamentNo(self.tournaments.next);
        let id = id.unwrap_or_else(|| self.tournaments.make_title(self.desk));
        let (version, at) = (terms.config.rules().version(), self.desk.now);
        let convened = Convened {
            id: id.clone(),
            version,
            pairing_version: tournament::VERSION,
            plan,
            terms,
            no_show_ms,
            starts_when_full,
            open,
            open_names,
            entry,
            at,
        };
        let state = TournamentState::new(convened.clone()).map_err(Refusal::BadTable)?;
        check_tables(&convened.terms, table_seats).map_err(Refusal::BadTable)?;
        if open_names && self.desk.premises.requires_key() {
            let why = "names cannot be open here: this server asks every player for a key \
                       (names.require_key). Leave out open_names";
            return Err(Refusal::BadTable(why.to_owned()));
        }
        let mut trial = state.clone();
        for entrant in &entrants {
            for record in self.may_enter(&trial, entrant, EnteredBy::Organiser)? {
                trial.apply(&record).map_err(Refusal::BadTable)?;
            }
        }
        check_enough(&convened, entrants.len()).map_err(Refusal::BadTable)?;
        replaced
            .into_iter()
            .for_each(|cancelled| self.tournaments.drop_closed(self.desk, cancelled));
        self.tournaments.insert(no, state);
        let record = Arc::new(TournamentRecord::Convened(Box::new(convened)));
        self.desk.write_down(no, record, None);
        for entrant in &entrants {
            self.enter_as_asked(no, entrant, EnteredBy::Organiser)?;
        }
        self.start_if_full(no);
        if self.tournaments.live(no).state.tournament.ladder().is_some() {
            // A ladder has no beginning to wait for.
            self.fact(no, Fact::Started)?;
        }
        self.mind();
        Ok(id)
    }

    /// Whether a new tournament may have this id. A cancelled one that has it gives it up:
    /// an organiser who has made a mistake cancels the tournament and creates it again.
    fn may_have_id(&self, id: Option<&Name>) -> Result<Option<TournamentNo>, Refusal> {
        let Some(no) = id.and_then(|id| self.tournaments.called(id)) else { return Ok(None) };
        let state = &self.tournaments.live(no).state;
        match state.closed && state.tournament.phase() == TournamentPhase::Cancelled {
            true => Ok(Some(no)),
            false => Err(Refusal::IdTaken),
        }
    }

    /// The records of a new entry, if it is allowed.
    fn may_enter(
        &self,
        state: &TournamentState,
        entrant: &NewEntrant,
        by: EnteredBy,
    ) -> Result<Vec<TournamentRecord>, Refusal> {
        let NewEntrant { name, display, plays_as, bot, version, key } = entrant;
        let hooks = self.lobby.whereabouts.tables.hooks();
        if let Some(bot) = bot {
            check_bot(hooks, bot)?;
        }
        let table_name = plays_as.as_ref().unwrap_or(name);
        if !(hooks.is_name)(table_name) {
            let why = format!("{table_name:?} cannot be a player's name here: {}", hooks.names);
            return Err(Refusal::BadTable(why));
        }
        // A name that is not said at the tables is shown like any other.
        for shown in [Some(name).filter(|_| plays_as.is_some()), display.as_ref()] {
            shown.map_or(Ok(()), |shown| check_display(shown)).map_err(Refusal::BadTable)?;
        }
        check_names(&self.desk.premises, hooks, entrant, by)?;
        if let Some(Err(right)) = version.as_deref().map(check_version) {
            let why = format!("the version {version:?} of '{name}' cannot be shown: use {right}");
            return Err(Refusal::BadTable(why));
        }
        let in_the_hall =
            bot.is_some() && self.lobby.whereabouts.visitors.people().is_known(table_name);
        let taken = state.table_names.contains(table_name);
        if taken || in_the_hall {
            return Err(Refusal::NameTaken(table_name.clone()));
        }
        self.check_not_kept(table_name)?;
        let entered =
            Fact::Entered { name: name.to_string(), bot: bot.as_ref().map(|bot| bot.to_string()) };
        state.tournament.check(&entered).map_err(|why| Refusal::BadTable(why.to_string()))?;
        let mut records = vec![TournamentRecord::Fact(entered)];
        if let Some(plays_as) = plays_as {
            records
                .push(TournamentRecord::PlaysAs { entrant: name.clone(), name: plays_as.clone() });
        }
        if let Some(display) = display {
            records.push(TournamentRecord::Displayed {
                entrant: name.clone(),
                display: display.clone(),
            });
        }
        if let Some(version) = version {
            let (entrant, version) = (name.clone(), version.clone());
            records.push(TournamentRecord::Versioned { entrant, version });
        }
        if let Some(key) = key.clone().filter(|_| !state.convened.open_names && bot.is_none()) {
            records.push(TournamentRecord::Keyed { entrant: name.clone(), key });
        }
        Ok(records)
    }

    fn enter_as_asked(
        &mut self,
        no: TournamentNo,
        entrant: &NewEntrant,
        by: EnteredBy,
    ) -> Result<(), Refusal> {
        let records = self.may_enter(&self.tournaments.live(no).state, entrant, by)?;
        records.into_iter().for_each(|record| self.record(no, record));
        self.tournaments.stirred.insert(no);
        Ok(())
    }

    pub fn obey(&mut self, id: &Name, order: Order) -> Result<(), Refusal> {
        let no = self.tournaments.called(id).ok_or(Refusal::NoSuchTable)?;
        if self.tournaments.live(no).state.closed {
            return Err(Refusal::AlreadyOver);
        }
        match order {
            Order::Enter(entrant) => {
                self.enter_as_asked(no, &entrant, EnteredBy::Organiser)?;
                self.start_if_full(no);
                Ok(())
            }
            Order::Enrol(entrant)
                if self.tournaments.live(no).state.has_left_ladder(&entrant.name) =>
            {
                self.reinstate(no, &entrant.name)
            }
            Order::Enrol(entrant) if self.tournaments.live(no).state.was_removed(&entrant.name) => {
                let name = entrant.name;
                let why = format!(
                    "the organiser has withdrawn '{name}' from this ladder and can reinstate it"
                );
                Err(Refusal::BadTable(why))
            }
            Order::Enrol(entrant) => {
                self.tournaments.live(no).state.check_open()?;
                self.enter_as_asked(no, &entrant, EnteredBy::Itself)?;
                self.start_if_full(no);
                Ok(())
            }
            Order::Leave(name) => self.withdraw(no, &name, None),
            Order::Withdraw(name) => {
                let is_ladder = self.tournaments.live(no).state.tournament.ladder().is_some();
                self.withdraw(no, &name, is_ladder.then_some(Why::Removed))
            }
            Order::Reinstate(name) => self.reinstate(no, &name),
            Order::Rekey(name, key) => self.rekey(no, name, key),
            Order::Start => self.fact(no, Fact::Started),
            Order::Pause => self.fact(no, Fact::Paused),
            Order::Resume => self.fact(no, Fact::Resumed),
            Order::Cancel => self.fact(no, Fact::Cancelled),
            Order::Adjudicate { pairing, places } => {
                self.fact(no, Fact::Adjudicated { pairing, places })
            }
        }?;
        self.lobby.let_go_of_waiting(self.desk);
        // The reply shows what follows from the order.
        self.mind();
        Ok(())
    }

    fn withdraw(&mut self, no: TournamentNo, name: &Name, why: Option<Why>) -> Result<(), Refusal> {
        let withdrawn = Fact::Withdrawn { name: name.to_string(), why };
        self.tournaments.check(no, &withdrawn)?;
        self.take_from_table(no, name);
        // The end of its game may have been the end of the tournament.
        match self.tournaments.live(no).state.is_over() {
            true => Ok(()),
            false => self.fact(no, withdrawn),
        }
    }

    fn reinstate(&mut self, no: TournamentNo, name: &Name) -> Result<(), Refusal> {
        let reinstated = Fact::Reinstated { name: name.to_string() };
        self.tournaments.check(no, &reinstated)?;
        // Meanwhile any player could use the name.
        let state = &self.tournaments.live(no).state;
        let table_name = state.table_name(name);
        let entrants = &state.tournament;
        let bot = entrants.find(name).is_some_and(|id| entrants.entrant(id).bot.is_some());
        let in_the_hall = bot && self.lobby.whereabouts.visitors.people().is_known(&table_name);
        if in_the_hall {
            return Err(Refusal::NameTaken(table_name));
        }
        self.check_not_kept(&table_name)?;
        self.fact(no, reinstated)
    }

    /// No tournament keeps this name at the tables; else the refusal says which one does.
    fn check_not_kept(&self, name: &Name) -> Result<(), Refusal> {
        let Some(kept) = self.desk.premises.kept(name) else { return Ok(()) };
        let tournament = self.tournaments.live(kept.tournament).state.convened.id.clone();
        Err(Refusal::NameEntered { name: name.clone(), tournament })
    }

    /// Only who has a key of this tournament's own can get another one.
    fn rekey(&mut self, no: TournamentNo, name: Name, key: KeyHash) -> Result<(), Refusal> {
        let state = &self.tournaments.live(no).state;
        let why = match state.keys.get(&name) {
            Some(EntrantKey::Own(_)) => {
                let key = EntrantKey::Own(key);
                self.record(no, TournamentRecord::Keyed { entrant: name, key });
                return Ok(());
            }
            Some(EntrantKey::House) => format!("'{name}' has the key of its claimed name"),
            None if state.convened.open_names => {
                "names are open here, so there are no keys".to_owned()
            }
            None => format!("no entrant '{name}' has a key here"),
        };
        Err(Refusal::BadTable(why))
    }

    /// Withdraws entrants who missed too many games in a row.
    pub(super) fn withdraw_missing(&mut self, no: TournamentNo) {
        let mut any = false;
        loop {
            let state = &self.tournaments.live(no).state;
            let missing = if state.is_over() { Vec::new() } else { state.tournament.missing() };
            let Some(id) = missing.first() else { break };
            let name = Name::from(&*state.tournament.entrant(*id).name);
            let told = self.withdraw(no, &name, Some(Why::Missed));
            debug_assert_eq!(told, Ok(()));
            any = true;
        }
        if any {
            self.lobby.let_go_of_waiting(self.desk);
        }
    }
}
