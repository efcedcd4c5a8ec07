//! Limits on the length of files and functions: each should hold one thing.

use crate::architecture::sources::{self, Source};

/// No source file is longer.
const LINES: usize = 450;

/// No function is longer.
const FUNCTION_LINES: usize = 70;

/// Functions that are longer today, each with its lines. The list only shrinks.
const LONG_FUNCTIONS: &[(&str, &str, usize)] = &[
    ("games/src/sushi_go/errors.rs", "explain", 85),
    ("server/src/fleet/station/mod.rs", "own", 83),
    ("server/src/hosting/mod.rs", "drive", 106),
    ("server/src/lib.rs", "open", 154),
];

#[test]
fn no_source_file_holds_too_much() {
    let files = sources::all();
    assert!(files.len() > 500, "{} files", files.len());
    let mut long = Vec::new();
    for Source { path, text, .. } in files {
        let lines = text.lines().count();
        if lines > LINES {
            long.push(format!("{path}: {lines} lines, at most {LINES}"));
        }
    }
    assert!(long.is_empty(), "split these by what they mean: {long:#?}");
}

#[test]
fn no_function_does_too_much() {
    let mut long = Vec::new();
    let mut count = 0;
    for Source { path, text, .. } in sources::all() {
        for (name, lines) in functions(&text) {
            count += 1;
            if lines > FUNCTION_LINES {
                long.push((path.clone(), name.to_owned(), lines));
            }
        }
    }
    assert!(count > 5000, "functions are counted: {count}");
    let known = |(path, name, lines): &(String, String, usize)| {
        LONG_FUNCTIONS
            .iter()
            .any(|(file, known, most)| file == path && known == name && lines <= most)
    };
    let new: Vec<_> = long.iter().filter(|one| !known(one)).collect();
    assert!(new.is_empty(), "split these, at most {FUNCTION_LINES} lines: {new:#?}");
    let is_long = |(file, name, lines): &&(&str, &str, usize)| {
        long.iter().any(|(path, long, now)| path == file && long == name && now == lines)
    };
    let stale: Vec<_> = LONG_FUNCTIONS.iter().filter(|one| !is_long(one)).collect();
    assert!(stale.is_empty(), "shorter now, so shorten the list: {stale:#?}");
}

/// Every function of a formatted file that has a body, with its lines.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let ends =
            |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}'));
        // What has its end on the same line is short, and what has none has no body.
        if line.ends_with('}') || line.ends_with(';') {
            continue;
        }
        if let Some(length) = lines[start..].iter().position(ends) {
            found.push((name, length + 1));
        }
    }
    found
}

/// The name of the function that begins on this line.
fn function(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some(restricted) = rest.strip_prefix("pub(") {
        rest = restricted.split_once(") ").map_or(restricted, |(_, rest)| rest);
    }
    for word in ["pub ", "default ", "const ", "async ", "unsafe ", "extern \"C\" "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name = rest.strip_prefix("fn ")?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

#[test]
fn functions_are_counted_as_they_are_written() {
    let text = "impl Hall {\n    pub(crate) async fn a(\n        b: u8,\n    ) {\n        c();\n    }\n\n    \
                fn d() {}\n    fn e() -> u8 {\n        1\n    }\n}\n";
    assert_eq!(functions(text), [("a", 5), ("e", 3)]);
}
