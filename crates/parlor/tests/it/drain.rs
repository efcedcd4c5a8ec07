//! A server that starts no new games, and ends by itself when the running ones are over.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::kit::{BINARY, Line, Running, Server, parlor, serve};

fn start(data: &Path, more: &[&str]) -> Server {
    let mut command = Command::new(BINARY);
    command.args(serve(data)).args(more);
    Server::await_ready(Running::spawn(&mut command, ""))
}

/// Two who play, and have been asked for their first card.
fn players(server: &Server) -> [Line; 2] {
    let mut players = [0, 1].map(|_| Line::connect(server.sushi_go()).expect("connects"));
    let list = players[0].ask("GAMES", &["GAMES"]);
    let list: Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    let id = list[0]["id"].as_str().expect("a game is always open").to_owned();
    for (line, name) in players.iter_mut().zip(["Ada", "Bob"]) {
        line.ask(&format!("JOIN {id} {name}"), &["WELCOME"]);
        line.ask("READY", &["OK"]);
    }
    players
}

fn play_to_the_end(players: &mut [Line; 2]) {
    for _ in 0..30 {
        for line in players.iter_mut() {
            line.expect(&["HAND"]);
            line.ask("PLAY 0", &["OK"]);
        }
    }
    for line in players.iter_mut() {
        line.expect(&["GAME_END"]);
    }
}

/// How ready it says it is.
fn ready(server: &Server) -> (u16, String) {
    let url = format!("http://{}/readyz", server.addresses["http"]);
    let answer = ureq::get(&url).config().http_status_as_error(false).build().call();
    let mut answer = answer.expect("answers");
    (answer.status().as_u16(), answer.body_mut().read_to_string().expect("text"))
}

#[test]
fn a_drained_server_finishes_its_games_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &[]);
    let mut players = players(&server);
    assert_eq!(ready(&server), (200, "ready\n".to_owned()));
    let data = folder.path().display().to_string();
    let drained = parlor(&["drain", "--data", &data]);
    assert_eq!(
        drained.stdout, "No new games start. The server stops when the running one is over.\n",
        "{drained:?}"
    );
    assert_eq!(ready(&server), (503, "draining, 1 games are running\n".to_owned()));
    let mut late = Line::connect(server.sushi_go()).expect("connects");
    let list = late.ask("GAMES", &["GAMES"]);
    let list: Value = serde_json::from_str(&list["GAMES ".len()..]).expect("JSON");
    if let Some(id) = list[0]["id"].as_str() {
        assert_eq!(
            late.ask(&format!("JOIN {id} Eve"), &["ERROR"]),
            "ERROR E011 The server is about to restart and starts no new games. Try again in a few \
             minutes."
        );
    }
    let open = ["tournament", "create", "--game", "sushi-go", "--id", "cup", "--data", &data];
    assert_eq!(parlor(&open).code, Some(0), "a tournament is made, and begins after the restart");
    play_to_the_end(&mut players);
    let ended = server.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("no game is running"), "{}", ended.stderr);
}

#[test]
fn a_signal_drains_too_and_a_game_that_takes_too_long_is_taken_up_after_the_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &["--drain-seconds", "1"]);
    let mut players = players(&server);
    players[0].expect(&["HAND"]);
    server.signal("USR1");
    let ended = server.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("games are still running"), "{}", ended.stderr);
    let server = start(folder.path(), &[]);
    let tables = server.get_json("/api/v1/tables?status=playing");
    assert_eq!(tables["tables"].as_array().map(Vec::len), Some(1), "{tables}");
}
