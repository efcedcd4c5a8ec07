//! A hall under fire: random clients that join, leave, lag, repeat, lie and vanish, in virtual
//! time. Any game can be put through it; every failure names its seed.
//!
//! What is asserted after each step:
//! - every command has exactly one answer, and nothing is told to its conn before it;
//! - every table, pending moves included, is the fold of its records: those that have new
//!   ones from scratch, all others as they were;
//! - its records begin with `Opened` and end with one `Closed`;
//! - an accepted move is recorded in the batch that accepts it;
//! - what a seat is told is what the rules let it see, in order of `seq`;
//! - turns are told in the table's pace;
//! - nothing is said to who is gone;
//! - a hall restored from the records has the same tables.

mod arrival;
mod client;
mod journal;
pub mod tournaments;

use std::collections::BTreeMap;

use hall::{
    Answer, CALLS, Command, ConnId, Credential, Event, GameHooks, HOUSE_WIRE, Hall, Input, Name,
    Names, NewTable, Output, Phase, Reply, Request, Role, TableNo, TableRecord, Terms, Time,
    WayBack,
};
use rules::{Dice, Exit, Game, Seat, Seed, Viewer};

pub use arrival::{arrival_order_does_not_matter, seated_table};
use client::Client;
use journal::{Digest, Journal};

use crate::failure;

/// Runs `steps` random steps and returns a digest of every output: the same seed, the same digest.
pub fn run<G: Game>(
    terms: &Terms<G>,
    hooks: impl Into<GameHooks<G>>,
    seed: u64,
    steps: usize,
) -> u64 {
    let hooks = hooks.into();
    failure::named(format!("{} seed {seed}", G::NAME), || {
        let mut simulation = Simulation::new(terms, hooks, seed);
        for _ in 0..steps {
            simulation.step();
        }
        simulation.finish()
    })
}

struct Simulation<G: Game> {
    hall: Hall<G>,
    terms: Terms<G>,
    hooks: GameHooks<G>,
    dice: Dice,
    now: Time,
    clients: BTreeMap<ConnId, Client>,
    next_conn: u64,
    journal: Journal<G>,
    /// Times at which a restart found moves waiting for the rest of their turn, and times at
    /// which it could have.
    pending_restarts: usize,
    pending: usize,
    tokens: Vec<String>,
    /// Actions seen before, to be tried again where they do not belong.
    actions: Vec<G::Action>,
    digest: Digest,
}

const MAX_TABLES: usize = 12;

impl<G: Game> Simulation<G> {
    fn new(terms: &Terms<G>, hooks: GameHooks<G>, seed: u64) -> Simulation<G> {
        let seed = Seed::from_number(seed);
        Simulation {
            hall: Hall::new(terms.clone(), hooks.clone(), MAX_TABLES, seed),
            terms: terms.clone(),
            hooks,
            dice: Dice::new(&seed, "simulation", 0),
            now: Time(1_000_000),
            clients: BTreeMap::new(),
            next_conn: 1,
            journal: Journal::default(),
            pending_restarts: 0,
            pending: 0,
            tokens: Vec::new(),
            actions: Vec::new(),
            digest: Digest::default(),
        }
    }

    fn step(&mut self) {
        match self.dice.below(40) {
            0..=1 => {
                self.clients.insert(ConnId(self.next_conn), Client::default());
                self.next_conn += 1;
            }
            2 => self.vanish(),
            3 => self.pass_time(),
            4 => self.organise(),
            5 => self.input(Input::Tick),
            6 if self.dice.one_in(20) => self.restart(),
            7 if self.dice.one_in(10) && self.is_pending() => self.restart(),
            _ => self.speak(),
        }
    }

    /// Whether somewhere a move waits for the rest of its turn.
    fn is_pending(&self) -> bool {
        self.journal.tables.values().any(|table| table.is_pending())
    }

    /// The server dies and begins again from its journal: nothing that was said is lost.
    fn restart(&mut self) {
        self.pending_restarts += usize::from(self.is_pending());
        let seed = self.dice.seed();
        let mut hall = Hall::new(self.terms.clone(), self.hooks.clone(), MAX_TABLES, seed);
        let mut outputs = Vec::new();
        let unfinished = self.journal.unfinished();
        hall.restore(self.now, unfinished, &mut outputs).expect("a journal reads back");
        for (no, table) in self.hall.tables().filter(|(_, table)| table.phase() != Phase::Closed) {
            let restored = hall.table(no).expect("every open table is there again");
            if restored.phase() == table.phase() && self.terms.policy.way_back != WayBack::None {
                assert_eq!(restored, table, "table {no:?} came back as another");
            }
        }
        self.hall = hall;
        self.clients.clear();
        self.digest.add(&outputs);
        self.journal.forget_lists();
        for output in &outputs {
            let told = matches!(output, Output::Answer(..) | Output::Tell(..) | Output::Reply(..));
            assert!(!told, "nobody is there, and yet was told {output:?}");
            self.journal.keep(output);
        }
        self.check_folded();
    }

