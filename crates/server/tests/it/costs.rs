//! How much one client may slow down all others.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::kit::{House, PATIENCE, exchange};

/// Requests for pages at a WebSocket port kept the thread of its hall busy, one answer after
/// another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_websocket_port_answers_what_is_no_handshake_once() {
    let house = House::open().await;
    let mut socket = TcpStream::connect(house.address("tiger-dragon")).await.expect("connects");
    let asked = "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2);
    socket.write_all(asked.as_bytes()).await.expect("writes");
    let mut heard = Vec::new();
    // What was not read may end it with a reset.
    let _ = timeout(PATIENCE, socket.read_to_end(&mut heard)).await.expect("hangs up");
    let heard = String::from_utf8(heard).expect("text");
    assert_eq!(heard.matches("HTTP/1.1 ").count(), 1, "{heard}");
    assert!(heard.starts_with("HTTP/1.1 426 "), "{heard}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_on_the_way_keeps_a_copy_of_an_answer() {
    let house = House::open().await;
    let claim = exchange(house.address("http"), "POST", "/api/v1/names", "", r#"{"name":"ann"}"#);
    for answer in
        [claim.await, exchange(house.address("http"), "GET", "/api/v1/limits", "", "").await]
    {
        let head = answer.split("\r\n\r\n").next().unwrap_or_default();
        assert!(head.contains("cache-control: no-store"), "{head}");
    }
    house.close().await;
}

type Player = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Opens a table of SubSim over the JSON protocol; the first answer.
async fn open_table(house: &House, name: &str, seats: usize, bots: usize) -> (Value, Player) {
    let url = format!("ws://{}/house/subsim", house.address("http"));
    let mut player = connect_async(url).await.expect("upgrades").0;
    let asks = json!({"do": "join", "name": name, "bots": vec!["random"; bots],
        "options": {"seats": seats}});
    player.send(Message::text(asks.to_string())).await.expect("sends");
    loop {
        let next = timeout(PATIENCE, player.next()).await.expect("an answer");
        let Message::Text(text) = next.expect("open").expect("reads") else { continue };
        let message: Value = serde_json::from_str(&text).expect("JSON");
        if message["type"] == "joined" || message["type"] == "refused" {
            return (message, player);
        }
    }
}

/// A table of 64 house bots wrote eight megabytes in a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_opens_tables_of_few_seats() {
    let house = House::open_with(|settings| settings.limits.exempt_loopback = false).await;
    let (refused, _one) = open_table(&house, "One", 17, 2).await;
    assert_eq!(refused["type"], "refused", "{refused}");
    let why = refused["message"].as_str().or(refused["error"].as_str()).unwrap_or_default();
    assert!(why.contains("at most 16 seats"), "{refused}");
    let (joined, _two) = open_table(&house, "Two", 16, 2).await;
    assert_eq!(joined["type"], "joined", "{joined}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn house_bots_of_ones_own_table_take_seats() {
    let house = House::open_with(|settings| {
        settings.limits.exempt_loopback = false;
        settings.limits.seats_per_address = 4;
    })
    .await;
    // Five seats, so that the game does not begin.
    let (joined, _one) = open_table(&house, "One", 5, 3).await;
    assert_eq!(joined["type"], "joined", "{joined}");
    let (refused, _two) = open_table(&house, "Two", 5, 0).await;
    assert_eq!((&refused["type"], &refused["code"]), (&json!("refused"), &json!("too-many")));
    house.close().await;
}

/// A player is looked for in every game, which counted as one request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_takes_longer_costs_more_requests() {
    let house = House::open_with(|settings| {
        settings.limits.exempt_loopback = false;
        settings.limits.requests_per_s_per_address = 10;
    })
    .await;
    let ask = async |path: &str| {
        let answer = exchange(house.address("http"), "GET", path, "", "").await;
        answer.split(' ').nth(1).expect("a status").to_owned()
    };
    // Twenty at once, of which each of these takes six.
    for _ in 0..4 {
        assert_eq!(ask("/api/v1/players/nobody").await, "404");
    }
    assert_eq!(ask("/api/v1/limits").await, "429");
    house.close().await;
}

/// Tables of a tournament were made on the threads of HTTP, and one question after its health took 26 s.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_is_well_while_long_work_waits_for_its_turn() {
    let house = House::open_with(|settings| settings.limits.replays = 1).await;
    let entrants: Vec<String> = (0..200).map(|number| format!("e{number}")).collect();
    let plan = json!({"format": "round-robin", "max_entrants": 200});
    let cup = json!({"game": "sushi-go", "id": "cup", "plan": plan, "entrants": entrants});
    let cup = crate::tournaments::convene(&house, cup).await;
    crate::tournaments::order(&house, "POST", &format!("{cup}/start"), Value::Null).await;
    let http = house.address("http");
    let mut crowd = 8;
    loop {
        let ask = |number: usize| {
            let table = ["standings.csv", "results.csv"][number % 2];
            let path = format!("{cup}/{table}");
            tokio::spawn(async move { crate::kit::request(http, "GET", &path, "", "").await.0 })
        };
        let asked: Vec<_> = (0..crowd).map(ask).collect();
        let (status, _) = crate::kit::request(http, "GET", "/healthz", "", "").await;
        assert_eq!(status, 200);
        let waiting = asked.iter().filter(|answer| !answer.is_finished()).count();
        for answer in asked {
            assert_eq!(answer.await.expect("answers"), 200, "every request has its turn");
        }
        let (_, metrics) = crate::kit::request(http, "GET", "/metrics", "", "").await;
        let hits = |line: &str| line.contains(r#"limit="replays"}"#) && !line.ends_with(" 0");
        let is_full = metrics.lines().any(hits);
        if waiting > 1 && is_full {
            break;
        }
        crowd *= 2;
        assert!(crowd < 1000, "nobody ever had to wait");
    }
    house.close().await;
}
