//! Comments in the code are plain English, like everything users read: none has a phrase that no one
//! would say to a colleague.

use std::path::{Path, PathBuf};

use crate::words::{NOT_IN_DOCUMENTS, found, plain, sentences};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Code whose comments are not checked yet. The list only shrinks; tests in these folders are
/// checked.
const LATER: [&str; 3] = ["crates/games/src", "crates/server/src", "web"];

/// Code whose comments are checked only for the phrases of [`AVOID`], not yet for all others. The
/// list only shrinks.
const PARTLY: [&str; 4] =
    ["crates/hall/src", "crates/table/src", "crates/trials/src", "crates/wire/src"];

/// Comments that end up in texts of a protocol, which stay as they are.
const PUBLISHED: [&str; 1] = ["crates/mcp/src/tools/arguments.rs"];

/// Phrases to avoid, with what to write instead.
const AVOID: [(&str, &str); 15] = [
    ("whoever", "name the role: the player, the caller, the owner"),
    ("somebody", "name the role"),
    ("everybody", "all players, all members, every client"),
    ("anybody", "any player, any client"),
    ("nobody", "no player, no client, no one"),
    ("so many", "the number of"),
    ("so long", "how long, or the name of the value"),
    ("so often", "how often"),
    ("anew", "again"),
    ("hears", "receives, learns"),
    ("is told", "receives, learns"),
    ("are told", "receive, learn"),
    ("was told", "received, learned"),
    ("what merely tells", "Queries."),
    ("for ever", "forever"),
];

/// More of them.
const AVOID_TOO: [(&str, &str); 30] = [
    ("were told", "received, learned"),
    ("been told", "received, learned"),
    ("hear", "receive, learn"),
    ("heard", "received, handled"),
    ("afresh", "again"),
    ("came back", "returned"),
    ("went on", "continued"),
    ("said again", "repeated"),
    ("said so", "name who said what"),
    ("shall", "must, should"),
    ("lest", "so that ... not"),
    ("nought", "zero"),
    ("deemed", "counts as"),
    ("hither", "here"),
    ("owe", "is to move"),
    ("owes", "is to move"),
    ("convene", "create"),
    ("convenes", "creates"),
    ("convened", "created"),
    ("convening", "creating"),
    ("who does not", "a player who does not"),
    ("as long as it likes", "without a limit"),
    ("likes it", "wants it"),
    ("it likes", "without a limit"),
    ("house wire", "JSON protocol"),
    ("strategy of the house", "house strategy"),
    ("strategies of the house", "house strategies"),
    ("how it stands", "progress, the present state"),
    ("come what may", "whatever happens"),
    ("up to now", "so far"),
];

#[test]
fn comments_use_plain_english() {
    let (mut comments, mut wrong) = (0, Vec::new());
    for Source { path, text } in sources() {
        let is_in = |folder: &&str| path.starts_with(*folder);
        let not_yet = !is_test(&path);
        if PUBLISHED.contains(&&*path) || not_yet && LATER.iter().any(&is_in) {
            continue;
        }
        let mut phrases = AVOID.to_vec();
        if !(not_yet && PARTLY.iter().any(is_in)) {
            phrases.extend(AVOID_TOO);
            phrases.extend(NOT_IN_DOCUMENTS);
        }
        for Comment { line, text } in comments_of(&path, &text) {
            comments += 1;
            let faults = found(&sentences(&text), &phrases);
            wrong.extend(faults.into_iter().map(|fault| format!("{path}:{line}: {fault}")));
        }
    }
    assert!(comments > 5000, "only {comments} comments were found");
    assert!(wrong.is_empty(), "{} of {comments} comments:\n{}", wrong.len(), wrong.join("\n"));
}

/// A file, with its path from the root of the project.
struct Source {
    path: String,
    text: String,
}

/// Lines of comment without code between them.
#[derive(Debug, PartialEq)]
struct Comment {
    /// Where it begins, from 1.
    line: usize,
    text: String,
}

/// Whether a file holds only tests.
fn is_test(path: &str) -> bool {
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".rs");
    stem == "tests"
        || stem.ends_with("_tests")
        || path.split('/').any(|part| part == "tests" || part.ends_with("_tests"))
}

/// All sources in Rust, JavaScript, Python and shell.
fn sources() -> Vec<Source> {
    let root = Path::new(ROOT).canonicalize().expect("the root of the project");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&root).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let folders =
            ["crates", "examples", "fuzz", "packaging", "python", "web", ".ci"].contains(&name);
        match path.is_dir() {
            true if folders => collect(&path, &mut found),
            true => {}
            false => found.push(path),
        }
    }
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).ok()?;
        let path = path.strip_prefix(&root).ok()?.to_str()?.replace('\\', "/");
        syntax(&path, &text).is_some().then_some(Source { path, text })
    };
    let mut sources: Vec<Source> = found.into_iter().filter_map(read).collect();
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    sources
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        // Code of others, and what was built.
        let foreign = ["node_modules", "target", "corpus", "fixtures", ".venv", "__pycache__"];
        match path.is_dir() {
            true if foreign.iter().any(|name| path.ends_with(name)) => {}
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}

