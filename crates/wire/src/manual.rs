//! What a game tells the JSON protocol about itself.

use hall::is_control;
use serde_json::Value;

/// The longest name, in characters.
pub(crate) const LONGEST_NAME: usize = 64;

/// What the JSON protocol says about a game and lets strangers choose in it.
#[derive(Clone, Copy, Debug)]
pub struct Manual {
    /// The fewest and the most seats of a table.
    pub seats: (usize, usize),
    /// The form of an action, in words.
    pub action: &'static str,
    /// Actions, as JSON.
    pub examples: &'static [&'static str],
    /// The rule options that strangers may set, and how far.
    pub options: &'static [(&'static str, Limit)],
}

/// How far an option may go.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// Whatever the game takes.
    Any,
    /// Every number in it is between these.
    Between(u64, u64),
    /// Text of at most this many characters.
    Characters(usize),
}

impl Limit {
    pub(crate) fn check(self, value: &Value) -> Result<(), String> {
        // A text may be a table of several lines.
        let is_odd = |letter| is_control(letter) && letter != '\n';
        match (self, value) {
            (Limit::Between(least, most), Value::Array(items)) => {
                items.iter().try_for_each(|item| Limit::Between(least, most).check(item))
            }
            (Limit::Between(least, most), value) => {
                let number = value.as_u64().filter(|number| (least..=most).contains(number));
                number.map(|_| ()).ok_or_else(|| format!("it goes from {least} to {most}"))
            }
            (Limit::Characters(most), Value::String(text))
                if text.chars().count() > most || text.contains(is_odd) =>
            {
                Err(format!("it has at most {most} characters, and lines of plain text"))
            }
            _ => Ok(()),
        }
    }
}
