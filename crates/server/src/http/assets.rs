//! The files of the pages under names that say what is in them: a browser that has one never asks again.
//! Modules are joined (`bundle`), everything is compressed when it is first asked for. A release puts them
//! together once; a debug build does so anew when a file has changed.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use foldhash::quality::FixedState;

use super::bundle::{self, Modules};
use super::pages::{self, Web};
use super::{ApiError, AppState, Path, slim};
use crate::hosting::HostedGame;

type Hosted = Arc<BTreeMap<&'static str, Arc<HostedGame>>>;

/// What puts the files together, and those that it has put together last.
#[derive(Clone)]
pub struct Assets {
    hosted: Hosted,
    built: Arc<Mutex<Option<Arc<Built>>>>,
}

/// All files of one state of the sources.
pub struct Built {
    /// What was read, by its address, as a hash; null if there was nothing.
    sources: BTreeMap<String, Option<u64>>,
    /// By address.
    files: BTreeMap<String, Asset>,
    /// The page, without what differs from address to address.
    page: String,
    /// Where what is at a plain address is now, or the file that has the module of this address.
    named: BTreeMap<String, String>,
}

struct Asset {
    kind: &'static str,
    content: Vec<u8>,
    brotli: OnceLock<Vec<u8>>,
    gzip: OnceLock<Vec<u8>>,
}

const MAIN: &str = "/web/main.js";
/// What modules ask where a file is.
const ASSETS: &str = "/web/assets.js";

impl Assets {
    pub fn new(hosted: Hosted) -> Assets {
        Assets { hosted, built: Arc::default() }
    }

    /// The files, of the sources as they are now.
    pub fn built(&self) -> Arc<Built> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(built) = built.as_ref()
            && (!cfg!(debug_assertions) || self.is_of_now(built))
        {
            return built.clone();
        }
        let new = Arc::new(self.build());
        *built = Some(new.clone());
        new
    }

    /// The files as they were put together last.
    fn last(&self) -> Arc<Built> {
        let last = self.built.lock().unwrap_or_else(PoisonError::into_inner).clone();
        last.unwrap_or_else(|| self.built())
    }

    fn is_of_now(&self, built: &Built) -> bool {
        built.sources.iter().all(|(address, was)| self.read(address).map(|now| hash(&now)) == *was)
    }

    fn read(&self, address: &str) -> Option<Cow<'static, [u8]>> {
        if let Some(name) = address.strip_prefix("/web/") {
            return Some(Web::get(name)?.data);
        }
        let (game, name) = address.strip_prefix("/boards/")?.split_once('/')?;
        self.hosted.get(game)?.file(name)
    }

    fn build(&self) -> Built {
        let sources = RefCell::new(BTreeMap::new());
        let read = |address: &str| {
            let file = self.read(address);
            sources.borrow_mut().insert(address.to_owned(), file.as_ref().map(|file| hash(file)));
            Some(String::from_utf8_lossy(&file?).into_owned())
        };
        let mut built = Built {
            sources: BTreeMap::new(),
            files: BTreeMap::new(),
            page: read("/web/index.html").expect("the page is among the files"),
            named: BTreeMap::new(),
        };
        built.add_plain(self.hosted.keys(), &read);
        let named = serde_json::to_string(&built.named).expect("addresses");
        let with_names = |address: &str| match address {
            ASSETS => Some(format!(
                "const named = {named};\nexport const asset = (path) => named[path] ?? path;\n"
            )),
            other => read(other),
        };
        built.add_scripts(self.hosted.keys(), &mut Modules::new(&with_names));
        built.add_page(&read);
        built.sources = sources.into_inner();
        built
    }
}

