//! Clients, sessions and a hall whose messages are under way for as long as the test likes, as
//! they are between real sockets. A referee reads along what every client receives.

use std::collections::VecDeque;

use hall::{Answer, ConnId, Event, Hall, Input, Output, Terms, Time};
use rules::{Dice, Seed};
use wire::{Conversation, Framer, Playable, Said};

use crate::gamba::Gamba;

pub struct Stage {
    pub hall: Hall<Gamba>,
    terms: Terms<Gamba>,
    pub now: Time,
    pub clients: Vec<Client>,
    /// What the hall has yet to hear.
    inputs: VecDeque<Input<Gamba>>,
}

pub struct Client {
    conn: ConnId,
    conversation: Conversation<Gamba>,
    framer: Box<dyn Framer>,
    /// What the session has yet to hear from the hall.
    inbox: VecDeque<News>,
    pub open: bool,
    pub referee: Referee,
}

enum News {
    Answer(Answer),
    Event(Event<Gamba>),
}

impl Stage {
    pub fn new(terms: Terms<Gamba>, seed: u64) -> Stage {
        let hall = Hall::new(terms.clone(), Gamba::bots(), 1000, Seed::from_number(seed));
        let now = Time(1_000_000);
        Stage { hall, terms, now, clients: Vec::new(), inputs: VecDeque::new() }
    }

    /// A new connection; its number.
    pub fn connect(&mut self) -> usize {
        let dialect = &Gamba::dialects()[0];
        self.clients.push(Client {
            conn: ConnId(self.clients.len() as u64),
            conversation: Conversation::new(self.now, (dialect.session)(&self.terms)),
            framer: dialect.framing.framer(),
            inbox: VecDeque::new(),
            open: true,
            referee: Referee::default(),
        });
        self.clients.len() - 1
    }

    pub fn send(&mut self, client: usize, bytes: &[u8]) {
        if self.clients[client].open {
            self.clients[client].framer.feed(bytes);
        }
    }

    pub fn say(&mut self, client: usize, line: &str) {
        self.send(client, format!("{line}\n").as_bytes());
    }

    pub fn drop(&mut self, client: usize) {
        let client = &mut self.clients[client];
        if std::mem::take(&mut client.open) {
            self.inputs.push_back(Input::Gone(client.conn));
        }
    }

    pub fn lines(&self, client: usize) -> &[String] {
        &self.clients[client].referee.lines
    }

    /// One small thing happens somewhere, if anything can; the dice say what.
    pub fn step(&mut self, dice: &mut Dice) -> bool {
        let count = self.clients.len() + 1;
        let first = dice.below(count);
        let mut actors = (0..count).map(|n| (first + n) % count);
        actors.any(|actor| match self.clients.get_mut(actor) {
            Some(client) => client.step(self.now, &mut self.inputs),
            None => self.hall_step(),
        })
    }

    /// Everything that is under way arrives.
    pub fn settle(&mut self, dice: &mut Dice) {
        while self.step(dice) {}
    }

    /// The clock moves on, from deadline to deadline, and nothing stays under way.
    pub fn wait(&mut self, ms: u64, dice: &mut Dice) {
        let until = self.now + ms;
        self.settle(dice);
        loop {
            let sessions = self.clients.iter().filter(|client| client.open);
            let sessions = sessions.filter_map(|client| client.conversation.deadline());
            let next = sessions.chain(self.hall.deadline()).min().filter(|next| *next <= until);
            let Some(next) = next else { break };
            self.now = self.now.max(next);
            for client in self.clients.iter_mut().filter(|client| client.open) {
                client.conversation.tick(self.now);
            }
            self.settle(dice);
        }
        self.now = until;
    }

    fn hall_step(&mut self) -> bool {
        let due = self.hall.deadline().is_some_and(|deadline| deadline <= self.now);
        let Some(input) = self.inputs.pop_front().or(due.then_some(Input::Tick)) else {
            return false;
        };
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        for output in outputs {
            match output {
                Output::Answer(conn, answer) => self.post(conn, News::Answer(answer)),
                Output::Tell(conn, event) => self.post(conn, News::Event(event)),
                Output::Show(conns, event) => {
                    conns.iter().for_each(|conn| self.post(*conn, News::Event(event.clone())));
                }
                Output::TableRecord(_)
                | Output::TournamentRecord(_)
                | Output::Reply(..)
                | Output::Recall(_)
                | Output::Think(..)
                | Output::Listed(_) => {}
            }
        }
        true
    }

