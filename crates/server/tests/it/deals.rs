//! Tournaments that deal the same cards again: nothing of their games is shown before that.

use serde_json::{Value, json};

use crate::broadcast::Watcher;
use crate::kit::{House, request};
use crate::takeover::Player;
use crate::tournaments::{convene, get, order, until, watch};

/// A round-robin of three house bots and an entrant who never comes: one game is over, the
/// tournament is not. Returns the addresses of the tournament and of the game.
async fn half_played(house: &House, id: &str, deals: &str) -> (String, String) {
    let wish = json!({"game": "gamba", "id": id, "no_show_s": 600,
        "plan": {"format": "round-robin", "max_entrants": 4, "deals": deals},
        "entrants": ["ann", {"name": format!("{id}1"), "bot": "random"},
            {"name": format!("{id}2"), "bot": "thrifty"}, {"name": format!("{id}3"), "bot": "random"}]});
    let at = convene(house, wish).await;
    let mut feed = watch(house, &format!("/watch/gamba/tournaments/{id}")).await;
    order(house, "POST", &format!("{at}/start"), Value::Null).await;
    let over = |shown: &Value| {
        let mut games = shown["pairings"].as_array()?.iter().filter_map(|p| p["games"].get(0));
        games.find_map(|game| Some(game["table"].as_str()?.to_owned()))
    };
    let shown = until(&mut feed, |shown| over(shown).is_some()).await;
    (at, format!("/api/v1/results/gamba/{}", over(&shown).expect("a game is over")))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_whose_cards_are_dealt_again_is_shown_whole_only_after_its_tournament() {
    let house = House::open().await;
    let (at, game) = half_played(&house, "again", "repeat").await;
    let parts = ["frames?viewer=all", "frames?viewer=0", "frames", "replay"];
    let secrets = parts.map(|part| format!("{game}/{part}"));
    for secret in &secrets {
        let (status, refused) = get(&house, secret).await;
        assert_eq!((status, &refused["code"]), (409, &json!("not-over")), "{secret}: {refused}");
        let (status, _) = order(&house, "GET", secret, Value::Null).await;
        assert_eq!(status, 200, "the organiser may see {secret}");
    }
    let (status, result) = get(&house, &game).await;
    assert_eq!((status, &result["deal"]), (200, &Value::Null), "neither seed nor salt: {result}");
    order(&house, "POST", &format!("{at}/cancel"), Value::Null).await;
    for secret in &secrets {
        assert_eq!(get(&house, secret).await.0, 200, "{secret}");
    }
    assert!(get(&house, &game).await.1["deal"]["seed"].is_string());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_of_fresh_deals_is_shown_whole_when_it_is_over() {
    let house = House::open().await;
    let (_, game) = half_played(&house, "fresh", "fresh").await;
    assert_eq!(get(&house, &format!("{game}/frames?viewer=all")).await.0, 200);
    assert!(get(&house, &game).await.1["deal"]["seed"].is_string());
    // What the seats were worth, measured and in this server's own games.
    let (status, seats) = get(&house, "/api/v1/games/gamba/seats").await;
    assert_eq!((status, &seats["archive"][0]["seats"]), (200, &json!(2)), "{seats}");
    assert_eq!(seats["house"]["tables"][0]["seats"], 2, "{seats}");
    house.close().await;
}

/// An agent received face-down tiles that others were still to be dealt.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_are_not_told_of_cards_that_are_dealt_again() {
    let house = House::open().await;
    let (at, game) = half_played(&house, "again", "repeat").await;
    let table = game.rsplit('/').next().expect("an id");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
        {"name": "history", "arguments": {"game": "gamba", "table": table}}});
    let headers = "Accept: application/json, text/event-stream\r\n";
    let told = || async {
        let body = call.to_string();
        request(house.address("http"), "POST", "/mcp", headers, &body).await.1
    };
    let refused = told().await;
    assert!(refused.contains("deals the same cards again"), "{refused}");
    order(&house, "POST", &format!("{at}/cancel"), Value::Null).await;
    let story = told().await;
    assert!(!story.contains("deals the same cards again"), "{story}");
    house.close().await;
}

/// A slow player saw at another table of the round which cards were to come.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_sees_a_running_game_whose_cards_are_dealt_again() {
    let house = House::open_with(|settings| {
        let options = settings.games.entry("tiger-dragon".to_owned()).or_default();
        options.insert("players".to_owned(), 2.into());
        options.insert("target".to_owned(), 1.into());
    })
    .await;
    let plan =
        json!({"format": {"round-robin": {"cycles": 2}}, "max_entrants": 2, "deals": "repeat"});
    let wish = json!({"game": "tiger-dragon", "id": "again", "no_show_s": 600, "plan": plan,
        "open_names": true, "entrants": ["ann", "bob"]});
    let at = convene(&house, wish).await;
    order(&house, "POST", &format!("{at}/start"), Value::Null).await;
    let mut ann = Player::join(&house, "127.0.0.1", "ann").await;
    let mut bob = Player::join(&house, "127.0.0.1", "bob").await;
    let table = ann.table().await;
    // Three ways to watch it, from its first turn on.
    let path = format!("/watch/tiger-dragon/{table}?all=true");
    let mut page = Watcher::connect(&house, &path).await;
    let mut json = Watcher::connect(&house, "/house/tiger-dragon").await;
    json.say(json!({"do": "watch", "table": table, "all": true})).await;
    json.say(json!({"do": "ping"})).await;
    json.hear("pong").await.expect("it watches");
    let mut native = Watcher::connect(&house, "/play/tiger-dragon").await;
    native
        .say(json!({"type": "join", "room_id": table, "player_id": "w", "role": "spectator"}))
        .await;
    native.hear("join_ack").await.expect("it watches");
    // The first state of Ann's game is read already; a second join shows it again.
    ann.say(json!({"type": "join", "room_id": "r", "player_id": "ann", "role": "player"})).await;
    tokio::join!(ann.play_out(), bob.play_out());
    for watcher in [&mut page, &mut json] {
        watcher.hear(r#""type":"over""#).await.expect("the end is told");
    }
    native.say(json!({"type": "discards_request", "room_id": table})).await;
    let discards = native.hear(r#""type":"discards""#).await.expect("an answer");
    assert!(discards.contains(r#""player0_discards":"""#), "{discards}");
    let secrets =
        [r#""type":"update""#, r#""view""#, r#""type":"state""#, "attack_tile", "seat_views"];
    for (way, watcher) in [("page", &page), ("JSON", &json), ("native", &native)] {
        for secret in secrets {
            assert_eq!(watcher.count(secret), 0, "{way} {secret}: {:?}", watcher.heard);
        }
    }
    // The game is over, its cards are not: they are dealt once more.
    let frames = format!("/api/v1/results/tiger-dragon/{table}/frames?viewer=all");
    assert_eq!(get(&house, &frames).await.0, 409);
    order(&house, "POST", &format!("{at}/cancel"), Value::Null).await;
    assert_eq!(get(&house, &frames).await.0, 200, "now nobody is dealt them");
    house.close().await;
}
