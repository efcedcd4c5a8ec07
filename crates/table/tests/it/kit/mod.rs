//! One table of [`Bids`], its clock, and everything it has sent. Only this folder knows how a table
//! is made, fed and read; the tests use the methods below.

mod policy;
mod received;

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::any::{AnyAction, AnyRules};
use rules::{Exit, Game, Outcome, Seat, SeatSet, Seed, Viewer};
use serde_json::Value;
use table::{
    BotSeat, Closing, ConnId, Eyes, GameHooks, GameRef, Introduction, LiveTable, Name, Newcomer,
    Occasion, Opened, Phase, Policy, Recorded, Refusal, Role, Table, TableInput, TableOutput,
    TableRecord, TableSaid, Terms, Thinking, Time, TokenHash, TournamentNo,
};

use crate::bids::{BOTS, Bids, Config};
use received::{answered, happened, seen};

pub use policy::policy;
pub use received::{Got, Seen};

pub const ANN: ConnId = ConnId(1);
pub const BOB: ConnId = ConnId(2);
pub const CID: ConnId = ConnId(3);
pub const DOT: ConnId = ConnId(4);

/// The seats of Ann and Bob.
pub const FIRST: Seat = Seat(0);
pub const SECOND: Seat = Seat(1);

/// What a table asked its owner to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    SeatBots,
    Unbind(ConnId),
    Forget(TokenHash),
    Recall { conn: ConnId, eyes: Eyes, from: u64, until: u64 },
}

pub struct Desk {
    live: LiveTable,
    hooks: GameHooks,
    pub now: Time,
    /// Everything sent so far and not taken yet, by receiver.
    got: BTreeMap<ConnId, Vec<Got>>,
    pub wishes: Vec<Wish>,
    questions: Vec<Thinking>,
    records: Vec<TableRecord>,
}

// Making one.
impl Desk {
    pub fn new(policy: Policy) -> Desk {
        Desk::with(policy, Config::default())
    }

    pub fn with(policy: Policy, config: Config) -> Desk {
        Desk::open(policy, config, &[])
    }

    /// A tournament's table, at which these players are expected within ten seconds.
    pub fn of_tournament(policy: Policy, names: &[&str]) -> Desk {
        Desk::open(policy, Config::default(), names)
    }

    fn open(policy: Policy, config: Config, entrants: &[&str]) -> Desk {
        let entrants: Vec<Name> = entrants.iter().map(|name| Name::from(*name)).collect();
        let game_ref = (!entrants.is_empty()).then(|| GameRef {
            tournament: TournamentNo(1),
            pairing: 0,
            attempt: 1,
            rated: false,
            displays: Vec::new(),
            repeats: false,
        });
        let occasion = (!entrants.is_empty()).then(|| Occasion {
            tournament: "cup".into(),
            no_show_ms: 10_000,
            entrants: entrants.clone(),
            versions: vec![None; entrants.len()],
            withdrawn: SeatSet::EMPTY,
        });
        let opened = Arc::new(Opened {
            id: "t1".into(),
            version: Bids::VERSION,
            terms: Terms::new::<Bids>(config, policy),
            seed: Seed::from_number(7),
            reserved: entrants,
            house: false,
            game_ref,
            at: Time(1000),
            promise: None,
        });
        let mut out = Vec::new();
        let live = LiveTable::open(Time(1000), opened, occasion, &mut out);
        Desk::around(live, BOTS.into(), Time(1000), Vec::new()).after(out)
    }

    fn around(live: LiveTable, hooks: GameHooks, now: Time, records: Vec<TableRecord>) -> Desk {
        let (got, wishes, questions) = (BTreeMap::new(), Vec::new(), Vec::new());
        Desk { live, hooks, now, got, wishes, questions, records }
    }

    fn after(mut self, out: Vec<TableOutput>) -> Desk {
        out.into_iter().for_each(|output| self.note(output));
        self
    }

    /// Ann and Bob have sat down, and the game has begun.
    pub fn playing(policy: Policy) -> Desk {
        Desk::new(policy).seated()
    }

    pub fn seated(mut self) -> Desk {
        self.sit(ANN, FIRST, "ann");
        self.sit(BOB, SECOND, "bob");
        assert_eq!(self.phase(), Phase::Playing);
        self.got.clear();
        self
    }

    /// House bots think elsewhere; [`Desk::question`] is what they are asked.
    pub fn thinking_elsewhere(mut self) -> Desk {
        self.hooks.thinks_elsewhere = true;
        self
    }

    /// The server is stopped now and started `ms` milliseconds later: all that is left is what was
    /// recorded.
    pub fn restarted_after(self, ms: u64) -> Desk {
        let (last_written, now) = (self.now, self.now + ms);
        let past = Recorded::written_at(last_written, self.records.clone());
        let live = LiveTable::restored(past, None).expect("the records begin with an opening");
        let mut desk = Desk::around(live, self.hooks, now, self.records);
        desk.handle(TableInput::Restarted { last_written });
        desk
    }

