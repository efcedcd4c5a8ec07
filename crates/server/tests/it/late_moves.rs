//! What a client had sent before the server wrote something is no answer to that; and a seat whose old
//! connection is dead goes to the new one.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::kit::{House, PATIENCE};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

async fn two_seats() -> House {
    House::open_with(|settings| {
        let options = settings.games.entry("tiger-dragon".to_owned()).or_default();
        options.insert("players".to_owned(), 2.into());
    })
    .await
}

async fn connect(house: &House) -> Socket {
    let url = format!("ws://{}/", house.address("tiger-dragon"));
    connect_async(url).await.expect("upgrades").0
}

async fn say(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.expect("sends");
}

async fn join(house: &House, name: &str) -> Socket {
    let mut socket = connect(house).await;
    say(&mut socket, json!({"type": "join", "room_id": "r", "player_id": name, "role": "player"}))
        .await;
    socket
}

/// The next message; the code of the closing frame once the server has closed.
async fn hear(socket: &mut Socket) -> Result<Value, CloseCode> {
    loop {
        match timeout(PATIENCE, socket.next()).await.expect("the server says something") {
            Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).expect("JSON")),
            Some(Ok(Message::Close(Some(frame)))) => return Err(frame.code),
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// The second `PLAY` was read together with the first, before the next hand was sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_is_not_played_from_a_hand_that_was_not_sent_yet() {
    let house = House::open().await;
    house.table("t", 2).await;
    let (mut ann, mut ben) = (house.client().await, house.client().await);
    ann.join("t", "ann").await;
    ben.join("t", "ben").await;
    ann.send("READY").await;
    ben.send("READY").await;
    while !ann.line().await.starts_with("HAND ") {}
    while !ben.line().await.starts_with("HAND ") {}
    assert_eq!(ben.ask("PLAY 0").await, "OK");
    ann.send_bytes(b"PLAY 0\nPLAY 0\n").await;
    assert_eq!(ann.line().await, "OK");
    assert!(ann.line().await.starts_with("PLAYED "));
    assert!(ann.line().await.starts_with("HAND "));
    assert!(ann.line().await.starts_with("ERROR E008 "));
    assert_eq!(ann.ask("PLAY 0").await, "OK", "the hand that was sent is played as ever");
    house.close().await;
}

/// A WebSocket that is not read answers no pings, like one whose client has lost its network.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_goes_to_the_new_connection_when_the_old_one_is_dead() {
    let house = two_seats().await;
    let mut lost = join(&house, "ann").await;
    assert_eq!(hear(&mut lost).await.expect("open")["seat"], 0);
    let mut ben = join(&house, "ben").await;
    assert_eq!(hear(&mut ben).await.expect("open")["seat"], 1);
    let first = hear(&mut lost).await.expect("open");
    let mut again = join(&house, "ann").await;
    let ack = hear(&mut again).await.expect("open");
    assert_eq!((&ack["type"], &ack["seat"]), (&json!("join_ack"), &json!(0)));
    assert_eq!(hear(&mut again).await.expect("open")["hand"], first["hand"]);
    house.close().await;
}

/// The old connection answers the ping: the seat stays its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_stays_with_a_connection_that_is_alive() {
    let house = two_seats().await;
    let mut ann = join(&house, "ann").await;
    hear(&mut ann).await.expect("open");
    let mut ben = join(&house, "ben").await;
    hear(&mut ben).await.expect("open");
    let first = hear(&mut ann).await.expect("open");
    let mut other = join(&house, "ann").await;
    let ack = tokio::select! {
        ack = hear(&mut other) => ack.expect("open"),
        said = hear(&mut ann) => panic!("nothing is said to her, but {said:?}"),
    };
    assert_eq!((&ack["type"], &ack["seat"]), (&json!("join_ack"), &json!(0)));
    say(
        &mut ann,
        json!({"type": "action", "choice": first["legal"].as_str().unwrap().split(',').next()}),
    )
    .await;
    assert_eq!(hear(&mut ann).await.expect("open")["turn"], 1, "she plays on");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stops_says_that_it_goes_away() {
    let house = two_seats().await;
    let mut ann = join(&house, "ann").await;
    hear(&mut ann).await.expect("open");
    let closing = tokio::spawn(house.close());
    assert_eq!(hear(&mut ann).await.expect_err("closed"), CloseCode::Away);
    closing.await.expect("it has stopped");
}
