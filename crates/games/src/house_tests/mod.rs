//! Every game over the house wire.

mod conversation;
mod document;
mod rematch;
mod sparring;
