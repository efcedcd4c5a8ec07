//! What the rules promise, by example, by property and by the kit.

mod bots;
mod client;
mod configuration;
mod conformance;
mod conversation;
mod fire;
mod floor;
mod following;
mod known_answers;
mod matches;
mod picture;
mod properties;
mod returning;
mod scoring;
mod stage;
mod standings;
