//! No modules of a crate use each other in a circle. The modules are those of `lib.rs`; what `lib.rs` itself
//! defines belongs to none of them.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::{self, Source};

/// Uses that close a circle today: crate, module, and the module that it should not use. The list only
/// shrinks.
const TODAY: &[(&str, &str, &str)] = &[
    ("parlor", "config", "bots"),
    ("parlor", "config", "cli"),
    ("server", "fleet", "opening"),
    ("server", "hosting", "fleet"),
    ("server", "hosting", "http"),
    ("server", "hosting", "transport"),
    ("server", "house", "doors"),
    ("server", "house", "fleet"),
    ("server", "house", "gate"),
    ("server", "house", "hosting"),
    ("server", "house", "journal"),
    ("server", "journal", "fleet"),
    ("server", "transcript", "hosting"),
];

/// Which modules of a crate use which others.
type Uses = BTreeSet<(String, String)>;

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let files = sources::all();
    let mut circles = Vec::new();
    let mut stale = Vec::new();
    let mut count = 0;
    for name in sources::names() {
        let mut uses = uses(&name, &files);
        count += uses.len();
        for (_, from, to) in TODAY.iter().filter(|(of, ..)| *of == name) {
            if !uses.remove(&((*from).to_owned(), (*to).to_owned())) {
                stale.push(format!("{name}: {from} does not use {to} any more"));
            }
        }
        circles.extend(circle(&uses).map(|circle| format!("{name}: {}", circle.join(" → "))));
    }
    assert!(count > 200, "uses are found: {count}");
    assert!(circles.is_empty(), "take one use out of each circle: {circles:#?}");
    assert!(stale.is_empty(), "shorten the list: {stale:#?}");
}

fn uses(name: &str, files: &[Source]) -> Uses {
    let root = format!("{name}/src/");
    let files: Vec<&Source> = files.iter().filter(|file| file.path.starts_with(&root)).collect();
    let module = |file: &Source| {
        let first = file.path[root.len()..].split('/').next().expect("there is always a first");
        first.strip_suffix(".rs").unwrap_or(first).to_owned()
    };
    let is_root = |file: &Source| matches!(&file.path[root.len()..], "lib.rs" | "main.rs");
    let modules: BTreeSet<String> =
        files.iter().filter(|file| !is_root(file)).map(|file| module(file)).collect();
    let lib = files.iter().find(|file| file.path.ends_with("/lib.rs"));
    let exported = lib.map(|lib| exported(&lib.code(), &modules)).unwrap_or_default();
    let mut uses = Uses::new();
    for file in files.into_iter().filter(|file| !is_root(file) && !file.is_test()) {
        let (from, depth) = (module(file), depth(&file.path[root.len()..]));
        for used in named(&file.code(), depth) {
            let to = if modules.contains(&used) { Some(&used) } else { exported.get(&used) };
            if let Some(to) = to.filter(|to| **to != from) {
                uses.insert((from.clone(), to.clone()));
            }
        }
    }
    uses
}

/// How many `super::` lead from a file to the root of its crate.
fn depth(path: &str) -> usize {
    path.split('/').count() - usize::from(path.ends_with("/mod.rs"))
}

/// What `lib.rs` makes known at the root, and which module it is from.
fn exported(lib: &str, modules: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for statement in lib.split(';') {
        let Some((_, used)) = statement.rsplit_once("use ") else { continue };
        let Some((module, names)) = used.split_once("::") else { continue };
        if modules.contains(module) {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let names = names.split(|letter| !is_part(letter)).filter(|name| !name.is_empty());
            exported.extend(names.map(|name| (name.to_owned(), module.to_owned())));
        }
    }
    exported
}

/// The names at the root of the crate that a file uses.
fn named(code: &str, depth: usize) -> Vec<String> {
    let up = "super::".repeat(depth);
    let mut found = Vec::new();
    for root in ["crate::", &up] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            let is_whole =
                before.is_none_or(|letter| !(letter.is_alphanumeric() || "_$:".contains(letter)));
            let rest = &code[at + root.len()..];
            if is_whole && !rest.starts_with("super::") {
                first_names(rest, &mut found);
            }
        }
    }
    found
}

/// The first names of a path, or of all paths of a group in braces.
fn first_names(text: &str, found: &mut Vec<String>) {
    let name = |text: &str| {
        let text = text.trim_start();
        let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let Some(group) = text.strip_prefix('{') else {
        return found.push(name(text));
    };
    let mut open = 1;
    let mut start = 0;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 || open == 1 && letter == ',' {
            found.push(name(&group[start..at]));
            start = at + 1;
        }
        if open == 0 {
            return;
        }
    }
}

/// A circle, if there is one.
fn circle(uses: &Uses) -> Option<Vec<String>> {
    let mut left = uses.clone();
    // Modules that are not used, or that use none, are in no cycle.
    loop {
        let from: BTreeSet<String> = left.iter().map(|(from, _)| from.clone()).collect();
        let to: BTreeSet<String> = left.iter().map(|(_, to)| to.clone()).collect();
        let before = left.len();
        left.retain(|(one, other)| to.contains(one) && from.contains(other));
        if left.len() == before {
            break;
        }
    }
    let mut way = vec![left.first()?.0.clone()];
    loop {
        let here = way.last().expect("it has a beginning");
        let (_, next) = left.iter().find(|(from, _)| from == here).expect("each uses another");
        if let Some(start) = way.iter().position(|module| module == next) {
            way.push(next.clone());
            return Some(way[start..].to_vec());
        }
        way.push(next.clone());
    }
}

#[test]
fn uses_are_found_however_they_are_written() {
    let code = "use crate::{a::B, c::{D, E}, f};\nuse super::g::H;\nuse super::super::i;\nlet j = crate::k(l);";
    let mut found = named(code, 1);
    found.sort();
    assert_eq!(found, ["a", "c", "f", "g", "k"]);
    let uses = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Uses>()
    };
    assert_eq!(circle(&uses(&[("a", "b"), ("b", "c"), ("d", "a")])), None);
    let found = circle(&uses(&[("x", "a"), ("a", "b"), ("b", "c"), ("c", "b")]));
    assert_eq!(found.expect("b and c"), ["b", "c", "b"]);
}
