//! The JSON definitions, read strictly and written canonically (compact, keys sorted).
//!
//! Everything is read through a tree in which a repeated key is an error; an unknown or missing
//! key, an array in place of an object and a number with a fraction or an exponent are errors.
//!
//! The readers are written by hand because derived ones are less strict: they take an array of its
//! values for an object, and tell a player neither which definition was expected nor what was found.

mod malformed;
mod read;
mod strict;
mod write;

use serde_json::{Map, Value};

pub use malformed::{Malformed, expected};
use strict::Strict;

/// A type with a JSON definition.
pub trait Defined: Sized {
    /// Reads the value, or says what was found and what should have been.
    fn read(value: &Value) -> Result<Self, Malformed>;
}

/// One JSON value in which no object repeats a key.
pub fn parse(text: &str) -> Result<Value, Malformed> {
    Ok(serde_json::from_str(text).map(|Strict(value)| value)?)
}

/// The values of a stream, with any or no white space between them.
pub fn parse_stream(text: &str) -> impl Iterator<Item = Result<Value, Malformed>> + '_ {
    let values = serde_json::Deserializer::from_str(text).into_iter::<Strict>();
    values.map(|value| Ok(value.map(|Strict(value)| value)?))
}

/// The members of an object that has all of `required`, maybe some of `optional`, nothing else.
pub fn members<'a>(
    value: &'a Value,
    what: &str,
    required: &[&str],
    optional: &[&str],
) -> Result<&'a Map<String, Value>, Malformed> {
    let object = value.as_object().ok_or_else(|| expected(what, value))?;
    if let Some(missing) = required.iter().find(|&&key| !object.contains_key(key)) {
        return Err(Malformed::NoKey { what: what.to_owned(), key: (*missing).to_owned() });
    }
    let known = |key: &str| required.contains(&key) || optional.contains(&key);
    match object.keys().find(|key| !known(key)) {
        Some(key) => Err(Malformed::UnknownKey { what: what.to_owned(), key: key.clone() }),
        None => Ok(object),
    }
}

/// A natural number. Larger ones than any board can use stay what they are: off the board.
pub fn index(value: &Value) -> Result<u16, Malformed> {
    let number = value.as_u64().ok_or_else(|| expected("a natural number", value))?;
    Ok(u16::try_from(number).unwrap_or(u16::MAX))
}

const PASS: &str = "PASS";
const ACKNOWLEDGE: &str = "ACKNOWLEDGE";
