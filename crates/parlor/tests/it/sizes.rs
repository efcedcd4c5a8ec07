//! Files and types that hold one thing: none grows without somebody noticing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// No source file is longer.
const LINES: usize = 450;

/// No type has more methods, over all its `impl` blocks.
const METHODS: usize = 45;

/// No file's `use` lines name more modules that lie beside it, or beside a folder that it lies in. A folder
/// is one of them, whatever is taken from its inside.
const SIBLINGS: usize = 4;

/// These are lists of what there is, so they name all of it.
const LISTS: [(&str, usize); 3] = [
    // The games.
    ("games/src/roster.rs", 5),
    // What requests may use of a server: one field for each of its parts.
    ("server/src/http/state.rs", 7),
    // What a server is put together of, while it is.
    ("server/src/opening/mod.rs", 7),
];

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

#[test]
fn no_source_file_knows_too_many_others() {
    let files: Vec<PathBuf> = sources().into_iter().filter(|file| is_source(file)).collect();
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| module(file)).collect();
    let lists = BTreeMap::from(LISTS);
    let mut listed = BTreeMap::new();
    let mut many = Vec::new();
    for file in &files {
        let named = siblings(&read(file), &module(file), &modules);
        let path = words(file).join("/");
        match lists.get(path.as_str()) {
            Some(_) => _ = listed.insert(path, named.len()),
            None if named.len() <= SIBLINGS => {}
            None => many.push(format!("{path} names {named:?}, at most {SIBLINGS}")),
        }
    }
    assert!(
        many.is_empty(),
        "give parts of these, or of what they name, a place of their own: {many:#?}"
    );
    let lists: BTreeMap<String, usize> =
        lists.into_iter().map(|(path, count)| (path.to_owned(), count)).collect();
    assert_eq!(listed, lists, "how many modules the lists name");
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
    let words = words(file);
    let name = words[0];
    match (name, &words[1..]) {
        ("games", ["src", folder, _, ..]) => format!("games/{folder}"),
        (_, ["tests", ..]) => format!("{name}/tests"),
        _ => name.to_owned(),
    }
}

/// The parts of a file's path, from its crate on.
fn words(file: &Path) -> Vec<&str> {
    let words: Vec<&str> = file.iter().filter_map(|word| word.to_str()).collect();
    let at = words.iter().rposition(|word| *word == "crates").expect("a file of a crate");
    words[at + 1..].to_vec()
}

/// Whether a file is part of a crate, and no test.
fn is_source(file: &Path) -> bool {
    let words = words(file);
    let is_test = |word: &&str| {
        let word = word.strip_suffix(".rs").unwrap_or(word);
        word == "tests" || word.ends_with("_tests")
    };
    words[1] == "src" && !words[2..].iter().any(is_test)
}

/// The module that a file is, from its crate on.
fn module(file: &Path) -> Vec<String> {
    let words = words(file);
    let (name, folders) = words[2..].split_last().expect("a file below src");
    let mut module = vec![words[0]];
    module.extend(folders);
    if !["lib.rs", "main.rs", "mod.rs"].contains(name) {
        module.extend(name.strip_suffix(".rs"));
    }
    module.into_iter().map(str::to_owned).collect()
}

/// The modules beside a file, or beside a folder that it lies in, which its `use` lines name.
fn siblings(text: &str, own: &[String], modules: &BTreeSet<Vec<String>>) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for path in used(text) {
        let mut words = path.split("::").peekable();
        let mut full = match words.next() {
            Some("crate") => own[..1].to_vec(),
            Some("super") => {
                let mut above = own.len() - 1;
                while words.next_if_eq(&"super").is_some() {
                    above -= 1;
                }
                own[..above].to_vec()
            }
            _ => continue,
        };
        for word in words {
            full.push(word.to_owned());
            if !modules.contains(&full) {
                full.pop();
                break;
            }
        }
        let shared = full.iter().zip(own).take_while(|(one, other)| one == other).count();
        if shared < full.len() && shared < own.len() {
            named.insert(full[1..=shared].join("::"));
        }
    }
    named
}

/// Every path of a file's `use` lines on its own, without those of its tests.
fn used(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut lines = text.lines();
    let mut is_for_tests = false;
    while let Some(line) = lines.next() {
        let item = line.trim_start();
        let item = match item.strip_prefix("pub(") {
            Some(rest) => rest.split_once(") ").map_or(rest, |(_, rest)| rest),
            None => item.strip_prefix("pub ").unwrap_or(item),
        };
        if is_for_tests && item.starts_with("mod ") && item.ends_with('{') {
            lines.find(|line| line.starts_with('}'));
        } else if let Some(rest) = item.strip_prefix("use ") {
            let mut statement = rest.to_owned();
            while !statement.ends_with(';') {
                statement += lines.next().expect("a statement ends").trim();
            }
            if !is_for_tests {
                paths.extend(each(statement.trim_end_matches(';')));
            }
        }
        is_for_tests = line.trim() == "#[cfg(test)]" || is_for_tests && item.starts_with("#[");
    }
    paths
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d` and `a::c::e`.
fn each(path: &str) -> Vec<String> {
    let Some((before, inside)) = path.split_once('{') else {
        let name = path.split(" as ").next().expect("there is always a first");
        return vec![name.to_owned()];
    };
    let inside = inside.trim_end().strip_suffix('}').expect("what is opened is closed");
    let mut depth = 0;
    let parts = inside.split(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts.flat_map(|part| each(&format!("{before}{part}"))).collect()
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

#[test]
fn siblings_are_counted_as_they_are_written() {
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<String>>();
    let paths = ["inn", "inn::bar", "inn::hall", "inn::hall::desk", "inn::hall::keys", "inn::yard"];
    let modules = BTreeSet::from(paths.map(module));
    let count = |own: &str, text: &str| {
        siblings(text, &module(own), &modules).into_iter().collect::<Vec<String>>()
    };
    let text = "use std::fmt;\nuse super::{Hall,\n    keys::{Key, self}};\n\nuse crate::bar::Bar;\n\
                pub(crate) use crate::bar::pour;\nuse super::super::yard as outside;\n\
                use crate::hall::keys;\nuse bar::Other;\n";
    assert_eq!(count("inn::hall::desk", text), ["bar", "hall::keys", "yard"]);
    // What lies inside a folder is no neighbour of the file that stands for it.
    let text =
        "use self::desk::Desk;\nuse keys::Key;\nuse crate::hall::desk;\nuse super::bar::Bar;\n";
    assert_eq!(count("inn::hall", text), ["bar"]);
    assert_eq!(count("inn", "use bar::Bar;\nuse crate::yard::Yard;\n"), [""; 0]);
    // A folder is one name, whatever is taken from its inside.
    let text = "use crate::hall::Hall;\nuse crate::hall::{desk::Desk, keys::Key};\n";
    assert_eq!(count("inn::bar", text), ["hall"]);
    let text = "use crate::bar::Bar;\n#[cfg(test)]\nuse crate::hall::Hall;\n\n#[cfg(test)]\n\
                mod tests {\n    use crate::hall::Hall;\n}\n\nfn f() {\n    use crate::hall;\n}\n";
    assert_eq!(count("inn::yard", text), ["bar", "hall"]);
}
