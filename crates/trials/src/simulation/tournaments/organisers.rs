//! Organisers who change their minds.

use rules::{Dice, Seat};
use tournament::{Deals, Format, Plan, TournamentPhase};

use super::{Fire, MAX_TABLES};
use hall::{Entry, Input, Name, NewEntrant, NewTournament, Order, Request};

impl Fire {
    pub(super) fn organise(&mut self) {
        let open = self.journal.states.values().filter(|state| !state.closed).count();
        if open < 3 && self.dice.one_in(2) {
            return self.convene();
        }
        let Some(id) = self.any_tournament(|_| true) else { return };
        let request = match self.dice.below(25) {
            0..=2 => Request::Order { id, order: Order::Enter(self.any_entrant()) },
            3 => Request::Order { id: id.clone(), order: Order::Withdraw(self.any_name_of(&id)) },
            4 | 24 => self.any_return(id),
            5..=9 => Request::Order { id, order: Order::Start },
            10 => Request::Order { id, order: Order::Pause },
            11..=15 => Request::Order { id, order: Order::Resume },
            16 if self.dice.one_in(4) => Request::Order { id, order: Order::Cancel },
            17..=18 => {
                let order = self.any_verdict(&id);
                Request::Order { id, order }
            }
            19 => self.any_closing(),
            _ => self.any_crash(),
        };
        self.input(Input::Asked(7, request));
    }

    /// Resumes everything that is paused and closes entries.
    pub(super) fn call_the_last_games(&mut self) {
        let states = self.journal.states.values().filter(|state| !state.closed);
        let states = states.map(|state| {
            let few = Order::Start;
            let order = match state.tournament.phase() {
                TournamentPhase::Entering
                    if state.tournament.check(&tournament::Fact::Started).is_ok() =>
                {
                    few
                }
                TournamentPhase::Entering => Order::Cancel,
                TournamentPhase::Paused => Order::Resume,
                TournamentPhase::Running | TournamentPhase::Over | TournamentPhase::Cancelled => {
                    return None;
                }
            };
            Some((state.convened.id.clone(), order))
        });
        for (id, order) in states.flatten().collect::<Vec<_>>() {
            self.input(Input::Asked(8, Request::Order { id, order }));
        }
    }

    fn convene(&mut self) {
        let plan = any_plan(&mut self.dice);
        let most = plan.max_entrants.min(MAX_TABLES);
        let entrants = (0..self.dice.below(most + 1)).map(|_| self.any_entrant()).collect();
        let new = NewTournament {
            id: self.dice.one_in(3).then(|| format!("cup-{}", self.dice.below(5)).into()),
            plan,
            terms: self.terms.clone(),
            no_show_ms: *self.dice.pick(&[500, 5000, 20_000]),
            starts_when_full: !self.dice.one_in(3),
            open: !self.dice.one_in(4),
            open_names: true,
            entry: Entry::Open,
            entrants,
        };
        self.input(Input::Asked(9, Request::Convene(Box::new(new))));
    }

    /// A guest, or a house bot; sometimes under another name at the tables.
    fn any_entrant(&mut self) -> NewEntrant {
        let other = self.dice.below(self.guests.len());
        let name = self.guests[other].name.clone();
        if !self.dice.one_in(3) {
            // An entrant with another playing name connects under that one.
            let plays_as = self.dice.one_in(6).then(|| name.clone());
            let name = if plays_as.is_some() { format!("{name} the great").into() } else { name };
            let display = self.dice.one_in(4).then(|| format!("The {name}").into());
            return NewEntrant { name, display, plays_as, bot: None, version: None, key: None };
        }
        let strategy = self.dice.pick(&self.hooks.bots).name;
        let name: Name = format!("house{}", self.dice.below(6)).into();
        NewEntrant {
            name,
            display: None,
            plays_as: None,
            bot: Some(strategy.into()),
            version: None,
            key: None,
        }
    }

