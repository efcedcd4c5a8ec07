//! The key of a name, as somebody says it to a command.

use std::path::Path;

use anyhow::{Context, Result};
use hall::is_key;

use crate::terminal::Unreadable;

/// The key that was said or lies in a file, if any.
pub fn read_key(key: Option<&str>, file: Option<&Path>) -> Result<Option<String>> {
    let key = match file {
        None => key.map(str::to_owned),
        Some(file) => {
            let text = std::fs::read_to_string(file);
            Some(text.with_context(|| format!("cannot read {}", file.display()))?)
        }
    };
    let Some(key) = key.map(|key| key.trim().to_owned()) else { return Ok(None) };
    match is_key(&key) {
        true => Ok(Some(key)),
        false => {
            Err(Unreadable("this is not a key: a key is pk_ and 26 letters".to_owned()).into())
        }
    }
}
