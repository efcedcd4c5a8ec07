//! Being told to stop.

use std::fmt;

use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};

/// How somebody told this program to stop. As an error it ends a command, and says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// SIGINT: Ctrl-C.
    Interrupted,
    /// SIGTERM.
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

/// Waits for a signal. From the call on, signals no longer end the program by themselves: whoever
/// calls this must end, and drop what shall not stay behind, such as child processes.
pub fn interrupt() -> Result<impl Future<Output = Interrupt>> {
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => Interrupt::Interrupted,
            _ = terminated.recv() => Interrupt::Terminated,
        }
    })
}

/// Does some work; a signal ends it with an [`Interrupt`], and drops it.
pub async fn unless_interrupted<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::select! {
        done = work => done,
        interrupt = interrupt()? => Err(interrupt.into()),
    }
}
