//! The pages for browsers: files of `web/` and of the games' folders, with the policy that keeps a
//! page to its own server. A release holds the files; a debug build reads them where they lie.

use std::borrow::Cow;
use std::hash::BuildHasher;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use foldhash::quality::FixedState;
use rust_embed::RustEmbed;

use super::{ApiError, Path};
use super::{AppState, docs, slim};

#[derive(RustEmbed)]
#[folder = "../../web/"]
#[include = "*.js"]
#[include = "*.css"]
#[include = "*.svg"]
#[include = "*.html"]
#[include = "*.webmanifest"]
#[exclude = "node_modules/*"]
#[exclude = "tests/*"]
#[exclude = "eslint.config.js"]
#[exclude = "workbench.js"]
#[exclude = "measure.js"]
#[exclude = "shots.js"]
pub struct Web;

/// Nothing from elsewhere, no script or style in the markup, no markup from a string.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types worker; manifest-src 'self'";

/// Whether who asks reads HTML: browsers say so, programs do not.
pub fn is_wanted(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter();
    accepts.filter_map(|accept| accept.to_str().ok()).any(|accept| accept.contains("text/html"))
}

/// The one page there is, whatever its address.
pub fn page(
    app: &AppState,
    status: StatusCode,
    path: &str,
    secured: bool,
    headers: &HeaderMap,
) -> Response {
    let site = docs::addresses(app, headers, secured);
    let scheme = if site.is_secure { "https" } else { "http" };
    let preview = preview(app, path, &format!("{scheme}://{}", site.authority));
    let page = app.assets.built().page(path, &preview);
    let mut response = whole(kind("index.html"), page.as_bytes(), headers);
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// What messengers show of a link.
fn preview(app: &AppState, path: &str, site: &str) -> String {
    let game = path.split('/').nth(1).filter(|game| app.hosted.contains_key(game));
    let about = game.and_then(|game| app.hosted[game].file("about.js"));
    let about = String::from_utf8_lossy(about.as_deref().unwrap_or_default()).into_owned();
    let said = |key: &str| {
        let text = about.split_once(&format!("\n  {key}: \""))?.1.split('"').next()?;
        Some(text.to_owned())
    };
    let title = said("title").unwrap_or_else(|| "Parlor".to_owned());
    let tagline = said("tagline").unwrap_or_else(|| "Games for people and bots".to_owned());
    let picture = said("title").and(game).unwrap_or("home");
    format!(
        "<meta name=\"description\" content=\"{tagline}\" />\n\
         <meta property=\"og:site_name\" content=\"Parlor\" />\n\
         <meta property=\"og:title\" content=\"{title}\" />\n\
         <meta property=\"og:description\" content=\"{tagline}\" />\n\
         <meta property=\"og:image\" content=\"{site}/docs/pictures/{picture}.png\" />\n\
         <meta name=\"twitter:card\" content=\"summary_large_image\" />\n"
    )
}

/// `GET /manifest.webmanifest`: what makes the pages an app.
pub async fn manifest(headers: HeaderMap) -> Response {
    let manifest = Web::get("manifest.webmanifest").expect("it is among the files");
    whole("application/manifest+json", &manifest.data, &headers)
}

/// `GET /worker.js`: what shows pages while the network is away. It looks after all addresses, so it is at
/// the top of them.
pub async fn worker(headers: HeaderMap) -> Response {
    let worker = Web::get("worker.js").expect("it is among the files");
    told("worker.js", worker.data, &headers)
}

/// `GET /web/{file}`
pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let found = Web::get(&name).filter(|_| name != "index.html");
    let found = found.ok_or_else(|| ApiError::not_found(format!("no file '{name}'")))?;
    Ok(told(&name, found.data, &headers))
}

/// `GET /boards/{game}/{file}`
pub async fn board_file(
    State(app): State<AppState>,
    Path((game, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let found = app.hosted(&game)?.file(&name);
    let found = found.ok_or_else(|| ApiError::not_found(format!("{game} has no file '{name}'")))?;
    Ok(told(&name, found, &headers))
}

/// A file, or word that the browser has it already.
fn told(name: &str, file: Cow<'static, [u8]>, asked: &HeaderMap) -> Response {
    tagged(kind(name), &file, asked, |file| slim(name, file))
}

/// Something that is sent as it is, or word that the browser has it already.
pub fn whole(kind: &'static str, content: &[u8], asked: &HeaderMap) -> Response {
    tagged(kind, content, asked, <[u8]>::to_vec)
}

fn tagged<B: IntoResponse>(
    kind: &'static str,
    content: &[u8],
    asked: &HeaderMap,
    sent: impl FnOnce(&[u8]) -> B,
) -> Response {
    // Another content has another tag.
    let tag = format!("\"{:016x}\"", FixedState::default().hash_one(content));
    let has_it =
        asked.get(header::IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == tag.as_bytes());
    let mut response = if has_it {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, kind)], sent(content)).into_response()
    };
    let headers = response.headers_mut();
    let tag = HeaderValue::from_str(&tag).expect("hexadecimal digits in quotes");
    headers.insert(header::ETAG, tag);
    for (name, value) in
        [(header::CACHE_CONTROL, "no-cache"), (header::CONTENT_SECURITY_POLICY, POLICY)]
    {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A file as it is sent.
pub fn slim(name: &str, file: &[u8]) -> String {
    let source = String::from_utf8_lossy(file);
    if name.ends_with(".js") { slim::script(&source) } else { slim::lines(&source) }
}

/// The kind of a file, by the end of its name.
pub fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("md") => "text/markdown; charset=utf-8",
        Some("txt" | "py") => "text/plain; charset=utf-8",
        Some("mjs") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("png") => "image/png",
        Some("zip") => "application/zip",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}
