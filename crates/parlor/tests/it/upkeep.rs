//! What a server removes by itself, and what it does when its disk is nearly full.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::kit::{BINARY, Line, PATIENCE, Running, Server, parlor, play_a_game, serve};

fn start(data: &Path, more: &[&str]) -> Server {
    let mut command = Command::new(BINARY);
    command.args(serve(data)).args(more);
    Server::await_ready(Running::spawn(&mut command, ""))
}

/// The ids of finished games, the latest first.
fn games(server: &Server) -> Vec<String> {
    let page = server.get_json("/api/v1/results");
    let results = page["results"].as_array().unwrap_or_else(|| panic!("{page}"));
    results.iter().map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
}

/// Waits until this number is left.
fn await_games(server: &Server, count: usize) -> Vec<String> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = games(server);
        if left.len() == count {
            return left;
        }
        assert!(Instant::now() < deadline, "{count} should be left of {left:?}");
        std::thread::yield_now();
    }
}

#[test]
fn the_oldest_games_go_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &[]);
    let played: Vec<String> = (0..4).map(|_| play_a_game(server.sushi_go())).collect();
    await_games(&server, 4);
    server.terminate();
    let server = start(folder.path(), &["--keep-games", "2", "--keep-days", "1"]);
    assert_eq!(await_games(&server, 2), [played[3].clone(), played[2].clone()]);
    let ended = server.terminate();
    assert!(ended.stderr.contains("old games were removed"), "{}", ended.stderr);
    let config = parlor(&["config", "--keep-games", "7", "--disk-quota", "500"]);
    assert!(config.stdout.contains("keep_games = 7\n"), "{config:?}");
    assert!(config.stdout.contains("disk_quota_mb = 500\n"), "{config:?}");
}

/// Writes failed when the disk was full, and a failed write ends the server.
#[test]
fn a_disk_with_too_little_room_takes_no_new_games() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &["--set", "upkeep.free_disk_mb=9000000000000"]);
    let deadline = Instant::now() + PATIENCE;
    loop {
        let body = r#"{"game":"sushi-go"}"#;
        let url = format!("http://{}/api/v1/tables", server.addresses["http"]);
        let token = std::fs::read_to_string(folder.path().join("admin-token")).unwrap();
        let answer = ureq::post(&url)
            .header("Authorization", format!("Bearer {}", token.trim()))
            .content_type("application/json")
            .config()
            .http_status_as_error(false)
            .build()
            .send(body);
        let mut answer = answer.expect("answers");
        if answer.status().as_u16() == 503 {
            let said = answer.body_mut().read_to_string().expect("text");
            assert!(said.contains("\"disk-full\""), "{said}");
            break;
        }
        assert!(Instant::now() < deadline, "tables are opened all the same");
    }
    let mut eve = Line::connect(server.sushi_go()).expect("connects");
    let list = eve.ask("GAMES", &["GAMES"]);
    let list: serde_json::Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("the first was opened before");
    let said = eve.ask(&format!("JOIN {id} Eve"), &["ERROR"]);
    assert!(said.starts_with("ERROR E011 The server's disk is nearly full"), "{said}");
}
