//! Comments in the code are plain English, like everything users read. This list of phrases marks
//! sentences that no one would say to a colleague; the crates below are free of them.

use std::path::{Path, PathBuf};

const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Crates whose comments are checked. Add a crate once its comments pass.
const CHECKED: [&str; 9] =
    ["gym", "hall", "mcp", "rules", "store", "table", "tournament", "trials", "wire"];

/// Phrases to avoid, with what to write instead.
const AVOID: [(&str, &str); 16] = [
    ("whoever", "name the role: the player, the caller, the owner"),
    ("somebody", "name the role"),
    ("everybody", "all players, all members, every client"),
    ("anybody", "any player, any client"),
    ("nobody", "no player, no client, no one"),
    ("so many", "the number of"),
    ("so long", "how long, or the name of the value"),
    ("so often", "how often"),
    ("anew", "again"),
    ("hears", "receives"),
    ("hears of", "learns about"),
    ("is told", "receives, learns"),
    ("are told", "receive, learn"),
    ("was told", "received, learned"),
    ("what merely tells", "Queries."),
    ("for ever", "forever"),
];

#[test]
fn comments_use_plain_english() {
    let mut comments = 0;
    let mut wrong = Vec::new();
    for checked in CHECKED {
        let mut files = Vec::new();
        collect(&Path::new(CRATES).join(checked).join("src"), &mut files);
        for file in files {
            let source = std::fs::read_to_string(&file).expect("a source file");
            for (number, comment) in source.lines().enumerate().filter_map(comment_of) {
                comments += 1;
                let plain = words(comment);
                let found =
                    AVOID.iter().filter(|(phrase, _)| plain.contains(&format!(" {phrase} ")));
                wrong.extend(found.map(|(phrase, instead)| {
                    format!("{}:{number}: '{phrase}', write: {instead}", file.display())
                }));
            }
        }
    }
    assert!(comments > 3000, "only {comments} lines of comments were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The line's number from 1 and its comment, if it is one.
fn comment_of((index, line): (usize, &str)) -> Option<(usize, &str)> {
    line.trim_start().strip_prefix("//").map(|comment| (index + 1, comment))
}

/// The lower-case words of a comment, each between single spaces. Code in backticks is left out.
fn words(comment: &str) -> String {
    let text: String = comment.split('`').step_by(2).collect::<Vec<_>>().join(" ").to_lowercase();
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    format!(" {} ", words.join(" "))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
