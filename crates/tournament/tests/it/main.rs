//! Tournaments played through from the outside.

mod brackets;
mod deals;
mod facts;
mod kit;
mod ladders;
mod league;
mod plans;
mod properties;
mod ratings;
mod returns;
mod rounds;
mod schedules;
mod series;
mod walkovers;
mod written;