    /// Lets the clocks run until every table is over or waits for people.
    fn finish(mut self) -> u64 {
        for conn in self.clients.keys().copied().collect::<Vec<_>>() {
            self.input(Input::Gone(conn));
            self.clients.remove(&conn);
        }
        for _ in 0..100_000 {
            let Some(deadline) = self.hall.deadline() else { break };
            self.now = self.now.max(deadline);
            self.input(Input::Tick);
        }
        assert_eq!(self.hall.deadline(), None, "a deserted hall never comes to rest");
        for (no, table) in self.hall.tables() {
            let seated: Vec<_> = table.seated().collect();
            let told = format!("table {no:?} is still played, by nobody: {seated:?}");
            assert_ne!(table.phase(), Phase::Playing, "{told}");
        }
        assert!(
            self.journal.finished > 0,
            "no game was ever finished: the simulation shows little"
        );
        // Where there is no way back, a restart leaves no table on which a move could wait.
        let survives = self.terms.policy.way_back != WayBack::None;
        assert!(
            !survives || self.pending < 100 || self.pending_restarts > 0,
            "moves waited {} times, but never over a restart",
            self.pending
        );
        self.digest.0
    }

    fn vanish(&mut self) {
        if let Some(conn) = self.any_client() {
            self.clients.remove(&conn);
            self.input(Input::Gone(conn));
        }
    }

    fn pass_time(&mut self) {
        let ms = *self.dice.pick(&[1, 50, 250, 1000, 6000, 13_000, 70_000]);
        self.now = self.now + ms as u64;
        if self.dice.one_in(4) {
            self.hall.give_back(ms as u64);
        }
        self.input(Input::Tick);
    }

    fn organise(&mut self) {
        let ids: Vec<Name> =
            self.hall.tables().map(|(_, table)| table.opened().id.clone()).collect();
        let id = if ids.is_empty() { "x".into() } else { self.dice.pick(&ids).clone() };
        let request = match self.dice.below(5) {
            0 => Request::Crashed { id, seat: Seat(self.dice.below(5) as u8) },
            1 if self.dice.one_in(3) => {
                Request::Close { id, reason: "closed by the organiser".to_owned() }
            }
            _ => {
                let reserved = (0..self.dice.below(3)).map(|_| self.any_name()).collect();
                let id = self.dice.one_in(2).then_some(id);
                let (terms, seed) = (self.terms.clone(), None);
                let bots_at_once = self.dice.one_in(2);
                Request::Open(Box::new(NewTable { terms, id, reserved, seed, bots_at_once }))
            }
        };
        self.input(Input::Asked(7, request));
    }

    fn any_client(&mut self) -> Option<ConnId> {
        let conns: Vec<ConnId> = self.clients.keys().copied().collect();
        (!conns.is_empty()).then(|| *self.dice.pick(&conns))
    }

    fn any_name(&mut self) -> Name {
        format!("p{}", self.dice.below(12)).into()
    }

    fn any_table(&mut self) -> Option<Name> {
        let ids: Vec<Name> =
            self.hall.tables().map(|(_, table)| table.opened().id.clone()).collect();
        match self.dice.below(10) {
            0 => Some("nowhere".into()),
            1..=4 if !ids.is_empty() => Some(self.dice.pick(&ids).clone()),
            _ => None,
        }
    }

    fn speak(&mut self) {
        let Some(conn) = self.any_client() else { return };
        let client = &self.clients[&conn];
        let needs_name = self.terms.policy.names == Names::UniqueInHall && client.entered.is_none();
        let seated = client.seat.is_some();
        let command = match self.dice.below(100) {
            0..=69 if seated => self.any_move(conn),
            0..=69 if needs_name && self.dice.one_in(2) => Command::Enter { name: self.any_name() },
            0..=69 if needs_name => Command::Resume(Credential::Name(self.any_name())),
            0..=69 => self.any_join(conn, Role::Player),
            70..=72 => self.any_join(conn, Role::Spectator),
            73..=74 => self.any_join(conn, Role::Follower),
            75..=76 => self.any_join(conn, Role::Organiser),
            77..=84 => Command::Ready,
            85..=89 => Command::Start,
            90..=93 => match self.dice.below(self.tokens.len() + 2) {
                0 => Command::Resume(Credential::Token("stolen".to_owned())),
                1 => Command::Resume(Credential::Name(self.any_name())),
                token => Command::Resume(Credential::Token(self.tokens[token - 2].clone())),
            },
            94 => Command::Leave,
            95 => Command::Part(Exit::Disqualified("shouting".to_owned())),
            96 => Command::Enter { name: self.any_name() },
            _ => Command::List { only: self.any_table() },
        };
        self.input(Input::Said(conn, command));
    }

