//! Who gets a seat when another client gives its player's name.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::kit::{House, PATIENCE};

/// A player of Tiger & Dragon at a separate address.
pub struct Player(WebSocketStream<TcpStream>);

impl Player {
    pub async fn join(house: &House, address: &str, name: &str) -> Player {
        let socket = TcpSocket::new_v4().expect("a socket");
        let own: SocketAddr = format!("{address}:0").parse().expect("an address");
        socket.bind(own).expect("an address of this machine");
        let at = house.address("tiger-dragon");
        let stream = socket.connect(at).await.expect("connects");
        let socket = client_async(format!("ws://{at}/"), stream).await.expect("upgrades").0;
        let mut player = Player(socket);
        let join = json!({"type": "join", "room_id": "r", "player_id": name, "role": "player"});
        player.0.send(Message::text(join.to_string())).await.expect("sends");
        player
    }

    /// The next message of this type; none once the connection is closed.
    pub async fn next(&mut self, kind: &str) -> Option<Value> {
        loop {
            let heard = timeout(PATIENCE, self.0.next()).await.expect("the server says something");
            let Some(Ok(Message::Text(text))) = heard else {
                if matches!(heard, None | Some(Err(_)) | Some(Ok(Message::Close(_)))) {
                    return None;
                }
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["type"] == kind {
                return Some(message);
            }
        }
    }

    /// Plays the first choice it has, whenever it has one, until the game is over.
    pub async fn play_out(&mut self) {
        loop {
            let heard = timeout(PATIENCE, self.0.next()).await.expect("the server says something");
            let Message::Text(text) = heard.expect("open").expect("reads") else { continue };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["type"] == "game_over" {
                return;
            }
            let legal = message["legal"].as_str().unwrap_or_default();
            if let Some(choice) = legal.split(',').next().filter(|choice| !choice.is_empty()) {
                self.say(json!({"type": "action", "choice": choice})).await;
            }
        }
    }

    pub async fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).await.expect("sends");
    }

    /// At which table its game runs.
    pub async fn table(&mut self) -> String {
        let state = self.next("state").await.expect("it plays");
        state["room_id"].as_str().expect("a table").to_owned()
    }
}

/// A bot that thinks answers no ping, so three seconds of silence do not prove that it is gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bot_that_thinks_keeps_its_seat_from_other_addresses() {
    let house = House::open_with(|settings| {
        let options = settings.games.entry("tiger-dragon".to_owned()).or_default();
        options.insert("players".to_owned(), 2.into());
        options.insert("turn_timeout_ms".to_owned(), 0.into());
    })
    .await;
    let mut ann = Player::join(&house, "127.0.0.2", "ann").await;
    ann.next("join_ack").await.expect("a seat");
    let mut ben = Player::join(&house, "127.0.0.3", "ben").await;
    assert_eq!((ann.table().await, ben.table().await), ("room1".into(), "room1".into()));
    // Ann thinks: no thread reads for it. Another client gives its name and gets another table.
    let mut eve = Player::join(&house, "127.0.0.4", "ann").await;
    eve.next("join_ack").await.expect("a seat");
    let mut fay = Player::join(&house, "127.0.0.5", "fay").await;
    assert_eq!((eve.table().await, fay.table().await), ("room2".into(), "room2".into()));
    // Ann's machine has its seat back without a key.
    let mut again = Player::join(&house, "127.0.0.2", "ann").await;
    assert_eq!(again.table().await, "room1");
    assert!(ann.next("game_over").await.is_none(), "the older connection is closed");
    house.close().await;
}
