//! Sessions, framers and a real hall in virtual time, for tests that a script cannot tell.

use std::collections::BTreeMap;

use hall::{ConnId, Hall, Input, Output, Time};
use rules::Seed;
use serde_json::Value;
use wire::{Conversation, Frame, Framer, Garbage, Playable, Said, Text};

use crate::tiger_dragon::{Options, TigerDragon};

pub struct Stage {
    pub hall: Hall<TigerDragon>,
    options: Options,
    now: Time,
    clients: BTreeMap<ConnId, Client>,
    next_conn: u64,
}

struct Client {
    conversation: Conversation<TigerDragon>,
    framer: Box<dyn Framer>,
    heard: Vec<Text>,
}

impl Stage {
    pub fn new(options: &Options, seed: u64) -> Stage {
        let terms = TigerDragon::terms(options).expect("good options");
        Stage {
            hall: Hall::new(terms, TigerDragon::bots(), 100, Seed::from_number(seed)),
            options: options.clone(),
            now: Time(1_000_000),
            clients: BTreeMap::new(),
            next_conn: 1,
        }
    }

    pub fn connect(&mut self) -> ConnId {
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        let dialect = &TigerDragon::dialects()[0];
        let terms = TigerDragon::terms(&self.options).expect("good options");
        let conversation = Conversation::new(self.now, (dialect.session)(&terms));
        let framer = dialect.framing.framer();
        self.clients.insert(conn, Client { conversation, framer, heard: Vec::new() });
        self.settle();
        conn
    }

    /// One message, whole.
    pub fn say(&mut self, conn: ConnId, message: &str) {
        self.feed(conn, format!("{message}\n").as_bytes());
    }

    /// Bytes as they come from the network; who has been hung up on says nothing any more.
    pub fn feed(&mut self, conn: ConnId, bytes: &[u8]) {
        if let Some(client) = self.clients.get_mut(&conn) {
            client.framer.feed(bytes);
            self.settle();
        }
    }

    pub fn garble(&mut self, conn: ConnId, garbage: Garbage) {
        let client = self.clients.get_mut(&conn).expect("connected");
        client.conversation.hear(self.now, Frame::Garbage(garbage, &[]));
        self.settle();
    }

    pub fn drop(&mut self, conn: ConnId) {
        self.clients.remove(&conn);
        self.input(Input::Gone(conn));
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

    /// Everything heard since the last time this was asked.
    pub fn texts(&mut self, conn: ConnId) -> Vec<Text> {
        self.clients.get_mut(&conn).map_or(Vec::new(), |client| std::mem::take(&mut client.heard))
    }

    /// The same, read. Every message must be a JSON object on one line.
    pub fn heard(&mut self, conn: ConnId) -> Vec<Value> {
        let read = |text: &Text| {
            assert!(!text.as_str().contains('\n'), "{}", text.as_str());
            serde_json::from_str(text.as_str())
                .unwrap_or_else(|error| panic!("{error}: {}", text.as_str()))
        };
        self.texts(conn).iter().map(read).collect()
    }

    pub fn conns(&self) -> Vec<ConnId> {
        self.clients.keys().copied().collect()
    }

    /// Says something to the hall past the sessions.
    pub fn input(&mut self, input: Input<TigerDragon>) {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        for output in outputs {
            match output {
                Output::Answer(conn, answer) => {
                    if let Some(client) = self.clients.get_mut(&conn) {
                        client.conversation.answered(self.now, answer);
                    }
                }
                Output::Tell(conn, event) => {
                    if let Some(client) = self.clients.get_mut(&conn) {
                        client.conversation.told(self.now, event);
                    }
                }
                Output::Show(conns, event) => {
                    for conn in &*conns {
                        if let Some(client) = self.clients.get_mut(conn) {
                            client.conversation.told(self.now, event.clone());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Lets everything happen that can happen now.
    pub fn settle(&mut self) {
        loop {
            let mut busy = false;
            for conn in self.conns() {
                while let Some(said) = self.next_said(conn) {
                    busy = true;
                    match said {
                        Said::Text(text) => {
                            let client = self.clients.get_mut(&conn).expect("it just spoke");
                            client.heard.push(text);
                        }
                        Said::Show(key) => self.input(Input::Showed(conn, key)),
                        Said::Ask(command) => self.input(Input::Said(conn, command)),
                        Said::Hangup(_) => {
                            self.clients.remove(&conn);
                            self.input(Input::Gone(conn));
                        }
                    }
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

    fn next_said(&mut self, conn: ConnId) -> Option<Said<TigerDragon>> {
        let client = self.clients.get_mut(&conn)?;
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
}

pub fn join(player_id: &str, role: &str) -> String {
    serde_json::json!({"type": "join", "room_id": "r", "player_id": player_id, "role": role})
        .to_string()
}

pub fn action(choice: &str) -> String {
    serde_json::json!({"type": "action", "choice": choice}).to_string()
}

pub const DISCARDS_REQUEST: &str = r#"{"type":"discards_request","room_id":""}"#;
