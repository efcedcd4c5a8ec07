//! One agent's seat: its line, and what it received over it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::situation::{Situation, Status};
use crate::line::AgentEnd;

/// A seat at a table, or on the way to one.
#[derive(Debug)]
pub struct Seat {
    pub game: String,
    line: AgentEnd,
    situation: Mutex<Situation>,
    next_id: AtomicU64,
}

impl Seat {
    pub fn new(game: &str, line: AgentEnd) -> Seat {
        let (situation, next_id) = (Mutex::default(), AtomicU64::new(1));
        Seat { game: game.to_owned(), line, situation, next_id }
    }

    /// Looks at everything that was said by now.
    pub fn look<T>(&self, look: impl FnOnce(&mut Situation) -> T) -> T {
        let mut situation = self.situation.lock().expect("no holder of this lock panics");
        // With the lock held, so that messages are folded in the order they were said.
        let (heard, closed) = self.line.take_received();
        heard.iter().for_each(|text| situation.note(text));
        if closed && situation.closed.is_none() {
            situation.closed = Some("the connection to the table was closed".to_owned());
        }
        if situation.over.is_some() {
            // Everything was read, and connections are limited.
            self.line.hang_up();
        }
        look(&mut situation)
    }

    /// Waits until something is found in what was said.
    pub async fn until<T>(&self, mut find: impl FnMut(&mut Situation) -> Option<T>) -> T {
        loop {
            // From here on news are noticed, also those that come while it looks.
            let news = self.line.news().notified();
            if let Some(found) = self.look(&mut find) {
                return found;
            }
            news.await;
        }
    }

    /// Asks the server something and waits for the direct answer. The error says why there is none.
    pub async fn ask(&self, mut message: Value) -> Result<Value, String> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        message["id"] = json!(id);
        self.line.say(message.to_string());
        let find = |situation: &mut Situation| match situation.take_answer(id) {
            Some(answer) => Some(Ok(answer)),
            None => situation.closed.clone().map(Err),
        };
        self.until(find).await
    }

    /// Whether it can still be played from, or its game has come to an end that it knows.
    pub fn is_good(&self) -> bool {
        !self.line.is_closed() || self.look(|situation| situation.status(None)) == Status::Over
    }
}
