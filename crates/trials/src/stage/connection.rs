//! One client's end of the stage.

use std::collections::VecDeque;

use hall::{Answer, Event, Time};
use wire::{Conversation, Framer, Said};

pub(super) struct Connection {
    pub conversation: Conversation,
    pub framer: Box<dyn Framer>,
    /// Messages from the hall that the session hasn't processed.
    pub inbox: VecDeque<News>,
    /// The server has not hung up.
    pub open: bool,
    /// Its client is gone, and the server hasn't noticed.
    pub dead: bool,
}

pub(super) enum News {
    Answer(Answer),
    Event(Event),
}

impl Connection {
    pub fn new(conversation: Conversation, framer: Box<dyn Framer>) -> Connection {
        Connection { conversation, framer, inbox: VecDeque::new(), open: true, dead: false }
    }

    /// Its next request, once it has processed everything from the hall and from its client.
    pub fn next_said(&mut self, now: Time) -> Option<Said> {
        while !self.inbox.is_empty() {
            self.hear(now);
        }
        loop {
            match self.conversation.next() {
                Some(said) => return Some(said),
                None if !self.hear(now) => return None,
                None => {}
            }
        }
    }

    /// Processes one message, if there is any.
    pub fn hear(&mut self, now: Time) -> bool {
        match self.inbox.pop_front() {
            Some(News::Answer(answer)) => self.conversation.answered(now, answer),
            Some(News::Event(event)) => self.conversation.told(now, event),
            None if self.conversation.busy() || self.conversation.over() => return false,
            None => match self.framer.next() {
                Some(frame) => self.conversation.hear(now, frame),
                None => return false,
            },
        }
        true
    }
}