/// How comments are written in a language.
#[derive(Clone, Copy, PartialEq)]
enum Syntax {
    Slashes,
    Hash,
}

fn syntax(path: &str, text: &str) -> Option<Syntax> {
    let file = path.rsplit('/').next().unwrap_or(path);
    match file.rsplit_once('.') {
        Some((_, "rs" | "js" | "mjs")) => Some(Syntax::Slashes),
        Some((_, "py" | "sh")) => Some(Syntax::Hash),
        _ if text.starts_with("#!") => Some(Syntax::Hash),
        _ => None,
    }
}

fn comments_of(path: &str, text: &str) -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut last = 0;
    let Some(syntax) = syntax(path, text) else { return comments };
    let lines = match syntax {
        Syntax::Slashes => slashes(text),
        Syntax::Hash => hashes(text),
    };
    for (line, text) in lines {
        match comments.last_mut().filter(|_| line <= last + 1) {
            Some(comment) => comment.text = format!("{}\n{text}", comment.text),
            None => comments.push(Comment { line, text }),
        }
        last = line;
    }
    comments
}

/// The lines of comment in Rust or JavaScript, with their numbers. Slashes within a text between
/// quotation marks begin none.
fn slashes(text: &str) -> Vec<(usize, String)> {
    let (mut lines, mut rest) = (Vec::new(), text);
    let number = |rest: &str| text[..text.len() - rest.len()].matches('\n').count() + 1;
    while let Some(letter) = rest.chars().next() {
        let begun = rest;
        let length = match letter {
            '/' if rest.starts_with("//") => {
                let end = rest.find('\n').unwrap_or(rest.len());
                let comment = rest[..end].trim_start_matches(['/', '!']);
                lines.push((number(begun), comment.to_owned()));
                end
            }
            '/' if rest.starts_with("/*") => {
                let end = rest.find("*/").map_or(rest.len(), |end| end + 2);
                let comment = rest[..end].lines().map(|line| line.trim_matches([' ', '*', '/']));
                lines.extend((number(begun)..).zip(comment.map(str::to_owned)));
                end
            }
            'r' if is_raw_text(rest) && !ends_a_name(text, rest) => {
                let hashes = rest[1..].find('"').unwrap_or_default();
                let end = format!("\"{}", "#".repeat(hashes));
                let start = hashes + 2;
                rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
            }
            '"' => quoted(rest),
            // A quoted letter, such as '"', and not a lifetime.
            '\'' if rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'') => {
                let start = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                let start = if rest[1..].starts_with('\\') { start + 1 } else { start };
                rest[start..].find('\'').map_or(rest.len(), |at| start + at + 1)
            }
            letter => letter.len_utf8(),
        };
        rest = &rest[length..];
    }
    lines
}

fn is_raw_text(rest: &str) -> bool {
    rest[1..].trim_start_matches('#').starts_with('"')
}

/// Whether the letter at the beginning of `rest` is the last one of a longer name.
fn ends_a_name(text: &str, rest: &str) -> bool {
    let before = text[..text.len() - rest.len()].chars().next_back();
    before.is_some_and(|letter| letter != 'b' && (letter.is_alphanumeric() || letter == '_'))
}

/// The length of the text between quotation marks at the beginning of this, with its marks.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The lines of comment in Python or shell, with their numbers. A hash within quotation marks begins
/// none.
fn hashes(text: &str) -> Vec<(usize, String)> {
    let comment = |(index, line): (usize, &str)| {
        let at = line.char_indices().find(|(at, letter)| {
            let before = &line[..*at];
            *letter == '#'
                && (before.is_empty() || before.ends_with([' ', '\t']))
                && before.matches('"').count() % 2 == 0
                && before.matches('\'').count() % 2 == 0
        });
        let (at, _) = at.filter(|_| !line.starts_with("#!"))?;
        Some((index + 1, line[at..].trim_start_matches('#').to_owned()))
    };
    text.lines().enumerate().filter_map(comment).collect()
}

#[test]
fn comments_are_found_as_they_are_written() {
    let text = "//! One\n//! two.\nlet a = \"// no\"; // three\nlet b = r#\"// \"no\"#;\n/* four\n * five */\n\
                let c = '\"'; // six\nfn f<'a>(d: &'a str) {} // seven\nlet e = '\\''; // eight\n";
    let found = comments_of("a.rs", text);
    let found: Vec<(usize, String)> = found
        .iter()
        .map(|comment| (comment.line, plain(&comment.text).trim().to_owned()))
        .collect();
    let expected = [(1, "one two three"), (5, "four five six seven eight")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));

    let text = "#!/bin/sh\n# one\n# two\necho '# no' \"# no\" # three\n\necho $# # four\n";
    let found: Vec<String> = comments_of("a", text)
        .iter()
        .map(|comment| plain(&comment.text).trim().to_owned())
        .collect();
    assert_eq!(found, ["one two three", "four"]);
    assert_eq!(comments_of("a.md", "# a heading"), []);
}
