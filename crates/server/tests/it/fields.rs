//! Every text that a stranger can set, by every way in: each has a length and a rule for its letters, and
//! none takes control characters. docs/reference/limits.md lists them.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::kit::{Client, House, PATIENCE, request};
use crate::names::claim;
use crate::tournaments::{Socket, convene};

/// How a text is sent to the server, and what is returned if it is accepted. `{}` stands for the
/// text.
enum Way {
    /// A line at a port. If nothing shows that it was accepted, the server hangs up when it was
    /// not.
    Line { port: &'static str, says: &'static str, taken: &'static str, refused: &'static str },
    /// A message over WebSocket: at a port, at a path.
    Socket { port: &'static str, path: &'static str, says: &'static str, taken: &'static str },
    /// A request with the key of the name `ann`.
    Http { method: &'static str, path: &'static str, says: &'static str },
}

struct Field {
    way: Way,
    /// A text that is taken.
    good: &'static str,
    /// The most letters it may have.
    most: usize,
}

const fn line(
    port: &'static str,
    says: &'static str,
    taken: &'static str,
    refused: &'static str,
) -> Way {
    Way::Line { port, says, taken, refused }
}

const fn house(path: &'static str, says: &'static str) -> Way {
    Way::Socket { port: "http", path, says, taken: r#""type":"joined""# }
}

const fn http(method: &'static str, path: &'static str, says: &'static str) -> Way {
    Way::Http { method, path, says }
}

const JOIN: &str = r#"{"do":"join","name":"{}"}"#;
const ENTRY: &str = "/api/v1/tournaments/gamba/cup/entry";
const TABLES: &str = "/api/v1/tables";
const TOURNAMENTS: &str = "/api/v1/tournaments";

/// An agent joins a game, with these arguments.
macro_rules! agent {
    ($arguments:literal) => {
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"join","arguments":"#,
            r#"{"game":"gamba","opponents":["random"],"#,
            $arguments,
            "}}}"
        )
    };
}

const FIELDS: &[Field] = &[
    // The games' own protocols.
    Field { way: line("sushi-go", "JOIN t {}", "WELCOME", "ERROR"), good: "Ann.1", most: 32 },
    Field { way: line("sushi-go-sdk", "JOIN t {}", "WELCOME", "ERROR"), good: "Ben.1", most: 32 },
    Field { way: line("sushi-go", "TOURNEY go {}", "TOURNAMENT_", "ERROR"), good: "Cy", most: 32 },
    Field { way: line("gamba", "0|||name={}", "100|", "103|"), good: "Ann_1", most: 32 },
    Field { way: line("subsim", "J|{}|3|3", "J|", "invalid"), good: "Ann's sub", most: 12 },
    Field { way: line("labyrinth", r#"{"color":"{}"}"#, "\"SUCCESS\"", "-"), good: "red", most: 6 },
    Field { way: line("labyrinth-course", r#""{}""#, "", "-"), good: "Ann1", most: 20 },
    Field {
        way: Way::Socket {
            port: "tiger-dragon",
            path: "/",
            says: r#"{"type":"join","room_id":"r","player_id":"{}","role":"player"}"#,
            taken: "join_ack",
        },
        good: "Änn, 1",
        most: 64,
    },
    Field {
        way: Way::Socket {
            port: "tiger-dragon",
            path: "/",
            says: r#"{"type":"join","room_id":"r","player_id":"{}","role":"spectator"}"#,
            taken: "join_ack",
        },
        good: "somebody",
        most: 64,
    },
    // The protocol of every game.
    Field { way: house("/house/sushi-go", JOIN), good: "Dan", most: 32 },
    Field { way: house("/house/gamba", JOIN), good: "Dan", most: 32 },
    Field { way: house("/house/subsim", JOIN), good: "Dan", most: 12 },
    Field { way: house("/house/labyrinth", JOIN), good: "Dän 1", most: 64 },
    Field { way: house("/house/tiger-dragon", JOIN), good: "Dän 1", most: 64 },
    Field {
        way: house("/house/gamba", r#"{"do":"join","name":"Eve","version":"{}"}"#),
        good: "1.0 (beta)",
        most: 64,
    },
    Field {
        way: house(
            "/house/tiger-dragon",
            r#"{"do":"join","name":"Eve","options":{"battlefield":"{}"}}"#,
        ),
        good: "volcano",
        most: 400,
    },
    Field {
        way: house("/house/gamba", r#"{"do":"join","name":"Fay","bots":["{}"]}"#),
        good: "random",
        most: 20,
    },
    // Over HTTP, with a key, and by organisers.
    Field { way: http("POST", "/api/v1/names", r#"{"name":"{}"}"#), good: "gus", most: 24 },
    Field {
        way: http("POST", "/api/v1/names", r#"{"name":"hal","version":"{}"}"#),
        good: "1.0",
        most: 64,
    },
    Field {
        way: http("PUT", "/api/v1/names/ann/version", r#"{"version":"{}"}"#),
        good: "1.1",
        most: 64,
    },
    Field {
        way: http("POST", ENTRY, r#"{"name":"ann","display":"{}"}"#),
        good: "Ann's bot",
        most: 60,
    },
    Field {
        way: http(
            "POST",
            "/api/v1/tournaments/tiger-dragon/cup/entry",
            r#"{"name":"ann","version":"{}"}"#,
        ),
        good: "1.2",
        most: 64,
    },
    Field {
        way: http(
            "POST",
            "/api/v1/tournaments/labyrinth/cup/entry",
            r#"{"name":"ann","plays_as":"{}"}"#,
        ),
        good: "blue",
        most: 64,
    },
    Field { way: http("POST", TABLES, r#"{"game":"gamba","id":"{}"}"#), good: "mine", most: 64 },
    Field {
        way: http("POST", TABLES, r#"{"game":"labyrinth","names":["{}"]}"#),
        good: "Ida",
        most: 64,
    },
    Field {
        way: http("POST", TABLES, r#"{"game":"subsim","options":{"title":"{}"}}"#),
        good: "My game",
        most: 20,
    },
    Field {
        way: http("POST", TOURNAMENTS, r#"{"game":"gamba","id":"{}"}"#),
        good: "mine",
        most: 64,
    },
    Field {
        way: http("POST", TOURNAMENTS, r#"{"game":"labyrinth","entrants":["{}"],"open":true}"#),
        good: "Jo 1",
        most: 64,
    },
    Field {
        way: http(
            "POST",
            TOURNAMENTS,
            r#"{"game":"labyrinth","entrants":[{"name":"{}","plays_as":"red"}],"open":true}"#,
        ),
        good: "Jo 1",
        most: 60,
    },
    Field {
        way: http(
            "POST",
            TOURNAMENTS,
            r#"{"game":"gamba","entrants":[{"name":"kim","display":"{}"}],"open":true}"#,
        ),
        good: "Kim's bot",
        most: 60,
    },
    // Agents.
    Field { way: http("POST", "/mcp", agent!(r#""name":"{}""#)), good: "Lea", most: 32 },
    Field {
        way: http("POST", "/mcp", agent!(r#""name":"Mia","version":"{}""#)),
        good: "model 7",
        most: 64,
    },
];

/// Texts that no client may send: a command to a terminal, the end of a line, letters that change
/// the reading direction.
const CONTROL: [char; 6] = ['\u{1b}', '\u{7f}', '\u{85}', '\u{0}', '\u{2028}', '\u{202e}'];

impl Way {
    /// Says a text; whether it was taken.
    async fn say(&self, house: &House, key: &str, text: &str) -> bool {
        // In JSON every letter may be written as its number, so that any can be said.
        let escaped = |c: char| match c {
            '"' | '\\' => format!("\\{c}"),
            c if c.is_control() => format!("\\u{:04x}", c as u32),
            c => c.to_string(),
        };
        let in_json: String = text.chars().map(escaped).collect();
        match self {
            Way::Line { port, says, taken, refused } => {
                let text = if says.contains('"') { &in_json } else { text };
                let mut client = Client::connect(house.address(port)).await;
                client.send(&says.replace("{}", text)).await;
                if taken.is_empty() {
                    return is_seated(house, &mut client, text).await;
                }
                loop {
                    match client.read().await {
                        Some(line) if line.starts_with(taken) => return true,
                        Some(line) if line.starts_with(refused) || line.starts_with("name") => {
                            return false;
                        }
                        Some(_) => {}
                        None => return false,
                    }
                }
            }
            Way::Socket { port, path, says, taken } => {
                let url = format!("ws://{}{path}", house.address(port));
                let mut socket: Socket = connect_async(url).await.expect("upgrades").0;
                let said = says.replace("{}", &in_json);
                socket.send(Message::text(said)).await.expect("sends");
                loop {
                    let next = timeout(PATIENCE, socket.next()).await.expect("an answer");
                    let Some(Ok(Message::Text(said))) = next else { panic!("{next:?}") };
                    let told = |sign: &str| said.contains(sign);
                    if told(taken) || told(r#""type":"refused""#) || told(r#""type":"error""#) {
                        return told(taken);
                    }
                }
            }
            Way::Http { method, path, says } => {
                let header = format!("Authorization: Bearer {key}\r\n");
                let header = match *path {
                    "/mcp" => "Accept: application/json, text/event-stream\r\n\
                               mcp-protocol-version: 2025-11-25\r\n"
                        .to_owned(),
                    TABLES | TOURNAMENTS => {
                        format!("Authorization: Bearer {}\r\n", house.server.admin_token)
                    }
                    path if path.contains("ann") || path.ends_with("entry") => header,
                    _ => String::new(),
                };
                let body = says.replace("{}", &in_json);
                let at = house.address("http");
                let (status, answer) = request(at, method, path, &header, &body).await;
                assert!(status < 500, "{path} {body}: {answer}");
                status < 300 && !answer.contains(r#""isError":true"#)
            }
        }
    }
}

/// Whether a client has a seat, if its protocol says nothing about it: then the server hangs up on
/// clients without one.
async fn is_seated(house: &House, client: &mut Client, name: &str) -> bool {
    loop {
        let (_, tables) = house.http("GET", "/api/v1/tables?game=labyrinth", "").await;
        if tables.contains(&format!("\"{name}\"")) {
            return true;
        }
        if client.has_ended().await {
            return false;
        }
    }
}

/// Names of Labyrinth, and those that seats are kept for, had any length.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_text_a_stranger_sets_has_a_rule() {
    let house = House::open_with(|settings| settings.limits.claims_per_h_per_address = 0).await;
    let key = claim(&house, "ann").await;
    for (game, id) in
        [("gamba", "cup"), ("tiger-dragon", "cup"), ("labyrinth", "cup"), ("sushi-go", "go")]
    {
        convene(&house, json!({"game": game, "id": id, "open": true})).await;
    }
    let mut wrong = Vec::new();
    for Field { way, good, most } in FIELDS {
        house.http("POST", TABLES, r#"{"game":"sushi-go","id":"t","seats":5}"#).await;
        let what = match way {
            Way::Line { port, says, .. } => format!("{port}: {says}"),
            Way::Socket { path, says, .. } | Way::Http { path, says, .. } => {
                format!("{path}: {says}")
            }
        };
        for control in CONTROL {
            let (at, _) = good.char_indices().nth(1).expect("two letters");
            let text = format!("{}{control}{}", &good[..at], &good[at..]);
            if way.say(&house, &key, &text).await {
                wrong.push(format!("{what} takes {text:?}"));
            }
        }
        let long = format!("{good}{}", "a".repeat(most + 1 - good.chars().count()));
        if way.say(&house, &key, &long).await {
            wrong.push(format!("{what} takes {} letters", most + 1));
        }
        if !way.say(&house, &key, good).await {
            wrong.push(format!("{what} does not take {good:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for shown in ["/api/v1/tables", "/api/v1/tournaments", "/metrics"] {
        let (status, text) = house.http("GET", shown, "").await;
        let odd = |c: char| hall::is_control(c) && c != '\n';
        assert!(status == 200 && !text.contains(odd) && !text.contains("\\u00"), "{shown}: {text}");
    }
    house.close().await;
}

/// What is wrong with a client's message is recorded as the reason of its removal, and anyone can
/// read that. It had any length, and letters that change the reading direction.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_reason_why_somebody_was_removed_is_short_and_plain() {
    let house = House::open().await;
    let colors = ["red", "blue"];
    let mut clients = Vec::new();
    house.http("POST", TABLES, r#"{"game":"labyrinth","id":"t","seats":2}"#).await;
    for color in colors {
        let mut client = Client::connect(house.address("labyrinth")).await;
        client.send(&format!(r#"{{"color":"{color}"}}"#)).await;
        clients.push(client);
    }
    for client in &mut clients {
        while !client.line().await.starts_with("{\"board\"") {}
    }
    // Both send a malformed message, with a key that they invented.
    for client in &mut clients {
        let key = format!("k\u{202e}{}", "y".repeat(20_000));
        client.send(&format!(r#"{{"color":"red","{key}":1}}"#)).await;
        client.rest().await;
    }
    let (_, results) = house.http("GET", "/api/v1/results?game=labyrinth", "").await;
    let results: Value = serde_json::from_str(&results).expect("JSON");
    let id = results["results"][0]["id"].as_str().unwrap_or_else(|| panic!("{results}"));
    let replay = format!("/api/v1/results/labyrinth/{id}/replay");
    let (_, text) = house.http("GET", &replay, "").await;
    assert!(text.contains("unknown key"), "{text}");
    assert!(!text.contains('\u{202e}') && !text.contains(&"y".repeat(300)), "{text}");
    house.close().await;
}
