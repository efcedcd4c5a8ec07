//! Reading Markdown, the same for every way to show it.

use pulldown_cmark::{Options, Parser};

/// What a page consists of.
pub fn events(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}
