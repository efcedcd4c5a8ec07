//! Entrants as they are typed.

use serde_json::{Value, json};

/// `ann`, `ann=red` (plays as red) or `house:random`, which needs a name of its own.
pub fn parse(text: &str, number: usize) -> Value {
    if let Some(strategy) = text.strip_prefix("house:") {
        return json!({"name": format!("{strategy}-{number}"), "bot": strategy});
    }
    match text.split_once('=') {
        Some((name, plays_as)) => json!({"name": name, "plays_as": plays_as}),
        None => json!({"name": text}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_aliases_and_house_bots() {
        assert_eq!(parse("ann", 1), json!({"name": "ann"}));
        assert_eq!(parse("ann=red", 1), json!({"name": "ann", "plays_as": "red"}));
        assert_eq!(parse("house:random", 3), json!({"name": "random-3", "bot": "random"}));
    }
}
