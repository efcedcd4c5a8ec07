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
