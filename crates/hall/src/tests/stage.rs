//! A hall and its time, for tests, with the smallest game: everybody says a number, silence says
//! nought.

use std::collections::BTreeMap;

use rules::{BotKind, Exit, Seat, Seed};
use tournament::{Format, Plan};

use crate::{
    AfterEnd, Answer, AwayInPlay, Closing, Command, ConnId, Entry, Hall, Ids, Input, Name, Names,
    NewEntrant, NewTournament, Output, Phase, Policy, Recorded, Reply, Request, Role, Standing,
    Start, TableNo, TableRecord, Terms, Time, TournamentNo, TournamentRecord, Unfinished, WayBack,
};
use trials::sums::{BOTS, Config, Sums};

pub fn policy() -> Policy {
    Policy {
        seats: 2,
        names: Names::UniqueAtTable,
        start: Start::WhenFull { ready_grace_ms: 0 },
        hold_waiting_ms: 0,
        away_in_play: AwayInPlay::Hold,
        after_end: AfterEnd::Stay,
        way_back: WayBack::Token,
        turn_ms: Some(1000),
        strikes: 0,
        pace_ms: 0,
        broadcast: Default::default(),
        away_stops_clock: false,
        too_slow_for: None,
        heartbeat_ms: None,
        house_bots: Vec::new(),
        house_bots_after_ms: 0,
        waiting_expire_ms: 60_000,
        resume_grace_ms: 0,
        always_open: false,
        single_table: false,
        hides_owed: false,
        hides_legal: false,
        ids: Ids::Numbered("t".to_owned()),
    }
}

/// A hall and its time.
pub struct Stage {
    pub terms: Terms<Sums>,
    pub hall: Hall<Sums>,
    pub now: Time,
    pub outputs: Vec<Output<Sums>>,
    /// Everything that was written down of tables.
    journal: BTreeMap<TableNo, Vec<TableRecord<Sums>>>,
    /// The same of tournaments.
    tournaments: BTreeMap<TournamentNo, Vec<TournamentRecord<Sums>>>,
    /// When something was written last.
    last_written: Time,
}

pub const ANN: ConnId = ConnId(1);
pub const BOB: ConnId = ConnId(2);
pub const TABLE: TableNo = TableNo(1);

impl Stage {
    pub fn new(policy: Policy) -> Stage {
        let terms = Terms { config: Config { patient: true, turns: 10 }, policy };
        let hall = Hall::new(terms.clone(), BOTS, 10, Seed::from_number(7));
        Stage {
            terms,
            hall,
            now: Time(1000),
            outputs: Vec::new(),
            journal: BTreeMap::new(),
            tournaments: BTreeMap::new(),
            last_written: Time(0),
        }
    }

    /// Ann and Bob have sat down, and the game has begun.
    pub fn playing(policy: Policy) -> Stage {
        let mut stage = Stage::new(policy);
        stage.join(ANN, "ann");
        stage.join(BOB, "bob");
        assert_eq!(stage.phase(), Phase::Playing);
        stage
    }

    pub fn input(&mut self, input: Input<Sums>) {
        self.outputs.clear();
        self.hall.handle(self.now, input, &mut self.outputs);
        self.write_down();
    }

    fn write_down(&mut self) {
        for output in &self.outputs {
            match output {
                Output::TableRecord(entry) => {
                    self.last_written = entry.at;
                    self.journal.entry(entry.table).or_default().push((*entry.record).clone());
                }
                Output::TournamentRecord(entry) => {
                    let records = self.tournaments.entry(entry.tournament).or_default();
                    records.push((*entry.record).clone());
                }
                _ => {}
            }
        }
    }

    /// What was written down of the one table.
    pub fn records(&self) -> Vec<TableRecord<Sums>> {
        self.journal[&TABLE].clone()
    }

    /// The server dies and begins again from what was written down.
    pub fn restart(&mut self) {
        self.restart_with(BOTS);
    }

    /// The same, with these house bots.
    pub fn restart_with(&mut self, bots: &'static [BotKind<Sums>]) {
        self.restore(bots, None);
    }

    /// What is known of these connections, and of the tables where they are, by whoever serves them.
    pub fn standing(&self, here: &[ConnId]) -> Standing {
        let attending: Vec<_> =
            here.iter().map(|conn| (*conn, self.hall.attendance(*conn))).collect();
        let tables = attending.iter().filter_map(|(_, known)| known.at);
        let tables = tables.filter_map(|(no, _)| Some((no, self.hall.table_standing(no)?)));
        Standing { tables: tables.collect(), attending, ..Standing::default() }
    }

