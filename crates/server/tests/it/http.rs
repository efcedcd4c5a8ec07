use serde_json::{Value, json};

use crate::kit::{House, play_beside, request};

async fn get(house: &House, path: &str) -> (u16, Value) {
    let (status, body) = request(house.address("http"), "GET", path, "", "").await;
    (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_and_metrics() {
    let house = House::open().await;
    assert_eq!(get(&house, "/healthz").await, (200, json!("ok\n")));
    assert_eq!(get(&house, "/readyz").await, (200, json!("ready\n")));
    play_beside(&house, "t").await;
    assert!(house.client().await.ask("JOIN nowhere X").await.starts_with("ERROR E005 "));
    let (_, metrics) = get(&house, "/metrics").await;
    let metrics = metrics.as_str().unwrap();
    for name in [
        "parlor_connections{game=\"sushi-go\"}",
        "parlor_tables{game=\"sushi-go\"} 1",
        "parlor_moves_total{game=\"sushi-go\"} 60",
        "parlor_turn_latency_seconds_bucket{le=\"0.001\",game=\"sushi-go\"}",
        "parlor_turn_latency_seconds_count{game=\"sushi-go\"} 60",
        "parlor_bytes_in_total{game=\"sushi-go\"}",
        "parlor_bytes_out_total{game=\"sushi-go\"}",
        "parlor_refusals_total{game=\"sushi-go\",reason=\"not-found\"} 1",
    ] {
        assert!(metrics.contains(name), "{name} is missing in\n{metrics}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_created_shown_listed_and_closed() {
    let house = House::open().await;
    let wish = json!({"game": "sushi-go", "id": "final", "seats": 3, "names": ["Ann", "Ben"],
        "options": {"move_timeout_ms": 0}});
    let (status, body) = house.http("POST", "/api/v1/tables", &wish.to_string()).await;
    assert_eq!(status, 201, "{body}");
    let table: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(table["id"], "final");
    assert_eq!(table["seats"], 3);
    assert_eq!(table["reserved"], json!(["Ann", "Ben"]));
    assert_eq!(get(&house, "/api/v1/tables/sushi-go/final").await.1["status"], "waiting");
    let (_, list) = get(&house, "/api/v1/tables?game=sushi-go&status=waiting").await;
    let listed = list["tables"].as_array().unwrap().len();
    assert_eq!(listed, 2, "the house's own and this one: {list}");

    let mut stranger = house.client().await;
    stranger.join("final", "Stranger").await;
    let mut another = house.client().await;
    assert!(
        another.ask("JOIN final Other").await.starts_with("ERROR E011 "),
        "the rest is reserved"
    );
    let mut ann = house.client().await;
    ann.join("final", "Ann").await;

    let (status, body) = house.http("DELETE", "/api/v1/tables/sushi-go/final", "").await;
    assert_eq!(status, 200, "{body}");
    assert!(body.contains("closed by the organiser"), "{body}");
    assert_eq!(ann.line().await, r#"GAME_END {"Stranger":0,"Ann":0} []"#);
    let (status, body) = house.http("DELETE", "/api/v1/tables/sushi-go/final", "").await;
    assert_eq!((status, body.contains("is over")), (409, true), "{body}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_a_running_table_ends_it_for_its_players() {
    let house = House::open().await;
    house.table("t", 2).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    two.join("t", "Two").await;
    while !one.line().await.starts_with("HAND ") {}
    assert_eq!(house.http("DELETE", "/api/v1/tables/sushi-go/t", "").await.0, 200);
    assert_eq!(one.line().await, r#"GAME_END {"One":0,"Two":0} []"#);
    let (_, table) = get(&house, "/api/v1/tables/sushi-go/t").await;
    assert_eq!(table["status"], "void");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_has_ended_is_retired_from_its_game() {
    let house = House::open().await;
    house.table("t", 2).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    two.join("t", "Two").await;
    while !one.line().await.starts_with("HAND ") {}
    let crashed = "/api/v1/tables/sushi-go/t/crashed";
    assert_eq!(house.http("POST", crashed, r#"{"seat":7}"#).await.0, 400);
    assert_eq!(house.http("POST", crashed, r#"{"chair":1}"#).await.0, 400);
    let (status, table) = house.http("POST", crashed, r#"{"seat":1}"#).await;
    let table: Value = serde_json::from_str(&table).unwrap();
    assert_eq!((status, &table["result"][1]["exit"]), (200, &json!("crashed")), "{table}");
    assert_eq!(house.http("POST", crashed, r#"{"seat":1}"#).await.0, 409);
    assert_eq!(
        house.http("POST", "/api/v1/tables/sushi-go/x/crashed", r#"{"seat":1}"#).await.0,
        404
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_are_json_that_helps() {
    let house = House::open().await;
    let cases = [
        ("GET", "/api/v1/tables/chess/x", "", 404, "no game 'chess'; there are"),
        ("GET", "/api/v1/tables/sushi-go/x", "", 404, "no table 'x'"),
        ("GET", "/api/v1/tables?status=odd", "", 400, "odd"),
        ("POST", "/api/v1/tables", "{", 400, "JSON"),
        ("POST", "/api/v1/tables", r#"{"game":"sushi-go","seats":9}"#, 400, "2 to 5"),
        (
            "POST",
            "/api/v1/tables",
            r#"{"game":"sushi-go","colour":1}"#,
            400,
            "unknown field `colour`",
        ),
        (
            "POST",
            "/api/v1/tables",
            r#"{"game":"sushi-go","options":{"speed":1}}"#,
            400,
            "there are players",
        ),
        ("POST", "/api/v1/tables", r#"{"game":"sushi-go","id":"a b"}"#, 400, "an id is"),
        ("POST", "/api/v1/tables", r#"{"game":"sushi-go","names":["a","a"]}"#, 400, "twice"),
        (
            "POST",
            "/api/v1/tables",
            r#"{"game":"sushi-go","options":{"house_bots":["x"]}}"#,
            400,
            "random, pip, mika, greedy",
        ),
        ("PUT", "/api/v1/tables", "", 405, "does not support this method"),
        ("GET", "/nowhere", "", 404, "GET / lists"),
        ("GET", "/play/sushi-go", "", 426, "ws://"),
        ("GET", "/watch/sushi-go/x", "", 404, "no table 'x'"),
        ("GET", "/api/games/x", "", 404, "no table 'x'"),
        ("POST", "/api/games", r#"{"max_players":6}"#, 400, "2 to 5"),
        ("POST", "/api/games", "[]", 400, "an object"),
        ("GET", "/api/v1/results?status=odd", "", 400, "finished or void"),
        ("GET", "/api/v1/results/sushi-go/x", "", 404, "no finished game 'x'"),
    ];
    for (method, path, body, expected, text) in cases {
        let (status, answer) = house.http(method, path, body).await;
        assert_eq!(status, expected, "{method} {path} {body}: {answer}");
        let answer: Value =
            serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{path}: {answer}"));
        assert!(
            answer["error"].as_str().unwrap().contains(text),
            "{method} {path} {body}: {answer}"
        );
        let known: Result<hall::Code, _> = serde_json::from_value(answer["code"].clone());
        assert!(known.is_ok(), "{method} {path} {body}: {answer}");
    }
    house.close().await;
}

/// A hall's refusal was sent in its debug form, and programs had nothing to read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_over_http_match_their_documentation() {
    let house = House::open().await;
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/error-codes.md");
    let page = std::fs::read_to_string(page).expect("docs/reference/error-codes.md");
    let (_, answer) = house.http("GET", "/api/v1/tables/sushi-go/nowhere", "").await;
    assert!(
        page.lines().any(|line| line == answer),
        "docs/reference/error-codes.md should show\n{answer}"
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changes_things_needs_the_admin_token() {
    let house = House::open_with(|settings| settings.http.open_create = false).await;
    let at = house.address("http");
    let body = r#"{"game":"sushi-go"}"#;
    for (method, path) in [
        ("POST", "/api/v1/tables"),
        ("DELETE", "/api/v1/tables/sushi-go/x"),
        ("POST", "/api/v1/tables/sushi-go/x/crashed"),
        ("POST", "/api/v1/results/prune?older_than_s=1"),
        ("POST", "/api/games"),
    ] {
        assert_eq!(request(at, method, path, "", body).await.0, 401, "{method} {path}");
        let wrong = "Authorization: Bearer wrong\r\n";
        assert_eq!(request(at, method, path, wrong, body).await.0, 403, "{method} {path}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_calls_of_existing_tools() {
    let house = House::open().await;
    // The tools use the game port for HTTP; both dialects' ports have it.
    for port in ["http", "sushi-go", "sushi-go-sdk"] {
        let at = house.address(port);
        let (status, created) = request(at, "POST", "/api/games", "", r#"{"max_players":3}"#).await;
        assert_eq!(status, 200, "{port}: {created}");
        let created: Value = serde_json::from_str(&created).unwrap();
        let id = created["id"].as_str().unwrap().to_owned();
        let (_, list) = request(at, "GET", "/api/games", "", "").await;
        let list: Value = serde_json::from_str(&list).unwrap();
        let last = list["games"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(
            last,
            json!({"id": id, "player_count": 0, "max_players": 3, "status": "waiting"}),
            "{port}"
        );
        let (status, one) = request(at, "GET", &format!("/api/games/{id}"), "", "").await;
        assert_eq!(status, 200, "{port}: {one}");
        let one: Value = serde_json::from_str(&one).unwrap();
        assert_eq!((&one["id"], &one["players"]), (&json!(id), &json!([])));
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_document_describes_every_route() {
    let house = House::open().await;
    let (status, document) = get(&house, "/api/v1/openapi.json").await;
    assert_eq!(status, 200);
    for path in [
        "/api/v1/games",
        "/api/v1/tables",
        "/api/v1/tables/{game}/{id}",
        "/api/v1/tables/{game}/{id}/crashed",
        "/api/v1/results",
        "/api/v1/results/{game}/{id}",
        "/api/v1/results/{game}/{id}/replay",
        "/api/v1/results/{game}/{id}/frames",
        "/api/v1/results/prune",
        "/api/games",
        "/api/games/{id}",
    ] {
        assert!(document["paths"][path].is_object(), "{path} is not described");
    }
    let (_, games) = get(&house, "/api/v1/games").await;
    for game in games.as_array().unwrap() {
        assert!(game["options"]["turn_timeout_ms"].as_u64().is_some_and(|ms| ms > 0), "{game}");
        let levels: Vec<_> = game["bots"].as_array().unwrap().iter().map(|b| &b["level"]).collect();
        assert_eq!((levels[0], levels[levels.len() - 1]), (&json!(1), &json!(3)), "{game}");
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finished_games_are_listed_and_replayed() {
    let house = House::open().await;
    for table in ["a", "b", "c"] {
        play_beside(&house, table).await;
    }
    let (_, page) = get(&house, "/api/v1/results?game=sushi-go&player=One&limit=2").await;
    let ids: Vec<_> =
        page["results"].as_array().unwrap().iter().map(|game| game["id"].clone()).collect();
    assert_eq!(ids, ["c", "b"]);
    let (_, rest) = get(&house, &format!("/api/v1/results?limit=2&after={}", page["next"])).await;
    assert_eq!(rest["results"][0]["id"], "a");
    assert_eq!(rest["next"], Value::Null);
    assert_eq!(get(&house, "/api/v1/results?player=Nobody").await.1["results"], json!([]));
    let (status, lines) =
        request(house.address("http"), "GET", "/api/v1/results/sushi-go/a/replay", "", "").await;
    assert_eq!(status, 200);
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({"game": "sushi-go", "id": "a"}));
    let moves = lines.iter().filter(|line| line["record"]["moved"].is_object()).count();
    assert_eq!(moves, 60);
    assert!(lines.last().unwrap()["record"]["closed"]["over"].is_array());
    house.close().await;
}

/// The kit's calls ignored what they did not know, so a misspelt `max_player` gave a game of two.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_starter_kits_routes_refuse_unknown_keys_by_name() {
    let house = House::open().await;
    for (path, body) in [
        ("/api/games", json!({"max_player": 4})),
        ("/api/tournaments", json!({"max_players": 4, "max_player": 4})),
    ] {
        let (status, body) = house.http("POST", path, &body.to_string()).await;
        assert_eq!(status, 400, "{path}: {body}");
        assert!(body.contains("max_player") && body.contains("max_players"), "{path}: {body}");
    }
    let (status, body) = house.http("POST", "/api/games", r#"{"max_players":4}"#).await;
    assert_eq!(status, 200, "{body}");
    house.close().await;
}

/// The kit's launchers look for HTTP on 8080, which is Gamba's port.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn gambas_port_serves_http_too() {
    let house = House::open().await;
    let gamba = house.address("gamba");
    let (status, body) = request(gamba, "POST", "/api/games", "", r#"{"max_players":3}"#).await;
    assert_eq!(status, 200, "{body}");
    let (status, body) = request(gamba, "GET", "/api/games", "", "").await;
    let games: Value = serde_json::from_str(&body).unwrap();
    let has_three = |game: &Value| game["max_players"] == 3;
    assert_eq!(status, 200, "{body}");
    assert!(games["games"].as_array().unwrap().iter().any(has_three), "{games}");
    // Its own protocol works as before, a piece at a time, too.
    let mut player = crate::kit::Client::connect(gamba).await;
    player.send_bytes(b"0|||na").await;
    player.send_bytes(b"me=Alice\n").await;
    assert!(player.line().await.starts_with("100|"), "Gamba's welcome");
    house.close().await;
}

/// A finished game could be fetched only as its records, which only the rules can read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_game_can_be_replayed_as_any_viewer() {
    let house = House::open().await;
    play_beside(&house, "a").await;
    let frames = async |query: &str| {
        let path = format!("/api/v1/results/sushi-go/a/frames{query}");
        let (status, text) = request(house.address("http"), "GET", &path, "", "").await;
        assert_eq!(status, 200, "{text}");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let public = frames("").await;
    assert_eq!(public, frames("?viewer=public").await);
    let kinds: Vec<&str> = public.iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[32]), ("table", "over"));
    assert_eq!(kinds[1..32], ["update"; 31], "one before each turn and one after the last");
    assert_eq!(public[0]["status"], "finished");
    assert!(public.iter().all(|frame| frame["view"]["hand"].is_null()), "hands are secret");
    let own = frames("?viewer=1").await;
    assert_eq!(own[1]["view"]["hand"].as_array().unwrap().len(), 10);
    assert_eq!((&own[1]["your_move"], &own[1]["legal"]), (&json!(true), &Value::Null));
    let all = frames("?viewer=all").await;
    assert_eq!(all[1]["seat_views"][1]["hand"], own[1]["view"]["hand"]);
    assert_eq!(all[2]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(all[32]["how"], json!(["finished", "finished"]));
    for (query, wrong) in
        [("a/frames?viewer=2", 400), ("a/frames?viewer=me", 400), ("z/frames", 404)]
    {
        let path = format!("/api/v1/results/sushi-go/{query}");
        assert_eq!(get(&house, &path).await.0, wrong, "{query}");
    }
    let (_, tables) = get(&house, "/api/v1/tables?game=sushi-go&status=waiting").await;
    let open = tables["tables"][0]["id"].as_str().expect("one is always open");
    let (status, body) = get(&house, &format!("/api/v1/results/sushi-go/{open}/frames")).await;
    assert_eq!((status, &body["code"]), (409, &json!("conflict")), "it has not begun: {body}");
    house.close().await;
}

/// A list was one answer, however long: sixty megabytes of tables.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_are_paged() {
    let house = House::open().await;
    for id in ["a", "b", "c"] {
        house.table(id, 2).await;
    }
    let ids = |page: &Value| -> Vec<String> {
        let tables = page["tables"].as_array().expect("a list").iter();
        tables.map(|table| format!("{} {}", table["game"], table["id"])).collect()
    };
    let (_, all) = get(&house, "/api/v1/tables").await;
    assert_eq!(all["next"], Value::Null);
    let all = ids(&all);
    for limit in 1..=all.len() {
        let (mut pages, mut after) = (Vec::new(), String::new());
        loop {
            let (_, page) = get(&house, &format!("/api/v1/tables?limit={limit}{after}")).await;
            assert!(ids(&page).len() <= limit, "{page}");
            pages.extend(ids(&page));
            let Some(next) = page["next"].as_str() else { break };
            after = format!("&after={next}");
        }
        assert_eq!(pages, all, "in pages of {limit}");
    }
    let (_, page) = get(&house, "/api/v1/tables?game=sushi-go&status=waiting&limit=2").await;
    let next = page["next"].as_str().expect("there are four");
    // A table that is closed in between moves nothing.
    assert_eq!(house.http("DELETE", "/api/v1/tables/sushi-go/a", "").await.0, 200);
    let rest = format!("/api/v1/tables?game=sushi-go&status=waiting&limit=2&after={next}");
    let (_, rest) = get(&house, &rest).await;
    assert_eq!((ids(&page).len() + ids(&rest).len(), &rest["next"]), (4, &Value::Null));
    let (_, void) = get(&house, "/api/v1/tables?status=void").await;
    assert_eq!(ids(&void), ["\"sushi-go\" \"a\""]);
    let (status, body) = get(&house, "/api/v1/tables?after=x").await;
    assert_eq!((status, &body["code"]), (400, &json!("bad-request")), "{body}");
    house.close().await;
}

/// Statuses that the description of the API did not name, an error as plain text, bodies called
/// required that are not, and keys of a plan that were ignored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_response_matches_the_api_description() {
    let house = House::open().await;
    house.table("t", 2).await;
    let cup = r#"{"game":"sushi-go","id":"cup"}"#;
    assert_eq!(house.http("POST", "/api/v1/tournaments", cup).await.0, 201);
    let (_, document) = house.http("GET", "/api/v1/openapi.json", "").await;
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let cup = "/api/v1/tournaments/{game}/{id}";
    let decide = format!("{cup}/pairings/{{pairing}}/adjudicate");
    let large = format!(r#"{{"game":"{}"}}"#, "x".repeat(3 << 20));
    let cases = [
        ("POST", "/api/v1/tables", "", r#"{"game":"chess"}"#, 404),
        ("POST", "/api/v1/tables", "", "{", 400),
        ("POST", "/api/v1/tables", "", r#"{"game":"sushi-go","id":"t"}"#, 409),
        ("POST", "/api/v1/tables", "", &large, 413),
        ("POST", "/api/v1/tournaments", "", r#"{"game":"chess"}"#, 404),
        ("POST", "/api/v1/tournaments", "", r#"{"game":"gamba","plan":{"colour":1}}"#, 400),
        ("POST", "/api/v1/results/prune", "?closed_before=soon", "", 400),
        ("GET", "/api/v1/tables", "?game=chess", "", 404),
        ("GET", "/api/v1/tables", "?status=lost", "", 400),
        ("GET", "/api/v1/results", "?limit=-1", "", 400),
        ("GET", "/api/v1/tables/{game}/{id}", "/sushi-go/%FF", "", 400),
        ("DELETE", "/api/v1/tables/{game}/{id}", "/sushi-go/none", "", 404),
        ("POST", &decide, "/sushi-go/cup/pairings/-1/adjudicate", r#"{"places":[1,2]}"#, 400),
        ("POST", &decide, "/sushi-go/cup/pairings/9/adjudicate", r#"{"places":[1,2]}"#, 400),
        ("POST", "/api/games", "", "", 200),
        ("POST", "/api/games", "", "null", 200),
        ("POST", "/api/games", "", "[", 400),
        ("POST", "/api/games", "", &large, 413),
        ("POST", "/api/tournaments", "", "", 200),
    ];
    for (method, template, rest, body, expected) in cases {
        let start = template.find("/{").map_or(template, |end| &template[..end]);
        let (status, answer) = house.http(method, &format!("{start}{rest}"), body).await;
        let case = format!("{method} {start}{rest} {}", &body[..body.len().min(60)]);
        assert_eq!(status, expected, "{case}: {answer}");
        let call = &document["paths"][template][method.to_lowercase()];
        let described = &call["responses"][status.to_string()];
        assert!(described.is_object(), "{case}: {status} is not described");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert!(status < 300 || answer["error"].is_string(), "{case}: {answer}");
        if body.is_empty() && status < 300 {
            assert_ne!(call["requestBody"]["required"], true, "{case}: needs no body");
        }
    }
    let (_, refused) =
        house.http("POST", "/api/v1/tournaments", r#"{"game":"gamba","plan":{"colour":1}}"#).await;
    assert!(refused.contains("colour") && refused.contains("best_of"), "{refused}");
    house.close().await;
}
