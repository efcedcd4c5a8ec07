//! The order of one connection's speech.

use std::collections::VecDeque;

use hall::{Answer, Command, Event, KeyHash, Name, Time, split_key};

use crate::{Frame, Session, Text};

/// Drives a session and keeps its laws: at most one command in flight, the answer before anything
/// else (if the session wants that), nothing after a hang-up.
///
/// Feed it with [`hear`](Conversation::hear) while it isn't [`busy`](Conversation::busy), and with
/// answers, events and ticks at any time; then take what it says with [`next`](Iterator::next)
/// until there is nothing more. All outputs of one step of the hall to a connection are delivered
/// before its next message is processed; otherwise that message would be judged by a state that its
/// sender's last move has already changed.
pub struct Conversation {
    session: Box<dyn Session>,
    speech: Speech,
    in_flight: bool,
    /// The command in flight is not the session's: it says that the client is there.
    is_present: bool,
    /// Events that wait until the command in flight is answered.
    held: VecDeque<Event>,
}

/// Where a session puts its output.
#[derive(Debug)]
pub struct Speech {
    said: VecDeque<Said>,
    /// Commands that wait until the one in flight is answered.
    asks: VecDeque<(Option<KeyHash>, Command)>,
    /// A key that goes with the next command.
    shown: Option<KeyHash>,
    /// The session has hung up; what it says after that is nothing.
    over: bool,
    /// Number of messages produced, and how many of them had been sent when the message being
    /// processed was read.
    count: u64,
    sent: u64,
}

/// How far a session had spoken at some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(u64);

impl Speech {
    /// One message to the client, without its ending.
    pub fn text(&mut self, text: impl Into<Text>) {
        if !self.over {
            self.count += 1;
            self.said.push_back(Said::Text(text.into()));
        }
    }

    /// How far was spoken up to now.
    pub fn mark(&self) -> Mark {
        Mark(self.count)
    }

    /// Whether everything up to the mark had been sent before the message being processed was read.
    /// If not, the message isn't an answer to it.
    pub fn had_sent(&self, mark: Mark) -> bool {
        self.sent >= mark.0
    }

    pub fn ask(&mut self, command: Command) {
        if !self.over {
            self.asks.push_back((self.shown.take(), command));
        }
    }

    /// The client has shown a key, which counts from its next command on.
    pub fn show_key(&mut self, key: &str) {
        self.shown = Some(KeyHash::of(key));
    }

    /// The name in a client's self-description. A key after it is recorded as shown.
    pub fn take_key<'a>(&mut self, said: &'a str) -> &'a str {
        let (name, key) = split_key(said);
        if let Some(key) = key {
            self.show_key(key);
        }
        name
    }

    /// Why the message that is heard now is refused, for its author: it is written down, not sent. It is said
    /// before the refusing text.
    pub fn because(&mut self, why: impl Into<String>) {
        if !self.over {
            self.said.push_back(Said::Because(why.into()));
        }
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

/// A conversation's request to its driver.
#[derive(Debug)]
pub enum Said {
    Text(Text),
    /// The client has this key. Has no answer.
    Show(KeyHash),
    /// Find out whether the client is still there, for a client at this address;
    /// [`Conversation::is_there`] reports it, also for a client at another one.
    Probe(Option<Name>),
    Ask(Command),
    /// Why the last message is refused, where the protocol does not say it.
    Because(String),
    /// Nothing follows.
    Hangup(String),
}

impl Conversation {
    pub fn new(now: Time, session: Box<dyn Session>) -> Conversation {
        let mut conversation = Conversation {
            session,
            speech: Speech {
                said: VecDeque::new(),
                asks: VecDeque::new(),
                shown: None,
                over: false,
                count: 0,
                sent: 0,
            },
            in_flight: false,
            is_present: false,
            held: VecDeque::new(),
        };
        conversation.speak(|session, out| session.open(now, out));
        conversation
    }

    /// The client has shown a key before it said anything.
    pub fn show(&mut self, key: KeyHash) {
        self.speech.said.push_front(Said::Show(key));
    }

    /// The key that the client has just shown, until it is passed on.
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
    pub fn is_silent_at(&self, event: &Event) -> bool {
        self.over() || self.session.is_silent_at(event)
    }

    /// Processes a message that was read after everything had been sent.
    pub fn hear(&mut self, now: Time, frame: Frame<'_>) {
        self.hear_after(now, self.speech.count, frame);
    }

    /// Processes a message that was read when `sent` of this conversation's messages had been sent.
    pub fn hear_after(&mut self, now: Time, sent: u64, frame: Frame<'_>) {
        debug_assert!(!self.in_flight, "one command at a time");
        self.speech.sent = sent;
        match frame {
            Frame::Text(text) => self.speak(|session, out| session.on_text(now, text, out)),
            Frame::Garbage(garbage, _) => {
                self.speak(|session, out| session.on_garbage(now, garbage, out));
            }
        }
    }

    pub fn answered(&mut self, now: Time, answer: Answer) {
        self.in_flight = false;
        match std::mem::take(&mut self.is_present) {
            true => self.speak(|_, _| {}),
            false => self.speak(|session, out| session.on_answer(now, answer, out)),
        }
        self.deliver_held(now);
    }

    /// The client has answered a [`Said::Probe`].
    pub fn is_there(&mut self) {
        if !self.speech.asks.iter().any(|(_, command)| *command == Command::Present) {
            self.speak(|_, out| out.ask(Command::Present));
        }
    }

    pub fn told(&mut self, now: Time, event: Event) {
        if let Event::Doubted(address) = event {
            return self.speech.said.push_back(Said::Probe(address));
        }
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

    fn deliver(&mut self, now: Time, event: &Event) {
        self.speak(|session, out| session.on_event(now, event, out));
    }

    fn speak(&mut self, step: impl FnOnce(&mut dyn Session, &mut Speech)) {
        let speech = &mut self.speech;
        if !speech.over {
            step(&mut *self.session, speech);
        }
        if !self.in_flight
            && let Some((key, command)) = speech.asks.pop_front()
        {
            self.in_flight = true;
            self.is_present = command == Command::Present;
            speech.said.extend(key.map(Said::Show));
            speech.said.push_back(Said::Ask(command));
        }
    }
}

/// The next requests of this conversation; processing a message may add more.
impl Iterator for Conversation {
    type Item = Said;

    fn next(&mut self) -> Option<Said> {
        self.speech.said.pop_front()
    }
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Conversation").field("in_flight", &self.in_flight).finish_non_exhaustive()
    }
}
