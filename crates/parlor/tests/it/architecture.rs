//! The map and the land: what ARCHITECTURE.md says of the code is so.
//!
//! The walk of a move names files and functions that are there. A crate uses only those above it. Crates that
//! decide things know no clock, socket, disk or thread. No modules use each other in a circle ([`cycles`]).

mod cycles;
pub mod sources;

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_walk_of_a_move_names_files_and_functions_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map");
    for way in ["### In: from the socket to the rules", "### Out: from the rules to the sockets"] {
        let (_, walk) = map.split_once(way).expect("both ways are described");
        let walk = walk.split("\n#").next().expect("there is always a first");
        let steps: Vec<(&str, &str)> = walk.lines().filter_map(step).collect();
        assert!(steps.len() >= 10, "{way}: {steps:?}");
        let mut visited = BTreeSet::new();
        for (file, function) in steps {
            assert!(visited.insert(file), "{way}: {file} is visited twice");
            let text = std::fs::read_to_string(root.join("crates").join(file));
            let text = text.unwrap_or_else(|fault| panic!("{file}: {fault}"));
            assert!(text.contains(&format!("fn {function}")), "{file} has no fn {function}");
        }
    }
}

/// ``1. `server/src/transport/tcp.rs`, `poll_fetch`: …``
fn step(line: &str) -> Option<(&str, &str)> {
    let (number, rest) = line.split_once(". `")?;
    number.trim().parse::<u32>().ok()?;
    let (file, rest) = rest.split_once("`, `").expect("a step names its file, then its function");
    Some((file, rest.split('`').next().expect("there is always a first")))
}

/// The crates in the order of the map.
fn order(map: &str) -> Vec<&str> {
    let rows = map.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    let row = |line: &&str| line.starts_with("| `");
    rows.take_while(row).map(|line| line.split('`').nth(1).expect("a name")).collect()
}

#[test]
fn a_crate_uses_only_those_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let map = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the map");
    let order = order(&map);
    let on_the_map: BTreeSet<&str> = order.iter().copied().collect();
    let there = sources::names();
    let there: BTreeSet<&str> = there.iter().map(|name| &**name).collect();
    assert_eq!(on_the_map, there, "the map has every crate");
    for (place, name) in order.iter().enumerate() {
        let file = root.join("crates").join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(file).expect("a crate has a manifest");
        for used in dependencies(&manifest).filter(|used| there.contains(used)) {
            assert!(order[..place].contains(&used), "{name} uses {used}, which is not above it");
        }
    }
}

/// What a crate is built with; tests may use more.
fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let section = manifest.split("\n[").filter(|section| section.starts_with("dependencies]"));
    let lines = section.flat_map(|section| section.lines().skip(1));
    lines.filter_map(|line| line.split(['.', ' ', '=']).next())
}

/// The crates that decide things, and what they have no business with.
const PURE: [&str; 8] = ["rules", "review", "tournament", "table", "hall", "wire", "games", "gym"];
const FORBIDDEN: [&str; 9] = [
    "tokio",
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "std::fs",
    "std::thread",
    "Instant::now",
    "SystemTime",
    "std::process",
];

#[test]
fn pure_crates_know_no_clock_socket_disk_or_thread() {
    let mut found = Vec::new();
    let files = sources::all();
    let is_pure = |file: &&sources::Source| PURE.contains(&file.parts()[0]) && !file.is_test();
    let pure: Vec<_> = files.iter().filter(is_pure).collect();
    assert!(pure.len() > 150, "{} files", pure.len());
    for file in pure {
        let code = file.code();
        let names = FORBIDDEN.iter().filter(|name| code.contains(**name));
        found.extend(names.map(|name| format!("{}: {name}", file.path)));
    }
    assert!(found.is_empty(), "this belongs to the rim: {found:#?}");
}
