//! What operating systems do differently, as far as commands need it. What only Linux knows of rooms for
//! bots is in `bots/jail` and `bots/jail_socket`.

mod stop;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use stop::Interrupt;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

/// What a program and all that it starts may take together, where the system counts that.
#[cfg_attr(unix, allow(dead_code, reason = "the shell sets the limits there"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupLimits {
    /// In bytes.
    pub memory: Option<u64>,
    /// Of each process.
    pub cpu_s: Option<u64>,
    pub processes: Option<u64>,
}