    fn post(&mut self, conn: ConnId, news: News) {
        self.clients[conn.0 as usize].inbox.push_back(news);
    }
}

impl Client {
    fn step(&mut self, now: Time, inputs: &mut VecDeque<Input<Gamba>>) -> bool {
        if !self.open {
            return false;
        }
        match self.conversation.next() {
            Some(Said::Text(text)) => self.referee.read(text.as_str()),
            Some(Said::Show(key)) => inputs.push_back(Input::Showed(self.conn, key)),
            Some(Said::Ask(command)) => inputs.push_back(Input::Said(self.conn, command)),
            Some(Said::Hangup(_)) => {
                self.open = false;
                inputs.push_back(Input::Gone(self.conn));
            }
            None => return self.hear(now),
        }
        true
    }

    fn hear(&mut self, now: Time) -> bool {
        match self.inbox.pop_front() {
            Some(News::Answer(answer)) => self.conversation.answered(now, answer),
            Some(News::Event(event)) => self.conversation.told(now, event),
            None if self.conversation.busy() => return false,
            None => match self.framer.next() {
                Some(frame) => self.conversation.hear(now, frame),
                None => return false,
            },
        }
        true
    }
}

/// What one client has received, and where that leaves it.
#[derive(Default)]
pub struct Referee {
    pub lines: Vec<String>,
    pub name: String,
    playing: bool,
    /// Between 112 and 102.
    ending: bool,
    /// The last state of a running game.
    pub state: Option<String>,
    pub games: usize,
}

impl Referee {
    fn read(&mut self, line: &str) {
        check_form(line);
        let number: u32 = line.split('|').next().unwrap().parse().unwrap();
        assert!(!self.ending || number == 102, "112 is followed by {line}");
        match number {
            100 => {
                self.name = value(line, "name").to_owned();
                (self.playing, self.state) = (false, None);
            }
            101 => {
                assert!(!self.playing, "a running game, and {line}");
                let players: Vec<&str> = value(line, "players").split(',').collect();
                assert!(players.contains(&self.name.as_str()), "{line}");
                assert_eq!(value(line, "player_count"), players.len().to_string(), "{line}");
                assert_eq!(value(line, "room_full"), (players.len() == 2).to_string(), "{line}");
            }
            102 => (self.playing, self.ending, self.state) = (false, false, None),
            105 => {
                assert!(!self.playing, "a running game, and {line}");
                self.playing = true;
            }
            106 => {
                self.playing = true;
                assert_eq!(line.split('|').nth(1), Some(self.name.as_str()), "{line}");
                let own_turn = value(line, "current_player") == self.name;
                assert_eq!(value(line, "your_turn"), own_turn.to_string(), "{line}");
                self.state = Some(line.to_owned());
            }
            107 | 109 | 111 => {
                assert_eq!(line.split('|').nth(1), Some(self.name.as_str()), "{line}");
            }
            112 => {
                assert!(self.playing, "no game, and {line}");
                self.ending = true;
                self.games += 1;
            }
            103 | 104 => {}
            _ => panic!("what is {line}?"),
        }
        self.lines.push(line.to_owned());
    }
}

pub fn value<'a>(line: &'a str, key: &str) -> &'a str {
    let pairs = line.split('|').skip(3).filter_map(|pair| pair.split_once('='));
    pairs.filter(|(name, _)| *name == key).map(|(_, value)| value).next().unwrap_or("")
}

/// Three fields and pairs in bytewise order of their keys; no bar at the end but a PONG's.
pub fn check_form(line: &str) {
    if line == "104||" {
        return;
    }
    let fields: Vec<&str> = line.split('|').collect();
    assert!(fields.len() > 3 && !line.ends_with('|'), "{line}");
    let key = |pair: &&str| pair.split_once('=').unwrap_or_else(|| panic!("{line}")).0.to_owned();
    let keys: Vec<String> = fields[3..].iter().map(key).collect();
    match (fields[0], keys.len()) {
        ("112", _) => assert_eq!(keys, ["winner", "reason", "status"], "{line}"),
        ("103", 2) => assert_eq!(keys, ["error", "disconnect"], "{line}"),
        _ => assert!(keys.is_sorted(), "{line}"),
    }
}
