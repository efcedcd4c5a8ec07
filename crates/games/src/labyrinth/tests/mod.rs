//! The game against its promises: the kit, its bots, known answers and properties.

mod bots;
mod client;
mod exercises;
mod fire;
mod json;
mod kit;
mod known;
mod known_text;
mod options;
mod properties;
mod table;
