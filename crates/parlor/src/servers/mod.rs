//! The server a command speaks to: one that runs already, or one of this program's own.

mod address;
mod certificates;
mod embedded;
mod operator_socket;
mod remote;
mod tls;

pub use address::{Address, NoSocket, Socket};
pub use embedded::Embedded;
pub use remote::{Refused, Remote, escaped};
