//! How results came about, and who they are about, as the public reads it.

use serde_json::{Value, json};

use crate::kit::House;
use crate::tournaments::{ALL, convene, get, order, until, watch};

/// A no-show was reported as `played` in the JSON, in the CSV and among the results.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_no_show_is_reported_as_one_everywhere() {
    let house = House::open().await;
    let bot = json!({"name": "r1", "bot": "random"});
    let wish = json!({"game": "gamba", "id": "cup", "entrants": ["ann", bot], "no_show_s": 0});
    let at = convene(&house, wish).await;
    let mut feed = watch(&house, "/watch/gamba/tournaments/cup").await;
    assert_eq!(order(&house, "POST", &format!("{at}/start"), Value::Null).await.0, 200);
    let end = until(&mut feed, |shown| shown["phase"] == "over").await;
    let pairing = &end["pairings"][0];
    assert_eq!(pairing["how"], "forfeit");
    let game = &pairing["games"][0];
    assert_eq!(game["how"], "forfeit");
    let ann = if pairing["names"][0] == "ann" { 0 } else { 1 };
    assert_eq!(game["causes"][ann], "never came");
    assert_eq!(game["causes"][1 - ann], "finished");
    assert_eq!(pairing["games_won"][1 - ann], 1);

    let (_, results) = get(&house, &format!("{at}/results.csv")).await;
    let line = results.as_str().unwrap().lines().find(|line| line.contains(",ann,")).unwrap();
    assert!(line.starts_with("1,0,1,forfeit,r1,ann,"), "{line}");
    let table = game["table"].as_str().unwrap();
    let (line, closed) = line.rsplit_once(',').unwrap();
    let (line, opened) = line.rsplit_once(',').unwrap();
    assert!(line.ends_with(&format!(",forfeit,never came,,{table}")), "{line}");
    for time in [opened, closed] {
        assert!(time.len() == 24 && time.starts_with("20") && time.ends_with('Z'), "{time}");
    }
    assert!(opened <= closed, "{opened} {closed}");

    let (_, page) = get(&house, "/api/v1/results?game=gamba&tournament=true").await;
    let result = &page["results"][0];
    assert_eq!(result["tournament"], "cup");
    let (_, open) = get(&house, "/api/v1/results?game=gamba&tournament=false").await;
    assert_eq!(open["results"], json!([]));
    assert_eq!(get(&house, "/api/v1/results?tournament=cup").await.0, 400);
    assert_eq!(result["how"], "forfeit");
    assert_eq!(result["causes"][ann], "never came");
    house.close().await;
}

/// Standings are read by people, who have names with spaces; protocols and logs have none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entrant_has_a_display_name_besides_its_own() {
    let house = House::open().await;
    let ann = json!({"name": "ann", "display": "Ann, the Great"});
    let at = convene(&house, json!({"game": "gamba", "id": "cup", "entrants": [ann, "bob"]})).await;
    let (_, shown) = get(&house, &at).await;
    assert_eq!(shown["entrants"][0]["name"], "ann");
    assert_eq!(shown["entrants"][0]["display"], "Ann, the Great");
    assert_eq!(shown["entrants"][1]["display"], Value::Null);
    let (_, standings) = get(&house, &format!("{at}/standings.csv")).await;
    let line = standings.as_str().unwrap().lines().find(|line| line.contains(",ann,")).unwrap();
    assert!(line.contains(",\"Ann, the Great\",false,"), "{line}");

    let at = format!("{at}/entrants");
    for (entrant, why) in [
        (json!({"name": "cy", "display": " "}), "use 1 to 60 characters"),
        (json!({"name": "cy", "display": "a\nb"}), "on one line"),
        (json!("Cy the Third"), "use 1 to 32 of A-Z a-z 0-9 _ -"),
        (json!({"name": "cy", "plays_as": "é"}), "\"é\" cannot be a player's name here"),
    ] {
        let (status, answer) = order(&house, "POST", &at, entrant.clone()).await;
        assert_eq!(status, 400, "{entrant}");
        assert!(answer["error"].as_str().unwrap().contains(why), "{entrant}: {answer}");
    }
    assert_eq!(get(&house, ALL).await.1["tournaments"][0]["entered"], 2);
    // One team alone was accepted, and the error came at the start.
    let alone = json!({"game": "gamba", "id": "alone", "entrants": ["zoe"]});
    let (status, answer) = order(&house, "POST", ALL, alone).await;
    let why = "needs at least 2 entrants, and this one has 1";
    assert!(status == 400 && answer["error"].as_str().unwrap().contains(why), "{answer}");
    house.close().await;
}

