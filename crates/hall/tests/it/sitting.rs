//! Ann and Bob at a table of the smallest game: each says a number, silence says zero.

use std::ops::{Deref, DerefMut};

use rules::{BotKind, Exit, Seat, Seed};
use tournament::{Format, Plan};

use hall::{
    AfterEnd, Answer, AwayInPlay, Closing, Command, ConnId, Entry, Ids, Input, Names, NewEntrant,
    NewTournament, Output, Phase, Policy, Reply, Request, Standing, Start, Table, TableNo,
    TableRecord, Terms, Time, WayBack,
};
use trials::stage::Stage;
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
        strikes_in_all: 0,
        game_ms: None,
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

/// The stage of a game of sums, and what happens at its first table.
pub struct Sitting(Stage);

impl Deref for Sitting {
    type Target = Stage;

    fn deref(&self) -> &Stage {
        &self.0
    }
}

impl DerefMut for Sitting {
    fn deref_mut(&mut self) -> &mut Stage {
        &mut self.0
    }
}

pub const ANN: ConnId = ConnId(1);
pub const BOB: ConnId = ConnId(2);
pub const TABLE: TableNo = TableNo(1);

impl Sitting {
    pub fn new(policy: Policy) -> Sitting {
        Sitting::of(Terms::new::<Sums>(Config { patient: true, turns: 10 }, policy))
    }

    pub fn of(terms: Terms) -> Sitting {
        let mut stage = Stage::new(terms, BOTS, 10, Seed::from_number(7));
        stage.now = Time(1000);
        Sitting(stage)
    }

    /// Ann and Bob have sat down, and the game has begun.
    pub fn playing(policy: Policy) -> Sitting {
        let mut stage = Sitting::new(policy);
        stage.join(ANN, "ann");
        stage.join(BOB, "bob");
        assert_eq!(stage.phase(), Phase::Playing);
        stage
    }

    /// What was written down of the one table.
    pub fn records(&self) -> Vec<TableRecord> {
        self.written.records(TABLE.0)
    }

    /// The server dies and begins again from what was written down.
    pub fn restart(&mut self) {
        self.restart_with(BOTS);
    }

    /// The same, with these house bots.
    pub fn restart_with(&mut self, bots: &'static [BotKind<Sums>]) {
        self.hooks = bots.into();
        self.0.restart(Seed::from_number(8)).expect("plain records");
    }

    /// What another server needs to know about these connections and the tables they are at.
    pub fn standing(&self, here: &[ConnId]) -> Standing {
        let attending: Vec<_> =
            here.iter().map(|conn| (*conn, self.hall.attendance(*conn))).collect();
        let tables = attending.iter().filter_map(|(_, known)| known.at);
        let tables = tables.filter_map(|(no, _)| Some((no, self.hall.table_standing(no)?)));
        Standing { tables: tables.collect(), attending, ..Standing::default() }
    }

    /// The server dies, and another continues for the connections that are left.
    pub fn take_over(&mut self, standing: Standing) {
        self.restore(Seed::from_number(8), Some(standing)).expect("plain records");
    }

    pub fn join(&mut self, conn: ConnId, name: &str) {
        let answer = self.0.join(conn, name, None);
        assert!(matches!(answer, Answer::Joined(_)), "{:?}", self.outputs);
    }

    pub fn act(&mut self, conn: ConnId) {
        let seq = self.table().seq();
        self.handle(Input::Said(conn, Command::act::<Sums>(seq, 1)));
        assert!(matches!(self.outputs[0], Output::TableRecord(_)), "{:?}", self.outputs);
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

    pub fn table(&self) -> &Table {
        self.0.table(TABLE.0)
    }

    pub fn phase(&self) -> Phase {
        self.table().phase()
    }
}
