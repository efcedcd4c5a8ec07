//! A claimed name, and everything that looks like it, belongs to its owner; and where every player
//! needs a key, no one plays without one.

use serde_json::json;

use crate::kit::House;
use crate::names::{call, claim, join};
use crate::tournaments::{ALL, convene, order};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_enters_to_play_under_the_name_of_somebody_else() {
    let house = House::open().await;
    let (ann, eve) = (claim(&house, "ann").await, claim(&house, "eve").await);
    for game in ["sushi-go", "subsim", "gamba", "tiger-dragon", "labyrinth"] {
        let at = convene(&house, json!({"game": game, "id": "cup", "open": true})).await;
        let entry = format!("{at}/entry");
        for taken in ["ann", "ANN", "bob"] {
            let body = json!({"name": "eve", "plays_as": taken}).to_string();
            let (status, refused) = call(&house, "POST", &entry, Some(&eve), &body).await;
            assert_eq!(status, 400, "{game} {taken}: {refused}");
        }
        for display in ["ann", "Ann", "аnn", "a nn", "ann\u{200b}", "\u{3164}"] {
            let body = json!({"name": "eve", "display": display}).to_string();
            let (status, refused) = call(&house, "POST", &entry, Some(&eve), &body).await;
            assert_eq!(status, 400, "{game} {display:?}: {refused}");
        }
        let (status, shown) =
            call(&house, "POST", &entry, Some(&ann), r#"{"name":"ann","plays_as":"ANN"}"#).await;
        assert_eq!(status, 201, "the owner enters {game} as it likes: {shown}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_organiser_gives_nobody_the_claimed_name_of_somebody_else() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    for entrant in [
        json!({"name": "eve", "plays_as": "ann"}),
        json!({"name": "eve", "display": "Ann"}),
        json!({"name": "ann", "bot": "random"}),
    ] {
        let wish = json!({"game": "gamba", "entrants": [entrant, "bob"]});
        let (status, refused) = order(&house, "POST", ALL, wish).await;
        assert_eq!(status, 400, "{refused}");
        assert!(refused.to_string().contains("is claimed"), "{refused}");
    }
    let wish = json!({"game": "gamba", "id": "cup", "entrants": ["ann", {"name": "eve", "plays_as": "bob"}]});
    let (status, made) = order(&house, "POST", ALL, wish).await;
    assert_eq!((status, &made["keys"][0]["key"]), (201, &json!(null)), "{made}");
    let said = join(&house, "/house/gamba", Some(&key), r#"{"do":"join","name":"ann"}"#).await;
    assert_ne!(said["type"], "refused", "{said}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_plays_under_a_name_that_looks_like_a_claimed_one() {
    let house = House::open().await;
    let key = claim(&house, "ann").await;
    let path = "/house/tiger-dragon";
    for name in ["аnn", "ａｎｎ", "ANN", "a nn"] {
        let message = json!({"do": "join", "name": name}).to_string();
        let said = join(&house, path, None, &message).await;
        assert_eq!(
            (&said["type"], &said["code"]),
            (&json!("refused"), &json!("needs-key")),
            "{said}"
        );
    }
    for name in ["bob\u{200b}", "\u{feff}bob", "\u{3164}", " ", "b\u{ad}ob"] {
        let message = json!({"do": "join", "name": name}).to_string();
        let said = join(&house, path, None, &message).await;
        assert_eq!(
            (&said["type"], &said["code"]),
            (&json!("refused"), &json!("bad-name")),
            "{said}"
        );
    }
    let (status, refused) = call(&house, "POST", "/api/v1/names", None, r#"{"name":"bi1l"}"#).await;
    assert_eq!(status, 201, "{refused}");
    let (status, refused) = call(&house, "POST", "/api/v1/names", None, r#"{"name":"bill"}"#).await;
    assert_eq!((status, &refused["code"]), (409, &json!("name-taken")), "{refused}");
    let said = join(&house, path, Some(&key), r#"{"do":"join","name":"ann"}"#).await;
    assert_eq!(said["type"], "joined", "the owner plays: {said}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_keys_are_required_nobody_plays_without_one() {
    let house = House::open_with(|settings| settings.names.require_key = true).await;
    house.table("t", 2).await;
    let key = claim(&house, "ann").await;
    for game in ["sushi-go", "subsim", "gamba", "tiger-dragon", "labyrinth"] {
        let path = format!("/house/{game}");
        let bob = r#"{"do":"join","name":"bob"}"#;
        for shown in [None, Some(&*key)] {
            let said = join(&house, &path, shown, bob).await;
            assert_eq!(said["code"], "key-required", "{game}: {said}");
        }
    }
    let mut client = house.client().await;
    let refused = client.ask("JOIN t bob").await;
    assert!(refused.starts_with("ERROR E010") && refused.contains("/connect"), "{refused}");
    let welcome = client.ask(&format!("JOIN t ann:{key}")).await;
    assert!(welcome.starts_with("WELCOME"), "{welcome}");
    // Colours have no owner: any key shows whose player it is.
    let red = r#"{"do":"join","name":"red"}"#;
    assert_eq!(join(&house, "/house/labyrinth", None, red).await["code"], "key-required");
    let said = join(&house, "/house/labyrinth", Some(&key), red).await;
    assert_eq!(said["type"], "joined", "{said}");
    let wish = json!({"game": "gamba", "open_names": true, "entrants": ["cy", "di"]});
    let (status, refused) = order(&house, "POST", ALL, wish).await;
    assert_eq!(status, 400, "{refused}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_claims_only_so_many_names_a_day() {
    let house = House::open_with(|settings| {
        settings.limits.exempt_loopback = false;
        settings.limits.claims_per_day_per_address = 2;
    })
    .await;
    claim(&house, "ann").await;
    claim(&house, "bob").await;
    let (status, refused) = call(&house, "POST", "/api/v1/names", None, r#"{"name":"cy"}"#).await;
    assert_eq!((status, &refused["limit"]), (429, &json!("claims_per_day_per_address")));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_audit_log_says_whom_an_act_concerned() {
    let house = House::open().await;
    let wish = json!({"game": "gamba", "id": "cup", "entrants": ["ann", "bob"]});
    let at = convene(&house, wish).await;
    order(&house, "POST", &format!("{at}/start"), json!(null)).await;
    let places = json!({"places": [2, 1]});
    order(&house, "POST", &format!("{at}/pairings/0/adjudicate"), places).await;
    order(&house, "POST", "/api/v1/kicks", json!({"name": "eve"})).await;
    order(&house, "POST", "/api/v1/bans", json!({"name": "eve", "reason": "rude"})).await;
    let (_, page) = order(&house, "GET", "/api/v1/audit", json!(null)).await;
    let acts = page["acts"].as_array().expect("acts").iter().rev();
    let about: Vec<&str> = acts.filter_map(|act| act["about"].as_str()).collect();
    let [made, decided, kicked, banned] = about[..] else { panic!("{about:?}") };
    assert_eq!(made, "made gamba cup with 2 entrants");
    assert!(decided.starts_with("decided pairing 0: 1. ") && decided.contains("2. "), "{decided}");
    assert_eq!(kicked, "closed 0 connections (name eve)");
    assert_eq!(banned, "banned name eve until it is lifted: rude");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_operators_may_ask_any_number_of_things() {
    let house = House::open_with(|settings| {
        settings.limits.exempt_loopback = false;
        settings.limits.requests_per_s_per_address = 1;
    })
    .await;
    for scope in ["read", "organise", "operate"] {
        let wish = json!({"name": scope, "scope": scope});
        let (_, made) = order(&house, "POST", "/api/v1/tokens", wish).await;
        let token = made["token"].as_str().expect("a token").to_owned();
        let mut statuses = Vec::new();
        while statuses.len() < 100 && statuses.last() != Some(&429) {
            statuses.push(call(&house, "GET", "/api/v1/tables", Some(&token), "").await.0);
        }
        let is_limited = statuses.last() == Some(&429);
        assert_eq!(is_limited, scope != "operate", "{scope}: {statuses:?}");
    }
    house.close().await;
}
