//! Clocks in virtual time, with the smallest game: everybody says a number, silence says nought.

use rules::{Exit, Seat, Seed};
use tournament::{Format, Plan};

use crate::simulation::tournaments::toy::{BOTS, Config, Sums};
use crate::{
    AfterEnd, Answer, AwayInPlay, Closing, Command, Conn, Hall, Ids, Input, Name, Names,
    NewEntrant, NewTournament, Order, Output, Phase, Policy, Refusal, Reply, Request, Role, Start,
    TableNo, Terms, Time, WayBack,
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
    terms: Terms<Sums>,
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
        let hall = Hall::new(terms.clone(), BOTS, 10, Seed::from_number(7));
        Stage { terms, hall, now: Time(1000), outputs: Vec::new() }
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

    fn ask(&mut self, request: Request<Sums>) -> Reply {
        self.input(Input::Asked(1, request));
        let reply = |output: &Output<Sums>| match output {
            Output::Reply(_, reply) => Some(reply.clone()),
            _ => None,
        };
        self.outputs.iter().find_map(reply).expect("every request has a reply")
    }

    /// A tournament of these has begun, and its table waits for them.
    fn convene(&mut self, names: &[&str]) {
        let entrant = |name: &&str| NewEntrant {
            name: (*name).into(),
            display: None,
            plays_as: None,
            bot: None,
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
            entrants: names.iter().map(entrant).collect(),
        };
        let reply = self.ask(Request::Convene(Box::new(new)));
        assert!(matches!(reply, Reply::Tournament(_)), "{reply:?}");
    }

    fn seat(&self, name: &str) -> Seat {
        let mut seated = self.table().seated();
        let seat = seated.find(|(_, chair)| *chair.name == *name).map(|(seat, _)| seat);
        seat.or_else(|| self.table().own_seat(name)).expect("there is a seat for it")
    }

    fn crash(&mut self, name: &str) -> Reply {
        let (id, seat) = (self.table().opened.id.clone(), self.seat(name));
        self.ask(Request::Crashed { id, seat })
    }

    /// How these went.
    fn exits<const N: usize>(&self, names: [&str; N]) -> [Option<Exit>; N] {
        match &self.table().closing {
            Some(Closing::Over(outcome)) => {
                names.map(|name| outcome.standings[self.seat(name).index()].exit.clone())
            }
            other => panic!("no result: {other:?}"),
        }
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

/// A dead bot cost the full no-show time in every pairing, although the tool that had started it
/// saw it end.
#[test]
fn f12_nobody_waits_for_a_program_that_has_ended() {
    for seated_first in [true, false] {
        let mut stage = Stage::new(policy());
        stage.convene(&["ann", "bob"]);
        if seated_first {
            stage.join(ANN, "ann");
        }
        assert!(matches!(stage.crash("bob"), Reply::Table(_)));
        if !seated_first {
            assert_eq!(stage.phase(), Phase::Gathering);
            stage.join(ANN, "ann");
        }
        assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::Crashed)]);
        assert_eq!(stage.crash("bob"), Reply::Refused(Refusal::AlreadyOver));
    }
}

#[test]
fn f12_nobody_waits_where_all_programs_have_ended() {
    let mut stage = Stage::new(policy());
    stage.convene(&["ann", "bob"]);
    stage.crash("ann");
    stage.crash("bob");
    assert_eq!(stage.table().closing, Some(Closing::Void("nobody came".to_owned())));
    assert_eq!(stage.now, Time(1000));
}

#[test]
fn f12_a_seat_that_crashed_before_the_start_is_not_taken_again() {
    let mut stage = Stage::new(policy());
    stage.convene(&["ann", "bob", "cy"]);
    stage.join(BOB, "bob");
    stage.crash("bob");
    assert!(stage.table().chair(stage.seat("bob")).is_none());
    // It comes again, and waits for its next game.
    let join = Command::Join { table: None, name: "bob".into(), role: Role::Player, manner: None };
    stage.input(Input::Said(Conn(3), join));
    assert!(matches!(stage.outputs[0], Output::Answer(_, Answer::Awaited)), "{:?}", stage.outputs);
    stage.join(ANN, "ann");
    stage.join(Conn(4), "cy");
    assert_eq!(stage.phase(), Phase::Playing);
    assert!(stage.table().chair(stage.seat("bob")).is_some_and(|chair| chair.retired));
}

#[test]
fn f12_a_program_that_ends_in_play_is_out_at_once() {
    let mut stage = Stage::playing(policy());
    let (id, seat) = (stage.table().opened.id.clone(), Seat(2));
    let none = stage.ask(Request::Crashed { id, seat });
    assert!(matches!(none, Reply::Refused(Refusal::BadTable(_))), "{none:?}");
    stage.crash("ann");
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::Crashed), None]);
}

#[test]
fn who_goes_says_how() {
    let mut stage = Stage::playing(Policy { away_in_play: AwayInPlay::Retire, ..policy() });
    stage.input(Input::Gone(ANN));
    assert_eq!(stage.exits(["ann", "bob"]), [Some(Exit::Lost), None]);

    let mut stage = Stage::playing(policy());
    stage.input(Input::Said(BOB, Command::Leave));
    assert_eq!(stage.exits(["ann", "bob"]), [None, Some(Exit::Left)]);

    let mut stage = Stage::new(Policy { hold_waiting_ms: 90_000, ..policy() });
    stage.convene(&["ann", "bob", "cy", "dee"]);
    stage.join(ANN, "ann");
    stage.join(BOB, "bob");
    stage.input(Input::Gone(BOB));
    stage.wait(20_000);
    let order = Order::Withdraw("dee".into());
    stage.ask(Request::Order { id: "cup".into(), order });
    stage.wait(5000);
    assert_eq!(
        stage.exits(["ann", "bob", "cy", "dee"]),
        [None, Some(Exit::Lost), Some(Exit::NeverCame), Some(Exit::Left)]
    );
}
