//! The author's window: your own protocol messages over HTTP and a WebSocket, and no one else's.

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::kit::{Client, House, PATIENCE};
use crate::names::{call, claim};
use crate::tournaments::{ALL, Socket, order};

const WIRE: &str = "/api/v1/wire";
const STRANGER: &str = "pk_aaaaaaaaaaaaaaaaaaaaaaaaaa";

async fn wire_of(house: &House, key: &str) -> Vec<Value> {
    let (status, page) = call(house, "GET", WIRE, Some(key), "").await;
    assert_eq!(status, 200, "{page}");
    page["lines"].as_array().expect("lines").clone()
}

fn of_kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

/// Watches a wire with a ticket.
async fn watch(house: &House, key: &str) -> Socket {
    let (_, made) = call(house, "POST", "/api/v1/tickets", Some(key), "").await;
    let ticket = made["ticket"].as_str().expect("a ticket");
    let url = format!("ws://{}/wire?ticket={ticket}", house.address("http"));
    connect_async(url).await.expect("upgrades").0
}

/// Reads pages until one has a line of this kind; that line.
async fn hear(socket: &mut Socket, kind: &str) -> Value {
    loop {
        let next = timeout(PATIENCE, socket.next()).await.expect("a page");
        let Some(Ok(message)) = next else { panic!("{next:?}") };
        let Message::Text(text) = message else { continue };
        let page: Value = serde_json::from_str(&text).expect("JSON");
        let lines = page["lines"].as_array().expect("lines");
        if let Some(found) = lines.iter().find(|line| line["kind"] == kind) {
            return found.clone();
        }
    }
}

/// Two at a table, the first with a key.
async fn seated(house: &House, key: &str) -> (Client, Client) {
    house.table("t", 2).await;
    let (mut ann, mut bob) = (house.client().await, house.client().await);
    let welcome = ann.ask(&format!("JOIN t ann:{key}")).await;
    assert!(welcome.starts_with("WELCOME t 0"), "{welcome}");
    bob.join("t", "bob").await;
    (ann, bob)
}

