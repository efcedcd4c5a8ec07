//! The order of one connection's speech.

use std::collections::VecDeque;

use hall::{Answer, Command, Event, KeyHash, Time, split_key};
use rules::Game;

use crate::{Frame, Session, Text};

/// Drives a session and keeps its laws: at most one command in flight, the answer before
/// anything else (where the session wants that), nothing after a hang-up.
///
/// Feed it with [`hear`](Conversation::hear) while it is not [`busy`](Conversation::busy), and
/// with answers, events and ticks at any time; then take what it says with
/// [`next`](Iterator::next) until there is nothing more. What one step of the hall says to a conn
/// is delivered whole before the next message is heard, or that message would be judged by a
/// state of play its sender's last move has already changed.
pub struct Conversation<G: Game> {
    session: Box<dyn Session<G>>,
    speech: Speech<G>,
    in_flight: bool,
    /// Events that wait until the command in flight is answered.
    held: VecDeque<Event<G>>,
}

/// Where a session puts what it says.
#[derive(Debug)]
pub struct Speech<G: Game> {
    said: VecDeque<Said<G>>,
    /// Commands that wait until the one in flight is answered.
    asks: VecDeque<(Option<KeyHash>, Command<G>)>,
    /// A key that goes with the next command.
    shown: Option<KeyHash>,
    /// The session has hung up; what it says after that is nothing.
    over: bool,
}

impl<G: Game> Speech<G> {
    /// One message to the client, without its ending.
    pub fn text(&mut self, text: impl Into<Text>) {
        if !self.over {
            self.said.push_back(Said::Text(text.into()));
        }
    }

    pub fn ask(&mut self, command: Command<G>) {
        if !self.over {
            self.asks.push_back((self.shown.take(), command));
        }
    }

    /// The client has shown a key, which counts from its next command on.
    pub fn show_key(&mut self, key: &str) {
        self.shown = Some(KeyHash::of(key));
    }

    /// The name in what a client calls itself. The key that may stand behind it is shown.
    pub fn take_key<'a>(&mut self, said: &'a str) -> &'a str {
        let (name, key) = split_key(said);
        if let Some(key) = key {
            self.show_key(key);
        }
        name
    }

    /// Closes the connection after what was said before.
    pub fn hangup(&mut self, reason: impl Into<String>) {
        if !self.over {
            self.over = true;
            self.asks.clear();
            self.said.push_back(Said::Hangup(reason.into()));
        }
    }
}

/// What a conversation wants done.
#[derive(Debug)]
pub enum Said<G: Game> {
    Text(Text),
    /// The client has this key. Nobody answers.
    Show(KeyHash),
    Ask(Command<G>),
    /// Nothing follows.
    Hangup(String),
}

impl<G: Game> Conversation<G> {
    pub fn new(now: Time, session: Box<dyn Session<G>>) -> Conversation<G> {
        let mut conversation = Conversation {
            session,
            speech: Speech {
                said: VecDeque::new(),
                asks: VecDeque::new(),
                shown: None,
                over: false,
            },
            in_flight: false,
            held: VecDeque::new(),
        };
        conversation.speak(|session, out| session.open(now, out));
        conversation
    }

    /// The client has shown a key before it said anything.
    pub fn show(&mut self, key: KeyHash) {
        self.speech.said.push_front(Said::Show(key));
    }

    /// The key that the client has just shown, until that is told on.
    pub fn shown(&self) -> Option<&KeyHash> {
        self.speech.said.iter().rev().find_map(|said| match said {
            Said::Show(key) => Some(key),
            _ => None,
        })
    }

    /// Whether a command waits for its answer: the client's next message has to wait too.
    pub fn busy(&self) -> bool {
        self.in_flight
    }

    /// Whether the session has hung up.
    pub fn over(&self) -> bool {
        self.speech.over
    }

    /// Whether this answer will lead to nothing that is said or asked.
    pub fn is_silent_on(&self, answer: &Answer) -> bool {
        let nothing_waits = self.held.is_empty() && self.speech.asks.is_empty();
        self.over() || nothing_waits && self.session.is_silent_on(answer)
    }

    /// Whether this event will lead to nothing that is said or asked.
    pub fn is_silent_at(&self, event: &Event<G>) -> bool {
        self.over() || self.session.is_silent_at(event)
    }

    pub fn hear(&mut self, now: Time, frame: Frame<'_>) {
        debug_assert!(!self.in_flight, "one command at a time");
        match frame {
            Frame::Text(text) => self.speak(|session, out| session.on_text(now, text, out)),
            Frame::Garbage(garbage, _) => {
                self.speak(|session, out| session.on_garbage(now, garbage, out));
            }
        }
    }

    pub fn answered(&mut self, now: Time, answer: Answer) {
        self.in_flight = false;
        self.speak(|session, out| session.on_answer(now, answer, out));
        self.deliver_held(now);
    }

    pub fn told(&mut self, now: Time, event: Event<G>) {
        // Nothing is ever held while it could be delivered.
        if self.in_flight && self.session.reply_first() {
            self.held.push_back(event);
        } else {
            self.deliver(now, &event);
        }
    }

    pub fn tick(&mut self, now: Time) {
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.speak(|session, out| session.on_tick(now, out));
        }
    }

    /// The session's deadline, unless a command is in flight.
    pub fn deadline(&self) -> Option<Time> {
        if self.in_flight || self.over() { None } else { self.session.deadline() }
    }

    fn deliver_held(&mut self, now: Time) {
        while !(self.in_flight && self.session.reply_first()) {
            let Some(event) = self.held.pop_front() else { return };
            self.deliver(now, &event);
        }
    }

    fn deliver(&mut self, now: Time, event: &Event<G>) {
        self.speak(|session, out| session.on_event(now, event, out));
    }

    fn speak(&mut self, step: impl FnOnce(&mut dyn Session<G>, &mut Speech<G>)) {
        let speech = &mut self.speech;
        if !speech.over {
            step(&mut *self.session, speech);
        }
        if !self.in_flight
            && let Some((key, command)) = speech.asks.pop_front()
        {
            self.in_flight = true;
            speech.said.extend(key.map(Said::Show));
            speech.said.push_back(Said::Ask(command));
        }
    }
}

/// The next things to do for this conversation; more come with whatever it hears.
impl<G: Game> Iterator for Conversation<G> {
    type Item = Said<G>;

    fn next(&mut self) -> Option<Said<G>> {
        self.speech.said.pop_front()
    }
}

impl<G: Game> std::fmt::Debug for Conversation<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation").field("in_flight", &self.in_flight).finish_non_exhaustive()
    }
}
