//! The door of a bot's jail: a socket between the organiser's process and the jail's first one. The jail
//! hands out its listener through it, so that the organiser takes connections in the jail's own network.
//! Later the jail reports through it which limits the bot has reached.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::JailSocket;
#[cfg(target_os = "linux")]
pub use linux::{JailSocket, report, send_listener};

/// What a bot in a jail can use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    Memory,
    Processes,
    Files,
}