    /// Another server continues with this table `ms` milliseconds later, and these players' connections
    /// are still there. Besides the records it knows where the clocks were.
    pub fn taken_over_after(self, ms: u64, here: &[ConnId]) -> Desk {
        let standing = Box::new(self.live.standing());
        let past = Recorded::written_at(self.now, self.records.clone());
        let live = LiveTable::restored(past, None).expect("the records begin with an opening");
        let mut desk = Desk::around(live, self.hooks, self.now + ms, self.records);
        for conn in here {
            let post = self.live.post_of(*conn).expect("a member of the table");
            desk.live.take_up(*conn, post, None);
        }
        desk.handle(TableInput::TakenOver { standing: Some(standing), gap_ms: ms });
        desk
    }
}

// Inputs.
impl Desk {
    pub fn handle(&mut self, input: TableInput) {
        let mut out = Vec::new();
        self.live.handle(self.now, &self.hooks, input, &mut out);
        out.into_iter().for_each(|output| self.note(output));
        let folded = Table::fold(&self.records).expect("the records begin with an opening");
        assert_eq!(folded, *self.live.table(), "a table is the fold of its records");
    }

    pub fn sit(&mut self, conn: ConnId, seat: Seat, name: &str) {
        self.sit_as(conn, seat, newcomer(name));
    }

    /// Sits down over the protocol of this name.
    pub fn sit_via(&mut self, conn: ConnId, seat: Seat, name: &str, via: &str) {
        self.sit_as(conn, seat, Newcomer { joined_via: Some(via.into()), ..newcomer(name) });
    }

    pub fn sit_as(&mut self, conn: ConnId, seat: Seat, newcomer: Newcomer) {
        self.handle(TableInput::Sat { conn, seat, newcomer, asked: true });
    }

    pub fn seat_bot(&mut self, seat: Seat, strategy: &str) {
        let bot = BotSeat { seat, name: strategy.into(), strategy: strategy.into() };
        self.handle(TableInput::BotsSat(vec![bot]));
        self.handle(TableInput::Gathered);
    }

    pub fn ready(&mut self, conn: ConnId) {
        self.handle(TableInput::Readied(conn));
    }

    /// Bids in the running turn.
    pub fn bid(&mut self, conn: ConnId, bid: u8) {
        self.bid_in(self.seq(), conn, bid);
    }

    pub fn bid_in(&mut self, seq: u64, conn: ConnId, action: u8) {
        self.handle(TableInput::Acted { conn, seq, action: AnyAction::new::<Bids>(action) });
    }

    pub fn disconnect(&mut self, conn: ConnId) {
        self.handle(TableInput::Away { conn, exit: Exit::Lost, counted: false });
    }

    pub fn reconnect(&mut self, conn: ConnId, seat: Seat) {
        self.handle(TableInput::Returned { conn, seat, introduction: None, asked: true });
    }

    pub fn watch(&mut self, conn: ConnId, role: Role) {
        self.handle(TableInput::Watched { conn, role, asked: true });
    }

    pub fn introduce(&mut self, conn: ConnId, introduction: Introduction) {
        self.handle(TableInput::Introduced(conn, introduction));
    }

    /// Lets the oldest unanswered house bots think, and hands their answer in.
    pub fn think(&mut self) {
        let thinking = self.question();
        self.handle(TableInput::Thought(Box::new(thinking.think())));
    }

    /// There was no time to let them think.
    pub fn decline(&mut self) {
        let thinking = self.question();
        self.handle(TableInput::Thought(Box::new(thinking.decline())));
    }

    pub fn question(&mut self) -> Thinking {
        assert!(!self.questions.is_empty(), "no house bot is asked for a move");
        self.questions.remove(0)
    }

    pub fn is_asking_bots(&self) -> bool {
        !self.questions.is_empty()
    }

    /// Time passes; whatever falls due meanwhile happens at its own time.
    pub fn pass(&mut self, ms: u64) {
        let end = self.now + ms;
        while let Some(due) = self.live.deadline().filter(|due| *due <= end) {
            self.now = self.now.max(due);
            self.handle(TableInput::Tick);
        }
        self.now = end;
    }

    pub fn give_back(&mut self, ms: u64) {
        self.live.give_back(ms);
    }

    fn note(&mut self, output: TableOutput) {
        match output {
            TableOutput::Record(record) => self.records.push((*record).clone()),
            TableOutput::Said(said) => self.deliver(said),
            TableOutput::Unbound(conn) => self.wishes.push(Wish::Unbind(conn)),
            TableOutput::Forgotten(token) => self.wishes.push(Wish::Forget(token)),
            TableOutput::WantsBots => self.wishes.push(Wish::SeatBots),
            TableOutput::Recall { conn, eyes, from, until } => {
                self.wishes.push(Wish::Recall { conn, eyes, from, until });
            }
            TableOutput::Think(thinking) => self.questions.push(*thinking),
        }
    }

