//! The documentation and the starter bots, as a running server and the command line offer them: pages
//! as HTML and as text for a terminal, a search over them, and starters as files and archives. It has
//! no sockets, no games and no clock. A release holds the files; a debug build reads them where they lie.

mod addresses;
mod html;
mod links;
mod markdown;
mod search;
mod shelf;
mod slug;
mod starters;
mod terminal;
mod zip;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use rust_embed::RustEmbed;

pub use addresses::{Addresses, WEB, is_host};
pub use html::{Heading, escaped};
pub use search::Hit;
pub use starters::{Filling, Language, STARTERS, Starter, archive};
pub use terminal::text;

use search::Part;

#[derive(RustEmbed)]
#[folder = "../../docs/"]
#[include = "*.md"]
#[include = "*.png"]
#[include = "*.svg"]
#[include = "*.json"]
#[include = "*.txt"]
struct Docs;

/// One page of the documentation.
#[derive(Debug)]
pub struct Page {
    /// Its address below `/docs/`: `guides/test-your-bot`. That of the index is empty.
    pub path: String,
    pub title: String,
    /// Its first sentence or two.
    pub summary: String,
    /// As it is written, with links between files.
    pub markdown: String,
    /// The same with links that lead to addresses of a server.
    pub served: String,
    /// The page between header and footer.
    pub html: String,
    pub headings: Vec<Heading>,
    pub(crate) parts: Vec<Part>,
}

/// Pages of one folder, for a list of contents.
#[derive(Debug)]
pub struct Section {
    pub title: &'static str,
    /// The paths of its pages, in the order in which one reads them.
    pub pages: Vec<String>,
}

/// All pages.
#[derive(Debug)]
pub struct Manual {
    pages: BTreeMap<String, Page>,
    /// Where pages are that used to be elsewhere.
    moved: BTreeMap<String, String>,
    pub sections: Vec<Section>,
    /// What a page's search works with, as JSON.
    pub index: String,
}

impl Manual {
    /// The documentation of this program; made when it is first asked for, and once.
    pub fn get() -> &'static Manual {
        static MANUAL: OnceLock<Manual> = OnceLock::new();
        let beside = links::BESIDE.map(|(name, text)| (name.to_owned(), text.to_owned()));
        MANUAL.get_or_init(|| Manual::of(Docs::iter().filter_map(|name| read(&name)).chain(beside)))
    }

    /// The documentation that these files are, each with its path below `docs/`.
    pub fn of(files: impl IntoIterator<Item = (String, String)>) -> Manual {
        let mut pages = BTreeMap::new();
        let mut moved = BTreeMap::new();
        for (name, markdown) in files {
            let Some(path) = path_of(&name) else { continue };
            match html::pointer(&path, &markdown) {
                Some(target) => moved.insert(path, target).map(drop),
                None => pages.insert(path.clone(), html::page(path, markdown)).map(drop),
            };
        }
        let sections = shelf::sections(&pages);
        if !pages.contains_key("") {
            let index = html::page(String::new(), shelf::index(&pages, &sections));
            pages.insert(String::new(), index);
        }
        let index = search::index(&pages);
        Manual { pages, moved, sections, index }
    }

    /// The page at an address below `/docs/`.
    pub fn page(&self, path: &str) -> Option<&Page> {
        self.pages.get(path)
    }

    /// Where the page is that used to be here. A folder is found in the index.
    pub fn moved(&self, path: &str) -> Option<&str> {
        let mut below = self.pages.keys().filter_map(|page| page.strip_prefix(path));
        let is_folder = !path.is_empty() && below.any(|rest| rest.starts_with('/'));
        self.moved.get(path).map(String::as_str).or(is_folder.then_some(""))
    }

    /// Every page but the index.
    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.values().filter(|page| !page.path.is_empty())
    }

    /// The parts of pages that hold these words, the best first.
    pub fn search(&self, words: &str, most: usize) -> Vec<Hit<'_>> {
        search::search(&self.pages, words, most)
    }

    /// Pages with names like an address that does not exist, the most similar first.
    pub fn suggestions(&self, path: &str) -> Vec<&Page> {
        search::suggestions(&self.pages, path)
    }

    /// A list of all pages for language models: the file `llms.txt`, or else one made of their titles.
    pub fn llms(&self) -> String {
        match read("llms.txt") {
            Some((_, text)) => links::served("", &text),
            None => shelf::llms(&self.pages, &self.sections),
        }
    }
}

/// A picture of the documentation, or the figures behind one, by its path below `docs/`.
pub fn picture(name: &str) -> Option<Cow<'static, [u8]>> {
    let is_one = [".png", ".svg", ".json"].iter().any(|end| name.ends_with(end));
    Docs::get(name).filter(|_| is_one).map(|file| file.data)
}

fn read(name: &str) -> Option<(String, String)> {
    let is_text = name.ends_with(".md") || name.ends_with(".txt");
    let file = Docs::get(name).filter(|_| is_text)?;
    Some((name.to_owned(), String::from_utf8_lossy(&file.data).into_owned()))
}

/// `guides/test-your-bot.md` is the page `guides/test-your-bot`, and a folder's README that of the folder.
fn path_of(name: &str) -> Option<String> {
    let path = name.strip_suffix(".md")?;
    Some(path.strip_suffix("README").unwrap_or(path).trim_end_matches('/').to_owned())
}
