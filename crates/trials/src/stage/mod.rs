//! The one test stage: a hall, its connections, its records, and a clock that moves only on
//! request. It does what a server does for its clients, without the operating system.
//!
//! Tests of sessions [`connect`](Stage::connect), [`say`](Stage::say) lines and look at what was
//! [`heard`](Stage::heard); with [`step`](Stage::step) messages are in transit for a random time.
//! Tests of the hall alone let it [`handle`](Stage::handle) inputs and look at its outputs.

mod asking;
mod connection;
mod journey;
mod written;

use std::collections::{BTreeMap, VecDeque};

use hall::{
    ConnId, GameHooks, Hall, Input, Output, Reply, RestoreError, Standing, Terms, Time, Unfinished,
};
use rules::{Dice, Seed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use wire::{Conversation, Frame, Framer, Framing, Playable, Said, Session, Text};

use connection::{Connection, News};
pub(crate) use journey::Journey;
pub use written::Written;

/// Makes one connection's side of a protocol.
type NewSession = fn(&Terms) -> Box<dyn Session>;

/// A hall, the connections to it, what it has written down, and a clock.
pub struct Stage {
    pub hall: Hall,
    pub terms: Terms,
    pub hooks: GameHooks,
    pub now: Time,
    pub written: Written,
    /// The hall's last outputs that were not delivered.
    pub outputs: Vec<Output>,
    pub(crate) journey: Journey,
    /// The session and framing of clients that connect without naming a protocol.
    protocol: Option<(NewSession, Framing)>,
    max_tables: usize,
    connections: BTreeMap<ConnId, Connection>,
    next_conn: u64,
    /// Inputs in transit to the hall.
    under_way: VecDeque<Input>,
    heard: Vec<(ConnId, Heard)>,
}

/// What a client receives.
#[derive(Debug)]
pub enum Heard {
    Text(Text),
    /// The server has hung up, and why.
    Hangup(String),
}

impl Stage {
    /// An empty hall, as made by [`Hall::new`], without connections.
    pub fn new(terms: Terms, hooks: impl Into<GameHooks>, max_tables: usize, seed: Seed) -> Stage {
        let hooks = hooks.into();
        Stage {
            hall: Hall::new(terms.clone(), hooks.clone(), max_tables, seed),
            terms,
            hooks,
            now: Time(1_000_000),
            written: Written::default(),
            outputs: Vec::new(),
            journey: Journey::Direct,
            protocol: None,
            max_tables,
            connections: BTreeMap::new(),
            next_conn: 1,
            under_way: VecDeque::new(),
            heard: Vec::new(),
        }
    }

    /// What arrives of a message that travels in the way of this stage.
    fn carry<T>(&self, said: T) -> T
    where
        T: Serialize + DeserializeOwned + PartialEq + Debug,
    {
        self.journey.carry(self.terms.config.rules(), said)
    }

    /// A new connection; nothing has happened there yet.
    pub fn enter(&mut self, session: Box<dyn Session>, framer: Box<dyn Framer>) -> ConnId {
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        let connection = Connection::new(Conversation::new(self.now, session), framer);
        self.connections.insert(conn, connection);
        conn
    }

    /// Bytes arrive but aren't processed yet. A closed connection sends nothing.
    pub fn send(&mut self, conn: ConnId, bytes: &[u8]) {
        if let Some(connection) = self.open_connection(conn) {
            connection.framer.feed(bytes);
        }
    }

    /// A whole line arrives, and everything happens that follows.
    pub fn say(&mut self, conn: ConnId, line: &str) {
        self.send(conn, format!("{line}\n").as_bytes());
        self.settle();
    }

    /// A message as a transport has cut it.
    pub fn hear(&mut self, conn: ConnId, frame: Frame<'_>) {
        let now = self.now;
        if let Some(connection) = self.open_connection(conn) {
            connection.conversation.hear(now, frame);
        }
        self.settle();
    }

    /// The client hangs up; the hall doesn't know yet.
    pub fn cut(&mut self, conn: ConnId) {
        if self.connections.remove(&conn).is_some_and(|connection| connection.open) {
            self.under_way.push_back(Input::Gone(conn));
        }
    }

    /// The client hangs up, and everything happens that follows.
    pub fn hang_up(&mut self, conn: ConnId) {
        self.cut(conn);
        self.settle();
    }

    /// The client is gone, and the server does not know it.
    pub fn lose(&mut self, conn: ConnId) {
        if let Some(connection) = self.connections.get_mut(&conn) {
            connection.dead = true;
        }
    }

    /// All clients that have not hung up.
    pub fn conns(&self) -> Vec<ConnId> {
        self.connections.keys().copied().collect()
    }

    /// All connections that neither side has closed.
    pub fn open_conns(&self) -> Vec<ConnId> {
        self.conns().into_iter().filter(|conn| self.is_open(*conn)).collect()
    }

    pub fn is_open(&self, conn: ConnId) -> bool {
        self.connections.get(&conn).is_some_and(|connection| connection.open)
    }

    /// What all clients received since the last call, in order.
    pub fn take_heard(&mut self) -> Vec<(ConnId, Heard)> {
        std::mem::take(&mut self.heard)
    }

    /// What one client received since the last call.
    pub fn texts(&mut self, conn: ConnId) -> Vec<Text> {
        let own = self.heard.extract_if(.., |(to, _)| *to == conn);
        let text = |(_, heard)| match heard {
            Heard::Text(text) => Some(text),
            Heard::Hangup(_) => None,
        };
        own.filter_map(text).collect()
    }

    /// The same as plain text.
    pub fn heard(&mut self, conn: ConnId) -> Vec<String> {
        self.texts(conn).iter().map(|text| text.as_str().to_owned()).collect()
    }

    /// Lets the hall process an input without delivering anything: see the outputs.
    pub fn handle(&mut self, input: Input) {
        self.outputs.clear();
        self.hall.handle(self.now, input, &mut self.outputs);
        self.outputs.iter().for_each(|output| self.written.write(output));
    }

    /// The same, and sends the outputs on their way.
    pub fn input(&mut self, input: Input) -> Option<Reply> {
        self.handle(input);
        self.deliver()
    }

    /// Another hall continues from the records, and from what is known about the connections.
    pub fn restore(&mut self, seed: Seed, standing: Option<Standing>) -> Result<(), RestoreError> {
        self.hall = Hall::new(self.terms.clone(), self.hooks.clone(), self.max_tables, seed);
        let unfinished = Unfinished { standing, ..self.written.unfinished() };
        self.outputs.clear();
        self.hall.restore(self.now, unfinished, &mut self.outputs)?;
        self.outputs.iter().for_each(|output| self.written.write(output));
        Ok(())
    }

    /// The server ends and begins again: every connection is gone.
    pub fn restart(&mut self, seed: Seed) -> Result<(), RestoreError> {
        self.connections.clear();
        self.under_way.clear();
        self.restore(seed, None)
    }

    /// Lets everything happen that can happen now.
    pub fn settle(&mut self) {
        self.settle_in(&self.conns());
    }

    /// The same, where the connections have their say in this order.
    pub(crate) fn settle_in(&mut self, conns: &[ConnId]) {
        loop {
            self.arrive();
            let mut busy = false;
            for conn in conns {
                while let Some(said) = self.next_said(*conn) {
                    busy = true;
                    self.carry_out(*conn, said);
                    self.arrive();
                }
            }
            if !busy && !self.hall_hears() {
                return;
            }
        }
    }

    /// One small thing happens somewhere, if anything can; the dice say what.
    pub fn step(&mut self, dice: &mut Dice) -> bool {
        let conns = self.open_conns();
        let count = conns.len() + 1;
        let first = dice.below(count);
        let mut actors = (0..count).map(|n| (first + n) % count);
        actors.any(|actor| match conns.get(actor) {
            Some(conn) => self.step_of(*conn),
            None => self.hall_hears(),
        })
    }

    /// Moves the clock from deadline to deadline, and nothing stays under way.
    pub fn wait(&mut self, ms: u64) {
        self.wait_by(ms, Stage::settle);
    }

    /// The same, where everything that is under way arrives as the caller likes.
    pub fn wait_by(&mut self, ms: u64, mut settle: impl FnMut(&mut Stage)) {
        let until = self.now + ms;
        settle(self);
        loop {
            let sessions = self.connections.values().filter(|connection| connection.open);
            let sessions = sessions.filter_map(|connection| connection.conversation.deadline());
            let next = sessions.chain(self.hall.deadline()).min().filter(|next| *next <= until);
            let Some(next) = next else { break };
            self.now = self.now.max(next);
            for connection in self.connections.values_mut().filter(|connection| connection.open) {
                connection.conversation.tick(self.now);
            }
            settle(self);
        }
        self.now = until;
    }

    /// The next request of a client's conversation, once it has processed what it may.
    pub fn next_said(&mut self, conn: ConnId) -> Option<Said> {
        let now = self.now;
        self.open_connection(conn)?.next_said(now)
    }

    fn open_connection(&mut self, conn: ConnId) -> Option<&mut Connection> {
        self.connections.get_mut(&conn).filter(|connection| connection.open)
    }

    fn step_of(&mut self, conn: ConnId) -> bool {
        let now = self.now;
        let Some(connection) = self.open_connection(conn) else { return false };
        match connection.conversation.next() {
            Some(said) => self.carry_out(conn, said),
            None => return connection.hear(now),
        }
        true
    }

    fn carry_out(&mut self, conn: ConnId, said: Said) {
        match said {
            Said::Text(text) => self.heard.push((conn, Heard::Text(text))),
            Said::Hangup(reason) => {
                self.heard.push((conn, Heard::Hangup(reason)));
                self.connections.get_mut(&conn).expect("it just spoke").open = false;
                self.under_way.push_back(Input::Gone(conn));
            }
            Said::Probe(_) => {
                let connection = self.connections.get_mut(&conn).expect("it just spoke");
                if !connection.dead {
                    connection.conversation.is_there();
                }
            }
            Said::Show(key) => {
                self.under_way.push_back(Input::Showed(conn, self.carry(key)));
            }
            Said::Because(_) => {}
            Said::Ask(command) => {
                self.under_way.push_back(Input::Said(conn, self.carry(command)));
            }
        }
    }

    /// Delivers everything in transit to the hall.
    fn arrive(&mut self) {
        while let Some(input) = self.under_way.pop_front() {
            self.input(input);
        }
    }

    /// Delivers one input, or an expired deadline, to the hall.
    fn hall_hears(&mut self) -> bool {
        let is_due = self.hall.deadline().is_some_and(|deadline| deadline <= self.now);
        let input = self.under_way.pop_front().or(is_due.then_some(Input::Tick));
        input.map(|input| self.input(input)).is_some()
    }

    /// Delivers the hall's outputs to their connections. Returns the reply to an organiser.
    fn deliver(&mut self) -> Option<Reply> {
        let mut replied = None;
        let mut outputs = std::mem::take(&mut self.outputs);
        for output in outputs.drain(..) {
            match output {
                Output::TableRecord(_)
                | Output::TournamentRecord(_)
                | Output::Think(..)
                | Output::Listed(_) => {}
                Output::Reply(_, reply) => replied = Some(reply),
                Output::Answer(..) | Output::Tell(..) | Output::At(..) => self.hand_out(&output),
                Output::Recall(recall) => {
                    let (answer, event) = recall.answer(self.written.open_table(recall.table));
                    let (answer, event) = (self.carry(answer), self.carry(event));
                    self.post(recall.conn, News::Answer(answer));
                    event.into_iter().for_each(|event| self.post(recall.conn, News::Event(event)));
                }
            }
        }
        self.outputs = outputs;
        replied
    }

    fn hand_out(&mut self, output: &Output) {
        if let Some((conn, answer)) = output.answer() {
            let answer = self.carry(answer);
            self.post(conn, News::Answer(answer));
        }
        for (conn, event) in output.events() {
            let event = self.carry(event);
            self.post(conn, News::Event(event));
        }
    }

    /// A closed connection receives nothing.
    fn post(&mut self, conn: ConnId, news: News) {
        if let Some(connection) = self.open_connection(conn) {
            connection.inbox.push_back(news);
        }
    }
}

impl Stage {
    /// A hall of these options; the options must be good.
    pub fn of<G: Playable>(options: &G::Options, max_tables: usize, seed: u64) -> Stage {
        let terms = G::terms(options).unwrap_or_else(|why| panic!("{why}"));
        Stage::new(terms, G::hooks(), max_tables, Seed::from_number(seed)).speaking::<G>()
    }

    /// Lets clients speak the first protocol of this game.
    #[must_use]
    pub fn speaking<G: Playable>(mut self) -> Stage {
        let dialect = &G::dialects()[0];
        self.protocol = Some((dialect.session, dialect.framing));
        self
    }

    /// A client of the game's first protocol connects and receives its first messages at once.
    pub fn connect(&mut self) -> ConnId {
        let conn = self.admit();
        self.settle();
        conn
    }

    /// The same, before anything has happened there.
    pub fn admit(&mut self) -> ConnId {
        let (session, framing) = self.protocol.expect("the stage knows a protocol");
        self.enter(session(&self.terms), framing.framer())
    }
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stage({} connections, {:?})", self.connections.len(), self.now)
    }
}
