//! The game against its promises: the kit, its bots, its table.

mod bots;
mod kit;
mod known_text;
mod table;
