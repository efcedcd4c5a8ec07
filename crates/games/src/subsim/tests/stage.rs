//! Sessions over a hall in virtual time, for tests that a transcript cannot express.

use std::collections::BTreeMap;

use ::wire::{Conversation, Framer, Playable, Said};
use hall::{Closing, ConnId, Hall, Input, Output, Time};
use rules::Seed;

use super::super::{Options, SubSim};

pub(super) struct Stage {
    pub hall: Hall<SubSim>,
    options: Options,
    now: Time,
    clients: BTreeMap<ConnId, Client>,
    next_conn: u64,
}

struct Client {
    conversation: Conversation<SubSim>,
    framer: Box<dyn Framer>,
    heard: Vec<String>,
    closed: bool,
}

impl Stage {
    pub fn new(options: Options, max_tables: usize) -> Stage {
        let terms = SubSim::terms(&options).expect("good options");
        Stage {
            hall: Hall::new(terms, SubSim::bots(), max_tables, Seed::from_number(1)),
            options,
            now: Time(1_000_000),
            clients: BTreeMap::new(),
            next_conn: 1,
        }
    }

    pub fn connect(&mut self) -> ConnId {
        let dialect = &SubSim::dialects()[0];
        let terms = SubSim::terms(&self.options).expect("good options");
        let conversation = Conversation::new(self.now, (dialect.session)(&terms));
        let framer = dialect.framing.framer();
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        let client = Client { conversation, framer, heard: Vec::new(), closed: false };
        self.clients.insert(conn, client);
        self.settle();
        conn
    }

    /// A new connection that has joined.
    pub fn join(&mut self, name: &str, squares: &str) -> ConnId {
        let conn = self.connect();
        self.say(conn, &format!("J|{name}|{squares}"));
        conn
    }

    pub fn say(&mut self, conn: ConnId, line: &str) {
        self.feed(conn, format!("{line}\n").as_bytes());
        self.settle();
    }

    /// Bytes arrive; nothing is done about them yet.
    pub fn feed(&mut self, conn: ConnId, bytes: &[u8]) {
        if let Some(client) = self.clients.get_mut(&conn) {
            client.framer.feed(bytes);
        }
    }

    pub fn hang_up(&mut self, conn: ConnId) {
        if self.clients.remove(&conn).is_some_and(|client| !client.closed) {
            self.input(Input::Gone(conn));
        }
        self.settle();
    }

    pub fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(next) = self.hall.deadline().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            self.settle();
        }
        self.now = until;
    }

    pub fn conns(&self) -> Vec<ConnId> {
        self.clients.keys().copied().collect()
    }

    pub fn is_closed(&self, conn: ConnId) -> bool {
        self.clients.get(&conn).is_none_or(|client| client.closed)
    }

    /// Everything heard since the last time this was asked.
    pub fn heard(&mut self, conn: ConnId) -> Vec<String> {
        self.clients.get_mut(&conn).map_or(Vec::new(), |client| std::mem::take(&mut client.heard))
    }

    /// How the tables that are over have ended.
    pub fn closings(&self) -> Vec<Closing> {
        self.hall.tables().filter_map(|(_, table)| table.closing().cloned()).collect()
    }

    /// Says something to the hall, and brings every conversation its part of what follows.
    pub fn input(&mut self, input: Input<SubSim>) {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        for output in outputs {
            let now = self.now;
            match output {
                Output::Answer(conn, answer) => {
                    if let Some(client) = self.clients.get_mut(&conn) {
                        client.conversation.answered(now, answer);
                    }
                }
                Output::Tell(conn, event) => {
                    if let Some(client) = self.clients.get_mut(&conn) {
                        client.conversation.told(now, event);
                    }
                }
                Output::Show(conns, event) => {
                    for conn in &*conns {
                        if let Some(client) = self.clients.get_mut(conn) {
                            client.conversation.told(now, event.clone());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What a client's conversation wants done next, once it has heard what it may.
    pub fn next_said(&mut self, conn: ConnId) -> Option<Said<SubSim>> {
        let client = self.clients.get_mut(&conn).filter(|client| !client.closed)?;
        loop {
            if let Some(said) = client.conversation.next() {
                return Some(said);
            }
            if client.conversation.busy() || client.conversation.over() {
                return None;
            }
            client.conversation.hear(self.now, client.framer.next()?);
        }
    }

    /// Lets everything happen that can happen now.
    pub fn settle(&mut self) {
        loop {
            let mut busy = false;
            for conn in self.conns() {
                while let Some(said) = self.next_said(conn) {
                    busy = true;
                    self.carry_out(conn, said);
                }
            }
            if self.hall.deadline().is_some_and(|deadline| deadline <= self.now) {
                self.input(Input::Tick);
                busy = true;
            }
            if !busy {
                return;
            }
        }
    }

    fn carry_out(&mut self, conn: ConnId, said: Said<SubSim>) {
        let client = self.clients.get_mut(&conn).expect("it just spoke");
        match said {
            Said::Text(text) => client.heard.push(text.as_str().to_owned()),
            Said::Show(key) => self.input(Input::Showed(conn, key)),
            Said::Ask(command) => self.input(Input::Said(conn, command)),
            Said::Hangup(_) => {
                client.closed = true;
                self.input(Input::Gone(conn));
            }
        }
    }
}

/// Two players at a table that begins when both are there.
pub(super) fn duel() -> Options {
    let mut options = Options::default();
    options.config.max_players = 2;
    options
}
