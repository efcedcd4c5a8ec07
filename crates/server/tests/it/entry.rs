//! Players who enter open tournaments by themselves, and other sites that read about them.

use serde_json::{Value, json};

use crate::kit::{House, exchange};
use crate::names::{call, claim};
use crate::tournaments::{convene, get, order, until, watch};

/// Enters a tournament with a key.
async fn enter(house: &House, at: &str, key: Option<&str>, body: Value) -> (u16, Value) {
    call(house, "POST", &format!("{at}/entry"), key, &body.to_string()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_claimed_a_name_enters_an_open_tournament_of_any_game() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    for game in ["sushi-go", "subsim", "gamba", "tiger-dragon"] {
        let at = convene(&house, json!({"game": game, "id": "cup", "open": true})).await;
        let body = json!({"name": "ANN", "display": "Ann's bot"});
        let (status, shown) = enter(&house, &at, Some(&key), body).await;
        assert_eq!(status, 201, "{game}: {shown}");
        let entrant = &shown["entrants"][0];
        assert_eq!((&entrant["name"], &entrant["display"]), (&json!("ann"), &json!("Ann's bot")));
        let (status, again) = enter(&house, &at, Some(&key), json!({"name": "ann"})).await;
        assert_eq!((status, &again["code"]), (409, &json!("name-taken")), "{game}");
        let (status, shown) =
            call(&house, "DELETE", &format!("{at}/entry/ann"), Some(&key), "").await;
        assert_eq!((status, &shown["entrants"]), (200, &json!([])), "{game}: {shown}");
    }
    // Where names are colours, the player says which.
    let at = convene(&house, json!({"game": "labyrinth", "id": "cup", "open": true})).await;
    let body = json!({"name": "ann", "plays_as": "red"});
    let (status, shown) = enter(&house, &at, Some(&key), body).await;
    assert_eq!((status, &shown["entrants"][0]["plays_as"]), (201, &json!("red")), "{shown}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_enters_without_a_key_or_where_entries_are_closed() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    let other = claim(&house, "ben").await;
    let open = convene(&house, json!({"game": "gamba", "id": "open", "open": true})).await;
    let cases = [
        (None, "ann", 403, "needs-key"),
        (Some(&*other), "ann", 403, "needs-key"),
        (Some(&*key), "nobody", 403, "needs-key"),
    ];
    for (key, name, status, code) in cases {
        let (said, body) = enter(&house, &open, key, json!({ "name": name })).await;
        assert_eq!((said, &body["code"]), (status, &json!(code)), "{name}: {body}");
    }
    let (status, body) =
        call(&house, "DELETE", &format!("{open}/entry/ann"), Some(&other), "").await;
    assert_eq!((status, &body["code"]), (403, &json!("needs-key")), "{body}");

    let wish = json!({"game": "gamba", "id": "closed", "entrants": ["cy", "di"]});
    let closed = convene(&house, wish).await;
    let (status, body) = enter(&house, &closed, Some(&key), json!({"name": "ann"})).await;
    assert_eq!((status, &body["code"]), (400, &json!("bad-request")), "{body}");

    enter(&house, &open, Some(&key), json!({"name": "ann"})).await;
    let bot = json!({"name": "cpu", "bot": "random"});
    order(&house, "POST", &format!("{open}/entrants"), bot).await;
    order(&house, "POST", &format!("{open}/start"), Value::Null).await;
    let (status, body) = enter(&house, &open, Some(&other), json!({"name": "ben"})).await;
    assert_eq!((status, &body["code"]), (400, &json!("already-started")), "{body}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_is_over_says_where_its_replay_is() {
    let house = House::open().await;
    let bots = json!([{"name": "a", "bot": "random"}, {"name": "b", "bot": "thrifty"}]);
    let at = convene(&house, json!({"game": "gamba", "id": "cup", "entrants": bots})).await;
    let mut feed = watch(&house, "/watch/gamba/tournaments/cup").await;
    order(&house, "POST", &format!("{at}/start"), Value::Null).await;
    let shown = until(&mut feed, |shown| shown["phase"] == "over").await;
    let games = shown["pairings"][0]["games"].as_array().expect("games");
    for game in games {
        let table = game["table"].as_str().expect("a table");
        let (status, result) = get(&house, &format!("/api/v1/results/gamba/{table}")).await;
        assert_eq!((status, &result["id"]), (200, &game["table"]), "{result}");
    }
    let terms = &shown["terms"];
    assert_eq!((&terms["clock_ms"], &terms["no_show_ms"]), (&json!(10_000), &json!(25_000)));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sites_that_are_named_read_the_lists_and_no_others() {
    let house = House::open_with(|settings| {
        settings.http.read_origins = vec!["https://club.example".to_owned()];
    })
    .await;
    let ask = async |path: &str, origin: &str| {
        let origin = format!("Origin: {origin}\r\n");
        let answer = exchange(house.address("http"), "GET", path, &origin, "").await;
        let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_ascii_lowercase();
        head.contains("access-control-allow-origin: https://club.example")
    };
    assert!(ask("/api/v1/tournaments", "https://club.example").await);
    assert!(!ask("/api/v1/tournaments", "https://evil.example").await);
    house.close().await;
}

/// The answer was 429, without when to try again or which limit it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_enters_too_often_is_told_the_limit_and_when_to_come_again() {
    let house = House::open_with(|settings| {
        settings.limits.entries_per_h_per_address = 1;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let at = convene(&house, json!({"game": "gamba", "id": "cup", "open": true})).await;
    let next = convene(&house, json!({"game": "gamba", "id": "next", "open": true})).await;
    let key = claim(&house, "ann").await;
    let entered = enter(&house, &at, Some(&key), json!({"name": "ann"})).await;
    assert_eq!(entered.0, 201, "{entered:?}");
    let shows = format!("Authorization: Bearer {key}\r\n");
    let path = format!("{next}/entry");
    let refused = exchange(house.address("http"), "POST", &path, &shows, r#"{"name":"ann"}"#).await;
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    assert!(refused.to_lowercase().contains("retry-after: 3"), "{refused}");
    assert!(refused.contains(r#""limit":"entries_per_h_per_address""#), "{refused}");
    house.close().await;
}

/// Entries over HTTP were counted by address, key or no key: behind one address only the first
/// sixty-four teams came in.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_enters_with_a_key_is_counted_by_it() {
    let house = House::open_with(|settings| {
        settings.limits.entries_per_h_per_address = 1;
        settings.limits.exempt_loopback = false;
        settings.limits.name_age_h = 0;
    })
    .await;
    let wish =
        |id: &str| json!({"game": "gamba", "id": id, "open": true, "plan": {"max_entrants": 64}});
    let (cup, other) = (convene(&house, wish("cup")).await, convene(&house, wish("other")).await);
    let mut entered = 0;
    let refused = loop {
        let name = format!("bot-{entered}");
        let key = claim(&house, &name).await;
        let (status, body) = enter(&house, &cup, Some(&key), json!({ "name": name })).await;
        if status != 201 || entered == 20 {
            break body;
        }
        entered += 1;
        // One who is refused has taken nothing; one who is in has had its share.
        let (status, body) = enter(&house, &cup, Some(&key), json!({ "name": name })).await;
        assert_eq!(status, 429, "{body}");
        let (status, body) = enter(&house, &other, Some(&key), json!({ "name": name })).await;
        assert_eq!((status, &body["limit"]), (429, &json!("entries_per_h_per_address")), "{body}");
    };
    // Anyone may claim names, so all keys of an address have eight times its share.
    assert_eq!((entered, &refused["code"]), (8, &json!("too-many")), "{refused}");
    house.close().await;
}

/// A request that cannot be granted is not an entry, and the client may ask again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_is_refused_costs_nothing() {
    let house = House::open_with(|settings| {
        settings.limits.entries_per_h_per_address = 1;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let cup = convene(&house, json!({"game": "gamba", "id": "cup", "open": true})).await;
    let key = claim(&house, "ann").await;
    for _ in 0..3 {
        let wrong = json!({"name": "ann", "display": "two\nlines"});
        assert_eq!(enter(&house, &cup, Some(&key), wrong).await.0, 400);
    }
    assert_eq!(enter(&house, &cup, Some(&key), json!({"name": "ann"})).await.0, 201);
    house.close().await;
}

/// Banned names and keys entered over HTTP all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_banned_enters_nothing_over_http() {
    let house = House::open().await;
    let cup = convene(&house, json!({"game": "gamba", "id": "cup", "open": true})).await;
    let key = claim(&house, "eve").await;
    for (ban, lift, cause) in [
        (json!({"name": "EVE"}), "name/eve".to_owned(), "the name 'eve' is banned here"),
        (
            json!({"key": key}),
            format!("key/{}", hall::KeyHash::of(&key).fingerprint()),
            "your key is banned here",
        ),
    ] {
        assert_eq!(house.http("POST", "/api/v1/bans", &ban.to_string()).await.0, 201);
        let (status, body) = enter(&house, &cup, Some(&key), json!({"name": "eve"})).await;
        assert_eq!((status, &body["code"], &body["error"]), (403, &json!("banned"), &json!(cause)));
        assert_eq!(house.http("DELETE", &format!("/api/v1/bans/{lift}"), "").await.0, 200);
    }
    assert_eq!(enter(&house, &cup, Some(&key), json!({"name": "eve"})).await.0, 201);
    house.close().await;
}
