//! A sign of life for entrants who wait for their next match.
//!
//! The later kit's bots give up on a tournament after a minute without a line, and a word they do
//! not know ends them. One line of a tournament asks nothing of them and may come at any time
//! before a match: TOURNAMENT_JOINED. While such a bot has nothing to do it hears the last one
//! once more, which changes nothing for it.

use hall::Time;

/// Well before the minute is over, also after something that has no line on the kit's dialect.
const EVERY_MS: u64 = 25_000;

#[derive(Debug, Default)]
pub struct Vigil {
    /// What is repeated; none: the player is in no tournament that goes on.
    line: Option<String>,
    /// When the player heard of anything.
    heard: Time,
}

impl Vigil {
    /// The last that was said about who takes part.
    pub fn keep(&mut self, line: String) {
        self.line = Some(line);
    }

    pub fn end(&mut self) {
        self.line = None;
    }

    /// The player hears something now.
    pub fn hears(&mut self, now: Time) {
        self.heard = now;
    }

    pub fn deadline(&self) -> Option<Time> {
        self.line.as_ref().map(|_| self.heard + EVERY_MS)
    }

    /// The line, if it has to be said again by now.
    pub fn due(&mut self, now: Time) -> Option<String> {
        self.deadline().filter(|deadline| *deadline <= now)?;
        self.heard = now;
        self.line.clone()
    }
}
