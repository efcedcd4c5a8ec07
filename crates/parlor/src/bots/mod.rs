//! Bots that play from here: a house strategy, or a program, which is started, confined and read,
//! and what is kept of it.

mod bot_bytes;
mod browsers;
mod conduct;
mod confinement;
mod errand;
pub mod jail;
mod jail_socket;
mod limits;
mod logbook;
mod pacing;
mod private;
mod program;
mod relay;
mod route;
mod shell;
mod sight;

pub use browsers::{BrowserFilter, no_pages};
pub use conduct::Conduct;
pub use confinement::{Cell, Confinement};
pub use errand::{Errand, News};
pub use logbook::Logbook;
pub use pacing::Pacing;
pub use private::PrivateFolder;
pub use program::{Destination, Program};
pub use relay::{ANYWHERE, Link, MessageObserver, Relay, Side, Verdict};
pub use route::{ServerRoute, play_path};