async fn until(client: &mut Client, begins: &str) -> String {
    loop {
        let line = client.line().await;
        if line.starts_with(begins) {
            return line;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_author_sees_both_directions_and_why_a_line_was_refused() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    let mut window = watch(&house, &key).await;
    let (mut ann, mut bob) = seated(&house, &key).await;
    until(&mut ann, "HAND ").await;
    assert!(ann.ask("PLAY 99").await.starts_with("ERROR E006"));
    let refused = hear(&mut window, "refused").await;
    assert_eq!(refused["clause"], "There is no card with this index.", "{refused}");
    assert_eq!(refused["anchor"], "error-e006", "{refused}");
    assert_eq!(refused["hint"], "Use an index of the last HAND.", "{refused}");
    assert_eq!(ann.ask("PLAY 0").await, "OK");
    bob.ask("PLAY 0").await;
    until(&mut ann, "PLAYED ").await;

    let lines = wire_of(&house, &key).await;
    let sent = of_kind(&lines, "sent");
    assert_eq!(sent[0]["text"], "JOIN t ann:pk_…", "without the key");
    let at_fault = &lines.iter().find(|line| line["number"] == refused["line"]).unwrap();
    assert_eq!((&at_fault["kind"], &at_fault["text"]), (&json!("sent"), &json!("PLAY 99")));
    let received = of_kind(&lines, "received");
    assert!(received[0]["text"].as_str().unwrap().starts_with("WELCOME t 0 (token)"));
    assert_eq!(of_kind(&lines, "seated")[0]["table"], "t");
    // The accepted move says how long it took, and how long it may take.
    let played = sent.iter().find(|line| line["text"] == "PLAY 0").unwrap();
    assert_eq!(played["thought"]["clock_ms"], 12_000, "{played}");
    assert!(played["thought"]["took_ms"].as_f64().unwrap() >= 0.0);
    let whole = Value::from(lines).to_string();
    assert!(!whole.contains(&key[4..]) && !whole.contains("bob\",\"PLAY"), "{whole}");
    drop(ann);
    let closed = hear(&mut window, "closed").await;
    assert_eq!(closed["text"], "the client closed the connection");
    house.close().await;
}

/// A card that is none, a move before the start, a request before CONNECT and a second START_GAME were shown
/// without a reason or a hint, or not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_rejected_line_has_a_cause_a_hint_and_a_section() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    let (mut ann, mut bob) = (
        Client::connect(house.address("gamba")).await,
        Client::connect(house.address("gamba")).await,
    );
    let rejected = [
        "2|||",
        "8|||",
        "7|||cards=",
        "7|||cards=2H",
        "5|||",
        "7|||cards=3X",
        "7|||cards=2H,2D,2C,2S,2H",
    ];
    assert!(ann.ask(rejected[0]).await.starts_with("103|"));
    ann.ask(&format!("0|||name=ann:{key}")).await;
    assert!(ann.ask(rejected[1]).await.starts_with("103|"));
    assert!(ann.ask("2|||").await.starts_with("101|"));
    for line in &rejected[2..] {
        assert!(ann.ask(line).await.starts_with("103|"), "{line}");
    }
    bob.ask("0|||name=bob").await;
    bob.ask("2|||").await;
    until(&mut ann, "101|").await;
    ann.ask("5|||").await;
    until(&mut ann, "106|").await;
    assert_eq!(ann.ask("5|||").await, "103|||error=Cannot start game");
    let lines = wire_of(&house, &key).await;
    let refused = of_kind(&lines, "refused");
    for line in &refused {
        for field in ["text", "hint", "clause", "anchor"] {
            assert!(line[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {line}");
        }
    }
    // The line before the key belongs to no name.
    let texts: Vec<&str> = refused.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), rejected.len(), "{texts:#?}");
    assert!(texts[2].starts_with("the game has not started"), "{texts:#?}");
    assert!(texts[4].starts_with("there is no such card"), "{texts:#?}");
    assert_eq!(texts[6], "it has already started");
    house.close().await;
}

