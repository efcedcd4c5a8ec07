//! Bots that play from here: a strategy of the house or a program, which is started, confined and
//! listened to, and what is kept of it.

mod confinement;
mod errand;
mod logbook;
mod program;
mod relay;

pub use confinement::Confinement;
pub use errand::{Errand, News};
pub use logbook::Logbook;
pub use program::{Destination, Program};
pub use relay::{ANYWHERE, Ear, Pacing, Relay, Side, Verdict};
