//! Files and types that hold one thing: none grows without somebody noticing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// No source file is longer.
const LINES: usize = 450;

/// No type has more methods, over all its `impl` blocks.
const METHODS: usize = 45;

#[test]
fn no_source_file_holds_too_much() {
    let files = sources();
    assert!(files.len() > 500, "{} files", files.len());
    let mut long = Vec::new();
    for file in files {
        let lines = read(&file).lines().count();
        if lines > LINES {
            long.push(format!("{}: {lines} lines, at most {LINES}", file.display()));
        }
    }
    assert!(long.is_empty(), "split these by what they mean: {long:#?}");
}

#[test]
fn no_type_does_too_much() {
    let mut counts = BTreeMap::<(String, String), usize>::new();
    for file in sources() {
        for (name, methods) in methods(&read(&file)) {
            *counts.entry((home(&file), name)).or_default() += methods;
        }
    }
    assert!(counts[&("hall".to_owned(), "Hall".to_owned())] > 20, "methods are counted");
    let mut large = Vec::new();
    for ((home, name), methods) in counts {
        if methods > METHODS {
            large.push(format!("{name} of {home}: {methods} methods, at most {METHODS}"));
        }
    }
    assert!(large.is_empty(), "give parts of their data types of their own: {large:#?}");
}

/// All Rust files of the workspace.
fn sources() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![crates.canonicalize().expect("the crates")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()))
}

/// Where a type lives: its crate, and where each folder is a world of its own, that folder.
fn home(file: &Path) -> String {
    let words: Vec<&str> = file.iter().filter_map(|word| word.to_str()).collect();
    let at = words.iter().rposition(|word| *word == "crates").expect("a file of a crate");
    let name = words[at + 1];
    match (name, &words[at + 2..]) {
        ("games", ["src", folder, _, ..]) => format!("games/{folder}"),
        (_, ["tests", ..]) => format!("{name}/tests"),
        _ => name.to_owned(),
    }
}

/// How many methods each inherent `impl` block of a file has.
fn methods(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut of = None;
    for line in text.lines() {
        if line.starts_with("impl") {
            of = implemented(line).map(str::to_owned);
        } else if line.starts_with('}') {
            of = None;
        } else if let Some(name) = &of
            && line.strip_prefix("    ").is_some_and(is_method)
        {
            found.push((name.clone(), 1));
        }
    }
    found
}

/// The type of an inherent block: `impl<G: Game> Hall<G> {`.
fn implemented(line: &str) -> Option<&str> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.char_indices().find(|(at, letter)| {
            match letter {
                '<' => depth += 1,
                '>' if !rest[..*at].ends_with('-') => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        rest = &rest[end?.0 + 1..];
    }
    if rest.contains(" for ") {
        return None;
    }
    rest.trim_start().split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

fn is_method(line: &str) -> bool {
    let line = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ").map_or(rest, |(_, rest)| rest),
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let line = line.strip_prefix("const ").unwrap_or(line);
    line.strip_prefix("async ").unwrap_or(line).starts_with("fn ")
}

#[test]
fn methods_are_counted_as_they_are_written() {
    let text = "impl<G: Game, F: Fn(u8) -> u8> Hall<G, F> {\n    pub(crate) fn a() {\n    }\n    \
                pub async fn b() {}\n        fn inner() {}\n}\nimpl Show for Hall {\n    fn c() {}\n}\n";
    assert_eq!(methods(text), [("Hall".to_owned(), 1), ("Hall".to_owned(), 1)]);
}
