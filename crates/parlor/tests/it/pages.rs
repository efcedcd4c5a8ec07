//! The pages as HTTP sees them: who gets one, with which headers. What they do is tested in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use ureq::http::Response;
use ureq::{Agent, Body};

use crate::kit::{BINARY, Running, Server, parlor, serve};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
    let mut request = agent.get(format!("http://{}{path}", server.addresses["http"]));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.call().unwrap()
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[test]
fn csp_and_headers() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let files =
        ["/web/main.js", "/web/tokens.css", "/boards/sushi-go/emblem.svg", "/gamba/play", "/"];
    for path in files {
        let response = get(&server, path, &[("Accept", BROWSER)]);
        assert_eq!(response.status(), 200, "{path}");
        let policy = header(&response, "content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert!(policy.ends_with("trusted-types worker; manifest-src 'self'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(header(&response, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&response, "referrer-policy"), "same-origin", "{path}");
        assert_eq!(header(&response, "cross-origin-opener-policy"), "same-origin", "{path}");
        assert_eq!(header(&response, "cache-control"), "no-cache", "{path}");
    }
    let script = get(&server, "/web/main.js", &[]);
    assert_eq!(header(&script, "content-type"), "text/javascript; charset=utf-8");
}

#[test]
fn who_accepts_html_gets_a_page_and_everybody_else_what_they_always_got() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for path in ["/", "/sushi-go", "/sushi-go/play", "/labyrinth/games/labyrinth-1?turn=4"] {
        let page = get(&server, path, &[("Accept", BROWSER)]);
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(header(&page, "vary"), "accept", "{path}");
    }
    let mut text = get(&server, "/", &[]);
    assert_eq!(header(&text, "vary"), "accept");
    assert!(text.body_mut().read_to_string().unwrap().starts_with("Parlor\n\ngames: "));
    let mut nothing = get(&server, "/sushi-go/play", &[("Accept", "application/json")]);
    assert_eq!(nothing.status(), 404);
    assert!(nothing.body_mut().read_to_string().unwrap().contains("\"code\":\"not-found\""));
    // A page that does not exist is one all the same, and says so.
    let missing = get(&server, "/chess/play", &[("Accept", BROWSER)]);
    assert_eq!(missing.status(), 404);
    assert_eq!(header(&missing, "content-type"), "text/html; charset=utf-8");
}

#[test]
fn a_file_that_has_not_changed_is_not_sent_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for path in ["/web/dom.js", "/boards/gamba/about.js", "/"] {
        let first = get(&server, path, &[("Accept", BROWSER)]);
        let tag = header(&first, "etag");
        assert_eq!(tag.len(), 18, "{path}: {tag}");
        let again = get(&server, path, &[("Accept", BROWSER), ("If-None-Match", tag)]);
        assert_eq!(again.status(), 304, "{path}");
        let other = get(&server, path, &[("Accept", BROWSER), ("If-None-Match", "\"0\"")]);
        assert_eq!(other.status(), 200, "{path}");
    }
}

/// The addresses of files that a page names.
fn files_of(page: &str) -> Vec<String> {
    let quoted = page.split('"').filter(|text| text.starts_with("/assets/"));
    quoted.map(str::to_owned).collect()
}

/// What a server sends for an address, and how many bytes that is on the way.
fn sent(server: &Server, path: &str, coding: &str) -> (Response<Body>, Vec<u8>) {
    let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
    let request = agent.get(format!("http://{}{path}", server.addresses["http"]));
    let mut response = request.header("Accept-Encoding", coding).call().unwrap();
    let body = response.body_mut().as_reader();
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut { body }, &mut bytes).unwrap();
    (response, bytes)
}

