//! The server over real sockets, on free ports, in this process.

mod hostile;
mod http;
mod kit;
mod limits;
mod outcomes;
mod playing;
mod spectators;
mod tournaments;
mod websocket;
mod writes;
