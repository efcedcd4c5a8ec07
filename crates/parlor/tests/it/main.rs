//! The program itself: real processes, real folders, real sockets.

mod checker;
mod crash;
mod data;
mod examples;
mod fail_stop;
mod kit;
mod players;
mod replay;
mod serving;
mod tools;