    fn any_join(&mut self, conn: ConnId, role: Role) -> Command<G> {
        let entered = self.clients[&conn].entered.clone();
        let name = entered.unwrap_or_else(|| self.any_name());
        let ways = [None, None, None, Some("loud"), Some(HOUSE_WIRE), Some(CALLS)];
        let joined_via = self.dice.pick(&ways).map(Name::from);
        Command::Join { table: self.any_table(), name, role, joined_via }
    }

    /// Mostly a legal move; sometimes an old one, a repeated one, or one of another table.
    fn any_move(&mut self, conn: ConnId) -> Command<G> {
        let client = &self.clients[&conn];
        let seat = client.seat.expect("asked of a seated client");
        let table = self
            .hall
            .tables()
            .map(|(_, table)| table)
            .find(|t| Some(&t.opened().id) == client.table.as_ref());
        let game = table.and_then(|table| table.game()).filter(|game| game.to_act().contains(seat));
        let seq = match self.dice.below(20) {
            0 => client.seq.wrapping_sub(1),
            1 => client.seq + 1,
            _ => table.map_or(0, |table| table.seq()),
        };
        let honest = game.map(|game| game.sample(seat, &mut self.dice));
        let lie = (!self.actions.is_empty()).then(|| self.dice.pick(&self.actions).clone());
        match (honest, lie) {
            (Some(action), lie) if lie.is_none() || !self.dice.one_in(8) => {
                self.actions.push(action.clone());
                Command::Act { seq, action }
            }
            (_, Some(action)) => Command::Act { seq, action },
            _ => Command::Ready,
        }
    }

    fn input(&mut self, input: Input<G>) {
        let asker = match &input {
            Input::Said(conn, command) => Some((*conn, command.clone())),
            _ => None,
        };
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.digest.add(&outputs);
        if let Some((conn, command)) = &asker {
            check_answer(*conn, command, &outputs);
            self.check_recorded(*conn, command, &outputs);
        }
        let mut touched = Vec::new();
        for (index, output) in outputs.iter().enumerate() {
            self.journal.keep(output);
            match output {
                Output::TableRecord(entry) => {
                    touched.push(entry.table);
                    if let TableRecord::Started { order, .. } = &*entry.record {
                        self.renumber(entry.table, order);
                    }
                }
                Output::TournamentRecord(_) | Output::Listed(_) => {}
                Output::Answer(conn, answer) => {
                    let (_, command) = asker.as_ref().expect("only commands are answered");
                    self.hear_answer(*conn, command, answer);
                }
                Output::Tell(conn, event) => {
                    self.hear(*conn, event);
                    // One input can move a table several times; the last word is about now.
                    let more = |later: &Output<G>| matches!(later, Output::Tell(to, Event::Update(_)) if to == conn);
                    if !outputs[index + 1..].iter().any(more) {
                        self.check_view(*conn, event);
                    }
                }
                Output::Reply(_, Reply::Table(info)) => {
                    assert!(info.players <= info.seats, "{info:?}");
                }
                Output::Reply(..) => {}
            }
        }
        touched.dedup();
        for no in touched {
            self.journal.check_fold(&self.hall, no);
        }
        self.check_folded();
        assert!(self.hall.open_tables() <= MAX_TABLES, "more tables than allowed");
    }

    fn check_folded(&mut self) {
        self.journal.check(&self.hall);
        self.pending += usize::from(self.is_pending());
    }

    /// The start has put the players in order.
    fn renumber(&mut self, no: TableNo, order: &[Seat]) {
        let Some(table) = self.journal.tables.get(&no) else { return };
        let opened = &table.opened();
        for client in self.clients.values_mut() {
            if client.table.as_ref() == Some(&opened.id) && client.seat.is_some() {
                let mut numbers = Seat::all(order.len()).zip(order);
                client.seat =
                    numbers.find(|(_, old)| client.seat == Some(**old)).map(|(new, _)| new);
            }
        }
    }

