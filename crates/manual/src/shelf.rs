//! How pages are put in order: sections by folder, and lists of all pages for people and for models.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::{Page, Section};

/// The folders, with what each holds.
const FOLDERS: [(&str, &str); 6] = [
    ("start/", "Start here"),
    ("guides/", "Guides"),
    ("reference/games/", "The games' protocols"),
    ("reference/", "Reference"),
    ("explain/", "Background"),
    ("internals/", "Internals"),
];

/// The pages by folder, in the order in which the index names them; those it does not name follow by title.
pub fn sections(pages: &BTreeMap<String, Page>) -> Vec<Section> {
    let index = pages.get("").map(|page| page.html.as_str()).unwrap_or_default();
    let place = |path: &str| {
        let link = |end| index.find(&format!("href=\"/docs/{path}{end}"));
        link('"').into_iter().chain(link('#')).min().unwrap_or(usize::MAX)
    };
    let folder = |path: &str| FOLDERS.iter().position(|(start, _)| path.starts_with(start));
    let mut sections = Vec::new();
    let others = (FOLDERS.len(), "More");
    let titles = FOLDERS.iter().enumerate().map(|(at, (_, title))| (at, *title)).chain([others]);
    for (at, title) in titles {
        let here = |path: &&String| !path.is_empty() && folder(path).unwrap_or(FOLDERS.len()) == at;
        let mut own: Vec<String> = pages.keys().filter(here).cloned().collect();
        own.sort_by_cached_key(|path| (place(path), pages[path].title.clone()));
        if !own.is_empty() {
            sections.push(Section { title, pages: own });
        }
    }
    sections
}

/// A list of all pages, as Markdown.
pub fn index(pages: &BTreeMap<String, Page>, sections: &[Section]) -> String {
    let mut text = String::from("# Documentation\n");
    list(&mut text, pages, sections, |path| format!("{path}.md"));
    text
}

/// The same for language models, by the convention of `llms.txt`.
pub fn llms(pages: &BTreeMap<String, Page>, sections: &[Section]) -> String {
    let mut text = String::from(
        "# Parlor\n\n> One server for turn-based games that bots, people and language models play over the \
         network, each with its own wire protocol. The pages below are Markdown.\n",
    );
    list(&mut text, pages, sections, |path| format!("/docs/{path}.md"));
    text
}

fn list(
    text: &mut String,
    pages: &BTreeMap<String, Page>,
    sections: &[Section],
    address: impl Fn(&str) -> String,
) {
    for section in sections {
        _ = write!(text, "\n## {}\n\n", section.title);
        for path in &section.pages {
            let Page { title, summary, .. } = &pages[path];
            _ = writeln!(text, "- [{title}]({}): {summary}", address(path));
        }
    }
}
