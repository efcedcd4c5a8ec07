//! Reading the lines of a rehearsal. Errors are free text here and on the stage: they are for who
//! reads why a test has failed.

use std::path::Path;

use rules::Seed;
use serde_json::Value;
use wire::{Playable, overlay};

/// Lines that are outcomes, not stimuli: `alice< ...`, `alice! ...`, `! ...`.
pub(crate) fn is_heard(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    first == "!" || ((first.ends_with('<') || first.ends_with('!')) && !line.starts_with('#'))
}

pub(crate) fn settings<G: Playable>(script: &str) -> Result<(G::Options, Seed), String> {
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

/// The received lines, shortened where the written ones are.
pub(super) fn shortened(written: &str, heard: &str) -> String {
    let mut short = written.lines();
    let line = |heard: &str| {
        let fits = |(begin, end): (&str, &str)| heard.starts_with(begin) && heard.ends_with(end);
        let short = short.next().unwrap_or_default();
        let line = if short.split_once('…').is_some_and(fits) { short } else { heard };
        format!("{line}\n")
    };
    heard.lines().map(line).collect()
}

/// The first line in which two transcripts differ, between rulers.
pub(super) fn difference(path: &Path, written: &str, heard: &str) -> String {
    let (mut ours, mut theirs) = (written.lines(), heard.lines());
    for number in 1.. {
        let pair = (ours.next(), theirs.next());
        if pair.0 != pair.1 {
            let show = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
            return format!(
                "\n{}:{number}\n---- written ----\n{}\n---- heard ----\n{}\n-----------------\n",
                path.display(),
                show(pair.0),
                show(pair.1)
            );
        }
    }
    unreachable!("the texts differ")
}
