//! Clocks in virtual time, with the smallest game: everybody says a number, silence says nought.

use rules::Seed;

use crate::simulation::tournaments::toy::{BOTS, Config, Sums};
use crate::{
    AfterEnd, Answer, AwayInPlay, Command, Conn, Hall, Ids, Input, Name, Names, Output, Phase,
    Policy, Role, Start, TableNo, Terms, Time, WayBack,
};

fn policy() -> Policy {
    Policy {
        seats: 2,
        names: Names::UniqueAtTable,
        start: Start::WhenFull { ready_grace_ms: 0 },
        hold_waiting_ms: 0,
        away_in_play: AwayInPlay::Hold,
        after_end: AfterEnd::Stay,
        way_back: WayBack::Token,
        turn_ms: Some(1000),
        heartbeat_ms: None,
        house_bots: Vec::new(),
        house_bots_after_ms: 0,
        waiting_expire_ms: 60_000,
        resume_grace_ms: 0,
        always_open: false,
        single_table: false,
        hides_owed: false,
        ids: Ids::Numbered("t".to_owned()),
    }
}

/// A hall and its time.
struct Stage {
    hall: Hall<Sums>,
    now: Time,
    outputs: Vec<Output<Sums>>,
}

const ANN: Conn = Conn(1);
const BOB: Conn = Conn(2);
const TABLE: TableNo = TableNo(1);

impl Stage {
    fn new(policy: Policy) -> Stage {
        let terms = Terms { config: Config { patient: true, turns: 10 }, policy };
        let hall = Hall::new(terms, BOTS, 10, Seed::from_number(7));
        Stage { hall, now: Time(1000), outputs: Vec::new() }
    }

    /// Ann and Bob have sat down, and the game has begun.
    fn playing(policy: Policy) -> Stage {
        let mut stage = Stage::new(policy);
        stage.join(ANN, "ann");
        stage.join(BOB, "bob");
        assert_eq!(stage.phase(), Phase::Playing);
        stage
    }

    fn input(&mut self, input: Input<Sums>) {
        self.outputs.clear();
        self.hall.handle(self.now, input, &mut self.outputs);
    }

    fn join(&mut self, conn: Conn, name: &str) {
        let (name, role) = (Name::from(name), Role::Player);
        self.input(Input::Said(conn, Command::Join { table: None, name, role, manner: None }));
        let joined = |output: &Output<Sums>| matches!(output, Output::Answer(_, Answer::Joined(_)));
        assert!(self.outputs.iter().any(joined), "{:?}", self.outputs);
    }

    fn act(&mut self, conn: Conn) {
        let seq = self.table().seq;
        self.input(Input::Said(conn, Command::Act { seq, action: 1 }));
        assert!(matches!(self.outputs[0], Output::Record(_)), "{:?}", self.outputs);
    }

    /// Lets so much time pass, tick by tick.
    fn wait(&mut self, ms: u64) {
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

    fn table(&self) -> &crate::Table<Sums> {
        self.hall.table(TABLE).expect("the first table")
    }

    fn phase(&self) -> Phase {
        self.table().phase()
    }
}

#[test]
fn what_the_house_was_late_by_is_given_back() {
    let mut stage = Stage::playing(policy());
    let deadline = stage.hall.deadline().expect("a turn runs");
    stage.hall.give_back(700);
    assert_eq!(stage.hall.deadline(), Some(deadline + 700));
    stage.wait(1699);
    assert_eq!(stage.table().seq, 0);
    stage.act(ANN);
    stage.act(BOB);
    assert_eq!(stage.table().seq, 1);
}

#[test]
fn what_is_given_back_counts_for_those_who_are_away() {
    let by_name = Policy {
        names: Names::UniqueInHall,
        start: Start::OnCall { min: 2 },
        away_in_play: AwayInPlay::RetireAfter { ms: 5000 },
        way_back: WayBack::Name,
        turn_ms: None,
        ..policy()
    };
    let mut stage = Stage::new(by_name);
    for (conn, name) in [(ANN, "ann"), (BOB, "bob")] {
        stage.input(Input::Said(conn, Command::Enter { name: name.into() }));
        stage.join(conn, name);
    }
    stage.input(Input::Said(ANN, Command::Start));
    stage.input(Input::Gone(BOB));
    stage.hall.give_back(700);
    stage.wait(5699);
    assert_eq!(stage.phase(), Phase::Playing);
    stage.wait(1);
    assert_eq!(stage.phase(), Phase::Closed);
}
