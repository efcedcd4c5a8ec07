//! Tokens, tickets, bans, kicks, and the log of all of it.

use serde_json::Value;

use crate::kit::{Client, House, request};

async fn asked(house: &House, token: &str, method: &str, path: &str, body: &str) -> (u16, Value) {
    let headers = format!("Authorization: Bearer {token}\r\n");
    let (status, body) = request(house.address("http"), method, path, &headers, body).await;
    (status, serde_json::from_str(&body).unwrap_or_else(|_| panic!("JSON: {body}")))
}

async fn token(house: &House, name: &str, scope: &str) -> String {
    let body = format!(r#"{{"name":"{name}","scope":"{scope}"}}"#);
    let (status, made) = house.http("POST", "/api/v1/tokens", &body).await;
    assert_eq!(status, 201, "{made}");
    let made: Value = serde_json::from_str(&made).expect("JSON");
    made["token"].as_str().expect("a token").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_may_do_what_its_scope_says_until_it_is_revoked() {
    let house = House::open().await;
    let read = token(&house, "screen", "read").await;
    let organise = token(&house, "ann", "organise").await;
    let operate = token(&house, "root", "operate").await;
    let table = r#"{"game":"sushi-go"}"#;
    for (token, opens, lists) in [
        (&read, 403, 403),
        (&organise, 201, 403),
        (&operate, 201, 200),
        (&"pt_no".to_owned(), 403, 403),
    ] {
        assert_eq!(asked(&house, token, "POST", "/api/v1/tables", table).await.0, opens);
        assert_eq!(asked(&house, token, "GET", "/api/v1/tokens", "").await.0, lists);
    }
    let (status, said) = asked(&house, &read, "POST", "/api/v1/tables", table).await;
    assert_eq!((status, &said["code"]), (403, &"needs-scope".into()));
    let (_, list) = asked(&house, &operate, "GET", "/api/v1/tokens", "").await;
    let names: Vec<&Value> =
        list["tokens"].as_array().unwrap().iter().map(|t| &t["name"]).collect();
    assert_eq!(names, ["ann", "root", "screen"]);
    assert!(!list.to_string().contains("pt_"), "a token is said once");
    let twice = r#"{"name":"ann","scope":"read"}"#;
    assert_eq!(asked(&house, &operate, "POST", "/api/v1/tokens", twice).await.0, 409);
    assert_eq!(asked(&house, &operate, "DELETE", "/api/v1/tokens/ann", "").await.0, 200);
    assert_eq!(asked(&house, &organise, "POST", "/api/v1/tables", table).await.0, 403);
    assert_eq!(asked(&house, &operate, "DELETE", "/api/v1/tokens/ann", "").await.0, 404);
    house.close().await;
}

/// Tokens stood in addresses, which are kept in histories and logs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_works_once_and_a_token_in_a_url_never() {
    let house = House::open().await;
    house.table("cup", 2).await;
    let watch = async |query: &str| {
        let path = format!("/watch/sushi-go/cup?full=true{query}");
        request(house.address("http"), "GET", &path, "", "").await.0
    };
    let in_the_address = format!("&token={}", house.server.admin_token);
    assert_eq!(watch(&in_the_address).await, 401);
    let (status, ticket) = house.http("POST", "/api/v1/tickets", "").await;
    assert_eq!(status, 201);
    let ticket: Value = serde_json::from_str(&ticket).expect("JSON");
    let ticket = format!("&ticket={}", ticket["ticket"].as_str().expect("a ticket"));
    // It is let in, and told that this is a WebSocket.
    assert_eq!(watch(&ticket).await, 426);
    assert_eq!(watch(&ticket).await, 403);
    assert_eq!(watch("&ticket=tk_guessed").await, 403);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_organisers_do_is_written_down_and_outlasts_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || House::open_with(|settings| settings.data = Some(folder.path().to_owned()));
    let house = open().await;
    let ann = token(&house, "ann", "organise").await;
    assert_eq!(asked(&house, &ann, "POST", "/api/v1/tables", r#"{"game":"chess"}"#).await.0, 404);
    assert_eq!(asked(&house, "pt_guess", "POST", "/api/v1/tables", "{}").await.0, 403);
    house.close().await;
    let house = open().await;
    let (_, page) = house.http("GET", "/api/v1/audit", "").await;
    let page: Value = serde_json::from_str(&page).expect("JSON");
    let act = |n: usize, key: &str| page["acts"][n][key].as_str().expect(key).to_owned();
    let told = |n: usize| [act(n, "who"), act(n, "what"), act(n, "outcome"), act(n, "from")];
    assert_eq!(told(0), ["ann", "POST /api/v1/tables", "404 not-found", "127.0.0.1"]);
    assert_eq!(told(1), ["admin", "POST /api/v1/tokens", "201", "127.0.0.1"]);
    assert_eq!(page["acts"].as_array().expect("acts").len(), 2, "strangers do not fill it: {page}");
    assert_eq!(
        asked(&house, &ann, "POST", "/api/v1/tables", r#"{"game":"sushi-go"}"#).await.0,
        201
    );
    let (_, page) = house.http("GET", "/api/v1/audit?limit=1", "").await;
    let page: Value = serde_json::from_str(&page).expect("JSON");
    assert_eq!((&page["acts"][0]["number"], &page["next"]), (&2.into(), &"2".into()));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_banned_name_goes_at_once_and_does_not_come_back_until_it_is_lifted() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || House::open_with(|settings| settings.data = Some(folder.path().to_owned()));
    let house = open().await;
    house.table("cup", 3).await;
    let (mut eve, mut ann) = (house.client().await, house.client().await);
    eve.join("cup", "Eve").await;
    ann.join("cup", "Ann").await;
    let ban = r#"{"name":"eve","for_s":3600,"reason":"floods"}"#;
    let (status, kicked) = house.http("POST", "/api/v1/bans", ban).await;
    assert_eq!((status, kicked.as_str()), (201, r#"{"closed":1}"#));
    while eve.read().await.is_some() {}
    assert!(ann.ask("GAMES").await.starts_with("GAMES "), "others stay");
    house.close().await;
    let house = open().await;
    house.table("next", 3).await;
    let mut eve = house.client().await;
    assert!(eve.ask("JOIN next EVE").await.starts_with("ERROR"), "a ban outlasts a restart");
    let (_, bans) = house.http("GET", "/api/v1/bans", "").await;
    assert!(bans.contains(r#""name":"eve""#) && bans.contains("floods"), "{bans}");
    assert_eq!(house.http("DELETE", "/api/v1/bans/name/Eve", "").await.0, 200);
    assert_eq!(house.http("DELETE", "/api/v1/bans/name/Eve", "").await.0, 404);
    eve.join("next", "EVE").await;
    let (_, kicked) = house.http("POST", "/api/v1/kicks", r#"{"name":"eve"}"#).await;
    assert_eq!(kicked, r#"{"closed":1}"#);
    while eve.read().await.is_some() {}
    house.close().await;
}

/// What a client at a banned address receives at each port before the server hangs up. It received
/// nothing, and its author looked for the mistake in the bot.
const FAREWELLS: [(&str, &str); 7] = [
    ("sushi-go", "ERROR E001 Your address is banned here."),
    ("sushi-go-sdk", "ERROR E001 Your address is banned here."),
    ("gamba", "103|||error=Your address is banned here|disconnect=true"),
    ("subsim", "address banned: nobody may join from it here"),
    (
        "tiger-dragon",
        r#"{"error":"you are banned here","code":"banned","hint":"Ask the organiser."}"#,
    ),
    // These protocols have no message for it.
    ("labyrinth", ""),
    ("labyrinth-course", ""),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_banned_address_is_hung_up_on_and_refused_on_every_port() {
    let house = House::open_with(|settings| {
        settings.network.proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.network.proxy_protocol =
            FAREWELLS.iter().map(|(port, _)| (*port).to_owned()).collect();
    })
    .await;
    let introduction = |last: u8| {
        let mut header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
        header.extend([203, 0, 113, last, 127, 0, 0, 1, 0x12, 0x34, 0x1e, 0xc6]);
        header
    };
    let (mut eve, mut ann) = (house.client().await, house.client().await);
    eve.send_bytes(&introduction(9)).await;
    ann.send_bytes(&introduction(10)).await;
    assert!(eve.ask("GAMES").await.starts_with("GAMES "));
    assert!(ann.ask("GAMES").await.starts_with("GAMES "));
    let (status, kicked) = house.http("POST", "/api/v1/bans", r#"{"address":"203.0.113.9"}"#).await;
    assert_eq!((status, kicked.as_str()), (201, r#"{"closed":1}"#));
    while eve.read().await.is_some() {}
    for (port, farewell) in FAREWELLS {
        let mut again = Client::connect(house.address(port)).await;
        again.send_bytes(&introduction(9)).await;
        let heard = again.rest().await;
        let last = heard.lines().last().unwrap_or_default();
        assert_eq!(last, farewell, "{port}: {heard}");
    }
    let from = "X-Forwarded-For: 203.0.113.9\r\n";
    let (status, said) = request(house.address("http"), "GET", "/api/v1/tables", from, "").await;
    assert_eq!((status, said.contains("\"banned\"")), (403, true), "{said}");
    assert!(ann.ask("GAMES").await.starts_with("GAMES "), "others stay");
    let (status, said) = house.http("POST", "/api/v1/bans", r#"{"address":"127.0.0.1"}"#).await;
    assert_eq!(status, 400, "the operator cannot lock itself out: {said}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_banned_key_opens_nothing_whatever_name_is_said_with_it() {
    let house = House::open().await;
    house.table("cup", 3).await;
    let (_, made) = house.http("POST", "/api/v1/names", r#"{"name":"eve"}"#).await;
    let made: Value = serde_json::from_str(&made).expect("JSON");
    let key = made["key"].as_str().expect("a key");
    let mut eve = house.client().await;
    assert!(eve.ask(&format!("JOIN cup eve:{key}")).await.starts_with("WELCOME "));
    let (status, said) = house.http("POST", "/api/v1/bans", r#"{"key":"pk_short"}"#).await;
    assert_eq!(status, 400, "{said}");
    let (status, kicked) =
        house.http("POST", "/api/v1/bans", &format!(r#"{{"key":"{key}"}}"#)).await;
    assert_eq!((status, kicked.as_str()), (201, r#"{"closed":1}"#));
    while eve.read().await.is_some() {}
    let mut again = house.client().await;
    let refused = again.ask(&format!("JOIN cup mallory:{key}")).await;
    assert!(refused.starts_with("ERROR ") && refused.contains("banned"), "{refused}");
    let (_, bans) = house.http("GET", "/api/v1/bans", "").await;
    assert!(!bans.contains(key), "{bans}");
    let bans: Value = serde_json::from_str(&bans).expect("JSON");
    let fingerprint = bans["bans"][0]["key"].as_str().expect("a fingerprint");
    let lift = format!("/api/v1/bans/key/{fingerprint}");
    assert_eq!(house.http("DELETE", &lift, "").await.0, 200);
    assert_eq!(house.http("DELETE", &lift, "").await.0, 404);
    assert!(again.ask(&format!("JOIN cup eve:{key}")).await.starts_with("WELCOME "));
    house.close().await;
}

/// A player who had lost the key of its entry was out of the tournament.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entrant_who_has_lost_its_key_gets_another_one() {
    let house = House::open().await;
    let cup = r#"{"game":"sushi-go","id":"cup","entrants":["ann","bob"]}"#;
    let (status, made) = house.http("POST", "/api/v1/tournaments", cup).await;
    assert_eq!(status, 201, "{made}");
    let made: Value = serde_json::from_str(&made).expect("JSON");
    let old = made["keys"][0]["key"].as_str().expect("a key");
    let path = "/api/v1/tournaments/sushi-go/cup/entrants/ann/key";
    assert_eq!(request(house.address("http"), "POST", path, "", "").await.0, 401);
    let (status, given) = house.http("POST", path, "").await;
    assert_eq!(status, 200, "{given}");
    let given: Value = serde_json::from_str(&given).expect("JSON");
    let new = given["key"].as_str().expect("a key");
    let mut ann = house.client().await;
    let refused = ann.ask(&format!("TOURNEY cup ann:{old}")).await;
    assert!(refused.starts_with("ERROR E010 "), "{refused}");
    let entered = ann.ask(&format!("TOURNEY cup ann:{new}")).await;
    assert!(!entered.starts_with("ERROR"), "{entered}");
    let nobody = "/api/v1/tournaments/sushi-go/cup/entrants/eve/key";
    assert_eq!(house.http("POST", nobody, "").await.0, 400);
    house.close().await;
}
