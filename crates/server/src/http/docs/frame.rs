//! What surrounds a page of the documentation: the site's bar and footer, a list of all pages, and the
//! contents of this one. Plain HTML, readable without a script.

use manual::{Hit, Manual, Page, escaped};

const HEAD: &str = r##"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="/web/mark.svg" type="image/svg+xml" />
    <script src="/web/theme.js"></script>
    <link rel="stylesheet" href="/web/tokens.css" />
    <link rel="stylesheet" href="/web/base.css" />
    <link rel="stylesheet" href="/web/parts.css" />
    <link rel="stylesheet" href="/web/docs/docs.css" />
    <script type="module" src="/web/docs/docs.js"></script>
"##;

/// The bar of `web/shell.js`, which brings its theme button when it runs.
const BAR: &str = r##"  </head>
  <body>
    <a class="skip" href="#page">Skip to the page</a>
    <header class="bar">
      <div class="inner">
        <a class="mark" href="/" aria-label="Parlor"><svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true"><circle cx="14" cy="14.6" r="5.9" fill="var(--ink)" /><circle data-game="sushi-go" cx="14" cy="3.6" r="2.3" fill="var(--fill)" /><circle data-game="subsim" cx="24.2" cy="11.1" r="2.3" fill="var(--fill)" /><circle data-game="gamba" cx="20.3" cy="23.1" r="2.3" fill="var(--fill)" /><circle data-game="labyrinth" cx="7.7" cy="23.1" r="2.3" fill="var(--fill)" /><circle data-game="tiger-dragon" cx="3.8" cy="11.1" r="2.3" fill="var(--fill)" /></svg><span>Parlor</span></a>
        <nav aria-label="Parlor"><a href="/">Games</a><a href="/tournaments">Tournaments</a><a href="/players">Players</a><a href="/connect">Connect a bot</a><a href="/docs" aria-current="page">Docs</a></nav>
        <div class="end"></div>
      </div>
    </header>
    <main class="page docs" id="page" tabindex="-1">
"##;

const FOOT: &str = r##"    </main>
    <footer class="foot">
      <div class="inner">
        <nav class="end" aria-label="Everywhere"><a href="/">Games</a><a href="/tournaments">Tournaments</a><a href="/players">Players</a><a href="/connect">Connect a bot</a><a href="/docs">Docs</a><a href="/starters">Starter bots</a><a href="/api/v1/openapi.json">API</a></nav>
      </div>
    </footer>
  </body>
</html>
"##;

/// A whole page: `body` stands between the lists. `None`: one that is no page of the documentation.
pub fn around(manual: &Manual, page: Option<&Page>, body: &str, searched: &str) -> String {
    let title = page.map_or("Documentation", |page| page.title.as_str());
    let mut html = String::with_capacity(body.len() + 16_384);
    html.push_str(HEAD);
    html.push_str(&format!("    <title>{} · Parlor</title>\n", escaped(title)));
    html.push_str(BAR);
    html.push_str(&format!(
        "<form class=\"find\" role=\"search\" action=\"/docs\"><input type=\"search\" name=\"q\" \
         placeholder=\"Search the docs\" aria-label=\"Search the documentation\" \
         autocomplete=\"off\" maxlength=\"200\" value=\"{}\" /><a class=\"to-pages\" \
         href=\"#pages\">All pages</a></form>\n",
        escaped(searched)
    ));
    html.push_str(&format!("<article class=\"manual\">\n{body}{}</article>\n", ending(page)));
    if let Some(page) = page {
        html.push_str(&contents(page));
    }
    html.push_str(&shelf(manual, page));
    html.push_str(FOOT);
    html
}

fn ending(page: Option<&Page>) -> String {
    let Some(page) = page else { return String::new() };
    let file = if page.path.is_empty() { "README" } else { &page.path };
    format!(
        "<p class=\"note ending\"><a href=\"/docs/{}.md\">This page as Markdown</a> · <a \
         href=\"/starters\">Starter bots</a> · <a href=\"/connect\">Connect a bot</a></p>\n",
        escaped(file)
    )
}

