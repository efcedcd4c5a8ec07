//! The program itself: real processes, real folders, real sockets.

mod bench;
mod bot;
mod checker;
mod crash;
mod data;
mod examples;
mod fail_stop;
mod house_wire;
mod kit;
mod knockout;
mod labyrinth;
mod old_data;
mod pages;
mod players;
mod replay;
mod running;
mod serving;
mod terminal;
mod tools;
mod tournament;
mod watching;
mod words;
