//! What a game brings for the pages beside its rules: its board, words about it and its emblem.
//!
//! A release holds the files; a debug build reads them where they lie, so that a page that is loaded
//! again shows what was just written.

use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "src/"]
#[include = "*/*.js"]
#[include = "*/*.css"]
#[include = "*/*.svg"]
struct Files;

/// A file of a game's folder, by the game's name: `("sushi-go", "board.js")`.
pub fn file(game: &str, name: &str) -> Option<EmbeddedFile> {
    Files::get(&format!("{}/{name}", game.replace('-', "_")))
}
