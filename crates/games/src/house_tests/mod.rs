//! Every game over the house wire.

mod conversation;
mod sparring;
