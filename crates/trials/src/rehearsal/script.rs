//! Reading the lines of a rehearsal. Errors are free text here and on the stage: they are for who
//! reads why a test has failed.

use rules::Seed;
use serde_json::Value;
use wire::{Playable, overlay};

/// Lines that are outcomes, not stimuli: `alice< ...`, `alice! ...`, `! ...`.
pub(super) fn is_heard(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    first == "!" || ((first.ends_with('<') || first.ends_with('!')) && !line.starts_with('#'))
}

pub(super) fn settings<G: Playable>(script: &str) -> Result<(G::Options, Seed), String> {
    let mut options = G::Options::default();
    let mut seed = 0;
    for line in script.lines() {
        match line.split_once(' ') {
            Some(("seed", number)) => {
                seed = number.parse().map_err(|_| format!("'{number}' is no seed"))?;
            }
            Some(("set", change)) => options = change_option::<G>(&options, change)?,
            _ => {}
        }
    }
    Ok((options, Seed::from_number(seed)))
}

pub(crate) fn change_option<G: Playable>(
    options: &G::Options,
    change: &str,
) -> Result<G::Options, String> {
    overlay::<G>(options, &std::iter::once(key_and_value(change)?).collect())
}

pub(super) fn key_and_value(change: &str) -> Result<(String, Value), String> {
    let (key, value) =
        change.split_once('=').ok_or_else(|| format!("'{change}' is not KEY=VALUE"))?;
    Ok((key.to_owned(), serde_json::from_str(value).unwrap_or_else(|_| value.into())))
}

/// Reads a quoted string with Rust's escapes for bytes; `*N` after the quotes repeats it.
pub(super) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("cannot read the bytes {text}");
    let (quoted, times) = match text.rsplit_once("\"*") {
        Some((quoted, times)) => (format!("{quoted}\""), times.parse().map_err(|_| wrong())?),
        None => (text.to_owned(), 1),
    };
    let inner =
        quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or_else(wrong)?;
    let mut bytes = Vec::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend(c.to_string().bytes());
            continue;
        }
        match chars.next().ok_or_else(wrong)? {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'x' => {
                let digits: String = chars.by_ref().take(2).collect();
                bytes.push(u8::from_str_radix(&digits, 16).map_err(|_| wrong())?);
            }
            other => bytes.extend(other.to_string().bytes()),
        }
    }
    Ok(bytes.repeat(times))
}
