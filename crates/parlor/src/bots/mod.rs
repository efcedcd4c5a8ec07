//! Bots that play from here: a house strategy, or a program, which is started, confined and read,
//! and what is kept of it.

mod browsers;
mod conduct;
mod confinement;
mod door;
mod errand;
pub mod jail;
mod limits;
mod logbook;
mod pacing;
mod passage;
mod private;
mod program;
mod relay;
mod shell;
mod sight;

pub use browsers::{Doorkeeper, no_pages};
pub use conduct::Conduct;
pub use confinement::{Cell, Confinement};
pub use errand::{Errand, News};
pub use logbook::Logbook;
pub use pacing::Pacing;
pub use passage::{Passage, play_path};
pub use private::PrivateFolder;
pub use program::{Destination, Program};
pub use relay::{ANYWHERE, Ear, Link, Relay, Side, Verdict};
