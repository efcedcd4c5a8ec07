//! The person at the terminal: what it is shown, told to do and asked to read, and how it says stop.

mod advice;
pub mod browser;
mod interrupt;
pub mod output;
mod unreadable;

pub use advice::{Advice, describe};
pub use interrupt::{Interrupt, interrupt, unless_interrupted};
pub use unreadable::Unreadable;
