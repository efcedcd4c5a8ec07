//! Sessions and a hall without sockets: what a server does for its clients, but for the system's
//! part. Time stands still unless it is moved.

use std::collections::VecDeque;

use hall::{Conn, Hall, Input, Output, Phase, Time};
use rules::Seed;
use wire::{Conversation, Frame, Playable, Said};

/// A client that plays by rote.
pub trait Player {
    fn open(&mut self, table: &str, say: &mut Vec<Saying>);

    fn hear(&mut self, message: &str, say: &mut Vec<Saying>) -> Heard;
}

pub enum Saying {
    /// The last piece of a move.
    Move(String),
    Other(String),
}

pub enum Heard {
    GoOn,
    /// The game is over, and so is the connection.
    Over,
}

/// A hall with clients in it who play game after game.
pub struct Floor<G: Playable> {
    hall: Hall<G>,
    options: G::Options,
    now: Time,
    clients: Vec<Client<G>>,
    next_conn: u64,
    outputs: Vec<Output<G>>,
}

struct Client<G: Playable> {
    conn: Conn,
    conversation: Conversation<G>,
    player: Box<dyn Player>,
    make: fn(usize) -> Box<dyn Player>,
    /// What it has been told and not yet heard.
    inbox: VecDeque<String>,
    say: Vec<Saying>,
}

impl<G: Playable> Floor<G> {
    pub fn new(options: G::Options) -> Result<Floor<G>, String> {
        let hall = Hall::new(G::terms(&options)?, G::fittings(), 10_000, Seed::from_number(1));
        let (now, clients, outputs) = (Time(1_000_000), Vec::new(), Vec::new());
        let mut floor = Floor { hall, options, now, clients, next_conn: 1, outputs };
        floor.input(Input::Tick);
        Ok(floor)
    }

    /// Brings in clients of the game's first protocol and lets them sit down.
    pub fn seat(&mut self, seats: usize, make: fn(usize) -> Box<dyn Player>) {
        for number in 0..seats {
            let (conn, conversation) = self.connect();
            let (player, inbox) = (make(number), VecDeque::new());
            self.clients.push(Client { conn, conversation, player, make, inbox, say: Vec::new() });
        }
        (0..seats).for_each(|number| self.open(number));
    }

    /// Lets every client hear and say what it has to, once. How many moves that made.
    pub fn step(&mut self) -> u64 {
        let mut moves = 0;
        for number in 0..self.clients.len() {
            while let Some(text) = self.clients[number].inbox.pop_front() {
                let client = &mut self.clients[number];
                match client.player.hear(&text, &mut client.say) {
                    Heard::GoOn => moves += self.speak(number),
                    Heard::Over => self.come_again(number),
                }
            }
        }
        moves
    }

    fn connect(&mut self) -> (Conn, Conversation<G>) {
        let terms = G::terms(&self.options).expect("they were good before");
        let conn = Conn(self.next_conn);
        self.next_conn += 1;
        (conn, Conversation::new(self.now, (G::dialects()[0].session)(&terms)))
    }

    fn come_again(&mut self, number: usize) {
        self.input(Input::Gone(self.clients[number].conn));
        let (conn, conversation) = self.connect();
        let client = &mut self.clients[number];
        (client.conn, client.conversation) = (conn, conversation);
        client.player = (client.make)(number);
        client.inbox.clear();
        client.say.clear();
        self.open(number);
    }

    fn open(&mut self, number: usize) {
        let gathering =
            self.hall.tables().map(|(_, table)| table).find(|t| t.phase() == Phase::Gathering);
        let table = gathering.map(|table| table.opened.id.clone()).unwrap_or_default();
        let client = &mut self.clients[number];
        client.player.open(&table, &mut client.say);
        self.speak(number);
    }

    fn speak(&mut self, number: usize) -> u64 {
        let mut moves = 0;
        for saying in std::mem::take(&mut self.clients[number].say) {
            let text = match saying {
                Saying::Move(text) => {
                    moves += 1;
                    text
                }
                Saying::Other(text) => text,
            };
            let client = &mut self.clients[number];
            client.conversation.hear(self.now, Frame::Text(&text));
            self.settle();
        }
        moves
    }

    /// Does what the conversations want done until they want nothing more.
    fn settle(&mut self) {
        let mut number = 0;
        while number < self.clients.len() {
            let client = &mut self.clients[number];
            match client.conversation.next() {
                Some(Said::Text(text)) => client.inbox.push_back(text.as_str().to_owned()),
                Some(Said::Ask(command)) => {
                    let conn = client.conn;
                    self.input(Input::Said(conn, command));
                    number = 0;
                }
                Some(Said::Hangup(_)) => {
                    let conn = client.conn;
                    self.input(Input::Gone(conn));
                }
                None => number += 1,
            }
        }
    }

    fn input(&mut self, input: Input<G>) {
        let mut outputs = std::mem::take(&mut self.outputs);
        self.hall.handle(self.now, input, &mut outputs);
        for output in outputs.drain(..) {
            let (conn, now) = match &output {
                Output::Answer(conn, _) | Output::Tell(conn, _) => (*conn, self.now),
                Output::Record(_) | Output::Note(_) | Output::Reply(..) => continue,
            };
            let Some(client) = self.clients.iter_mut().find(|client| client.conn == conn) else {
                continue;
            };
            match output {
                Output::Answer(_, answer) => client.conversation.answered(now, answer),
                Output::Tell(_, event) => client.conversation.told(now, event),
                Output::Record(_) | Output::Note(_) | Output::Reply(..) => {}
            }
        }
        self.outputs = outputs;
    }
}
