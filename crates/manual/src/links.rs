//! Where the links of a page lead on a server. Pages are written for the repository, where a link names a
//! file by its place beside the page.

use std::borrow::Cow;

use pulldown_cmark::{Event, Tag};

use crate::STARTERS;
use crate::markdown::events;

/// Pages that lie beside the folder of all others.
pub const BESIDE: [(&str, &str); 3] = [
    ("CHANGELOG.md", include_str!("../../../CHANGELOG.md")),
    ("CONTRIBUTING.md", include_str!("../../../CONTRIBUTING.md")),
    ("SECURITY.md", include_str!("../../../SECURITY.md")),
];

const FOLDER: &str = "docs";

/// For whom an address is: a browser, or a program that reads Markdown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    Browser,
    Program,
}

/// Where a link of a page leads. None: to a file that only the repository has.
pub fn target(page: &str, link: &str, reader: Reader) -> Option<String> {
    if link.starts_with('#') || link.contains(':') {
        return Some(if is_harmless(link) { link.to_owned() } else { "#".to_owned() });
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (link, String::new()),
    };
    let file = beside(page, file)?;
    let name = file.rsplit('/').next().unwrap_or_default();
    if STARTERS.iter().any(|known| known.file == name) {
        return Some(format!("/starters/{name}"));
    }
    if ["examples", "examples/README.md"].contains(&file.as_str()) {
        return Some("/starters".to_owned());
    }
    let is_beside = BESIDE.iter().any(|(known, _)| *known == file);
    let file = match file.strip_prefix(FOLDER) {
        Some(file) => file.trim_start_matches('/'),
        None if is_beside => &file,
        // What the project's first page says is in the index, under other headings.
        None if file == "README.md" => return Some("/docs".to_owned()),
        None => return None,
    };
    if file == "llms.txt" {
        return Some("/llms.txt".to_owned());
    }
    let Some(page) = crate::path_of(file) else { return Some(format!("/docs/{file}{anchor}")) };
    let ending = if reader == Reader::Program && !page.is_empty() { ".md" } else { "" };
    let slash = if page.is_empty() { "" } else { "/" };
    Some(format!("/docs{slash}{page}{ending}{anchor}"))
}

/// The Markdown of a page with links that lead somewhere on a server. A link to a file that only the
/// repository has becomes its text.
pub fn served(page: &str, markdown: &str) -> String {
    let mut served = String::with_capacity(markdown.len() + markdown.len() / 16);
    let mut done = 0;
    for (event, range) in events(markdown).into_offset_iter() {
        let (Event::Start(Tag::Link { dest_url, .. }) | Event::Start(Tag::Image { dest_url, .. })) =
            event
        else {
            continue;
        };
        let whole = &markdown[range.clone()];
        // `<http://…>` is its own address.
        let Some(at) = whole.rfind(&format!("]({dest_url}")) else { continue };
        let (from, to) = (range.start + at + 2, range.start + at + 2 + dest_url.len());
        if from < done {
            continue;
        }
        match target(page, &dest_url, Reader::Program) {
            Some(address) => {
                served.push_str(&markdown[done..from]);
                served.push_str(&address);
                done = to;
            }
            None => {
                served.push_str(&markdown[done..range.start]);
                served.push_str(whole[..at].trim_start_matches(['!', '[']));
                done = range.end;
            }
        }
    }
    served.push_str(&markdown[done..]);
    served
}

fn is_harmless(target: &str) -> bool {
    ["#", "http://", "https://", "mailto:", "ws://", "wss://"]
        .iter()
        .any(|start| target.starts_with(start))
}

/// A file that a page names by its place beside it, from the repository on.
pub fn beside(page: &str, file: &str) -> Option<String> {
    let is_beside = BESIDE.iter().any(|(known, _)| known.strip_suffix(".md") == Some(page));
    let page = if is_beside { Cow::from(page) } else { Cow::from(format!("{FOLDER}/{page}")) };
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_served_markdown_lead_to_addresses_of_the_server() {
        let page = "[a](other.md#x), [b](../start/first-bot.md) and [`c`](../../examples/README.md).\n\n\
                    ![p](../pictures/gamba.png)\n\n| [t](../../SECURITY.md) |\n|---|\n\n\
                    <http://example.org> [w](https://example.org/) [x](#here) [gone](../../crates/x.rs)\n\n\
                    ```\n[code](other.md)\n```\n";
        let served = served("guides/page", page);
        for wanted in [
            "[a](/docs/guides/other.md#x)",
            "[b](/docs/start/first-bot.md)",
            "[`c`](/starters).",
            "![p](/docs/pictures/gamba.png)",
            "| [t](/docs/SECURITY.md) |",
            "<http://example.org> [w](https://example.org/) [x](#here) gone\n",
            "[code](other.md)",
        ] {
            assert!(served.contains(wanted), "{wanted} in {served}");
        }
    }

    #[test]
    fn pages_beside_the_folder_name_files_from_there() {
        let to = |page, link| target(page, link, Reader::Browser);
        assert_eq!(
            to("SECURITY", "docs/reference/limits.md"),
            Some("/docs/reference/limits".into())
        );
        assert_eq!(to("CONTRIBUTING", "SECURITY.md#x"), Some("/docs/SECURITY#x".into()));
        assert_eq!(to("CONTRIBUTING", "ARCHITECTURE.md"), None);
        assert_eq!(to("guides/x", "../../README.md#the-five-games"), Some("/docs".into()));
        assert_eq!(to("guides/x", "../README.md#glossary"), Some("/docs#glossary".into()));
        assert_eq!(to("", "llms.txt"), Some("/llms.txt".into()));
        assert_eq!(to("a", "../../../etc/passwd"), None);
    }
}
