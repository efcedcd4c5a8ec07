//! What the rules promise, by example, by property and by the kit.

mod bots;
mod configuration;
mod conformance;
mod known_answers;
mod picture;
mod properties;
mod scoring;
mod standings;
