//! The same games, text to text: clients, sessions and hall in memory on one thread, to count what a
//! turn costs.
//!
//! ```sh
//! cargo build --release -p games --example turns
//! valgrind --tool=callgrind target/release/examples/turns gamba 200
//! ```

use std::collections::VecDeque;
use std::io::Write;

use games::gamba::Gamba;
use games::sushi_go::SushiGo;
use hall::{ConnId, Event, Hall, Input, Name, Output, TableRecord, TableSaid, Time};
use rules::Seed;
use wire::{Client, Conversation, Frame, Playable, Player, Reaction, Said};

fn main() {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap_or_else(|| "gamba".to_owned());
    let games = words.next().map_or(200, |games| games.parse().expect("how many games"));
    let moves = match &*game {
        "gamba" => Floor::new::<Gamba>().play(games, false),
        "sushi-go" => Floor::new::<SushiGo>().play(games, true),
        other => panic!("gamba or sushi-go, not {other}"),
    };
    writeln!(std::io::stdout(), "{game}: {games} games, {moves} moves").expect("somebody reads");
}

/// Two clients at one hall.
struct Floor {
    hall: Hall,
    sides: Vec<(Box<dyn Client>, Conversation)>,
    /// Messages that clients have yet to receive.
    told: VecDeque<(usize, String)>,
    /// The table of the house that was opened last.
    table: Option<Name>,
    outputs: Vec<Output>,
    moves: u64,
    over: usize,
}

const NOW: Time = Time(1_000_000);

impl Floor {
    fn new<G: Playable>() -> Floor {
        let mut options = serde_json::to_value(G::Options::default()).expect("plain data");
        // No clock is set, so nothing is due.
        for clock in ["turn_timeout_ms", "move_timeout_ms"] {
            if let Some(ms) = options.get_mut(clock) {
                *ms = 0.into();
            }
        }
        let options = serde_json::from_value(options).expect("its own options");
        let terms = G::terms(&options).expect("good options");
        let dialect = &G::dialects()[0];
        let side = |number: u64| {
            let bot = G::bots()[0];
            let name = (dialect.signs.nth_name)(number as usize);
            let player = Player::with(&name, move || (bot.make)(), Seed::from_number(number));
            ((dialect.client)(player), Conversation::new(NOW, (dialect.session)(&terms)))
        };
        let sides = vec![side(0), side(1)];
        Floor {
            hall: Hall::new(terms, G::hooks(), 100, Seed::from_number(7)),
            sides,
            told: VecDeque::new(),
            table: None,
            outputs: Vec::new(),
            moves: 0,
            over: 0,
        }
    }

    /// Plays a number of games; returns how many moves that took.
    fn play(mut self, games: usize, by_name: bool) -> u64 {
        self.input(Input::Tick);
        for side in 0..2 {
            let mut reactions = Vec::new();
            self.sides[side].0.open(NOW, &mut reactions);
            self.react(side, reactions);
            self.speak(side);
        }
        for game in 1..=games {
            for side in 0..2 {
                let table = self.table.clone().filter(|_| by_name);
                let mut reactions = Vec::new();
                self.sides[side].0.seek(NOW, table.as_deref(), &mut reactions);
                self.react(side, reactions);
            }
            while self.over < 2 * game {
                let (side, text) = self.told.pop_front().expect("somebody is told something");
                let mut reactions = Vec::new();
                self.sides[side].0.on_text(NOW, &text, &mut reactions);
                self.react(side, reactions);
            }
        }
        self.moves
    }

    fn react(&mut self, side: usize, reactions: Vec<Reaction>) {
        for reaction in reactions {
            match reaction {
                Reaction::Say(text) => self.say(side, &text),
                Reaction::Move(text) => {
                    self.moves += 1;
                    self.say(side, &text);
                }
                Reaction::Over(_) => self.over += 1,
                Reaction::Hangup => {}
                Reaction::Refused(why) | Reaction::GiveUp(why) => panic!("{why}"),
            }
        }
    }

    fn say(&mut self, side: usize, text: &str) {
        self.sides[side].1.hear(NOW, Frame::Text(text));
        self.speak(side);
    }

    /// Does what a conversation wants done, and whatever follows from it.
    fn speak(&mut self, side: usize) {
        while let Some(said) = self.sides[side].1.next() {
            match said {
                Said::Text(text) => self.told.push_back((side, text.as_str().to_owned())),
                Said::Show(key) => self.input(Input::Showed(ConnId(side as u64), key)),
                Said::Ask(command) => self.input(Input::Said(ConnId(side as u64), command)),
                Said::Probe(_) => self.sides[side].1.is_there(),
                Said::Because(why) | Said::Hangup(why) => panic!("{why}"),
            }
        }
    }

    fn input(&mut self, input: Input) {
        let mut outputs = std::mem::take(&mut self.outputs);
        self.hall.handle(NOW, input, &mut outputs);
        for output in outputs.drain(..) {
            match output {
                Output::Answer(conn, answer) => {
                    self.let_speak(conn, |side| side.answered(NOW, answer));
                }
                Output::At(_, TableSaid::Answer(conn, answer)) => {
                    self.let_speak(conn, |side| side.answered(NOW, answer.into()));
                }
                Output::Tell(conn, event) => self.let_speak(conn, |side| side.told(NOW, event)),
                Output::At(_, TableSaid::Tell(conn, event)) => {
                    self.let_speak(conn, |side| side.told(NOW, event.into()));
                }
                Output::At(_, TableSaid::Turn(turn)) => {
                    for (conn, update) in turn.updates {
                        self.let_speak(conn, |side| side.told(NOW, Event::Update(update)));
                    }
                }
                Output::TableRecord(entry) => {
                    if let TableRecord::Opened(opened) = &*entry.record {
                        self.table = Some(opened.id.clone());
                    }
                }
                _ => {}
            }
        }
        self.outputs = outputs;
    }

    /// One side receives a message and returns what follows.
    fn let_speak(&mut self, conn: ConnId, hear: impl FnOnce(&mut Conversation)) {
        let side = conn.0 as usize;
        let conversation = &mut self.sides[side].1;
        hear(conversation);
        for said in conversation.by_ref() {
            match said {
                Said::Text(text) => self.told.push_back((side, text.as_str().to_owned())),
                other => panic!("{other:?} in an answer"),
            }
        }
    }
}
