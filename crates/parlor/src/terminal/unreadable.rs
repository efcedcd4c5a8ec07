//! What cannot be read.

use std::fmt;

/// A command line, its settings or its input cannot mean anything, and why. As an error it ends a
/// command with 2, as a command line does that cannot even be parsed.
#[derive(Debug)]
pub struct Unreadable(pub String);

impl Unreadable {
    pub fn new(error: &anyhow::Error) -> Unreadable {
        Unreadable(format!("{error:#}"))
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}
