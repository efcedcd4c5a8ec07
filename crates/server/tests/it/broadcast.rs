//! What spectators see of a table whose games are shown when they are over.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::kit::{House, PATIENCE, request};

/// A spectator, and everything it was sent.
pub struct Watcher {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub heard: Vec<String>,
}

impl Watcher {
    pub async fn connect(house: &House, path: &str) -> Watcher {
        let url = format!("ws://{}{path}", house.address("http"));
        let socket = connect_async(url).await.expect("upgrades").0;
        Watcher { socket, heard: Vec::new() }
    }

    /// In the JSON protocol, at one table or following play.
    async fn on_the_house_wire(house: &House, watch: Value) -> Watcher {
        let mut watcher = Watcher::connect(house, "/house/sushi-go").await;
        watcher.say(watch).await;
        watcher
    }

    pub async fn say(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.expect("sends");
    }

    /// Reads until a text has this in it; none: the connection is closed before.
    pub async fn hear(&mut self, what: &str) -> Option<String> {
        loop {
            let next = timeout(PATIENCE, self.socket.next()).await.expect("something comes")?;
            match next {
                Ok(Message::Text(text)) => {
                    self.heard.push(text.to_string());
                    if text.contains(what) {
                        return Some(text.to_string());
                    }
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// How many texts have this in them.
    pub fn count(&self, what: &str) -> usize {
        self.heard.iter().filter(|text| text.contains(what)).count()
    }
}

const OVER: &str = r#""type":"over""#;
const UPDATE: &str = r#""type":"update""#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delayed_table_shows_no_byte_of_its_game_before_the_end() {
    let house = House::open_with(|settings| {
        let options = settings.games.entry("sushi-go".to_owned()).or_default();
        options.insert("broadcast".to_owned(), "delayed".into());
    })
    .await;
    house.table("t", 2).await;
    let watch = json!({"do": "watch", "table": "t", "all": true});
    let mut at_table = Watcher::on_the_house_wire(&house, watch.clone()).await;
    let mut in_json = Watcher::connect(&house, "/watch/sushi-go/t?all=true").await;
    let mut in_words = Watcher::connect(&house, "/watch/sushi-go/t?words=true&all=true").await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    two.join("t", "Two").await;
    for _ in 0..3 {
        for client in [&mut one, &mut two] {
            while !client.line().await.starts_with("HAND ") {}
            client.send("PLAY 0").await;
        }
    }
    while !one.line().await.starts_with("HAND ") {}
    // A spectator who comes in the middle of it, follows play, asks again, or asks over HTTP sees
    // no more.
    let mut late = Watcher::on_the_house_wire(&house, watch).await;
    let mut follower =
        Watcher::on_the_house_wire(&house, json!({"do": "watch", "all": true})).await;
    for watcher in [&mut at_table, &mut late, &mut follower] {
        watcher.say(json!({"do": "history", "from": 0})).await;
        let refused = watcher.hear(r#""type":"refused""#).await.expect("an answer");
        assert!(refused.contains(r#""code":"not-over""#), "{refused}");
        watcher.say(json!({"do": "look", "id": 1})).await;
        let table = watcher.hear(r#""id":1"#).await.expect("an answer");
        assert!(table.contains(r#""type":"table""#) && table.contains("delayed"), "{table}");
        watcher.say(json!({"do": "ping"})).await;
        watcher.hear("pong").await.expect("an answer");
        for secret in [UPDATE, r#""type":"waiting""#, r#""view""#, "seat_views", r#""hand""#] {
            assert_eq!(watcher.count(secret), 0, "{secret}: {:?}", watcher.heard);
        }
    }
    let frames = "/api/v1/results/sushi-go/t/frames";
    for viewer in ["", "?viewer=public", "?viewer=all", "?viewer=0"] {
        let path = format!("{frames}{viewer}");
        let (status, body) = request(house.address("http"), "GET", &path, "", "").await;
        assert_eq!(status, 409, "{viewer}: {body}");
        assert!(body.contains("not-over") && !body.contains("hand"), "{viewer}: {body}");
        let (status, _) = house.http("GET", &path, "").await;
        assert_eq!(status, 200, "an organiser sees {viewer}");
    }
    // The game continues; the end is sent, and then everything is there for all.
    one.send("PLAY 0").await;
    let (end, other) = tokio::join!(one.play_out(), two.play_out());
    assert_eq!(end.0, other.0);
    for watcher in [&mut at_table, &mut late, &mut follower, &mut in_json] {
        watcher.hear(OVER).await.expect("the end is told");
        assert_eq!(watcher.count(UPDATE), 1, "the last position alone: {:?}", watcher.heard);
        assert_eq!(watcher.count("seat_views"), 0);
    }
    assert_eq!(in_words.hear("nothing of the kind").await, None);
    assert_eq!(in_words.count("turn "), 1, "the last position alone: {:?}", in_words.heard);
    let path = format!("{frames}?viewer=all");
    let (status, told) = request(house.address("http"), "GET", &path, "", "").await;
    assert_eq!(status, 200);
    let told: Vec<Value> =
        told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let hands = told.iter().filter(|frame| frame["seat_views"][0]["hand"].is_array()).count();
    assert!(hands > 20, "every hand is shown afterwards: {hands}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_broadcast_is_for_those_who_show_a_token() {
    let house = House::open_with(|settings| {
        let options = settings.games.entry("sushi-go".to_owned()).or_default();
        options.insert("broadcast".to_owned(), "full".into());
    })
    .await;
    house.table("t", 2).await;
    let watch = json!({"do": "watch", "table": "t", "all": true});
    let mut stranger = Watcher::on_the_house_wire(&house, watch.clone()).await;
    let (_, ticket) = house.http("POST", "/api/v1/tickets", "").await;
    let ticket: Value = serde_json::from_str(&ticket).expect("JSON");
    let path = format!("/house/sushi-go?ticket={}", ticket["ticket"].as_str().expect("a ticket"));
    let mut organiser = Watcher::connect(&house, &path).await;
    organiser.say(watch).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    two.join("t", "Two").await;
    tokio::join!(one.play_out(), two.play_out());
    for watcher in [&mut stranger, &mut organiser] {
        watcher.hear(OVER).await.expect("the end is told");
        assert!(watcher.count(UPDATE) > 20);
    }
    assert_eq!(stranger.count("seat_views"), 0);
    assert_eq!(organiser.count("seat_views"), organiser.count(UPDATE));
    house.close().await;
}