    fn deliver(&mut self, said: TableSaid) {
        match said {
            TableSaid::Answer(conn, answer) => self.push(conn, answered(answer)),
            TableSaid::Tell(conn, event) => self.push(conn, happened(event)),
            TableSaid::Show(conns, event) => {
                let got = happened(event);
                conns.iter().for_each(|conn| self.push(*conn, got.clone()));
            }
            TableSaid::Turn(turn) => {
                for (conn, update) in turn.updates {
                    self.push(conn, Got::Update(Box::new(seen(&update))));
                }
            }
        }
    }

    fn push(&mut self, conn: ConnId, got: Got) {
        self.got.entry(conn).or_default().push(got);
    }
}

// Queries.
impl Desk {
    /// Takes everything this connection has received since the last call.
    pub fn take(&mut self, conn: ConnId) -> Vec<Got> {
        self.got.remove(&conn).unwrap_or_default()
    }

    /// Takes the same, updates only.
    pub fn updates(&mut self, conn: ConnId) -> Vec<Seen> {
        let update = |got| match got {
            Got::Update(seen) => Some(*seen),
            _ => None,
        };
        self.take(conn).into_iter().filter_map(update).collect()
    }

    /// Takes the same; the refusal among it, if there is one.
    pub fn refusal(&mut self, conn: ConnId) -> Option<Refusal> {
        self.take(conn).into_iter().find_map(|got| match got {
            Got::Refused(refusal) => Some(refusal),
            _ => None,
        })
    }

    pub fn phase(&self) -> Phase {
        self.live.phase()
    }

    pub fn seq(&self) -> u64 {
        self.live.table().seq()
    }

    pub fn owed(&self) -> SeatSet {
        self.live.table().owed()
    }

    pub fn closing(&self) -> Option<&Closing> {
        self.live.table().closing()
    }

    pub fn owed_as_seen(&self, viewer: Viewer) -> SeatSet {
        self.live.table().owed_as_seen(viewer)
    }

    /// Number of records.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// The result of a game that was played to its end.
    pub fn outcome(&self) -> &Outcome {
        match self.closing() {
            Some(Closing::Over(outcome)) => outcome,
            other => panic!("no result: {other:?}"),
        }
    }

    pub fn exit(&self, seat: Seat) -> Option<&Exit> {
        self.outcome().standings[seat.index()].exit.as_ref()
    }

    pub fn points(&self) -> Vec<i64> {
        self.outcome().standings.iter().map(|standing| standing.points).collect()
    }

    /// Whether the player of a seat is connected, as the members are shown it.
    pub fn is_present(&self, seat: Seat) -> bool {
        self.live.company().seats[seat.index()].as_ref().is_some_and(|member| member.present)
    }

    pub fn name(&self, seat: Seat) -> Option<&str> {
        self.live.table().chair(seat).map(|chair| &*chair.name)
    }

    /// The house bot that plays a seat.
    pub fn bot(&self, seat: Seat) -> Option<&str> {
        self.live.table().chair(seat)?.bot.as_deref()
    }

    pub fn is_broken(&self) -> bool {
        self.live.is_broken()
    }

    pub fn nobody_came(&self) -> Option<&[Exit]> {
        self.live.nobody_came()
    }

    pub fn deadline(&self) -> Option<Time> {
        self.live.deadline()
    }

    /// Plays the whole game again from its records.
    pub fn verify(&self) -> Result<(), String> {
        Recorded::written_at(self.now, self.records.clone()).verify()
    }

    /// The same, after the journal's text was changed.
    pub fn verify_altered(&self, alter: impl Fn(String) -> String) -> Result<(), String> {
        let text = |record| serde_json::to_string(record).expect("records are JSON");
        let lines: Vec<String> = self.records.iter().map(text).map(alter).collect();
        let lines = lines.iter().map(|line| (self.now, line.as_str()));
        Recorded::read(<dyn AnyRules>::of::<Bids>(), lines)?.verify()
    }

    pub fn seats_for_bots(&self) -> Vec<Seat> {
        self.live.seats_for_bots()
    }

    /// The records of one kind, as the journal keeps them.
    pub fn recorded(&self, kind: &str) -> Vec<Value> {
        let content = |record| match serde_json::to_value(record).expect("records are JSON") {
            Value::Object(mut fields) => fields.remove(kind),
            _ => None,
        };
        self.records.iter().filter_map(content).collect()
    }

    /// The bids of one seat so far, in order.
    pub fn bids(&self, seat: Seat) -> Vec<u64> {
        let own = |record: &Value| {
            (record["seat"] == seat.0).then(|| record["action"].as_u64().expect("a number"))
        };
        self.recorded("moved").iter().filter_map(own).collect()
    }
}

pub fn newcomer(name: &str) -> Newcomer {
    Newcomer {
        name: name.into(),
        token: Some(format!("token of {name}")),
        joined_via: None,
        introduction: None,
        version: None,
        rests_until: None,
    }
}
