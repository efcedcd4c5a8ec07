//! What has happened in games that are not over.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::kit::{Client, House, PATIENCE, request};

/// Two have begun a game and played a number of turns.
async fn play(house: &House, table: &str, turns: usize) -> [Client; 2] {
    house.table(table, 2).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join(table, "One").await;
    two.join(table, "Two").await;
    for turn in 0..=turns {
        for client in [&mut one, &mut two] {
            while !client.line().await.starts_with("HAND ") {}
        }
        if turn < turns {
            one.send("PLAY 0").await;
            two.send("PLAY 0").await;
        }
    }
    [one, two]
}

async fn frames(house: &House, query: &str, token: bool) -> (u16, Vec<Value>) {
    let path = format!("/api/v1/results/sushi-go/t/frames{query}");
    let (status, text) = match token {
        true => house.http("GET", &path, "").await,
        false => request(house.address("http"), "GET", &path, "", "").await,
    };
    let read = |line: &str| serde_json::from_str(line).expect("a line of JSON");
    (status, text.lines().map(read).collect())
}

fn seqs(frames: &[Value]) -> Vec<u64> {
    frames.iter().filter_map(|frame| frame["seq"].as_u64()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_of_a_running_game_go_up_to_now() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || House::open_with(|settings| settings.data = Some(folder.path().to_owned()));
    let house = open().await;
    let clients = play(&house, "t", 2).await;
    let (status, public) = frames(&house, "", false).await;
    assert_eq!(
        (status, &public[0]["type"], &public[0]["status"]),
        (200, &json!("table"), &json!("playing"))
    );
    assert_eq!(seqs(&public[1..]), [0, 1, 2]);
    assert_eq!(public.len(), 4, "there is no end yet");
    assert!(public.iter().all(|frame| frame["view"]["hand"].is_null()), "hands are secret");
    for secret in ["?viewer=all", "?viewer=0"] {
        let (status, refused) = frames(&house, secret, false).await;
        assert_eq!((status, &refused[0]["code"]), (409, &json!("not-over")), "{secret}");
    }
    let (status, own) = frames(&house, "?viewer=0", true).await;
    assert_eq!((status, own[1]["view"]["hand"].as_array().map(Vec::len)), (200, Some(10)));
    let (_, all) = frames(&house, "?viewer=all", true).await;
    assert_eq!(all[3]["moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(frames(&house, "?viewer=2", true).await.0, 400);
    drop(clients);
    house.close().await;
    // Another server knows it all, and answers questions over the JSON protocol too.
    let house = open().await;
    assert_eq!(frames(&house, "", false).await.1[1..], public[1..]);
    let url = format!("ws://{}/house/sushi-go", house.address("http"));
    let mut watcher = connect_async(url).await.expect("upgrades").0;
    for said in [r#"{"do":"watch","table":"t"}"#, r#"{"do":"history","from":1,"id":7}"#] {
        watcher.send(Message::text(said)).await.expect("sends");
    }
    let history = loop {
        let next = timeout(PATIENCE, watcher.next()).await.expect("an answer");
        let Message::Text(text) = next.expect("open").expect("reads") else { continue };
        let message: Value = serde_json::from_str(&text).expect("JSON");
        if message["type"] == "history" || message["type"] == "refused" {
            break message;
        }
    };
    assert_eq!((&history["id"], &history["next"]), (&json!(7), &Value::Null), "{history}");
    assert_eq!(
        history["updates"].as_array().expect("a list")[..],
        public[2..]
            .iter()
            .map(|frame| {
                let mut update = frame.clone();
                update.as_object_mut().expect("an object").remove("type");
                update
            })
            .collect::<Vec<_>>()
    );
    // A table that is closed void is in the archive.
    assert_eq!(house.http("DELETE", "/api/v1/tables/sushi-go/t", "").await.0, 200);
    let (status, over) = frames(&house, "", false).await;
    assert_eq!((status, &over[over.len() - 1]["type"]), (200, &json!("over")));
    house.close().await;
}
