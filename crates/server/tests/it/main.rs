//! The server over real sockets, on free ports, in this process.

mod broadcast;
mod crowding;
mod deals;
mod entry;
mod fields;
mod fleet;
mod frames;
mod fuzz;
mod hostile;
mod http;
mod kit;
mod limits;
mod names;
mod operating;
mod outcomes;
mod playing;
mod proxies;
mod spectators;
mod tls;
mod tournaments;
mod unreadable;
mod versions;
mod websocket;
mod wires;
mod writes;
