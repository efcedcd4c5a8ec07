//! Writing to the terminal. A closed pipe (`parlor config | head`) is no error.

use std::io::{ErrorKind, Write, stderr, stdout};

use anyhow::{Context, Result};

pub fn line(text: &str) -> Result<()> {
    let mut out = stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// The same, for text that ends with its own line break.
pub fn text(text: &str) -> Result<()> {
    line(text.trim_end_matches('\n'))
}

pub fn error(text: &str) {
    // Nobody is left to be told that telling failed.
    let _ = writeln!(stderr(), "{text}");
}

/// So many of something: `1 game`, `2 games`.
pub fn count(number: impl Into<i128>, one: &str) -> String {
    let number = number.into();
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!(count(0_u64, "game"), "0 games");
        assert_eq!(count(1_u64, "game"), "1 game");
        assert_eq!(count(-1_i64, "point"), "-1 points");
        assert_eq!(count(2_u32, "time"), "2 times");
    }
}
