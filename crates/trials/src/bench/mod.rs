//! What a server does on this machine over real sockets, next to what the machine can do at all.
//! Each benchmark returns its figures as JSON.

pub mod echo;
pub mod fleet;
pub mod handovers;
pub mod hostile;
pub mod http_line;
pub mod idle;
pub mod load;
pub mod players;
pub mod rules;
pub mod spectators;
pub mod wire;
