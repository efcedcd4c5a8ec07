//! Frames without content, and clients that take nothing.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::kit::{House, PATIENCE, play_beside};

/// How often a limit was reached, says the server.
async fn hits(house: &House, limit: &str) -> u64 {
    let (_, metrics) = house.http("GET", "/metrics", "").await;
    let prefix = format!("parlor_limit_hits_total{{limit=\"{limit}\"}} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&prefix));
    line.map_or(0, |count| count.parse().expect("a number"))
}

/// A WebSocket of which the test writes every byte.
async fn raw_socket(house: &House, port: &str, path: &str) -> TcpStream {
    let at = house.address(port);
    let mut socket = TcpStream::connect(at).await.expect("connects");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).await.expect("writes");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(timeout(PATIENCE, socket.read_u8()).await.expect("answers").expect("is open"));
    }
    assert!(head.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&head));
    socket
}

const PLAYED: [(&str, &str); 4] = [
    ("http", "/play/sushi-go"),
    ("http", "/house/sushi-go"),
    ("http", "/play/sushi-go?bytes=true"),
    ("tiger-dragon", "/"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_in_too_many_pieces_is_refused_by_the_closing_code() {
    let house = House::open().await;
    for (port, path) in PLAYED {
        let mut socket = raw_socket(&house, port, path).await;
        let begin = [0x01, 0x81, 0, 0, 0, 0, b'a'];
        let pieces = [&begin[..], &[0x00, 0x80, 0, 0, 0, 0].repeat(50)].concat();
        socket.write_all(&pieces).await.expect("writes");
        let mut last = Vec::new();
        let read = timeout(PATIENCE, socket.read_to_end(&mut last)).await;
        // A reset ends it as well.
        let _ = read.unwrap_or_else(|_| panic!("{path}: the connection is still open"));
        let is_policy = last.windows(4).any(|part| part[0] == 0x88 && part[2..] == [0x03, 0xf0]);
        assert!(is_policy || path.contains("bytes"), "{path}: {last:x?}");
    }
    play_beside(&house, "beside").await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_that_carry_nothing_count_as_messages() {
    for frame in [0x89, 0x8a, 0x82] {
        // Elsewhere an empty message is a message like any other.
        let is_charged = |path: &str| frame != 0x82 || path.contains("bytes");
        for (port, path) in PLAYED.into_iter().filter(|(_, path)| is_charged(path)) {
            let house = House::open_with(|settings| settings.limits.messages_per_s = 10).await;
            let mut socket = raw_socket(&house, port, path).await;
            socket.write_all(&[frame, 0x80, 0, 0, 0, 0].repeat(100)).await.expect("writes");
            let until = tokio::time::Instant::now() + PATIENCE;
            while hits(&house, "messages_per_s").await == 0 {
                assert!(tokio::time::Instant::now() < until, "{frame:x} at {path} costs nothing");
            }
            drop(socket);
            house.close().await;
        }
    }
}

/// Whatever it is that a client does not read: it is closed, and not because much waits for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_takes_nothing_is_closed() {
    let masked = |text: &str| {
        let length = u8::try_from(text.len()).expect("short");
        [&[0x81, 0x80 | length, 0, 0, 0, 0][..], text.as_bytes()].concat()
    };
    let request = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec();
    let lists = r#"{"do":"list"}"#;
    for (port, path, asks) in [
        ("http", "", request),
        ("sushi-go", "", b"GAMES\n".to_vec()),
        ("http", "/play/sushi-go", masked("GAMES")),
        ("http", "/play/sushi-go?bytes=true", masked("GAMES\n")),
        ("http", "/house/sushi-go", masked(lists)),
    ] {
        let house = House::open_with(|settings| {
            settings.limits.stall_ms = 300;
            settings.limits.outbound_bytes = usize::MAX;
            settings.limits.messages_per_s = 0;
            settings.limits.bytes_per_s = 0;
        })
        .await;
        for table in 0..20 {
            house.table(&format!("a-table-with-a-long-name-{table}"), 2).await;
        }
        let mut deaf = match path {
            "" => TcpStream::connect(house.address(port)).await.expect("connects"),
            path => raw_socket(&house, port, path).await,
        };
        let asks = asks.repeat(1000);
        while let Ok(Ok(())) = timeout(PATIENCE, deaf.write_all(&asks)).await {}
        assert_eq!(hits(&house, "stall_ms").await, 1, "{port}{path}");
        house.close().await;
    }
}

/// A proxy that left its header out had all its clients exempt from every limit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_named_proxy_that_does_not_say_who_asks_is_not_exempt() {
    let house = House::open_with(|settings| {
        settings.network.proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.limits.connections_per_address = 2;
    })
    .await;
    let _two = [
        raw_socket(&house, "http", "/play/sushi-go").await,
        raw_socket(&house, "http", "/play/sushi-go").await,
    ];
    let (status, _) = house.http("GET", "/api/v1/tables", "").await;
    assert_eq!(status, 503);
    house.close().await;
}
