//! Standings, results and ratings of a tournament, in JSON and CSV.

use serde_json::{Value, json};

use crate::kit::{House, request};
use crate::tournaments::{bots, convene, get, next, order, until, watch};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_and_ratings_are_what_the_games_say() {
    let house = House::open().await;
    let at = convene(
        &house,
        json!({"game": "gamba", "id": "league", "plan": {"format": "round-robin"}, "entrants": bots(5)}),
    )
    .await;
    let mut feed = watch(&house, "/watch/gamba/tournaments/league").await;
    assert_eq!(next(&mut feed).await.unwrap()["phase"], "entering", "a picture at once");
    assert_eq!(order(&house, "POST", &format!("{at}/start"), Value::Null).await.0, 200);
    let end = until(&mut feed, |shown| shown["phase"] == "over").await;
    check_standings(&house, &at, &end).await;
    check_results(&house, &at, &end).await;
    check_ratings(&house).await;
    house.close().await;
}

/// The standings as a table, with the rating of every entrant.
async fn check_standings(house: &House, at: &str, end: &Value) {
    let (_, standings) = get(house, &format!("{at}/standings.csv")).await;
    let rated = get(house, "/api/v1/ratings/gamba").await.1;
    let rated = rated.as_array().unwrap();
    let mut expected =
        "place,name,points,played,won,drawn,lost,byes,display,withdrawn,direct,games_won,buchholz,\
         sonneborn_berger,wins,rating,rating_uncertainty\r\n"
            .to_owned();
    for line in end["standings"].as_array().unwrap() {
        let numbers = ["points", "played", "won", "drawn", "lost", "byes"];
        let numbers: Vec<String> = numbers.iter().map(|key| line[key].to_string()).collect();
        let name = line["name"].as_str().unwrap();
        let breaks = ["direct", "games_won", "buchholz", "sonneborn_berger", "wins"];
        let breaks: Vec<String> =
            breaks.iter().map(|key| line["tie_breaks"][key].to_string()).collect();
        let rating = rated.iter().find(|rated| rated["name"] == name).expect("all are rated");
        let number = |key: &str| rating[key].as_f64().unwrap();
        expected += &format!(
            "{},{name},{},,false,{},{:.1},{:.1}\r\n",
            line["place"],
            numbers.join(","),
            breaks.join(","),
            number("mean"),
            number("uncertainty")
        );
    }
    assert_eq!(standings.as_str().unwrap(), expected);
}

/// Two lines for each game.
async fn check_results(house: &House, at: &str, end: &Value) {
    let (_, results) = get(house, &format!("{at}/results.csv")).await;
    let results: Vec<&str> = results.as_str().unwrap().lines().collect();
    assert_eq!(
        results[0],
        "round,pairing,game,how,winner,name,place,points,game_how,cause,display,table,opened,closed"
    );
    assert_eq!(results.len(), 1 + 2 * 10, "two lines for each of ten games");
    let first = &end["pairings"][0];
    let winner = first["decision"]["winner"].as_u64();
    let winner = winner.map_or("", |n| end["entrants"][n as usize]["name"].as_str().unwrap());
    let standing = &first["games"][0]["outcome"][0];
    let line = format!(
        "1,0,1,played,{winner},{},{},{},played,finished,,{}",
        first["names"][0].as_str().unwrap(),
        standing["place"],
        standing["points"],
        first["games"][0]["table"].as_str().unwrap(),
    );
    assert!(results[1].starts_with(&format!("{line},20")), "{}", results[1]);
}

/// The published ratings are those that follow from the results, in the order in which the games ended.
async fn check_ratings(house: &House) {
    let (_, page) = get(house, "/api/v1/results?game=gamba&limit=100").await;
    let mut games = page["results"].as_array().unwrap().clone();
    games.reverse();
    assert_eq!(games.len(), 10);
    let mut ratings = tournament::Ratings::default();
    for game in &games {
        assert_eq!((&game["rated"], &game["status"]), (&json!(true), &json!("finished")));
        let places = game["closing"]["over"].as_array().unwrap().iter();
        let names = game["players"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
        let places = places.map(|standing| standing["place"].as_u64().unwrap() as u32);
        ratings.apply(&names.zip(places).collect::<Vec<_>>());
    }
    let expected = ratings.leaderboard().into_iter().map(|rated| {
        json!({"name": rated.name, "mean": rated.rating.mean,
            "uncertainty": rated.rating.uncertainty, "games": rated.rating.games})
    });
    let (status, shown) =
        request(house.address("http"), "GET", "/api/v1/ratings/gamba", "", "").await;
    // As texts, so that every digit counts.
    assert_eq!((status, shown), (200, expected.collect::<Value>().to_string()));
    assert_eq!(get(house, "/api/v1/ratings/sushi-go").await.1, json!([]));
}
