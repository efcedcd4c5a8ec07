//! Options as they are typed: `KEY=VALUE`.

use anyhow::Result;
use serde_json::{Map, Value as Json};
use toml::{Table, Value};

use crate::terminal::Unreadable;

/// What `--set` says where only one game is meant: `KEY=VALUE` is `GAME.KEY=VALUE`.
pub fn with_game(set: &[String], game: &str) -> Vec<String> {
    let named = |text: &String| match text.split_once('=') {
        Some((key, _)) if is_own(key) => format!("{game}.{}", text.trim_start()),
        _ => text.clone(),
    };
    set.iter().map(named).collect()
}

/// Whether a key names no section of settings: `deal`, or one of a numbered list, such as `sub.0.size`.
fn is_own(key: &str) -> bool {
    let second = key.split('.').nth(1);
    second.is_none_or(|part| part.parse::<u32>().is_ok())
}

/// Options of one game, each `KEY=VALUE` or `GAME.KEY=VALUE`, as JSON.
pub fn options(set: &[String], game: &str) -> Result<Map<String, Json>> {
    let mut options = Map::new();
    let own = format!("{game}.");
    for text in set {
        let text = text.trim_start();
        let text = text.strip_prefix(&own).unwrap_or(text);
        let (key, text) = text
            .split_once('=')
            .ok_or_else(|| Unreadable(format!("--set {text} has no '='. Write KEY=VALUE")))?;
        insert(&mut options, key.trim(), serde_json::to_value(value(text.trim()))?);
    }
    Ok(options)
}

/// Puts a value at a path such as `sub.0.size`. What is said later counts.
fn insert(options: &mut Map<String, Json>, path: &str, value: Json) {
    let Some((first, rest)) = path.split_once('.') else {
        options.insert(path.to_owned(), value);
        return;
    };
    let inner = options.entry(first).or_insert_with(|| Json::Object(Map::new()));
    if !inner.is_object() {
        *inner = Json::Object(Map::new());
    }
    insert(inner.as_object_mut().expect("it is an object now"), rest, value);
}

/// A TOML value, or else a string.
pub fn value(text: &str) -> Value {
    let parsed = format!("value = {text}").parse::<Table>().ok();
    parsed
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_of_a_submarine_needs_no_name_of_the_game() {
        let set =
            ["sub.0.size=60", "sub.1.size=70", "title=x", "limits.tables=3"].map(String::from);
        let named = with_game(&set, "subsim");
        assert_eq!(
            named,
            ["subsim.sub.0.size=60", "subsim.sub.1.size=70", "subsim.title=x", "limits.tables=3"]
        );
        let options = options(&set[..3], "subsim").unwrap();
        let nested =
            serde_json::json!({"sub": {"0": {"size": 60}, "1": {"size": 70}}, "title": "x"});
        assert_eq!(Json::Object(options), nested);
        let replaced = ["sub=1", "subsim.sub.0.size=60"].map(String::from);
        let options = super::options(&replaced, "subsim").unwrap();
        assert_eq!(Json::Object(options), serde_json::json!({"sub": {"0": {"size": 60}}}));
    }
}
