//! Why a JSON value is not what it should be.

use serde_json::Value;

/// What was found, and what should have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Not JSON, or an object that repeats a key, in the words of the reader.
    #[error("{0}")]
    NotJson(String),
    #[error("expected {what}, found {found}")]
    Unexpected { what: String, found: String },
    #[error("{what} has no {key:?}")]
    NoKey { what: String, key: String },
    #[error("{what} has an unknown key {key:?}")]
    UnknownKey { what: String, key: String },
    /// Every part is well-formed, but not all of them together.
    #[error("{0}")]
    Inconsistent(String),
}

impl From<serde_json::Error> for Malformed {
    fn from(error: serde_json::Error) -> Malformed {
        Malformed::NotJson(error.to_string())
    }
}

/// "expected a Degree, found ...", cut short when the value is long.
pub fn expected(what: &str, found: &Value) -> Malformed {
    let mut text = found.to_string();
    if let Some((end, _)) = text.char_indices().nth(60) {
        text.truncate(end);
        text += "...";
    }
    Malformed::Unexpected { what: what.to_owned(), found: text }
}
