//! Every game over the JSON protocol.

mod conversation;
mod document;
mod reactions;
mod rematch;
mod sparring;
