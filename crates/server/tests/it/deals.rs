//! Tournaments that deal the same cards again: their games are shown whole when all is over.

use serde_json::{Value, json};

use crate::kit::House;
use crate::tournaments::{ALL, convene, get, order, until, watch};

/// A round-robin of three house bots and somebody who never comes: one game is over, the tournament
/// is not. Where the tournament is, and where the game.
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
    let secrets =
        ["frames?viewer=all", "frames?viewer=0", "replay"].map(|part| format!("{game}/{part}"));
    for secret in &secrets {
        let (status, refused) = get(&house, secret).await;
        assert_eq!((status, &refused["code"]), (409, &json!("not-over")), "{secret}: {refused}");
        let (status, _) = order(&house, "GET", secret, Value::Null).await;
        assert_eq!(status, 200, "the organiser may see {secret}");
    }
    assert_eq!(get(&house, &format!("{game}/frames")).await.0, 200, "what is public stays so");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deals_that_repeat_are_not_broadcast_delayed() {
    let house = House::open().await;
    let wish = json!({"game": "gamba", "plan": {"deals": "repeat"}, "entrants": ["ann", "bob"],
        "options": {"broadcast": "delayed"}});
    let (status, refused) = order(&house, "POST", ALL, wish).await;
    assert_eq!(status, 400, "{refused}");
    assert!(refused.to_string().contains("the deals repeat"), "{refused}");
    house.close().await;
}
