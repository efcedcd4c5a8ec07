//! Every game over the JSON protocol.

mod conversation;
mod document;
mod rematch;
mod sparring;
