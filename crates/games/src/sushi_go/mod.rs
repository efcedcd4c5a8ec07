//! Sushi Go, over the line protocol of port 7878 and the dialect of its later Python kit on 7879.

pub mod bots;
pub mod card;
pub mod rules;
pub mod scoring;

pub use bots::BOTS;
pub use rules::SushiGo;
