//! What a game brings for the pages beside its rules: its board, words about it, its emblem,
//! and what its seats are worth.
//!
//! A release holds the files; a debug build reads them where they lie, so that a page that is loaded
//! again shows what was just written.

use std::borrow::Cow;

use rules::Game;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "src/"]
#[include = "*/*.js"]
#[include = "*/*.css"]
#[include = "*/*.svg"]
#[include = "*/rules.md"]
#[include = "*/seats.json"]
struct Files;

/// A file of a game's folder, such as `board.js`.
pub fn file<G: Game>(name: &str) -> Option<Cow<'static, [u8]>> {
    Some(Files::get(&format!("{}/{name}", G::NAME.replace('-', "_")))?.data)
}
