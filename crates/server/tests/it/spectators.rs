//! Tiger & Dragon before an audience, on sockets as they are: a spectator here is a byte stream.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::kit::{House, PATIENCE};

/// An audience takes longer to seat than anything else in these tests.
const LONG_PATIENCE: Duration = Duration::from_secs(120);

async fn house(target: u64, outbound_bytes: Option<usize>) -> House {
    House::open_with(|settings| {
        let options = settings.games.entry("tiger-dragon".to_owned()).or_default();
        options.insert("players".to_owned(), 2.into());
        options.insert("target".to_owned(), target.into());
        // A round is worth one point, so `target` is about the number of rounds.
        options.insert("battlefield".to_owned(), "1,2,3,4,5,6,7,8,T,D:1".into());
        if let Some(bytes) = outbound_bytes {
            settings.limits.outbound_bytes = bytes;
        }
    })
    .await
}

/// Watches, and keeps every byte that came after the handshake.
struct Spectator {
    socket: TcpStream,
    bytes: Vec<u8>,
}

impl Spectator {
    /// All send the same, so all must receive the same.
    async fn join(house: &House) -> Spectator {
        let socket = TcpStream::connect(house.address("tiger-dragon")).await.expect("connects");
        Spectator::join_on(socket).await
    }

    async fn join_on(mut socket: TcpStream) -> Spectator {
        let handshake = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        let join = r#"{"type":"join","room_id":"room1","player_id":"s","role":"spectator"}"#;
        // A client's frame is masked; a mask of zeros leaves the text as it is.
        let mut request = handshake.as_bytes().to_vec();
        request.extend([0x81, 0x80 | join.len() as u8, 0, 0, 0, 0]);
        request.extend(join.as_bytes());
        socket.write_all(&request).await.expect("writes");
        let mut spectator = Spectator { socket, bytes: Vec::new() };
        let head = loop {
            let end = spectator.bytes.windows(4).position(|four| four == b"\r\n\r\n");
            match end {
                Some(end) => break end + 4,
                None => assert!(spectator.more().await, "the handshake is answered"),
            }
        };
        assert!(spectator.bytes.starts_with(b"HTTP/1.1 101 "));
        spectator.bytes.drain(..head);
        assert!(spectator.hear(r#""type":"join_ack""#, 1).await);
        spectator
    }

    /// False: the connection is closed.
    async fn more(&mut self) -> bool {
        let read = timeout(PATIENCE, self.socket.read_buf(&mut self.bytes));
        matches!(read.await.expect("the server says something"), Ok(1..))
    }

    /// The texts that have come whole.
    fn texts(&self) -> Vec<&str> {
        let (mut texts, mut rest) = (Vec::new(), &self.bytes[..]);
        loop {
            let (length, start) = match rest {
                [0x81, 126, high, low, ..] => (usize::from(u16::from_be_bytes([*high, *low])), 4),
                [0x81, length @ 0..126, ..] => (usize::from(*length), 2),
                // A closing frame, or not enough of anything.
                _ => return texts,
            };
            let Some(text) = rest.get(start..start + length) else { return texts };
            texts.push(std::str::from_utf8(text).expect("text"));
            rest = &rest[start + length..];
        }
    }

    /// Reads until a number of texts with this in it have come. False: the connection is closed.
    async fn hear(&mut self, what: &str, count: usize) -> bool {
        while self.texts().iter().filter(|text| text.contains(what)).count() < count {
            if !self.more().await {
                return false;
            }
        }
        true
    }

    async fn hear_the_end(&mut self) -> bool {
        self.hear(r#""type":"game_over""#, 1).await
    }
}

struct Player {
    name: &'static str,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Player {
    async fn join(house: &House, name: &'static str) -> Player {
        let url = format!("ws://{}/", house.address("tiger-dragon"));
        let mut player = Player { name, socket: connect_async(url).await.expect("upgrades").0 };
        let join = json!({"type": "join", "room_id": "room1", "player_id": name, "role": "player"});
        player.send(&join).await;
        let welcome = player.read().await.expect("open");
        assert_eq!(welcome["type"], "join_ack", "{welcome}");
        player
    }

    async fn send(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).await.expect("sends");
    }

    async fn read(&mut self) -> Option<Value> {
        let next = timeout(LONG_PATIENCE, self.socket.next()).await.expect("the table goes on")?;
        match next {
            Ok(Message::Text(text)) => Some(serde_json::from_str(&text).expect("JSON")),
            _ => None,
        }
    }

    /// Receives one message and answers it. False: the match is over.
    async fn step(&mut self) -> bool {
        let message = self.read().await.expect("open");
        assert_ne!(message["type"], "error", "{}: {message}", self.name);
        let legal = message["legal"].as_str().unwrap_or_default();
        if let Some(choice) = legal.split(',').next().filter(|choice| !choice.is_empty()) {
            self.send(&json!({"type": "action", "choice": choice})).await;
        }
        message["type"] != "game_over"
    }

    async fn play_out(mut self) {
        while self.step().await {}
    }
}

/// As many as asked for, unless the system allows fewer descriptors: each takes two of them here.
fn affordable(wished: usize) -> usize {
    let limit = rlimit::increase_nofile_limit(u64::MAX).expect("the hard limit may be had");
    wished.min((limit as usize).saturating_sub(500) / 2)
}

/// No spectator reads a byte before the match is over, so its pace can depend on none of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_thousand_spectators_get_the_same_bytes_and_nobody_waits_for_them() {
    let house = house(1, None).await;
    let mut audience = Vec::new();
    let count = affordable(5000);
    while audience.len() < count {
        let block = (0..50.min(count - audience.len())).map(|_| Spectator::join(&house));
        audience.extend(futures_util::future::join_all(block).await);
    }
    let one = Player::join(&house, "one").await;
    let two = Player::join(&house, "two").await;
    tokio::join!(one.play_out(), two.play_out());
    let mut first = audience.pop().expect("somebody watches");
    assert!(first.hear_the_end().await);
    let states = first.texts().iter().filter(|text| text.contains(r#""type":"state""#)).count();
    assert!(states > 10, "{states} states are no match");
    for (number, mut spectator) in audience.into_iter().enumerate() {
        assert!(spectator.hear_the_end().await, "spectator {number} was dropped");
        assert!(spectator.bytes == first.bytes, "spectator {number} heard something else");
    }
    house.close().await;
}

/// The system keeps megabytes for a client that does not read before the server notices, hence the
/// match.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spectator_that_never_reads_is_dropped_and_the_table_goes_on() {
    let house = house(1000, Some(2000)).await;
    let small = TcpSocket::new_v4().expect("a socket");
    small.set_recv_buffer_size(4096).expect("a small buffer");
    let deaf = small.connect(house.address("tiger-dragon")).await.expect("connects");
    let deaf = Spectator::join_on(deaf).await;
    let mut listener = Spectator::join(&house).await;
    // Beside the players, not in step with them: two updates may come in one piece.
    let listening = tokio::spawn(async move {
        while listener.more().await {
            listener.bytes.clear();
        }
    });
    let mut one = Player::join(&house, "one").await;
    let mut two = Player::join(&house, "two").await;
    let path = "/api/v1/tables/tiger-dragon/room1";
    let playing = async {
        loop {
            for _ in 0..500 {
                let (goes_on, _) = tokio::join!(one.step(), two.step());
                assert!(goes_on, "the match is too short for this test");
            }
            assert!(!listening.is_finished(), "who reads is not dropped");
            let (status, body) = house.http("GET", path, "").await;
            assert_eq!(status, 200, "{body}");
            let table: Value = serde_json::from_str(&body).expect("JSON");
            if table["spectators"] == 1 {
                return;
            }
        }
    };
    timeout(LONG_PATIENCE, playing).await.expect("the spectator that never reads is dropped");
    for _ in 0..100 {
        let (goes_on, _) = tokio::join!(one.step(), two.step());
        assert!(goes_on);
    }
    drop(deaf);
    house.close().await;
}

/// What a spectator does in the middle of a broadcast.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Stays,
    ClosesItsHalf,
    Vanishes,
}

/// Leaves in its manner on hearing its nth state; or stays to the end.
async fn attend(mut spectator: Spectator, manner: Manner, nth: usize) -> Option<Spectator> {
    if manner == Manner::Stays {
        assert!(spectator.hear_the_end().await, "who stays hears the end");
        return Some(spectator);
    }
    assert!(spectator.hear(r#""type":"state""#, nth).await);
    if manner == Manner::Vanishes {
        // A reset, not a farewell.
        spectator.socket.set_zero_linger().expect("a socket");
        return None;
    }
    spectator.socket.shutdown().await.expect("half of it closes");
    while spectator.more().await {}
    Some(spectator)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn peers_that_close_half_or_vanish_in_a_broadcast_disturb_nobody() {
    let house = house(10, None).await;
    let mut audience = JoinSet::new();
    for number in 0..60 {
        let manner = [Manner::Stays, Manner::ClosesItsHalf, Manner::Vanishes][number % 3];
        audience.spawn(attend(Spectator::join(&house).await, manner, 1 + number / 3));
    }
    let one = tokio::spawn(Player::join(&house, "one").await.play_out());
    let mut two = Player::join(&house, "two").await;
    for _ in 0..5 {
        assert!(two.step().await);
    }
    // A player may close its half, too, and return under its name.
    let MaybeTlsStream::Plain(socket) = two.socket.get_mut() else { panic!("plain") };
    socket.shutdown().await.expect("half of it closes");
    let url = format!("ws://{}/", house.address("tiger-dragon"));
    let mut again = Player { name: "two", socket: connect_async(url).await.expect("upgrades").0 };
    let join = json!({"type": "join", "room_id": "room1", "player_id": "two", "role": "player"});
    again.send(&join).await;
    again.play_out().await;
    one.await.expect("the match was played");
    while two.read().await.is_some() {}
    let attended: Vec<Spectator> = audience.join_all().await.into_iter().flatten().collect();
    assert_eq!(attended.len(), 40);
    let longest = attended.iter().map(Spectator::texts).max_by_key(Vec::len).expect("some stayed");
    for spectator in &attended {
        assert!(longest.starts_with(&spectator.texts()), "a part, and nothing else");
    }
    house.close().await;
}