impl Built {
    /// What is sent as it lies, or nearly so.
    fn add_plain<'a>(
        &mut self,
        games: impl Iterator<Item = &'a &'static str>,
        read: &impl Fn(&str) -> Option<String>,
    ) {
        let boards = games.flat_map(|game| {
            ["emblem.svg", "board.css"].map(|name| format!("/boards/{game}/{name}"))
        });
        for address in
            ["/web/mark.svg", "/web/theme.js"].map(str::to_owned).into_iter().chain(boards)
        {
            if let Some(source) = read(&address) {
                let name = address.rsplit_once('/').map_or("", |(_, name)| name).to_owned();
                let sent = pages::slim(&name, source.as_bytes());
                let place = self.add(&name, sent);
                self.named.insert(address, place);
            }
        }
    }

    /// The modules that every page begins with, and files with what else one of them needs: a page, a
    /// board, or what all games say of themselves.
    fn add_scripts<'a>(
        &mut self,
        games: impl Iterator<Item = &'a &'static str>,
        modules: &mut Modules<'_>,
    ) {
        let main = modules.behind(MAIN);
        let mut roots: Vec<String> = modules.later(&main).into_iter().collect();
        let mut abouts = BTreeSet::new();
        for game in games {
            roots.push(format!("/boards/{game}/board.js"));
            abouts.extend(modules.behind(&format!("/boards/{game}/about.js")));
        }
        let abouts: BTreeSet<String> = abouts.difference(&main).cloned().collect();
        let mut chunks = BTreeMap::new();
        let place = self.add_chunk("games.js", &abouts, modules);
        let is_about = |module: &&String| module.ends_with("/about.js");
        chunks.extend(abouts.iter().filter(is_about).map(|about| (about.clone(), place.clone())));
        while let Some(root) = roots.pop() {
            let chunk: BTreeSet<String> =
                modules.behind(&root).difference(&main).cloned().collect();
            if !chunk.is_empty() && !chunks.contains_key(&root) {
                roots.extend(modules.later(&chunk));
                let name = root.rsplit_once('/').map_or("", |(_, name)| name);
                chunks.insert(root.clone(), self.add_chunk(name, &chunk, modules));
            }
        }
        let entry = bundle::entry(MAIN, &modules.object(&main), &chunks);
        let place = self.add("main.js", entry);
        self.named.insert(MAIN.to_owned(), place);
        self.named.extend(chunks);
    }

    fn add_chunk(&mut self, name: &str, chunk: &BTreeSet<String>, modules: &Modules<'_>) -> String {
        self.add(name, format!("export default{};\n", modules.object(chunk)))
    }

    /// The page with the names of its files in it, and all style sheets as one.
    fn add_page(&mut self, read: &impl Fn(&str) -> Option<String>) {
        let mut style = String::new();
        let mut page = String::new();
        for line in self.page.lines() {
            if let Some((_, rest)) = line.split_once("rel=\"stylesheet\" href=\"") {
                let address = rest.split('"').next().unwrap_or_default();
                style.push_str(&slim::lines(&read(address).expect("a style sheet of the page")));
                continue;
            }
            let mut line = line.trim().to_owned();
            for (plain, place) in &self.named {
                line = line.replace(&format!("\"{plain}\""), &format!("\"{place}\""));
            }
            page.push_str(&line);
            page.push('\n');
        }
        let place = self.add("style.css", style);
        let link = format!("<link rel=\"stylesheet\" href=\"{place}\" />\n");
        let head = page.find("<script").expect("a script in the page");
        page.insert_str(head, &link);
        self.page = page;
    }

    /// Where a file with this content is.
    fn add(&mut self, name: &str, content: String) -> String {
        let place = format!("/assets/{:016x}/{name}", hash(content.as_bytes()));
        let kind = pages::kind(name);
        let content = content.into_bytes();
        let asset = Asset { kind, content, brotli: OnceLock::new(), gzip: OnceLock::new() };
        self.files.insert(place.clone(), asset);
        place
    }

    /// The page at an address: with what it will need named at once, so that nothing is asked for in turn.
    pub fn page(&self, path: &str, about: &str) -> String {
        let modules = needed(path).into_iter().filter_map(|module| self.named.get(&module));
        let modules: BTreeSet<&String> = modules.collect();
        let mut head: String = modules
            .iter()
            .map(|place| format!("<link rel=\"modulepreload\" href=\"{place}\" />\n"))
            .collect();
        head.push_str(about);
        self.page.replacen("</head>", &format!("{head}</head>"), 1)
    }
}

/// The modules that the page at an address loads, as `main.js` has it.
fn needed(path: &str) -> Vec<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let page = |name: &str| format!("/web/pages/{name}.js");
    let about = |game: &str| format!("/boards/{game}/about.js");
    let board = |game: &str| format!("/boards/{game}/board.js");
    match parts[..] {
        [] => vec![page("home"), about("gamba")],
        ["players", _] => vec![page("player")],
        ["replay"] => vec![page("open")],
        [name @ ("connect" | "organise" | "starters" | "show" | "tournaments" | "players")] => {
            vec![page(name)]
        }
        [game] => vec![page("lobby"), about(game)],
        [game, "rules"] => vec![page("rules"), about(game), board(game)],
        [game, "play"] => vec![page("play"), about(game), board(game)],
        [game, "tables", _] => vec![page("table"), about(game), board(game)],
        [game, "games", _] => vec![page("replay"), about(game), board(game)],
        [game, "tournaments", _] => vec![page("tournament"), about(game)],
        _ => Vec::new(),
    }
}

/// `GET /assets/{hash}/{name}`
pub async fn file(
    State(app): State<AppState>,
    Path((hash, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let built = app.assets.last();
    let asset = built.files.get(&format!("/assets/{hash}/{name}"));
    let asset = asset.ok_or_else(|| ApiError::not_found(format!("no file '{hash}/{name}'")))?;
    Ok(asset.told(&headers))
}

impl Asset {
    fn told(&self, asked: &HeaderMap) -> Response {
        let (coding, content) = match accepted(asked) {
            Some("br") => (Some("br"), self.brotli.get_or_init(|| brotli(&self.content))),
            Some("gzip") => (Some("gzip"), self.gzip.get_or_init(|| gzip(&self.content))),
            _ => (None, &self.content),
        };
        let mut response = ([(header::CONTENT_TYPE, self.kind)], content.clone()).into_response();
        let headers = response.headers_mut();
        if let Some(coding) = coding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
        }
        for (name, value) in [
            (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            (header::VARY, "accept-encoding"),
            (header::CONTENT_SECURITY_POLICY, pages::POLICY),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

/// The best coding that a browser takes: `br`, `gzip` or none.
fn accepted(asked: &HeaderMap) -> Option<&'static str> {
    let codings = asked.get_all(header::ACCEPT_ENCODING).iter();
    let codings =
        codings.filter_map(|codings| codings.to_str().ok()).flat_map(|codings| codings.split(','));
    let taken: Vec<&str> = codings
        .filter_map(|coding| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
            let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
            weight.is_some_and(|weight| weight > 0.0).then_some(name.trim())
        })
        .collect();
    ["br", "gzip"].into_iter().find(|coding| taken.contains(coding))
}

fn brotli(content: &[u8]) -> Vec<u8> {
    let params = brotli::enc::BrotliEncoderParams { quality: 9, ..Default::default() };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut packed, &params).expect("memory takes everything");
    packed
}

fn gzip(content: &[u8]) -> Vec<u8> {
    // Deflated, no time, no extras, by nobody in particular.
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    packed.extend(miniz_oxide::deflate::compress_to_vec(content, 9));
    packed.extend(crc32fast::hash(content).to_le_bytes());
    packed.extend((content.len() as u32).to_le_bytes());
    packed
}

fn hash(content: &[u8]) -> u64 {
    FixedState::default().hash_one(content)
}
