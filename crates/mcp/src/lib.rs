//! Language models at the tables: the Model Context Protocol over the house wire.
//!
//! An [`Endpoint`] offers ten tools to any client of the protocol: list, sit down, wait, look, move.
//! What an agent has is its seat's token, which it shows with every call, and nothing is kept for it
//! in between: any server that has the table goes on, also after a restart. Between the calls a
//! [`line`] keeps the seat occupied and hears what happens there.
//!
//! Words come first and JSON second, and whatever is refused is refused in words. No game is known
//! here: what differs between them the [`House`] says.

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