    /// The server dies, and another goes on for those who are left.
    pub fn take_over(&mut self, standing: Standing) {
        self.restore(BOTS, Some(standing));
    }

    fn restore(&mut self, bots: &'static [BotKind<Sums>], standing: Option<Standing>) {
        let is_open = |records: &Vec<TableRecord<Sums>>| {
            !matches!(records.last(), Some(TableRecord::Closed(_)))
        };
        let tables = self.journal.clone().into_iter();
        let (tables, lately_over): (Vec<_>, _) = tables.partition(|(_, records)| is_open(records));
        let recorded = |(no, records)| (no, Recorded::written_at(self.now, records));
        let tables = tables.into_iter().map(recorded).collect();
        self.hall = Hall::new(self.terms.clone(), bots, 10, Seed::from_number(8));
        let tournaments = self.tournaments.clone().into_iter().collect();
        let unfinished = Unfinished {
            tables,
            lately_over,
            tournaments,
            last_written: self.last_written,
            standing,
            ..Unfinished::default()
        };
        self.outputs.clear();
        self.hall.restore(self.now, unfinished, &mut self.outputs).expect("plain records");
        self.write_down();
    }

    pub fn join(&mut self, conn: ConnId, name: &str) {
        let (name, role) = (Name::from(name), Role::Player);
        self.input(Input::Said(conn, Command::Join { table: None, name, role, joined_via: None }));
        let joined = |output: &Output<Sums>| matches!(output, Output::Answer(_, Answer::Joined(_)));
        assert!(self.outputs.iter().any(joined), "{:?}", self.outputs);
    }

    pub fn act(&mut self, conn: ConnId) {
        let seq = self.table().seq();
        self.input(Input::Said(conn, Command::Act { seq, action: 1 }));
        assert!(matches!(self.outputs[0], Output::TableRecord(_)), "{:?}", self.outputs);
    }

    /// Lets so much time pass, tick by tick.
    pub fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        let mut all = Vec::new();
        while let Some(deadline) = self.hall.deadline().filter(|time| *time <= until) {
            self.now = self.now.max(deadline);
            self.input(Input::Tick);
            all.append(&mut self.outputs);
        }
        self.now = until;
        self.outputs = all;
    }

    pub fn ask(&mut self, request: Request<Sums>) -> Reply {
        self.input(Input::Asked(1, request));
        let reply = |output: &Output<Sums>| match output {
            Output::Reply(_, reply) => Some(reply.clone()),
            _ => None,
        };
        self.outputs.iter().find_map(reply).expect("every request has a reply")
    }

    /// A tournament of these has begun, and its table waits for them.
    pub fn convene(&mut self, names: &[&str]) {
        let entrant = |name: &&str| NewEntrant {
            name: (*name).into(),
            display: None,
            plays_as: None,
            bot: None,
            version: None,
            key: None,
        };
        let plan = Plan {
            format: Format::Knockout,
            table_seats: names.len(),
            max_entrants: names.len(),
            ..Plan::default()
        };
        let new = NewTournament {
            id: Some("cup".into()),
            plan,
            terms: self.terms.clone(),
            no_show_ms: 25_000,
            starts_when_full: true,
            open: true,
            open_names: true,
            entry: Entry::Open,
            entrants: names.iter().map(entrant).collect(),
        };
        let reply = self.ask(Request::Convene(Box::new(new)));
        assert!(matches!(reply, Reply::Tournament(_)), "{reply:?}");
    }

    pub fn seat(&self, name: &str) -> Seat {
        let mut seated = self.table().seated();
        let seat = seated.find(|(_, chair)| *chair.name == *name).map(|(seat, _)| seat);
        seat.or_else(|| self.table().own_seat(name)).expect("there is a seat for it")
    }

    pub fn crash(&mut self, name: &str) -> Reply {
        let (id, seat) = (self.table().opened().id.clone(), self.seat(name));
        self.ask(Request::Crashed { id, seat })
    }

    /// How these went.
    pub fn exits<const N: usize>(&self, names: [&str; N]) -> [Option<Exit>; N] {
        match self.table().closing() {
            Some(Closing::Over(outcome)) => {
                names.map(|name| outcome.standings[self.seat(name).index()].exit.clone())
            }
            other => panic!("no result: {other:?}"),
        }
    }

    pub fn table(&self) -> &crate::Table<Sums> {
        self.hall.table(TABLE).expect("the first table")
    }

    pub fn phase(&self) -> Phase {
        self.table().phase()
    }
}
