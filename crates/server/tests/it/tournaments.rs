//! Tournaments over HTTP: what organisers do, what the public sees, and what existing tools ask.

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::kit::{Client, House, PATIENCE, request};

pub type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

pub const ALL: &str = "/api/v1/tournaments";

/// A call by an organiser.
pub async fn order(house: &House, method: &str, path: &str, body: Value) -> (u16, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let (status, answer) = house.http(method, path, &body).await;
    (status, serde_json::from_str(&answer).unwrap_or(Value::String(answer)))
}

/// A request without a token.
pub async fn get(house: &House, path: &str) -> (u16, Value) {
    let (status, body) = request(house.address("http"), "GET", path, "", "").await;
    (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
}

/// Creates a tournament and returns its address.
pub async fn convene(house: &House, wish: Value) -> String {
    let (status, made) = order(house, "POST", ALL, wish).await;
    assert_eq!(status, 201, "{made}");
    format!("{ALL}/{}/{}", made["game"].as_str().unwrap(), made["id"].as_str().unwrap())
}

pub async fn watch(house: &House, path: &str) -> Socket {
    let url = format!("ws://{}{path}", house.address("http"));
    connect_async(url).await.expect("upgrades").0
}

/// The next thing a feed says; none once it is closed.
pub async fn next(feed: &mut Socket) -> Option<Value> {
    loop {
        match timeout(PATIENCE, feed.next()).await.expect("the feed says something")? {
            Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("JSON")),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

/// What a feed shows once something is so.
pub async fn until(feed: &mut Socket, mut wanted: impl FnMut(&Value) -> bool) -> Value {
    loop {
        let shown = next(feed).await.expect("the feed goes on");
        if wanted(&shown) {
            return shown;
        }
    }
}

pub fn bots(count: usize) -> Value {
    (0..count).map(|n| json!({"name": format!("bot{n}"), "bot": "random"})).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tournament_is_organised_from_its_convening_to_its_end() {
    let house = House::open().await;
    let at = convene(
        &house,
        json!({"game": "gamba", "id": "cup", "plan": {"format": "round-robin", "max_entrants": 4},
            "entrants": ["Ann", {"name": "Ben", "plays_as": "Benjamin"}, {"name": "Cy", "bot": "thrifty"}]}),
    )
    .await;
    assert_eq!(at, "/api/v1/tournaments/gamba/cup");
    let (_, shown) = get(&house, &at).await;
    assert_eq!((&shown["game"], &shown["phase"]), (&json!("gamba"), &json!("entering")));
    assert_eq!(shown["plan"]["format"], json!({"round-robin": {"cycles": 1}}));
    assert_eq!(shown["plan"]["seed"], Value::Null, "the lots to come are nobody's business");
    let entrant = |name: &str| json!({"name": name, "withdrawn": false, "present": false});
    let mut ben = entrant("Ben");
    ben["plays_as"] = json!("Benjamin");
    assert_eq!((&shown["entrants"][0], &shown["entrants"][1]), (&entrant("Ann"), &ben));
    assert_eq!(shown["entrants"][2]["bot"], "thrifty");

    let (_, list) = get(&house, &format!("{ALL}?game=gamba")).await;
    let listed = &list["tournaments"];
    assert_eq!((listed.as_array().unwrap().len(), &list["next"]), (1, &Value::Null));
    for key in ["game", "id", "phase", "plan", "convened_at", "open", "round"] {
        assert_eq!(listed[0][key], shown[key], "{key}");
    }
    assert_eq!((&listed[0]["entered"], &listed[0]["withdrawn"]), (&json!(3), &json!(0)));
    let none = json!({"tournaments": [], "next": null});
    assert_eq!(get(&house, &format!("{ALL}?game=sushi-go")).await.1, none);
    assert_eq!(get(&house, &format!("{ALL}?status=running")).await.1, none);
    assert_eq!(get(&house, &format!("{ALL}?status=entering")).await.1, list);
    assert_eq!(get(&house, ALL).await.1, list);

    let (status, shown) =
        order(&house, "POST", &format!("{at}/entrants"), json!({"name": "Di", "bot": "random"}))
            .await;
    assert_eq!((status, &shown["entrants"][3]["name"]), (200, &json!("Di")), "{shown}");
    let (status, shown) = order(&house, "DELETE", &format!("{at}/entrants/Ann"), Value::Null).await;
    assert_eq!((status, shown["entrants"].as_array().unwrap().len()), (200, 3), "{shown}");

    let (status, shown) = order(&house, "POST", &format!("{at}/start"), Value::Null).await;
    assert_eq!((status, &shown["phase"]), (200, &json!("running")), "{shown}");
    assert_eq!(shown["pairings"].as_array().unwrap().len(), 3);
    let (_, shown) = order(&house, "POST", &format!("{at}/pause"), Value::Null).await;
    assert_eq!(shown["phase"], "paused");
    let (_, shown) = order(&house, "POST", &format!("{at}/resume"), Value::Null).await;
    assert_eq!(shown["phase"], "running");

    // Ben never comes: the organiser decides one of his games, and withdraws him from the other.
    let of_ben = |pairing: &&Value| pairing["names"].as_array().unwrap().contains(&json!("Ben"));
    let pairings = shown["pairings"].as_array().unwrap();
    let first = pairings.iter().find(of_ben).unwrap();
    let places: Vec<u32> = match first["names"][0] == "Ben" {
        true => vec![1, 2],
        false => vec![2, 1],
    };
    let path = format!("{at}/pairings/{}/adjudicate", first["id"]);
    let (status, shown) = order(&house, "POST", &path, json!({"places": places})).await;
    assert_eq!(status, 200, "{shown}");
    let decision = &shown["pairings"][first["id"].as_u64().unwrap() as usize]["decision"];
    assert_eq!((&decision["how"], &decision["winner"]), (&json!("adjudicated"), &json!(0)));
    let mut feed = watch(&house, "/watch/gamba/tournaments/cup").await;
    let (status, _) = order(&house, "DELETE", &format!("{at}/entrants/Ben"), Value::Null).await;
    assert_eq!(status, 200);
    let end = until(&mut feed, |shown| shown["phase"] == "over").await;
    assert_eq!(next(&mut feed).await, None, "there is nothing more to say");
    assert!(["Cy", "Di"].contains(&end["winner"].as_str().unwrap()), "{end}");
    assert!(end["plan"]["seed"].is_string(), "after the end everybody may check the lots: {end}");
    assert_eq!(get(&house, &at).await, (200, end));
    house.close().await;
}

/// A request, and the status and a part of the reason it is refused with.
type Refusal<'a> = (&'a str, &'a str, Value, u16, &'a str);

/// Tournaments that cannot be created.
fn impossible_tournaments() -> Vec<Refusal<'static>> {
    let refused = |body: Value, status, text| ("POST", ALL, body, status, text);
    let planned =
        |plan: Value, text| ("POST", ALL, json!({"game": "gamba", "plan": plan}), 400, text);
    let entered = |entrants: Value, status, text| {
        ("POST", ALL, json!({"game": "gamba", "entrants": entrants}), status, text)
    };
    vec![
        refused(json!({"game": "gamba", "id": "cup"}), 409, "a tournament 'cup' already"),
        refused(json!({"game": "chess"}), 404, "no game 'chess'"),
        refused(json!({"game": "gamba", "id": "a b"}), 400, "an id is"),
        refused(json!({"game": "gamba", "colour": 1}), 400, "unknown field `colour`"),
        refused(json!({"game": "gamba", "options": {"speed": 1}}), 400, "speed"),
        planned(json!({"best_of": 2}), "best_of is 2"),
        planned(json!({"format": "league"}), "knockout"),
        planned(json!({"table_seats": 3}), "a table of 3"),
        planned(json!({"table_seats": 9}), "2 seats, not 9"),
        planned(json!({"table_seats": 99}), "2 to 64"),
        entered(json!(["Ann"]), 409, "in 'cup', which is not over"),
        entered(json!(["C", "D", "C"]), 409, "'C' is taken"),
        entered(json!([{"name": "X", "bot": "x"}]), 400, "thrifty"),
        entered(json!(["a|b"]), 400, "use 1 to 32 of"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn impossible_requests_are_refused_with_the_reason() {
    let house = House::open().await;
    let at =
        convene(&house, json!({"game": "gamba", "id": "cup", "entrants": ["Ann", "Ben"]})).await;
    let (none, nowhere) = (Value::Null, "no tournament 'nowhere'");
    let at_cup = |call: &str| format!("{at}/{call}");
    let [entrants, cy, pause, resume] = ["entrants", "entrants/Cy", "pause", "resume"].map(at_cup);
    let adjudicate = at_cup("pairings/0/adjudicate");
    let at_nowhere = |path: &str| format!("{ALL}/gamba/nowhere{path}");
    let [start, show, standings] = ["/start", "", "/standings.csv"].map(at_nowhere);
    let mut cases = impossible_tournaments();
    cases.extend([
        ("POST", &*entrants, json!("Ann"), 409, "'Ann' is "),
        ("POST", &*entrants, json!({"nom": "Cy"}), 400, ""),
        ("DELETE", &*cy, none.clone(), 400, "not an entrant"),
        ("POST", &*pause, none.clone(), 400, "has not begun"),
        ("POST", &*resume, none.clone(), 400, "not paused"),
        ("POST", &*adjudicate, json!({"places": [1, 2]}), 400, "not begun"),
        ("POST", &*start, none.clone(), 404, nowhere),
        ("GET", &*show, none.clone(), 404, nowhere),
        ("GET", &*standings, none.clone(), 404, "nowhere"),
        ("GET", "/api/v1/tournaments/chess/cup", none.clone(), 404, "no game 'chess'"),
        ("GET", "/api/v1/tournaments?game=chess", none.clone(), 404, "no game 'chess'"),
        ("GET", "/watch/gamba/tournaments/nowhere", none.clone(), 404, "nowhere"),
        ("GET", "/watch/gamba/tournaments/cup", none.clone(), 426, "ws://"),
        ("GET", "/api/v1/ratings/chess", none.clone(), 404, "no game 'chess'"),
        ("GET", "/api/tournaments/nowhere", none.clone(), 404, "nowhere"),
    ]);
    for (method, path, body, expected, text) in cases {
        let (status, answer) = order(&house, method, path, body.clone()).await;
        assert_eq!(status, expected, "{method} {path} {body}: {answer}");
        let why = answer["error"].as_str().unwrap_or_else(|| panic!("{path}: {answer}"));
        assert!(why.contains(text), "{method} {path} {body}: {why}");
    }
    let (status, shown) = order(&house, "POST", &format!("{at}/cancel"), Value::Null).await;
    assert_eq!(
        (status, &shown["phase"], &shown["winner"]),
        (200, &json!("cancelled"), &Value::Null)
    );
    for call in ["start", "pause", "resume", "cancel"] {
        let (status, answer) = order(&house, "POST", &format!("{at}/{call}"), Value::Null).await;
        assert_eq!(status, 409, "{call}: {answer}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_a_tournament_needs_the_admin_token() {
    let house = House::open_with(|settings| settings.http.open_create = false).await;
    let at =
        convene(&house, json!({"game": "gamba", "id": "cup", "entrants": ["Ann", "Ben"]})).await;
    let before = get(&house, &at).await;
    let (http, name) = (house.address("http"), r#""Cy""#);
    let (wish, places) = (r#"{"game":"gamba"}"#, r#"{"places":[1,2]}"#);
    for (method, path, body) in [
        ("POST", ALL.to_owned(), wish),
        ("POST", "/api/tournaments".to_owned(), "{}"),
        ("POST", format!("{at}/entrants"), name),
        ("DELETE", format!("{at}/entrants/Ann"), ""),
        ("POST", format!("{at}/start"), ""),
        ("POST", format!("{at}/pause"), ""),
        ("POST", format!("{at}/resume"), ""),
        ("POST", format!("{at}/cancel"), ""),
        ("POST", format!("{at}/pairings/0/adjudicate"), places),
    ] {
        assert_eq!(request(http, method, &path, "", body).await.0, 401, "{method} {path}");
        let wrong = "Authorization: Bearer wrong\r\n";
        assert_eq!(request(http, method, &path, wrong, body).await.0, 403, "{method} {path}");
    }
    assert_eq!(get(&house, &at).await, before);
    assert_eq!(get(&house, ALL).await.1["tournaments"].as_array().unwrap().len(), 1);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_are_not_rated_do_not_count() {
    let house = House::open().await;
    let wish =
        json!({"game": "gamba", "id": "practice", "entrants": bots(2), "plan": {"rated": false}});
    let at = convene(&house, wish).await;
    let mut feed = watch(&house, "/watch/gamba/tournaments/practice").await;
    order(&house, "POST", &format!("{at}/start"), Value::Null).await;
    until(&mut feed, |shown| shown["phase"] == "over").await;
    assert_eq!(get(&house, "/api/v1/ratings/gamba").await.1, json!([]));
    house.close().await;
}

/// Follows a Sushi Go tournament to its end: TJOIN, play, LEAVE.
pub async fn follow(mut client: Client) -> String {
    loop {
        let line = client.line().await;
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["TOURNAMENT_MATCH", _, token, _, _] => client.send(&format!("TJOIN {token}")).await,
            ["HAND", ..] => client.send("PLAY 0").await,
            ["GAME_END", ..] => client.send("LEAVE").await,
            ["TOURNAMENT_COMPLETE", _, winner] => return winner.to_owned(),
            _ => assert!(!line.starts_with("ERROR"), "{line}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tournament_calls_of_existing_tools() {
    let house = House::open().await;
    // The tools use the game port for HTTP; both dialects' ports have it.
    for port in ["http", "sushi-go", "sushi-go-sdk"] {
        let call = async |method: &str, path: &str, body: &str| {
            let (status, body) = request(house.address(port), method, path, "", body).await;
            (status, serde_json::from_str::<Value>(&body).unwrap_or(Value::String(body)))
        };
        for body in [
            r#"{"max_players":1}"#,
            r#"{"max_players":1025}"#,
            r#"{"max_players":"many"}"#,
            r#"{"match_size":1}"#,
            r#"{"match_size":6}"#,
            "[]",
            "{",
        ] {
            let (status, answer) = call("POST", "/api/tournaments", body).await;
            assert_eq!(status, 400, "{port} {body}: {answer}");
            assert!(answer["error"].is_string(), "{port} {body}: {answer}");
        }
        for players in [2, 1024] {
            let body = json!({ "max_players": players }).to_string();
            let (status, made) = call("POST", "/api/tournaments", &body).await;
            let id = made["id"].as_str().unwrap_or_else(|| panic!("{port}: {made}"));
            let shape = json!({"id": id, "player_count": 0, "max_players": players,
                "match_size": 2, "status": "waiting"});
            assert_eq!((status, &made), (200, &shape), "{port}");
            let (_, list) = call("GET", "/api/tournaments", "").await;
            assert_eq!(list["tournaments"].as_array().unwrap().last(), Some(&shape), "{port}");
        }
    }
    let (_, made) = request(
        house.address("http"),
        "POST",
        "/api/tournaments",
        "",
        r#"{"max_players":2,"match_size":2}"#,
    )
    .await;
    let made: Value = serde_json::from_str(&made).unwrap();
    let id = made["id"].as_str().unwrap();
    let mut feed = watch(&house, &format!("/ws/tournaments/{id}")).await;
    let first = next(&mut feed).await.unwrap();
    assert_eq!((&first["phase"], &first["entrants"]), (&json!("entering"), &json!([])));
    let mut clients = Vec::new();
    for (number, name) in (1..).zip(["Ann", "Ben"]) {
        let mut client = house.client().await;
        let welcome = client.ask(&format!("TOURNEY {id} {name}")).await;
        assert!(welcome.starts_with(&format!("TOURNAMENT_WELCOME {id} {number}/2 ")), "{welcome}");
        let shown = until(&mut feed, |shown| shown["entrants"].as_array().unwrap().len() == number);
        assert_eq!(shown.await["entrants"][number - 1]["name"], name);
        clients.push(client);
    }
    let ben = follow(clients.pop().unwrap());
    let ann = follow(clients.pop().unwrap());
    let (ann, ben) = tokio::join!(ann, ben);
    assert_eq!(ann, ben);
    let end = until(&mut feed, |shown| shown["phase"] == "over").await;
    assert_eq!(end["winner"], json!(ann));
    assert_eq!(next(&mut feed).await, None);
    let (_, shown) = get(&house, &format!("/api/tournaments/{id}")).await;
    assert_eq!(shown["players"], json!(["Ann", "Ben"]));
    assert_eq!((&shown["status"], &shown["round"]), (&json!("finished"), &json!(1)));
    assert_eq!((&shown["winner"], &shown["matches"]), (&end["winner"], &end["pairings"]));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_watched_as_existing_tools_do() {
    let house = House::open().await;
    house.table("t", 2).await;
    let mut feed = watch(&house, "/ws/games/t").await;
    let first = next(&mut feed).await.unwrap();
    assert!(first["type"].is_string(), "a picture at once: {first}");
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    let joined = until(&mut feed, |said| said.to_string().contains("One")).await;
    assert!(joined["type"].is_string(), "{joined}");
    two.join("t", "Two").await;
    tokio::join!(one.play_out(), two.play_out());
    let (mut updates, mut names) = (0, Value::Null);
    let over = until(&mut feed, |said| {
        if said["type"] == "update" {
            updates += 1;
            names = said["names"].clone();
        }
        said["type"] == "over"
    });
    assert_eq!(over.await["how"], json!(["finished", "finished"]));
    assert_eq!(names, json!(["One", "Two"]));
    assert_eq!(updates, 31, "the start and thirty turns");
    house.close().await;
}
