//! Finding a page by words: an index made once, and the same order of results on the server, in a
//! terminal and in the browser (`web/docs/search.js` reads the index).

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, Tag, TagEnd};
use serde_json::json;

use crate::Page;
use crate::markdown::events;
use crate::slug::Slugs;

/// What stands between one heading and the next.
#[derive(Debug, Default)]
pub struct Part {
    /// Empty for what stands below the title.
    pub anchor: String,
    pub heading: String,
    pub text: String,
    /// Its first paragraph.
    pub opening: String,
}

/// A part of a page that holds what was looked for.
#[derive(Debug)]
pub struct Hit<'m> {
    pub page: &'m Page,
    pub anchor: &'m str,
    pub heading: &'m str,
    pub excerpt: String,
}

/// Cuts a page into its parts.
pub fn parts(markdown: &str) -> Vec<Part> {
    let mut parts = vec![Part::default()];
    let mut slugs = Slugs::default();
    let mut heading = None;
    let (mut in_paragraph, mut in_code) = (false, false);
    for event in events(markdown) {
        let part = parts.last_mut().expect("there is a first");
        match &event {
            Event::Start(Tag::Paragraph) => in_paragraph = part.opening.is_empty(),
            Event::End(TagEnd::Paragraph) => in_paragraph = false,
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(words) | Event::Code(words) if in_paragraph && !in_code => {
                part.opening.push_str(words);
            }
            Event::SoftBreak | Event::HardBreak if in_paragraph => part.opening.push(' '),
            _ => {}
        }
        let text = &mut part.text;
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(level)) => {
                let words = heading.take().unwrap_or_default();
                let anchor = slugs.of(&words);
                if level as u8 > 1 {
                    parts.push(Part { anchor, heading: words, ..Part::default() });
                }
            }
            Event::Text(words) | Event::Code(words) => match &mut heading {
                Some(heading) => heading.push_str(&words),
                None => text.push_str(&words),
            },
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(
                TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock,
            ) => {
                text.push('\n');
            }
            _ => {}
        }
    }
    parts
}

/// Letters of an excerpt.
const EXCERPT: usize = 150;

/// What a browser searches in: a list of `[path, title, anchor, heading, excerpt, words]`.
pub fn index(pages: &BTreeMap<String, Page>) -> String {
    let mut rows = Vec::new();
    for page in pages.values().filter(|page| !page.path.is_empty()) {
        for part in &page.parts {
            let known = words(&format!("{} {} {}", page.path, page.title, part.heading));
            let own: BTreeSet<String> = words(&part.text).difference(&known).cloned().collect();
            let own: Vec<String> = own.into_iter().collect();
            let excerpt = excerpt(&part.text, None);
            rows.push(json!([
                page.path,
                page.title,
                part.anchor,
                part.heading,
                excerpt,
                own.join(" ")
            ]));
        }
    }
    serde_json::Value::Array(rows).to_string()
}

/// Words that can be looked for, in small letters.
fn words(text: &str) -> BTreeSet<String> {
    let small = text.to_lowercase();
    let all = small.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    all.filter(|word| (2..=40).contains(&word.len())).map(str::to_owned).collect()
}

/// What a word is worth where it is found; each word of the query counts at its best place.
const IN_TITLE: u32 = 12;
const IN_HEADING: u32 = 8;
const IN_TEXT: u32 = 2;

pub fn search<'m>(pages: &'m BTreeMap<String, Page>, query: &str, most: usize) -> Vec<Hit<'m>> {
    let wanted = words(query);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for page in pages.values().filter(|page| !page.path.is_empty()) {
        let title = words(&format!("{} {}", page.path, page.title));
        for part in &page.parts {
            let places = [
                (IN_TITLE, &title),
                (IN_HEADING, &words(&part.heading)),
                (IN_TEXT, &words(&part.text)),
            ];
            let worth: Option<Vec<u32>> = wanted.iter().map(|word| worth(word, &places)).collect();
            if let Some(worth) = worth {
                let first = u32::from(part.anchor.is_empty());
                found.push((worth.iter().sum::<u32>() + first, page, part));
            }
        }
    }
    found.sort_by_key(|(worth, page, _)| (std::cmp::Reverse(*worth), &page.path));
    let hit = |(_, page, part): (u32, &'m Page, &'m Part)| Hit {
        page,
        anchor: &part.anchor,
        heading: &part.heading,
        excerpt: excerpt(&part.text, wanted.first()),
    };
    found.into_iter().take(most).map(hit).collect()
}

/// A whole word counts twice as much as the beginning of one.
fn worth(word: &str, places: &[(u32, &BTreeSet<String>)]) -> Option<u32> {
    let mut best = None;
    for (worth, words) in places {
        let begins =
            words.range(word.to_owned()..).next().is_some_and(|next| next.starts_with(word));
        let here = if words.contains(word) { worth * 2 } else { u32::from(begins) * worth };
        best = best.max(Some(here).filter(|here| *here > 0));
    }
    best
}

/// Some text around the first place of a word.
fn excerpt(text: &str, word: Option<&String>) -> String {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let at = word.and_then(|word| plain.to_lowercase().find(word.as_str())).unwrap_or_default();
    let start = plain.char_indices().map(|(at, _)| at).take_while(|start| *start <= at).last();
    let start = start.filter(|start| *start > EXCERPT / 2).unwrap_or_default();
    let start = plain[..start].rfind(". ").map_or(0, |end| end + 2).max(start.saturating_sub(80));
    let start = (0..=start).rev().find(|at| plain.is_char_boundary(*at)).unwrap_or_default();
    // Not in the middle of a word.
    let start = plain[..start].rfind(' ').map_or(0, |space| space + 1);
    let mut end = plain[start..].chars().take(EXCERPT).map(char::len_utf8).sum::<usize>() + start;
    if end < plain.len() {
        end = plain[start..end].rfind(' ').map_or(end, |space| start + space);
        return format!("{} …", &plain[start..end]);
    }
    plain[start..].to_owned()
}

/// Pages that share words with an address, or whose last word is nearly the same.
pub fn suggestions<'m>(pages: &'m BTreeMap<String, Page>, path: &str) -> Vec<&'m Page> {
    let short: String = path.chars().take(100).collect();
    let wanted = words(&short.replace(['/', '-', '.'], " "));
    let mut likely = Vec::new();
    for page in pages.values().filter(|page| !page.path.is_empty()) {
        let own = words(&format!("{} {}", page.path.replace('-', " "), page.title));
        let shared = wanted.intersection(&own).count() * 10;
        let near = wanted.iter().any(|word| own.iter().any(|other| is_near(word, other)));
        let worth = shared + usize::from(near) * 5;
        if worth > 0 {
            likely.push((worth, page));
        }
    }
    likely.sort_by_key(|(worth, page)| (std::cmp::Reverse(*worth), page.path.len()));
    likely.into_iter().take(5).map(|(_, page)| page).collect()
}

/// Whether two words differ by one letter that is wrong, missing or too many.
fn is_near(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len() < 4 || one.len().abs_diff(other.len()) > 1 || one == other {
        return false;
    }
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[same..], &other[same..]);
    let behind = |list: &[char]| list.iter().skip(1).copied().collect::<Vec<_>>();
    behind(one) == behind(other) || behind(one) == other || one == behind(other)
}
