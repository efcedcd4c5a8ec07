//! The map and the land: the walk of a move in ARCHITECTURE.md names files and functions that are
//! there, each file once on the way in and once on the way out.

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
