//! What users and newcomers read is plain English: no words that only this project's code knows,
//! and no phrases that no one would say to a colleague.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::kit::parlor;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Words and phrases users should not meet, with what to write instead.
const NOT_THESE: [(&str, &str); 34] = [
    ("due", "next, or: a move is expected"),
    ("the house", "the server"),
    ("the house s", "the server's"),
    ("convene", "create"),
    ("convenes", "creates"),
    ("convened", "created"),
    ("owes", "has to"),
    ("owed", "expected"),
    ("company", "the players at a table"),
    ("rehearsal", "transcript"),
    ("rehearsals", "transcripts"),
    ("so long", "a number with its unit"),
    ("so many", "how many"),
    ("so often", "how often"),
    ("anew", "again"),
    ("bout", "game"),
    ("steward", "nothing: it is the code's word"),
    ("afresh", "again"),
    ("deemed", "counts as"),
    ("who does not", "a player who does not"),
    ("is no terminal", "is not a terminal"),
    ("is no number", "is not a number"),
    ("said again", "repeated"),
    ("made up", "chosen by the server"),
    ("1 puddings", "1 pudding"),
    ("whoever does not", "a player who does not"),
    ("say data", "pass --data"),
    ("say key file", "pass --key-file"),
    ("say another", "pass another"),
    ("say host port", "write HOST:PORT"),
    ("say name port", "write NAME=PORT"),
    ("goes on where", "continues where"),
    ("no way back", "no reconnect"),
    ("cannot stand where", "cannot be used where"),
];

/// Stiff phrases that came up again and again in the documents, with what to write instead.
pub const NOT_IN_DOCUMENTS: [(&str, &str); 39] = [
    ("whoever", "a player who, anyone who, or: if you"),
    ("whose name", "a player whose name"),
    ("everybody", "all players, everyone, or the role"),
    ("everybody s", "every player's"),
    ("somebody", "a player, or the role"),
    ("nobody", "no one, or: no player"),
    ("anybody", "anyone"),
    ("knows no", "does not support"),
    ("no way back", "cannot be rejoined"),
    ("way back", "reconnect"),
    ("come back", "reconnect, or return"),
    ("comes back", "reconnects, or returns"),
    ("goes on", "continues"),
    ("go on", "continue"),
    ("has no words", "has no message for it"),
    ("has words for", "supports"),
    ("stands why", "the reason is shown"),
    ("behind the address", "after the address"),
    ("unless given", "default: ..."),
    ("unless said", "default: ..."),
    ("for ever", "without an end"),
    ("as its protocol has it", "as its protocol specifies"),
    ("of its own", "its own, or nothing"),
    ("of their own", "their own, or nothing"),
    ("hears", "receives"),
    ("so that it is on no", "read it from a file"),
    ("let a name go", "release a name"),
    ("one a line", "one per line"),
    ("a message a text frame", "one message per text frame"),
    ("is no secret", "is not secret"),
    ("is no ladder", "is not a ladder"),
    ("taken up again", "continued, or loaded again"),
    ("left behind", "finishes ahead of"),
    ("comes to an end", "ends"),
    ("by its protocol", "with the game's protocol"),
    ("in place of the screen", "instead of the screen"),
    ("besides the usual ones", "in addition to the usual ones"),
    ("that was promised", "that was committed to"),
    ("in question", "name what is meant"),
];

/// These hold one of the words above and are fine: a house bot is a kind of opponent.
const BUT_THESE: [&str; 5] =
    ["the house bot", "the house bots", "the house strategy", "the house strategies", "due to"];

/// The words of a text, each between single spaces, so that phrases are found across lines and
/// punctuation.
pub fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut plain = format!(" {} ", words.join(" "));
    for fine in BUT_THESE {
        plain = plain.replace(&format!(" {fine} "), " ... ");
    }
    plain
}

/// Whatever is wrong with a text, with the words around it.
fn faults(text: &str) -> Vec<String> {
    found(text, &NOT_THESE)
}

