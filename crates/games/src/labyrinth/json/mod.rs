//! The JSON definitions, read strictly and written canonically (compact, keys sorted).
//!
//! Everything is read through a tree in which a repeated key is an error; an unknown or missing
//! key, an array in place of an object and a number with a fraction or an exponent are errors.

mod read;
mod strict;
mod write;

use serde_json::{Map, Value};

use strict::Strict;

/// A type with a JSON definition.
pub trait Defined: Sized {
    /// Reads the value, or says what was found and what should have been.
    fn read(value: &Value) -> Result<Self, String>;
}

/// One JSON value in which no object repeats a key.
pub fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map(|Strict(value)| value).map_err(|error| error.to_string())
}

/// The values of a stream, with any or no white space between them.
pub fn parse_stream(text: &str) -> impl Iterator<Item = Result<Value, String>> + '_ {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Strict>();
    values.map(|value| value.map(|Strict(value)| value).map_err(|error| error.to_string()))
}

/// The members of an object that has all of `required`, maybe some of `optional`, nothing else.
pub fn members<'a>(
    value: &'a Value,
    what: &str,
    required: &[&str],
    optional: &[&str],
) -> Result<&'a Map<String, Value>, String> {
    let object = value.as_object().ok_or_else(|| expected(what, value))?;
    if let Some(missing) = required.iter().find(|&&key| !object.contains_key(key)) {
        return Err(format!("{what} has no {missing:?}"));
    }
    let known = |key: &str| required.contains(&key) || optional.contains(&key);
    match object.keys().find(|key| !known(key)) {
        Some(unknown) => Err(format!("{what} has an unknown key {unknown:?}")),
        None => Ok(object),
    }
}

/// A natural number. Larger ones than any board can use stay what they are: off the board.
pub fn index(value: &Value) -> Result<u16, String> {
    let number = value.as_u64().ok_or_else(|| expected("a natural number", value))?;
    Ok(u16::try_from(number).unwrap_or(u16::MAX))
}

/// "expected a Degree, found ...", cut short when the value is long.
pub fn expected(what: &str, found: &Value) -> String {
    let text = found.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("expected {what}, found {}...", &text[..end]),
        None => format!("expected {what}, found {text}"),
    }
}

const PASS: &str = "PASS";
const ACKNOWLEDGE: &str = "ACKNOWLEDGE";
