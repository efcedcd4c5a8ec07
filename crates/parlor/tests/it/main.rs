//! The program itself: real processes, real folders, real sockets.

mod checker;
mod crash;
mod data;
mod fail_stop;
mod kit;
mod players;
mod replay;
