//! Tournaments played through from the outside.

mod brackets;
mod facts;
mod kit;
mod plans;
mod properties;
mod ratings;
mod rounds;
mod schedules;