#[test]
fn what_a_page_is_made_of_is_compressed_and_never_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for path in ["/", "/gamba/play", "/labyrinth", "/players/Ann"] {
        let mut page = get(&server, path, &[("Accept", BROWSER)]);
        let page = page.body_mut().read_to_string().unwrap();
        let files = files_of(&page);
        assert!(files.len() >= 5, "{path}: {page}");
        assert!(page.contains("og:title") && page.contains("og:image"), "{path}: {page}");
        let mut weight = page.len();
        for file in &files {
            let (plain, content) = sent(&server, file, "identity");
            assert_eq!(plain.status(), 200, "{file}");
            assert_eq!(header(&plain, "content-encoding"), "", "{file}");
            assert_eq!(header(&plain, "cache-control"), "public, max-age=31536000, immutable");
            assert_eq!(header(&plain, "vary"), "accept-encoding");
            let (packed, small) = sent(&server, file, "gzip, deflate, br;q=0");
            assert_eq!(header(&packed, "content-encoding"), "gzip", "{file}");
            assert_eq!(small[..3], [0x1f, 0x8b, 8], "{file}");
            let (packed, least) = sent(&server, file, "gzip, br");
            assert_eq!(header(&packed, "content-encoding"), "br", "{file}");
            assert!(least.len() < content.len().max(500), "{file}");
            // A board is drawn when the rest is there.
            weight += if file.ends_with("/board.js") { 0 } else { small.len() };
        }
        // At 50 kB a second and 400 ms from there and back, this and four times the way are three seconds.
        assert!(weight < 70_000, "{path}: {weight} bytes in {} files", files.len());
    }
    let (missing, _) = sent(&server, "/assets/0000000000000000/main.js", "br");
    assert_eq!(missing.status(), 404);
}

#[test]
fn a_page_is_named_by_its_game_in_previews() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let site = format!("http://{}", server.addresses["http"]);
    for game in games::list().names() {
        let mut page = get(&server, &format!("/{game}/play"), &[("Accept", BROWSER)]);
        let page = page.body_mut().read_to_string().unwrap();
        let picture =
            page.split("og:image\" content=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(picture, format!("{site}/docs/pictures/{game}.png"));
        assert_eq!(get(&server, picture.strip_prefix(&site).unwrap(), &[]).status(), 200);
        assert!(!page.contains("content=\"Parlor\" />\n<meta property=\"og:description"), "{page}");
    }
}

#[test]
fn the_first_page_needs_one_answer() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let text = |path: &str| get(&server, path, &[]).body_mut().read_to_string().unwrap();
    let home: serde_json::Value = serde_json::from_str(&text("/api/v1/home")).unwrap();
    for (part, alone) in [
        ("games", "/api/v1/games"),
        ("waiting", "/api/v1/tables?status=waiting&limit=200"),
        ("playing", "/api/v1/tables?status=playing&limit=200"),
        ("results", "/api/v1/results?status=finished&tournament=false&limit=30"),
        ("matches", "/api/v1/results?status=finished&tournament=true&limit=30"),
        ("tournaments", "/api/v1/tournaments?limit=200"),
    ] {
        let alone: serde_json::Value = serde_json::from_str(&text(alone)).unwrap();
        assert_eq!(home[part], alone, "{part}");
    }
}

#[test]
fn only_files_of_the_pages_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for path in [
        "/web/package.json",
        "/web/workbench.js",
        "/web/shots.js",
        "/web/tests/kit/site.js",
        "/web/node_modules/eslint/package.json",
        "/web/../Cargo.toml",
        "/web/%2e%2e/Cargo.toml",
        "/boards/gamba/mod.rs",
        "/boards/gamba/..%2Flib.rs",
        "/boards/chess/board.js",
    ] {
        assert_eq!(get(&server, path, &[]).status(), 404, "{path}");
    }
}

#[test]
fn every_game_brings_its_own_files() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for game in games::list().names() {
        for file in ["about.js", "emblem.svg"] {
            let response = get(&server, &format!("/boards/{game}/{file}"), &[]);
            assert_eq!(response.status(), 200, "{game} has no {file}");
        }
    }
}

/// Parts of addresses that players, viewers and replays never ask for: players and tournaments have
/// separate pages, a seat's worth is fetched separately, and language models read the rules.
const BESIDES: [&str; 10] = [
    "/rules.md",
    "/event",
    "/player",
    "/ranks",
    "/ratingbar",
    "/seatworth",
    "/tournament",
    "/show",
    "/organise",
    "/connect",
];

