//! The documentation of this project, as a server shows it.

use std::collections::BTreeSet;

use manual::{Manual, picture};

/// What links of a page lead to.
fn targets<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    html.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    let manual = Manual::get();
    assert!(manual.pages().count() > 20);
    let mut dead = Vec::new();
    for page in manual.pages().chain(manual.page("")) {
        for link in targets(&page.html, "href=\"") {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { &page.path } else { path };
            let Some(path) = path.strip_prefix("/docs").or((path == page.path).then_some(path))
            else {
                continue;
            };
            let path = path.trim_start_matches('/');
            let Some(there) = manual.page(path) else {
                let exists = manual.moved(path).is_some() || picture(path).is_some();
                if !exists {
                    dead.push(format!("{}: {link}", page.path));
                }
                continue;
            };
            let id = format!("id=\"{anchor}\"");
            if !anchor.is_empty() && !there.html.contains(&id) {
                dead.push(format!("{}: {link}", page.path));
            }
        }
        for image in targets(&page.html, "<img src=\"") {
            let path = image.strip_prefix("/docs/").unwrap_or(image);
            if picture(path).is_none() {
                dead.push(format!("{}: picture {image}", page.path));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// What programs read: Markdown whose links are addresses of the server.
#[test]
fn every_link_of_served_markdown_leads_somewhere() {
    let manual = Manual::get();
    let pages = manual.pages().chain(manual.page("")).map(|page| (&page.path, page.served.clone()));
    let models = "llms.txt".to_owned();
    let mut dead = Vec::new();
    for (path, text) in pages.chain([(&models, manual.llms())]) {
        let code = text.split("```").skip(1).step_by(2).collect::<Vec<_>>();
        for rest in text.split("](").skip(1) {
            let link = rest.split(')').next().unwrap_or_default();
            let is_code = code.iter().any(|block| block.contains(&format!("]({link})")));
            let (file, _) = link.split_once('#').unwrap_or((link, ""));
            let page = file.strip_prefix("/docs").and_then(|page| page.strip_suffix(".md"));
            let is_there = match page {
                Some(page) => manual.page(page.trim_start_matches('/')).is_some(),
                None if file.is_empty() || file.contains("://") || file == "/docs" => true,
                None => {
                    file.starts_with("/starters")
                        || file == "/llms.txt"
                        || file.strip_prefix("/docs/").is_some_and(|name| picture(name).is_some())
                }
            };
            if !is_there && !is_code {
                dead.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn every_page_has_a_title_a_section_and_a_summary_and_is_found() {
    let manual = Manual::get();
    let listed: BTreeSet<&String> = manual.sections.iter().flat_map(|each| &each.pages).collect();
    for page in manual.pages() {
        assert!(!page.title.is_empty() && page.title != page.path, "{}", page.path);
        assert!(listed.contains(&page.path), "{}", page.path);
        let hits = manual.search(&page.title, 100);
        assert!(hits.iter().any(|hit| hit.page.path == page.path), "{}", page.title);
    }
}

#[test]
fn markup_in_a_file_is_shown_and_not_obeyed() {
    let file = "# T\n\n<script>alert(1)</script>\n\nA <img src=x onerror=alert(1)> <a id=\"here\"></a>word<br>\n\n\
                <!-- not shown -->\n\n[x](javascript:alert(1)) [y](other.md#z) [z](../README.md) \
                [e](../examples/gamba.py)\n";
    let manual = Manual::of([("a/t.md".to_owned(), file.to_owned())]);
    let html = &manual.page("a/t").unwrap().html;
    for not in ["<script", "<img", "javascript:", "not shown"] {
        assert!(!html.contains(not), "{not} in {html}");
    }
    assert!(html.contains("&lt;script&gt;"), "{html}");
    assert!(html.contains("<span id=\"here\"></span>word<br>"), "{html}");
    assert!(html.contains("<a href=\"/docs/a/other#z\">y</a>"), "{html}");
    assert!(html.contains("<a href=\"/docs\">z</a>"), "{html}");
    assert!(html.contains("<a href=\"/starters/gamba.py\">e</a>"), "{html}");
}

#[test]
fn a_page_that_only_points_elsewhere_is_a_redirection() {
    let pages = [
        ("old.md", "# Moved\n\nThis page moved to [New](guides/new.md).\n"),
        ("guides/new.md", "# New\n\nText.\n"),
    ];
    let manual = Manual::of(pages.map(|(name, text)| (name.to_owned(), text.to_owned())));
    assert_eq!(manual.moved("old"), Some("guides/new"));
    assert!(manual.page("old").is_none());
    assert_eq!(manual.sections.len(), 1, "pointers are not listed");
}

#[test]
fn a_search_prefers_titles_and_wants_every_word() {
    let pages = [
        ("guides/one.md", "# Clocks\n\nHow long a move may take.\n\n## Late moves\n\nA timeout.\n"),
        ("guides/two.md", "# Names\n\nThe clocks of names.\n"),
    ];
    let manual = Manual::of(pages.map(|(name, text)| (name.to_owned(), text.to_owned())));
    let found = |words: &str| -> Vec<String> {
        let hits = manual.search(words, 9);
        hits.iter().map(|hit| format!("{}#{}", hit.page.path, hit.anchor)).collect()
    };
    assert_eq!(found("clock"), ["guides/one#", "guides/one#late-moves", "guides/two#"]);
    assert_eq!(found("timeout late"), ["guides/one#late-moves"]);
    assert_eq!(found("timeout names"), Vec::<String>::new());
    assert_eq!(found(""), Vec::<String>::new());
}
