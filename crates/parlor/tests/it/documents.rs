//! The documents hold together: links lead somewhere, and the first bot of the tutorial plays.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::examples;
use crate::kit::Running;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// All Markdown of the project, and the summary for language models.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(ROOT)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().expect("it is in a folder").to_string_lossy().into_owned();
            let is_of_others = name.starts_with('.') && name != ".github"
                || ["target", "node_modules", "dist", "parlor-data"].contains(&name.as_str());
            match path.is_dir() {
                true if !is_of_others => folders.push(path),
                false if name.ends_with(".md") || name == "llms.txt" => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// The lines of a page outside of its blocks of code.
fn prose(page: &str) -> Vec<&str> {
    let mut is_block = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            lines.push(line);
        }
    }
    lines
}

/// The anchors of a page: its headings in small letters, with a dash for each space, and with a
/// number where a heading is there more than once.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in prose(page).iter().filter(|line| line.starts_with('#')) {
        let title = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        let is_kept = |letter: &char| letter.is_alphanumeric() || ['-', '_'].contains(letter);
        let anchor: String = title.chars().filter(is_kept).collect();
        let again = (1..).map(|number| format!("{anchor}-{number}"));
        let free = [anchor.clone()].into_iter().chain(again).find(|name| !found.contains(name));
        found.extend(free);
    }
    found
}

/// Where the links and pictures of a page lead, except to other sites.
fn links(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(page) {
        let outside: Vec<&str> = line.split('`').step_by(2).collect();
        // What is code may be the text of a link, but holds none.
        for part in outside.join("").split("](").skip(1) {
            let target = part.split(')').next().expect("there is always a first");
            if !target.contains("://") {
                found.push(target.to_owned());
            }
        }
    }
    found
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            other => plain.push(other),
        }
    }
    plain
}

fn fault(file: &Path, page: &str, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => file.to_owned(),
        path => plain(&file.parent().expect("it is in a folder").join(path)),
    };
    let wrong = |why: &str| Some(format!("{}: {link} {why}", file.display()));
    if !target.exists() {
        return wrong("leads nowhere");
    }
    let aimed = match (anchor, path) {
        ("", _) => return None,
        (_, "") => page.to_owned(),
        _ => std::fs::read_to_string(&target).unwrap_or_default(),
    };
    if anchors(&aimed).contains(anchor) { None } else { wrong("names no heading") }
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    let (mut count, mut wrong) = (0, Vec::new());
    for file in pages() {
        let page = std::fs::read_to_string(&file).expect("a page");
        for link in links(&page) {
            count += 1;
            wrong.extend(fault(&file, &page, &link));
        }
    }
    assert!(count > 200, "only {count} links were found");
    assert!(wrong.is_empty(), "{} of {count} links:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_link_that_leads_nowhere_is_found() {
    let file = plain(Path::new(ROOT)).join("docs/README.md");
    let page = "# Documentation\n\n## Twice\n\n## Twice\n";
    for good in ["#twice", "#twice-1", "../README.md", "reference/games/"] {
        assert_eq!(fault(&file, page, good), None);
    }
    for bad in ["#thrice", "#twice-2", "nowhere.md", "../README.md#nowhere"] {
        assert!(fault(&file, page, bad).is_some(), "{bad}");
    }
    assert_eq!(
        links("[a](b.md), `[c](d.md)`, [`e`](f.md#g)\n```\n[h](i.md)\n```"),
        ["b.md", "f.md#g"]
    );
}

/// Every page is on the index, so a reader can find it.
#[test]
fn the_index_lists_every_page() {
    let docs = plain(Path::new(ROOT)).join("docs");
    let index = std::fs::read_to_string(docs.join("README.md")).expect("docs/README.md");
    let listed: BTreeSet<PathBuf> = links(&index)
        .iter()
        .map(|link| plain(&docs.join(link.split('#').next().unwrap_or(""))))
        .collect();
    let mut missing = Vec::new();
    for file in pages().iter().map(|file| plain(file)).filter(|file| file.starts_with(&docs)) {
        let page = std::fs::read_to_string(&file).expect("a page");
        let is_pointer = page.starts_with("# Moved\n");
        if !is_pointer && !file.ends_with("docs/README.md") && !listed.contains(&file) {
            missing.push(file);
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The page of the API names every call that the server describes.
#[test]
fn the_page_of_the_api_has_every_call() {
    let server = examples::house();
    let address = format!("http://{}/api/v1/openapi.json", server.addresses["http"]);
    let text = ureq::get(&address).call().unwrap().body_mut().read_to_string().unwrap();
    let described: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let page =
        std::fs::read_to_string(format!("{ROOT}/docs/reference/http-api.md")).expect("the page");
    let words = [
        ("game", "GAME"),
        ("id", "ID"),
        ("name", "NAME"),
        ("pairing", "N"),
        ("kind", "KIND"),
        ("who", "WHO"),
    ];
    let (mut count, mut missing) = (0, Vec::new());
    for (path, methods) in described["paths"].as_object().expect("paths") {
        let named =
            |path: String, (word, name): (&str, &str)| path.replace(&format!("{{{word}}}"), name);
        let path = words.into_iter().fold(path.clone(), named);
        for method in methods.as_object().expect("methods").keys() {
            count += 1;
            let call = format!("`{} {path}", method.to_uppercase());
            let is_there =
                [format!("{call}`"), format!("{call}?")].iter().any(|call| page.contains(call));
            if !is_there {
                missing.push(call);
            }
        }
    }
    assert!(count > 50, "only {count} calls are described");
    assert!(missing.is_empty(), "{missing:#?}");
    assert_eq!(server.terminate().code, Some(0));
}

/// A newcomer reads one page, not a book.
#[test]
fn the_readme_is_short() {
    let readme = std::fs::read_to_string(format!("{ROOT}/README.md")).expect("the page");
    let lines = readme.lines().count();
    assert!(lines <= 120, "{lines} lines");
}

#[test]
fn the_first_bot_of_the_tutorial_plays_and_wins_what_it_says() {
    let server = examples::house();
    let page =
        std::fs::read_to_string(format!("{ROOT}/docs/start/first-bot.md")).expect("the page");
    let bot = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let bot = bot.expect("the page begins with a bot");
    assert!(bot.lines().filter(|line| !line.trim().is_empty()).count() <= 10, "{bot}");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(format!("{ROOT}/python/parlor_games/net.py"), folder.path().join("net.py"))
        .expect("net.py needs nothing else");
    std::fs::write(folder.path().join("mybot.py"), bot).expect("a file");
    let mut command = Command::new("python3");
    command.arg("mybot.py").current_dir(folder.path());
    let address = server.addresses["http"];
    command.args([address.ip().to_string(), address.port().to_string(), "ann".to_owned()]);
    command.args(["--bot", "random", "--games", "2"]);
    let ended = Running::spawn(&mut command, "").end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(server.terminate().code, Some(0));
}
