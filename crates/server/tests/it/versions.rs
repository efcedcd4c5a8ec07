//! Which version of a bot played: said when a name is claimed, when it enters or when it joins, kept
//! with every game, rated by itself.

use serde_json::{Value, json};

use crate::kit::House;
use crate::names::call;
use crate::tournaments::{ALL, follow, get, order, until, watch};

/// A cup of two over Sushi Go's own protocol, which has no field for versions. Players without a
/// key get one; returns the versions of the players as the result shows them.
async fn cup(house: &House, id: &str, ann_key: &str, entrants: Value) -> Value {
    let wish = json!({"game": "sushi-go", "id": id, "entrants": entrants});
    let (status, made) = order(house, "POST", ALL, wish).await;
    assert_eq!(status, 201, "{made}");
    let at = format!("{ALL}/sushi-go/{id}");
    let ben_key = made["keys"][1]["key"].as_str().expect("ben has not claimed his name");
    let mut players = Vec::new();
    for (name, key) in [("ann", ann_key), ("ben", ben_key)] {
        let mut client = house.client().await;
        let welcome = client.ask(&format!("TOURNEY {id} {name}:{key}")).await;
        assert!(welcome.starts_with("TOURNAMENT_WELCOME"), "{welcome}");
        players.push(client);
    }
    let mut feed = watch(house, &format!("/watch/sushi-go/tournaments/{id}")).await;
    order(house, "POST", &format!("{at}/start"), Value::Null).await;
    let (ben, ann) = (players.pop().expect("two"), players.pop().expect("two"));
    tokio::join!(follow(ann), follow(ben));
    let shown = until(&mut feed, |shown| shown["phase"] == "over").await;
    let table = shown["pairings"][0]["games"][0]["table"].as_str().expect("a table").to_owned();
    let (_, result) = get(house, &format!("/api/v1/results/sushi-go/{table}")).await;
    let seats = result["players"].as_array().expect("two players").iter();
    let version = |(seat, name): (usize, &Value)| {
        (name.as_str().expect("a name").to_owned(), result["versions"][seat].clone())
    };
    seats.enumerate().map(version).collect::<serde_json::Map<_, _>>().into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_version_is_kept_with_every_game_and_rated_by_itself() {
    let house = House::open().await;
    let names = "/api/v1/names";
    let claim = json!({"name": "ann", "version": "1.0"}).to_string();
    let (status, made) = call(&house, "POST", names, None, &claim).await;
    assert_eq!(status, 201, "{made}");
    let key = made["key"].as_str().expect("a key");

    // Claimed with the name, and said when ben was entered.
    let ben = json!({"name": "ben", "version": "β 2"});
    let played = cup(&house, "one", key, json!(["ann", ben])).await;
    assert_eq!(played, json!({"ann": "1.0", "ben": "β 2"}));

    // Another version from now on; a version given to the tournament takes precedence.
    let at = format!("{names}/ann/version");
    let said = json!({"version": "1.1"}).to_string();
    let (status, refused) = call(&house, "PUT", &at, None, &said).await;
    assert_eq!((status, &refused["code"]), (403, &json!("needs-key")), "{refused}");
    for wrong in ["", "a\nb", &"x".repeat(65)] {
        let body = json!({ "version": wrong }).to_string();
        let (status, refused) = call(&house, "PUT", &at, Some(key), &body).await;
        assert_eq!(status, 400, "{refused}");
        assert!(refused.to_string().contains("1 to 64 characters"), "{refused}");
    }
    let (status, changed) = call(&house, "PUT", &at, Some(key), &said).await;
    assert_eq!((status, &changed["version"]), (200, &json!("1.1")), "{changed}");
    let played = cup(&house, "two", key, json!(["ann", "ben"])).await;
    assert_eq!(played, json!({"ann": "1.1", "ben": null}));
    let ann = json!({"name": "ann", "version": "1.2-rc"});
    let played = cup(&house, "three", key, json!([ann, "ben"])).await;
    assert_eq!(played, json!({"ann": "1.2-rc", "ben": null}));
    let (_, listed) = order(&house, "GET", names, Value::Null).await;
    assert_eq!(listed["names"][0]["version"], "1.1");
    let (_, shown) = get(&house, &format!("{ALL}/sushi-go/three")).await;
    assert_eq!(shown["entrants"][0]["version"], "1.2-rc");

    // One rating for ann, and one for each of her versions, by both methods.
    for place in ["/api/v1/ratings/sushi-go", "/api/v1/ratings/sushi-go/likelihood"] {
        let players = |body: Value| body.get("players").cloned().unwrap_or(body);
        let ask = async |query: &str| players(get(&house, &format!("{place}{query}")).await.1);
        let bots = ask("").await;
        assert_eq!(bots.as_array().unwrap().len(), 2, "{bots}");
        assert_eq!(ask("?name=ann").await[0]["games"], 3);
        let versions = ask("?name=ann&per=version").await;
        let mut seen: Vec<_> = versions.as_array().unwrap().iter().map(|v| &v["version"]).collect();
        seen.sort_by_key(|version| version.to_string());
        assert_eq!(seen, [&json!("1.0"), &json!("1.1"), &json!("1.2-rc")], "{place}");
        assert!(versions.as_array().unwrap().iter().all(|v| v["games"] == 1), "{versions}");
    }
    house.close().await;
}

/// What a bot says itself when it joins goes before everything else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_version_said_on_joining_goes_before_the_names_own() {
    let house = House::open().await;
    let claim = json!({"name": "ann", "version": "1.0"}).to_string();
    let (_, made) = call(&house, "POST", "/api/v1/names", None, &claim).await;
    let key = made["key"].as_str().expect("a key");
    let join = |more: Value| {
        let mut join = json!({"do": "join", "name": "ann", "key": key, "bots": ["random"]});
        join.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        join.to_string()
    };
    let cases = [
        ("gamba", json!({"version": "dev"}), json!("dev")),
        ("sushi-go", json!({}), json!("1.0")),
        // A person who plays by hand is no version of the bot.
        ("tiger-dragon", json!({"person": true}), Value::Null),
    ];
    for (game, more, version) in cases {
        let at = format!("/house/{game}");
        let joined = crate::names::join(&house, &at, None, &join(more)).await;
        let table = joined["table"].as_str().unwrap_or_else(|| panic!("{joined}"));
        let (_, shown) = get(&house, &format!("/api/v1/tables/{game}/{table}")).await;
        let seats = shown["company"].as_array().unwrap_or_else(|| panic!("{shown}"));
        let ann = seats.iter().find(|seat| seat["name"] == "ann").expect("she sits there");
        assert_eq!(ann["version"], version, "{shown}");
    }
    house.close().await;
}
