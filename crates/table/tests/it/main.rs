//! A table on its own: no lobby, no connections, no disk. Time is a number that the tests advance.

mod bids;
mod bots;
mod clocks;
mod kit;
mod presence;
mod records;
mod refusals;
mod views;
