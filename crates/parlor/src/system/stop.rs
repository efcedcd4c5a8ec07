//! What stops this program.

use std::fmt;

/// How this program was asked to stop. As an error it ends a command, and says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// SIGINT: Ctrl-C, or Ctrl-Break.
    Interrupted,
    /// SIGTERM, or the end of a Windows console.
    Terminated,
}

impl Interrupt {
    pub fn signal(self) -> &'static str {
        match self {
            Interrupt::Interrupted => "SIGINT",
            Interrupt::Terminated => "SIGTERM",
        }
    }

    /// What a shell has for the status of a program that a signal has ended.
    pub fn exit_code(self) -> u8 {
        match self {
            Interrupt::Interrupted => 130,
            Interrupt::Terminated => 143,
        }
    }
}

impl fmt::Display for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted by {}", self.signal())
    }
}

impl std::error::Error for Interrupt {}
