//! Stress for a hall: random clients join, leave, lag, repeat, lie and vanish, in virtual time. It
//! works for any game; every failure names its seed.
//!
//! Asserted after each step:
//! - every command has exactly one answer, and its connection receives nothing before it;
//! - every table, pending moves included, is the fold of its records: tables with new records are
//!   folded from scratch, all others must be unchanged;
//! - its records begin with `Opened` and end with one `Closed`;
//! - an accepted move is recorded in the batch that accepts it;
//! - a seat receives what the rules let it see, in order of `seq`;
//! - turns keep the table's pace;
//! - nothing is sent to a closed connection;
//! - earlier turns sent later end at the last public turn;
//! - house bots that answer late, or after their table is over, delay no player and change nothing;
//! - a hall restored from the records has the same tables.

mod arrival;
mod checking;
mod client;
mod journal;
mod speaking;
mod thoughts;
pub mod tournaments;

use std::collections::BTreeMap;

use hall::{
    Answer, Command, ConnId, Credential, Event, GameHooks, Hall, Input, Name, NewTable, Output,
    Phase, Reply, Request, Role, TableNo, TableRecord, Terms, Time, WayBack,
};
use rules::any::AnyAction;
use rules::{Dice, Seat, Seed};

pub use arrival::{arrival_order_does_not_matter, seated_table};
use checking::check_answer;
use client::Client;
use journal::{Digest, Journal, noted_absences};
use thoughts::Thoughts;

use crate::failure;

/// Runs `steps` random steps and returns a digest of every output: the same seed, the same digest.
pub fn run(terms: &Terms, hooks: impl Into<GameHooks>, seed: u64, steps: usize) -> u64 {
    let hooks = hooks.into();
    failure::named(format!("{} seed {seed}", terms.config.rules().name()), || {
        let mut simulation = Simulation::new(terms, hooks, seed);
        for _ in 0..steps {
            simulation.step();
        }
        simulation.finish()
    })
}

struct Simulation {
    hall: Hall,
    terms: Terms,
    hooks: GameHooks,
    dice: Dice,
    now: Time,
    clients: BTreeMap<ConnId, Client>,
    next_conn: u64,
    journal: Journal,
    /// Times at which a restart found moves waiting for the rest of their turn, and times at
    /// which it could have.
    pending_restarts: usize,
    pending: usize,
    tokens: Vec<String>,
    /// Actions seen before, to be tried again where they do not belong.
    actions: Vec<AnyAction>,
    /// The questions to house bots; `None` if they think inline.
    thoughts: Option<Thoughts>,
    digest: Digest,
}

const MAX_TABLES: usize = 12;

impl Simulation {
    fn new(terms: &Terms, hooks: GameHooks, seed: u64) -> Simulation {
        // Every other hall lets its house bots think elsewhere.
        let thoughts = (seed % 2 == 1).then(Thoughts::default);
        let seed = Seed::from_number(seed);
        let mut hall = Hall::new(terms.clone(), hooks.clone(), MAX_TABLES, seed);
        if thoughts.is_some() {
            hall.think_elsewhere();
        }
        Simulation {
            hall,
            terms: terms.clone(),
            hooks,
            dice: Dice::new(&seed, "simulation", 0),
            now: Time(1_000_000),
            clients: BTreeMap::new(),
            next_conn: 1,
            journal: Journal::new(terms.config.rules()),
            pending_restarts: 0,
            pending: 0,
            tokens: Vec::new(),
            actions: Vec::new(),
            thoughts,
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
            8..=10 if self.thoughts.is_some() => self.answer_thoughts(),
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
                let mut table = table.clone();
                noted_absences(&outputs, no).for_each(|record| table.apply(record));
                assert_eq!(*restored, table, "table {no:?} came back as another");
            }
        }
        if let Some(thoughts) = &mut self.thoughts {
            // Thinking bots are lost with the rest.
            *thoughts = Thoughts::default();
            hall.think_elsewhere();
        }
        self.hall = hall;
        self.clients.clear();
        self.digest.add(&outputs);
        self.journal.forget_lists();
        for output in &outputs {
            let told = matches!(
                output,
                Output::Answer(..) | Output::Tell(..) | Output::At(..) | Output::Reply(..)
            );
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
        self.answer_too_late();
        assert!(
            self.journal.finished > 0,
            "no game was ever finished: the simulation shows little"
        );
        // Without reconnection, a restart leaves no table on which a move could wait.
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

    fn input(&mut self, input: Input) {
        let asker = match &input {
            Input::Said(conn, command) => Some((*conn, command.clone())),
            _ => None,
        };
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.digest.add(&outputs);
        if let Some(thoughts) = &mut self.thoughts {
            thoughts.take_from(&mut outputs);
        }
        if let Some((conn, command)) = &asker {
            check_answer(*conn, command, &outputs);
            self.check_recorded(*conn, command, &outputs);
        }
        let mut touched = Vec::new();
        for (index, output) in outputs.iter().enumerate() {
            self.journal.keep(output);
            if let Some((conn, answer)) = output.answer() {
                let (_, command) = asker.as_ref().expect("only commands are answered");
                self.hear_answer(conn, command, &answer);
            }
            for (conn, event) in output.events() {
                self.hear_and_check(conn, &event, &outputs[index + 1..]);
            }
            match output {
                Output::TableRecord(entry) => {
                    touched.push(entry.table);
                    if let TableRecord::Started { order, .. } = &*entry.record {
                        self.renumber(entry.table, order);
                    }
                }
                Output::Recall(recall) => self.check_recalled(recall),
                Output::Reply(_, Reply::Table(info)) => {
                    assert!(info.players <= info.seats, "{info:?}");
                }
                _ => {}
            }
        }
        touched.dedup();
        for no in touched {
            self.journal.check_fold(&self.hall, no);
        }
        self.check_folded();
        assert!(self.hall.open_tables() <= MAX_TABLES, "more tables than allowed");
    }

    /// One input can move a table several times; the last word is about now.
    fn hear_and_check(&mut self, conn: ConnId, event: &Event, later: &[Output]) {
        self.hear(conn, event);
        let hears_more =
            |(to, event): (ConnId, Event)| to == conn && matches!(event, Event::Update(_));
        if !later.iter().flat_map(Output::events).any(hears_more) {
            self.check_view(conn, event);
        }
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

    fn hear_answer(&mut self, conn: ConnId, command: &Command, answer: &Answer) {
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
                    // Where players are known by name, so is a player who reconnects with a token.
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

    fn hear(&mut self, conn: ConnId, event: &Event) {
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
                // Where pending moves are secret, an empty set means nothing.
                let nobody_owes = update.owed.is_empty() && !self.terms.policy.hides_owed;
                assert!(
                    !nobody_owes || update.deadline.is_none(),
                    "a deadline where nobody owes a move"
                );
            }
            Event::Dismissed(_) => client.seat = None,
            Event::Seated(joined) => {
                client.seat = joined.seat;
                // It may have waited to learn whether another client plays under its name.
                if client.table.as_ref() != Some(&joined.company.table) {
                    client.table = Some(joined.company.table.clone());
                    (client.seq, client.told_at) = (0, None);
                }
            }
            Event::Company(company, _) => client.go_along(company),
            Event::Waiting(_) | Event::Over(_) | Event::History(_) | Event::Doubted(_) => {}
            Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_)
            | Event::Rematch(_)
            | Event::Reacted(..) => {}
        }
    }
}
