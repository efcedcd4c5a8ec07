//! Markdown as HTML: headings with anchors, links that lead to the server's own pages, and no markup of
//! the file's own.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Parser, Tag, TagEnd, html};

use crate::Page;
use crate::links::{self, Reader};
use crate::markdown::events;
use crate::search::{self, Part};
use crate::slug::Slugs;

/// A heading below the title, for a page's list of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub level: u8,
    pub anchor: String,
    pub text: String,
}

/// A text for HTML, between tags or quotation marks.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            letter => html.push(letter),
        }
    }
    html
}

/// Where a page has moved to, if that is all it says.
pub fn pointer(path: &str, markdown: &str) -> Option<String> {
    markdown.trim_start().strip_prefix("# Moved")?;
    let target = events(markdown).find_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    })?;
    let file = links::beside(path, &target)?;
    crate::path_of(file.strip_prefix("docs/")?)
}

/// A page as it is read.
pub fn page(path: String, markdown: String) -> Page {
    let mut writer = Writer { path: &path, ..Writer::default() };
    let written = writer.written(&markdown);
    let headings = writer.headings;
    let mut body = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut body, written.into_iter());
    let parts = search::parts(&markdown);
    let title = headings.iter().find(|heading| heading.level == 1);
    let title = title.map_or_else(|| path.clone(), |heading| heading.text.clone());
    let summary = summary(&parts);
    let headings = headings.into_iter().filter(|heading| heading.level > 1).collect();
    let served = links::served(&path, &markdown);
    Page { path, title, summary, markdown, served, html: body, headings, parts }
}

/// The beginning of a page, up to the end of a sentence.
fn summary(parts: &[Part]) -> String {
    let opening = parts.iter().map(|part| part.opening.trim()).find(|text| !text.is_empty());
    let text = opening.unwrap_or_default();
    let end = text.match_indices(' ').map(|(at, _)| at).take_while(|at| *at <= 170);
    let sentence = end.clone().filter(|at| text[..*at].ends_with(['.', '?', '!', ':'])).last();
    match sentence.or_else(|| end.last().filter(|_| text.len() > 170)) {
        Some(at) => text[..at].trim_end_matches(':').to_owned(),
        None => text.to_owned(),
    }
}

#[derive(Default)]
struct Writer<'a> {
    path: &'a str,
    slugs: Slugs,
    headings: Vec<Heading>,
    /// Whether the link that is open leads to a file of the repository, which a server does not have.
    leads_away: bool,
}

impl Writer<'_> {
    fn written<'m>(&mut self, markdown: &'m str) -> Vec<Event<'m>> {
        let mut written = Vec::new();
        let mut events = events(markdown);
        while let Some(event) = events.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    self.heading(level, &mut events, &mut written);
                }
                event => self.event(event, &mut written),
            }
        }
        written
    }

    /// A heading with its anchor, and a link to itself.
    fn heading<'m>(
        &mut self,
        level: HeadingLevel,
        events: &mut Parser<'m>,
        written: &mut Vec<Event<'m>>,
    ) {
        let mut inside = Vec::new();
        let mut text = String::new();
        for event in events.by_ref() {
            match event {
                Event::End(TagEnd::Heading(_)) => break,
                Event::Text(ref words) | Event::Code(ref words) => text.push_str(words),
                _ => {}
            }
            self.event(event, &mut inside);
        }
        let anchor = self.slugs.of(&text);
        let number = level as u8;
        let id = Some(CowStr::from(anchor.clone()));
        written.push(Event::Start(Tag::Heading {
            level,
            id,
            classes: Vec::new(),
            attrs: Vec::new(),
        }));
        written.append(&mut inside);
        if number > 1 {
            let name = escaped(&text);
            let link = format!(
                " <a class=\"anchor\" href=\"#{}\" aria-label=\"Link to: {name}\">#</a>",
                escaped(&anchor)
            );
            written.push(Event::InlineHtml(link.into()));
        }
        written.push(Event::End(TagEnd::Heading(level)));
        self.headings.push(Heading { level: number, anchor, text });
    }

    fn event<'m>(&mut self, event: Event<'m>, written: &mut Vec<Event<'m>>) {
        let made_of_it = match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                match links::target(self.path, &dest_url, Reader::Browser) {
                    Some(found) => {
                        let dest_url = found.into();
                        Event::Start(Tag::Link { link_type, dest_url, title, id })
                    }
                    None => {
                        self.leads_away = true;
                        made(
                            "<span class=\"elsewhere\" title=\"A file of the project's repository\">",
                        )
                    }
                }
            }
            Event::End(TagEnd::Link) if self.leads_away => {
                self.leads_away = false;
                made("</span>")
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let found = links::target(self.path, &dest_url, Reader::Browser);
                let dest_url = found.unwrap_or_default().into();
                Event::Start(Tag::Image { link_type, dest_url, title, id })
            }
            // What is wider than the page scrolls, by the keyboard too.
            Event::Start(Tag::CodeBlock(_)) => made("<pre tabindex=\"0\"><code>"),
            Event::End(TagEnd::CodeBlock) => made("</code></pre>\n"),
            Event::Start(Tag::Table(columns)) => {
                written.push(made("<div class=\"table\" tabindex=\"0\">"));
                Event::Start(Tag::Table(columns))
            }
            Event::End(TagEnd::Table) => {
                written.push(Event::End(TagEnd::Table));
                made("</div>\n")
            }
            Event::Html(html) | Event::InlineHtml(html) => allowed(&html),
            event => event,
        };
        written.push(made_of_it);
    }
}

fn made<'m>(html: &'static str) -> Event<'m> {
    Event::InlineHtml(html.into())
}

/// Of a file's own markup, an anchor and the end of a line are kept, comments go, and the rest is shown
/// as it is written.
fn allowed<'m>(html: &str) -> Event<'m> {
    let tag = html.trim();
    if tag.starts_with("<!--") || tag == "</a>" {
        return made("");
    }
    if ["<br>", "<br/>", "<br />"].contains(&tag) {
        return made("<br>");
    }
    let quoted = |start| tag.strip_prefix(start)?.split_once("\">");
    if let Some((anchor, rest)) = quoted("<a id=\"").or_else(|| quoted("<a name=\""))
        && ["", "</a>"].contains(&rest)
        && anchor.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
    {
        return Event::InlineHtml(format!("<span id=\"{anchor}\"></span>").into());
    }
    Event::Text(html.to_owned().into())
}