/// The headings of a page, if they are worth a list.
fn contents(page: &Page) -> String {
    let shown = page.headings.iter().filter(|heading| heading.level <= 3);
    if shown.clone().count() < 3 {
        return String::new();
    }
    let item = |heading: &manual::Heading| {
        let (anchor, text) = (escaped(&heading.anchor), escaped(&heading.text));
        format!("<li class=\"level-{}\"><a href=\"#{anchor}\">{text}</a></li>", heading.level)
    };
    let items: String = shown.map(item).collect();
    format!(
        "<nav class=\"contents\" aria-label=\"On this page\"><details><summary>On this \
         page</summary><ul>{items}</ul></details></nav>\n"
    )
}

/// All pages, by section.
fn shelf(manual: &Manual, here: Option<&Page>) -> String {
    let is_here = |path: &str| here.is_some_and(|page| page.path == path);
    let item = |path: &str, title: &str| {
        let slash = if path.is_empty() { "" } else { "/" };
        let current = if is_here(path) { " aria-current=\"page\"" } else { "" };
        format!(
            "<li><a href=\"/docs{slash}{}\"{current}>{}</a></li>",
            escaped(path),
            escaped(title)
        )
    };
    let mut html =
        String::from("<nav class=\"shelf\" id=\"pages\" aria-label=\"Documentation\">\n<ul>");
    html.push_str(&item("", "Overview"));
    html.push_str("<li><a href=\"/starters\">Starter bots</a></li></ul>\n");
    for section in &manual.sections {
        html.push_str(&format!("<h2>{}</h2>\n<ul>", escaped(section.title)));
        for path in &section.pages {
            let title = manual.page(path).map(|page| page.title.as_str()).unwrap_or_default();
            html.push_str(&item(path, title));
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</nav>\n");
    html
}

/// What a search has found.
pub fn results(words: &str, hits: &[Hit<'_>]) -> String {
    let words = escaped(words);
    if hits.is_empty() {
        return format!(
            "<h1>Nothing found</h1>\n<p>No page holds all of these words: <b>{words}</b>. Try fewer or \
             shorter ones.</p>\n"
        );
    }
    let item = |hit: &Hit<'_>| {
        let anchor = if hit.anchor.is_empty() { String::new() } else { format!("#{}", hit.anchor) };
        let address = escaped(&format!("/docs/{}{anchor}", hit.page.path));
        let place = match hit.heading {
            "" => String::new(),
            heading => format!(" <span class=\"note\">{}</span>", escaped(heading)),
        };
        let (title, excerpt) = (escaped(&hit.page.title), escaped(&hit.excerpt));
        format!("<li><a href=\"{address}\"><b>{title}</b>{place}</a><p>{excerpt}</p></li>\n")
    };
    let items: String = hits.iter().map(item).collect();
    format!("<h1>Search: {words}</h1>\n<ul class=\"found\">\n{items}</ul>\n")
}

/// A page that is not there.
pub fn missing(name: &str, likely: &[&Page]) -> String {
    let item = |page: &&Page| {
        format!(
            "<li><a href=\"/docs/{}\"><b>{}</b></a><p>{}</p></li>\n",
            escaped(&page.path),
            escaped(&page.title),
            escaped(&page.summary)
        )
    };
    let items: String = likely.iter().map(item).collect();
    let advice = match likely.is_empty() {
        true => "<p>Search above, or choose one from the list of all pages.</p>\n".to_owned(),
        false => {
            format!("<p>Perhaps you meant one of these:</p>\n<ul class=\"found\">\n{items}</ul>\n")
        }
    };
    format!(
        "<h1>No such page</h1>\n<p>There is no page <code>/docs/{}</code>.</p>\n{advice}",
        escaped(name)
    )
}
