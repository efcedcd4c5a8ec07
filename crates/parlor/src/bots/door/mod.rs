//! The door of a bot's room: a socket between the organiser's process and the room's first one. The room
//! hands out its listener through it, so that the organiser takes connections in the room's own network.
//! Later the room reports through it which limits the bot has reached.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub use elsewhere::Door;
#[cfg(target_os = "linux")]
pub use linux::{Door, hand_out, report};

/// What a bot in a room can use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    Memory,
    Processes,
    Files,
}