/// Labyrinth closes the connection without a word, and the page did not show it either.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_join_that_cannot_be_read_is_shown_to_the_owner_of_its_key() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    let mut window = watch(&house, &key).await;
    let mut ann = Client::connect(house.address("labyrinth")).await;
    ann.send(&format!(r#"{{"color":"me1:{key}"}}"#)).await;
    assert!(ann.has_ended().await);
    let refused = hear(&mut window, "refused").await;
    assert_eq!(refused["text"], r#"expected a Color, found "me1""#, "{refused}");
    assert_eq!(refused["anchor"], "error-expected-a-color");
    assert!(refused["hint"].as_str().unwrap().starts_with("Send a colour"), "{refused}");
    let lines = wire_of(&house, &key).await;
    assert_eq!(of_kind(&lines, "sent")[0]["text"], r#"{"color":"me1:pk_…"}"#);
    house.close().await;
}

/// A bot that forgets the end of the line waited for a minute and learnt nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_without_an_end_is_shown_when_the_connection_ends() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    let mut window = watch(&house, &key).await;
    let mut ann = house.client().await;
    ann.send_bytes(format!("JOIN t ann:{key}").as_bytes()).await;
    drop(ann);
    let refused = hear(&mut window, "refused").await;
    assert_eq!(refused["text"], "the message has no end, so it was not read", "{refused}");
    assert!(refused["hint"].as_str().unwrap().contains("\\n"), "{refused}");
    let lines = wire_of(&house, &key).await;
    assert_eq!(of_kind(&lines, "sent")[0]["text"], "JOIN t ann:pk_…");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_reads_the_wire_of_somebody_else() {
    let house = House::open().await;
    let (anns, eves) = (claim(&house, "ann").await, claim(&house, "eve").await);
    let (mut ann, _bob) = seated(&house, &anns).await;
    until(&mut ann, "HAND ").await;
    assert!(!wire_of(&house, &anns).await.is_empty());
    assert!(wire_of(&house, &eves).await.is_empty(), "eve has said nothing");
    for key in [None, Some(STRANGER), Some(&*house.server.admin_token)] {
        let (status, refused) = call(&house, "GET", WIRE, key, "").await;
        assert_eq!((status, &refused["code"]), (403, &json!("needs-key")), "{refused}");
        assert_eq!(call(&house, "GET", "/api/v1/exams", key, "").await.0, 403);
        assert_eq!(call(&house, "POST", "/api/v1/exams/gamba", key, "{}").await.0, 403);
    }
    let url = format!("ws://{}/wire", house.address("http"));
    assert!(connect_async(&url).await.is_err(), "without a key");
    assert!(
        connect_async(format!("{url}?ticket=tk_0")).await.is_err(),
        "with no ticket of anybody"
    );
    // A key that was replaced opens nothing, also for clients that watch with it already.
    let mut window = watch(&house, &anns).await;
    hear(&mut window, "sent").await;
    let (_, made) = call(&house, "POST", "/api/v1/names/ann/key", Some(&anns), "").await;
    assert_eq!(call(&house, "GET", WIRE, Some(&anns), "").await.0, 403);
    ann.send("STATUS").await;
    loop {
        match timeout(PATIENCE, window.next()).await.expect("it ends") {
            Some(Ok(Message::Text(text))) => assert!(!text.contains("STATUS"), "{text}"),
            Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            Some(Ok(_)) => {}
        }
    }
    assert!(wire_of(&house, made["key"].as_str().unwrap()).await.is_empty(), "a new beginning");
    house.close().await;
}

/// The key on a slip opens the window too, from the first look.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_of_a_tournament_watches_with_the_key_on_its_slip() {
    let house = House::open().await;
    let wish = json!({"game": "sushi-go", "id": "cup", "entrants": ["ann", "bob"]});
    let (_, made) = order(&house, "POST", ALL, wish).await;
    let key = made["keys"][0]["key"].as_str().unwrap();
    let mut ann = house.client().await;
    assert!(ann.ask(&format!("TOURNEY cup ann:{key}")).await.starts_with("TOURNAMENT_WELCOME"));
    assert!(wire_of(&house, key).await.is_empty(), "nobody had looked");
    assert!(ann.ask("PLAY x").await.starts_with("ERROR E001"));
    let lines = wire_of(&house, key).await;
    assert_eq!(of_kind(&lines, "sent")[0]["text"], "PLAY x");
    assert_eq!(of_kind(&lines, "refused").len(), 1, "{lines:?}");
    let (_, page) = call(&house, "GET", WIRE, Some(key), "").await;
    assert_eq!(page["name"], "ann");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_exam_of_each_game_is_kept_for_its_author() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    let report = |mark: &str| {
        let item = json!({"item": "refused move", "mark": mark, "comment": "", "faults":
            [{"what": "it made no other move", "lines": ["bot    > 7|||cards=5C"]}]});
        json!({ "items": [item] }).to_string()
    };
    for (game, mark, status) in [
        ("gamba", "ok", 201),
        ("gamba", "wrong", 201),
        ("subsim", "n/a", 201),
        ("chess", "ok", 404),
    ] {
        let at = format!("/api/v1/exams/{game}");
        let (answered, exam) = call(&house, "POST", &at, Some(&key), &report(mark)).await;
        assert_eq!(answered, status, "{exam}");
    }
    let (_, list) = call(&house, "GET", "/api/v1/exams", Some(&key), "").await;
    let exams = list["exams"].as_array().unwrap();
    let marks: Vec<_> =
        exams.iter().map(|exam| (&exam["game"], &exam["items"][0]["mark"])).collect();
    assert_eq!(marks, [(&json!("gamba"), &json!("wrong")), (&json!("subsim"), &json!("n/a"))]);
    let at = "/api/v1/exams/gamba";
    assert_eq!(call(&house, "POST", at, Some(&key), r#"{"items":[{"mark":"ok"}]}"#).await.0, 400);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_organiser_reads_what_went_wrong_last_for_each_team() {
    let house = House::open().await;
    let wish = json!({"game": "sushi-go", "id": "cup", "entrants": ["ann", "bob", "cy"]});
    let (_, made) = order(&house, "POST", ALL, wish).await;
    let key = made["keys"][0]["key"].as_str().unwrap();
    // Bob forgets its key; Ann says nonsense, and goes.
    let mut bob = house.client().await;
    assert!(bob.ask("TOURNEY cup bob").await.starts_with("ERROR E010"));
    let mut ann = house.client().await;
    ann.ask(&format!("TOURNEY cup ann:{key}")).await;
    assert!(ann.ask("PLAY x").await.starts_with("ERROR E001"));
    drop(ann);
    let at = format!("{ALL}/sushi-go/cup/troubles");
    for key in [None, Some(key)] {
        assert!(
            [401, 403].contains(&call(&house, "GET", &at, key, "").await.0),
            "organisers alone"
        );
    }
    let troubles = loop {
        let (status, list) = order(&house, "GET", &at, Value::Null).await;
        assert_eq!(status, 200, "{list}");
        let [ann, bob] = [&list["troubles"][0], &list["troubles"][1]].map(Value::clone);
        if !ann["closed"].is_null() {
            assert_eq!(list["troubles"].as_array().unwrap().len(), 2, "cy had none");
            break (ann, bob);
        }
        tokio::task::yield_now().await;
    };
    let (ann, bob) = troubles;
    assert_eq!(ann["name"], "ann");
    assert!(ann["refused"]["text"].as_str().unwrap().starts_with("ERROR E001"), "{ann}");
    assert_eq!(ann["closed"]["text"], "the client closed the connection");
    let why = bob["refused"]["text"].as_str().unwrap();
    assert_eq!(
        (&bob["name"], why),
        (&json!("bob"), "the name 'bob' belongs to whoever has its key")
    );
    assert_eq!(
        order(&house, "GET", &format!("{ALL}/sushi-go/x/troubles"), Value::Null).await.0,
        404
    );
    house.close().await;
}

/// A bot that had connected and never joined its game was shown as "not connected".
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_organiser_sees_that_a_team_has_connected_and_not_joined() {
    let house = House::open().await;
    let wish = json!({"game": "gamba", "id": "cup", "entrants": ["ann", "bob"]});
    let (_, made) = order(&house, "POST", ALL, wish).await;
    let key = made["keys"][0]["key"].as_str().unwrap();
    let mut ann = Client::connect(house.address("gamba")).await;
    assert!(ann.ask(&format!("0|||name=ann:{key}")).await.starts_with("100|"));
    // A connection that is refused under a name does not count for it.
    let mut eve = Client::connect(house.address("gamba")).await;
    assert!(eve.ask("0|||name=bob").await.starts_with("103|"));
    let at = format!("{ALL}/gamba/cup/troubles");
    let (_, list) = order(&house, "GET", &at, Value::Null).await;
    let known = |list: &Value, name: &str| {
        let all = list["troubles"].as_array().unwrap().iter();
        all.into_iter().find(|team| team["name"] == name).cloned().unwrap_or_default()
    };
    assert_eq!(known(&list, "ann"), json!({"name": "ann", "connected": true}));
    assert_eq!(known(&list, "bob")["connected"], false);
    let (_, cup) = order(&house, "GET", &format!("{ALL}/gamba/cup"), Value::Null).await;
    assert_eq!(cup["entrants"][0]["present"], false, "it has not joined");
    drop(ann);
    loop {
        let (_, list) = order(&house, "GET", &at, Value::Null).await;
        if known(&list, "ann")["connected"] == false {
            break;
        }
        tokio::task::yield_now().await;
    }
    house.close().await;
}
