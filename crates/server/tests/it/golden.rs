//! The text of the HTTP API, byte by byte: programs of others read it. `golden.txt` holds every request
//! of this test with its answer; times, secrets and hashes are masked.
//!
//! `GOLDEN=rewrite cargo test -p server --test it golden::` writes down what is answered now; review the
//! difference.

use std::fmt::Write as _;
use std::path::Path;

use crate::kit::{House, request};
use crate::tournaments::{until, watch};

/// A house, and what it was asked and has answered.
struct Script {
    house: House,
    text: String,
}

impl Script {
    /// Asks with the admin token.
    async fn ask(&mut self, method: &str, path: &str, body: &str) {
        let (status, answer) = self.house.http(method, path, body).await;
        self.note(method, path, body, status, &answer);
    }

    /// A request without a token.
    async fn get(&mut self, path: &str) {
        let (status, answer) = request(self.house.address("http"), "GET", path, "", "").await;
        self.note("GET", path, "", status, &answer);
    }

    fn note(&mut self, method: &str, path: &str, body: &str, status: u16, answer: &str) {
        let asked = format!("> {method} {path} {body}");
        let answer = masked(answer);
        writeln!(self.text, "{}\n{status} {}\n", asked.trim_end(), answer.trim_end())
            .expect("a string takes everything");
    }
}

/// A text without what differs from run to run: times, ports, secrets and hashes.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_part = |letter: char| letter.is_ascii_alphanumeric();
        let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        let end = end.max(first.len_utf8() * usize::from(end == 0));
        let (word, later) = rest.split_at(end);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        masked.push_str(match word.len() {
            13 if is_number => "TIME",
            26.. if word.is_ascii() && !is_number => "SECRET",
            _ => word,
        });
        rest = later;
    }
    masked
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_api_answers_with_the_text_that_clients_rely_on() {
    let house = House::open().await;
    let mut script = Script { house, text: String::new() };
    tables(&mut script).await;
    tournaments(&mut script).await;
    errors(&mut script).await;
    script.house.close().await;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden.txt");
    if std::env::var("GOLDEN").as_deref() == Ok("rewrite") {
        std::fs::write(&file, &script.text).expect("a file of this crate");
    }
    let golden = std::fs::read_to_string(&file).expect("the golden text");
    for (now, then) in script.text.lines().zip(golden.lines()) {
        assert_eq!(now, then, "GOLDEN=rewrite writes down what is answered now");
    }
    assert_eq!(script.text.lines().count(), golden.lines().count());
}

async fn tables(script: &mut Script) {
    let duel = r#"{"game":"sushi-go","id":"duel","seats":2,"names":["Ann"],"options":{"move_timeout_ms":0},"seed":5}"#;
    script.ask("POST", "/api/v1/tables", duel).await;
    script.get("/api/v1/tables/sushi-go/duel").await;
    let (mut ann, mut ben) = (script.house.client().await, script.house.client().await);
    ann.join("duel", "Ann").await;
    ben.join("duel", "Ben").await;
    ann.send("READY").await;
    ben.send("READY").await;
    while !ann.line().await.starts_with("HAND ") {}
    script.get("/api/v1/tables?game=sushi-go&status=playing").await;
    ann.send("PLAY 0").await;
    tokio::join!(ann.play_out(), ben.play_out());
    script.get("/api/v1/tables/sushi-go/duel").await;
    script.get("/api/v1/results?game=sushi-go").await;
    script.ask("POST", "/api/v1/tables", r#"{"game":"gamba","id":"shut","seats":2}"#).await;
    script.ask("DELETE", "/api/v1/tables/gamba/shut", "").await;
    script.get("/api/v1/tables?game=gamba&status=void").await;
}

async fn tournaments(script: &mut Script) {
    let cup = r#"{"game":"tiger-dragon","id":"cup","plan":{"format":"round-robin","seed":"000000000000000000000000000000000000000000000000000000000000002a","max_entrants":4},"entrants":[{"name":"Ann","bot":"random"},{"name":"Ben","bot":"random"}]}"#;
    script.ask("POST", "/api/v1/tournaments", cup).await;
    script.get("/api/v1/tournaments/tiger-dragon/cup").await;
    let mut feed = watch(&script.house, "/watch/tiger-dragon/tournaments/cup").await;
    let (status, answer) =
        script.house.http("POST", "/api/v1/tournaments/tiger-dragon/cup/start", "").await;
    assert_eq!(status, 200, "{answer}");
    until(&mut feed, |shown| shown["phase"] == "over").await;
    script.get("/api/v1/tournaments/tiger-dragon/cup").await;
    script.get("/api/v1/tournaments?game=tiger-dragon").await;
    script.get("/api/v1/results?game=tiger-dragon").await;
    script.get("/api/v1/ratings/tiger-dragon").await;
    script.get("/api/v1/players/Ann").await;
}

async fn errors(script: &mut Script) {
    for path in [
        "/api/v1/tables/sushi-go/none",
        "/api/v1/tables/chess/none",
        "/api/v1/tables?status=odd",
        "/api/v1/tournaments/gamba/none",
        "/api/v1/results/gamba/none",
        "/api/v1/names",
        "/nowhere",
    ] {
        script.get(path).await;
    }
    for body in [
        "{",
        r#"{"game":"sushi-go","seats":9}"#,
        r#"{"game":"sushi-go","colour":1}"#,
        r#"{"game":"sushi-go","id":"a b"}"#,
    ] {
        script.ask("POST", "/api/v1/tables", body).await;
    }
    script.ask("DELETE", "/api/v1/tables/sushi-go/duel", "").await;
    let (status, answer) =
        request(script.house.address("http"), "POST", "/api/v1/tables", "", "{}").await;
    script.note("POST (without a token)", "/api/v1/tables", "{}", status, &answer);
}
