//! Sessions and a hall without sockets: what a server does for its clients, but for the system's
//! part. Time stands still unless it is moved.

use std::collections::VecDeque;
use std::fmt;

use hall::{ConnId, Hall, Input, Output, Time};
use rules::Seed;
use wire::{Client, Conversation, Frame, Playable, Reaction, Said};

/// A hall with clients in it who play game after game.
pub struct Floor<G: Playable> {
    hall: Hall<G>,
    options: G::Options,
    now: Time,
    callers: Vec<Caller<G>>,
    next_conn: u64,
    outputs: Vec<Output<G>>,
}

struct Caller<G: Playable> {
    conn: ConnId,
    conversation: Conversation<G>,
    client: Box<dyn Client>,
    /// What it has been told and not yet heard.
    inbox: VecDeque<String>,
    reactions: Vec<Reaction>,
}

impl<G: Playable> Floor<G> {
    pub fn new(options: G::Options) -> Result<Floor<G>, String> {
        let hall = Hall::new(G::terms(&options)?, G::hooks(), 10_000, Seed::from_number(1));
        let (now, callers, outputs) = (Time(1_000_000), Vec::new(), Vec::new());
        let mut floor = Floor { hall, options, now, callers, next_conn: 1, outputs };
        floor.input(Input::Tick);
        Ok(floor)
    }

    /// Brings in a client of the game's first protocol and lets it sit down.
    pub fn seat(&mut self, mut client: Box<dyn Client>) {
        let (conn, conversation) = self.connect();
        let mut reactions = Vec::new();
        client.seek(self.now, None, &mut reactions);
        client.open(self.now, &mut reactions);
        let inbox = VecDeque::new();
        self.callers.push(Caller { conn, conversation, client, inbox, reactions });
        self.react(self.callers.len() - 1);
    }

    /// Lets every client hear and say what it has to, once. How many moves that made.
    pub fn step(&mut self) -> u64 {
        let mut moves = 0;
        for number in 0..self.callers.len() {
            while let Some(text) = self.callers[number].inbox.pop_front() {
                let (now, caller) = (self.now, &mut self.callers[number]);
                caller.client.on_text(now, &text, &mut caller.reactions);
                moves += self.react(number);
            }
        }
        moves
    }

    fn connect(&mut self) -> (ConnId, Conversation<G>) {
        let terms = G::terms(&self.options).expect("they were good before");
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        (conn, Conversation::new(self.now, (G::dialects()[0].session)(&terms)))
    }

    /// Does what a client wants done; how many moves that made.
    fn react(&mut self, number: usize) -> u64 {
        let mut moves = 0;
        while !self.callers[number].reactions.is_empty() {
            for reaction in std::mem::take(&mut self.callers[number].reactions) {
                match reaction {
                    Reaction::Say(text) => self.say(number, &text),
                    Reaction::Move(text) => {
                        moves += 1;
                        self.say(number, &text);
                    }
                    Reaction::Over(_) => {
                        let (now, caller) = (self.now, &mut self.callers[number]);
                        caller.client.seek(now, None, &mut caller.reactions);
                    }
                    Reaction::Hangup => self.come_again(number),
                    Reaction::Refused(why) | Reaction::GiveUp(why) => {
                        panic!("a benchmark's client plays by the rules: {why}")
                    }
                }
            }
        }
        moves
    }

    fn say(&mut self, number: usize, text: &str) {
        self.callers[number].conversation.hear(self.now, Frame::Text(text));
        self.settle();
    }

    fn come_again(&mut self, number: usize) {
        self.input(Input::Gone(self.callers[number].conn));
        let (conn, conversation) = self.connect();
        let (now, caller) = (self.now, &mut self.callers[number]);
        (caller.conn, caller.conversation) = (conn, conversation);
        caller.inbox.clear();
        caller.client.closed(now, &mut caller.reactions);
        caller.client.open(now, &mut caller.reactions);
    }

    /// Does what the conversations want done until they want nothing more.
    fn settle(&mut self) {
        let mut number = 0;
        while number < self.callers.len() {
            let caller = &mut self.callers[number];
            match caller.conversation.next() {
                Some(Said::Text(text)) => caller.inbox.push_back(text.as_str().to_owned()),
                Some(Said::Show(key)) => {
                    let conn = caller.conn;
                    self.input(Input::Showed(conn, key));
                }
                Some(Said::Ask(command)) => {
                    let conn = caller.conn;
                    self.input(Input::Said(conn, command));
                    number = 0;
                }
                Some(Said::Hangup(_)) => {
                    let conn = caller.conn;
                    self.input(Input::Gone(conn));
                }
                None => number += 1,
            }
        }
    }

    fn input(&mut self, input: Input<G>) {
        let (now, mut outputs) = (self.now, std::mem::take(&mut self.outputs));
        self.hall.handle(now, input, &mut outputs);
        for output in outputs.drain(..) {
            match output {
                Output::Answer(conn, answer) => {
                    if let Some(conversation) = self.conversation(conn) {
                        conversation.answered(now, answer);
                    }
                }
                Output::Tell(conn, event) => {
                    if let Some(conversation) = self.conversation(conn) {
                        conversation.told(now, event);
                    }
                }
                Output::Show(conns, event) => {
                    for conn in &*conns {
                        if let Some(conversation) = self.conversation(*conn) {
                            conversation.told(now, event.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        self.outputs = outputs;
    }

    /// None: it was of a connection that is gone.
    fn conversation(&mut self, conn: ConnId) -> Option<&mut Conversation<G>> {
        let caller = self.callers.iter_mut().find(|caller| caller.conn == conn)?;
        Some(&mut caller.conversation)
    }
}

impl<G: Playable> fmt::Debug for Floor<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Floor({}, {} clients)", G::NAME, self.callers.len())
    }
}
