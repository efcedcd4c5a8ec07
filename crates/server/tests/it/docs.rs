//! The documentation and the starter bots, as a browser, a program and curl get them.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::kit::{House, PATIENCE};

/// Head and body of an answer, byte by byte.
async fn asked(address: SocketAddr, line: &str, headers: &str) -> (String, Vec<u8>) {
    let mut socket = TcpStream::connect(address).await.expect("connects");
    let text = format!("{line} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
    socket.write_all(text.as_bytes()).await.expect("writes");
    let mut answer = Vec::new();
    timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("answers").expect("reads");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    let head = String::from_utf8(answer[..end].to_vec()).expect("text").to_lowercase();
    (head, answer[end..].to_vec())
}

async fn get(house: &House, path: &str, headers: &str) -> (String, String) {
    let headers = format!("Host: 192.168.1.20:7800\r\n{headers}");
    let (head, body) = asked(house.address("http"), &format!("GET {path}"), &headers).await;
    (head, String::from_utf8_lossy(&body).into_owned())
}

const BROWSER: &str = "Accept: text/html,*/*\r\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_gets_pages_and_other_clients_markdown() {
    let house = House::open().await;
    let (head, page) = get(&house, "/docs/reference/games/gamba", BROWSER).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"));
    assert!(head.contains("vary: accept"), "{head}");
    assert!(page.contains("<h1 id=\"gamba\">Gamba</h1>"), "{page}");
    assert!(
        page.contains("aria-current=\"page\">Gamba</a>"),
        "the list of pages says where one is"
    );
    for path in ["/docs/reference/games/gamba", "/docs/reference/games/gamba.md"] {
        let (head, text) = get(&house, path, "").await;
        assert!(head.contains("content-type: text/markdown"), "{head}");
        assert!(text.starts_with("# Gamba\n"), "{text}");
    }
    let (_, index) = get(&house, "/docs", BROWSER).await;
    assert!(index.contains("href=\"/docs/guides/test-your-bot\""), "{index}");
    let (head, models) = get(&house, "/llms.txt", "").await;
    assert!(
        head.contains("text/plain") && models.contains("/docs/reference/games/gamba.md"),
        "{models}"
    );
    // A program that follows the links of one page finds the others.
    let links = models.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let (mut followed, own) = (0, links.filter(|link| link.starts_with('/')));
    for link in own.step_by(5) {
        let (head, _) = get(&house, link, "").await;
        assert!(head.starts_with("http/1.1 200"), "{link}: {head}");
        followed += 1;
    }
    assert!(followed > 5, "{models}");
    let (_, security) = get(&house, "/docs/SECURITY", BROWSER).await;
    assert!(security.contains("href=\"/docs/reference/limits\""), "{security}");
    let (head, _) = get(&house, "/docs/pictures/gamba.png", "").await;
    assert!(head.contains("content-type: image/png"), "{head}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_show_the_servers_own_addresses_and_never_a_made_up_one() {
    let house = House::open().await;
    let port = house.address("sushi-go").port();
    let (_, page) = get(&house, "/docs/reference/json-protocol", BROWSER).await;
    assert!(page.contains("ws://192.168.1.20:7800/house/"), "{page}");
    assert!(!page.contains("127.0.0.1:7800"), "{page}");
    let (_, starter) = get(&house, "/starters/sushi_go.py", "").await;
    assert!(starter.contains("default=\"192.168.1.20\""), "{starter}");
    assert!(starter.contains(&format!("type=int, default={port})")), "{starter}");
    let evil = "Host: x\"onload=alert(1)\r\n";
    let (head, body) =
        asked(house.address("http"), "GET /docs/reference/json-protocol", evil).await;
    let text = String::from_utf8_lossy(&body);
    assert!(!text.contains("onload"), "{head}{text}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_browser_has_is_not_sent_again_and_head_sends_nothing() {
    let house = House::open().await;
    for path in ["/docs", "/docs/guides/test-your-bot", "/docs/search.json", "/starters/gamba.mjs"]
    {
        let (head, body) = get(&house, path, BROWSER).await;
        assert!(head.starts_with("http/1.1 200") && !body.is_empty(), "{path}: {head}");
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
        let known = format!("{BROWSER}If-None-Match: {tag}\r\n");
        let (head, body) = get(&house, path, &known).await;
        assert!(head.starts_with("http/1.1 304") && body.is_empty(), "{path}: {head}");
        let headers = format!("Host: 192.168.1.20:7800\r\n{BROWSER}");
        let (head, body) = asked(house.address("http"), &format!("HEAD {path}"), &headers).await;
        assert!(head.starts_with("http/1.1 200") && body.is_empty(), "{path}: {head}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_is_not_there_is_answered_with_those_that_are_like_it() {
    let house = House::open().await;
    let (head, page) = get(&house, "/docs/gambla", BROWSER).await;
    assert!(head.starts_with("http/1.1 404"), "{head}");
    assert!(page.contains("<h1>No such page</h1>"), "{page}");
    assert!(page.contains("<li><a href=\"/docs/reference/games/gamba\"><b>Gamba</b>"), "{page}");
    let (head, text) = get(&house, "/docs/test-bots.md", "").await;
    assert!(head.starts_with("http/1.1 404"), "{head}");
    assert!(text.contains("/docs/guides/test-your-bot"), "{text}");
    let (_, page) = get(&house, "/docs/%3Cscript%3E", BROWSER).await;
    assert!(!page.contains("<script>"), "{page}");
    let (_, found) = get(&house, "/docs?q=refused+move", BROWSER).await;
    assert!(found.contains("<ul class=\"found\">"), "{found}");
    let (_, none) = get(&house, "/docs?q=zzzz%3Cb%3E", BROWSER).await;
    assert!(none.contains("Nothing found") && !none.contains("<b>zzzz<b>"), "{none}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn starters_carry_the_name_and_the_key_of_the_reader() {
    let house = House::open().await;
    let key = "pk_abcdefghijklmnopqrstuvwx01";
    let (head, bot) = get(&house, &format!("/starters/gamba.py?name=ann&key={key}"), "").await;
    assert!(head.contains("cache-control: no-store"), "{head}");
    assert!(head.contains("filename=\"gamba.py\""), "{head}");
    assert!(bot.contains(&format!("default=\"ann:{key}\"")), "{bot}");
    for wrong in ["name=a%0Ab", "name=a:b", "key=pk_short&name=ann", &format!("key={key}")] {
        let (head, body) = get(&house, &format!("/starters/gamba.py?{wrong}"), "").await;
        assert!(head.starts_with("http/1.1 400"), "{wrong}: {head}{body}");
    }
    let (head, body) = get(&house, "/starters/chess.py", "").await;
    assert!(head.starts_with("http/1.1 404") && body.contains("python.zip"), "{body}");
    let (_, list) = get(&house, "/starters", "").await;
    assert!(list.contains("curl -O http://192.168.1.20:7800/starters/sushi_go.py"), "{list}");
    let (_, home) = get(&house, "/", "").await;
    assert!(home.contains("/starters") && home.contains("/docs"), "{home}");
    for zip in ["python", "javascript"] {
        let headers = "Host: 10.0.0.7:7800\r\n";
        let line = format!("GET /starters/{zip}.zip");
        let (head, bytes) = asked(house.address("http"), &line, headers).await;
        assert!(head.contains("application/zip") && bytes.starts_with(b"PK\x03\x04"), "{head}");
        let is_in = |text: &[u8]| bytes.windows(text.len()).any(|some| some == text);
        assert!(is_in(b"10.0.0.7") && is_in(b"tiger_dragon."));
    }
    house.close().await;
}
