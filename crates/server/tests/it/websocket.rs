use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::kit::{House, PATIENCE, play_beside};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

async fn open(house: &House, path: &str) -> Socket {
    let url = format!("ws://{}{path}", house.address("http"));
    connect_async(url).await.expect("upgrades").0
}

/// The next text; none once the server has closed.
async fn text(socket: &mut Socket) -> Option<String> {
    loop {
        match timeout(PATIENCE, socket.next()).await.expect("the server says something")? {
            Ok(Message::Text(text)) => return Some(text.to_string()),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

async fn ask(socket: &mut Socket, line: &str) -> String {
    socket.send(Message::text(line)).await.expect("sends");
    text(socket).await.expect("open")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_session_runs_over_websocket() {
    let house = House::open().await;
    house.table("t", 2).await;
    let mut browser = open(&house, "/play/sushi-go").await;
    let mut client = house.client().await;
    assert!(ask(&mut browser, "JOIN t Browser").await.starts_with("WELCOME t 0 "));
    assert_eq!(ask(&mut browser, "READY").await, "OK");
    client.join("t", "Client").await;
    let playing = async {
        loop {
            let line = text(&mut browser).await.expect("open");
            if line.starts_with("HAND ") {
                browser.send(Message::text("PLAY 0")).await.expect("sends");
            }
            if line.starts_with("GAME_END ") {
                return line;
            }
        }
    };
    let (end, (other, _)) = tokio::join!(playing, client.play_out());
    assert_eq!(end, other);
    house.close().await;
}

/// The code of the closing frame.
async fn closing_code(socket: &mut Socket) -> Option<u16> {
    loop {
        match timeout(PATIENCE, socket.next()).await.expect("the server closes")? {
            Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_breaks_the_websocket_protocol_is_told_by_the_closing_code() {
    use tokio_tungstenite::tungstenite::protocol::frame::Frame;
    use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
    let house = House::open().await;
    let mut socket = open(&house, "/play/sushi-go").await;
    let not_utf8 = Frame::message(vec![0xff, 0xfe], OpCode::Data(Data::Text), true);
    socket.send(Message::Frame(not_utf8)).await.expect("sends");
    assert_eq!(closing_code(&mut socket).await, Some(1007));
    let mut socket = open(&house, "/play/sushi-go").await;
    let nonsense = Frame::message(vec![1], OpCode::Data(Data::Continue), true);
    socket.send(Message::Frame(nonsense)).await.expect("sends");
    assert_eq!(closing_code(&mut socket).await, Some(1002));
    play_beside(&house, "beside").await;
    house.close().await;
}

/// Tiger & Dragon's own port is WebSocket on any path.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tiger_and_dragon_is_played_on_any_path_of_its_port() {
    let house = House::open_with(|settings| {
        let options = settings.games.entry("tiger-dragon".to_owned()).or_default();
        options.insert("players".to_owned(), 2.into());
        options.insert("house_bots".to_owned(), vec!["random"].into());
        options.insert("house_bots_after_ms".to_owned(), 0.into());
    })
    .await;
    let at = house.address("tiger-dragon");
    let (status, _) = crate::kit::request(at, "GET", "/", "", "").await;
    assert_eq!(status, 426);
    let spectator = connect_async(format!("ws://{at}/")).await.expect("upgrades").0;
    let mut player = connect_async(format!("ws://{at}/any/path?x=1")).await.expect("upgrades").0;
    let join = r#"{"type":"join","room_id":"r","player_id":"me","role":"player"}"#;
    player.send(Message::text(join)).await.expect("sends");
    loop {
        let message: Value = serde_json::from_str(&text(&mut player).await.expect("open")).unwrap();
        if message["type"] == "game_over" {
            break;
        }
        let legal = message["legal"].as_str().unwrap_or_default();
        if let Some(choice) = legal.split(',').next().filter(|choice| !choice.is_empty()) {
            let action = serde_json::json!({"type": "action", "choice": choice});
            player.send(Message::text(action.to_string())).await.expect("sends");
        }
    }
    drop(spectator);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_that_are_no_text_are_answered() {
    let house = House::open().await;
    let mut socket = open(&house, "/play/sushi-go?dialect=sushi-go-sdk").await;
    assert!(ask(&mut socket, "HELP").await.starts_with("OK "));
    assert!(ask(&mut socket, "GAMES\r\n").await.starts_with("GAMES ["));
    assert!(ask(&mut socket, &"x".repeat(1025)).await.starts_with("ERROR E001 Line too long"));
    socket.send(Message::binary(vec![1, 2, 3])).await.expect("sends");
    assert_eq!(text(&mut socket).await.as_deref(), Some("ERROR E001 Not a line of text"));
    socket.send(Message::Ping(vec![7].into())).await.expect("sends");
    let pong = timeout(PATIENCE, socket.next()).await.expect("answers");
    assert!(matches!(pong, Some(Ok(Message::Pong(_)))), "{pong:?}");
    // A message larger than any protocol's is refused by closing.
    socket.send(Message::text("x".repeat(100_000))).await.expect("sends");
    assert_eq!(closing_code(&mut socket).await, Some(1009));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_is_watched_without_hands() {
    let house = House::open().await;
    house.table("t", 2).await;
    let mut watcher = open(&house, "/watch/sushi-go/t?all=true").await;
    let (_, ticket) = house.http("POST", "/api/v1/tickets", "").await;
    let ticket: Value = serde_json::from_str(&ticket).expect("JSON");
    let ticket = ticket["ticket"].as_str().expect("a ticket");
    let mut organiser =
        open(&house, &format!("/watch/sushi-go/t?all=true&full=true&ticket={ticket}")).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    two.join("t", "Two").await;
    tokio::join!(one.play_out(), two.play_out());
    let (public, full) = (feed(&mut watcher).await, feed(&mut organiser).await);
    assert_eq!(public.iter().filter(|message| message["type"] == "update").count(), 31);
    assert!(public.iter().all(|message| message.get("seat_views").is_none()));
    assert!(public.iter().all(|message| message["view"].get("hand").is_none()), "a hand was shown");
    assert_eq!(
        full.iter().find(|m| m["type"] == "update").unwrap()["seat_views"][1]["hand"]
            .as_array()
            .unwrap()
            .len(),
        10
    );
    let last = public.iter().rfind(|message| message["type"] == "update").unwrap();
    assert_eq!(last["names"], serde_json::json!(["One", "Two"]));
    assert_eq!(public.last().unwrap()["how"], serde_json::json!(["finished", "finished"]));
    house.close().await;
}

/// A whole game over the JSON protocol, with the first legal action every time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_played_over_the_house_wire() {
    let house = House::open().await;
    let mut socket = open(&house, "/house/sushi-go").await;
    let mut said = r#"{"do":"join","name":"Ann","bots":["greedy"]}"#.to_owned();
    let mut types = Vec::new();
    loop {
        let message: Value = serde_json::from_str(&text(&mut socket).await.expect("text")).unwrap();
        types.push(message["type"].as_str().unwrap().to_owned());
        match message["type"].as_str().unwrap() {
            "hello" => {}
            "update" if message["your_move"] == true => {
                let (seq, action) = (&message["seq"], &message["legal"][0]);
                said = format!(r#"{{"do":"act","seq":{seq},"action":{action}}}"#);
            }
            "over" => break,
            _ => continue,
        }
        socket.send(Message::text(said.clone())).await.expect("sends");
    }
    assert_eq!(types[..3], ["hello", "joined", "table"]);
    assert_eq!(types.iter().filter(|kind| *kind == "accepted").count(), 30);
    house.close().await;
}

/// Every message up to the end of the game.
async fn feed(socket: &mut Socket) -> Vec<Value> {
    let mut messages: Vec<Value> = Vec::new();
    while messages.last().is_none_or(|message| message["type"] != "over") {
        messages.push(serde_json::from_str(&text(socket).await.expect("open")).expect("JSON"));
    }
    messages
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_view_needs_the_token() {
    let house = House::open().await;
    house.table("t", 2).await;
    let url = format!("ws://{}/watch/sushi-go/t?full=true&ticket=wrong", house.address("http"));
    assert!(connect_async(url).await.is_err());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_reads_is_dropped() {
    let house = House::open_with(|settings| {
        settings.limits.outbound_bytes = 2000;
        settings.limits.messages_per_s = 0;
        settings.limits.bytes_per_s = 0;
    })
    .await;
    let mut deaf = open(&house, "/play/sushi-go").await;
    let flood = async { while deaf.feed(Message::text("GAMES")).await.is_ok() {} };
    timeout(PATIENCE, flood).await.expect("the server closes the connection");
    play_beside(&house, "beside").await;
    house.close().await;
}

/// Whether the server answers a closing frame with one, as RFC 6455, 5.5.1 has it.
async fn is_close_answered(mut socket: Socket) -> bool {
    let frame = CloseFrame { code: CloseCode::Normal, reason: "enough".into() };
    socket.send(Message::Close(Some(frame))).await.expect("sends");
    loop {
        match timeout(PATIENCE, socket.next()).await.expect("the server answers") {
            Some(Ok(Message::Close(Some(frame)))) => return frame.code == CloseCode::Normal,
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return false,
        }
    }
}

/// The connection was simply dropped, which clients report as an error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_close_frame_is_answered() {
    let house = House::open().await;
    house.table("t", 2).await;
    let plan = r#"{"game":"sushi-go","id":"cup"}"#;
    let (status, body) = house.http("POST", "/api/v1/tournaments", plan).await;
    assert_eq!(status, 201, "{body}");
    let own_port = format!("ws://{}", house.address("tiger-dragon"));
    let (mut joined, _) = connect_async(&own_port).await.expect("upgrades");
    let join = r#"{"type":"join","room_id":"room1","player_id":"p1","role":"player"}"#;
    assert!(ask(&mut joined, join).await.contains("join_ack"));
    assert!(is_close_answered(joined).await, "a player of Tiger & Dragon");
    let (fresh, _) = connect_async(&own_port).await.expect("upgrades");
    assert!(is_close_answered(fresh).await, "somebody who has said nothing there");
    for path in ["/play/gamba", "/watch/sushi-go/t", "/watch/sushi-go/tournaments/cup"] {
        assert!(is_close_answered(open(&house, path).await).await, "{path}");
    }
    house.close().await;
}

/// A player whose machine had vanished held its table forever: the socket stayed open and nothing
/// was sent that could have failed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_ignores_pings_is_closed_and_one_that_answers_stays() {
    let house = House::open_with(|settings| settings.limits.ping_ms = 50).await;
    house.table("t", 2).await;
    let plan = r#"{"game":"sushi-go","id":"cup"}"#;
    let (status, body) = house.http("POST", "/api/v1/tournaments", plan).await;
    assert_eq!(status, 201, "{body}");
    let places = [
        (house.address("tiger-dragon"), "/"),
        (house.address("http"), "/play/gamba"),
        (house.address("http"), "/watch/sushi-go/t"),
        (house.address("http"), "/watch/sushi-go/tournaments/cup"),
    ];
    for (address, path) in places {
        let (mut alive, _) =
            connect_async(format!("ws://{address}{path}")).await.expect("upgrades");
        let mut pinged = 0;
        while pinged < 5 {
            match timeout(PATIENCE, alive.next()).await.expect("pings") {
                Some(Ok(Message::Ping(_))) => pinged += 1,
                Some(Ok(Message::Text(_))) => {}
                other => panic!("{path}: {other:?}"),
            }
        }
        let mut dead = tokio::net::TcpStream::connect(address).await.expect("connects");
        let upgrade = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        dead.write_all(upgrade.as_bytes()).await.expect("writes");
        let mut heard = Vec::new();
        let read = timeout(PATIENCE, dead.read_to_end(&mut heard)).await;
        assert!(read.is_ok(), "{path}: a dead client is closed");
    }
    house.close().await;
}
