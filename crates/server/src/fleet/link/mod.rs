//! What two nodes say to each other: hands are shaken, then frames follow, and what is said to a gateway
//! is kept until it has arrived.

mod companies;
mod following;
mod frames;
mod hello;
mod pages;
mod speech;

pub use companies::Companies;
pub use following::{BareUpdate, Following, Players};
#[cfg(test)]
pub use frames::body;
pub use frames::{LONGEST, Outgoing, frame, read, wrap};
pub use hello::{LinkSocket, Secret, greet};
pub use pages::{Pages, Parcel, Trust, Unheard};
pub use speech::{Attach, Frame, FromGateway, FromOwner, Spoken, Turn};
