//! What a player is doing, to explain why it doesn't finish.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

/// Number of last lines kept, and bytes kept of each.
const LINES: usize = 16;
const LENGTH: usize = 240;

/// Number of first lines kept per connection: they show where the player sits.
const FIRST: usize = 6;

/// The last messages a player sent and received, shared with the reader.
#[derive(Clone, Debug, Default)]
pub struct Trail(Arc<Mutex<Steps>>);

#[derive(Debug, Default)]
struct Steps {
    game: String,
    name: String,
    wire: String,
    node: String,
    lines: VecDeque<String>,
    first: Vec<String>,
    /// How many more belong to the first.
    fresh: usize,
    is_over: bool,
}

impl Trail {
    fn lock(&self) -> MutexGuard<'_, Steps> {
        self.0.lock().expect("no holder of this lock panics")
    }

    /// Another life begins.
    pub fn begin(&self, game: &str, name: &str, wire: &str) {
        let (game, name, wire) = (game.to_owned(), name.to_owned(), wire.to_owned());
        *self.lock() = Steps { game, name, wire, ..Steps::default() };
    }

    /// It has a connection to this node.
    pub fn connected(&self, node: &str) {
        let mut steps = self.lock();
        node.clone_into(&mut steps.node);
        steps.fresh = FIRST;
        drop(steps);
        self.note(&format!("connected to {node}"));
    }

    pub fn said(&self, text: &str) {
        self.note(&format!("> {text}"));
    }

    pub fn heard(&self, text: &str) {
        self.note(&format!("< {text}"));
    }

    pub fn note(&self, what: &str) {
        let line: String = format!("{} {what}", hour()).chars().take(LENGTH).collect();
        let mut steps = self.lock();
        if steps.lines.len() == LINES {
            steps.lines.pop_front();
        }
        if steps.fresh > 0 {
            steps.fresh -= 1;
            steps.first.push(line.clone());
        }
        steps.lines.push_back(line);
    }

    /// The first messages over each of its connections, and the last ones.
    pub fn tell_all(&self) -> String {
        let first = self.lock().first.join(" / ");
        format!("{first} ... {}", self.tell())
    }

    /// The last life is over.
    pub fn end(&self) {
        self.lock().is_over = true;
    }

    pub fn is_over(&self) -> bool {
        self.lock().is_over
    }

    pub fn game(&self) -> String {
        self.lock().game.clone()
    }

    pub fn name(&self) -> String {
        self.lock().name.clone()
    }

    /// Its name and its last lines.
    pub fn tell(&self) -> String {
        let Steps { game, name, wire, node, lines, .. } = &*self.lock();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        format!("{game}: {name} on {wire}, last at {node}: {}", lines.join(" / "))
    }
}

/// The time of day in UTC, as logs have it.
pub fn hour() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let (s, ms) = (since.as_secs() % 86_400, since.subsec_millis());
    format!("{:02}:{:02}:{:02}.{ms:03}", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_names_its_player_and_keeps_the_last_lines() {
        let trail = Trail::default();
        trail.begin("gamba", "bot7", "native");
        trail.connected("node2");
        (0..100).for_each(|number| trail.said(&format!("line {number}")));
        let told = trail.tell();
        assert!(told.starts_with("gamba: bot7 on native, last at node2: "), "{told}");
        assert!(told.ends_with("> line 99") && !told.contains("line 83"), "{told}");
        assert!(!trail.is_over());
        trail.end();
        assert!(trail.is_over());
    }
}
