//! Being told to stop.

use anyhow::Result;

use crate::system;

pub use crate::system::Interrupt;

/// Waits for a signal. From the call on, signals no longer end the program by themselves: the
/// caller must end, and drop what must not stay behind, such as child processes.
pub fn interrupt() -> Result<impl Future<Output = Interrupt>> {
    Ok(system::interrupt()?)
}

/// Does some work; a signal ends it with an [`Interrupt`], and drops it.
pub async fn unless_interrupted<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::select! {
        done = work => done,
        interrupt = interrupt()? => Err(interrupt.into()),
    }
}
