//! Language models at the tables: the Model Context Protocol on top of the JSON protocol.
//!
//! An [`Endpoint`] offers eleven tools to any client of the protocol: list, sit down, wait, look,
//! move. An agent has only its seat's token, which it sends with every call. Nothing is kept for it
//! in between, so any server that has the table can continue, also after a restart. Between calls a
//! [`line`] keeps the seat occupied and receives what happens there.
//!
//! Words come first and JSON second, and every refusal is in words. This crate has no code for
//! single games: the [`House`] supplies what differs between them.

mod endpoint;
mod house;
mod line;
mod refused;
mod seats;
mod tools;
mod words;

pub use endpoint::{Endpoint, MAX_MESSAGE, endpoint};
pub use house::{Guide, House, TableCard};
pub use line::{AgentEnd, HouseEnd, line};
pub use seats::PATIENCE;

pub(crate) use refused::Refused;