#[test]
fn the_pages_for_playing_weigh_less_than_520_kb_and_all_of_them_less_than_850() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let in_folder = |folder: &str, address: &str| -> Vec<String> {
        let files = files_in(&root.join(folder)).into_iter();
        let names = files.filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()));
        names.map(|name| format!("{address}/{name}")).collect()
    };
    let mut paths = in_folder("web", "/web");
    paths.extend(in_folder("web/pages", "/web/pages"));
    paths.extend(in_folder("web/event", "/web/event"));
    for game in games::list().names() {
        let folder = format!("crates/games/src/{}", game.replace('-', "_"));
        paths.extend(in_folder(&folder, &format!("/boards/{game}")));
    }
    let weight = |path: &String| {
        let mut response = get(&server, path, &[]);
        // What is not served weighs nothing.
        let served = response.status() == 200;
        if served { response.body_mut().read_to_vec().unwrap().len() } else { 0 }
    };
    let (besides, playing): (Vec<String>, Vec<String>) =
        paths.into_iter().partition(|path| BESIDES.iter().any(|part| path.contains(part)));
    let playing: usize = playing.iter().map(weight).sum();
    assert!((100_000..520_000).contains(&playing), "{playing} bytes");
    let all = playing + besides.iter().map(weight).sum::<usize>();
    assert!((playing + 1..850_000).contains(&all), "{all} bytes");
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// A file of `parlor play --replays` is shown without being in any archive.
#[test]
fn a_replay_file_is_told_as_frames() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let replays = folder.path().join("replays");
    let bots = ["--bot", "house:random", "--bot", "house:thrifty"];
    let mut arguments = vec!["play", "gamba", "--games", "1", "--seed", "5", "--replays"];
    arguments.push(replays.to_str().unwrap());
    arguments.extend(bots);
    assert_eq!(parlor(&arguments).code, Some(0));
    let file = &files_in(&replays)[0];
    let text = std::fs::read_to_string(file).unwrap();
    let wanted = parlor(&["replay", file.to_str().unwrap(), "--json", "--viewer", "all"]);
    let url = format!("http://{}/api/v1/frames?viewer=all", server.addresses["http"]);
    let told = ureq::post(&url).send(&text).unwrap().body_mut().read_to_string().unwrap();
    assert_eq!(told, wanted.stdout);

    let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
    let refused = |text: &str, origin: &str| {
        let request = agent.post(&url).header("Origin", origin);
        request.send(text).unwrap().status().as_u16()
    };
    let own = format!("http://{}", server.addresses["http"]);
    assert_eq!(refused(&text, &own), 200);
    assert_eq!(refused(&text, "https://example.org"), 403);
    assert_eq!(refused("{}", &own), 400);
    assert_eq!(refused("{\"game\":\"gamba\"}\nnonsense", &own), 400);
}

/// Serving and playing need no Node: the tests of the pages do.
#[test]
fn a_build_without_node_serves_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(BINARY);
    command.args(serve(folder.path())).env("PATH", folder.path()).current_dir(folder.path());
    let server = Server::await_ready(Running::spawn(&mut command, ""));
    let mut page = get(&server, "/sushi-go/play", &[("Accept", BROWSER)]);
    let page = page.body_mut().read_to_string().unwrap();
    let script = page.split("src=\"").filter_map(|rest| rest.split('"').next());
    let style = page.split("rel=\"stylesheet\" href=\"").skip(1);
    let style = style.filter_map(|rest| rest.split('"').next());
    let asked: Vec<&str> = script.skip(1).chain(style).collect();
    assert!(asked.len() > 2, "{page}");
    for path in asked.into_iter().chain(["/boards/sushi-go/board.js", "/web/pages/play.js"]) {
        let mut file = get(&server, path, &[]);
        assert_eq!(file.status(), 200, "{path}");
        let text = file.body_mut().read_to_string().unwrap();
        assert!(!text.is_empty() && !text.contains("node_modules"), "{path}");
    }
}

/// The games are on a page while they are played and afterwards, until the viewer leaves.
#[test]
fn games_are_played_on_a_page() {
    let mut command = Command::new(BINARY);
    command.args(["play", "gamba", "--bot", "house:random", "--bot", "house:thrifty"]);
    command.args(["--games", "2", "--seed", "5", "--browser"]);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let playing = Running::spawn(&mut command, "");
    let address = playing.first_line().trim_end().to_owned();
    let (site, game) = address.rsplit_once('/').expect("an address");
    assert_eq!(game, "gamba");
    let ask = |path: &str, accept: &str| {
        let asked = ureq::get(format!("{site}{path}")).header("Accept", accept).call();
        asked.expect(path).body_mut().read_to_string().expect("text")
    };
    assert!(ask("/gamba", "text/html").contains("main.js"));
    // When all is played, the page stays.
    while !playing.next_error().contains("Ctrl-C") {}
    let results = ask("/api/v1/results?game=gamba", "*/*");
    assert_eq!(results.matches("\"closing\"").count(), 2, "{results}");
    playing.signal("INT");
    let ended = playing.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.stdout.contains(&address), "the page is opened once: {}", ended.stdout);
}
