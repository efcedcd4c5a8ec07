//! Behind a proxy, and in front of web pages.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::kit::{House, PATIENCE, request};

/// A server behind a proxy on this machine, where each client may have one connection.
async fn behind_a_proxy() -> House {
    House::open_with(|settings| {
        settings.network.proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.network.proxy_protocol = vec!["sushi-go".to_owned()];
        settings.network.public_hosts = vec!["games.example.org".to_owned()];
        settings.limits.connections_per_address = 1;
    })
    .await
}

/// What a proxy says of a client before the client's first byte.
fn introduction(last: u8) -> Vec<u8> {
    let mut header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    header.extend([203, 0, 113, last, 127, 0, 0, 1, 0x12, 0x34, 0x1e, 0xc6]);
    header
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_forwards_client_addresses_and_each_has_its_own_limits() {
    let house = behind_a_proxy().await;
    let (mut ann, mut bob, mut again) =
        (house.client().await, house.client().await, house.client().await);
    // In two pieces, and with the first line right behind it.
    let header = introduction(9);
    ann.send_bytes(&header[..5]).await;
    let mut rest = header[5..].to_vec();
    rest.extend(b"GAMES\n");
    ann.send_bytes(&rest).await;
    assert!(ann.line().await.starts_with("GAMES "));
    bob.send_bytes(&introduction(10)).await;
    assert!(bob.ask("GAMES").await.starts_with("GAMES "));
    again.send_bytes(&introduction(9)).await;
    assert_eq!(again.read().await, None, "203.0.113.9 has its connection");
    let mut unannounced = house.client().await;
    unannounced.send("GAMES and sixteen bytes").await;
    assert_eq!(unannounced.read().await, None);
    house.close().await;
}

/// All clients behind the proxy counted as local, and could create anything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_create_is_for_local_clients_and_not_for_a_local_proxy() {
    let create = async |house: &House, headers: &str| {
        let body = r#"{"max_players":2}"#;
        request(house.address("http"), "POST", "/api/games", headers, body).await.0
    };
    let house = House::open().await;
    assert_eq!(create(&house, "").await, 200);
    assert_eq!(create(&house, "X-Forwarded-For: 203.0.113.9\r\n").await, 401);
    assert_eq!(create(&house, "Forwarded: for=127.0.0.1\r\n").await, 401);
    house.close().await;
    let house = behind_a_proxy().await;
    assert_eq!(create(&house, "X-Forwarded-For: 127.0.0.1\r\n").await, 401);
    assert_eq!(create(&house, "").await, 401);
    house.close().await;
}

/// A page that a browser on this machine showed could create games here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_from_another_origin_is_refused_on_every_http_port() {
    let house = House::open().await;
    let body = r#"{"max_players":2}"#;
    for port in ["http", "sushi-go"] {
        let post = async |headers: &str| {
            request(house.address(port), "POST", "/api/games", headers, body).await
        };
        let (status, said) = post("Origin: https://evil.example\r\n").await;
        assert_eq!((status, said.contains("\"foreign-origin\"")), (403, true), "{said}");
        assert_eq!(post("Origin: http://localhost\r\n").await.0, 200);
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_tiger_and_dragons_own_port_accepts_a_page_opened_from_a_file() {
    let house = House::open().await;
    let upgrade = async |port: &str, path: &str, origin: &str| {
        let mut socket = TcpStream::connect(house.address(port)).await.expect("connects");
        let handshake = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        socket.write_all(handshake.as_bytes()).await.expect("writes");
        let mut start = [0; 12];
        timeout(PATIENCE, socket.read_exact(&mut start)).await.expect("answers").expect("reads");
        String::from_utf8_lossy(&start[9..]).into_owned()
    };
    assert_eq!(upgrade("tiger-dragon", "/", "null").await, "101");
    assert_eq!(upgrade("http", "/play/tiger-dragon", "null").await, "403");
    assert_eq!(upgrade("http", "/house/tiger-dragon", "https://evil.example").await, "403");
    assert_eq!(upgrade("http", "/house/tiger-dragon", "http://localhost").await, "101");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_says_what_browsers_must_not_do_with_it() {
    let house = House::open().await;
    for path in ["/", "/healthz", "/metrics", "/api/v1/tables", "/api/v1/nothing", "/web/nothing"] {
        let mut socket = TcpStream::connect(house.address("http")).await.expect("connects");
        let asked = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        socket.write_all(asked.as_bytes()).await.expect("writes");
        let mut answer = String::new();
        timeout(PATIENCE, socket.read_to_string(&mut answer))
            .await
            .expect("in time")
            .expect("reads");
        for header in
            ["x-content-type-options: nosniff", "content-security-policy: ", "referrer-policy: "]
        {
            assert!(answer.contains(header), "{path}: {header}");
        }
    }
    house.close().await;
}