    fn any_name_of(&mut self, id: &Name) -> Name {
        let mut states = self.journal.states.values();
        let state = states.rfind(|state| state.convened.id == *id).expect("just chosen");
        let entrants = state.tournament.entrants();
        match entrants.is_empty() {
            true => "nobody".into(),
            false => Name::from(&*self.dice.pick(entrants).name),
        }
    }

    /// Reinstates a withdrawn entrant, in any tournament.
    fn any_return(&mut self, id: Name) -> Request {
        let states = self.hall.tournaments().map(|(_, state)| state);
        let gone = states.filter(|state| !state.closed).flat_map(|state| {
            let entrants = state.tournament.entrants().iter();
            let withdrawn = entrants.filter(|entrant| entrant.withdrawn);
            withdrawn.map(|entrant| (state.convened.id.clone(), Name::from(&*entrant.name)))
        });
        let gone: Vec<(Name, Name)> = gone.collect();
        let (id, name) = match gone.is_empty() {
            true => (id.clone(), self.any_name_of(&id)),
            false => self.dice.pick(&gone).clone(),
        };
        Request::Order { id, order: Order::Reinstate(name) }
    }

    fn any_verdict(&mut self, id: &Name) -> Order {
        let mut states = self.journal.states.values();
        let state = states.rfind(|state| state.convened.id == *id).expect("just chosen");
        let pairings = state.tournament.pairings();
        if pairings.is_empty() {
            return Order::Adjudicate { pairing: tournament::PairingId(0), places: vec![1, 2] };
        }
        let pairing = self.dice.pick(pairings);
        let mut places: Vec<u32> = (1..=pairing.entrants.len() as u32).collect();
        self.dice.shuffle(&mut places);
        Order::Adjudicate { pairing: pairing.id, places }
    }

    fn any_closing(&mut self) -> Request {
        let ids: Vec<Name> =
            self.hall.tables().map(|(_, table)| table.opened().id.clone()).collect();
        let id = if ids.is_empty() { "nowhere".into() } else { self.dice.pick(&ids).clone() };
        Request::Close { id, reason: "closed by the organiser".to_owned() }
    }

    fn any_crash(&mut self) -> Request {
        let due_games = self.hall.tables().filter(|(_, table)| table.opened().game_ref.is_some());
        let ids: Vec<Name> = due_games.map(|(_, table)| table.opened().id.clone()).collect();
        let id = if ids.is_empty() { "nowhere".into() } else { self.dice.pick(&ids).clone() };
        Request::Crashed { id, seat: Seat(self.dice.below(4) as u8) }
    }

    /// A tournament the hall remembers, mostly one that is not over.
    pub(super) fn any_tournament(
        &mut self,
        wanted: impl Fn(TournamentPhase) -> bool,
    ) -> Option<Name> {
        let closed_too = self.dice.one_in(10);
        let known = self.hall.tournaments().map(|(_, state)| state);
        let known = known.filter(|state| closed_too || !state.closed);
        let known = known.filter(|state| wanted(state.tournament.phase()));
        let ids: Vec<Name> = known.map(|state| state.convened.id.clone()).collect();
        (!ids.is_empty()).then(|| self.dice.pick(&ids).clone())
    }
}

fn any_plan(dice: &mut Dice) -> Plan {
    let format = match dice.below(5) {
        0..=1 => Format::Knockout,
        2 => Format::RoundRobin { cycles: 1 + dice.below(2) as u32 },
        3 => Format::Swiss { rounds: dice.below(4) as u32 },
        _ => Format::Gauntlet { challengers: 1, cycles: 1 },
    };
    let best_of = *dice.pick(&[1, 1, 3]);
    Plan {
        format,
        table_seats: *dice.pick(&[2, 2, 3]),
        max_entrants: 2 + dice.below(8),
        best_of,
        draw_replays: dice.below(3) as u32,
        rated: dice.one_in(2),
        concurrency: *dice.pick(&[0, 0, 1, 2]),
        deals: *dice.pick(&[Deals::Fresh, Deals::Fresh, Deals::Repeat]),
        seed: None,
    }
}
