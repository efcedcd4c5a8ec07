//! The documentation: a page for people, Markdown for programs, with this server's addresses in place
//! of the usual ones.

mod frame;

use axum::Extension;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use manual::{Addresses, Manual, Page};
use serde::Deserialize;

use super::secured::Secured;
use super::{ApiError, AppState, Path, pages};

/// What is looked for.
#[derive(Debug, Default, Deserialize)]
pub struct Wanted {
    #[serde(default)]
    q: String,
}

/// Letters of a search that are looked at.
const LONGEST_SEARCH: usize = 200;
/// Results that are shown.
const MOST_HITS: usize = 20;

/// Where the client finds this server: what its request says if that can be true, and else the
/// usual address.
pub fn addresses(app: &AppState, headers: &HeaderMap, is_secured: bool) -> Addresses {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let is_secure = is_secured || text("x-forwarded-proto") == Some("https");
    let host = text("host").unwrap_or_default();
    let found = Addresses::of(host, is_secure, app.ports.by_usual());
    let http = app.ports.plain.get("http").copied().unwrap_or(manual::WEB);
    found.unwrap_or_else(|| {
        Addresses::of(&format!("127.0.0.1:{http}"), is_secure, app.ports.by_usual())
            .expect("an address and a number")
    })
}

/// `GET /docs`, with `?q=` what was found.
pub async fn index(
    State(app): State<AppState>,
    Query(wanted): Query<Wanted>,
    secured: Option<Extension<Secured>>,
    headers: HeaderMap,
) -> Response {
    let addresses = addresses(&app, &headers, secured.is_some());
    let manual = Manual::get();
    let words: String = wanted.q.chars().take(LONGEST_SEARCH).collect();
    if words.trim().is_empty() {
        let page = manual.page("").expect("there is always an index");
        return shown(page, &addresses, &headers);
    }
    let hits = manual.search(&words, MOST_HITS);
    if pages::is_wanted(&headers) {
        let body = frame::results(&words, &hits);
        return html(StatusCode::OK, &frame::around(manual, None, &body, &words), &headers);
    }
    let line = |hit: &manual::Hit<'_>| {
        let anchor = if hit.anchor.is_empty() { String::new() } else { format!("#{}", hit.anchor) };
        format!("/docs/{}.md{anchor}  {}\n    {}\n", hit.page.path, hit.page.title, hit.excerpt)
    };
    hits.iter().map(line).collect::<String>().into_response()
}

/// `GET /docs/{path}`: a page, its Markdown, a picture, or what the search works with.
pub async fn page(
    State(app): State<AppState>,
    Path(path): Path<String>,
    secured: Option<Extension<Secured>>,
    headers: HeaderMap,
) -> Response {
    let manual = Manual::get();
    if path == "search.json" {
        return pages::whole(pages::kind(&path), manual.index.as_bytes(), &headers);
    }
    if let Some(picture) = manual::picture(&path) {
        return pages::whole(pages::kind(&path), &picture, &headers);
    }
    if let Some(name) = path.strip_suffix(".md") {
        let name = name.strip_suffix("README").unwrap_or(name).trim_end_matches('/');
        return match (manual.page(name), manual.moved(name)) {
            (Some(page), _) => pages::whole(pages::kind(&path), page.served.as_bytes(), &headers),
            (None, Some(to)) => Redirect::permanent(&format!("/docs/{to}.md")).into_response(),
            (None, None) => missing(manual, name, &headers),
        };
    }
    let name = path.trim_end_matches('/');
    match (manual.page(name), manual.moved(name)) {
        (Some(page), _) => shown(page, &addresses(&app, &headers, secured.is_some()), &headers),
        (None, Some(to)) => Redirect::permanent(&format!("/docs/{to}")).into_response(),
        (None, None) => missing(manual, name, &headers),
    }
}

/// `GET /llms.txt`
pub async fn llms(headers: HeaderMap) -> Response {
    pages::whole(pages::kind("llms.txt"), Manual::get().llms().as_bytes(), &headers)
}

fn shown(page: &Page, addresses: &Addresses, headers: &HeaderMap) -> Response {
    let filled = |text: &str| match is_about_hosting(&page.path) {
        true => text.to_owned(),
        false => addresses.fill(text),
    };
    if pages::is_wanted(headers) {
        let body = filled(&page.html);
        let whole = frame::around(Manual::get(), Some(page), &body, "");
        return html(StatusCode::OK, &whole, headers);
    }
    let mut answer = pages::whole(pages::kind(".md"), filled(&page.served).as_bytes(), headers);
    answer.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    answer
}

/// Pages whose addresses are those of the reader's own machine, not of the server that shows them.
fn is_about_hosting(path: &str) -> bool {
    let ends =
        ["host-on-the-internet", "run-a-fleet", "add-a-game", "reference/cli", "configuration"];
    path.starts_with("internals/") || ends.iter().any(|end| path.ends_with(end))
}

fn missing(manual: &Manual, name: &str, headers: &HeaderMap) -> Response {
    let likely = manual.suggestions(name);
    if pages::is_wanted(headers) {
        let body = frame::missing(name, &likely);
        return html(StatusCode::NOT_FOUND, &frame::around(manual, None, &body, ""), headers);
    }
    let likely: Vec<String> = likely.iter().map(|page| format!("/docs/{}", page.path)).collect();
    let advice = match likely.is_empty() {
        true => "GET /docs lists all pages".to_owned(),
        false => format!("perhaps {}; GET /docs lists all pages", likely.join(", ")),
    };
    ApiError::not_found(format!("no page of the documentation is called '{name}': {advice}"))
        .into_response()
}

fn html(status: StatusCode, page: &str, headers: &HeaderMap) -> Response {
    let mut answer = pages::whole("text/html; charset=utf-8", page.as_bytes(), headers);
    if answer.status() == StatusCode::OK {
        *answer.status_mut() = status;
    }
    answer.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    answer
}
