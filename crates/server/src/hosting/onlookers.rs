//! What those who only look on are told: a little later than those who play, and some of them at a time.
//!
//! A crowd that is told all at once keeps players waiting, and where cores are few the journal too. So
//! what a crowd hears is put aside in one piece. When those who play have had time to answer, it is
//! handed to each of the crowd, and they are served a few in every millisecond. A handful hears it with
//! the players.

use std::collections::VecDeque;
use std::sync::Arc;

use hall::{Answer, ConnId, Event, Time};

/// A crowd hears of a turn so much later: who plays has answered by then.
pub const ASIDE_MS: u64 = 20;
/// So many are no crowd. They are told in a millisecond; more of a crowd that this would keep waiting.
pub const AT_ONCE: usize = 8;
const CROWD_SHARE: usize = 128;
/// So many are handed what they will be told in a millisecond, more if much was put aside.
const HANDED_AT_ONCE: usize = 256;

/// What a connection is told.
pub enum Told {
    Answer(Answer),
    Event(Event),
}

impl Clone for Told {
    fn clone(&self) -> Told {
        match self {
            Told::Answer(answer) => Told::Answer(answer.clone()),
            Told::Event(event) => Told::Event(event.clone()),
        }
    }
}

/// Something that was put aside for some.
struct Aside {
    due: Time,
    /// In order.
    to: Arc<[ConnId]>,
    /// How many of them have it.
    handed: usize,
    told: Told,
}

/// Those who only look on, and what they will be told, in order.
pub struct Onlookers {
    asides: VecDeque<Aside>,
    /// How many have yet to be handed something.
    unhanded: usize,
    /// Those who have been handed something.
    waiting: VecDeque<ConnId>,
    /// Some had their turn in this millisecond.
    served: Time,
}

impl Default for Onlookers {
    fn default() -> Onlookers {
        let (asides, waiting) = (VecDeque::new(), VecDeque::new());
        Onlookers { asides, unhanded: 0, waiting, served: Time(0) }
    }
}

impl Onlookers {
    /// Puts something aside for all of these, who are in order.
    pub fn put_aside(&mut self, now: Time, to: Arc<[ConnId]>, told: Told) {
        self.unhanded += to.len();
        let is_crowd = self.unhanded + self.waiting.len() > AT_ONCE;
        let due = if is_crowd { now + ASIDE_MS } else { now };
        self.asides.push_back(Aside { due, to, handed: 0, told });
    }

    /// Whether something is put aside for a connection.
    pub fn keep_something_for(&self, conn: ConnId) -> bool {
        let is_for = |aside: &Aside| aside.to[aside.handed..].binary_search(&conn).is_ok();
        self.asides.iter().any(is_for)
    }

    /// When some have their turn.
    pub fn due(&self) -> Option<Time> {
        let due = match self.waiting.is_empty() {
            true => self.asides.front()?.due,
            false => Time(0),
        };
        Some(due.max(self.served + 1))
    }

    /// Hands some what was put aside for them. `give` says whether nothing else waits for one to be told.
    pub fn hand_out(&mut self, now: Time, mut give: impl FnMut(ConnId, Told) -> bool) {
        self.served = now;
        let mut left = HANDED_AT_ONCE.max(self.unhanded / CROWD_SHARE);
        while let Some(aside) = self.asides.front_mut().filter(|aside| aside.due <= now && left > 0)
        {
            let until = aside.to.len().min(aside.handed + left);
            for conn in &aside.to[aside.handed..until] {
                if give(*conn, aside.told.clone()) {
                    self.waiting.push_back(*conn);
                }
            }
            left -= until - aside.handed;
            self.unhanded -= until - aside.handed;
            aside.handed = until;
            if until == aside.to.len() {
                self.asides.pop_front();
            }
        }
    }

    /// Those whose turn it is.
    pub fn take_some(&mut self) -> Vec<ConnId> {
        let count = AT_ONCE.max(self.waiting.len() / CROWD_SHARE).min(self.waiting.len());
        self.waiting.drain(..count).collect()
    }
}