/// The phrases of a list that a text has, with the words around them.
pub fn found(text: &str, phrases: &[(&str, &str)]) -> Vec<String> {
    let plain = plain(text);
    let mut faults = Vec::new();
    for (phrase, instead) in phrases {
        for (at, _) in plain.match_indices(&format!(" {phrase} ")) {
            let before: String = plain[..at].chars().rev().take(40).collect();
            let before: String = before.chars().rev().collect();
            let after: String = plain[at..].chars().take(60).collect();
            faults.push(format!("'{phrase}' (better: {instead}) in: {before}{after}"));
        }
    }
    faults
}

fn assert_plain(texts: impl IntoIterator<Item = (String, String)>) {
    assert_without(texts, &NOT_THESE);
}

fn assert_without(texts: impl IntoIterator<Item = (String, String)>, phrases: &[(&str, &str)]) {
    let mut seen = 0;
    let mut wrong = BTreeSet::new();
    for (place, text) in texts {
        seen += 1;
        wrong.extend(found(&text, phrases).into_iter().map(|fault| format!("{place}: {fault}")));
    }
    assert!(seen > 0, "nothing was read");
    let list: Vec<String> = wrong.into_iter().collect();
    assert!(list.is_empty(), "{} of {seen} texts:\n{}", list.len(), list.join("\n"));
}

#[test]
fn banned_phrases_are_found_across_lines_and_punctuation() {
    for wrong in [
        "Who does not come to its game within so long loses it",
        "the game that is\ndue",
        "ask the house, which knows",
        "has `1 puddings`",
    ] {
        assert!(!faults(wrong).is_empty(), "{wrong}");
    }
    for fine in ["The house bots wait a second.", "dues", "a lighthouse", "11 puddings"] {
        assert_eq!(faults(fine), Vec::<String>::new());
    }
}

/// The help of a command and of everything below it.
fn help(path: &[&str], texts: &mut Vec<(String, String)>) {
    let ended = parlor(&[path, &["--help"]].concat());
    assert_eq!(ended.code, Some(0), "{path:?}: {ended:?}");
    let list = match path {
        // The commands are in groups.
        [] => ended.stdout.split("New here?").next().unwrap_or_default(),
        _ => ended.stdout.split("Commands:\n").nth(1).unwrap_or_default(),
    };
    let list = if path.is_empty() { list } else { list.split("\n\n").next().unwrap_or_default() };
    let list: String = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| format!("{line}\n"))
        .collect();
    texts.push((format!("parlor {} --help", path.join(" ")), ended.stdout));
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        if name != "help" {
            help(&[path, &[name]].concat(), texts);
        }
    }
}

#[test]
fn help_is_plain_english() {
    let mut texts = Vec::new();
    help(&[], &mut texts);
    assert!(texts.len() > 30, "{} commands", texts.len());
    texts.push(("parlor config".to_owned(), parlor(&["config"]).stdout));
    assert_plain(texts);
}

fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|_| panic!("{folder:?}")) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_str().unwrap().ends_with(ending) {
            found.push(path);
        }
    }
}

/// The name of a file as seen from the root of the project, and its text.
fn read(path: &Path) -> (String, String) {
    let name = path.strip_prefix(ROOT).unwrap_or(path).display().to_string();
    (name, std::fs::read_to_string(path).unwrap())
}

