//! What operating systems do differently, as far as a server needs it. Everything else in this crate is
//! the same everywhere.

#[cfg(any(windows, test))]
mod loopback;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(windows)]
pub use loopback::{OperatorLink, OperatorListener, PLACE, connect};
#[cfg(unix)]
pub use unix::{OperatorLink, OperatorListener, PLACE, connect};
#[cfg(unix)]
pub use unix::{descriptors, free_bytes, give_way, machine_name, thread_cpu};
#[cfg(windows)]
pub use windows::{descriptors, free_bytes, give_way, machine_name, thread_cpu};