    fn hear_answer(&mut self, conn: ConnId, command: &Command<G>, answer: &Answer) {
        let Some(client) = self.clients.get_mut(&conn) else { return };
        match (command, answer) {
            (Command::Enter { name }, Answer::Entered) => client.entered = Some(name.clone()),
            (_, Answer::Joined(joined)) => {
                if let Command::Resume(Credential::Name(name)) = command {
                    client.entered = Some(name.clone());
                    if joined.company.seats.is_empty() {
                        // Back in the lobby, which changes nothing about what it watches.
                        return;
                    }
                }
                if let (Command::Resume(Credential::Token(_)), Some(seat)) = (command, joined.seat)
                {
                    // Where players are known by name, so is who comes back by a token.
                    let name = Name::from(joined.company.name(seat));
                    client.entered = client.entered.as_ref().map(|_| name);
                }
                client.seat = joined.seat;
                client.table = Some(joined.company.table.clone());
                (client.seq, client.told_at) = (0, None);
                client.follows = matches!(command, Command::Join { role: Role::Follower, .. });
                self.tokens.extend(joined.token.clone());
            }
            (Command::Leave, Answer::Accepted) => client.seat = None,
            (Command::Part(_), Answer::Accepted) => {
                client.seat = None;
                client.entered = None;
            }
            _ => {}
        }
    }

    fn hear(&mut self, conn: ConnId, event: &Event<G>) {
        let client = self.clients.get_mut(&conn).expect("somebody who is gone was told something");
        match event {
            Event::Update(update) => {
                client.go_along(&update.company);
                assert!(update.seq >= client.seq, "updates out of order");
                client.keep_pace(update, self.now, self.terms.policy.pace_ms);
                client.seq = update.seq;
                assert!(
                    client.seat.is_none() || update.seat_views.is_empty(),
                    "a seat saw all hands"
                );
                // Where it is a secret who owes a move, an empty set says nothing.
                let nobody_owes = update.owed.is_empty() && !self.terms.policy.hides_owed;
                assert!(
                    !nobody_owes || update.deadline.is_none(),
                    "a deadline where nobody owes a move"
                );
            }
            Event::Dismissed(_) => client.seat = None,
            Event::Seated(joined) => client.seat = joined.seat,
            Event::Company(company, _) => client.go_along(company),
            Event::Waiting(_) | Event::Over(_) | Event::History(_) => {}
            Event::Entered(_) | Event::Paired(_) | Event::Decided(_) => {}
        }
    }
}

impl<G: Game> Simulation<G> {
    /// What a client is told is what the rules let it see.
    fn check_view(&self, conn: ConnId, event: &Event<G>) {
        let (Event::Update(update), Some(client)) = (event, self.clients.get(&conn)) else {
            return;
        };
        let viewer = client.seat.map_or(Viewer::Public, Viewer::Seat);
        let id = &update.company.table;
        let mut tables = self.hall.tables();
        let (no, table) =
            tables.find(|(_, table)| table.opened().id == *id).expect("an update has a table");
        if self.hall.is_held(no) {
            // The game is further than what may be told.
            assert!(update.seq < table.seq(), "{viewer:?} was shown a turn before its time");
            return;
        }
        let game = table.game().expect("an update has a game");
        assert_eq!(update.view, game.view(viewer), "{viewer:?} was shown another view");
    }

    /// An accepted move is recorded in the batch that accepts it; or it was before, and is only said
    /// again.
    fn check_recorded(&self, conn: ConnId, command: &Command<G>, outputs: &[Output<G>]) {
        let Command::Act { seq, action } = command else { return };
        let accepted = |output: &Output<G>| matches!(output, Output::Answer(to, Answer::Accepted) if *to == conn);
        if !outputs.iter().any(accepted) {
            return;
        }
        let is_it = |record: &TableRecord<G>| matches!(record, TableRecord::Moved { seq: s, action: a, .. } if s == seq && a == action);
        let recorded = outputs.iter().any(|output| match output {
            Output::TableRecord(entry) => is_it(&entry.record),
            _ => false,
        });
        let said_again = || self.journal.records.values().flatten().any(is_it);
        assert!(recorded || said_again(), "{action:?} was accepted but not recorded");
    }
}

fn check_answer<G: Game>(conn: ConnId, command: &Command<G>, outputs: &[Output<G>]) {
    let to_asker = |output: &&Output<G>| match output {
        Output::Answer(to, _) | Output::Tell(to, _) => *to == conn,
        Output::TableRecord(_)
        | Output::TournamentRecord(_)
        | Output::Reply(..)
        | Output::Listed(_) => false,
    };
    let heard: Vec<_> = outputs.iter().filter(to_asker).collect();
    let answers = heard.iter().filter(|output| matches!(output, Output::Answer(..))).count();
    assert_eq!(answers, 1, "{command:?} has {answers} answers");
    assert!(
        matches!(heard[0], Output::Answer(..)),
        "{command:?} has consequences before its answer"
    );
    let total = outputs.iter().filter(|output| matches!(output, Output::Answer(..))).count();
    assert_eq!(total, 1, "somebody who asked nothing was answered");
}