#[test]
fn the_documents_are_plain_english() {
    let mut pages = vec![PathBuf::from(format!("{ROOT}/README.md"))];
    files(Path::new(&format!("{ROOT}/docs")), ".md", &mut pages);
    // Authors of games read the code beside this page, so it uses the code's words.
    pages.retain(|page| !page.ends_with("add-a-game.md"));
    files(Path::new(&format!("{ROOT}/examples")), "", &mut pages);
    files(Path::new(&format!("{ROOT}/crates/games/src")), "rules.md", &mut pages);
    // What follows three backticks says how a block is tested; readers do not see it.
    let visible = |text: String| {
        let lines = text.lines().filter(|line| !line.starts_with("```"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_plain(pages.iter().map(|path| read(path)).map(|(name, text)| (name, visible(text))));
}

/// What a page says itself: not its code, its transcripts, and what it quotes as code.
pub fn sentences(text: &str) -> String {
    let (mut is_block, mut lines) = (false, Vec::new());
    for line in text.lines() {
        match line.trim_start().starts_with("```") {
            true => is_block = !is_block,
            false if !is_block => lines.push(line),
            false => {}
        }
    }
    lines.join("\n").split('`').step_by(2).collect::<Vec<_>>().join(" ... ")
}

#[test]
fn the_documents_avoid_phrases_that_are_hard_to_read() {
    let names =
        ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "CHANGELOG.md"];
    let more = ["examples/README.md", "python/README.md", "web/README.md"];
    let mut pages: Vec<PathBuf> =
        names.iter().chain(&more).map(|name| Path::new(ROOT).join(name)).collect();
    files(Path::new(&format!("{ROOT}/docs")), ".md", &mut pages);
    let texts = pages.iter().map(|path| read(path)).map(|(name, text)| (name, sentences(&text)));
    assert_without(texts, &NOT_IN_DOCUMENTS);
    let quoted = sentences("Say `whoever` and\n```\nnobody\n```\nnothing else.");
    assert_eq!(found(&quoted, &NOT_IN_DOCUMENTS), Vec::<String>::new());
    assert_eq!(found("Whoever comes back is told.", &NOT_IN_DOCUMENTS).len(), 2);
}

/// What a person reads in a terminal and on a page is written like the documents.
#[test]
fn help_and_pages_avoid_phrases_that_are_hard_to_read() {
    let mut texts = Vec::new();
    help(&[], &mut texts);
    texts.push(("parlor config".to_owned(), parlor(&["config"]).stdout));
    let mut sources = Vec::new();
    files(Path::new(&format!("{ROOT}/web")), "texts.js", &mut sources);
    sources.push(Path::new(ROOT).join("web/event/words.js"));
    let games = Path::new(ROOT).join("crates/games/src");
    for name in ["about.js", "words.js", "rules.md"] {
        files(&games, name, &mut sources);
    }
    assert!(sources.len() > 15, "{sources:?}");
    let spoken = |text: String| match text.contains("export ") {
        // Of code, what is between quotation marks.
        true => literals(&text.replace('`', "\"")).join(" ... "),
        false => text,
    };
    texts.extend(sources.iter().map(|path| read(path)).map(|(name, text)| (name, spoken(text))));
    // In SubSim, a submarine receives sounds with its ears.
    let phrases: Vec<_> = NOT_IN_DOCUMENTS.into_iter().filter(|(it, _)| *it != "hears").collect();
    assert_without(texts, &phrases);
}

/// The texts between quotation marks in a file of Rust, without comments and tests, and without
/// the texts of `expect`: invariants, which show only if the code is wrong.
fn literals(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut texts = Vec::new();
    let mut letters = source.chars().peekable();
    let mut last = String::new();
    while let Some(letter) = letters.next() {
        last.push(letter);
        match letter {
            '/' if letters.peek() == Some(&'/') => {
                letters.by_ref().find(|letter| *letter == '\n');
            }
            // A quoted letter, such as '"'.
            '\'' if letters.clone().nth(1) == Some('\'') => {
                letters.nth(1);
            }
            '"' => {
                let mut text = String::new();
                while let Some(letter) = letters.next().filter(|letter| *letter != '"') {
                    match letter {
                        '\\' => text.extend(letters.next().filter(|escaped| *escaped != 'n')),
                        letter => text.push(letter),
                    }
                }
                if !last.trim_end_matches('"').trim_end().ends_with("expect(") {
                    texts.push(text);
                }
            }
            _ => {}
        }
    }
    texts
}

/// Errors, results and logs are texts in the code. A single word is a name, not a text.
#[test]
fn errors_and_results_are_plain_english() {
    let mut sources = Vec::new();
    for folder in ["parlor", "server", "store", "table", "hall", "tournament", "games", "wire"] {
        files(Path::new(&format!("{ROOT}/crates/{folder}/src")), ".rs", &mut sources);
    }
    for folder in ["bench", "soak"] {
        files(Path::new(&format!("{ROOT}/crates/trials/src/{folder}")), ".rs", &mut sources);
    }
    // Tests, and what only tests use.
    let tests = ["test", "kit.rs"];
    sources.retain(|path| !tests.iter().any(|word| path.to_str().unwrap().contains(word)));
    let texts = sources.iter().map(|path| read(path)).flat_map(|(name, text)| {
        let texts = literals(&text).into_iter().filter(|text| text.trim().contains(' '));
        texts.map(|text| (name.clone(), text)).collect::<Vec<_>>()
    });
    assert_plain(texts);
}
