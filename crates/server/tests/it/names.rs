//! Names that have a key, over HTTP, WebSockets and the games' own ports.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::kit::{House, PATIENCE, request};
use crate::tournaments::{ALL, Socket, convene, order};

const NAMES: &str = "/api/v1/names";

/// A call with this key, or none.
pub async fn call(
    house: &House,
    method: &str,
    path: &str,
    key: Option<&str>,
    body: &str,
) -> (u16, Value) {
    let header = key.map_or(String::new(), |key| format!("Authorization: Bearer {key}\r\n"));
    let (status, body) = request(house.address("http"), method, path, &header, body).await;
    (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
}

pub async fn claim(house: &House, name: &str) -> String {
    let body = json!({ "name": name }).to_string();
    let (status, made) = call(house, "POST", NAMES, None, &body).await;
    assert_eq!((status, &made["name"]), (201, &json!(name)), "{made}");
    made["key"].as_str().expect("a key").to_owned()
}

/// Joins over the JSON protocol; the answer.
pub async fn join(house: &House, path: &str, key: Option<&str>, message: &str) -> Value {
    let url = format!("ws://{}{path}", house.address("http"));
    let mut request = url.into_client_request().expect("a request");
    if let Some(key) = key {
        let bearer = format!("Bearer {key}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
    }
    let mut socket: Socket = connect_async(request).await.expect("upgrades").0;
    socket.send(Message::text(message)).await.expect("sends");
    loop {
        let next = timeout(PATIENCE, socket.next()).await.expect("an answer");
        let Some(Ok(Message::Text(text))) = next else { panic!("{next:?}") };
        let said: Value = serde_json::from_str(&text).expect("JSON");
        if said["type"] != "hello" {
            return said;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claimed_name_belongs_to_its_key_everywhere() {
    let house = House::open().await;
    house.table("t", 2).await;
    let key = claim(&house, "Ann").await;
    let (status, again) = call(&house, "POST", NAMES, None, r#"{"name":"aNN"}"#).await;
    assert_eq!((status, &again["code"]), (409, &json!("name-taken")), "{again}");
    // People read this: what is wrong comes first, and what programs send comes last.
    for (shown, cause) in [
        (None, "the name 'Ann' belongs to whoever has its key: give the key that was shown"),
        (
            Some("pk_bbbbbbbbbbbbbbbbbbbbbbbbbb"),
            "this is not the key of the name 'Ann': give the key",
        ),
    ] {
        let (status, refused) = call(&house, "DELETE", &format!("{NAMES}/Ann"), shown, "").await;
        let said = refused["error"].as_str().unwrap();
        assert!(status == 403 && said.starts_with(cause), "{status} {said}");
    }
    let mut client = house.client().await;
    assert!(client.ask("JOIN t Ann").await.starts_with("ERROR E010"));
    assert!(client.ask(&format!("JOIN t Ann:{key}")).await.starts_with("WELCOME t 0"));
    // The JSON protocol takes it in a field, in a header, and by a ticket that is good once.
    let (at, plain) = ("/house/gamba", r#"{"do":"join","name":"Ann"}"#);
    let refused = join(&house, at, None, plain).await;
    assert_eq!(refused["code"], "needs-key", "{refused}");
    assert!(refused["hint"].as_str().unwrap().contains("key"), "{refused}");
    let field = json!({"do": "join", "name": "Ann", "key": key}).to_string();
    assert_eq!(join(&house, at, None, &field).await["type"], "joined");
    assert_eq!(join(&house, "/house/subsim", Some(&key), plain).await["type"], "joined");
    let (status, made) = call(&house, "POST", "/api/v1/tickets", Some(&key), "").await;
    assert_eq!((status, &made["expires_in_s"]), (201, &json!(30)), "{made}");
    let at = format!("/house/tiger-dragon?ticket={}", made["ticket"].as_str().unwrap());
    assert_eq!(join(&house, &at, None, plain).await["type"], "joined");
    let url = format!("ws://{}{at}", house.address("http"));
    assert!(connect_async(url).await.is_err(), "a ticket is good once");
    assert_eq!(call(&house, "POST", "/api/v1/tickets", None, "").await.0, 403);
    let made_up = Some("pk_abcdefghijklmnopqrstuvwx01");
    assert_eq!(call(&house, "POST", "/api/v1/tickets", made_up, "").await.0, 403);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_replaced_and_a_name_let_go_by_its_owner_or_the_organiser() {
    let house = House::open().await;
    let first = claim(&house, "ann").await;
    let (own, key_at) = (format!("{NAMES}/ann"), format!("{NAMES}/ann/key"));
    let stranger = "pk_aaaaaaaaaaaaaaaaaaaaaaaaaa";
    for key in [None, Some(stranger)] {
        let (status, refused) = call(&house, "POST", &key_at, key, "").await;
        assert_eq!((status, &refused["code"]), (403, &json!("needs-key")), "{refused}");
        assert_eq!(call(&house, "DELETE", &own, key, "").await.0, 403);
    }
    let (status, made) = call(&house, "POST", &key_at, Some(&first), "").await;
    assert_eq!(status, 200, "{made}");
    let second = made["key"].as_str().unwrap().to_owned();
    assert_eq!(call(&house, "DELETE", &own, Some(&first), "").await.0, 403, "the old key is over");
    let (_, made) = order(&house, "POST", &key_at, Value::Null).await;
    let third = made["key"].as_str().unwrap().to_owned();
    assert_eq!(call(&house, "DELETE", &own, Some(&second), "").await.0, 403);
    let (status, listed) = order(&house, "GET", NAMES, Value::Null).await;
    assert_eq!((status, &listed["names"][0]["name"]), (200, &json!("ann")));
    assert_eq!(call(&house, "GET", NAMES, Some(&third), "").await.0, 403);
    assert_eq!(call(&house, "DELETE", &own, Some(&third), "").await.0, 200);
    assert_eq!(call(&house, "DELETE", &own, Some(&third), "").await.0, 404);
    house.table("t", 2).await;
    assert!(house.client().await.ask("JOIN t ann").await.starts_with("WELCOME"));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_that_mean_something_else_or_are_in_use_cannot_be_claimed() {
    let house = House::open().await;
    for name in ["", "a b", "ann:x", "Orange", "00ffa9"] {
        let (status, refused) =
            call(&house, "POST", NAMES, None, &json!({ "name": name }).to_string()).await;
        assert_eq!(status, 400, "{name}: {refused}");
    }
    house.table("t", 2).await;
    let mut bob = house.client().await;
    bob.join("t", "Bob").await;
    let body = json!({"name": "bob"});
    let (status, refused) = call(&house, "POST", NAMES, None, &body.to_string()).await;
    assert_eq!((status, &refused["code"]), (409, &json!("name-taken")), "{refused}");
    assert_eq!(order(&house, "POST", NAMES, body).await.0, 201, "the organiser may");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn entrants_get_keys_when_their_tournament_is_made() {
    let house = House::open().await;
    let own = claim(&house, "cy").await;
    let wish = json!({"game": "sushi-go", "id": "cup", "plan": {"max_entrants": 4},
        "entrants": ["ann", {"name": "cy"}, {"name": "robot", "bot": "random"}]});
    let (status, made) = order(&house, "POST", ALL, wish).await;
    assert_eq!((status, &made["open_names"]), (201, &json!(false)), "{made}");
    assert_eq!(made["keys"][0]["name"], "ann");
    assert_eq!(made["keys"][1], json!({"name": "cy", "key": null}), "it has one already");
    assert_eq!(made["keys"].as_array().unwrap().len(), 2, "a bot needs none");
    let key = made["keys"][0]["key"].as_str().unwrap();
    let (_, shown) = order(&house, "GET", &format!("{ALL}/sushi-go/cup"), Value::Null).await;
    assert_eq!(shown["keys"], Value::Null, "they are shown once");
    let mut eve = house.client().await;
    for stranger in ["ann", "cy", "robot"] {
        assert!(eve.ask(&format!("TOURNEY cup {stranger}")).await.starts_with("ERROR E010"));
    }
    let mut ann = house.client().await;
    assert!(ann.ask(&format!("TOURNEY cup ann:{key}")).await.starts_with("TOURNAMENT_WELCOME"));
    let mut cy = house.client().await;
    assert!(cy.ask(&format!("TOURNEY cup cy:{own}")).await.starts_with("TOURNAMENT_WELCOME"));
    let (_, made) =
        order(&house, "POST", &format!("{ALL}/sushi-go/cup/entrants"), json!("dot")).await;
    assert_eq!(made["keys"][0]["name"], "dot", "{made}");
    // Where names are open, no player needs a key.
    let at = convene(
        &house,
        json!({"game": "sushi-go", "id": "open", "entrants": ["ann", "bob"], "open_names": true}),
    )
    .await;
    let (_, shown) = order(&house, "GET", &at, Value::Null).await;
    assert_eq!((&shown["open_names"], &shown["keys"]), (&json!(true), &Value::Null));
    house.close().await;
}
