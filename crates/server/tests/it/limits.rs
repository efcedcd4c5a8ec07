//! Every limit, hit once.

use crate::kit::{Client, House, exchange, play_beside, request};

/// How often a limit was reached, says the server.
async fn hits(house: &House, limit: &str) -> u64 {
    let (_, metrics) = house.http("GET", "/metrics", "").await;
    let prefix = format!("parlor_limit_hits_total{{limit=\"{limit}\"}} ");
    let line = metrics.lines().find_map(|line| line.strip_prefix(&prefix));
    line.map_or(0, |count| count.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_connection_is_closed() {
    let house = House::open_with(|settings| settings.limits.first_message_ms = 50).await;
    let mut silent = house.client().await;
    assert_eq!(silent.read().await, None);
    let mut half = house.client().await;
    half.send_bytes(b"GA").await;
    assert_eq!(half.read().await, None);
    house.close().await;
}

/// A client that had sent one line could stay forever, without a seat and without a message.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_is_closed_but_a_waiting_player_is_not() {
    let house = House::open_with(|settings| settings.limits.idle_ms = 1000).await;
    house.table("t", 2).await;
    let (mut one, mut idle) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    assert!(idle.ask("GAMES").await.starts_with("GAMES "));
    assert_eq!(idle.read().await, None);
    assert_eq!(hits(&house, "idle_ms").await, 1);
    // By now the seated player has been silent for longer than that.
    let mut two = house.client().await;
    two.join("t", "Two").await;
    let (ends, others) = tokio::join!(one.play_out(), two.play_out());
    assert_eq!(ends, others);
    one.rest().await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_so_many_connections_in_all() {
    let house = House::open_with(|settings| settings.limits.connections = 3).await;
    let (mut one, mut two, mut three) =
        (house.client().await, house.client().await, house.client().await);
    for client in [&mut one, &mut two, &mut three] {
        assert!(client.ask("GAMES").await.starts_with("GAMES "));
    }
    let mut fourth = house.client().await;
    assert_eq!(fourth.read().await, None);
    drop(one);
    // The place comes free when the server has noticed.
    loop {
        let mut next = house.client().await;
        if next.push(b"GAMES\n").await && next.read().await.is_some() {
            break;
        }
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_so_many_connections_from_one_address() {
    let house = House::open_with(|settings| {
        settings.limits.connections_per_address = 2;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    assert!(one.ask("GAMES").await.starts_with("GAMES "));
    assert!(two.ask("GAMES").await.starts_with("GAMES "));
    assert_eq!(house.client().await.read().await, None);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn this_machine_may_have_any_number() {
    let house = House::open_with(|settings| settings.limits.connections_per_address = 1).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    assert!(one.ask("GAMES").await.starts_with("GAMES "));
    assert!(two.ask("GAMES").await.starts_with("GAMES "));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_so_many_tables() {
    let house = House::open_with(|settings| settings.limits.tables = 2).await;
    house.table("second", 2).await;
    let (status, body) = house.http("POST", "/api/v1/tables", r#"{"game":"sushi-go"}"#).await;
    assert_eq!(status, 503);
    assert!(body.contains("limits.tables"), "{body}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_outbound_queue_is_bounded() {
    let house = House::open_with(|settings| {
        settings.limits.outbound_bytes = 1000;
        settings.limits.messages_per_s = 0;
    })
    .await;
    let mut deaf = house.client().await;
    while deaf.push(&b"GAMES\n".repeat(1000)).await {}
    play_beside(&house, "beside").await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_may_have_1024_bytes() {
    let house = House::open().await;
    let mut client = house.client().await;
    let longest = format!("GAMES{}", " ".repeat(1019));
    assert!(client.ask(&longest).await.starts_with("GAMES ["));
    assert!(client.ask(&format!("{longest} ")).await.starts_with("ERROR E001 Line too long"));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_over_its_message_budget_is_read_later_and_moves_are_free() {
    let house = House::open_with(|settings| settings.limits.messages_per_s = 10).await;
    let mut loud = house.client().await;
    loud.send_bytes(&b"NONSENSE\n".repeat(25)).await;
    for _ in 0..25 {
        assert!(loud.line().await.starts_with("ERROR E001 "));
    }
    assert!(hits(&house, "messages_per_s").await > 0);
    // Thirty moves each, at ten messages a second: they are free.
    let before = hits(&house, "messages_per_s").await;
    play_beside(&house, "beside").await;
    assert_eq!(hits(&house, "messages_per_s").await, before);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_are_budgeted() {
    let house = House::open_with(|settings| settings.limits.bytes_per_s = 1000).await;
    let mut loud = house.client().await;
    let line = format!("{}\n", "x".repeat(999));
    loud.send_bytes(line.repeat(4).as_bytes()).await;
    for _ in 0..4 {
        assert!(loud.line().await.starts_with("ERROR E001 "));
    }
    assert!(hits(&house, "bytes_per_s").await > 0);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_of_one_address_share_a_message_budget() {
    let house = House::open_with(|settings| {
        settings.limits.messages_per_s_per_address = 10;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let mut crowd = Vec::new();
    for _ in 0..5 {
        let mut client = house.client().await;
        client.send_bytes(&b"NONSENSE\n".repeat(5)).await;
        crowd.push(client);
    }
    for client in &mut crowd {
        for _ in 0..5 {
            assert!(client.line().await.starts_with("ERROR E001 "));
        }
    }
    assert!(hits(&house, "messages_per_s_per_address").await > 0);
    assert_eq!(hits(&house, "messages_per_s").await, 0);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endless_line_is_refused_once_and_the_connection_closed() {
    let house = House::open().await;
    let mut client = house.client().await;
    while client.push(&[b'x'; 16 * 1024]).await {}
    assert_eq!(hits(&house, "message_bytes").await, 1);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_connections_per_address_and_second_are_limited() {
    let house = House::open_with(|settings| {
        settings.limits.connects_per_s_per_address = 5;
        settings.limits.exempt_loopback = false;
    })
    .await;
    for _ in 0..40 {
        drop(house.client().await);
    }
    // The place to look comes free again by and by.
    loop {
        let mut socket = Client::connect(house.address("http")).await;
        let asked = socket.push(b"GET /metrics HTTP/1.0\r\n\r\n").await;
        if asked && socket.rest().await.contains(r#"limit="connects_per_s_per_address""#) {
            break;
        }
    }
    house.close().await;
}

/// A client that shows the key of its name has a separate share, and leaves its address to others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_shows_a_key_is_counted_by_it() {
    let house = House::open_with(|settings| {
        settings.limits.seats_per_address = 1;
        settings.limits.exempt_loopback = false;
        settings.limits.name_age_h = 0;
    })
    .await;
    house.table("t", 4).await;
    let (_, made) = house.http("POST", "/api/v1/names", r#"{"name":"ann"}"#).await;
    let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
    let key = made["key"].as_str().expect("a key");
    let (mut ann, mut bob, mut cat) =
        (house.client().await, house.client().await, house.client().await);
    let welcome = ann.ask(&format!("JOIN t ann:{key}")).await;
    assert!(welcome.starts_with("WELCOME t 0 "), "{welcome}");
    bob.join("t", "bob").await;
    let invented = format!("JOIN t cat:pk_{}", "a".repeat(26));
    assert!(cat.ask(&invented).await.starts_with("ERROR E011 "), "a key of nobody counts nothing");
    let mut second = house.client().await;
    let refused = second.ask(&format!("JOIN t ann:{key}")).await;
    assert!(refused.starts_with("ERROR E011 "), "a name has its own limit: {refused}");
    house.close().await;
}

/// A client that had claimed sixty names had sixty times the limits, and with them all the server's
/// connections.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_claimed_at_one_address_are_no_way_around_its_limits() {
    let house = House::open_with(|settings| {
        settings.limits.seats_per_address = 1;
        settings.limits.exempt_loopback = false;
        settings.limits.name_age_h = 0;
    })
    .await;
    let mut seated = Vec::new();
    let refused = loop {
        let number = seated.len();
        let claim = format!(r#"{{"name":"bot-{number}"}}"#);
        let (_, made) = house.http("POST", "/api/v1/names", &claim).await;
        let made: serde_json::Value = serde_json::from_str(&made).expect("JSON");
        let key = made["key"].as_str().expect("a key");
        house.table(&format!("t{number}"), 2).await;
        let mut bot = house.client().await;
        let answer = bot.ask(&format!("JOIN t{number} bot-{number}:{key}")).await;
        if !answer.starts_with("WELCOME ") || seated.len() == 20 {
            break answer;
        }
        seated.push(bot);
    };
    assert_eq!(seated.len(), 8, "{refused}");
    assert!(refused.starts_with("ERROR E011 "), "{refused}");
    // Who shows no key has the address's own place.
    house.table("t", 2).await;
    house.client().await.join("t", "guest").await;
    house.close().await;
}

/// One address could claim all the names a server knows, and write to its disk forever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_claims_so_many_names_an_hour() {
    let house = House::open_with(|settings| {
        settings.limits.claims_per_h_per_address = 2;
        settings.limits.name_age_h = 0;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let address = house.address("http");
    let claim = async |name: &str, headers: &str| {
        let body = format!(r#"{{"name":"{name}"}}"#);
        exchange(address, "POST", "/api/v1/names", headers, &body).await
    };
    let made = claim("ann", "").await;
    assert!(made.starts_with("HTTP/1.1 201 "), "{made}");
    let key = made.rsplit_once("\"key\":\"").expect("a key").1;
    let shows = format!("Authorization: Bearer {}\r\n", key.trim_end_matches("\"}"));
    assert!(claim("bob", &shows).await.starts_with("HTTP/1.1 201 "));
    for headers in ["", &shows] {
        let refused = claim("cat", headers).await;
        assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
        assert!(refused.to_lowercase().contains("retry-after: 1"), "{refused}");
        assert!(refused.contains(r#""limit":"claims_per_h_per_address""#), "{refused}");
    }
    assert_eq!(hits(&house, "claims_per_h_per_address").await, 2);
    // Changes of a name count by its key; operators claim as many as they like.
    let version = r#"{"version":"2"}"#;
    for wanted in [200, 200, 429] {
        let path = "/api/v1/names/ann/version";
        assert_eq!(request(address, "PUT", path, &shows, version).await.0, wanted);
    }
    assert_eq!(house.http("POST", "/api/v1/names", r#"{"name":"dan"}"#).await.0, 201);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_requests_of_an_address_are_limited_and_told_so() {
    let house = House::open_with(|settings| {
        settings.limits.requests_per_s_per_address = 1;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let address = house.address("http");
    let refused = loop {
        let answer = exchange(address, "GET", "/api/v1/tables", "", "").await;
        if !answer.starts_with("HTTP/1.1 200 ") {
            break answer;
        }
    };
    assert!(refused.starts_with("HTTP/1.1 429 "), "{refused}");
    let lower = refused.to_lowercase();
    assert!(lower.contains("retry-after: 1\r\n"), "{refused}");
    assert!(lower.contains("x-content-type-options: nosniff\r\n"), "{refused}");
    assert!(refused.contains(r#""code":"too-many""#), "{refused}");
    assert!(refused.contains(r#""limit":"requests_per_s_per_address""#), "{refused}");
    // The pages' files, and clients with the admin token, are served all the same.
    for _ in 0..10 {
        assert_eq!(request(address, "GET", "/healthz", "", "").await.0, 200);
        assert_eq!(house.http("GET", "/api/v1/tables", "").await.0, 200);
    }
    assert!(hits(&house, "requests_per_s_per_address").await > 0);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_arrives_too_slowly_is_dropped() {
    let house = House::open_with(|settings| settings.limits.request_ms = 50).await;
    let token = format!("Authorization: Bearer {}\r\n", house.server.admin_token);
    let heads = [
        // A body that never comes.
        format!(
            "POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\n{token}\
            Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
        ),
        // A head that never ends.
        "GET / HTTP/1.1\r\nHost: loc".to_owned(),
    ];
    let mut answers = Vec::new();
    for head in heads {
        let mut client = Client::connect(house.address("http")).await;
        client.send_bytes(head.as_bytes()).await;
        answers.push(client.rest().await);
    }
    assert!(answers[0].starts_with("HTTP/1.1 408 "), "{answers:?}");
    assert!(answers[0].contains(r#""limit":"request_ms""#), "{answers:?}");
    assert_eq!(hits(&house, "request_ms").await, 1);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_limits_can_be_read() {
    let house = House::open_with(|settings| settings.limits.messages_per_s = 17).await;
    let (status, body) = request(house.address("http"), "GET", "/api/v1/limits", "", "").await;
    assert_eq!(status, 200);
    let limits: Vec<serde_json::Value> = serde_json::from_str(&body).expect("JSON");
    assert_eq!(limits.len(), server::Limit::ALL.len());
    assert_eq!((&limits[0]["name"], &limits[0]["value"]), (&"messages_per_s".into(), &17.into()));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_holds_a_limited_number_of_seats() {
    let house = House::open_with(|settings| {
        settings.limits.seats_per_address = 1;
        settings.limits.exempt_loopback = false;
    })
    .await;
    house.table("t", 2).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    let refused = two.ask("JOIN t Two").await;
    assert!(refused.starts_with("ERROR E011 Your address has as many seats"), "{refused}");
    assert_eq!(hits(&house, "seats_per_address").await, 1);
    one.send("LEAVE").await;
    while !two.ask("JOIN t Two").await.starts_with("WELCOME ") {}
    drop(two);
    // The seat of a player who has left no longer counts.
    while !one.ask("JOIN t One").await.starts_with("WELCOME ") {}
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_opens_a_limited_number_of_tables_not_counting_finished_ones() {
    let house = House::open_with(|settings| {
        settings.limits.tables_per_min_per_address = 2;
        settings.limits.exempt_loopback = false;
    })
    .await;
    for number in 0..4 {
        play_beside(&house, &format!("beside-{number}")).await;
    }
    let mut squatters = Vec::new();
    for id in ["a", "b", "c"] {
        house.table(id, 2).await;
        let mut squatter = house.client().await;
        squatters.push((squatter.ask(&format!("JOIN {id} Squatter")).await, squatter));
    }
    assert!(squatters[0].0.starts_with("WELCOME a "), "{}", squatters[0].0);
    assert!(squatters[1].0.starts_with("WELCOME b "), "{}", squatters[1].0);
    assert!(squatters[2].0.starts_with("ERROR E011 "), "{}", squatters[2].0);
    assert_eq!(hits(&house, "tables_per_min_per_address").await, 1);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_enters_a_limited_number_of_names() {
    let house = House::open_with(|settings| {
        settings.limits.entries_per_h_per_address = 1;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let body = r#"{"game":"sushi-go","id":"cup","plan":{"max_entrants":2}}"#;
    assert_eq!(house.http("POST", "/api/v1/tournaments", body).await.0, 201);
    let (mut one, mut two) = (house.client().await, house.client().await);
    let entered = one.ask("TOURNEY cup One").await;
    assert!(!entered.starts_with("ERROR"), "{entered}");
    let refused = two.ask("TOURNEY cup Two").await;
    assert!(refused.starts_with("ERROR E011 "), "{refused}");
    assert_eq!(hits(&house, "entries_per_h_per_address").await, 1);
    house.close().await;
}
