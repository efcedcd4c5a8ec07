//! Options as they are typed: `KEY=VALUE`.

use anyhow::Result;
use toml::{Table, Value};

use crate::terminal::Unreadable;

/// What `--set` says where only one game is meant: `KEY=VALUE` is `GAME.KEY=VALUE`.
pub fn with_game(set: &[String], game: &str) -> Vec<String> {
    let named = |text: &String| match text.split_once('=') {
        Some((key, _)) if !key.contains('.') => format!("{game}.{}", text.trim_start()),
        _ => text.clone(),
    };
    set.iter().map(named).collect()
}

/// Options of one game, each `KEY=VALUE` or `GAME.KEY=VALUE`, as JSON.
pub fn options(set: &[String], game: &str) -> Result<serde_json::Map<String, serde_json::Value>> {
    let mut options = serde_json::Map::new();
    let own = format!("{game}.");
    for text in set {
        let text = text.trim_start();
        let text = text.strip_prefix(&own).unwrap_or(text);
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
