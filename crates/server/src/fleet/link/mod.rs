//! What two nodes say to each other: hands are shaken, then frames follow, and what is said to a gateway
//! is kept until it has arrived.

mod companies;
mod following;
mod frames;
mod hello;
mod life;
mod pages;
mod speech;
mod tls;

pub use companies::Companies;
pub use following::{BareUpdate, Following, Players};
#[cfg(test)]
pub use frames::body;
pub use frames::{LONGEST, Outgoing, frame, read_of_game, wrap};
pub use hello::{LinkSocket, greet};
pub use life::{Attentive, BEAT, SILENCE};
pub use pages::{Pages, Parcel, Trust, Unheard};
pub use speech::{Attach, Frame, FromGateway, FromOwner, NextTurn, Spoken};
pub use tls::{LinkStream, Secret};
