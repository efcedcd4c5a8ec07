//! Writing to the terminal. A closed pipe (`parlor config | head`) is not an error.

use std::io::{ErrorKind, Write, stderr, stdout};

use anyhow::{Context, Result};

pub fn line(text: &str) -> Result<()> {
    let (mut out, text) = (stdout().lock(), shown(text));
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// The same, for text that ends with its own line break.
pub fn text(text: &str) -> Result<()> {
    line(text.trim_end_matches('\n'))
}

/// A remark beside what the command prints, so that the latter can be piped.
pub fn note(text: &str) {
    error(text);
}

pub fn error(text: &str) {
    // There is nowhere left to report this error.
    let _ = writeln!(stderr(), "{}", shown(text));
}

/// The same, with a beginning of one's own that may be coloured.
pub fn remark(beginning: &str, text: &str) {
    // There is nowhere left to report this error.
    let _ = writeln!(stderr(), "{beginning} {}", shown(text));
}

/// Everything that is printed may hold names and messages of others.
fn shown(text: &str) -> std::borrow::Cow<'_, str> {
    let mut lines = text.split('\n');
    if lines.all(|line| matches!(printable(line), std::borrow::Cow::Borrowed(_))) {
        return text.into();
    }
    let lines: Vec<_> = text.split('\n').map(printable).collect();
    lines.join("\n").into()
}

/// Text from elsewhere, made safe: a terminal shows it and obeys none of it.
pub fn printable(text: &str) -> std::borrow::Cow<'_, str> {
    let deceives = |c: char| hall::is_control(c) && c != '\t';
    if !text.chars().any(deceives) {
        return text.into();
    }
    let shown = |c: char| if deceives(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(shown).collect::<String>().into()
}

/// A number with its noun: `1 game`, `2 games`.
pub fn count(number: impl Into<i128>, one: &str) -> String {
    let number = number.into();
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_in_foreign_text_do_not_reach_the_terminal() {
        assert_eq!(printable("Ann Müller"), "Ann Müller");
        assert_eq!(printable("\x1b[2Jann\nbob\r"), "\\u{1b}[2Jann\\nbob\\r");
        assert_eq!(printable("a\u{202e}b\u{7}"), "a\\u{202e}b\\u{7}");
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!(count(0_u64, "game"), "0 games");
        assert_eq!(count(1_u64, "game"), "1 game");
        assert_eq!(count(-1_i64, "point"), "-1 points");
        assert_eq!(count(2_u32, "time"), "2 times");
    }
}
