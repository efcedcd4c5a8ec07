//! Options as they are typed: `KEY=VALUE`.

use anyhow::Result;
use toml::{Table, Value};

use crate::terminal::Unreadable;

/// Options of one game, each `KEY=VALUE`, as JSON.
pub fn options(set: &[String]) -> Result<serde_json::Map<String, serde_json::Value>> {
    let mut options = serde_json::Map::new();
    for text in set {
        let (key, text) = text
            .split_once('=')
            .ok_or_else(|| Unreadable(format!("--set {text} has no '='. Write KEY=VALUE")))?;
        options.insert(key.trim().to_owned(), serde_json::to_value(value(text.trim()))?);
    }
    Ok(options)
}

/// A TOML value, or else a string.
pub fn value(text: &str) -> Value {
    let parsed = format!("value = {text}").parse::<Table>().ok();
    parsed
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(text.to_owned()))
}
