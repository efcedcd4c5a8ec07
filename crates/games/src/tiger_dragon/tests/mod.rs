//! What the rules promise, by example, by property and by the kit.

mod bots;
mod client;
mod configuration;
mod conformance;
mod conversation;
mod fire;
mod following;
mod known_answers;
mod matches;
mod messages;
mod picture;
mod properties;
mod returning;
mod rooms;
mod scoring;
mod standings;