/// The names for people were in the standings alone; at the tables there were none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_for_people_are_shown_at_the_tables() {
    let house = House::open().await;
    let bot = json!({"name": "r1", "bot": "random", "display": "The Robot"});
    let entrants = json!(["ann", bot]);
    let wish = json!({"game": "gamba", "id": "cup", "entrants": entrants, "no_show_s": 0});
    let at = convene(&house, wish).await;
    let mut feed = watch(&house, "/watch/gamba/tournaments/cup").await;
    assert_eq!(order(&house, "POST", &format!("{at}/start"), Value::Null).await.0, 200);
    let end = until(&mut feed, |shown| shown["phase"] == "over").await;
    let id = end["pairings"][0]["games"][0]["table"].as_str().expect("it had a table").to_owned();
    let (_, page) = get(&house, "/api/v1/tables?game=gamba").await;
    let tables = page["tables"].as_array().expect("a list");
    let table = tables.iter().find(|table| table["id"] == *id).expect("it is remembered");
    let seats = table["company"].as_array().expect("a list");
    let robot = seats.iter().find(|seat| seat["name"] == "r1").expect("it has played");
    assert_eq!(robot["display"], "The Robot");
    // Spectators and replays of the game get the same.
    let (_, frames) = house.http("GET", &format!("/api/v1/results/gamba/{id}/frames"), "").await;
    let first: Value = serde_json::from_str(frames.lines().next().expect("a table")).expect("JSON");
    let seats = first["seats"].as_array().expect("a list");
    let shown = |name: &str| {
        let seat = seats.iter().find(|seat| seat["name"] == name).expect("it has a seat");
        seat["display"].clone()
    };
    assert_eq!((shown("r1"), shown("ann")), (json!("The Robot"), Value::Null));
    house.close().await;
}

/// Everything a player's page shows is read from the archive, and pages of games add up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_is_shown_from_the_archive() {
    let house = House::open().await;
    let ann = json!({"name": "ann", "bot": "random", "display": "Ann, the Great"});
    let bots = [ann, json!({"name": "bob", "bot": "thrifty"})];
    let plan = json!({"format": "round-robin", "best_of": 3});
    let wish = json!({"game": "gamba", "id": "cup", "entrants": bots, "plan": plan});
    let at = convene(&house, wish).await;
    let mut feed = watch(&house, "/watch/gamba/tournaments/cup").await;
    assert_eq!(order(&house, "POST", &format!("{at}/start"), Value::Null).await.0, 200);
    let end = until(&mut feed, |shown| shown["phase"] == "over").await;
    let games = end["pairings"][0]["games"].as_array().unwrap().len();
    assert!(games >= 2);

    let (_, ann) = get(&house, "/api/v1/players/ann").await;
    let played = ann["games"].as_array().unwrap();
    assert_eq!((played.len(), &played[0]["game"]), (1, &json!("gamba")));
    assert_eq!(ann["display"], "Ann, the Great");
    let standings = end["standings"].as_array().unwrap().iter();
    let own = standings.into_iter().find(|standing| standing["name"] == "ann").unwrap();
    let placement = &ann["placements"][0];
    assert_eq!((&placement["game"], &placement["tournament"]), (&json!("gamba"), &json!("cup")));
    assert_eq!((&placement["place"], &placement["entrants"]), (&own["place"], &json!(2)));
    let (_, bob) = get(&house, "/api/v1/players/bob").await;
    assert_eq!(bob["display"], Value::Null);
    let (_, board) = get(&house, "/api/v1/ratings/gamba").await;
    for rated in board.as_array().unwrap() {
        let expected = if rated["name"] == "ann" { json!("Ann, the Great") } else { Value::Null };
        assert_eq!(rated["display"], expected);
    }
    let (_, board) = get(&house, "/api/v1/ratings/gamba?limit=1&after=1").await;
    let last = if played[0]["rank"] == 2 { "ann" } else { "bob" };
    assert_eq!((board.as_array().unwrap().len(), &board[0]["name"]), (1, &json!(last)));

    let (_, record) = get(&house, "/api/v1/players/ann/gamba").await;
    assert_eq!(record["games"], games);
    assert_eq!(
        (&record["tournament"]["games"], &record["open"]["games"]),
        (&json!(games), &json!(0))
    );
    assert_eq!(record["history"].as_array().unwrap().len(), games);
    assert_eq!(record["history"][games - 1]["mean"], played[0]["rating"]["mean"]);
    assert_eq!(record["next"], Value::Null);
    let met = &record["opponents"][0];
    assert_eq!((&met["name"], &met["won"]), (&json!("bob"), &record["won"]));
    let (_, first) = get(&house, "/api/v1/players/ann/gamba?limit=1").await;
    let rest = format!("/api/v1/players/ann/gamba?after={}", first["next"]);
    let (_, rest) = get(&house, &rest).await;
    for count in ["games", "won", "shared", "lost"] {
        let sum = first[count].as_u64().unwrap() + rest[count].as_u64().unwrap();
        assert_eq!(record[count], sum, "{count}");
    }

    let (_, moves) = get(&house, "/api/v1/players/ann/gamba/moves").await;
    assert_eq!((&moves["games"], &moves["unreadable"]), (&json!(games), &json!(0)));
    let times = moves["times"].as_array().unwrap().iter();
    let timed: u64 = times.map(|time| time["moves"].as_u64().unwrap()).sum();
    assert!(timed > 0 && moves["moves"] == timed, "{moves}");

    for path in ["/api/v1/players/cy", "/api/v1/players/ann/subsim", "/api/v1/players/ann/chess"] {
        assert_eq!(get(&house, path).await.0, 404, "{path}");
    }
    house.close().await;
}
